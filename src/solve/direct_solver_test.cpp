// Redundant rows beside rows at their bounds: a body held twice along x, by rows that do not want
// quite the same, and turned about z by three rows with bounds, of which one is at its own.
#include "solve/direct_solver.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "solve/test_graphs.h"

namespace trammel::solve::direct_solver_test {
namespace {

constexpr double kTurn = 0.4;   // impulse that the three rows are to give
constexpr double kOff = 1e-6;   // by which the rows along x do not agree
constexpr double kPush = 0.02;  // impulse that they are to give

struct Held {
  test::Problem p;
  std::vector<double> compliance = std::vector<double>(5), lo = {-kInf, -kInf, -1, -1, -0.1},
                      hi = {kInf, kInf, 1, 1, 0.1};
  std::vector<int> others = {2, 3, 4};
  static constexpr double kInf = std::numeric_limits<double>::infinity();

  Held() {
    const Vec3 x = Vec3::UnitX(), z = Vec3::UnitZ(), o = Vec3::Zero();
    const int body = p.body(o);
    for (int i = 0; i < 5; ++i)
      p.joint(-1, body, o, std::span(i < 2 ? &x : &o, 1), std::span(i < 2 ? &o : &z, 1));
  }

  /// dx from x, whose last row is at its upper bound.
  std::vector<double> correct(const std::vector<double>& x) {
    const Matrices at{p.J.data(), p.inv_mass.data()};
    VecX to(5);
    to << kPush, 0, kTurn, 0, 0;
    const MatX S = p.dense_S();
    const VecX r = S * (Eigen::Map<const VecX>(x.data(), 5) - to) +
                   kOff * (VecX(5) << 1, -1, 0, 0, 0).finished();
    const std::vector<double> residual(r.begin(), r.end());
    std::vector<signed char> set = {0, 0, 0, 0, 1};
    std::vector<double> dx(5);
    Effort effort;
    DirectSolver solver(p.graph);
    EXPECT_TRUE(
        solver.correct(at, {p.active, compliance, lo, hi, others}, residual, x, set, dx, effort));
    EXPECT_TRUE(solver.redundant());
    EXPECT_EQ(set, (std::vector<signed char>{0, 0, 0, 0, 1}));
    return dx;
  }
};

// What is not given by the rows is rounding / eps of 1e4, which kOff / eps amounts to.
TEST(DirectSolver, HasNoNullPartBesideABound) {
  const std::vector<double> dx = Held().correct({0, 0, 0, 0, 0.1});
  EXPECT_NEAR(dx[0], kPush / 2, 1e-8);
  EXPECT_NEAR(dx[1], kPush / 2, 1e-8);
  EXPECT_NEAR(dx[2], (kTurn - 0.1) / 2, 1e-8);
  EXPECT_NEAR(dx[3], (kTurn - 0.1) / 2, 1e-8);
}

// Half of the turn for either would leave the bounds of the first; the rows along x have none.
TEST(DirectSolver, KeepsTheNullPartThatBoundsWant) {
  const std::vector<double> dx = Held().correct({0, 0, 0.9, -0.9, 0.1});
  EXPECT_NEAR(dx[0], kPush / 2, 1e-8);
  EXPECT_NEAR(dx[1], kPush / 2, 1e-8);
  EXPECT_NEAR(dx[2] + dx[3], kTurn - 0.1, 1e-8);
  EXPECT_LE(std::abs(0.9 + dx[2]), 1);
  EXPECT_LE(std::abs(-0.9 + dx[3]), 1);
}

}  // namespace
}  // namespace trammel::solve::direct_solver_test
