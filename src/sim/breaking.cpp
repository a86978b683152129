// Joints that carry more than their strength.
#include <cmath>
#include <vector>

#include "constraint/strength.h"
#include "sim/peaks.h"
#include "sim/simulation.h"

namespace trammel::sim {

namespace {
/// True where joints are springs, which swing about what they carry.
bool joints_swing(const form::Settings& s) {
  return s.formulation == form::Settings::Formulation::energy && std::isfinite(s.joint_stiffness);
}
}  // namespace

/// Breaks all joints whose reaction over the last step of the grid exceeds what they carry: each
/// has carried it in this very step.
void Simulation::break_overloaded() {
  if (report_.struck) return;  // an impact has no greatest force
  std::vector<constraint::CarriedLoad> broken;
  constraint::for_each_carried_load(
      form_.kinematics(), state_.on, form_.row_forces(),
      [this](std::size_t joint) { return form_.reaction(joint); },
      [&](const constraint::CarriedLoad& b) {
        if (!(b.value > b.strength)) return;
        if (broken.empty() || broken.back().joint != b.joint) broken.push_back(b);
      });
  if (!broken.empty() && joints_swing(settings_.form) && watch_.seen.soft_break.subject < 0) {
    const constraint::CarriedLoad& b = broken.front();
    watch_.seen.soft_break = {b.value, state_.t, state_.t, b.joint};
    watch_.seen.soft_strength = b.strength;
  }
  if (!broken.empty()) watch_.peaks->see(false);  // what they carried at last
  for (const constraint::CarriedLoad& b : broken)
    release(b.joint, form::EventKind::breaking, why_broken(b), b.value, b.unit);
}

}  // namespace trammel::sim
