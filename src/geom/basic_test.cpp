#include "geom/basic.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "geom/curve_check.h"

namespace trammel::geom::basic_test {
namespace {

using std::numbers::pi;

Pose tilted() {
  const Quat q = Quat(0.9, 0.1, -0.3, 0.2).normalized();
  return {Vec3(1, -2, 3), q.toRotationMatrix()};
}

TEST(Line, Consistent) {
  const Line line(tilted(), 7);
  expect_consistent(line);
  EXPECT_NEAR((line.at(7).p - line.at(0).p).norm(), 7, 1e-14);
}

TEST(Arc, TurnsLeftForPositiveAndEndsOnTheCircle) {
  const Arc left(Pose{}, 1 / 100.0, 50 * pi);
  EXPECT_LT((left.at(50 * pi).p - Vec3(100, 100, 0)).norm(), 1e-13);
  EXPECT_LT((left.at(50 * pi).C.col(0) - Vec3::UnitY()).norm(), 1e-15);
  const Arc right = Arc::by_angle(Pose{}, 100, -pi / 2);
  EXPECT_NEAR(right.length(), 50 * pi, 1e-13);
  EXPECT_LT((end_pose(right).p - Vec3(100, -100, 0)).norm(), 1e-13);
  expect_consistent(Arc(tilted(), -0.05, 30));
  expect_consistent(Arc(tilted(), 1e-200, 30));
  expect_consistent(Arc(tilted(), 0, 30));
}

TEST(Helix, FrenetFrameTurnsWithCurvatureAndTorsion) {
  for (const bool right : {true, false})
    for (const double pitch : {6.0, -6.0}) {
      const Helix helix({.radius = 5,
                         .pitch = pitch,
                         .turns = 2,
                         .start_angle = 0.4,
                         .right_handed = right,
                         .place = tilted()});
      const double b = 6 / (2 * pi), c2 = 25 + b * b;
      EXPECT_NEAR(helix.curvature(), 5 / c2, 1e-16);
      EXPECT_NEAR(helix.torsion(), (right ? 1 : -1) * b / c2, 1e-16);
      EXPECT_NEAR(helix.length(), 4 * pi * std::sqrt(c2), 1e-13);
      const CurvePoint at = helix.at(11);
      const Vec3 darboux = helix.torsion() * at.C.col(0) + helix.curvature() * at.C.col(2);
      EXPECT_LT((at.Omega - darboux).norm(), 1e-16);
      expect_consistent(helix, 1);
    }
}

TEST(Helix, RisesAPitchATurnAroundItsAxis) {
  const Helix helix({.radius = 5, .pitch = 6, .turns = 3});
  EXPECT_LT((helix.at(0).p - Vec3(5, 0, 0)).norm(), 1e-15);
  EXPECT_LT((end_pose(helix).p - Vec3(5, 0, 18)).norm(), 1e-13);
  EXPECT_GT(helix.at(0.1).p.y(), 0);  // right-handed: rises anticlockwise
  EXPECT_LT(Helix({.radius = 5, .pitch = 6, .right_handed = false}).at(0.1).p.y(), 0);
  EXPECT_LT(Helix({.radius = 5, .pitch = -6}).at(0.1).p.y(), 0);  // falls clockwise
}

TEST(Basic, Complains) {
  EXPECT_EQ(check_arc(0, 0).at(0).text, "length 0 m: must be greater than 0");
  EXPECT_EQ(check_arc(1 / 0.0, 1).at(0).path, "radius");
  EXPECT_EQ(check(HelixSpec{.radius = 0, .pitch = NAN, .turns = -1}).size(), 3u);
  EXPECT_TRUE(check(HelixSpec{}).empty());
}

TEST(Helix, UpFrameHasLevelLeftAndZUp) {
  for (const bool right : {true, false})
    for (const double pitch : {6.0, -6.0}) {
      const Helix helix({.radius = 5, .pitch = pitch, .right_handed = right, .up = true});
      const Mat3 C = helix.at(3).C;
      const Vec3 left = Vec3::UnitZ().cross(C.col(0)).normalized();
      EXPECT_LT((C.col(1) - left).norm(), 1e-15);
      EXPECT_GT(C(2, 2), 0.9);
      expect_consistent(helix, 1);
    }
}

}  // namespace
}  // namespace trammel::geom::basic_test
