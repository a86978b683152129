#pragma once

#include <gtest/gtest.h>

#include <algorithm>

#include "form/test_balance.h"
#include "sim/simulation.h"

/// Checks of momentum and energy that every run of a test has to pass.
namespace trammel::sim::test {

/// Returns the bound of the error of both momenta in any step of the grid, over those of the run.
/// Far from the world's origin places are rounded to 1e-16 of how far: by so much moments about a
/// mechanism's own centre miss.
inline double momentum_bound(const Simulation& sim) {
  const form::test::MomentumBounds bounds = form::test::momentum_bounds(sim.settings().form);
  double far = 0;
  for (const body::Transform& at : sim.formulation().now().T_WO) far = std::max(far, at.p.norm());
  const double rounding = sim.reach() > 0 ? 1e-15 * far / sim.reach() : 0;
  return std::max(bounds.linear, bounds.angular) + rounding;
}

inline void expect_balance(const Simulation& sim) {
  EXPECT_LE(sim.summary().momentum_residual_rel, momentum_bound(sim)) << "momenta do not balance";
}

}  // namespace trammel::sim::test
