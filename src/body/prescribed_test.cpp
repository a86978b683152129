#include "body/prescribed.h"

#include <gtest/gtest.h>

#include "math/rotation.h"

namespace trammel::body::prescribed_test {
namespace {

/// An angle or displacement that speeds up and slows down, several turns a second at most.
Drive wave(double size, double frequency) {
  return {Drive::Level::displacement, Signal::function([=](double t) {
            const double a = frequency * t;
            return Jet{size * std::sin(a) + t * t, size * frequency * std::cos(a) + 2 * t,
                       -size * frequency * frequency * std::sin(a) + 2};
          })};
}

struct Motion {
  Transform T_WO;
  Rate rate;
  Bias bias;
};
Motion motion(const Prescribed& body, double t) {
  Motion m;
  body.at(t, m.T_WO, m.rate, m.bias);
  return m;
}

Prescribed tumbler() {
  Prescribed body;
  body.X_WB0 = {Vec3(1, 2, 3), exp_matrix(Vec3(0.3, -0.5, 0.8))};
  body.displacement = {wave(1, 2), wave(0.5, 3), wave(-2, 1)};
  body.turns = {{Vec3::UnitZ(), wave(2, 1.5)},
                {Vec3(1, 2, -1).normalized(), wave(1, 2.5)},
                {Vec3::UnitX(), wave(-1.5, 2)},
                {Vec3(0, 3, 4) / 5, wave(0.7, 3)}};
  return body;
}

// Differences of fourth order: truncation h^4 times a sixth rate of about 1e4 / 30, rounding
// 1e-16/h.
TEST(Prescribed, VelocityAndAccelerationMatchDifferences) {
  const Prescribed body = tumbler();
  constexpr double h = 2e-4;
  for (const double t : {-0.7, 0.0, 0.3, 1.1}) {
    SCOPED_TRACE(t);
    const Motion now = motion(body, t);
    const auto slope = [&](auto get) {
      return ((8 * (get(motion(body, t + h)) - get(motion(body, t - h))) -
               (get(motion(body, t + 2 * h)) - get(motion(body, t - 2 * h)))) /
              (12 * h))
          .eval();
    };
    EXPECT_NEAR((now.rate.v - slope([](const Motion& m) { return m.T_WO.p; })).norm(), 0, 1e-10);
    EXPECT_NEAR((now.rate.A - slope([](const Motion& m) { return m.T_WO.A; })).norm(), 0, 1e-9);
    EXPECT_NEAR((now.bias.v - slope([](const Motion& m) { return m.rate.v; })).norm(), 0, 1e-9);
    EXPECT_NEAR((now.bias.A - slope([](const Motion& m) { return m.rate.A; })).norm(), 0, 1e-8);
    EXPECT_NEAR((now.T_WO.A.transpose() * now.T_WO.A - Mat3::Identity()).norm(), 0, 1e-14);
  }
}

TEST(Prescribed, TurnsComposeFromTheOutside) {
  Prescribed body;
  body.X_WB0.R = exp_matrix(Vec3(0, 0.1, 0));
  body.turns = {{Vec3::UnitZ(), {Drive::Level::displacement, M_PI / 2}},
                {Vec3::UnitX(), {Drive::Level::displacement, M_PI / 2}}};
  const Mat3 expected =
      exp_matrix(Vec3(0, 0, M_PI / 2)) * exp_matrix(Vec3(M_PI / 2, 0, 0)) * body.X_WB0.R;
  EXPECT_NEAR((motion(body, 5).T_WO.A - expected).norm(), 0, 1e-15);
}

TEST(Prescribed, DisplacementIsAlongWorldAxesWhateverTheTurns) {
  Prescribed body = tumbler();
  body.displacement = {Drive{Drive::Level::velocity, 2.0, 0.5}, Drive{}, Drive{}};
  EXPECT_NEAR((motion(body, 3).T_WO.p - Vec3(1 + 0.5 + 6, 2, 3)).norm(), 0, 1e-15);
}

TEST(Prescribed, NextJumpIsThatOfTheFirstDriveToJump) {
  Prescribed body;
  const Signal ramp = Signal::spline({1, 2}, {0, 3}), late = Signal::spline({1.5, 4}, {0, 3});
  body.displacement[2] = {Drive::Level::displacement, late};
  EXPECT_EQ(body.next_jump(0), 1.5);
  body.turns.push_back({Vec3::UnitY(), {Drive::Level::displacement, ramp}});
  EXPECT_EQ(body.next_jump(0), 1);
  EXPECT_EQ(body.next_jump(1), 1.5);
  EXPECT_EQ(body.next_jump(4), std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace trammel::body::prescribed_test
