// Rows that give way at their greatest force and are led back, and joints that break.
#include <algorithm>
#include <cmath>

#include "constraint/strength.h"
#include "form/acceleration.h"
#include "form/acceleration_works.h"

namespace trammel::form {

namespace {
using law::kInf;
constexpr double kLanded = 1e-8;  // a row that is led back has come to its place [m, rad]
constexpr double kStopped =
    1e-6;  // of what comes to rest, as in acceleration_events.cpp [m/s, rad/s]
constexpr double kReached = 4e-10;  // two ways of finding a moment [s]
constexpr double kOverload = 1e-9, kNearOverload = 1e-6, kTogether = 1e-9;  // shares of a strength
}  // namespace

bool Acceleration::gives_way(std::size_t i) const {
  return demands_[i].level == law::Level::position && demands_[i].bounded();
}

/// Second rate at which a slipping row, `off` its place, is stopped on its way back: what half of
/// the bound that brakes it does to it alone (beside other rows it has more mass).
double Acceleration::brake(std::size_t i, double off) const {
  if (mode_[i] == Mode::held ? brake_[i] != 0 : brakes(i)) return std::abs(brake_[i]);
  const law::Demand& d = demands_[i];
  return 0.5 * solver_->inverse_mass(i) * (off > 0 ? d.hi : -d.lo);
}

/// Rate that a servo holds: its law's, or, on the way back, one from which it can just be stopped
/// in its place; infinite where it may go as fast as its other bound draws it.
double Acceleration::target_rate(std::size_t i, double g) const {
  const Jet& target = demands_[i].target;
  const double off = slip_[i] ? g - target.x : 0;
  if (off == 0) return target.v;
  const double b = brake(i, off);
  return target.v - std::copysign(b > 0 ? std::sqrt(2 * b * std::abs(off)) : kInf, off);
}

/// On the side of its place that its brake was found for.
bool Acceleration::brakes(std::size_t i) const {
  return brake_[i] * (now_.g[i] - demands_[i].target.x) > 0;
}

/// A row that slips in a loaded state.
void Acceleration::take_slip(const model::State& state, std::size_t i) {
  if (!state.slip[i]) return;
  slip_[i] = 1;
  brake_[i] = state.trend[i];
  if (state.set[i] == 0 && brake_[i] != 0) return;
  const law::Demand& d = demands_[i];
  const signed char down = now_.g[i] > d.target.x ? -1 : 1;
  side_[i] = state.set[i] ? state.set[i] : down;
  if (std::isfinite(side_[i] < 0 ? d.lo : d.hi))
    mode_[i] = Mode::given;
  else
    slip_[i] = 0;
}

/// At its target rate from now on: it is led back by a constant second rate, on a parabola that
/// ends at rest in its place. False: it is there.
bool Acceleration::comes_back(std::size_t i) {
  const Jet& target = demands_[i].target;
  const double off = now_.g[i] - target.x, rate = rate_now_[i] - target.v;
  slip_[i] = std::abs(off) > kLanded;
  brake_[i] = slip_[i] ? rate * rate / (2 * off) : 0;
  return slip_[i] != 0;
}

/// A slipping row's alarm has gone off.
void Acceleration::arrive(std::size_t i) {
  const law::Demand& d = demands_[i];
  const double off = now_.g[i] - d.target.x, rate = rate_now_[i] - d.target.v;
  if (mode_[i] == Mode::held && std::abs(rate) < kStopped) {  // it has stopped
    brake_[i] = 0;
    if (std::abs(off) <= kLanded)
      slip_[i] = 0;
    else
      mode_[i] = Mode::given;
  } else if (mode_[i] == Mode::given) {
    const bool stops_at_once = (rate < 0 ? d.hi : -d.lo) == kInf;
    if (std::abs(rate_now_[i] - target_rate(i, now_.g[i])) < kStopped) {
      mode_[i] = Mode::held;
      comes_back(i);
    } else if (stops_at_once && std::abs(off) <= kLanded + kReached * std::abs(rate)) {
      mode_[i] = Mode::held;
      slip_[i] = 0;
    }
  }
}

/// By how much, as a share, the joint that is worst off bears more than its strength.
double Acceleration::overload(const model::Instant& at, const std::vector<double>& force) const {
  double worst = -kInf;
  if (model_->strengths.empty()) return worst;
  constraint::for_each_bearing(*kin_, at, flags_.on, force, [&](const constraint::Bearing& b) {
    worst = std::max(worst, b.share() - 1);
  });
  return worst;
}

/// Those that bear too much let go, the worst first; what is left then may be too much for others.
bool Acceleration::break_joints(StepReport& report) {
  for (;;) {
    const double worst = overload(now_, force_);
    const bool found =
        overloaded_ && worst > -kNearOverload;  // its moment is known to rounding only
    overloaded_ = false;
    if (!found && !(worst > kOverload)) return true;
    std::vector<constraint::Bearing> broken;
    constraint::for_each_bearing(*kin_, now_, flags_.on, force_, [&](const constraint::Bearing& b) {
      const bool again = !broken.empty() && broken.back().joint == b.joint;
      if (!again && b.share() - 1 >= worst - kTogether) broken.push_back(b);
    });
    const double stored = stored_energy(*model_, *params_, flags_, now_.g);
    for (const constraint::Bearing& b : broken) {
      constraint::let_go(*model_, b.joint, flags_.on);
      const auto joint = static_cast<std::size_t>(b.joint);
      report.events.push_back(
          {rk_.t(), "break", model_->joints[joint].name, why_broken(b), b.value, b.unit});
    }
    for (std::size_t i = 0; i < mode_.size(); ++i) {
      if (flags_.on[static_cast<std::size_t>(model_->rows[i].joint)]) continue;
      mode_[i] = Mode::off;
      slip_[i] = 0;
      brake_[i] = 0;
    }
    // what a spring held goes with its joint
    works_of(rk_.y())[Works(*model_, settings_.impulses).impacts()] +=
        stored_energy(*model_, *params_, flags_, now_.g) - stored;
    kin_->jacobians(flags_, now_);
    solver_->invalidate();
    if (!accelerate(now_, rk_.y(), rk_.dy())) return false;
    force_ = force_next_;
    rate_now_ = rate_;
  }
}

}  // namespace trammel::form
