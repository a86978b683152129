// Stops in the energy formulation: rows that push only, and what they take of a blow.
//
// The minimum of a step within from <= g <= to has forces lambda >= 0 where a row is at a stop. A
// step in which a row closes ends at the stop with the speed of the way that was left, the next one
// at rest against it: both are steps of bdf1, and so is the one after them, as bdf2 would read a
// rebound out of the places before the blow.
#include <algorithm>
#include <cmath>

#include "constraint/rows.h"
#include "form/energy.h"
#include "math/index.h"
#include "model/ledger.h"
#include "model/project.h"

namespace trammel::form {

namespace {}  // namespace

/// Where rows may go in this step: what begins beyond its stop is not thrown out, it keeps its
/// depth.
void Energy::limit_rows(const model::State& state) {
  const auto kept = [](double gap) { return gap < -model::kClosed ? gap : 0; };
  for (const int row : stops_) {
    const auto i = at(row);
    const law::Demand& d = demands_[i];
    from_row_[i] = d.from + kept(g_n_[i] - d.from);
    to_row_[i] = d.to - kept(d.to - g_n_[i]);
    if (in_system_[i] >= 0) set_[at(in_system_[i])] = state.rows.bound[i];
  }
}

/// The nearer stop of the row, and which way it pushes.
void Energy::take_stop(std::size_t i) {
  const double x = value_of(i);
  const bool lower = x - from_row_[i] <= to_row_[i] - x;
  const auto k = at(in_system_[i]);
  r_[k] = x - (lower ? from_row_[i] : to_row_[i]);
  lo_[k] = lower ? 0 : -law::kInf;
  hi_[k] = lower ? law::kInf : 0;
}

/// How far the row is beyond its stops [m, rad].
double Energy::beyond(std::size_t i) const {
  const double x = value_of(i);
  return std::max({0., from_row_[i] - x, x - to_row_[i]});
}

/// (J J^T + 1/k) lambda = rhs where rows touch; forces of stops push only.
bool Energy::solve_within_stops(StepReport& report) {
  for (double& x : rhs_) x = -x;
  const solve::BoxReport done = box_->solve(
      {J_.data(), nullptr, compliance_.data(), active_.data()}, {rhs_, lo_, hi_}, lambda_, set_);
  report.factorisations += done.factorisations;
  if (std::isfinite(done.merit)) return true;
  report.reason = "the joints' system cannot be solved within its stops";
  return false;
}

bool Energy::presses(std::size_t i) const {
  return role_[i] == Role::stop && lambda_[at(in_system_[i])] != 0;
}

/// Whether a row that was open is at a stop where the minimum is.
bool Energy::closes() const {
  return std::any_of(stops_.begin(), stops_.end(), [&](int row) {
    const auto i = at(row);
    if (!presses(i)) return false;
    const bool lower = lambda_[at(in_system_[i])] > 0;
    return (lower ? g_n_[i] - from_row_[i] : to_row_[i] - g_n_[i]) > model::kClosed;
  });
}

/// Before the state goes on: rate_n_ and now_ are of the step's beginning.
double Energy::speed_into(std::size_t i) const {
  return (rate_n_[i] + now_.g_t[i]) * (lambda_[at(in_system_[i])] > 0 ? -1 : 1);
}

/// Whether a row has come to its stop at the end of the step before, and runs into it in this one.
bool Energy::runs_in() const {
  return std::any_of(stops_.begin(), stops_.end(), [&](int row) {
    return presses(at(row)) && speed_into(at(row)) > constraint::kImpactSpeed;
  });
}

void Energy::say_blows(double t, StepReport& report) const {
  report.bounds |= blow_;
  report.struck |= blow_;
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

/// What the scheme takes while a stop closes, or after a rate that is given has jumped, is the
/// blow's loss.
std::size_t Energy::loss_slot() const {
  const bool blow =
      blow_ && std::any_of(stops_.begin(), stops_.end(), [&](int row) { return presses(at(row)); });
  return static_cast<std::size_t>(blow || kinked_ ? model::kImpacts : model::kIntegrator);
}

}  // namespace trammel::form
