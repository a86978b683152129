// Rows that hold within bounds: bounded velocity constraints (motors, friction) that slide and hold
// again, stops that close with an impact and open again. The times of events are found on the dense
// output; which rows hold from then on is a complementarity problem of the accelerations.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "constraint/account.h"
#include "form/acceleration.h"
#include "form/acceleration_works.h"
#include "form/solving.h"
#include "math/root.h"
#include "solve/product.h"

namespace trammel::form {

namespace {
using constraint::kAlarm;
using law::kInf;
// a force this near to its bound has reached it, relative to the largest force,
constexpr double kAtBound = 1e-8;
constexpr double kMostAtBound = 0.01;  // but at most so much of the bound
constexpr int kLooks = 8;              // points of a step at which a stop may be found passed

/// Returns a root of f, below zero just after `from` and `end` > 0 at `to`. At `from` itself f is
/// zero to rounding: a row has just left its stop there, and may come back to it very soon, so that
/// a bracket is looked for from `to` down.
template <class F>
double first_root(const F& f, double from, double to, double end, double least) {
  for (double way = (to - from) / 2; way > least / 10; way /= 2) {
    const double value = f(from + way);
    if (value < 0) return find_root(f, from + way, to, value, end, least);
    to = from + way;
    end = value;
  }
  return from;
}
}  // namespace

/// True where an open stop is passed between the ends of a step of h, by the cubic through both.
bool Acceleration::dips(std::size_t i, double h) const {
  const double a = now_.g[i], b = next_.g[i], da = h * rate_now_[i], db = h * rate_[i];
  for (int k = 1; k < kLooks; ++k) {
    const double x = static_cast<double>(k) / kLooks, y = 1 - x;
    const double g = y * y * (a * (1 + 2 * x) + da * x) + x * x * (b * (1 + 2 * y) - db * y);
    if (constraint::clearance(specs_[i], status_[i], g) < -kAlarm) return true;
  }
  return false;
}

/// Finds the rows that the step just attempted has alarmed, into alarms_, and whether a joint is
/// overloaded (overloaded_). Returns true where there are any.
bool Acceleration::find_alarms(double h) {
  alarms_.clear();
  for (const int row : event_rows_) {
    const auto i = static_cast<std::size_t>(row);
    if (alarm(i, next(i)) > kAlarm || dips(i, h)) alarms_.push_back(row);
  }
  overloaded_ = overload(next_, force_next_) > kAlarm;
  return overloaded_ || !alarms_.empty();
}

bool Acceleration::alarmed_now() const {
  for (const int row : event_rows_) {
    const auto i = static_cast<std::size_t>(row);
    if (constraint::is_alarmed(specs_[i], status_[i], here(i))) return true;
  }
  return overload(now_, force_) > kAlarm;
}

/// Returns the part of the step just attempted after which the first of alarms_ goes off.
double Acceleration::first_alarm(double h) {
  if (!rk_.prepare_dense(*this)) return 0;
  std::vector<double> y(rk_.size()), dy(y.size());
  const auto worst = [&](double part) {
    rk_.interpolate(part, y.data());
    if (!slope(rk_.t() + part * h, y.data(), dy.data())) return 1.0;
    double most = -kInf;
    for (const int row : alarms_) {
      const auto i = static_cast<std::size_t>(row);
      constraint::RowState at = next(i);
      at.g = trial_.g[i];
      most = std::max(most, alarm(i, at));
    }
    if (overloaded_) most = std::max(most, overload(trial_, force_next_));
    return std::isfinite(most) ? most : std::copysign(1.0, most);
  };
  double before = worst(0);
  if (before > kAlarm) return 0;
  const double least = near_length_.moment / h;
  for (int k = 1; k <= kLooks; ++k) {
    const double from = (k - 1.0) / kLooks, to = static_cast<double>(k) / kLooks, end = worst(to);
    if (end > 0)
      return before < -kAlarm ? find_root(worst, from, to, before, end, least)
                              : first_root(worst, from, to, end, least);
    before = end;
  }
  return 1;
}

/// Repeats the step just attempted, of h, up to the first alarm in it, and resolves which rows hold
/// from there on.
bool Acceleration::attempt_to_event(double h, StepReport& report) {
  const double to = first_alarm(h) * h;
  if (to > near_length_.moment / 10) {
    if (!rk_.attempt(*this, to, rk_.t() + to).ok) return false;
    take(report);
  }
  return resolve(report);
}

/// Resolves impacts, then which rows hold; leaves y on them, with its slope. Does nothing where no
/// alarm is on.
bool Acceleration::resolve(StepReport& report) {
  specs_.at(now_.t);
  if (alarms_.empty() && !overloaded_ && !alarmed_now()) return true;
  status_before_ = status_;
  if (!break_joints(report)) return false;
  for (const int row : alarms_) {  // a row that has come to its target may hold there
    const auto i = static_cast<std::size_t>(row);
    status_[i] = constraint::arrived(specs_[i], status_[i], here(i));
  }
  solver_->invalidate();
  if (!impact(report)) return false;
  hold_candidates();
  solver_->invalidate();
  if (!accelerate(now_, rk_.y(), rk_.dy())) return false;
  for (const int row : event_rows_) {
    const auto i = static_cast<std::size_t>(row);
    if (status_[i].holds() && set_[i] != 0)
      status_[i] = constraint::released(specs_[i], status_[i], status_before_[i], set_[i], here(i));
  }
  release_bounds();
  trial_.arc = now_.arc;
  solver_->invalidate();
  if (!settle(rk_.t(), rk_.y(), rk_.dy())) return false;
  std::swap(now_, next_);
  std::swap(P_, P_next_);
  std::swap(force_, force_next_);
  std::swap(rate_now_, rate_);
  say_changes(report);
  return true;
}

/// Frees all rows of their bounds.
void Acceleration::release_bounds() {
  std::fill(set_.begin(), set_.end(), static_cast<signed char>(0));
  std::fill(lo_.begin(), lo_.end(), -kInf);
  std::fill(hi_.begin(), hi_.end(), kInf);
}

/// Sets the rows that may hold from now on, with their bounds.
void Acceleration::hold_candidates() {
  for (const int row : event_rows_) {
    const auto i = static_cast<std::size_t>(row);
    status_[i] = constraint::candidate(specs_[i], status_[i], status_before_[i], here(i));
    if (!status_[i].holds()) continue;
    const constraint::Range range = constraint::holding_range(specs_[i], status_[i]);
    lo_[i] = range.lo;
    hi_[i] = range.hi;
  }
  double largest = 1;  // the time of a bound is found to the precision of forces of this size
  for (const double f : force_) largest = std::max(largest, std::abs(f));
  // a row that has come to its bound leaves it, which is known to rounding only
  for (const int row : alarms_) {
    const auto i = static_cast<std::size_t>(row);
    if (!status_[i].holds() || !status_before_[i].holds()) continue;
    const auto in = [&](double bound) {
      const double most = bound != 0 ? kMostAtBound * std::abs(bound) : kInf;
      return std::min(kAtBound * std::max(largest, std::abs(bound)), most);
    };
    if (lo_[i] > -kInf) lo_[i] += in(lo_[i]);
    if (hi_[i] < kInf) hi_[i] -= in(hi_[i]);
  }
  alarms_.clear();
}

/// Resolves the impact of stops that have closed while moving into them, with their restitution;
/// other rows hold, bounded motors are too weak to take part.
bool Acceleration::impact(StepReport& report) {
  const solve::Graph& graph = kin_->graph();
  const Works works(*model_);
  double* u = velocities_of(rk_.y());
  double* work = works_of(rk_.y());
  bool any = false;
  std::fill(lambda_.begin(), lambda_.end(), 0.0);
  std::vector<double> target(status_.size(), 0.0), before = rate_now_;
  for (std::size_t i = 0; i < status_.size(); ++i) {
    const constraint::ImpactRow row = constraint::impact_row(specs_[i], status_[i], here(i));
    active_[i] = row.active;
    lo_[i] = row.lo;
    hi_[i] = row.hi;
    target[i] = row.rate;
    any |= row.strikes;
  }
  if (!any) {
    release_bounds();
    return true;
  }
  const auto kinetic = [&] { return kin_->kinetic_energy(rk_.y(), P_.data(), u); };
  double level = kinetic();
  bool ok = true;
  for (int k = 0; ok && k < 3; ++k) {
    for (std::size_t i = 0; i < status_.size(); ++i)
      r_[i] = active_[i] ? rate_now_[i] - target[i] : 0;
    ok = correct(*solver_, now_, rows(), r_, lambda_, set_, x_, scratch_);
    if (!ok) break;
    for (std::size_t i = 0; i < status_.size(); ++i) lambda_[i] += x_[i];
    std::fill(f_.begin(), f_.end(), 0.0);
    solve::add_transpose(graph, now_.J.data(), x_.data(), f_.data());
    for (std::size_t i = 0; i < f_.size(); ++i) P_[i] += f_[i];
    kin_->velocities(now_, P_.data(), u);
    solve::multiply(graph, now_.J.data(), u, rate_now_.data());
    for (std::size_t i = 0; i < status_.size(); ++i) rate_now_[i] += now_.g_t[i];
  }
  std::vector<double> ledger(static_cast<std::size_t>(model_->n_ledger), 0.0);
  level += constraint::add_impact_work(*kin_, specs_, now_, lambda_, ledger);
  for (int k = 0; k < works.ledger; ++k)
    work[k] += ledger[static_cast<std::size_t>(model::kFirstLaw + k)];
  work[works.locks()] += ledger[model::kLocks];
  for (std::size_t i = 0; i < status_.size(); ++i)
    if (specs_[i].unilateral() && lambda_[i] != 0 && before[i] != 0)
      report.events.push_back({rk_.t(), EventKind::impact,
                               model_->joints[static_cast<std::size_t>(model_->rows[i].joint)].name,
                               "row " + model_->rows[i].name + " has closed", std::abs(before[i]),
                               is_angle_[i] ? "rad/s" : "m/s"});
  const auto outside = constraint::anchored_wrench(*kin_, now_, lambda_);
  vec3(work + works.impulse()) += outside.force;
  vec3(work + works.moment()) += outside.moment;
  if (settings_.impulses)
    model::add_wrench_impulses(*kin_, now_, lambda_, {}, 0, work + works.wrench_impulses());
  work[works.impacts()] += kinetic() - level;
  release_bounds();
  return ok;
}

void Acceleration::say_changes(StepReport& report) const {
  for (const int row : event_rows_) {
    const auto i = static_cast<std::size_t>(row);
    if (status_[i].status == constraint::Status::off) continue;
    const bool off = status_[i].off_target();
    if (off == status_before_[i].off_target()) continue;
    const model::RowInfo& info = model_->rows[i];
    report.events.push_back(
        {rk_.t(),
         !off                                               ? EventKind::hold
         : status_[i].status == constraint::Status::sliding ? EventKind::slide
                                                            : EventKind::yield,
         model_->joints[static_cast<std::size_t>(info.joint)].name,
         fmt::format("row {} {}", info.name, off ? "is at its greatest force" : "holds"), force_[i],
         info.row.unit() == joint::Unit::metre ? "N" : "N m"});
  }
}

}  // namespace trammel::form
