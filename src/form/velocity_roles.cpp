#include "form/velocity_roles.h"

#include <algorithm>
#include <cmath>

#include "constraint/stage_rows.h"
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
    inverse_mass[i] = !constraint::needs_inverse_mass(hold[i], now.specs[i])
                          ? 0
                          : solve::inverse_mass_of_row(m.kin->graph(), m.table.others_group[k], row,
                                                       now.at.J.data(), now.at.inv_mass.data());
  }
}

bool is_on(const Mechanism& m, const model::State& state, std::size_t row) {
  return state.on[static_cast<std::size_t>(m.row(row).joint)] != 0;
}

void assign_holds(const Mechanism& m, const model::State& state, const End& now,
                  std::vector<Hold>& hold) {
  m.table.for_others([&](std::size_t i) {
    hold[i] = constraint::hold_of(now.specs[i], is_on(m, state, i), state.rows.yielded[i] != 0);
  });
}

/// Gives every force row whose joint is on what `spring(row)` says.
template <class F>
void assign_springs(const Mechanism& m, const model::State& state, Roles& roles, const F& spring) {
  if (m.forces.rows.empty()) return;
  m.table.for_others([&](std::size_t i) {
    roles.spring[i] = m.forces.has(i) && is_on(m, state, i) ? spring(i) : Spring::none;
  });
}
}  // namespace

void assign_explicit_roles(const Mechanism& m, const model::State& state, const End& now,
                           Roles& roles) {
  assign_holds(m, state, now, roles.hold);
  assign_springs(m, state, roles, [](std::size_t) { return Spring::explicit_; });
}

void assign_roles(const Mechanism& m, const model::State& state, const End& now, double h,
                  Newton* newton, Roles& roles) {
  assign_holds(m, state, now, roles.hold);
  if (newton)
    find_row_masses_held(m, state.q, now, roles.hold, *newton, roles.inverse_mass);
  else
    find_row_masses(m, now, roles.hold, roles.inverse_mass);
  assign_springs(m, state, roles, [&](std::size_t i) { return spring_of(m, roles, now, i, h); });
  roles.unilateral = std::any_of(m.stops.begin(), m.stops.end(), [&](int row) {
    return is_on(m, state, static_cast<std::size_t>(row));
  });
}

bool stiffen(const Step& s, const Ends& ends, std::vector<Spring>& spring) {
  const Mechanism& m = s.mechanism;
  bool found = false;
  for (const int row : m.forces.functions) {
    const auto i = static_cast<std::size_t>(row);
    if (spring[i] != Spring::explicit_) continue;
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
