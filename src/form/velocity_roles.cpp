#include "form/velocity_roles.h"

#include <algorithm>
#include <cmath>

#include "form/rattle_exact.h"
#include "solve/product.h"

namespace trammel::form::velocity {

namespace {
/// True where a stiff function has h^2 k S_ii above kRigid on both sides of its force-free place,
/// as far out as the row is from there or moves in this step. A contact is not stiff on both sides,
/// and must return the energy that it stores. Needs now.rest and now.stiffness.
bool pulls_both_ways(const Mechanism& m, const End& now, double inverse_mass, std::size_t i,
                     double h) {
  constexpr double kLeastWay = 1e-12;  // where it rests in its place: of the row's size
  const double free = now.at.g[i] + now.rest[i] / now.stiffness[i];
  const double way = std::abs(now.rest[i] / now.stiffness[i]) + std::abs(h * now.rate[i]) +
                     kLeastWay * now.specs[i].size;
  const double limit = kRigid / (h * h * inverse_mass);
  for (const double x : {free - way, free + way})
    if (-m.force(i, x, 0, now.at.still()).f_x <= limit) return false;
  return true;
}

/// A spring that is stiff for this step becomes a row with compliance.
Spring spring_of(const Mechanism& m, const Roles& roles, const End& now, std::size_t i, double h) {
  if (roles.hold[i] != Hold::force) return Spring::explicit_;
  const double S = roles.inverse_mass[i], stiff = h * h * now.stiffness[i] * S;
  if (m.forces.by_function(i) && stiff > kRigid &&
      (m.forces.follows(i) || !pulls_both_ways(m, now, S, i, h)))  // where it pulls to may move
    return Spring::compliant;
  return stiff > kRigid       ? Spring::rigid
         : stiff > kCompliant ? Spring::compliant
                              : Spring::explicit_;
}

/// Computes the inverse masses S_ii of the rows that do not just hold a position, at the start of
/// the step, each of the row alone.
void find_row_masses(const Mechanism& m, const End& now, const std::vector<Hold>& hold,
                     std::vector<double>& inverse_mass) {
  for (std::size_t k = 0; k < m.table.others.size(); ++k) {
    const int row = m.table.others[k];
    const auto i = static_cast<std::size_t>(row);
    const bool holds = hold[i] == Hold::nothing || hold[i] == Hold::position;
    inverse_mass[i] = holds && !now.specs[i].bounded()
                          ? 0
                          : solve::inverse_mass_of_row(m.kin->graph(), m.table.others_group[k], row,
                                                       now.at.J.data(), now.at.inv_mass.data());
  }
}
}  // namespace

void assign_holds(const Mechanism& m, const model::State& state, const End& now,
                  std::vector<Hold>& hold) {
  m.table.for_others([&](std::size_t i) {
    const bool on = state.on[static_cast<std::size_t>(m.row(i).joint)] != 0;
    hold[i] = constraint::hold_of(now.specs[i], on, state.rows.yielded[i] != 0);
  });
}

void assign_roles(const Mechanism& m, const model::State& state, const End& now, double h,
                  Newton* newton, Roles& roles) {
  assign_holds(m, state, now, roles.hold);
  if (newton)
    find_row_masses_held(m, state.q, now, roles.hold, *newton, roles.inverse_mass);
  else
    find_row_masses(m, now, roles.hold, roles.inverse_mass);
  if (!m.forces.rows.empty())
    m.table.for_others([&](std::size_t i) { roles.spring[i] = spring_of(m, roles, now, i, h); });
  roles.unilateral = std::any_of(m.table.others.begin(), m.table.others.end(), [&](int row) {
    return roles.hold[static_cast<std::size_t>(row)] == Hold::unilateral;
  });
}

bool stiffen(const Step& s, const Ends& ends, std::vector<Spring>& spring) {
  const Mechanism& m = s.mechanism;
  bool found = false;
  for (const int row : m.forces.functions) {
    const auto i = static_cast<std::size_t>(row);
    if (s.roles.hold[i] != Hold::force || spring[i] != Spring::explicit_) continue;
    const double from = ends.now.at.g[i], way = ends.next.at.g[i] - from;
    for (const double part : {0.25, 0.5, 0.75, 1.}) {
      const law::Instant on_the_way(ends.now.at.t + part * s.h, ends.now.at.y.data());
      const double k = -m.force(i, from + part * way, 0, on_the_way).f_x;
      if (s.h * s.h * k * s.roles.inverse_mass[i] > kCompliant) spring[i] = Spring::compliant;
    }
    found |= spring[i] == Spring::compliant;
  }
  return found;
}

}  // namespace trammel::form::velocity
