// Observed order of the velocity formulation: 2 plain, 4 composed, in open and closed mechanisms,
// with and without redundant rows. Tolerances on orders are truncation: what higher powers of h
// leave.
#include <fmt/core.h>

#include <functional>

#include "support.h"

namespace trammel::acceptance::velocity_order_test {
namespace {

constexpr double kG = 9.81;
using Errors = std::array<double, 3>;

/// Where `body` is at T, steps of h.
Vec3 end(const model::Built& mechanism, const std::string& body, double T, double h,
         const form::Settings& form = {}) {
  Simulation sim(mechanism, settings(T, h, form));
  run(sim);
  return pose(sim, body).p;
}

/// Errors of the body's place at T with h, h/2, h/4.
Errors errors(const model::Built& mechanism, const std::string& body, double T, double h,
              const Vec3& exact, const form::Settings& form = {}) {
  Errors e{};
  for (std::size_t i = 0; i < 3; ++i)
    e[i] = (end(mechanism, body, T, h / (1 << i), form) - exact).norm();
  ::testing::Test::RecordProperty("finest_error", fmt::format("{:.3g}", e[2]));
  return e;
}

void expect_order(const Errors& e, double order, double margin) {
  const auto observed = orders(e);
  SCOPED_TRACE(fmt::format("errors {:.3g} {:.3g} {:.3g}, orders {:.3f} {:.3f}", e[0], e[1], e[2],
                           observed[0], observed[1]));
  EXPECT_NEAR(observed[0], order, margin);
  EXPECT_NEAR(observed[1], order, margin);
}

/// A rod that turns about world y, from horizontal: x'' = -(3 g / 2 l') cos-like, see the test.
model::Built pendulum() {
  model::Builder b;
  b.add_body(box("rod", {1, 0.05, 0.05}, 2.5, {Vec3(0.5, 0, 0)}));
  b.add_joint(joint("pivot", "revolute", "ground", "rod", frame(Vec3::Zero(), Vec3::UnitY())));
  return built(b);
}

/// Its centre at T: (m l^2/12 (1 + 0.05^2) + m l^2/4) a'' = m g l/2 cos a, a downwards from x.
Vec3 pendulum_at(double T) {
  const double I = (1 + 0.0025) / 12 + 0.25;
  const double a =
      reduced([&](double x, double) { return kG * 0.5 / I * std::cos(x); }, 0, 0, T).first;
  return {0.5 * std::cos(a), 0, -0.5 * std::sin(a)};
}

TEST(VelocityOrder, CompoundPendulumIsOfOrderTwo) {
  expect_order(errors(pendulum(), "rod", 2, 4e-3, pendulum_at(2)), 2, 0.1);
}

TEST(VelocityOrder, ChainOfTenIsOfOrderTwo) {
  const Vec3 exact(-7.13711850455, 0, -5.76611045024);  // independent 80-bit integration
  expect_order(errors(built(chain(10)), "link9", 2, 4e-3, exact), 2, 0.1);
}

/// A parallelogram of two 1 m rods on the ground and a 1 m coupler, in a plane tilted in space,
/// with revolutes of five rows each: 20 rows on 18 unknowns, 1 degree of freedom. Angle of the rods
/// from the line of pivots: -pi/4, at rest.
model::Built tilted_parallelogram(const Mat3& tilt) {
  model::Builder b;
  b.gravity = tilt * Vec3(0, 0, -kG);
  const Vec3 moments(1e-3, 1. / 12, 1. / 12);
  const Pose world{Vec3(0.3, -0.2, 0.1), tilt};
  const Mat3 lean = Eigen::AngleAxisd(M_PI / 4, Vec3::UnitY()).toRotationMatrix();
  const Vec3 top = lean.col(0);
  for (const double x : {0., 1.})
    b.add_body(
        solid(x > 0 ? "right" : "left", 1, moments, world * Pose{Vec3(x, 0, 0) + 0.5 * top, lean}));
  b.add_body(solid("coupler", 1, moments, world * Pose{top + Vec3(0.5, 0, 0)}));
  const auto hinge = [&](const std::string& name, const std::string& a, const std::string& c,
                         const Vec3& p) {
    b.add_joint(joint(name, "revolute", a, c, frame(world.p + tilt * p, tilt * Vec3::UnitY())));
  };
  hinge("A", "ground", "left", Vec3::Zero());
  hinge("B", "ground", "right", Vec3::UnitX());
  hinge("C", "left", "coupler", top);
  hinge("D", "right", "coupler", top + Vec3::UnitX());
  return built(b);
}

TEST(VelocityOrder, RedundantSpatialFourBarIsOfOrderTwo) {
  const Mat3 tilt = Eigen::AngleAxisd(0.7, Vec3(1, 2, -1).normalized()).toRotationMatrix();
  // (1 + 2/3) a'' = -2 g cos a, a upwards from the line of pivots
  const double a =
      reduced([](double x, double) { return -2 * kG / (5. / 3) * std::cos(x); }, -M_PI / 4, 0, 2)
          .first;
  const Vec3 exact = Vec3(0.3, -0.2, 0.1) + tilt * Vec3(0.5 + std::cos(a), 0, std::sin(a));
  expect_order(errors(tilted_parallelogram(tilt), "coupler", 2, 4e-3, exact), 2, 0.1);
}

/// A crank and a rocker on oblique revolutes, joined by a coupler on two balls (RSSR), spinning.
model::Built rssr() {
  model::Builder b;
  const Vec3 P(0.3, 0, 0.1), Q(1, 0.6, 0.5), R(1, 0.2, 0);
  b.add_body(solid("crank", 1, {0.02, 0.03, 0.04}, {0.5 * P}));
  b.add_body(solid("coupler", 2, {0.1, 0.2, 0.25}, {0.5 * (P + Q)}));
  b.add_body(solid("rocker", 1.5, {0.05, 0.04, 0.06}, {0.5 * (Q + R)}));
  b.add_joint(joint("A", "revolute", "ground", "crank",
                    frame(Vec3::Zero(), Vec3(0.1, 1, 0.3).normalized())));
  b.add_joint(joint("B", "spherical", "crank", "coupler", {P}));
  b.add_joint(joint("C", "spherical", "coupler", "rocker", {Q}));
  b.add_joint(
      joint("D", "revolute", "ground", "rocker", frame(R, Vec3(1, 0.2, -0.1).normalized())));
  return built(b);
}

TEST(VelocityOrder, SpatialLoopWithBallsIsOfOrderTwo) {
  const model::Built mechanism = rssr();
  const Vec3 fine = end(mechanism, "coupler", 1, 5e-4, order4());
  expect_order(errors(mechanism, "coupler", 1, 4e-3, fine), 2, 0.1);
}

TEST(VelocityOrder, ComposedPendulumIsOfOrderFour) {
  const Errors e = errors(pendulum(), "rod", 2, 16e-3, pendulum_at(2), order4());
  expect_order(e, 4, 0.3);
}

TEST(VelocityOrder, ComposedChainIsOfOrderFour) {
  const Vec3 exact(-7.13711850455, 0, -5.76611045024);
  for (const double tolerance : {1e-12, 1e-10}) {
    SCOPED_TRACE(fmt::format("tolerance {}", tolerance));
    expect_order(errors(built(chain(10)), "link9", 2, 8e-3, exact, order4(tolerance)), 4, 0.3);
  }
}

TEST(VelocityOrder, ComposedSpatialLoopIsOfOrderFour) {
  const model::Built mechanism = rssr();
  const Vec3 fine = end(mechanism, "coupler", 1, 5e-4, order4());
  expect_order(errors(mechanism, "coupler", 1, 8e-3, fine, order4()), 4, 0.3);
}

}  // namespace
}  // namespace trammel::acceptance::velocity_order_test
