// Whether the energy and momentum left over in runs are what their steps explain.
#include "verify/balance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace trammel::verify::balance_test {
namespace {

// Truncation falls with the steps; what does not is an error of the accounts.
TEST(Books, MustFallWithTheSteps) {
  Series s;
  s.name = "way";
  s.nominal = 2;
  s.order = 2;
  s.extrapolated = true;
  s.refinement = {"h", "h/2", "h/4"};
  s.runs.resize(3);
  s.by_steps = {{1e-9, 1e-9, 0, 0}};
  const auto balances = [&](double truncation, double leak) {
    for (int level = 0; level < 3; ++level) {
      Samples& run = s.runs[static_cast<std::size_t>(level)];
      run.step = std::pow(0.5, level);
      run.summary.energy_scale = 10;
      run.summary.energy_residual = 10 * (truncation * std::pow(0.25, level) + leak);
      run.summary.momentum_residual_rel = 1e-14;
    }
    return imbalances(s, 1, 1);
  };
  EXPECT_TRUE(balances(1e-4, 0).empty());
  EXPECT_TRUE(balances(0, 1e-9).empty());  // rounding
  EXPECT_EQ(balances(1e-4, 1e-4).size(), 1u);
  EXPECT_EQ(balances(1e-6, 1e-6).size(), 1u);
  const auto leak = balances(0, 1e-7);
  ASSERT_EQ(leak.size(), 1u);
  EXPECT_NE(leak[0].find("energy ledger"), std::string::npos);
  s.runs.back().reactions.joints = 1;
  s.runs.back().reactions.value = {0, 0, -2e4,
                                   0, 0, 3e9};  // 2e4 N where places are known to 1e-9 m
  s.runs.back().rounding = 1e-9;
  s.runs.back().summary.simulated = 2500 * s.runs.back().step;
  EXPECT_TRUE(imbalances(s, 1, 1).empty());  // 1e-3 J of 10 J are rounding, 1e-6 J were left
  s.runs.back().reactions.value = {0, 0, 2, 0, 0, 3e9};
  EXPECT_EQ(imbalances(s, 1, 1).size(), 1u);
  s.runs.back().rounding = 0;
  balances(1e-4, 0);
  s.runs.back().summary.momentum_residual_rel = 1e-6;
  s.runs.back().summary.max_gap = 2e-8;
  s.runs.back().far = 3;
  s.soft_joints = true;
  EXPECT_TRUE(imbalances(s, 1, 1).empty());  // 7e-15 of 2e-8 m is rounding, thrice
  s.soft_joints = false;
  const auto momentum = imbalances(s, 1, 1);
  ASSERT_EQ(momentum.size(), 1u);
  EXPECT_NE(momentum[0].find("momentum"), std::string::npos);
}

// Where something stops within a step the energy is of order 1, even if the motion ends the same.
TEST(Books, FallMoreSlowlyWhereSomethingStops) {
  Series s;
  s.name = "way";
  s.nominal = 2;
  s.order = 2;
  s.extrapolated = true;
  s.refinement = {"h", "h/2", "h/4"};
  s.runs.resize(3);
  s.by_steps = {{1e-9, 1e-9, 0, 0}};
  for (int level = 0; level < 3; ++level) {
    Samples& run = s.runs[static_cast<std::size_t>(level)];
    run.step = std::pow(0.5, level);
    run.summary.energy_scale = 10;
    run.summary.energy_residual = 1e-5 * std::pow(0.5, level);
  }
  EXPECT_EQ(imbalances(s, 1, 1).size(), 1u);
  for (Samples& run : s.runs) run.summary.events = 1;
  EXPECT_TRUE(imbalances(s, 1, 1).empty());
  s.runs.back().summary.energy_residual = 1e-5;  // what does not fall is a leak all the same
  EXPECT_EQ(imbalances(s, 1, 1).size(), 1u);
}

}  // namespace
}  // namespace trammel::verify::balance_test
