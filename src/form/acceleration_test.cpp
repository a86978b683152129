// The right-hand side against systems written out by hand, orders of the methods, drift, accounts.
#include "form/acceleration.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <array>

#include "form/test_balance.h"
#include "form/velocity.h"
#include "joint/test_states.h"
#include "math/rotation.h"
#include "model/builder.h"
#include "model/ledger.h"

namespace trammel::form::acceleration_test {
namespace {

using joint::test::Random;

model::Built built(const model::Builder& builder) {
  auto result = builder.build();
  if (const auto* problems = std::get_if<std::vector<Problem>>(&result))
    for (const Problem& p : *problems) ADD_FAILURE() << p.path << ": " << p.text;
  return std::get<model::Built>(std::move(result));
}

model::BodySpec body(const std::string& name, double mass, const Vec3& moments, const Vec3& p,
                     const Mat3& R, const Vec3& v, const Vec3& w) {
  model::BodySpec b;
  b.name = name;
  b.mass = mass;
  b.inertia = {moments.x(), moments.y(), moments.z(), 0, 0, 0};
  b.X_WB = {p, R};
  b.v = v;
  b.w = w;
  return b;
}

Settings with(RungeKuttaMethod method, double accuracy = INFINITY) {
  Settings s;
  s.formulation = Settings::Formulation::acceleration;
  s.method = method;
  s.accuracy = {accuracy, accuracy, accuracy, accuracy, accuracy};
  return s;
}

/// Two bodies that spin and fly, joined at a point c1 from the first centre and c2 from the second.
///
/// First principles, world axes, F the force on body 1 and -F on body 2:
///
///   m1 x1'' - F = m1 g,        I1 w1' - c1 x F = -w1 x I1 w1,
///   m2 x2'' + F = m2 g,        I2 w2' + c2 x F = -w2 x I2 w2,
///   x1'' + w1' x c1 + w1 x (w1 x c1) = x2'' + w2' x c2 + w2 x (w2 x c2).
///
/// With c~ w = c x w, w' x c = -c~ w': the last line is
///   [1 -c1~ -1 c2~] (x1'', w1', x2'', w2') = -w1 x (w1 x c1) + w2 x (w2 x c2),
/// and its transpose, (c~)^T = -c~, gives the column of F as [-1; -c1~; 1; c2~]: all signs of the
/// classical system are right for this F.
TEST(Acceleration, IsThePointToPointSystemOfFifteen) {
  Random random(3);
  for (int trial = 0; trial < 5; ++trial) {
    const Vec3 g(0.3, -1, -9.81);
    const std::array<double, 2> m{random.uniform(0.5, 2), random.uniform(0.5, 2)};
    const std::array<Vec3, 2> J{Vec3(0.5, 0.8, 1.1), Vec3(0.4, 0.45, 0.7)},
        c{random.vector(), random.vector()}, w{random.vector(3), random.vector(3)};
    const std::array<Mat3, 2> R{random.rotation(), random.rotation()};
    const Vec3 x1 = random.vector(2), v1 = random.vector(2), x2 = x1 + c[0] - c[1],
               v2 = v1 + w[0].cross(c[0]) - w[1].cross(c[1]);
    model::Builder builder;
    builder.gravity = g;
    builder.add_body(body("a", m[0], J[0], x1, R[0], v1, w[0]));
    builder.add_body(body("b", m[1], J[1], x2, R[1], v2, w[1]));
    model::JointSpec ball;
    ball.name = "ball";
    ball.type = "spherical";
    ball.a = "a";
    ball.b = "b";
    ball.at = Pose{x1 + c[0], random.rotation()};
    builder.add_joint(ball);
    const model::Built mechanism = built(builder);

    MatX K = MatX::Zero(15, 15);
    VecX rhs(15);
    for (int i = 0; i < 2; ++i) {
      const auto k = static_cast<std::size_t>(i);
      const Mat3 I = R[k] * J[k].asDiagonal() * R[k].transpose();
      const double sign = i == 0 ? -1 : 1;
      K.block<3, 3>(6 * i, 6 * i) = m[k] * Mat3::Identity();
      K.block<3, 3>(6 * i + 3, 6 * i + 3) = I;
      K.block<3, 3>(6 * i, 12) = sign * Mat3::Identity();
      K.block<3, 3>(6 * i + 3, 12) = sign * skew(c[k]);
      K.block<3, 3>(12, 6 * i) = -sign * Mat3::Identity();
      K.block<3, 3>(12, 6 * i + 3) = sign * skew(c[k]);
      rhs.segment<3>(6 * i) = m[k] * g;
      rhs.segment<3>(6 * i + 3) = -w[k].cross(I * w[k]);
    }
    rhs.segment<3>(12) = -w[0].cross(w[0].cross(c[0])) + w[1].cross(w[1].cross(c[1]));
    const VecX exact = K.fullPivLu().solve(rhs);

    Acceleration form(*mechanism.model, mechanism.params, with(RungeKuttaMethod::rk4));
    ASSERT_TRUE(form.load(mechanism.state));
    const Eigen::Map<const VecX> a(form.accelerations().data(), 12);
    EXPECT_LE((a - exact.head(12)).norm(), 1e-12 * exact.norm());  // rounding
    // rows: Ax.D ... with D from A to B: their forces act on B along A's axes
    const Mat3 axes = mechanism.model->joints[0].X_OA.R;
    const Vec3 F = -(R[0] * axes * vec3(form.row_forces().data()));
    EXPECT_LE((F - exact.tail(3)).norm(), 1e-12 * exact.norm());
  }
}

/// A free body with three different moments.
model::Built top() {
  model::Builder builder;
  builder.gravity.setZero();
  builder.add_body(
      body("top", 2, {1, 2, 2.6}, Vec3::Zero(), Mat3::Identity(), {0.1, 0, 0}, {0.3, 3, 0.2}));
  return built(builder);
}

struct Outcome {
  VecX q;
  Acceleration::Counts counts;
  double gap = 0, angle = 0, speed = 0, energy = 0, start = 0;
};

double accounted(const model::State& state) {
  double sum = 0;
  for (std::size_t i = 0; i < state.ledger.size(); ++i)
    sum += i == model::kInitial ? 0 : state.ledger[i];
  return sum;
}

Outcome run(const model::Built& mechanism, const Settings& settings, double T, int n) {
  Acceleration form(*mechanism.model, mechanism.params, settings);
  model::State state = mechanism.state;
  EXPECT_TRUE(form.load(state));
  Outcome out;
  out.start = form.total_energy(state);
  test::Balance balance(form, state, test::momentum_bounds(settings));
  StepReport report;
  for (int k = 0; k < n; ++k) {
    form.step(state, T / n, report);
    balance.see(form, state, report);
    EXPECT_EQ(report.status, Status::ok) << report.reason;
    if (report.status != Status::ok) break;
    out.gap = std::max(out.gap, report.gap);
    out.angle = std::max(out.angle, report.angle);
    out.speed = std::max(out.speed, report.row_speed);
    out.energy =
        std::max(out.energy, std::abs(form.total_energy(state) - out.start - accounted(state)));
  }
  out.counts = form.counts();
  out.q = Eigen::Map<const VecX>(state.q.data(), static_cast<int>(state.q.size()));
  return out;
}

TEST(Acceleration, AFreeTopTurnsToTheOrderOfTheMethod) {
  const model::Built mechanism = top();
  const Outcome fine = run(mechanism, with(RungeKuttaMethod::dp8), 4, 800);
  constexpr std::array kMethods{RungeKuttaMethod::rk4, RungeKuttaMethod::dp5,
                                RungeKuttaMethod::dp8};
  constexpr std::array kSteps{200, 100, 40};
  constexpr std::array kOrders{4., 5., 8.};
  for (std::size_t i = 0; i < 3; ++i) {
    std::array<double, 2> e{};
    for (int k = 0; k < 2; ++k) {
      const Outcome r = run(mechanism, with(kMethods[i]), 4, kSteps[i] << k);
      EXPECT_NEAR(r.q.segment<4>(3).norm(), 1, 1e-15);  // unit to rounding
      e[static_cast<std::size_t>(k)] = (r.q - fine.q).norm();
    }
    EXPECT_NEAR(std::log2(e[0] / e[1]), kOrders[i], 0.5) << e[0] << " " << e[1];
    EXPECT_GT(e[1], 1e-13) << "rounding";
    EXPECT_LT(e[1], 1e-5);
  }
}

TEST(Acceleration, AdaptiveStepsFollowTheAccuracyOfTheTop) {
  const model::Built mechanism = top();
  const Outcome fine = run(mechanism, with(RungeKuttaMethod::dp8), 4, 800);
  for (const auto method : {RungeKuttaMethod::dp5, RungeKuttaMethod::dp8})
    for (const double accuracy : {1e-5, 1e-8, 1e-11}) {
      const Outcome r = run(mechanism, with(method, accuracy), 4, 1);
      EXPECT_LE((r.q - fine.q).norm(), 100 * accuracy);
      EXPECT_GE((r.q - fine.q).norm(), 1e-3 * accuracy);
    }
}

/// A body led along an oblique line far from the origin, to and fro in steps that do not follow it
/// well: what the velocities miss the projection puts right, by impulses and moments from outside.
/// All that the method integrates of the momenta is linear here, so that they balance to rounding.
TEST(Acceleration, WhatProjectionsTakeFromOutsideIsInTheAccount) {
  const Vec3 along = Vec3(2, -1, 3).normalized(), p(3, -1, 2);
  constexpr double w = 9, h = 0.05, far = 0.3;  // [1/s], [s], [m]
  model::Builder builder;
  builder.gravity = {1, -2, -9};
  builder.add_body(
      body("sledge", 2, {1, 2, 2.6}, p, exp_matrix({1, 0.4, -0.3}), far * w * along, Vec3::Zero()));
  model::JointSpec slide;
  slide.name = "slide";
  slide.type = "prismatic";
  slide.b = "sledge";
  slide.at = Pose{p, Quat::FromTwoVectors(Vec3::UnitX(), along).toRotationMatrix()};
  builder.add_joint(slide);
  model::LawSpec drive;
  drive.name = "drive";
  drive.type = "driven";
  drive.joint = "slide";
  drive.coordinate = "travel";
  drive.drive = Drive{Drive::Level::displacement, Signal::function([](double t) {
                        return Jet{far * std::sin(w * t), far * w * std::cos(w * t),
                                   -far * w * w * std::sin(w * t)};
                      })};
  builder.add_law(drive);
  const model::Built mechanism = built(builder);
  Acceleration form(*mechanism.model, mechanism.params, with(RungeKuttaMethod::rk4));
  model::State state = mechanism.state;
  ASSERT_TRUE(form.load(state));
  test::Balance balance(form, state);
  StepReport report;
  for (int k = 0; k < 40; ++k) {
    form.step(state, h, report);
    ASSERT_EQ(report.status, Status::ok) << report.reason;
    balance.see(form, state, report);
  }
  EXPECT_NEAR((form.now().T_WO[1].p - p).dot(along), far * std::sin(w * 40 * h), 1e-9);
}

}  // namespace
}  // namespace trammel::form::acceleration_test
