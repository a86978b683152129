// The acceleration formulation on tracks, and on Andrews' squeezing mechanism.
#include <fmt/format.h>

#include <map>

#include "form/formulation.h"
#include "track_support.h"

namespace trammel::acceptance::acceleration_mechanisms_test {
namespace {

form::Settings dp8(double accuracy) {
  form::Settings s;
  s.formulation = form::Settings::Formulation::acceleration;
  s.accuracy = {accuracy, accuracy, accuracy, accuracy, accuracy};
  return s;
}

TEST(AccelerationTrack, MassesFallAlongAHelixAsTheyShould) {
  for (const bool point : {true, false}) {
    const double mass = point ? 1 : 2, inertia = point ? 1 : 20;
    geom::HelixSpec helix{.radius = 5, .pitch = -6, .turns = 20, .up = !point};
    model::Builder b;
    b.add_track(track_of(std::make_shared<geom::Helix>(helix)));
    b.add_body(on_track("mass", mass, 0, 0, {inertia, inertia, inertia, 0, 0, 0}));
    b.add_joint(running("mass", point ? point_on_track() : nullptr));
    Ride ride(b, 0.1, 10, dp8(1e-9));
    ride.to_end();
    const double a = point ? 1.8403093738302 : 1.3278581103689;
    EXPECT_NEAR(ride.s() / (50 * a), 1, 1e-10);
    if (point) {  // reactions at the end; falling clockwise, the binormal points down
      EXPECT_NEAR(ride.force(0) / 65.3510513144, 1, 1e-9);
      EXPECT_NEAR(-ride.force(1) / 9.6358373486, 1, 1e-9);
    }
    EXPECT_LE(ride.sim.summary().energy_residual_rel(), 1e-9);
    EXPECT_LE(ride.sim.summary().max_gap, 1e-12);
    EXPECT_LE(ride.sim.summary().momentum_residual_rel, 1e-9);
  }
}

TEST(AccelerationTrack, PiecesArePassedAndOpenEndsLeft) {
  // straight, R = 50 m, straight, R = 30 m the other way; 20 m/s
  const auto curve = arcs({{0, 20}, {1. / 50, 30}, {0, 10}, {-1. / 30, 20}});
  model::Builder b;
  b.add_track(track_of(curve));
  b.add_body(on_track("car", 2, 1, 20, {1, 2, 2, 0, 0, 0}));
  b.add_joint(running("car"));
  Ride forces(b, 0.05, 6, dp8(1e-10)), impulses(b, 5e-4, 6);
  std::vector<form::Event> one, other;
  while (!forces.sim.finished() && forces.sim.advance())
    for (auto& e : forces.sim.take_events()) one.push_back(e);
  while (!impulses.sim.finished() && impulses.sim.advance())
    for (auto& e : impulses.sim.take_events()) other.push_back(e);
  ASSERT_EQ(forces.sim.failure(), "");
  ASSERT_EQ(one.size(), other.size());
  ASSERT_GE(one.size(), 4u);  // three borders and the end
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(one[i].kind, other[i].kind);
    EXPECT_NEAR(one[i].t, other[i].t, 1e-6);          // truncation of the other, h^2
    EXPECT_NEAR(one[i].value, other[i].value, 1e-3);  // losses [J], places [m]
  }
  EXPECT_NEAR((forces.p() - impulses.p()).norm(), 0, 1e-3);
  EXPECT_LE(forces.sim.summary().energy_residual_rel(), 1e-9);
}

// ---- prescribed bodies, couplings, signals with knots

/// A rod on a joint at a trolley that swings in space and turns.
model::Builder hung_rod(const std::string& type) {
  const auto wave = [](double a, double w) {
    return Drive{
        Drive::Level::displacement, Signal::function([a, w](double t) {
          return Jet{a * std::sin(w * t), a * w * std::cos(w * t), -a * w * w * std::sin(w * t)};
        })};
  };
  model::Builder b;
  model::BodySpec trolley;
  trolley.name = "trolley";
  body::Prescribed motion;
  motion.displacement = {wave(0.3, 3), wave(0.2, 5), wave(0.1, 7)};
  motion.turns = {{Vec3::UnitZ(), wave(0.4, 2)}, {Vec3::UnitX(), wave(0.3, 4)}};
  trolley.motion = motion;
  b.add_body(trolley);
  b.add_body(box("rod", {1, 0.05, 0.05}, 2.5, {Vec3(0, 0, -0.5), about(Vec3::UnitY(), M_PI / 2)}));
  b.add_joint(joint("hook", type, "trolley", "rod", frame(Vec3::Zero(), Vec3::UnitY())));
  return b;
}

TEST(AccelerationLaws, PrescribedBodiesWorkThroughTheirJoints) {
  for (const char* type : {"spherical", "revolute", "universal"}) {
    SCOPED_TRACE(type);
    const model::Built mechanism = built(hung_rod(type));
    Simulation forces(mechanism, settings(2, 0.1, dp8(1e-10)));
    run(forces);
    EXPECT_LE(forces.summary().energy_residual, 1e-9);
    EXPECT_LE(forces.summary().momentum_residual_rel, 1e-9);
    EXPECT_LE(forces.summary().max_gap, 1e-12);
    EXPECT_GE(std::abs(forces.state().ledger[model::kLocks]), 0.05);  // it has been worked on [J]
    std::array<double, 3> e{};
    for (std::size_t i = 0; i < 3; ++i) {
      Simulation impulses(mechanism, settings(2, 4e-3 / (1 << i)));
      run(impulses);
      e[i] = (pose(impulses, "rod").p - pose(forces, "rod").p).norm();
    }
    for (const double order : orders(e)) EXPECT_NEAR(order, 2, 0.2);
  }
}

/// 20 and 50 teeth: a = M / (I1 + (20/50)^2 I2); some hundred turns in one step of the grid.
TEST(AccelerationLaws, GearsShareATorqueOverManyTurns) {
  model::Builder b;
  for (const auto& [name, x, inertia] :
       {std::tuple("small", 0., 0.2), std::tuple("large", 1., 3.)}) {
    const Pose at = frame(Vec3(x, 0, 0), Vec3::UnitZ());
    b.add_body(solid(name, 3, Vec3(inertia, 0.8 * inertia, 0.8 * inertia), at));
    b.add_joint(joint(std::string(name) + "_axle", "revolute", "ground", name, at));
  }
  auto gear = model::gear({"small_axle", "angle"}, {"large_axle", "angle"}, 20, 50, false);
  gear.name = "gear";
  b.add_coupling(gear);
  model::LoadSpec torque;
  torque.name = "torque";
  torque.body = "small";
  torque.type = "torque";
  torque.value[2] = Signal(0.7);
  b.add_load(torque);
  for (const double accuracy : {1e-9, 1.}) {  // 1: turns alone make the steps short
    Simulation sim(built(b), settings(30, 30, dp8(accuracy)));
    run(sim);
    const double a = 0.7 / (0.2 + 0.16 * 3);
    const double off = accuracy < 1 ? 1e-9 : 1e-2;
    EXPECT_NEAR(velocity(sim, "small").second.z(), 30 * a, off * 30 * a);
    EXPECT_NEAR(velocity(sim, "large").second.z(), -0.4 * 30 * a, off * 30 * a);
    EXPECT_LE(sim.summary().max_angle, 1e-11);
    EXPECT_NEAR(sim.state().angle[0], 450 * a, off * 450 * a);
  }
}

/// A force with kinks and a step off the grid: steps of the method end there, so that it is exact.
TEST(AccelerationLaws, ForcesWithKnotsAreFollowedExactly) {
  model::Builder b;
  b.gravity.setZero();
  b.add_body(solid("mass", 2, {1, 1, 1}));
  model::LoadSpec push;
  push.name = "push";
  push.body = "mass";
  push.value[0] = Signal::spline({0.123, 0.4567, 0.4567, 0.9}, {0, 6, -2, 4});
  b.add_load(push);
  for (const auto method : {RungeKuttaMethod::rk4, RungeKuttaMethod::dp5, RungeKuttaMethod::dp8}) {
    form::Settings s = dp8(1e-9);
    s.method = method;
    Simulation sim(built(b), settings(2, 0.25, s));
    run(sim);
    // impulse: triangle, then -2 to 4 linearly, then 4 to the end
    const double I = (0.4567 - 0.123) * 3 + (0.9 - 0.4567) * 1 + (2 - 0.9) * 4;
    EXPECT_NEAR(velocity(sim, "mass").first.x(), I / 2, 1e-13);  // rounding
    EXPECT_LE(sim.summary().energy_residual, 1e-12);
  }
}

// ---- Andrews' squeezing mechanism (IFToMM A03)

struct Bar {
  const char* name;
  double mass, inertia, angle;
  Vec3 com;
};

Vec3 flat(double x, double y) { return {x, y, 0}; }
/// sin a and cos a as they go with a bar's points: along (cos, sin) and across (sin, -cos).
Vec3 along(double a) { return flat(std::cos(a), std::sin(a)); }
Vec3 across(double a) { return flat(std::sin(a), -std::cos(a)); }

/// Angles of the start: beta, Theta, gamma, Phi, delta, Omega, epsilon.
constexpr std::array kStart{-0.0617138900142764496, 0.,
                            0.455279819163070380,   0.222668390165885885,
                            0.487364979543842550,   -0.222668390165885885,
                            1.23054744454982120};

model::Built andrews() {
  constexpr double d = 0.028, da = 0.0115, e = 0.02, ea = 0.01421, rr = 0.007, ra = 0.00092,
                   ss = 0.035, sa = 0.01874, sb = 0.01043, sc = 0.018, sd = 0.02, ta = 0.02308,
                   tb = 0.00916, u = 0.04, ua = 0.01228, ub = 0.00449, zf = 0.02, zt = 0.04,
                   fa = 0.01421;
  const Vec3 A = flat(-0.06934, -0.00227), B = flat(-0.03635, 0.03273), C = flat(0.014, 0.072);
  const auto [beta, T, g, F, D, O, E] =
      std::tuple(kStart[0], kStart[1], kStart[2], kStart[3], kStart[4], kStart[5], kStart[6]);
  const Vec3 tip = rr * along(beta), P = tip - d * along(beta + T), K5 = A + zt * along(D),
             K7 = A + u * across(E);
  EXPECT_NEAR((B + ss * across(g) - P).norm(), 0, 1e-15);
  EXPECT_NEAR((K5 + e * across(F + D) - P).norm(), 0, 1e-15);
  EXPECT_NEAR((K7 + zf * along(O + E) - P).norm(), 0, 1e-15);
  const std::array<Bar, 7> bars{
      {{"K1", 0.04325, 2.194e-6, beta, ra * along(beta)},
       {"K2", 0.00365, 4.410e-7, beta + T, tip - da * along(beta + T)},
       {"K3", 0.02373, 5.255e-6, g, B + sa * across(g) + sb * along(g)},
       {"K4", 0.00706, 5.667e-7, F + D, K5 + (e - ea) * across(F + D)},
       {"K5", 0.07050, 1.169e-5, D, A + ta * along(D) + tb * across(D) * -1},
       {"K6", 0.00706, 5.667e-7, O + E, K7 + (zf - fa) * along(O + E)},
       {"K7", 0.05498, 1.912e-5, E, A + ua * across(E) - ub * along(E)}}};
  model::Builder b;
  b.gravity.setZero();
  for (const Bar& bar : bars) {
    const Mat3 R = Eigen::AngleAxisd(bar.angle, Vec3::UnitZ()).toRotationMatrix();
    b.add_body(solid(bar.name, bar.mass, Vec3::Constant(bar.inertia), {bar.com, R}));
  }
  const auto hinge = [&](const char* one, const char* other, const Vec3& p) {
    b.add_joint(joint(std::string(one) + other, "revolute", one, other, frame(p, Vec3::UnitZ())));
  };
  hinge("ground", "K1", Vec3::Zero());
  hinge("K1", "K2", tip);
  hinge("ground", "K3", B);
  hinge("K2", "K3", P);
  hinge("ground", "K5", A);
  hinge("K5", "K4", K5);
  hinge("K2", "K4", P);
  hinge("ground", "K7", A);
  hinge("K7", "K6", K7);
  hinge("K2", "K6", P);
  model::LoadSpec drive;
  drive.name = "drive";
  drive.body = "K1";
  drive.type = "torque";
  drive.value[2] = Signal(0.033);
  b.add_load(drive);
  // between C on the ground and a point of K3: the distance of two points
  const Vec3 S = B + sc * across(g) + sd * along(g);
  auto reach = joint("reach", "", "ground", "K3", {});
  const std::vector<std::string> none, coordinates{"length = sqrt(D.D)"};
  auto parsed = trammel::joint::make_table("reach", none, none, coordinates);
  reach.table = std::make_shared<const trammel::joint::Table>(std::move(parsed.table));
  reach.at.reset();
  reach.frame_a = Pose{C, Mat3::Identity()};
  const Mat3 R3 = Eigen::AngleAxisd(g, Vec3::UnitZ()).toRotationMatrix();
  reach.frame_b = Pose{R3.transpose() * (S - bars[2].com), R3.transpose()};
  b.add_joint(reach);
  b.add_law(law("spring", "spring", "reach", "length", {{"stiffness", 4530}, {"rest", 0.07785}}));
  return built(b);
}

TEST(Acceleration, AndrewsMechanismMeetsItsReference) {
  const model::Built mechanism = andrews();
  form::Settings settings = dp8(1e-11);
  form::Acceleration form(*mechanism.model, mechanism.params, settings);
  model::State state = mechanism.state;
  ASSERT_TRUE(form.load(state));
  form::StepReport report;
  std::array<double, 7> turned{};
  const std::array<double, 7> exact{
      15.8107711951537071, -15.7563710584118395, 0.0408222401196458, -0.534730116342079594,
      0.524409965879954,   0.534730116342079594, 1.04808074104193787};
  const auto angle = [&](int i) {
    const Mat3& R = form.now().T_WO[static_cast<std::size_t>(i + 1)].A;
    return std::atan2(R(1, 0), R(0, 0));
  };
  for (int i = 0; i < 7; ++i) turned[static_cast<std::size_t>(i)] = angle(i);
  double energy = form.total_energy(state), worst = 0;
  for (int k = 0; k < 300; ++k) {
    form.step(state, 1e-4, report);
    ASSERT_EQ(report.status, form::Status::ok) << report.reason << " at " << state.t;
    for (int i = 0; i < 7; ++i) {
      double& a = turned[static_cast<std::size_t>(i)];
      a += std::remainder(angle(i) - a, 2 * M_PI);
    }
    double accounted = 0;
    for (const double w : state.ledger) accounted += w;
    worst = std::max(worst, std::abs(form.total_energy(state) - energy - accounted));
  }
  const auto [b, T, g, F, D, O, E] =
      std::tuple(exact[0], exact[1], exact[2], exact[3], exact[4], exact[5], exact[6]);
  const std::array<double, 7> to{b, b + T, g, F + D, D, O + E, E};
  // the published vector is good to 3e-10
  for (std::size_t i = 0; i < 7; ++i) EXPECT_NEAR(turned[i], to[i], 2e-9) << i;
  EXPECT_NEAR(form.velocities()[5], 1139.92030225910606, 1e-6);
  EXPECT_EQ(state.rows.redundant, 1);
  EXPECT_LE(report.gap, 1e-12);
  EXPECT_LE(worst, 1e-10);  // of 0.5 J that the drive brings
}

}  // namespace
}  // namespace trammel::acceptance::acceleration_mechanisms_test
