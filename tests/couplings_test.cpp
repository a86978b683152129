// Couplings between the coordinates of joints: gears, belts, screws, racks, pulleys, cams.
#include <fmt/core.h>

#include "math/rotation.h"
#include "model/ledger.h"
#include "model/rank.h"
#include "solve/product.h"
#include "support.h"

namespace trammel::acceptance::couplings_test {
namespace {

void record(const char* name, double value) {
  ::testing::Test::RecordProperty(name, fmt::format("{:.3g}", value));
}

/// A wheel about the world's axis through p, free to turn.
void add_wheel(model::Builder& b, const std::string& name, const Vec3& p, double spin_inertia,
               const Vec3& axis = Vec3::UnitZ()) {
  b.add_body(
      solid(name, 3, Vec3(spin_inertia, 0.8 * spin_inertia, 0.8 * spin_inertia), frame(p, axis)));
  b.add_joint(joint(name + "_axle", "revolute", "ground", name, frame(p, axis)));
}

/// A weight that slides along an axis, its travel upwards.
void add_weight(model::Builder& b, const std::string& name, const Vec3& p, double mass,
                const Vec3& axis = Vec3::UnitZ()) {
  b.add_body(solid(name, mass, {1, 1, 1}, {p}));
  b.add_joint(joint(name + "_slide", "prismatic", "ground", name, frame(p, axis)));
}

void add(model::Builder& b, model::CouplingSpec c) {
  c.name = "coupling";
  b.add_coupling(std::move(c));
}

model::LoadSpec torque(const std::string& body, double about_z) {
  model::LoadSpec l;
  l.name = "torque";
  l.body = body;
  l.type = "torque";
  l.value[2] = about_z;
  return l;
}

double spin(const sim::Simulation& sim, const std::string& body) {
  return velocity(sim, body).second.z();
}

void expect_held(const sim::Simulation& sim) {
  EXPECT_LE(sim.summary().max_gap, 1e-11);
  EXPECT_LE(sim.summary().max_angle, 1e-11);
  EXPECT_LE(sim.summary().max_row_speed, 1e-10);
  EXPECT_LE(sim.summary().momentum_residual_rel, 1e-11);
  EXPECT_EQ(sim.summary().fallbacks, 0);
}

/// 20 and 50 teeth: a = M / (I1 + (20/50)^2 I2) about z, the other way round unless internal. After
/// 30 s the wheels have turned some hundred times.
TEST(Coupling, GearsShareATorque) {
  for (const bool internal : {false, true}) {
    model::Builder b;
    add_wheel(b, "small", {0, 0, 0}, 0.2);
    add_wheel(b, "large", {0.35, 0, 0}, 3);
    add(b, model::gear({"small_axle", "angle"}, {"large_axle", "angle"}, 20, 50, internal));
    b.add_load(torque("small", 0.7));
    Simulation sim(built(b), settings(30, 1e-2));
    run(sim);
    const double a = 0.7 / (0.2 + 0.16 * 3), ratio = internal ? 0.4 : -0.4;
    EXPECT_NEAR(spin(sim, "small"), 30 * a, 1e-9 * 30 * a);  // rounding
    EXPECT_NEAR(spin(sim, "large"), ratio * 30 * a, 1e-9 * 30 * a);
    expect_held(sim);
    EXPECT_LE(sim.summary().energy_residual_rel(), 1e-10);
  }
}

TEST(Coupling, ABeltTurnsBothWheelsTheSameWay) {
  model::Builder b;
  add_wheel(b, "a", {0, 0, 0}, 0.2);
  add_wheel(b, "b", {1, 0, 0}, 0.9);
  add(b, model::belt({"a_axle", "angle"}, {"b_axle", "angle"}, 0.1, 0.3));
  b.add_load(torque("a", 0.7));
  Simulation sim(built(b), settings(3, 1e-2));
  run(sim);
  const double a = 0.7 / (0.2 + 0.9 / 9);
  EXPECT_NEAR(spin(sim, "a"), 3 * a, 1e-10);
  EXPECT_NEAR(spin(sim, "b"), a, 1e-10);
  expect_held(sim);
}

/// A nut that turns as it sinks: a = g / (1 + I (2 pi / p)^2 / m).
TEST(Coupling, AScrewSinks) {
  model::Builder b;
  b.add_body(solid("nut", 2, {0.01, 0.01, 0.01}, frame(Vec3::Zero(), Vec3::UnitZ())));
  b.add_joint(joint("thread", "cylindrical", "ground", "nut", frame(Vec3::Zero(), Vec3::UnitZ())));
  const double pitch = 0.2;
  add(b, model::screw({"thread", "travel"}, {"thread", "angle"}, pitch));
  Simulation sim(built(b), settings(5, 1e-3));
  run(sim);
  const double turn = 2 * M_PI / pitch, a = -9.81 / (1 + 0.01 * turn * turn / 2);
  EXPECT_NEAR(pose(sim, "nut").p.z(), a * 25 / 2, 1e-9);  // rounding: the motion is parabolic
  EXPECT_NEAR(spin(sim, "nut"), turn * 5 * a, 1e-8);      // 70 turns
  expect_held(sim);
}

/// A weight on a rack: a = g / (1 + I / (m r^2)).
TEST(Coupling, ARackTurnsItsPinion) {
  model::Builder b;
  add_weight(b, "rack", {0, 0, 0}, 4);
  add_wheel(b, "pinion", {0.1, 0, 0}, 0.06, Vec3::UnitY());
  add(b, model::rack({"rack_slide", "travel"}, {"pinion_axle", "angle"}, 0.1));
  Simulation sim(built(b), settings(2, 1e-3));
  run(sim);
  const double a = -9.81 / (1 + 0.06 / (4 * 0.01));
  EXPECT_NEAR(pose(sim, "rack").p.z(), 2 * a, 1e-10);
  EXPECT_NEAR(velocity(sim, "pinion").second.y(), 2 * a / 0.1, 1e-9);
  expect_held(sim);
}

/// Atwood's machine with a moving pulley: x1 + 2 x2 stays.
TEST(Coupling, APulleyHangsTwoWeights) {
  model::Builder b;
  add_weight(b, "one", {0, 0, 0}, 4);
  add_weight(b, "two", {1, 0, 0}, 5);
  add(b, model::pulley({"one_slide", "travel"}, {"two_slide", "travel"}, 2));
  Simulation sim(built(b), settings(2, 1e-3));
  run(sim);
  const double a2 = (2 * 4 - 5) * 9.81 / (4 * 4 + 5);  // m2 a2 = 2 T - m2 g, m1 (-2 a2) = T - m1 g
  EXPECT_NEAR(pose(sim, "two").p.z(), 2 * a2, 1e-10);
  EXPECT_NEAR(pose(sim, "one").p.z(), -4 * a2, 1e-10);
  expect_held(sim);
}

/// A cam driven at constant speed: the follower keeps to its profile, the drive gives its energy.
TEST(Coupling, ACamLiftsItsFollower) {
  model::Builder b;
  add_weight(b, "follower", {0, 0, 0.05}, 2);
  add_wheel(b, "cam", {0, 0, 0}, 0.1, Vec3::UnitY());
  const auto profile = std::make_shared<joint::Profile>([](double x) {
    return Jet{0.01 * (1 - std::cos(3 * x)), 0.03 * std::sin(3 * x), 0.09 * std::cos(3 * x)};
  });
  add(b, model::cam({"follower_slide", "travel"}, {"cam_axle", "angle"}, profile));
  model::LawSpec drive = law("drive", "driven", "cam_axle", "angle");
  drive.drive = Drive{Drive::Level::velocity, Signal(2.0)};
  b.add_law(drive);
  Simulation sim(built(b), settings(10, 1e-3));
  double worst = 0;
  run(sim, [&] {
    const double lift = 0.01 * (1 - std::cos(6 * sim.state().t));
    worst = std::max(worst, std::abs(pose(sim, "follower").p.z() - 0.05 - lift));
  });
  record("worst_m", worst);
  EXPECT_LE(worst, 1e-11);
  expect_held(sim);
  EXPECT_LE(sim.summary().energy_residual_rel(), 1e-4);  // truncation
}

/// Gears whose axles lie on a carrier in free space, seen by nobody: momentum stays, energy too.
model::Builder differential() {
  model::Builder b;
  b.gravity.setZero();
  b.add_body(solid("carrier", 2, {0.3, 0.4, 0.5}));
  const std::pair<const char*, Vec3> wheels[] = {{"a", {0.2, 0, 0}}, {"b", {-0.3, 0.1, 0}}};
  for (const auto& [name, p] : wheels) {
    b.add_body(solid(name, 1, {0.04, 0.03, 0.03}, frame(p, Vec3(0.1, 0.3, 1))));
    b.add_joint(joint(std::string(name) + "_axle", "revolute", "carrier", name,
                      frame(p, Vec3(0.1, 0.3, 1))));
  }
  add(b, model::gear({"a_axle", "angle"}, {"b_axle", "angle"}, 17, 31));
  return b;
}

TEST(Coupling, GearsInSpaceKeepMomentumAndEnergy) {
  model::Builder b = differential();
  b.add_law(law("spring", "spring", "a_axle", "angle", {{"stiffness", 3}, {"rest", 2}}));
  std::array<double, 2> energy{};
  for (std::size_t i = 0; i < 2; ++i) {
    Simulation sim(built(b), settings(5, i ? 1e-3 : 2e-3));
    double moved = 0;
    run(sim, [&] { moved = std::max(moved, std::abs(coordinate(sim, "b_axle", "angle"))); });
    EXPECT_GT(moved, 0.1);
    expect_held(sim);
    Vec3 p = Vec3::Zero(), l = p;
    sim.formulation().kinematics().momentum(sim.state().q.data(), sim.state().P.data(), p, l);
    EXPECT_LE(p.norm(), 1e-12);
    EXPECT_LE(l.norm(), 1e-12);
    energy[i] = sim.summary().energy_residual;
  }
  EXPECT_NEAR(std::log2(energy[0] / energy[1]), 2, 0.1);
}

/// A clutch: a gear whose force is bounded yields at its bound.
TEST(Coupling, AGearWithAForceBoundSlips) {
  model::Builder b;
  add_wheel(b, "a", {0, 0, 0}, 0.2);
  add_wheel(b, "b", {1, 0, 0}, 0.9);
  model::CouplingSpec gear = model::gear({"a_axle", "angle"}, {"b_axle", "angle"}, 1, 1);
  gear.options.force_min = -0.1;
  gear.options.force_max = 0.1;
  gear.options.erp = 0;
  add(b, gear);
  b.add_load(torque("a", 0.7));
  Simulation sim(built(b), settings(2, 1e-3));
  run(sim);
  EXPECT_NEAR(spin(sim, "a"), 2 * 0.6 / 0.2, 1e-6);
  EXPECT_NEAR(spin(sim, "b"), -2 * 0.1 / 0.9, 1e-6);
}

/// A spring instead of a lock: an elastic shaft.
TEST(Coupling, TakesASpring) {
  model::Builder b;
  add_wheel(b, "a", {0, 0, 0}, 0.2);
  add_wheel(b, "b", {1, 0, 0}, 0.2);
  add(b, model::belt({"a_axle", "angle"}, {"b_axle", "angle"}, 1, 1));
  b.add_law(law("shaft", "spring", "coupling", "", {{"stiffness", 40}}));
  b.add_load(torque("a", 0.7));
  Simulation sim(built(b), settings(2, 1e-3));
  run(sim);
  // a1 + a2 = M t^2 / 2 I; a1 - a2 = M/2k (1 - cos w t), w^2 = 2 k / I
  const double sum = 0.7 / 0.2 * 2, w = std::sqrt(400.),
               difference = 0.7 / 80 * w * std::sin(w * 2);
  EXPECT_NEAR(spin(sim, "a"), (sum + difference) / 2, 2e-4);  // truncation
  EXPECT_NEAR(spin(sim, "b"), (sum - difference) / 2, 2e-4);
  EXPECT_LE(sim.summary().energy_residual_rel(), 1e-4);
}

/// J, rate and bias of a coupling of four coordinates against differences, with a prescribed and a
/// grounded end.
TEST(Coupling, DerivativesMatchDifferences) {
  model::Builder b;
  model::BodySpec ship;
  ship.name = "ship";
  ship.motion = body::Prescribed{};
  ship.motion->displacement[1] = {Drive::Level::velocity, Signal(0.4)};
  b.add_body(ship);
  for (const char* name : {"p", "q"}) {
    model::BodySpec body =
        solid(name, 2, {1, 2, 3}, frame({0.5, 0.2, name[0] == 'p' ? 0 : 1.}, {0.3, 1, 0.4}));
    body.v = {0.3, -0.2, 0.5};
    body.w = {0.6, name[0] == 'p' ? 0.7 : -0.4, -0.5};
    b.add_body(body);
  }
  const auto free = [&](const char* name, const char* on_a, const char* on_b) {
    model::JointSpec j = joint(name, "free", on_a, on_b, {});
    j.at.reset();
    j.frame_a = Pose{Vec3(0.1, 0.2, 0.3), exp_matrix({0.1, 0.2, 0.1})};
    j.frame_b = Pose{Vec3(-0.1, 0.1, 0.2), exp_matrix({0.3, -0.1, 0.1})};
    b.add_joint(j);
  };
  free("one", "ground", "p");
  free("two", "p", "q");
  free("three", "ship", "q");
  model::CouplingSpec c;
  c.name = "coupling";
  c.of = {{"one", "x"}, {"two", "yaw"}, {"three", "z"}, {"two", "pitch"}};
  c.coefficients = {1, -0.7, 0.4, 0.2};
  c.profile = std::make_shared<joint::Profile>(model::polynomial({0.1, 0.5, -0.3, 0.2}));
  b.add_coupling(c);
  b.add_law(law("soft", "spring", "coupling", "", {{"stiffness", 1}}));  // so that nothing is held
  const model::Built m = built(b);
  const model::Kinematics kin(*m.model, m.params);
  const auto at = [&](const VecX& du, double t, VecX u) {
    model::State s = m.state;
    kin.retract(du.data(), s.q.data());
    model::KinematicsCache now = kin.make_cache();
    kin.transforms(s.q.data(), t, now);
    kin.jacobians(s, now);
    kin.rates(s.q.data(), u.data(), now);
    struct {
      double g, rate, bias;
    } out{now.g[0], 0, 0};
    kin.row_rates(s, now, &out.rate, &out.bias);
    VecX J = VecX::Zero(12);
    const double one = 1;
    solve::add_transpose(kin.graph(), now.J.data(), &one, J.data());
    EXPECT_NEAR(out.rate, J.dot(u) + now.g_t[0], 1e-13);
    return std::pair(out, J);
  };
  VecX u(12);
  for (int i = 0; i < 12; ++i) u[i] = std::sin(1 + 2.3 * i);
  const auto [now, J] = at(VecX::Zero(12), 0, u);
  constexpr double e = 1e-5;
  for (int i = 0; i < 12; ++i) {
    VecX d = VecX::Zero(12);
    d[i] = e;
    EXPECT_NEAR(J[i], (at(d, 0, u).first.g - at(-d, 0, u).first.g) / (2 * e), 1e-9) << i;
  }
  const auto moved = [&](double t) { return at(t * u, t, u).first; };
  EXPECT_NEAR(now.rate, (moved(e).g - moved(-e).g) / (2 * e), 1e-9);
  EXPECT_NEAR(now.bias, (moved(e).rate - moved(-e).rate) / (2 * e), 1e-8);
}

/// Refused with where it would have to start: 2 x = profile(angle) = 0.4 + ... at angle 0.
TEST(Coupling, AFollowerThatIsNotOnItsCamIsRefused) {
  model::Builder b;
  add_wheel(b, "disc", Vec3::Zero(), 1);
  add_weight(b, "follower", {0, 1, 0}, 1);
  model::CouplingSpec c;
  c.of = {{"follower_slide", "travel"}, {"disc_axle", "angle"}};
  c.coefficients = {2, 1};
  c.profile = std::make_shared<joint::Profile>(model::polynomial({0.4, 0.1}));
  c.from_start = false;
  add(b, std::move(c));
  const auto result = b.build();
  const auto* problems = std::get_if<std::vector<Problem>>(&result);
  ASSERT_TRUE(problems);
  ASSERT_EQ(problems->size(), 1u);
  EXPECT_NE(problems->front().text.find("of joint 'follower_slide', to start at 0.2 m, where it "
                                        "starts at 0 m"),
            std::string::npos)
      << problems->front().text;
}

/// Four slides, each between two free bodies of 1 kg: the sum of their travels stays. Of the rates
/// (1, 0, 0, 0) there is left what keeps it, (3, -1, -1, -1)/4.
TEST(Coupling, FourCoordinatesOfEightBodies) {
  using Formulation = form::Settings::Formulation;
  for (const auto formulation :
       {Formulation::velocity, Formulation::acceleration, Formulation::energy}) {
    model::Builder b;
    b.gravity.setZero();
    model::CouplingSpec sum;
    for (int i = 0; i < 4; ++i) {
      const std::string n = std::to_string(i);
      const Pose X = frame({0, 2. * i, 0});
      b.add_body(solid("a" + n, 1, {1, 1, 1}, X));
      auto slider = solid("b" + n, 1, {1, 1, 1}, X);
      slider.v.x() = i == 0 ? 1 : 0;
      b.add_body(slider);
      b.add_joint(joint("slide" + n, "prismatic", "a" + n, "b" + n, X));
      sum.of.push_back({"slide" + n, "travel"});
      sum.coefficients.push_back(1);
    }
    add(b, std::move(sum));
    form::Settings form;
    form.formulation = formulation;
    form.joint_stiffness = law::kInf;
    Simulation sim(built(b), settings(2, 1e-2, form));
    run(sim);
    for (int i = 0; i < 4; ++i)
      EXPECT_NEAR(coordinate(sim, "slide" + std::to_string(i), "travel"), i == 0 ? 1.5 : -0.5,
                  1e-10);
    EXPECT_LE(sim.summary().momentum_residual_rel, 1e-11);
  }
}

/// The same under 2 N on the first slider, of which the third weighs next to nothing: with m_i =
/// 1/(1/m_a + 1/m_b) the rates begin as l_i - s/m_i, s = 1/sum 1/m, and the forces leave them
/// x_i'' = f_i - s f_0/m_i, f_0 = 2 m/s^2 of the first slider by itself.
TEST(Coupling, FourCoordinatesBesideALightBody) {
  for (const double light : {1., 1e-3, 1e-9, 1e-12}) {
    model::Builder b;
    b.gravity.setZero();
    model::CouplingSpec sum;
    std::array<double, 4> inverse{};
    double all = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      const std::string n = std::to_string(i);
      const double m = i == 2 ? light : 1;
      const Pose X = frame({0, 2. * static_cast<double>(i), 0});
      b.add_body(solid("a" + n, 1, {1, 1, 1}, X));
      auto slider = solid("b" + n, m, {m, m, m}, X);
      slider.v.x() = i == 0 ? 1 : 0;
      b.add_body(slider);
      b.add_joint(joint("slide" + n, "prismatic", "a" + n, "b" + n, X));
      sum.of.push_back({"slide" + n, "travel"});
      sum.coefficients.push_back(1);
      inverse[i] = 1 + 1 / m;
      all += inverse[i];
    }
    add(b, std::move(sum));
    model::LoadSpec push;
    push.name = "push";
    push.body = "b0";
    push.type = "force";
    push.value[0] = Signal(2.);
    b.add_load(push);
    Simulation sim(built(b), settings(1, 1e-2));
    run(sim);
    for (std::size_t i = 0; i < 4; ++i) {
      const double own = i == 0 ? 1 : 0, share = inverse[i] / all;
      const double rate = own - share, acceleration = 2. * (own - share);
      EXPECT_NEAR(coordinate(sim, "slide" + std::to_string(i), "travel"), rate + acceleration / 2,
                  1e-9)
          << i << " beside " << light << " kg";
    }
    EXPECT_EQ(sim.summary().fallbacks, 0) << light;
    EXPECT_LE(sim.summary().momentum_residual_rel, 1e-11) << light;
  }
}

TEST(Coupling, WhatCannotBeIsRefused) {
  model::Builder b;
  add_wheel(b, "a", {0, 0, 0}, 0.2);
  model::CouplingSpec c;
  c.name = "x";
  c.of = {{"a_axle", "angel"}, {"b_axle", "angle"}, {"a_axle", "angle"}, {"a_axle", "angle"}};
  c.coefficients = {1, 0, 2};
  b.add_coupling(c);
  const auto out = b.build();
  const auto* problems = std::get_if<std::vector<Problem>>(&out);
  ASSERT_NE(problems, nullptr);
  std::string all;
  for (const Problem& p : *problems) all += p.path + ": " + p.text + "\n";
  EXPECT_EQ(all,
            "coupling.x: coupling 'x' has 3 coefficients for 4 coordinates\n"
            "coupling.x: coupling 'x' has 'b_axle.angle' with a coefficient of zero\n"
            "coupling.x: coupling 'x' has 'a_axle.angle' twice\n"
            "coupling.x: coupling 'x': a revolute joint has no coordinate 'angel'; did you mean "
            "'angle'?\n"
            "coupling.x: coupling 'x': there is no joint 'b_axle'; did you mean 'a_axle'?\n");
}

/// Kinds of coordinates are checked, with the names and what is expected.
TEST(Coupling, TakesCoordinatesOfItsKinds) {
  using C = model::CoordinateSpec;
  const C angle{"w_axle", "angle", ""}, other{"v_axle", "angle", ""},
      travel{"m_slide", "travel", ""}, rise{"n_slide", "travel", ""};
  const auto said = [&](model::CouplingSpec c) -> std::string {
    model::Builder b;
    add_wheel(b, "w", {0, 0, 0}, 1);
    add_wheel(b, "v", {1, 0, 0}, 1);
    add_weight(b, "m", {2, 0, 0}, 1);
    add_weight(b, "n", {3, 0, 0}, 1);
    add(b, std::move(c));
    const auto result = b.build();
    const auto* problems = std::get_if<std::vector<Problem>>(&result);
    if (!problems) return "";
    return problems->size() == 1 ? problems->front().text : "several";
  };
  EXPECT_EQ(said(model::gear(angle, other, 10, 20)), "");
  EXPECT_EQ(said(model::belt(angle, other, 1, 2)), "");
  EXPECT_EQ(said(model::screw(travel, angle, 0.1)), "");
  EXPECT_EQ(said(model::rack(travel, angle, 0.1)), "");
  EXPECT_EQ(said(model::pulley(travel, rise)), "");
  EXPECT_EQ(said(model::screw(angle, travel, 0.1)),
            "coupling 'coupling': a screw takes a length and an angle, in this order: "
            "'w_axle.angle' is an angle; change them over");
  EXPECT_EQ(said(model::rack(angle, other, 0.1)),
            "coupling 'coupling': a rack takes a length and an angle, in this order: "
            "'w_axle.angle' is an angle");
  EXPECT_EQ(said(model::gear(angle, travel, 10, 20)),
            "coupling 'coupling': a gear takes two angles: 'm_slide.travel' is a length");
  EXPECT_EQ(said(model::belt(travel, rise, 1, 2)),
            "coupling 'coupling': a belt takes two angles: 'm_slide.travel' is a length");
  EXPECT_EQ(said(model::pulley(angle, other)),
            "coupling 'coupling': a pulley takes two lengths: 'w_axle.angle' is an angle");
}

/// Two gears of unequal ratio on one pair, or on a ring of three, leave no motion.
TEST(Coupling, ContradictoryOnesAreNamed) {
  model::Builder b;
  for (int i = 0; i < 5; ++i) add_wheel(b, "w" + std::to_string(i), {1. * i, 0, 0}, 1);
  const auto gear = [&](const std::string& name, int i, int k, double ratio) {
    model::CouplingSpec c = model::gear({"w" + std::to_string(i) + "_axle", "angle", ""},
                                        {"w" + std::to_string(k) + "_axle", "angle", ""}, 1, ratio);
    c.name = name;
    b.add_coupling(std::move(c));
  };
  gear("first", 0, 1, 2);
  gear("again", 0, 1, 2);  // agrees: one too many, but it moves
  gear("apart", 3, 4, 3);
  const auto found = [&] {
    const model::Built m = built(b);
    return model::stilled(*m.model, model::ConstraintSpecs(*m.model, m.params));
  };
  EXPECT_TRUE(found().empty());
  gear("second", 1, 2, 2);
  gear("third", 2, 0, 0.25);  // turns it the other way round: three gears in a ring lock
  const std::vector<model::Stilled> ring = found();
  ASSERT_EQ(ring.size(), 1u);
  EXPECT_EQ(ring[0].couplings.size(), 4u);
  EXPECT_EQ(ring[0].coordinates,
            (std::vector<std::string>{"w0_axle.angle", "w1_axle.angle", "w2_axle.angle"}));
  gear("other", 3, 4, 2);
  const std::vector<model::Stilled> both = found();
  ASSERT_EQ(both.size(), 2u);
  EXPECT_EQ(both[1].couplings.size(), 2u);
  EXPECT_EQ(both[1].coordinates, (std::vector<std::string>{"w3_axle.angle", "w4_axle.angle"}));
}

}  // namespace
}  // namespace trammel::acceptance::couplings_test
