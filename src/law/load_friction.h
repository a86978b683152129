#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "law/law.h"

/// load-friction: Coulomb's friction by the reaction N of a joint. The force against the motion is
/// mu |N|, a torque mu radius |N|; at rest it holds up to `static_mu`. With a Stribeck speed v_s
/// the coefficient falls from the one to the other (Armstrong-Helouvry 1991),
///
///   mu(v) = mu + (static_mu - mu) exp(-(v / v_s)^2).
///
/// What N is made of is said where laws find their rows (model/build_friction.cpp).
namespace trammel::law {

enum LoadFrictionParam {
  kLoadFrictionMu,
  kLoadFrictionStatic,
  kLoadFrictionStribeck,
  kLoadFrictionRadius,
  kLoadFrictionLength
};

inline constexpr Parameter kLoadFrictionParams[] = {
    {"mu", Quantity::ratio, kRequired, 0, kInf, "coefficient of friction while it slides"},
    {"static_mu", Quantity::ratio, 0, 0, kInf, "coefficient at rest, if above `mu`"},
    {"stribeck_speed", Quantity::speed, 0, 0, kInf,
     "speed over which it falls from `static_mu` to `mu`; 0: at once"},
    {"radius", Quantity::length, 0, 0, kInf, "of the bearing, where the coordinate is an angle"},
    {"length", Quantity::length, 0, 0, kInf,
     "of the guide of a slide: torques across it press on its ends; 0: they press on nothing"},
};

/// Returns the lever of the friction: a coefficient of a torque by a force is a length.
inline double load_friction_lever(const double* p) {
  return p[kLoadFrictionRadius] > 0 ? p[kLoadFrictionRadius] : 1;
}

inline ConstraintSpec load_friction_constraint(const Law&, const double* p, double) {
  ConstraintSpec d;
  d.level = Level::friction;
  d.mu = p[kLoadFrictionMu] * load_friction_lever(p);
  d.static_mu = std::max(p[kLoadFrictionMu], p[kLoadFrictionStatic]) * load_friction_lever(p);
  d.guide = p[kLoadFrictionLength];
  return d;
}

constexpr double kStandsStill = 1e-9;  // friction is static below this share of the row's pace

inline void load_friction_follow(const Law&, const double* p, double, double v, const Instant&,
                                 ConstraintSpec& d) {
  d.still = std::abs(v) < kStandsStill * d.pace;
  const double v_s = p[kLoadFrictionStribeck];
  if (v_s > 0) d.mu += (d.static_mu - d.mu) * std::exp(-(v / v_s) * (v / v_s));
}

/// No reaction is known here: formulations that apply forces of laws do not take it.
inline Force load_friction_force(const Law&, const double*, double, double, const Instant&) {
  return {};
}

inline std::vector<Fault> load_friction_faults(const Law&, const double* p, const Given& given) {
  std::vector<Fault> out;
  const double still = p[kLoadFrictionStatic], slides = p[kLoadFrictionMu];
  if (given.has("static_mu") && still < slides)
    out.push_back({"static_mu", fmt::format("static_mu {} is below mu {}: at rest friction holds "
                                            "at least as much as while it slides",
                                            still, slides)});
  if (p[kLoadFrictionStribeck] > 0 && !given.has("static_mu"))
    out.push_back({"stribeck_speed",
                   "a Stribeck speed says how the coefficient falls from "
                   "'static_mu', which is not given"});
  return out;
}

inline constexpr Type kLoadFriction{.name = "load-friction",
                                    .doc = "Coulomb friction that follows the load of a joint",
                                    .parameters = kLoadFrictionParams,
                                    .constraint = load_friction_constraint,
                                    .force = load_friction_force,
                                    .faults = load_friction_faults,
                                    .follow = load_friction_follow,
                                    .follows_load = true};

}  // namespace trammel::law
