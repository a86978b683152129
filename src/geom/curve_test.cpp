#include "geom/curve.h"

#include <gtest/gtest.h>

#include <cmath>

namespace trammel::geom::curve_test {
namespace {

CurvePoint rolled(double angle, double curvature) {
  CurvePoint out;
  out.C = Eigen::AngleAxisd(angle, Vec3::UnitX()).toRotationMatrix();
  out.Omega = curvature * out.C.col(2);
  return out;
}

TEST(Curve, JumpsAreFoundAtTheirTolerances) {
  const double k = 1e-3;
  EXPECT_EQ(classify(rolled(0, k), rolled(0.5e-9, k)), Jump::none);
  EXPECT_EQ(classify(rolled(0, k), rolled(2e-9, k)), Jump::kink);
  EXPECT_EQ(classify(rolled(0, k), rolled(0, k * (1 + 1e-13))), Jump::none);
  EXPECT_EQ(classify(rolled(0, k), rolled(0, k * (1 + 1e-9))), Jump::curvature);
  EXPECT_EQ(classify(rolled(0, 0), rolled(0, 1e-12)), Jump::curvature);
  EXPECT_EQ(classify(-2e-9, k, k), Jump::kink);
  EXPECT_EQ(classify(0, 1e3, 1e3 + 2e-9), Jump::curvature);
  EXPECT_EQ(classify(0, 1e3, 1e3 + 0.5e-9), Jump::none);
  EXPECT_EQ(classify(0, -k, k), Jump::curvature);
}

TEST(Curve, TurnBetweenFramesIsGoodFromRoundingToHalfATurn) {
  for (const double angle : {0.0, 1e-12, 1e-3, 1.0, 3.0})
    EXPECT_NEAR(turn_between(rolled(0.3, 0).C, rolled(0.3 + angle, 0).C), angle, 1e-14);
}

TEST(Curve, OverlayMergesNearbyStarts) {
  const std::vector<double> a{0, 10, 20}, b{0, 5, 10 + 1e-7, 15, 40};
  const auto out = overlay(a, b, 30);
  ASSERT_EQ(out.size(), 5u);
  const double starts[] = {0, 5, 10, 15, 20};
  const std::size_t on_a[] = {0, 0, 1, 1, 2}, on_b[] = {0, 1, 2, 3, 3};
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(out[i].start, starts[i]);
    EXPECT_EQ(out[i].a, on_a[i]);
    EXPECT_EQ(out[i].b, on_b[i]);
  }
  EXPECT_EQ(overlay({0, 30 - 1e-8}, {0}, 30).size(), 1u);  // nothing starts at the very end
}

}  // namespace
}  // namespace trammel::geom::curve_test
