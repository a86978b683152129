// What the independent check of results allows in each formulation.
#include <cmath>
#include <limits>

#include "math/runge_kutta.h"
#include "verify/independent.h"

namespace trammel::verify {

namespace {
constexpr double kLeft = 1e-2;  // of the last Newton step, whose error is of the second order
constexpr double kOfStep = 32 * std::numeric_limits<double>::epsilon();

void drifts(Allowed& a) { a.places = a.rates = a.reactions = false; }
}  // namespace

Allowed allowed_of(const sim::Settings& settings, const model::Scales& scales) {
  const form::Settings& s = settings.form;
  Allowed out;
  out.step = settings.step;
  out.angle = s.tolerance.share(scales);
  out.length = out.angle * scales.length;
  if (s.formulation == form::Settings::Formulation::velocity) {
    out.means = true;
    if (s.scheme == form::Settings::Scheme::baumgarte) drifts(out);
    return out;
  }
  if (s.formulation == form::Settings::Formulation::energy) {
    out.spins = out.rates = false;
    out.means = s.difference == form::Settings::Difference::midpoint;
    out.places = out.reactions = std::isinf(s.joint_stiffness);
    out.of_mass = kOfStep / out.step;
    out.of_contacts = kLeft * s.barrier.tolerance * scales.arm / out.step;
    if (s.joint_stiffness < 0)  // gamma masses over the scheme's h^2, at most (2/3 h)^2
      out.of_ends = -s.joint_stiffness * 2.25 * kOfStep / out.step;
    if (s.joint_stiffness > 0 && !out.places)
      out.of_joints = kOfStep * s.joint_stiffness * out.step;
    return out;
  }
  if (s.baumgarte.acts()) drifts(out);
  if (RungeKutta(s.method, 0).estimates_error() && std::isfinite(s.accuracy.relative)) {
    out.momentum = std::max(out.momentum, 10 * s.accuracy.relative);
    out.why = "ten times the accuracy";
  } else {
    out.momentum = 1e-6;  // steps as long as they are given
    out.why = "truncation of given steps";
  }
  return out;
}

}  // namespace trammel::verify
