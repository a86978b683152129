// Vectors and matrices of expressions.
#include "body/symbolic.h"

#include <gtest/gtest.h>

#include <numbers>
#include <random>

#include "expr/build.h"

namespace trammel::body::symbolic_test {
namespace {

Mat3 turned(int axis, double degrees) {
  return Eigen::AngleAxisd(degrees * std::numbers::pi / 180, Vec3::Unit(axis)).toRotationMatrix();
}

/// The numbers of a matrix of constants; a zero has no expression.
Mat3 values(const symbolic::Mat& R) {
  Mat3 out = Mat3::Zero();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      if (const expr::Expression e = R[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)])
        out(i, j) = expr::constant_value(e);
  return out;
}

/// Quarters of a turn leave ones and nothing, one after the other as well.
TEST(Symbolic, RightAnglesAreExact) {
  expr::Graph graph;
  for (int axis = 0; axis < 3; ++axis)
    for (int quarters = -8; quarters <= 8; ++quarters) {
      const Mat3 R = turned(axis, 90 * quarters) * turned(0, 90) * turned(1, 270);
      EXPECT_EQ(values(symbolic::constant(graph, R)), Mat3(R.array().round())) << axis << quarters;
      const Mat3 one = turned(axis, 90 * quarters);
      const double angle = quarters * std::numbers::pi / 2;
      EXPECT_EQ(values(symbolic::turn(Vec3::Unit(axis), graph.constant(angle))),
                Mat3(one.array().round()));
    }
  const symbolic::Mat third = symbolic::constant(graph, turned(2, 30)),
                      rest = symbolic::constant(graph, turned(2, 60));
  EXPECT_FALSE(symbolic::product(third, rest)[0][0]);
}

TEST(Symbolic, OtherTurnsStayWhatTheyAre) {
  expr::Graph graph;
  const Mat3 small = turned(2, 1e-10);
  EXPECT_EQ(values(symbolic::constant(graph, small)), small);
  std::mt19937 random(1);
  std::uniform_real_distribution<double> angle(1, 80);
  for (int i = 0; i < 20; ++i) {
    const double x = angle(random), y = angle(random), z = angle(random);
    const Mat3 R = turned(0, x) * turned(1, y) * turned(2, z);
    EXPECT_EQ(values(symbolic::constant(graph, R)), R);
  }
}

}  // namespace
}  // namespace trammel::body::symbolic_test
