// What touches in the gallery.
#include <cmath>
#include <string>

#include "cli/gallery_test.h"

namespace trammel::cli::gallery_contact_test {
namespace {

using gallery::Gallery;
using gallery::kG;

TEST_F(Gallery, CratesTakeTheSpeedOfTheBelt) {
  open("belt");
  const double speed = 1.2, mu = 0.4;
  until(0.2);  // they slide
  EXPECT_NEAR(present().velocity("crate1").x(), mu * kG * 0.2, 1e-8);
  until(speed / (mu * kG) + 0.01);
  for (const char* crate : {"crate0", "crate1", "crate2"})
    EXPECT_NEAR(present().velocity(crate).x(), speed, 1e-7) << crate;
}

// The rails give 150 kN to the side: enough at 25 m/s to a curvature of 0.012 1/m, which the
// clothoid has 19.2 m behind its start, and the wagon where it has run 39.2 m. On the field it
// slides with mu g until it rests.
TEST_F(Gallery, WagonLeavesTheRailsAndSlidesToRest) {
  open("derailed_wagon");
  const double mu = 0.5;
  double yields = 0;
  until(2, [&] {
    if (yields == 0 && std::abs(reaction("rails").force.y()) > 150e3 * (1 - 1e-9)) yields = time();
  });
  EXPECT_NEAR(yields, 39.2 / 25, 5e-3);  // it turns as well, and has got a little slower
  until(2.6);
  EXPECT_FALSE(run_->state().on[0]);
  until(4);
  const double fast = present().velocity("wagon").norm();
  until(6);
  EXPECT_NEAR(fast - present().velocity("wagon").norm(), mu * kG * 2, 0.02);  // it turns a little
  until(9);
  EXPECT_LT(present().velocity("wagon").norm(), 1e-6);
  EXPECT_NEAR(place("wagon").z(), 1.4, 0.02);  // 1.8 m above the ends of its wheels
  EXPECT_TRUE(run_->warnings().empty());
  EXPECT_LT(run_->summary().energy_residual, 1e-6 * run_->summary().energy_scale);
}

// From the break on only brake and gravity act on load and wagon together, until both rest.
TEST_F(Gallery, LoadFallsOntoTheWagonAndStaysThere) {
  open("dropped_load");
  const double m = 2000, M = 12000, brake = 3000;
  until(3.2);  // it falls
  const double p = m * present().velocity("load").x();
  double hit = 0, together = 0;
  until(5, [&] {
    if (hit == 0 && present().velocity("wagon").x() > 1e-6) hit = time();
    if (hit > 0 && together == 0 &&
        (present().velocity("load") - present().velocity("wagon")).norm() < 1e-6)
      together = time();
  });
  ASSERT_GT(together, hit);
  const double v = present().velocity("wagon").x();
  EXPECT_NEAR((m + M) * v, p - brake * (5 - hit), 10);   // of 9400 N s: a step or two of the brake
  EXPECT_NEAR(present().velocity("load").x(), v, 1e-6);  // the solver's tolerance
  until(8);
  EXPECT_LT(present().velocity("load").norm(), 1e-6);
  EXPECT_NEAR(place("load").z() - place("wagon").z(), 0.8, 1e-6);
  EXPECT_TRUE(run_->warnings().empty());
  // truncation: what the brake does in the steps of impacts
  EXPECT_LT(run_->summary().energy_residual, 2e-5 * run_->summary().energy_scale);
}

// The last ball swings as high as the first one has come from; those between stay.
TEST_F(Gallery, TheBlowGoesThroughFiveBalls) {
  open("five_balls");
  const double out = 0.5 * std::sin(std::acos(-1.) / 8);
  double first = 0, last = 0, inner = 0;
  until(6, [&] {
    first = std::max(first, -place("ball0").x());
    last = std::max(last, place("ball4").x() - 0.4);
    for (const int i : {1, 2, 3})
      inner = std::max(inner, std::abs(place("ball" + std::to_string(i)).x() - 0.1 * i));
  });
  EXPECT_NEAR(first, out, 1e-4);
  EXPECT_NEAR(last, out, 1e-4);
  EXPECT_LT(inner, 1e-3);
  EXPECT_LT(run_->summary().energy_residual, 1e-5 * run_->summary().energy_scale);
}

// On a bank of one in four the ball has 5/7 of g sin, whatever cells it rolls over; all rest on the
// field.
TEST_F(Gallery, ABallRollsDownTheBankOfAField) {
  open("field");
  const double sine = 0.25 / std::sqrt(1.0625);
  until(2);
  EXPECT_NEAR(present().velocity("ball").norm(), 5. / 7 * kG * sine * 2, 1e-6);
  until(6);
  EXPECT_LT(present().velocity("crate").norm(), 1e-6);
  EXPECT_NEAR(place("crate").z(), 0.2, 1e-6);
  EXPECT_LT(present().velocity("rod").norm(), 1e-6);  // it may lean on the bank
  EXPECT_GT(place("rod").z(), 0.05 - 1e-6);
  EXPECT_TRUE(run_->warnings().empty());
}

}  // namespace
}  // namespace trammel::cli::gallery_contact_test
