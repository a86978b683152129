#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "constraint/contact/step.h"
#include "form/report.h"
#include "form/settings.h"
#include "model/kinematics.h"
#include "model/state.h"

namespace trammel::form::test {

/// The points of contact of a formulation, with their forces.
template <class Form>
std::vector<constraint::ContactForce> contact_forces_of(const Form& form) {
  std::vector<constraint::ContactForce> out;
  form.contact_forces(out);
  return out;
}

/// How far momenta may be from what came in within a step, over the greatest momenta so far.
/// Impulses keep both to rounding. By forces the linear one is kept, and the angular one
/// integrated: to ten times the accuracy of the method, to its truncation where nothing controls
/// the steps. By energy Newton leaves some: 1e-12 m of 1e9 N/m; bdf1 and bdf2 keep P at a step's
/// end, which turns about where bodies are then, so that (h w)^2 of the angular one is truncation.
struct MomentumBounds {
  double linear = 1e-12, angular = 1e-12;
};
inline MomentumBounds momentum_bounds(const Settings& s) {
  constexpr double kRounding = 1e-12, kTruncation = 1e-4, kTurned = 0.04;
  // what Newton leaves in each of some hundred steps; springs multiply it
  const double newton = std::isfinite(s.joint_stiffness) ? 1e-6 : 1e-7;
  if (s.formulation == Settings::Formulation::energy)
    return {newton, s.difference == Settings::Difference::midpoint ? newton : kTurned};
  if (s.formulation != Settings::Formulation::acceleration) return {};
  const auto& a = s.accuracy;
  const double worst = std::max({a.angle, a.spin, a.speed, a.relative});
  const bool controlled = s.method != RungeKuttaMethod::rk4 && worst < kTruncation / 10;
  return {kRounding, controlled ? std::max(kRounding, 10 * worst) : kTruncation};
}

/// The momenta of a mechanism that a test steps by hand: what a step changes of them is what its
/// report says came in from outside. Fails the test when it ends, where it was not.
class Balance {
 public:
  template <class Form>
  Balance(const Form& form, const model::State& state, const MomentumBounds& bounds = {})
      : bounds_(bounds), t_(state.t) {
    form.kinematics().momentum(state.q.data(), state.P.data(), linear_, angular_);
  }
  Balance(const Balance&) = delete;
  Balance& operator=(const Balance&) = delete;
  ~Balance() {
    EXPECT_LE(linear_worst_, bounds_.linear) << "linear momentum does not balance";
    EXPECT_LE(angular_worst_, bounds_.angular) << "angular momentum does not balance";
  }

  /// After each step (or projection), with its report.
  template <class Form>
  void see(const Form& form, const model::State& state, const StepReport& report) {
    if (report.status != Status::ok) return;
    const model::Kinematics& kin = form.kinematics();
    const Vec3 p = linear_, l = angular_,
               moment = report.momentum.moment + report.momentum.corrected;
    linear_ = angular_ = Vec3::Zero();
    kin.momentum(state.q.data(), state.P.data(), linear_, angular_);
    const double kinetic = kin.kinetic_energy(state.P.data(), form.velocities().data());
    for (std::size_t i = 0; i < kin.model().objects.size(); ++i)
      if (kin.model().objects[i].block >= 0) reach_ = std::max(reach_, form.now().T_WO[i].p.norm());
    // at rest the momenta are nothing but rounding: then of what gravity and loads would make
    Vec3 force = Vec3::Zero(), torque = force;
    kin.add_outside_wrench(form.now(), force, torque);
    const double h = state.t - t_;
    t_ = state.t;
    // sum |p_i| <= sqrt(2 M T): bodies may move against each other
    size_ = std::max({size_, linear_.norm(), report.momentum.impulse.norm(), h * force.norm(),
                      std::sqrt(2 * kin.total_mass() * std::max(0.0, kinetic))});
    spin_ = std::max({spin_, angular_.norm(), moment.norm(), h * torque.norm(), size_ * reach_});
    const double off = (linear_ - p - report.momentum.impulse).norm(),
                 turn = (angular_ - l - moment).norm();
    if (size_ > 0) linear_worst_ = std::max(linear_worst_, off / size_);
    if (spin_ > 0) angular_worst_ = std::max(angular_worst_, turn / spin_);
  }

 private:
  MomentumBounds bounds_;
  double t_ = 0, linear_worst_ = 0, angular_worst_ = 0, size_ = 0, spin_ = 0, reach_ = 0;
  Vec3 linear_ = Vec3::Zero(), angular_ = Vec3::Zero();
};

}  // namespace trammel::form::test
