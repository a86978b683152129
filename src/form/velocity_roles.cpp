// What each row is to the velocity formulation: sorted when a state is loaded, with a role in each
// step.
#include <algorithm>
#include <cmath>

#include "form/velocity.h"
#include "solve/product.h"

namespace trammel::form {

namespace {
using law::kInf;
}  // namespace

void Velocity::find_row(std::size_t i) {
  const model::RowInfo& row = model_->rows[i];
  const model::LawOnRow& on_row = model_->laws[static_cast<std::size_t>(row.law)];
  const law::ConstraintSpec& d = now_.specs[i];
  const bool rolls = !row.row.holonomic(), is_angle = row.row.unit() != joint::Unit::metre,
             by_function = on_row.law.function != nullptr;
  bool damped = false;
  if (d.is_force()) {
    springs_.rows.push_back(static_cast<int>(i));
    if (by_function) springs_.functions.push_back(static_cast<int>(i));
    // a function of the user may depend on the rate anywhere
    damped = by_function || row_force(*model_, *params_, static_cast<int>(i), 0, 1e-3, 0).f_v != 0;
  }
  springs_.damped.push_back(damped);
  rolls_ |= rolls;
  table_.alone |= by_function;
  table_.is_angle.push_back(is_angle);
  table_.angles |= is_angle;
  if (row.angle >= 0) table_.turning.push_back(static_cast<int>(i));
  table_.account.push_back(on_row.ledger >= 0 ? on_row.ledger : model::kLocks);
  composable_ &= !d.unilateral() && !damped && !d.bounded() && (!d.holds_rate() || rolls);
}

/// Sizes the arrays. Those that few mechanisms need stay empty in the others.
void Velocity::make_room() {
  const std::size_t n = model_->rows.size(), n_u = static_cast<std::size_t>(model_->n_u);
  Problem& p = problem_;
  hold_.assign(n, Hold::nothing);
  table_.equality.assign(n, 0);
  table_.equality_length.assign(n, 0);
  p.active.assign(n, 0);
  p.bound.assign(n, 0);
  for (auto* v : {&p.lo, &p.hi, &p.target, &p.compliance, &first_.rows, &first_.applied,
                  &second_.rows, &second_.applied, &now_.rate, &next_.rate, &force_, &impact_rate_,
                  &inverse_mass_, &q_rows_, &x_})
    v->assign(n, 0);
  for (auto* v : {&now_.u, &next_.u, &f_, &P0_, &P_trial_}) v->assign(n_u, 0);
  q0_.assign(static_cast<std::size_t>(model_->n_q), 0);
  q_trial_ = q0_;
  if (drag_)
    for (auto* v : {&f_rates_, &base_}) v->assign(n_u, 0);
  if (rolls_) mean_rate_.assign(n, 0);
  if (springs_.rows.empty()) return;
  springs_.kind.assign(n, Spring::explicit_);
  springs_.law.assign(n, {});
  for (const int row : springs_.rows) {
    const auto i = static_cast<std::size_t>(row);
    springs_.law[i] = {&model_->laws[static_cast<std::size_t>(model_->rows[i].law)].law,
                       model_->rows[i].sign};
  }
  springs_.dashpot.assign(n, 0);
  for (End* end : {&now_, &next_})
    for (auto* v : {&end->rest, &end->stiffness, &end->damper}) v->assign(n, 0);
  if (springs_.functions.empty()) return;
  springs_.mean.assign(n, 0);
  springs_.is_function.assign(n, 0);
  for (const int row : springs_.functions) springs_.is_function[static_cast<std::size_t>(row)] = 1;
}

/// Separates equality constraints from all other rows (table_.others). The arrays of equality
/// constraints are set here alone, since no step changes them.
void Velocity::sort_rows(const model::State& state) {
  table_.others.clear();
  for (std::size_t i = 0; i < hold_.size(); ++i) {
    const bool equality =
        now_.specs.is_equality(i) && state.on[static_cast<std::size_t>(model_->rows[i].joint)];
    table_.equality[i] = equality;
    table_.equality_length[i] = equality && !table_.is_angle[i];
    hold_[i] = equality ? Hold::position : Hold::nothing;
    if (!equality) table_.others.push_back(static_cast<int>(i));
    problem_.active[i] = equality;
    problem_.lo[i] = -kInf;
    problem_.hi[i] = kInf;
    impact_rate_[i] = kInf;
    problem_.target[i] = problem_.compliance[i] = first_.applied[i] = second_.applied[i] = 0;
  }
  solve::find_groups(kin_->graph(), table_.others, table_.others_group);
  if (!table_.others.empty()) problem_.place.resize(hold_.size());
}

/// True where a stiff function has h^2 k S_ii above kRigid on both sides of its force-free place,
/// as far out as the row is from there or moves in this step. A contact is not stiff on both sides,
/// and must return the energy that it stores. Needs now_.rest and now_.stiffness.
bool Velocity::pulls_both_ways(std::size_t i, double h) const {
  const double free = now_.at.g[i] + now_.rest[i] / now_.stiffness[i];
  const double way =
      std::abs(now_.rest[i] / now_.stiffness[i]) + std::abs(h * now_.rate[i]) + 1e-12;
  const double limit = kRigid / (h * h * inverse_mass_[i]);
  for (const double x : {free - way, free + way})
    if (-row_force(*model_, *params_, static_cast<int>(i), x, 0, now_.at.t).f_x <= limit)
      return false;
  return true;
}

Velocity::Hold Velocity::hold_of(const model::State& state, std::size_t i) const {
  const bool on = state.on[static_cast<std::size_t>(model_->rows[i].joint)] != 0;
  return constraint::hold_of(now_.specs[i], on, state.rows.yielded[i] != 0);
}

/// A spring that is stiff for this step becomes a row with compliance.
Velocity::Spring Velocity::spring_of(std::size_t i, double h) const {
  if (hold_[i] != Hold::force) return Spring::explicit_;
  const double stiff = h * h * now_.stiffness[i] * inverse_mass_[i];
  if (is_function(i) && stiff > kRigid && !pulls_both_ways(i, h)) return Spring::compliant;
  return stiff > kRigid       ? Spring::rigid
         : stiff > kCompliant ? Spring::compliant
                              : Spring::explicit_;
}

/// Returns the row's value at `at`, its rate at the start of the step of h, and its inverse mass.
constraint::RowMotion Velocity::motion(const model::KinematicsCache& at, std::size_t i,
                                       double h) const {
  constraint::RowMotion m;
  m.g = at.g[i];
  m.rate = now_.rate[i];
  m.h = h;
  m.inverse_mass = inverse_mass_[i];
  return m;
}

void Velocity::take(std::size_t i, const constraint::RowProblem& row) {
  problem_.active[i] = row.active;
  problem_.lo[i] = row.lo;
  problem_.hi[i] = row.hi;
  problem_.target[i] = row.rate;
}

void Velocity::assign_roles(const model::State& state, double h) {
  springs_.dampers = false;
  table_.for_others([&](std::size_t i) { hold_[i] = hold_of(state, i); });
  find_row_masses();
  if (!springs_.rows.empty())
    table_.for_others([&](std::size_t i) { springs_.kind[i] = spring_of(i, h); });
  unilateral_ = std::any_of(table_.others.begin(), table_.others.end(), [&](int row) {
    return hold_[static_cast<std::size_t>(row)] == Hold::unilateral;
  });
}

/// Computes into inverse_mass_ the inverse masses S_ii of the rows that do not just hold a
/// position, at the start of the step: of the row alone; with light bodies, with all position rows
/// held.
void Velocity::find_row_masses() {
  if (light_) return find_row_masses_held();
  for (std::size_t k = 0; k < table_.others.size(); ++k) {
    const int row = table_.others[k];
    const auto i = static_cast<std::size_t>(row);
    const bool holds = hold_[i] == Hold::nothing || hold_[i] == Hold::position;
    inverse_mass_[i] = holds && !now_.specs[i].bounded()
                           ? 0
                           : solve::inverse_mass_of_row(kin_->graph(), table_.others_group[k], row,
                                                        now_.at.J.data(), now_.at.inv_mass.data());
  }
}

}  // namespace trammel::form
