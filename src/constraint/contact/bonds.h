#pragma once

#include "constraint/contact/step.h"

/// What cohesion holds, and how overlaps are taken out.
namespace trammel::constraint {

inline constexpr double kPushed = 0.2;     // share of an overlap that a step takes out
inline constexpr double kBonded = 100;     // tolerances by which what is held comes apart at most
inline constexpr double kTorn = 1 - 1e-9;  // of the cohesion: more pulls off

/// Whether a cohesion holds with an impulse, or does not come to it.
inline bool is_held(const Six& p, double cohesion) {
  return cohesion > 0 && p[0] != 0 && p[0] > -kTorn * cohesion;
}

inline bool is_slow(const ContactSettings& s, const Six& rate) {
  return rate[0] <= kBonded * s.options.tolerance;
}

}  // namespace trammel::constraint
