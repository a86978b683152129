// Stops in the energy formulation: rows that push only, and the energy that their impacts take. The
// minimum of a step within from <= g <= to has forces lambda >= 0 where a row is at a stop. A step
// in which a row closes ends at the stop with the speed of the distance that was left, the next one
// at rest against it. Both are steps of bdf1, and so is the one after them, as bdf2 would read a
// rebound out of the states before the impact.
#include <algorithm>
#include <cmath>

#include "constraint/rows.h"
#include "form/energy.h"
#include "math/index.h"
#include "model/ledger.h"
#include "model/project.h"

namespace trammel::form {

/// Sets the stops of the rows in this step: a row that begins beyond its stop is not thrown out, it
/// keeps its depth.
void Energy::limit_rows(const model::State& state) {
  const auto kept = [](double gap) { return gap < -model::kClosed ? gap : 0; };
  for (const int row : stops_) {
    const auto i = at(row);
    const law::ConstraintSpec& d = specs_[i];
    from_row_[i] = d.from + kept(g_n_[i] - d.from);
    to_row_[i] = d.to - kept(d.to - g_n_[i]);
    if (in_system_[i] >= 0) set_[at(in_system_[i])] = state.rows.bound[i];
  }
  for (const solve::Cone& c : cones_)
    for (int k = 0; k < c.n; ++k) {
      const int row = c.tangent[at(k)];
      set_[at(in_system_[at(row)])] = state.rows.bound[at(row)];
    }
}

/// Takes the nearer stop of the row, and the sign of its force.
void Energy::take_stop(std::size_t i) {
  const double x = value_of(i);
  const bool lower = x - from_row_[i] <= to_row_[i] - x;
  const auto k = at(in_system_[i]);
  r_[k] = x - (lower ? from_row_[i] : to_row_[i]);
  lo_[k] = lower ? 0 : -law::kInf;
  hi_[k] = lower ? law::kInf : 0;
}

/// Returns how far the row is beyond its stops [m, rad].
double Energy::beyond(std::size_t i) const {
  const double x = value_of(i);
  return std::max({0., from_row_[i] - x, x - to_row_[i]});
}

/// Solves (J J^T + 1/k) lambda = rhs where rows touch; forces of stops only push.
bool Energy::solve_within_stops(StepReport& report) {
  for (double& x : rhs_) x = -x;
  const solve::BoxReport done =
      box_->solve({J_.data(), nullptr, compliance_.data(), active_.data()},
                  {rhs_, lo_, hi_, in_box_}, lambda_, set_);
  report.factorisations += done.factorisations;
  if (std::isfinite(done.merit)) return true;
  report.reason = "the joints' system cannot be solved within its stops";
  return false;
}

bool Energy::presses(std::size_t i) const {
  return role_[i] == Role::unilateral && lambda_[at(in_system_[i])] != 0;
}

/// True where a row that was open presses on a stop at the minimum.
bool Energy::closes() const {
  return std::any_of(stops_.begin(), stops_.end(), [&](int row) {
    const auto i = at(row);
    if (!presses(i)) return false;
    const bool lower = lambda_[at(in_system_[i])] > 0;
    return (lower ? g_n_[i] - from_row_[i] : to_row_[i] - g_n_[i]) > model::kClosed;
  });
}

/// Returns the speed into its stop of a row that presses, at the start of the step. Needs rate_n_
/// and now_ of that time, so must come before finish().
double Energy::speed_into(std::size_t i) const {
  return (rate_n_[i] + now_.g_t[i]) * (lambda_[at(in_system_[i])] > 0 ? -1 : 1);
}

/// True where a row that presses was moving into its stop when the step began.
bool Energy::runs_in() const {
  return std::any_of(stops_.begin(), stops_.end(), [&](int row) {
    return presses(at(row)) && speed_into(at(row)) > constraint::kImpactSpeed;
  });
}

void Energy::report_impacts(double t, StepReport& report) const {
  report.bounds |= impact_;
  report.struck |= impact_;
  for (const int row : stops_) {
    const auto i = at(row);
    if (!presses(i)) continue;
    const bool lower = lambda_[at(in_system_[i])] > 0;
    const double gap = lower ? g_n_[i] - from_row_[i] : to_row_[i] - g_n_[i];
    const double speed = speed_into(i);
    if ((met_ || gap > model::kClosed) && speed > constraint::kImpactSpeed)
      report.events.push_back({t, EventKind::impact, model_->joints[at(model_->rows[i].joint)].name,
                               "row " + model_->rows[i].name + " has closed", speed,
                               is_length_[i] ? "m/s" : "rad/s"});
  }
}

/// Returns the slot of the ledger that the scheme's energy error goes to: while a stop closes, or
/// after a given rate has jumped, it is the loss of the impact.
std::size_t Energy::loss_slot() const {
  const bool impact = impact_ && std::any_of(stops_.begin(), stops_.end(),
                                             [&](int row) { return presses(at(row)); });
  return static_cast<std::size_t>(impact || kinked_ ? model::kImpacts : model::kIntegrator);
}

}  // namespace trammel::form
