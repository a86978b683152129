// Joints that carry more than their strength and break.
#include <algorithm>
#include <cmath>

#include "constraint/strength.h"
#include "form/acceleration.h"
#include "form/acceleration_works.h"

namespace trammel::form {

namespace {
using law::kInf;
constexpr double kOverload = 1e-9, kNearOverload = 1e-6, kTogether = 1e-9;  // shares of a strength
}  // namespace

/// Returns the greatest excess of a joint's load over its strength, as a share of the strength.
double Acceleration::overload(const model::KinematicsCache& at,
                              const std::vector<double>& force) const {
  double worst = -kInf;
  if (model_->strengths.empty()) return worst;
  constraint::for_each_carried_load(
      *kin_, at, flags_.on, force,
      [&](const constraint::CarriedLoad& b) { worst = std::max(worst, b.share() - 1); });
  return worst;
}

/// Breaks the joints that carry more than their strength, the worst first; then others may carry
/// more than their strength.
bool Acceleration::break_joints(StepReport& report) {
  for (;;) {
    const double worst = overload(now_, force_);
    const bool found =
        // the time of the overload is known to rounding only
        overloaded_ && worst > -kNearOverload;
    overloaded_ = false;
    if (!found && !(worst > kOverload)) return true;
    std::vector<constraint::CarriedLoad> broken;
    constraint::for_each_carried_load(
        *kin_, now_, flags_.on, force_, [&](const constraint::CarriedLoad& b) {
          const bool again = !broken.empty() && broken.back().joint == b.joint;
          if (!again && b.share() - 1 >= worst - kTogether) broken.push_back(b);
        });
    const double stored = stored_energy(*model_, *params_, flags_, now_.g);
    for (const constraint::CarriedLoad& b : broken) {
      constraint::release(*model_, b.joint, flags_.on);
      const auto joint = static_cast<std::size_t>(b.joint);
      report.events.push_back({rk_.t(), EventKind::breaking, model_->joints[joint].name,
                               why_broken(b), b.value, b.unit});
    }
    for (std::size_t i = 0; i < status_.size(); ++i) {
      if (flags_.on[static_cast<std::size_t>(model_->rows[i].joint)]) continue;
      status_[i] = {};
    }
    // energy stored in a spring is lost with its joint
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
