// Contact by forces beside what is known on paper.
#include <algorithm>
#include <numbers>
#include <random>

#include "contact_support.h"
#include "model/ledger.h"

namespace trammel::acceptance::contact_forces_test {
namespace {

form::Settings by_forces() {
  form::Settings out;
  out.formulation = form::Settings::Formulation::acceleration;
  return out;
}

/// The times of the events of a kind.
std::vector<double> times_of(Simulation& sim, form::EventKind kind) {
  std::vector<double> out;
  for (const form::Event& e : sim.take_events())
    if (e.kind == kind) out.push_back(e.t);
  return out;
}

TEST(ContactForces, ABallBouncesAtItsTimes) {
  Simulation sim(built(on_floor({ball("ball", 0.1, 2, {0, 0, 1.1})}, 0, 0.8)),
                 settings(4.2, 1e-2, by_forces()));
  double still_since = 0, highest_at_end = 0;
  run(sim, [&] {
    if (std::abs(velocity(sim, "ball").first.z()) > 0) still_since = sim.state().t;
    if (sim.state().t > 4.1) highest_at_end = std::max(highest_at_end, pose(sim, "ball").p.z());
  });
  const std::vector<double> t = times_of(sim, form::EventKind::impact);
  ASSERT_GT(t.size(), 60U);
  double expected = std::sqrt(2 / kGravity), flight = 2 * expected;
  for (std::size_t k = 0; k < 60; ++k) {
    // the time of an event is found to 3e-10 of a step of the grid
    EXPECT_NEAR(t[k], expected, 1e-10) << k;
    expected += flight *= 0.8;
  }
  EXPECT_NEAR(t.back(), 4.063712768872, 1e-6);  // what is left are flights that take 1e-7 s
  EXPECT_LE(still_since, 4.0701);               // the first end of a step after it
  EXPECT_NEAR(highest_at_end, 0.1, 1e-15);
  EXPECT_NEAR(sim.state().ledger[model::kImpacts], -2 * kGravity, 1e-9);
}

TEST(ContactForces, WithoutLossesABallBouncesForEver) {
  Simulation sim(built(on_floor({ball("ball", 0.1, 2, {0, 0, 1.1})}, 0, 1)),
                 settings(20, 1e-2, by_forces()));
  run(sim);
  EXPECT_LT(sim.summary().energy_residual, 1e-10 * sim.summary().energy_scale);  // rounding
  EXPECT_EQ(times_of(sim, form::EventKind::impact).size(), 22U);
}

TEST(ContactForces, ABlockSlidesDownASlopeAsOnPaper) {
  model::Builder b = on_floor({block("block", {0.3, 0.3, 0.1}, 3, {0, 0, 0.05})}, 0.3);
  b.gravity = down_slope(std::numbers::pi / 6);
  Simulation sim(built(b), settings(1, 1e-1, by_forces()));
  run(sim);
  EXPECT_NEAR(velocity(sim, "block").first.x(), 2.3562872366624, 1e-9);
  EXPECT_NEAR(pose(sim, "block").p.x(), 2.3562872366624 / 2, 1e-9);
  EXPECT_LT(sim.summary().energy_residual, 1e-11 * sim.summary().energy_scale);
  EXPECT_LT(sim.state().ledger[model::kContacts], -1);
}

/// Of what slides by a hair friction is stiff across its slip: 1e-4 beyond its cone it is stepped
/// in reasonable time.
TEST(ContactForces, ABlockSticksWhereTheConeAllowsIt) {
  for (const double more : {1e-6, -1e-4}) {
    model::Builder b = on_floor({block("block", {0.3, 0.3, 0.1}, 3, {0, 0, 0.05})},
                                std::tan(std::numbers::pi / 6) + more);
    b.gravity = down_slope(std::numbers::pi / 6);
    Simulation sim(built(b), settings(0.1, 1e-2, by_forces()));
    run(sim);
    const double slides =
        more < 0 ? kGravity * std::cos(std::numbers::pi / 6) * 1e-5 : 0;  // after 0.1 s [m/s]
    EXPECT_NEAR(velocity(sim, "block").first.x(), slides, 1e-9) << more;
  }
}

TEST(ContactForces, ASlidingBallComesToRoll) {
  model::BodySpec s = ball("ball", 0.1, 2, {0, 0, 0.1});
  s.v.x() = 4;
  Simulation sim(built(on_floor({s}, 0.2)), settings(0.7, 0.1, by_forces()));
  run(sim);
  const std::vector<double> t = times_of(sim, form::EventKind::hold);
  ASSERT_EQ(t.size(), 1U);
  EXPECT_NEAR(t[0], 4 * 2 / (7 * 0.2 * kGravity), 1e-9);
  EXPECT_NEAR(velocity(sim, "ball").first.x(), 4. * 5 / 7, 1e-9);
  EXPECT_LT(sim.summary().energy_residual, 1e-9);
}

TEST(ContactForces, BallsAndCylindersRollDownASlope) {
  model::BodySpec barrel = touching(box("barrel", {}, 2));
  barrel.solid = model::Solid{model::Solid::Kind::cylinder, {0.1, 0.4, 0}, Vec3::UnitY()};
  barrel.X_WB.p = {0, 3, 0.1};
  model::Builder b = on_floor({ball("ball", 0.1, 2, {0, 0, 0.1}), barrel}, 0.8);
  b.gravity = down_slope(std::numbers::pi / 6);
  Simulation sim(built(b), settings(1, 1e-1, by_forces()));
  run(sim);
  EXPECT_NEAR(velocity(sim, "ball").first.x(), 3.5035714286, 1e-9);
  EXPECT_NEAR(velocity(sim, "barrel").first.x(), 3.27, 1e-9);
}

TEST(ContactForces, AThrownBlockStopsAtItsTime) {
  model::BodySpec s = block("block", {0.3, 0.3, 0.1}, 3, {0, 0, 0.05});
  s.v = {3, 4, 0};
  Simulation sim(built(on_floor({s}, 0.5)), settings(1.2, 0.1, by_forces()));
  run(sim);
  const std::vector<double> t = times_of(sim, form::EventKind::hold);
  ASSERT_EQ(t.size(), 1U);
  EXPECT_NEAR(t[0], 5 / (0.5 * kGravity), 1e-9);
  const double way = 25 / (2 * 0.5 * kGravity);
  EXPECT_NEAR((pose(sim, "block").p - Vec3(0.6 * way, 0.8 * way, 0.05)).norm(), 0, 1e-9);
  EXPECT_EQ(velocity(sim, "block").first.norm() < 1e-12, true);
}

TEST(ContactForces, AStackCarriesItsWeight) {
  std::vector<model::BodySpec> bodies;
  for (int k = 0; k < 3; ++k)
    bodies.push_back(block("b" + std::to_string(k), {1, 1, 1}, 1, {0, 0, 0.5 + k}));
  Simulation sim(built(on_floor(bodies, 0.5)), settings(1, 0.1, by_forces()));
  run(sim);
  for (int k = 0; k < 3; ++k)
    EXPECT_NEAR(pose(sim, "b" + std::to_string(k)).p.z(), 0.5 + k, 1e-14) << k;
  const auto forces = sim.formulation().contact_forces();
  ASSERT_EQ(forces.size(), 12U);
  std::array<double, 3> level{};
  for (const constraint::ContactForce& f : forces)
    level[static_cast<std::size_t>(std::lround(f.point.p_A.z()))] += std::abs(f.force.z());
  for (int k = 0; k < 3; ++k)
    EXPECT_NEAR(level[static_cast<std::size_t>(k)], (3 - k) * kGravity, 1e-11);
  for (const constraint::ContactForce& f : forces)
    EXPECT_NEAR(std::abs(f.force.z()), (3 - std::round(f.point.p_A.z())) * kGravity / 4, 1e-11);
}

TEST(ContactForces, APendulumHitsAWall) {
  constexpr double l = 1, r = 0.1;
  model::Builder b;
  b.add_obstacle(floor_below({-r, 0, 0}, Vec3::UnitX()));
  b.add_contact_law(everywhere(0, 0.5));
  b.add_body(ball("bob", r, 1, {l, 0, 0}));
  b.add_joint(joint("pin", "revolute", "ground", "bob", frame(Vec3::Zero(), Vec3::UnitY())));
  Simulation sim(built(b), settings(3, 1e-2, by_forces()));
  run(sim);
  const std::vector<double> t = times_of(sim, form::EventKind::impact);
  ASSERT_GE(t.size(), 2U);
  // a physical pendulum falls from the horizontal: K(1/sqrt 2) sqrt(I / m g l)
  const double inertia = l * l + 0.4 * r * r, unit = std::sqrt(inertia / (kGravity * l));
  EXPECT_NEAR(t[0], 1.8540746773013719 * unit, 1e-9);
  // and swings up to a quarter of the height: 2 K(sin(a/2)), cos a = 3/4, sin^2(a/2) = 1/8
  EXPECT_NEAR(t[1] - t[0], 2 * std::comp_ellint_1(std::sqrt(0.125)) * unit, 1e-9);
  EXPECT_LT(sim.summary().energy_residual, 1e-8);
}

/// A block that a push of 12 N cos t moves now and then, friction being 7.848 N.
TEST(ContactForces, AStickingAndSlidingBlockAsOnPaper) {
  constexpr double push = 12, most = 0.8 * kGravity;
  model::Builder b = on_floor({block("block", {0.3, 0.3, 0.1}, 1, {3, 0, 0.05})}, 0.8);
  model::LoadSpec load;
  load.name = "push";
  load.body = "block";
  load.value[0] = Signal::function([](double t) {
    return Jet{push * std::cos(t), -push * std::sin(t), 0};
  });
  b.add_load(load);
  Simulation sim(built(b), settings(2.5, 0.05, by_forces()));
  double rests_at = 0;
  run(sim, [&] {
    if (sim.state().t < 2.2) rests_at = pose(sim, "block").p.x();
  });
  // the slip ends where push sin t = most t, by Newton
  double stop = 1.4;
  for (int k = 0; k < 20; ++k)
    stop -= (push * std::sin(stop) - most * stop) / (push * std::cos(stop) - most);
  const double again = std::numbers::pi - std::acos(most / push);
  const std::vector<form::Event> events = sim.take_events();
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(events[0].kind, form::EventKind::hold);
  EXPECT_NEAR(events[0].t, stop, 1e-8);
  EXPECT_EQ(events[1].kind, form::EventKind::slide);
  EXPECT_NEAR(events[1].t, again, 1e-7);  // the alarm of a force goes off at 1e-9 of it
  EXPECT_NEAR(rests_at, 3 + push * (1 - std::cos(stop)) - most * stop * stop / 2, 1e-9);
}

/// A block at rest on a belt, held by a spring: it is taken along, comes to the belt's speed, goes
/// with it until the spring pulls with mu m g, then swings about that place with the belt's speed.
TEST(ContactForces, ABlockOnABeltSticksAndSlips) {
  constexpr double m = 2, k = 200, mu = 0.4, belt = 0.2, w = 10, T = 0.8;
  model::Builder b;
  model::ContactSpec floor = floor_below();
  floor.X_BS.R.setIdentity();
  floor.surface_velocity = {belt, 0, 0};
  b.add_obstacle(floor);
  b.add_contact_law(everywhere(mu));
  b.add_body(block("block", {0.2, 0.2, 0.1}, m, {0, 0, 0.05}));
  b.add_joint(joint("way", "orientation", "ground", "block", {Vec3(0, 0, 0.05), Mat3::Identity()}));
  b.add_law(law("spring", "spring", "way", "x", {{"stiffness", k}}));
  Simulation sim(built(b), settings(T, 1e-2, by_forces()));
  run(sim);
  const double middle = mu * m * kGravity / k;
  const double caught = std::asin(belt / (middle * w)) / w;
  const double free = caught + middle * std::cos(w * caught) / belt;
  const std::vector<form::Event> events = sim.take_events();
  ASSERT_GE(events.size(), 2U);
  EXPECT_EQ(events[0].kind, form::EventKind::hold);
  EXPECT_NEAR(events[0].t, caught, 1e-8);
  EXPECT_EQ(events[1].kind, form::EventKind::slide);
  EXPECT_NEAR(events[1].t, free, 1e-7);
  EXPECT_NEAR(pose(sim, "block").p.x(), middle + belt / w * std::sin(w * (T - free)), 1e-7);
  EXPECT_LT(sim.summary().energy_residual, 1e-8);
}

/// A tilted box is thrown and tumbles: by impulses with short steps its impacts are the same.
TEST(ContactForces, ATumblingBoxStrikesAsByImpulses) {
  const auto impacts = [](const form::Settings& how, double h) {
    model::BodySpec s = block("box", {0.3, 0.2, 0.4}, 3, {0, 0, 0.6});
    s.X_WB.R = Mat3(Eigen::AngleAxisd(0.5, Vec3(1, 0.4, 0.2).normalized()));
    s.v = {0.5, 0.2, 0};
    s.w = {1, 2, 0.5};
    Simulation sim(built(on_floor({s}, 0.3, 0.5)), settings(0.8, h, how));
    run(sim);
    EXPECT_LT(sim.summary().energy_residual, 1e-3);
    return times_of(sim, form::EventKind::impact);
  };
  const std::vector<double> exact = impacts(by_forces(), 1e-2), steps = impacts({}, 1e-4);
  ASSERT_GE(exact.size(), 3U);
  ASSERT_GE(steps.size(), 3U);
  // where in a step an impact falls says how its friction is shared by both stages
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(steps[k], exact[k], 1e-3) << k;
}

/// Impacts of corners, slips that stop one by one or together, and rest.
TEST(ContactForces, BoxesTumbleAndComeToRest) {
  for (const auto& [e, angle] : {std::pair(0., 0.7), {0., 1.0}, {0.5, 0.4}}) {
    model::BodySpec s = block("crate", {0.4, 0.3, 0.2}, 5, {0, 0, 0.5});
    s.X_WB.R = Eigen::AngleAxisd(angle, Vec3(1, 1, 0).normalized()).toRotationMatrix();
    Simulation sim(built(on_floor({s}, 0.3, e)), settings(e > 0 ? 1.5 : 1, 1e-3, by_forces()));
    run(sim);
    const double lowest = std::abs(pose(sim, "crate").R.row(2).dot(Vec3(0.2, 0.15, 0.1)));
    EXPECT_LT(velocity(sim, "crate").first.norm(), 1e-8) << e << " " << angle;
    EXPECT_LT(velocity(sim, "crate").second.norm(), 1e-7) << e << " " << angle;
    EXPECT_LT(lowest, 0.2 + 1e-6) << e << " " << angle;  // on a face
  }
}

/// A cart that is driven against its stop, and struck away from it by a ball.
constexpr const char* kOffItsStop = R"(
gravity = 0
[[contact]]
restitution = 0.5
[[body]]
name = "cart"
mass = 2
box = [0.1, 0.1, 0.1]
contact = "solids"
[[joint]]
name = "rail"
type = "prismatic"
b = "cart"
at = [0, 0, 0]
axis = [1, 0, 0]
[[law]]
name = "stop"
type = "limit"
joint = "rail"
to = 0
[[law]]
name = "drive"
type = "actuator"
joint = "rail"
force = 20
[[body]]
name = "ball"
mass = 1
sphere = 0.05
position = [0.2003, 0, 0]
velocity = [-1, 0, 0]
contact = "solids"
)";

// From -1 of the ball both have (1 + 0.5) 2/3 kg m/s; then the drive brings the cart back.
TEST(ContactForces, WhatRestsOnAStopIsStruckAwayFromIt) {
  for (const char* formulation : {"acceleration", "velocity"}) {
    Simulation sim =
        simulation(fmt::format("format = 1\n[simulation]\nduration = 0.11\nstep = 0.001\n"
                               "formulation = \"{}\"\n",
                               formulation) +
                   kOffItsStop);
    while (!sim.finished() && sim.advance()) continue;
    EXPECT_EQ(sim.failure(), "");
    // by impulses the drive acts in the part of a step that the impact has to itself
    const bool exact = formulation == std::string_view("acceleration");
    const double t = 0.11 - 0.1003, allowed = exact ? 1e-8 : 3e-8;
    EXPECT_NEAR(pose(sim, "cart").p.x(), -0.5 * t + 5 * t * t, allowed) << formulation;
    EXPECT_NEAR(pose(sim, "ball").p.x(), 0.1, allowed) << formulation;
    EXPECT_LT(sim.summary().energy_residual_rel(), exact ? 1e-9 : 1e-5) << formulation;
  }
}

/// What a state keeps of its contacts is enough to go on bit for bit.
TEST(ContactForces, AStateGoesOnBitForBit) {
  model::BodySpec s = block("block", {0.3, 0.3, 0.1}, 3, {0, 0, 0.05});
  s.v = {3, 1, 0};
  s.w = {0, 0, 4};
  const model::Built of = built(on_floor({s, ball("ball", 0.1, 2, {2, 0, 0.6})}, 0.5, 0.5));
  form::StepReport report;
  form::Formulation one(*of.model, of.params, by_forces());
  std::vector<model::State> all{of.state};
  ASSERT_TRUE(one.load(of.state));
  for (int k = 0; k < 100; ++k) {
    all.push_back(all.back());
    one.step(all.back(), 1e-2, report);
  }
  for (const std::size_t from : {0U, 5U, 30U, 55U, 80U}) {
    form::Formulation form(*of.model, of.params, by_forces());
    model::State state = all[from];
    ASSERT_TRUE(form.load(state));
    for (std::size_t k = from + 1; k < all.size(); ++k) {
      form.step(state, 1e-2, report);
      ASSERT_EQ(state.q, all[k].q) << from << ", " << k;
      ASSERT_EQ(state.P, all[k].P) << from << ", " << k;
    }
  }
}

/// What a run shows of frictional chains: forces outside of cones, gains of energy, steps in which
/// friction does work.
struct Chain {
  std::vector<Pose> poses;
  double outside = 0, gained = 0, rubbed = 0;
  bool ended = false;
};
Chain chain_of(const model::Builder& b, double friction, double duration, form::Settings how,
               double step = 1e-3) {
  Simulation sim(built(b), settings(duration, step, how));
  Chain out;
  double impacts = 0, contacts = 0;
  run(sim, [&] {
    const model::State& s = sim.state();
    out.gained = std::max(out.gained, s.ledger[model::kImpacts] - impacts);
    out.rubbed = std::max(out.rubbed, s.ledger[model::kContacts] - contacts);
    impacts = s.ledger[model::kImpacts];
    contacts = s.ledger[model::kContacts];
    for (const constraint::ContactForce& f : sim.formulation().contact_forces()) {
      const double n = f.force.dot(f.point.n), t = (f.force - n * f.point.n).norm();
      out.outside = std::max({out.outside, -n, t - friction * n});
    }
  });
  out.ended = sim.state().t > duration * (1 - 1e-9);
  for (const model::BodySpec& body : b.bodies()) out.poses.push_back(pose(sim, body.name));
  return out;
}

std::vector<model::BodySpec> dominoes(int n) {
  const Vec3 size(0.008, 0.024, 0.048);
  std::vector<model::BodySpec> out;
  for (int k = 0; k < n; ++k)
    out.push_back(block("d" + std::to_string(k), size, 0.01, {0.024 * k, 0, 0.024}));
  out[0].w = {0, 3, 0};
  out[0].v = {0.072, 0, 0.012};
  return out;
}

// Each leans on the next in the end, which lies.
TEST(ContactForces, DominoesFallToTheirEnd) {
  const Chain fall = chain_of(on_floor(dominoes(4), 0.4), 0.4, 0.5, by_forces());
  ASSERT_TRUE(fall.ended);
  for (const Pose& at : fall.poses) EXPECT_GT(std::acos(at.R(2, 2)), 0.5);
  EXPECT_LT(fall.outside, 1e-6);
  EXPECT_LT(fall.gained, 1e-12);
  EXPECT_LT(fall.rubbed, 1e-12);
}

/// Bodies that lean on a wall or on one another, slip or stand, by dice.
model::Builder leaning(std::mt19937& random, double friction, bool backwards, const Mat3& R) {
  const auto dice = [&](double from, double to) {
    return std::uniform_real_distribution<>(from, to)(random);
  };
  std::vector<model::BodySpec> bodies;
  for (int k = 0; k < 3; ++k) {
    const double length = dice(0.4, 1), angle = dice(0.5, 1.2), thick = 0.02;
    const Mat3 turn = exp_matrix(Vec3(0, angle, 0));
    const Vec3 reach = turn.cwiseAbs() * Vec3(length, 0.05, thick) / 2;
    bodies.push_back(block("l" + std::to_string(k), {length, 0.05, thick}, dice(0.5, 2),
                           Vec3(reach.x(), 0.2 * k, reach.z())));
    bodies.back().X_WB.R = turn;
  }
  if (backwards) std::reverse(bodies.begin(), bodies.end());
  model::Builder b;
  b.gravity = R * Vec3(0, 0, -kGravity);
  b.add_obstacle(floor_below(Vec3::Zero(), R.col(2)));
  b.add_obstacle(floor_below(Vec3::Zero(), R.col(0)));
  b.add_contact_law(everywhere(friction));
  for (model::BodySpec& body : bodies) {
    body.X_WB = {R * body.X_WB.p, R * body.X_WB.R};
    b.add_body(body);
  }
  return b;
}

// Some rods stick at both ends, which shares their forces in many ways, beside others that slide.
TEST(ContactForces, LeaningRodsSlideAsByImpulsesRefined) {
  const Mat3 turned = exp_matrix(Vec3(0.3, -0.7, 1.1));
  for (unsigned seed = 0; seed < 6; ++seed) {
    SCOPED_TRACE(seed);
    const double friction = 0.2 + 0.08 * seed, duration = 0.15;
    const auto fall = [&](bool backwards, const Mat3& R, const form::Settings& how, double step) {
      std::mt19937 random(seed);
      return chain_of(leaning(random, friction, backwards, R), friction, duration, how, step);
    };
    const Chain forces = fall(false, Mat3::Identity(), by_forces(), 1e-3),
                ordered = fall(true, Mat3::Identity(), by_forces(), 1e-3),
                rotated = fall(false, turned, by_forces(), 1e-3),
                fine = fall(false, Mat3::Identity(), {}, 1e-3 / 5.1);
    for (const Chain& chain : {forces, ordered, rotated}) {
      ASSERT_TRUE(chain.ended);
      EXPECT_LT(chain.outside, 1e-6);
      EXPECT_LT(chain.gained, 1e-9);
      EXPECT_LT(chain.rubbed, 1e-9);
    }
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR((forces.poses[k].p - ordered.poses[2 - k].p).norm(), 0, 1e-7);  // accuracy
      EXPECT_NEAR((turned * forces.poses[k].p - rotated.poses[k].p).norm(), 0, 1e-7);
      EXPECT_NEAR((forces.poses[k].p - fine.poses[k].p).norm(), 0, 2e-4);  // truncation
    }
  }
}

}  // namespace
}  // namespace trammel::acceptance::contact_forces_test
