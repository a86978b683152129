// Rows that hold within bounds: servos (motors, friction) that slip and hold again, stops that
// close by a blow and open again. Moments are found on the dense output; what holds from then on is
// a complementarity problem of the accelerations.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "constraint/account.h"
#include "form/acceleration.h"
#include "form/acceleration_works.h"
#include "math/root.h"
#include "solve/product.h"

namespace trammel::form {

namespace {
using law::kInf;
using law::Level;
constexpr double kAlarm =
    1e-9;  // beyond: of a force, relative; a rate [m/s, rad/s]; a gap [m, rad]
constexpr double kAtTarget = 1e-8;     // a servo may hold below this [m/s, rad/s]
constexpr double kNearTarget = 1e-6;   // and one that has just come there
constexpr double kAtBound = 1e-8;      // a force that has reached its bound, of the largest one,
constexpr double kMostAtBound = 0.01;  // but at most so much of the bound
constexpr double kRests = 1e-6;        // what leaves a stop slower than this stays [m/s, rad/s]
constexpr double kMoment = 1e-10;      // of an event [s]
constexpr int kLooks = 8;              // for a stop that is passed within a step
}  // namespace

/// Of a stop: it is touched, as closely as a moment is found.
bool Acceleration::touches(std::size_t i) const {
  return law::to_stop(demands_[i], now_.g[i]).gap <=
         model::kPenetrated + 4 * kMoment * std::abs(rate_now_[i]);
}

/// Holds a rate: that of its law, or the one that leads it back.
bool Acceleration::is_servo(std::size_t i) const {
  return demands_[i].level == Level::velocity || slip_[i];
}

/// Bounds while it holds: those of static friction, or push only.
law::Demand Acceleration::bounds(std::size_t i) const {
  law::Demand d = demands_[i];
  if (d.stops()) {
    d.lo = side_[i] > 0 ? 0 : -kInf;
    d.hi = side_[i] > 0 ? kInf : 0;
  } else {
    d.lo = std::min(d.lo, -d.breakaway);
    d.hi = std::max(d.hi, d.breakaway);
  }
  return d;
}

/// Modes of a loaded state: a servo that is not at its target is at the bound that leads there.
void Acceleration::take_sides(const model::State& state) {
  for (const int row : event_rows_) {
    const auto i = static_cast<std::size_t>(row);
    if (mode_[i] == Mode::off) continue;
    const law::Demand& d = demands_[i];
    if (d.stops()) {
      const law::ToStop stop = law::to_stop(d, now_.g[i]);
      side_[i] = static_cast<signed char>(stop.side);
      const bool leaves = stop.side * rate_now_[i] > kRests || state.set[i] != 0;
      if (stop.gap > model::kPenetrated || leaves) mode_[i] = Mode::open;
      continue;
    }
    if (gives_way(i)) {
      take_slip(state, i);
      continue;
    }
    const double w = rate_now_[i] - d.target.v;
    side_[i] = std::abs(w) <= kAtTarget ? state.set[i] : static_cast<signed char>(w > 0 ? -1 : 1);
    const double bound = side_[i] < 0 ? d.lo : d.hi;
    if (side_[i] != 0 && std::isfinite(bound)) mode_[i] = Mode::given;
  }
}

/// Above zero: the row can no longer be what it is.
double Acceleration::alarm(std::size_t i, double g, double rate, double force) const {
  switch (mode_[i]) {
    case Mode::held: {
      const law::Demand d = bounds(i);
      if (d.lo == -kInf && d.hi == kInf) return -kInf;
      const double beyond = std::max(d.lo - force, force - d.hi);
      const double bound = force < d.lo ? d.lo : d.hi;
      const double force_alarm = beyond / std::max(1.0, std::isfinite(bound) ? std::abs(bound) : 1);
      if (!slip_[i]) return force_alarm;
      // it has come to its place, and would be led away again
      return std::max(force_alarm, (brake_[i] > 0 ? 1 : -1) * (rate - d.target.v));
    }
    case Mode::given:
      return side_[i] * (rate - target_rate(i, g));
    case Mode::open:
      return -law::to_stop(demands_[i], g).gap;
    default:
      return -kInf;
  }
}

/// Whether an open stop is passed between both ends of a step of h, by the cubic through them.
bool Acceleration::dips(std::size_t i, double h) const {
  if (mode_[i] != Mode::open) return false;
  const double a = now_.g[i], b = next_.g[i], da = h * rate_now_[i], db = h * rate_[i];
  for (int k = 1; k < kLooks; ++k) {
    const double x = static_cast<double>(k) / kLooks, y = 1 - x;
    const double g = y * y * (a * (1 + 2 * x) + da * x) + x * x * (b * (1 + 2 * y) - db * y);
    if (-law::to_stop(demands_[i], g).gap > kAlarm) return true;
  }
  return false;
}

/// Those that the step just attempted has alarmed, into alarms_.
bool Acceleration::find_alarms(double h) {
  alarms_.clear();
  for (const int row : event_rows_) {
    const auto i = static_cast<std::size_t>(row);
    if (alarm(i, next_.g[i], rate_[i], force_next_[i]) > kAlarm || dips(i, h))
      alarms_.push_back(row);
  }
  overloaded_ = overload(next_, force_next_) > kAlarm;
  return overloaded_ || !alarms_.empty();
}

bool Acceleration::alarmed_now() const {
  for (const int row : event_rows_) {
    const auto i = static_cast<std::size_t>(row);
    if (mode_[i] == Mode::off) continue;
    const double w = rate_now_[i] - demands_[i].target.v;  // not yet where it holds
    if (mode_[i] == Mode::held && !slip_[i] && std::abs(w) > kAtTarget) return true;
    if (alarm(i, now_.g[i], rate_now_[i], force_[i]) > kAlarm) return true;
  }
  return overload(now_, force_) > kAlarm;
}

/// Part of the step just attempted after which the first of alarms_ goes off.
double Acceleration::first_alarm(double h) {
  if (!rk_.prepare_dense(*this)) return 0;
  std::vector<double> y(static_cast<std::size_t>(model_->n_q + model_->n_u) +
                        static_cast<std::size_t>(Works(*model_).size()));
  std::vector<double> dy(y.size());
  const auto worst = [&](double part) {
    rk_.interpolate(part, y.data());
    if (!slope(rk_.t() + part * h, y.data(), dy.data())) return 1.0;
    double most = -kInf;
    for (const int row : alarms_) {
      const auto i = static_cast<std::size_t>(row);
      most = std::max(most, alarm(i, trial_.g[i], rate_[i], force_next_[i]));
    }
    if (overloaded_) most = std::max(most, overload(trial_, force_next_));
    return std::isfinite(most) ? most : std::copysign(1.0, most);
  };
  double before = worst(0);
  if (before > kAlarm) return 0;
  before = std::min(before, -1e-30);  // what has just left its stop is on the right side of it
  for (int k = 1; k <= kLooks; ++k) {
    const double from = (k - 1.0) / kLooks, to = static_cast<double>(k) / kLooks, end = worst(to);
    if (end > 0) return find_root(worst, from, to, before, end, kMoment / h);
    before = end;
  }
  return 1;
}

/// From the step just attempted, of h, to the first alarm in it; what holds from there on.
bool Acceleration::attempt_to_event(double h, StepReport& report) {
  const double to = first_alarm(h) * h;
  if (to > kMoment / 10) {
    if (!rk_.attempt(*this, to, rk_.t() + to).ok) return false;
    take(report);
  }
  return resolve(report);
}

/// Blows, then which rows hold; leaves y on them, with its slope. Does nothing where all is well.
bool Acceleration::resolve(StepReport& report) {
  demands_.at(now_.t);
  if (alarms_.empty() && !overloaded_ && !alarmed_now()) return true;
  mode_before_ = mode_;
  slip_before_ = slip_;
  if (!break_joints(report)) return false;
  for (const int row : alarms_) {  // who has come to its target may hold there
    const auto i = static_cast<std::size_t>(row);
    if (slip_[i])
      arrive(i);
    else if (mode_[i] == Mode::given && std::abs(rate_now_[i] - demands_[i].target.v) < kNearTarget)
      mode_[i] = Mode::held;
  }
  solver_->invalidate();
  if (!blow(report)) return false;
  hold_candidates();
  solver_->invalidate();
  if (!accelerate(now_, rk_.y(), rk_.dy())) return false;
  for (const int row : event_rows_) {
    const auto i = static_cast<std::size_t>(row);
    if (mode_[i] == Mode::held && set_[i] != 0) {
      mode_[i] = demands_[i].stops() ? Mode::open : Mode::given;
      if (!demands_[i].stops()) side_[i] = set_[i];
      // led back, it was to brake harder than its bound can: more gently, that is earlier
      const bool harder =
          slip_[i] && mode_before_[i] == Mode::given && brakes(i) && set_[i] * brake_[i] > 0;
      brake_[i] = harder ? brake_[i] / 2 : 0;
      slip_[i] = gives_way(i);
    }
    set_[i] = 0;
    lo_[i] = -kInf;
    hi_[i] = kInf;
  }
  trial_.arc = now_.arc;
  solver_->invalidate();
  if (!settle(rk_.t(), rk_.y(), rk_.dy())) return false;
  std::swap(now_, next_);
  std::swap(P_, P_next_);
  std::swap(force_, force_next_);
  std::swap(rate_now_, rate_);
  say_changes(mode_before_, report);
  return true;
}

/// Rows that may hold from now on, with their bounds.
void Acceleration::hold_candidates() {
  for (const int row : event_rows_) {
    const auto i = static_cast<std::size_t>(row);
    if (mode_[i] == Mode::off) continue;
    const law::Demand& d = demands_[i];
    if (d.stops()) {
      const law::ToStop stop = law::to_stop(d, now_.g[i]);
      side_[i] = static_cast<signed char>(stop.side);
      const bool rests = stop.gap <= model::kPenetrated && std::abs(rate_now_[i]) <= kRests;
      mode_[i] = rests ? Mode::held : Mode::open;
    } else {
      const double w = rate_now_[i] - target_rate(i, now_.g[i]);
      const signed char side = w > 0 ? -1 : 1;
      // a blow of others may have thrown off what was held
      const bool at_target = std::abs(w) <= (mode_[i] == Mode::held ? kNearTarget : kAtTarget);
      if (at_target && (d.lo < d.hi || d.breakaway > 0)) {
        mode_[i] = Mode::held;
        if (slip_[i] && brake_[i] == 0) comes_back(i);
      } else {
        mode_[i] = Mode::given;
        side_[i] = side;
        slip_[i] = gives_way(i);
        if (mode_before_[i] != Mode::given || !brakes(i)) brake_[i] = 0;
      }
    }
    if (mode_[i] != Mode::held) continue;
    const law::Demand bound = bounds(i);
    lo_[i] = bound.lo;
    hi_[i] = bound.hi;
  }
  double largest = 1;  // forces of this size are what a bound's moment is found within
  for (const double f : force_) largest = std::max(largest, std::abs(f));
  for (const int row : alarms_) {  // who has come to a bound leaves it: found to rounding only
    const auto i = static_cast<std::size_t>(row);
    if (mode_[i] != Mode::held || mode_before_[i] != Mode::held) continue;
    const auto in = [&](double bound) {
      const double most = bound != 0 ? kMostAtBound * std::abs(bound) : kInf;
      return std::min(kAtBound * std::max(largest, std::abs(bound)), most);
    };
    if (lo_[i] > -kInf) lo_[i] += in(lo_[i]);
    if (hi_[i] < kInf) hi_[i] -= in(hi_[i]);
  }
  alarms_.clear();
}

/// The blow of stops that have closed while moving into them, with their restitution; other rows
/// hold, bounded servos are too weak to take part.
bool Acceleration::blow(StepReport& report) {
  const solve::Graph& graph = kin_->graph();
  const Works works(*model_);
  double* u = velocities_of(rk_.y());
  double* work = works_of(rk_.y());
  bool any = false;
  std::fill(lambda_.begin(), lambda_.end(), 0.0);
  std::vector<double> target(mode_.size(), 0.0), before = rate_now_;
  for (std::size_t i = 0; i < mode_.size(); ++i) {
    const law::Demand& d = demands_[i];
    active_[i] = mode_[i] == Mode::held;
    target[i] = d.target.v;
    if (mode_[i] == Mode::held && !d.stops() && d.bounded()) {  // what has no bound makes blows
      if (slip_[i]) target[i] = rate_now_[i];
      lo_[i] = std::isfinite(d.lo) ? 0 : -kInf;
      hi_[i] = std::isfinite(d.hi) ? 0 : kInf;
      active_[i] = lo_[i] < hi_[i];
      any |= active_[i] && std::abs(rate_now_[i] - target[i]) > kAtTarget;
    }
    if (!d.stops() || mode_[i] == Mode::off) continue;
    const int side = law::to_stop(d, now_.g[i]).side;
    const bool lands = touches(i) && side * rate_now_[i] < -kRests;
    active_[i] = touches(i);
    lo_[i] = side > 0 ? 0 : -kInf;
    hi_[i] = side > 0 ? kInf : 0;
    target[i] = lands ? -d.restitution * rate_now_[i] : 0;
    any |= lands;
  }
  if (!any) {
    std::fill(lo_.begin(), lo_.end(), -kInf);
    std::fill(hi_.begin(), hi_.end(), kInf);
    return true;
  }
  const auto kinetic = [&] { return kin_->kinetic_energy(rk_.y(), P_.data(), u); };
  double level = kinetic();
  bool ok = true;
  for (int k = 0; ok && k < 3; ++k) {
    for (std::size_t i = 0; i < mode_.size(); ++i)
      r_[i] = active_[i] ? rate_now_[i] - target[i] : 0;
    ok = solver_->correct(now_, rows(), r_, lambda_, set_, x_, scratch_);
    if (!ok) break;
    for (std::size_t i = 0; i < mode_.size(); ++i) lambda_[i] += x_[i];
    std::fill(f_.begin(), f_.end(), 0.0);
    solve::add_transpose(graph, now_.J.data(), x_.data(), f_.data());
    for (std::size_t i = 0; i < f_.size(); ++i) P_[i] += f_[i];
    kin_->velocities(now_, P_.data(), u);
    solve::multiply(graph, now_.J.data(), u, rate_now_.data());
    for (std::size_t i = 0; i < mode_.size(); ++i) rate_now_[i] += now_.g_t[i];
  }
  std::vector<double> ledger(static_cast<std::size_t>(model_->n_ledger), 0.0);
  level += constraint::add_impact_work(*kin_, demands_, now_, lambda_, ledger);
  for (int k = 0; k < works.ledger; ++k)
    work[k] += ledger[static_cast<std::size_t>(model::kFirstLaw + k)];
  work[works.locks()] += ledger[model::kLocks];
  for (std::size_t i = 0; i < mode_.size(); ++i)
    if (demands_[i].stops() && lambda_[i] != 0 && before[i] != 0)
      report.events.push_back({rk_.t(), "impact",
                               model_->joints[static_cast<std::size_t>(model_->rows[i].joint)].name,
                               "row " + model_->rows[i].name + " has closed", std::abs(before[i]),
                               is_angle_[i] ? "rad/s" : "m/s"});
  const auto outside = constraint::anchored_wrench(*kin_, now_, lambda_);
  vec3(work + works.impulse()) += outside.force;
  vec3(work + works.moment()) += outside.moment;
  if (settings_.impulses) model::add_pushes(*kin_, now_, lambda_, {}, 0, work + works.pushes());
  work[works.impacts()] += kinetic() - level;
  std::fill(lo_.begin(), lo_.end(), -kInf);
  std::fill(hi_.begin(), hi_.end(), kInf);
  std::fill(set_.begin(), set_.end(), static_cast<signed char>(0));
  return ok;
}

void Acceleration::say_changes(const std::vector<Mode>& before, StepReport& report) const {
  for (const int row : event_rows_) {
    const auto i = static_cast<std::size_t>(row);
    if (mode_[i] == Mode::off || demands_[i].stops()) continue;
    const bool slips = gives_way(i) ? slip_[i] != 0 : mode_[i] == Mode::given;
    if (gives_way(i) ? slip_[i] == slip_before_[i] : before[i] == mode_[i]) continue;
    const model::RowInfo& info = model_->rows[i];
    report.events.push_back(
        {rk_.t(), slips ? "slip" : "hold",
         model_->joints[static_cast<std::size_t>(info.joint)].name,
         fmt::format("row {} {}", info.name, slips ? "is at its greatest force" : "holds"),
         force_[i], info.row.unit() == joint::Unit::metre ? "N" : "N m"});
  }
}

}  // namespace trammel::form
