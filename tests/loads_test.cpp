// Loads against closed solutions: forces at points, torques, drag, and the work they account for.
#include <fmt/core.h>

#include "model/ledger.h"
#include "support.h"

namespace trammel::acceptance::loads_test {
namespace {

using trammel::law::Axes;

void record(const char* name, double value) {
  ::testing::Test::RecordProperty(name, fmt::format("{:.3g}", value));
}

model::LoadSpec load(const char* kind, Axes axes, const Vec3& point,
                     const std::array<Signal, 3>& value) {
  model::LoadSpec l;
  l.name = "load";
  l.body = "body";
  l.type = kind;
  l.axes = axes;
  l.point = point;
  l.value = value;
  return l;
}

/// A free body of 2 kg, moments 0.3 0.4 0.5, its centre of mass off the body frame's origin.
model::Builder body_under(const model::LoadSpec& l, const Mat3& R = Mat3::Identity()) {
  model::Builder b;
  b.gravity.setZero();
  auto body = solid("body", 2, {0.3, 0.4, 0.5}, {Vec3::Zero(), R});
  body.com = {0.1, 0, 0};
  b.add_body(body);
  b.add_load(l);
  return b;
}

/// Turn about z [rad], for small turns.
double yaw(const Mat3& R) { return std::atan2(R(1, 0), R(0, 0)); }

TEST(Loads, ForceOfTheWorldAtAPointTurnsTheBody) {  // arm 0.5 m from the centre: I a'' = r F cos a
  const double F = 3, arm = 0.5;
  const double a =
      reduced([&](double x, double) { return arm * F / 0.5 * std::cos(x); }, 0, 0, 2).first;
  std::array<double, 3> e{};
  for (std::size_t i = 0; i < 3; ++i) {
    Simulation sim(built(body_under(load("force", Axes::world, {0.6, 0, 0}, {0, F, 0}))),
                   settings(2, 8e-3 / (1 << i)));
    run(sim);
    EXPECT_NEAR(pose(sim, "body").p.y(), F / 2 * 4 / 2, 1e-11);  // constant acceleration: rounding
    e[i] = std::abs(std::remainder(yaw(pose(sim, "body").R) - a, 2 * M_PI));
  }
  record("error_2ms", e[2]);
  for (const double order : orders(e)) EXPECT_NEAR(order, 2, 0.1);
}

TEST(Loads, EachHasItsOwnWork) {
  const std::array<double, 3> F{3, -1, 0.5};
  for (const auto f :
       {form::Settings::Formulation::velocity, form::Settings::Formulation::acceleration,
        form::Settings::Formulation::energy}) {
    model::Builder b = body_under(load("force", Axes::world, {0.1, 0, 0}, {F[0], 0, 0}));
    for (std::size_t i = 1; i < F.size(); ++i) {
      model::LoadSpec more = load("force", Axes::world, {0.1, 0, 0}, {0, 0, 0});
      more.name += std::to_string(i);
      more.value[i] = F[i];
      b.add_load(more);
    }
    form::Settings form;
    form.formulation = f;
    Simulation sim(built(b), settings(1, 1e-2, form));
    const Vec3 start = pose(sim, "body").p;
    run(sim);
    const Vec3 way = pose(sim, "body").p - start;
    for (std::size_t i = 0; i < F.size(); ++i) {
      const std::size_t slot = static_cast<std::size_t>(sim.model().first_load_slot) + i;
      EXPECT_NEAR(sim.state().ledger[slot], F[i] * way[static_cast<Eigen::Index>(i)], 1e-9);
      EXPECT_GT(std::abs(sim.state().ledger[slot]), 0.05);
    }
  }
}

TEST(Loads, ForceOfTheBodyTurnsWithIt) {  // constant torque; the path is a Fresnel spiral
  const double F = 3, arm = 0.5, alpha = arm * F / 0.5, T = 1;
  Vec3 v = Vec3::Zero(), p = v;  // by quadrature: v' = F/m (-sin, cos)(alpha t^2 / 2)
  const int n = 200000;
  for (int i = 0; i < n; ++i) {
    const double t = (i + 0.5) * T / n, a = alpha * t * t / 2;
    v += F / 2 * Vec3(-std::sin(a), std::cos(a), 0) * T / n;
    p += F / 2 * Vec3(-std::sin(a), std::cos(a), 0) * (T - t) * T / n;
  }
  std::array<double, 3> e{};
  for (std::size_t i = 0; i < 3; ++i) {
    Simulation sim(built(body_under(load("force", Axes::body, {0.6, 0, 0}, {0, F, 0}))),
                   settings(T, 8e-3 / (1 << i)));
    const Vec3 start = pose(sim, "body").p;
    run(sim);
    EXPECT_NEAR(yaw(pose(sim, "body").R), alpha * T * T / 2, 1e-11);
    EXPECT_NEAR(velocity(sim, "body").second.z(), alpha * T, 1e-12);
    e[i] = (pose(sim, "body").p - start - p).norm();
  }
  record("error_2ms", e[2]);
  for (const double order : orders(e)) EXPECT_NEAR(order, 2, 0.1);
}

TEST(Loads, TorqueOfTheBodyKeepsItsAxis) {  // about the body's z, which is oblique in the world
  const Mat3 R = Eigen::AngleAxisd(1, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  Simulation sim(built(body_under(load("torque", Axes::body, Vec3::Zero(), {0, 0, 0.7}), R)),
                 settings(1, 1e-3));
  run(sim);
  const Mat3 turned = R.transpose() * pose(sim, "body").R;
  EXPECT_NEAR(yaw(turned), 0.7 / 0.5 / 2, 1e-10);  // rounding
  EXPECT_LE((turned.col(2) - Vec3::UnitZ()).norm(), 1e-12);
}

TEST(Loads, TorqueOfTheWorldMakesThatAngularMomentum) {
  const Mat3 R = Eigen::AngleAxisd(1, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  Simulation sim(built(body_under(load("torque", Axes::world, Vec3::Zero(), {0.1, -0.2, 0.7}), R)),
                 settings(2, 1e-3));
  run(sim);
  const Vec3 l(sim.state().P[3], sim.state().P[4], sim.state().P[5]);
  EXPECT_LE((l - 2 * Vec3(0.1, -0.2, 0.7)).norm(), 1e-12);  // rounding
}

// F = sin 5t N on 2 kg. Means over a step by five Gauss points leave rounding of some hundred
// steps.
TEST(Loads, ASignalActsWithItsMeansOverEachStep) {
  const Signal wave = Signal::function([](double t) {
    return Jet{std::sin(5 * t), 5 * std::cos(5 * t), -25 * std::sin(5 * t)};
  });
  for (const double h : {0.1, 8e-3, 2e-3}) {
    Simulation sim(built(body_under(load("force", Axes::world, {0.1, 0, 0}, {0, wave, 0}))),
                   settings(2, h));
    run(sim);
    EXPECT_NEAR(pose(sim, "body").p.y(), (2. / 5 - std::sin(10.) / 25) / 2, 1e-12) << h;
  }
}

TEST(Loads, WorkIsAccountedToTruncation) {
  std::array<double, 3> e{};
  for (std::size_t i = 0; i < 3; ++i) {
    Simulation sim(built(body_under(load("force", Axes::body, {0.6, 0.2, 0.1}, {1, 3, -2}))),
                   settings(2, 8e-3 / (1 << i)));
    run(sim);
    e[i] = sim.summary().energy_residual;
    EXPECT_GT(sim.state().ledger[static_cast<std::size_t>(sim.model().first_load_slot)], 1);
  }
  record("imbalance_2ms", e[2]);
  for (const double order : orders(e)) EXPECT_NEAR(order, 2, 0.2);
}

// ---- drag

/// A ball of m under drag at its centre.
model::Built thrown(double m, const Vec3& v, double linear, double quadratic, double g) {
  model::Builder b;
  b.gravity = {0, 0, -g};
  auto ball = solid("body", m, {1, 1, 1});
  ball.v = v;
  b.add_body(ball);
  auto l = load("drag", Axes::world, Vec3::Zero(), {});
  l.numbers["linear"] = linear;
  l.numbers["quadratic"] = quadratic;
  b.add_load(l);
  return built(b);
}

TEST(Loads, ProjectileInLinearDragIsOfOrderTwo) {  // x = v (1 - e^-t), z = (v + g)(1 - e^-t) - g t
  const double m = 0.45359237, g = 9.81456, T = 1.976, f = 1 - std::exp(-T);
  const Vec3 exact(2.54 * f, 0, (12.7 + g) * f - g * T);
  std::array<double, 3> e{};
  for (std::size_t i = 0; i < 3; ++i) {
    Simulation sim(thrown(m, {2.54, 0, 12.7}, m, 0, g), settings(T, T / (256 << i)));
    run(sim);
    e[i] = (pose(sim, "body").p - exact).norm();
    EXPECT_LE(sim.summary().energy_residual, 1e-3);
  }
  record("error_1024", e[2]);
  EXPECT_NEAR(exact.x() / 0.0254, 86.1377, 5e-5);
  EXPECT_LE(e[2], 2e-5);  // truncation
  for (const double order : orders(e)) EXPECT_NEAR(order, 2, 0.1);
}

TEST(Loads, QuadraticDragIsOfOrderTwo) {  // v = v0 / (1 + k v0 t), x = ln(1 + k v0 t) / k, k = c/m
  const double k = 0.05 / 2, v0 = 40;
  std::array<double, 3> e{};
  for (std::size_t i = 0; i < 3; ++i) {
    Simulation sim(thrown(2, {v0, 0, 0}, 0, 0.05, 0), settings(2, 8e-3 / (1 << i)));
    run(sim);
    e[i] = std::abs(pose(sim, "body").p.x() - std::log(1 + k * v0 * 2) / k);
    EXPECT_NEAR(velocity(sim, "body").first.x(), v0 / (1 + k * v0 * 2), 1e-3);
  }
  record("error_2ms", e[2]);
  for (const double order : orders(e)) EXPECT_NEAR(order, 2, 0.1);
}

TEST(Loads, DragOnAPendulumLosesWhatTheLedgerSays) {
  std::array<double, 3> e{};
  for (std::size_t i = 0; i < 3; ++i) {
    model::Builder b;
    b.add_body(box("body", {1, 0.05, 0.05}, 2.5, {Vec3(0.5, 0, 0)}));
    b.add_joint(joint("pivot", "revolute", "ground", "body", frame(Vec3::Zero(), Vec3::UnitY())));
    auto l = load("drag", Axes::world, {0.5, 0, 0}, {});
    l.numbers["linear"] = 0.4;
    l.numbers["quadratic"] = 0.1;
    b.add_load(l);
    Simulation sim(built(b), settings(2, 4e-3 / (1 << i)));
    run(sim);
    e[i] = sim.summary().energy_residual;
    EXPECT_LT(sim.state().ledger[static_cast<std::size_t>(sim.model().first_load_slot)], -1);
  }
  record("imbalance_1ms", e[2]);
  for (const double order : orders(e)) EXPECT_NEAR(order, 2, 0.2);
}

}  // namespace
}  // namespace trammel::acceptance::loads_test
