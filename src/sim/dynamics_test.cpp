// Equations of motion beside those written by hand and by other methods.
#include "sim/dynamics.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <cmath>
#include <random>
#include <stdexcept>

#include "math/rotation.h"
#include "sim/linearise.h"
#include "sim/simulation.h"

namespace trammel::sim::dynamics_test {
namespace {

constexpr double kG = 9.81;
constexpr double kRounding = 1e-11;  // relative: some thousand operations on numbers of size one

model::BodySpec body(const char* name, double mass, const std::array<double, 6>& inertia,
                     const Vec3& at) {
  model::BodySpec s;
  s.name = name;
  s.mass = mass;
  s.inertia = inertia;
  s.X_WB.p = at;
  return s;
}

Mat3 with_x_along(const Vec3& axis) {
  Mat3 R;
  R.col(0) = axis;
  R.col(1) = axis.unitOrthogonal();
  R.col(2) = R.col(0).cross(R.col(1));
  return R;
}

model::JointSpec hinge(const char* name, const char* a, const char* b, const Vec3& at,
                       const Vec3& axis) {
  model::JointSpec s;
  s.name = name;
  s.type = "revolute";
  s.a = a;
  s.b = b;
  s.at = Pose{at, with_x_along(axis)};
  return s;
}

model::Built built(const model::Builder& b) {
  auto result = b.build();
  if (auto* problems = std::get_if<std::vector<Problem>>(&result)) {
    for (const Problem& p : *problems) ADD_FAILURE() << p.path << ": " << p.text;
    throw std::logic_error("not built");
  }
  return std::get<model::Built>(std::move(result));
}

std::string complaint(auto&& ask) {
  try {
    ask();
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "nothing";
}

VecX numbers(std::initializer_list<double> x) {
  return Eigen::Map<const VecX>(x.begin(), static_cast<Eigen::Index>(x.size()));
}

/// Two rods that hang along -z and turn about y, of lengths L, masses m, inertias I about their
/// middles.
struct Rods {
  double m1 = 2, m2 = 3, L1 = 0.7, L2 = 1.1, I1 = 0.09, I2 = 0.31;
  model::Builder builder() const {
    model::Builder b;
    b.add_body(body("upper", m1, {I1, I1, 1e-2, 0, 0, 0}, {0, 0, -L1 / 2}));
    b.add_body(body("lower", m2, {I2, I2, 1e-2, 0, 0, 0}, {0, 0, -L1 - L2 / 2}));
    b.add_joint(hinge("top", "ground", "upper", Vec3::Zero(), Vec3::UnitY()));
    b.add_joint(hinge("knee", "upper", "lower", {0, 0, -L1}, Vec3::UnitY()));
    return b;
  }
  /// M and h of the angles a = top, b = knee, by Lagrange's equations on paper.
  std::pair<MatX, VecX> by_hand(const VecX& q, const VecX& r) const {
    const double c = std::cos(q[1]), s = std::sin(q[1]), x = m2 * L1 * L2 / 2;
    const double m22 = I2 + m2 * L2 * L2 / 4;
    MatX M(2, 2);
    M << I1 + m1 * L1 * L1 / 4 + m2 * L1 * L1 + m22 + 2 * x * c, m22 + x * c, m22 + x * c, m22;
    const double low = m2 * kG * L2 / 2 * std::sin(q[0] + q[1]);
    VecX h(2);
    h << -x * s * (2 * r[0] * r[1] + r[1] * r[1]) + (m1 / 2 + m2) * kG * L1 * std::sin(q[0]) + low,
        x * s * r[0] * r[0] + low;
    return {M, h};
  }
};

TEST(Dynamics, DoublePendulumIsThatOnPaper) {
  const Rods rods;
  const model::Built b = built(rods.builder());
  Dynamics dynamics(b);
  EXPECT_EQ(dynamics.names(), (std::vector<std::string>{"top.angle", "knee.angle"}));
  EXPECT_EQ(dynamics.degrees_of_freedom(), 2);
  std::mt19937 random(1);
  std::uniform_real_distribution<double> any(-2.5, 2.5);
  for (int k = 0; k < 20; ++k) {
    const VecX q = numbers({any(random), any(random)}), r = numbers({any(random), any(random)});
    dynamics.at(dynamics.moved(q, r));
    EXPECT_LT((dynamics.position() - q).norm(), 1e-12);
    EXPECT_LT((dynamics.velocity() - r).norm(), 1e-12);
    const auto [M, h] = rods.by_hand(q, r);
    EXPECT_LT((dynamics.mass() - M).norm(), kRounding * M.norm());
    EXPECT_LT((dynamics.bias_force() - h).norm(), kRounding * (1 + h.norm()));
    const VecX tau = numbers({any(random), any(random)}), a = M.llt().solve(tau - h);
    EXPECT_LT((dynamics.forward(tau).y_ddot - a).norm(), 10 * kRounding * (1 + a.norm()));
    EXPECT_LT((dynamics.inverse(a).tau - tau).norm(), 10 * kRounding * (1 + h.norm()));
  }
}

/// A spatial arm by Newton's and Euler's equations from the base out and back, in world axes: no
/// rows, no matrices.
struct Arm {
  struct Link {
    double mass;
    Vec3 moments;           // about the centre, in its own axes
    Vec3 pivot, axis, com;  // in the world, all angles zero
  };
  std::vector<Link> links{{3.7, {0.01, 0.012, 0.007}, {0, 0, 0.09}, {0, 0, 1}, {0.02, 0, 0.1}},
                          {8.4, {0.14, 0.13, 0.02}, {0, 0, 0.09}, {0, 1, 0}, {0, -0.12, 0.3}},
                          {2.3, {0.03, 0.028, 0.004}, {0, 0, 0.51}, {0, 1, 0}, {0, 0, 0.71}},
                          {1.2, {2e-3, 1e-3, 2.5e-3}, {0, 0, 0.9}, {0, 1, 0}, {0, -0.06, 0.91}},
                          {1.2, {2e-3, 2.2e-3, 1e-3}, {0, -0.11, 0.9}, {0, 0, 1}, {0, -0.11, 0.95}},
                          {3.2, {8e-3, 7e-3, 9e-3}, {0, -0.11, 1.0}, {0, 1, 0}, {0.03, -0.2, 1.0}}};

  model::Builder builder() const {
    model::Builder b;
    std::string last = "ground";
    for (std::size_t i = 0; i < links.size(); ++i) {
      const Link& l = links[i];
      const std::string name = "link" + std::to_string(i), joint = "axis" + std::to_string(i);
      b.add_body(
          body(name.c_str(), l.mass, {l.moments[0], l.moments[1], l.moments[2], 0, 0, 0}, l.com));
      b.add_joint(hinge(joint.c_str(), last.c_str(), name.c_str(), l.pivot, l.axis));
      last = name;
    }
    return b;
  }

  VecX torques(const VecX& q, const VecX& r, const VecX& a, double gravity = kG) const {
    const std::size_t n = links.size();
    std::vector<Mat3> R(n);
    std::vector<Vec3> axis(n), pivot(n), com(n), w(n), dw(n), acc(n);
    Mat3 R0 = Mat3::Identity();
    Vec3 p0 = Vec3::Zero(), home0 = Vec3::Zero(), w0 = Vec3::Zero(), dw0 = Vec3::Zero(),
         a0(0, 0, gravity);
    for (std::size_t i = 0; i < n; ++i) {
      const auto k = static_cast<Eigen::Index>(i);
      const Link& l = links[i];
      const Vec3 arm = R0 * (l.pivot - home0);
      pivot[i] = p0 + arm;
      const Vec3 a_pivot = a0 + dw0.cross(arm) + w0.cross(w0.cross(arm));
      axis[i] = R0 * l.axis;
      R[i] = R0 * Eigen::AngleAxisd(q[k], l.axis).toRotationMatrix();
      w[i] = w0 + axis[i] * r[k];
      dw[i] = dw0 + axis[i] * a[k] + w0.cross(axis[i]) * r[k];
      const Vec3 to_com = R[i] * (l.com - l.pivot);
      com[i] = pivot[i] + to_com;
      acc[i] = a_pivot + dw[i].cross(to_com) + w[i].cross(w[i].cross(to_com));
      R0 = R[i], p0 = pivot[i], home0 = l.pivot, w0 = w[i], dw0 = dw[i], a0 = a_pivot;
    }
    VecX tau(q.size());
    Vec3 force = Vec3::Zero(), moment = Vec3::Zero();  // that links further out need, about origin
    for (std::size_t i = n; i-- > 0;) {
      const Link& l = links[i];
      const Mat3 I = R[i] * l.moments.asDiagonal() * R[i].transpose();
      const Vec3 f = l.mass * acc[i];
      force += f;
      moment += com[i].cross(f) + I * dw[i] + w[i].cross(I * w[i]);
      tau[static_cast<Eigen::Index>(i)] = axis[i].dot(moment - pivot[i].cross(force));
    }
    return tau;
  }
};

TEST(Dynamics, ArmIsThatOfNewtonAndEulerFromLinkToLink) {
  const Arm arm;
  const model::Built b = built(arm.builder());
  Dynamics dynamics(b);
  std::mt19937 random(2);
  std::uniform_real_distribution<double> any(-3, 3);
  const auto vector = [&] {
    VecX out(6);
    for (double& x : out) x = any(random);
    return out;
  };
  const VecX none = VecX::Zero(6);
  for (int k = 0; k < 20; ++k) {
    const VecX q = vector(), r = vector(), a = vector();
    dynamics.at(dynamics.moved(q, r));
    const VecX tau = arm.torques(q, r, a);
    const double size = tau.norm();
    EXPECT_LT((dynamics.inverse(a).tau - tau).norm(), kRounding * size);
    EXPECT_LT((dynamics.bias_force() - arm.torques(q, r, none)).norm(), kRounding * size);
    EXPECT_LT((dynamics.gravity_bias() - arm.torques(q, none, none)).norm(), kRounding * size);
    EXPECT_LT((dynamics.forward(tau).y_ddot - a).norm(), 1e-9 * (1 + a.norm()));
    const MatX M = dynamics.mass();
    for (int i = 0; i < 6; ++i)
      EXPECT_LT((M.col(i) - arm.torques(q, none, VecX::Unit(6, i), 0)).norm(),
                kRounding * M.norm());
    const VecX u = dynamics.unknown_velocities();
    const double kinetic = 0.5 * u.dot(dynamics.mass_matrix() * u);
    EXPECT_NEAR(0.5 * r.dot(M * r), kinetic, kRounding * kinetic);
  }
}

TEST(Dynamics, ReactionsAreWhatHoldsTheArm) {
  const Arm arm;
  Dynamics dynamics(built(arm.builder()));
  const Dynamics::Motion rest = dynamics.inverse(VecX::Zero(6));
  const std::vector<model::Reaction> reactions = dynamics.reactions(rest);
  double mass = 0;
  Vec3 moment = Vec3::Zero();
  for (const Arm::Link& l : arm.links) {
    mass += l.mass;
    moment += l.mass * l.com.cross(Vec3(0, 0, kG));
  }
  // of the base, axes of its frame: x up
  EXPECT_NEAR(reactions[0].force.x(), mass * kG, 1e-9);
  EXPECT_NEAR(reactions[0].torque.norm(), moment.norm(), 1e-9);
  EXPECT_NEAR(reactions[1].torque.x(), rest.tau[1], 1e-9);  // a motor is part of its joint
}

/// A four-bar: crank r, coupler c, rocker r on a base of c; a parallelogram, so that in the angle
/// of the crank it is a pendulum whose coupler does not turn.
model::Builder parallelogram() {
  model::Builder b;
  b.add_body(body("crank", 1.5, {0.02, 0.05, 0.05, 0, 0, 0}, {0, 0, 0.25}));
  b.add_body(body("coupler", 2.5, {0.02, 0.3, 0.3, 0, 0, 0}, {0.4, 0, 0.5}));
  b.add_body(body("rocker", 1.2, {0.02, 0.04, 0.05, 0, 0, 0}, {0.8, 0, 0.25}));
  b.add_joint(hinge("a", "ground", "crank", {0, 0, 0}, Vec3::UnitY()));
  b.add_joint(hinge("b", "crank", "coupler", {0, 0, 0.5}, Vec3::UnitY()));
  b.add_joint(hinge("c", "coupler", "rocker", {0.8, 0, 0.5}, Vec3::UnitY()));
  b.add_joint(hinge("d", "ground", "rocker", {0.8, 0, 0}, Vec3::UnitY()));
  return b;
}

TEST(Dynamics, AFourBarIsItsEquationOfOneAngle) {
  const model::Built b = built(parallelogram());
  const auto angle = [&](const char* name) { return model::coordinate_named(*b.model, name); };
  Dynamics dynamics(b, {angle("a")}), by_rocker(b, {angle("a")}, {angle("d.angle")});
  EXPECT_EQ(dynamics.degrees_of_freedom(), 1);
  // the rods' inertias and the coupler's mass at the end of the crank
  const double M = 0.05 + 1.5 * 0.0625 + 0.04 + 1.2 * 0.0625 + 2.5 * 0.25;
  const double lever = (1.5 * 0.25 + 1.2 * 0.25 + 2.5 * 0.5) * kG;
  for (const double q : {0.3, 0.9, -0.7}) {
    const model::State there = dynamics.moved(numbers({q}), numbers({2.}));
    dynamics.at(there);
    by_rocker.at(there);
    EXPECT_NEAR(dynamics.mass()(0, 0), M, kRounding);
    EXPECT_NEAR(dynamics.bias_force()[0], -lever * std::sin(q), 10 * kRounding * lever);
    EXPECT_NEAR(dynamics.forward(numbers({1.})).y_ddot[0], (1 + lever * std::sin(q)) / M, 1e-9);
    EXPECT_NEAR(dynamics.inverse(numbers({3.})).tau[0], 3 * M - lever * std::sin(q), 1e-9);
    // the rocker turns as the crank does: the same torque there
    EXPECT_NEAR(by_rocker.inverse(numbers({3.})).tau[0], 3 * M - lever * std::sin(q), 1e-9);
  }
}

TEST(Dynamics, JacobiansAreThoseOfDifferences) {
  const model::Built b = built(Arm{}.builder());
  Dynamics dynamics(b);
  const model::BodyHandle tool = model::body_named(*b.model, "link5");
  const Vec3 point(0.1, -0.05, 0.2);
  const VecX q = numbers({0.3, -0.5, 0.9, 0.2, -1.1, 0.4}), r = numbers({1, -2, 0.5, 1.5, -1, 2});
  constexpr double kH = 1e-6;
  const auto place = [&](const VecX& y) {
    dynamics.at(dynamics.moved(y, r));
    const model::State& s = dynamics.state();
    const double* c = s.q.data() + 7 * 5;
    return Pose{vec3(c), Quat(c[3], c[4], c[5], c[6]).toRotationMatrix()};
  };
  const Pose before = place(q - kH * r), after = place(q + kH * r), now = place(q);
  const VecX motion = dynamics.coordinate_jacobian(tool, point) * r;
  const Vec3 v = (after.p + after.R * point - before.p - before.R * point) / (2 * kH);
  const Mat3 W = (after.R - before.R) * now.R.transpose() / (2 * kH);
  EXPECT_LT((motion.head<3>() - v).norm(), 1e-8);
  EXPECT_LT((motion.tail<3>() - Vec3(W(2, 1), W(0, 2), W(1, 0))).norm(), 1e-8);
  EXPECT_LT((dynamics.point_jacobian(tool, point) * dynamics.unknown_velocities() - motion).norm(),
            1e-12);
  // J u = 0 and J u' = -bias on the rows
  const MatX J = dynamics.constraint_jacobian();
  EXPECT_LT((J * dynamics.unknown_velocities()).norm(), 1e-12);
  const Dynamics::Motion m = dynamics.inverse(q);
  EXPECT_LT((J * m.u_dot + dynamics.constraint_bias()).norm(), 1e-10);
  VecX left = dynamics.mass_matrix() * m.u_dot - dynamics.force();
  const std::vector<int> rows = dynamics.rows();
  for (std::size_t k = 0; k < rows.size(); ++k)
    left -= m.row_forces[static_cast<std::size_t>(rows[k])] *
            J.row(static_cast<Eigen::Index>(k)).transpose();
  EXPECT_LT((dynamics.motion_of_coordinates().transpose() * left - m.tau).norm(), 1e-9);
}

/// Where nothing holds the coordinates, forward dynamics is what the acceleration formulation does.
TEST(Dynamics, ForwardIsTheAccelerationFormulation) {
  model::Builder b = Rods{}.builder();
  model::LawSpec spring;
  spring.name = "spring";
  spring.type = "spring";
  spring.joint = "knee";
  spring.coordinate = "angle";
  spring.numbers = {{"stiffness", 12}, {"damping", 0.4}};
  b.add_law(spring);
  const model::Built made = built(b);
  Dynamics dynamics(made);
  const model::State there = dynamics.moved(numbers({0.4, 0.9}), numbers({1, -3}));
  dynamics.at(there);
  EXPECT_TRUE(dynamics.left_out().empty());
  form::Settings settings;
  settings.formulation = form::Settings::Formulation::acceleration;
  form::Acceleration forces(*made.model, made.params, settings);
  forces.load(there);
  const Dynamics::Motion m = dynamics.forward(VecX::Zero(2));
  for (std::size_t i = 0; i < forces.accelerations().size(); ++i)
    EXPECT_NEAR(m.u_dot[static_cast<Eigen::Index>(i)], forces.accelerations()[i], 1e-11);
  for (std::size_t i = 0; i < m.row_forces.size(); ++i)
    EXPECT_NEAR(m.row_forces[i], forces.row_forces()[i], 1e-10);
}

TEST(Linearise, HangingRodsSwingAsTheirMassesAndLeversSay) {
  const Rods rods;
  Dynamics dynamics(built(rods.builder()));
  const Linearised at_rest = linearise(dynamics);
  const auto [M, h] = rods.by_hand(VecX::Zero(2), VecX::Zero(2));
  const double low = rods.m2 * kG * rods.L2 / 2;
  MatX K(2, 2);
  K << (rods.m1 / 2 + rods.m2) * kG * rods.L1 + low, low, low, low;
  EXPECT_LT((at_rest.A.bottomLeftCorner(2, 2) + M.inverse() * K).norm(), 1e-9 * K.norm());
  EXPECT_LT(at_rest.A.bottomRightCorner(2, 2).norm(), 1e-9);
  EXPECT_LT((at_rest.B.bottomRows(2) - M.inverse()).norm(), 1e-10);
  EXPECT_LT(at_rest.error, 1e-9);
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatX> by_hand(K, M);
  const std::vector<Mode> found = modes(at_rest);
  ASSERT_EQ(found.size(), 2u);
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_NEAR(found[k].frequency,
                std::sqrt(by_hand.eigenvalues()[static_cast<Eigen::Index>(k)]) / (2 * M_PI), 1e-9);
    EXPECT_NEAR(found[k].damping, 0, 1e-9);
    const VecX v = by_hand.eigenvectors().col(static_cast<Eigen::Index>(k));
    EXPECT_NEAR(std::abs(found[k].shape[0] / found[k].shape[1] - v[0] / v[1]), 0, 1e-8);
  }
}

/// Without a spring the greatest entry is the one by which a rate changes its place; with one of
/// 8/s^2 it is that one, and rounding a share of it.
TEST(Linearise, ItsErrorIsAShareOfTheGreatestEntry) {
  const auto error = [](double stiffness) {
    model::Builder b;
    b.gravity.setZero();
    b.add_body(body("cart", 1, {1, 1, 1, 0, 0, 0}, Vec3::Zero()));
    model::JointSpec slide = hinge("slide", "ground", "cart", Vec3::Zero(), Vec3::UnitX());
    slide.type = "prismatic";
    b.add_joint(slide);
    model::LawSpec spring;
    spring.name = "spring";
    spring.type = "spring";
    spring.joint = "slide";
    spring.numbers = {{"stiffness", stiffness}};
    b.add_law(spring);
    Dynamics dynamics(built(b));
    return linearise(dynamics).error;
  };
  EXPECT_GT(error(0), 0);
  EXPECT_NEAR(error(0) / error(8), 8, 1);
}

TEST(Linearise, AMovingStateHasTheSlopesOfTheEquationOnPaper) {
  const Rods rods;
  Dynamics dynamics(built(rods.builder()));
  const VecX q = numbers({0.7, -0.4}), r = numbers({2, -1}), tau = numbers({3, 1});
  dynamics.at(dynamics.moved(q, r));
  const Linearised found = linearise(dynamics, tau);
  const auto acceleration = [&](const VecX& y, const VecX& v) {
    const auto [M, h] = rods.by_hand(y, v);
    return VecX(M.llt().solve(tau - h));
  };
  constexpr double kH = 1e-5;  // differences of it to 1e-9
  for (Eigen::Index k = 0; k < 2; ++k) {
    const VecX e = kH * VecX::Unit(2, k);
    const VecX by_y = (acceleration(q + e, r) - acceleration(q - e, r)) / (2 * kH);
    const VecX by_v = (acceleration(q, r + e) - acceleration(q, r - e)) / (2 * kH);
    EXPECT_LT((found.A.col(k).tail(2) - by_y).norm(), 1e-7);
    EXPECT_LT((found.A.col(2 + k).tail(2) - by_v).norm(), 1e-7);
  }
  EXPECT_LT((found.y_ddot - acceleration(q, r)).norm(), 1e-10);
  EXPECT_EQ(complaint([&] { modes(found); }).substr(0, 27), "the state is no equilibrium");
  // a step: the motion itself to third order
  const double h = 1e-3;
  const Discrete step = discretise(found, h);
  EXPECT_LT((step.c.head(2) - h * r - h * h / 2 * found.y_ddot).norm(), 1e-7);
  EXPECT_EQ(complaint([&] { discretise(found, 0); }), "a step of 0 s is none");
}

TEST(Linearise, ALoopThatStandsUprightFallsAndOneWithADamperComesToRest) {
  const model::Built upright = built(parallelogram());
  Dynamics dynamics(upright, {model::coordinate_named(*upright.model, "a")});
  const double M = 0.05 + 1.5 * 0.0625 + 0.04 + 1.2 * 0.0625 + 2.5 * 0.25;
  const double lever = (1.5 * 0.25 + 1.2 * 0.25 + 2.5 * 0.5) * kG;
  const std::vector<Mode> falls = modes(linearise(dynamics));
  ASSERT_EQ(falls.size(), 2u);
  EXPECT_NEAR(std::abs(falls[0].eigenvalue.real()), std::sqrt(lever / M), 1e-8);
  model::Builder b = parallelogram();
  model::LawSpec spring;
  spring.name = "spring";
  spring.type = "spring";
  spring.joint = "d";
  spring.coordinate = "angle";
  spring.numbers = {{"stiffness", 60}, {"damping", 2}};
  b.add_law(spring);
  const model::Built held = built(b);
  Dynamics sprung(held, {model::coordinate_named(*held.model, "a")});
  const std::vector<Mode> rests = modes(linearise(sprung));
  ASSERT_EQ(rests.size(), 1u);
  const double w = std::sqrt((60 - lever) / M);
  EXPECT_NEAR(std::abs(rests[0].eigenvalue), w, 1e-8);
  EXPECT_NEAR(rests[0].damping, 2 / M / (2 * w), 1e-9);
}

TEST(Dynamics, DrivesAndMotorsOnItsCoordinatesAreTheAnswer) {
  model::Builder b = Rods{}.builder();
  model::LawSpec motor;
  motor.type = "motor";
  motor.coordinate = "angle";
  motor.numbers = {{"force_min", -1}, {"force_max", 1}};
  motor.name = "drive";
  motor.joint = "knee";
  motor.drive = Drive{Drive::Level::velocity, 0.};
  b.add_law(motor);
  const model::Built made = built(b);
  Dynamics all(made), plain(built(Rods{}.builder()));
  EXPECT_TRUE(all.left_out().empty());
  EXPECT_NEAR((all.mass() - plain.mass()).norm(), 0, 1e-12);
  model::Builder pushed = Rods{}.builder();
  model::LawSpec actuator;
  actuator.name = "pusher";
  actuator.type = "actuator";
  actuator.joint = "top";
  actuator.coordinate = "angle";
  actuator.force = Signal(7);
  pushed.add_law(actuator);
  Dynamics given(built(pushed));
  EXPECT_NEAR((given.bias_force() - plain.bias_force()).norm(), 0, 1e-12);
  model::Builder c = parallelogram();
  motor.joint = "d";
  c.add_law(motor);
  const model::Built loop = built(c);
  EXPECT_EQ(Dynamics(loop, {model::coordinate_named(*loop.model, "a")}).left_out(),
            (std::vector<std::string>{"drive"}));
}

TEST(Dynamics, SaysWhatCannotBe) {
  const model::Built b = built(parallelogram()), other = built(Rods{}.builder());
  const auto angle = [&](const char* name) { return model::coordinate_named(*b.model, name); };
  EXPECT_EQ(
      complaint([&] {
        Dynamics(b, {angle("a"), angle("d")});
      }),
      "2 coordinates (a.angle, d.angle) cannot be independent: the mechanism has 1 degrees of "
      "freedom");
  EXPECT_EQ(complaint([&] { Dynamics(other, {model::coordinate_named(*other.model, "top")}); }),
            "the coordinates top.angle determine 1 of the 2 degrees of freedom: give 1 more");
  EXPECT_EQ(complaint([&] { Dynamics(b, {model::coordinate_named(*other.model, "top")}); }),
            "the handle of a coordinate belongs to another mechanism than this one");
  EXPECT_EQ(complaint([&] { Dynamics(b, {model::CoordinateHandle{}}); }),
            "the handle of a coordinate is null: it stands for nothing");
  EXPECT_EQ(complaint([&] { angle("e"); }),
            "there is no coordinate 'e'; known: a.angle, b.angle, c.angle, d.angle");
  EXPECT_EQ(complaint([&] { angle("a.angel"); }),
            "there is no coordinate 'a.angel'; did you mean 'a.angle'?");
  EXPECT_EQ(complaint([&] { Dynamics(model::Built{}); }), "there is no model: build one first");
  Dynamics dynamics(b, {angle("a")});
  EXPECT_EQ(complaint([&] { dynamics.inverse(VecX::Zero(2)); }),
            "accelerations of the coordinates: 2 numbers are given where 1 are taken");
  EXPECT_EQ(complaint([&] { dynamics.forward(numbers({std::nan("")})); }),
            "forces on the coordinates: not all are finite");
  EXPECT_EQ(complaint([&] { dynamics.at(other.state); }),
            "the state is none of this mechanism: its sizes differ");
  EXPECT_EQ(complaint([&] {
              Dynamics(b, {angle("a")}, {angle("b"), angle("c")}).inverse(numbers({1}));
            }),
            "the forces are underdetermined: 2 coordinates are actuated where 1 move");
}

TEST(Dynamics, AFreeBodyHasUnknownsAndNoCoordinates) {
  model::Builder b;
  b.add_body(body("top", 2, {0.1, 0.2, 0.25, 0, 0, 0}, {1, 2, 3}));
  Dynamics dynamics(built(b));
  EXPECT_EQ(dynamics.degrees_of_freedom(), 6);
  EXPECT_NEAR(dynamics.mass_matrix()(0, 0), 2, 0);
  EXPECT_NEAR(dynamics.forward(VecX(0)).u_dot[2], -kG, 1e-14);
  EXPECT_EQ(complaint([&] { dynamics.mass(); }),
            "the coordinates of joints determine 0 of the 6 degrees of freedom: give 6 more");
}

}  // namespace
}  // namespace trammel::sim::dynamics_test
