#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>

#include "constraint/barrier/surfaces.h"
#include "constraint/impact.h"
#include "constraint/piles/system.h"
#include "math/runge_kutta.h"
#include "model/scales.h"
#include "solve/solver.h"

namespace trammel::form {

class Meter;

/// How closely the rows of positions are met. By default a share: of lengths of the mechanism's
/// (model/scales.h), of angles of 1 rad. Stated in SI it is a length and an angle [m, rad].
struct Tolerance {
  double value = 1e-12;
  bool in_si = false;

  /// Returns the share of the mechanism's length, and the angle [rad], that rows are met to. Where
  /// the tolerance is stated in SI, neither lengths nor angles are further off than it.
  double share(const model::Scales& of) const {
    return in_si ? std::min(value, value / of.length) : value;
  }
};

/// Settings of a formulation's steps.
struct Settings {
  enum class Formulation : unsigned char {
    velocity,      // solves for impulses
    acceleration,  // solves for forces
    energy,        // minimises over the step
  } formulation = Formulation::velocity;
  enum class Scheme : unsigned char {
    rattle,     // second order, time-symmetric, rows and their rates held to rounding
    baumgarte,  // semi-implicit Euler with J u+ = -(erp/h) g: the classical form
  } scheme = Scheme::rattle;
  int order = 2;        // 2, or 4 by composition where nothing dissipates
  double erp = 0.2;     // error reduction per step of baumgarte
  Tolerance tolerance;  // never below 1e-15 of the largest coordinate
  struct Iteration {
    // ratio of Newton steps above which stage P fails, as near a singular configuration
    double contraction = 0.3;
    int most = 30;
  } iteration;
  solve::MakeSolver solver;  // of the velocity and acceleration formulations; empty: the direct one
  // of the velocity formulation; its tolerance is a share of the mechanism's speed,
  constraint::piles::ContactOptions contact;
  std::optional<double> contact_tolerance;  // unless it is stated here [m/s]
  /// Of contacts that meet at once, by the velocity and acceleration formulations.
  constraint::Impacts impacts = constraint::Impacts::simultaneous;
  Meter* meter = nullptr;  // counts what steps cost and may end them (form/meter.h)
  /// Steps report the impulse of every joint and load (StepReport::wrench_impulses).
  bool impulses = false;

  // of the acceleration formulation
  RungeKuttaMethod method = RungeKuttaMethod::dp8;
  /// Error allowed in a step of an adaptive method; all infinite: the method's steps are those of
  /// the grid.
  struct Accuracy {
    double length = 1e-9, angle = 1e-9;  // of the mechanism's length (model/scales.h); [rad]
    double speed = 1e-9, spin = 1e-9;    // of its speed, and of its speed over its length; and
    double relative = 1e-9;              // relative to the speed
  } accuracy;
  /// Instead of projecting positions and velocities after each step, the rows' accelerations are
  /// led by -2 alpha times their error of rate, and -beta^2 times their error. Zero: projection.
  struct Baumgarte {
    double alpha = 0, beta = 0;  // [1/s]
    bool acts() const { return alpha != 0 || beta != 0; }
  } baumgarte;

  // of the energy formulation
  enum class Difference : unsigned char { bdf1, bdf2, midpoint } difference = Difference::bdf2;
  /// Stiffness of the joints' closure residuals that are lengths [N/m]; infinite: joints hold by
  /// their rows. Negative: as published, -gamma times the masses at both ends over the scheme's
  /// h^2.
  double joint_stiffness = 1e9;
  /// Length that turns the other terms into lengths [m]; 0: for each joint the radius of gyration
  /// of its lesser body; 1 as published.
  double joint_length = 0;
  /// Surfaces that touch by a barrier; null: none do.
  std::shared_ptr<const constraint::BarrierSurfaces> surfaces;
  constraint::BarrierNumbers barrier;
};

/// Returns the settings of contacts, their tolerance in [m/s].
inline constraint::piles::ContactOptions contact_options(const Settings& settings,
                                                         const model::Scales& of) {
  constraint::piles::ContactOptions out = settings.contact;
  out.tolerance = settings.contact_tolerance.value_or(out.tolerance * of.speed);
  return out;
}

constexpr std::string_view name_of(Settings::Formulation f) {
  return f == Settings::Formulation::velocity       ? "velocity"
         : f == Settings::Formulation::acceleration ? "acceleration"
                                                    : "energy";
}
constexpr std::string_view name_of(Settings::Difference d) {
  return d == Settings::Difference::bdf1   ? "bdf1"
         : d == Settings::Difference::bdf2 ? "bdf2"
                                           : "midpoint";
}
constexpr int order_of(Settings::Difference d) { return d == Settings::Difference::bdf1 ? 1 : 2; }

}  // namespace trammel::form
