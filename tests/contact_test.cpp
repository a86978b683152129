// Contact by impulses beside what is known on paper.
#include <numbers>

#include "contact_support.h"
#include "model/ledger.h"

namespace trammel::acceptance::contact_test {
namespace {

/// Contacts solved to 1e-12 m/s.
form::Settings exactly() {
  form::Settings out;
  out.contact.tolerance = 1e-12;
  return out;
}

/// Heights at which a ball turns, after each bounce.
std::vector<double> peaks(Simulation& sim, const std::string& body) {
  std::vector<double> out;
  double before = -1;
  run(sim, [&] {
    const double v = velocity(sim, body).first.z(), z = pose(sim, body).p.z();
    // where it is at the top: less than a step away, under g alone
    if (before > 0 && v <= 0) out.push_back(z + v * v / (2 * kGravity));
    before = v;
  });
  return out;
}

TEST(Contact, ABallBouncesToItsHeights) {
  for (const double h : {1e-2, 1e-3}) {
    Simulation sim(built(on_floor({ball("ball", 0.1, 2, {0, 0, 1.1})}, 0, 0.8)), settings(3, h));
    const std::vector<double> found = peaks(sim, "ball");
    ASSERT_GE(found.size(), 4U);
    double expected = 1;
    // rounding: arrival at the surface is taken where it is, not where the step ends
    for (std::size_t k = 0; k < 4; ++k)
      EXPECT_NEAR(found[k] - 0.1, expected *= 0.64, 1e-11) << h << ", bounce " << k;
  }
}

TEST(Contact, AfterAllBouncesItRests) {
  Simulation sim(built(on_floor({ball("ball", 0.1, 2, {0, 0, 1.1})}, 0, 0.8)), settings(4.2, 1e-4));
  double still_since = 0;
  run(sim, [&] {
    if (std::abs(velocity(sim, "ball").first.z()) > 1e-9) still_since = sim.state().t;
  });
  // truncation: each of 37 bounces until they are shorter than a step costs a step at most, and
  // then each step is one, 0.8 times the one before
  EXPECT_NEAR(still_since, 4.063712768872, 100e-4);
  EXPECT_NEAR(pose(sim, "ball").p.z(), 0.1, 1e-12);
  EXPECT_LT(sim.state().ledger[model::kImpacts], 0);
}

TEST(Contact, WithoutLossesABallBouncesForEver) {
  Simulation sim(built(on_floor({ball("ball", 0.1, 2, {0, 0, 1.1})}, 0, 1)), settings(100, 1e-2));
  run(sim);
  EXPECT_LT(sim.summary().energy_residual, 1e-11 * sim.summary().energy_scale);
  EXPECT_LT(std::abs(sim.state().ledger[model::kImpacts]), 1e-10);
}

TEST(Contact, ABlockSlidesDownASlopeAsOnPaper) {
  model::Builder b = on_floor({block("block", {0.3, 0.3, 0.1}, 3, {0, 0, 0.05})}, 0.3);
  b.gravity = down_slope(std::numbers::pi / 6);
  Simulation sim(built(b), settings(1, 1e-3));
  run(sim);
  EXPECT_NEAR(velocity(sim, "block").first.x(), 2.3562872366624, 1e-8);  // the solver's tolerance
  EXPECT_NEAR(pose(sim, "block").p.x(), 2.3562872366624 / 2, 1e-8);
}

TEST(Contact, ABlockSticksWhereTheConeAllowsIt) {
  for (const double more : {1e-6, -1e-6}) {
    model::Builder b = on_floor({block("block", {0.3, 0.3, 0.1}, 3, {0, 0, 0.05})},
                                std::tan(std::numbers::pi / 6) + more);
    b.gravity = down_slope(std::numbers::pi / 6);
    Simulation sim(built(b), settings(1, 1e-3, exactly()));
    run(sim);
    const double slides =
        more < 0 ? kGravity * std::cos(std::numbers::pi / 6) * 1e-6 : 0;  // after 1 s [m/s]
    EXPECT_NEAR(velocity(sim, "block").first.x(), slides, 1e-7) << more;
  }
}

TEST(Contact, ASlidingBallComesToRoll) {
  model::BodySpec s = ball("ball", 0.1, 2, {0, 0, 0.1});
  s.v.x() = 4;
  Simulation sim(built(on_floor({s}, 0.2)), settings(0.7, 1e-3));
  double slid = 0;
  run(sim, [&] {
    const auto [v, w] = velocity(sim, "ball");
    if (std::abs(v.x() - 0.1 * w.y()) > 1e-6) slid = sim.state().t;
  });
  EXPECT_NEAR(slid, 0.582495995, 1e-3);  // within a step
  EXPECT_NEAR(velocity(sim, "ball").first.x(), 4. * 5 / 7, 1e-8);
}

TEST(Contact, BallsAndCylindersRollDownASlope) {
  model::BodySpec barrel = touching(box("barrel", {}, 2));
  barrel.solid = model::Solid{model::Solid::Kind::cylinder, {0.1, 0.4, 0}, Vec3::UnitY()};
  barrel.X_WB.p = {0, 3, 0.1};
  model::Builder b = on_floor({ball("ball", 0.1, 2, {0, 0, 0.1}), barrel}, 0.8);
  b.gravity = down_slope(std::numbers::pi / 6);
  Simulation sim(built(b), settings(1, 1e-3));
  run(sim);
  EXPECT_NEAR(velocity(sim, "ball").first.x(), 3.5035714286, 1e-7);
  EXPECT_NEAR(velocity(sim, "barrel").first.x(), 3.27, 1e-7);
}

TEST(Contact, AStackCarriesItsWeight) {
  constexpr int n = 20;
  std::vector<model::BodySpec> bodies;
  for (int k = 0; k < n; ++k)
    bodies.push_back(block("b" + std::to_string(k), {1, 1, 1}, 1, {0, 0, 0.5 + k}));
  Simulation sim(built(on_floor(bodies, 0.5)), settings(2, 1e-2));
  run(sim);
  for (int k = 0; k < n; ++k)
    EXPECT_NEAR(pose(sim, "b" + std::to_string(k)).p.z(), 0.5 + k, 1e-7) << k;
  EXPECT_LT(sim.summary().energy_residual, 1e-6);
}

/// A block whose top is 0.5 m high, and a ball of 0.1 m that flies towards it without gravity.
Simulation thrown(const Vec3& from, const Vec3& v, double h, double duration,
                  const Vec3& size = {1, 1, 1}) {
  model::Builder b;
  b.gravity.setZero();
  model::ContactSpec s;
  s.solid = model::Solid{model::Solid::Kind::box, size};
  b.add_obstacle(s);
  b.add_contact_law(everywhere(0, 1));
  model::BodySpec body = ball("ball", 0.1, 1, from);
  body.v = v;
  b.add_body(body);
  return Simulation(built(b), settings(duration, h));
}

TEST(Contact, WhatFliesPastIsNotHit) {
  for (const double z : {0.65, 0.8, -0.65}) {
    Simulation sim = thrown({-1, 0.1, z}, {100, 0, 0}, 1e-2, 0.05);
    run(sim);
    EXPECT_NEAR(pose(sim, "ball").p.x(), 4, 1e-12) << z;
    EXPECT_EQ(velocity(sim, "ball").first, Vec3(100, 0, 0)) << z;
    EXPECT_EQ(sim.state().ledger[model::kImpacts], 0);
  }
}

TEST(Contact, AnEdgeIsHitAtItsOwnAngle) {
  // the ball's middle passes 0.06 m above the edge, which is met where it is 0.08 m before it: the
  // normal is (-0.8, 0.6)
  const Vec3 away = Vec3(100, 0, 0) - 2 * 100 * -0.8 * Vec3(-0.8, 0, 0.6);
  for (const double h : {1e-2, 1e-3, 1e-4}) {
    Simulation sim = thrown({-1.3, 0.1, 0.56}, {100, 0, 0}, h, 0.03);
    run(sim);
    const auto [v, w] = velocity(sim, "ball");
    EXPECT_LT((v - away).norm(), 1e-3) << h << ": " << v.transpose();  // as its way is looked at
    EXPECT_LT(v.norm(), 100 + 1e-8);
    EXPECT_TRUE(sim.warnings().empty()) << h;
  }
}

TEST(Contact, NothingGoesThroughAThinPlate) {
  for (const double speed : {30., 1000.})
    for (const double aside : {0., 0.3}) {
      Simulation sim = thrown({-1, aside, 0.1}, {speed, 0, 0}, 1e-2, 0.1, {0.001, 2, 2});
      run(sim);
      EXPECT_LT(pose(sim, "ball").p.x(), -0.1) << speed;
      EXPECT_LT((velocity(sim, "ball").first - Vec3(-speed, 0, 0)).norm(), 1e-9 * speed);
    }
}

TEST(Contact, FreeBodiesThatCollideKeepTheirMomenta) {
  std::vector<model::BodySpec> bodies;
  for (int k = 0; k < 6; ++k) {
    bodies.push_back(
        block("b" + std::to_string(k), {0.5, 0.4, 0.3}, 1 + k, {0.7 * k, 0.1 * (k % 2), 0.05 * k}));
    bodies.back().v = {-2. * k, 0.2 * (k % 3), 0};
    bodies.back().w = {0.3 * k, -1, 2};
  }
  model::Builder b;
  b.gravity.setZero();
  b.add_contact_law(everywhere(0.4, 0.6));
  for (const auto& body : bodies) b.add_body(body);
  Simulation sim(built(b), settings(2, 1e-3, exactly()));
  // what parts overlapping bodies is not the contacts'
  const auto total = [&] {
    return sim.formulation().total_energy(sim.state()) - sim.state().ledger[model::kCorrections];
  };
  double energy = total(), most = 0;
  run(sim, [&] {
    const double now = total();
    most = std::max(most, now - energy);
    energy = now;
  });
  EXPECT_LT(sim.state().ledger[model::kImpacts], -0.1);
  EXPECT_LT(most, 1e-8);  // truncation: turned while parted, booked to first order; of 100 J
  EXPECT_LT(sim.summary().momentum_residual_rel, 1e-12);
}

/// A box with 25 balls on it is pushed over the floor at an angle to the axes: all go that way, the
/// balls rolling.
TEST(Contact, ConesAreNoPyramids) {
  constexpr double kAngle = std::numbers::pi / 3, kPush = 150, kTime = 0.1;
  model::Builder b;
  b.add_obstacle(floor_below());
  b.add_material({"top"});
  b.add_body(block("box", {1, 1, 0.2}, 10, {0, 0, 0.1}));
  for (int k = 0; k < 25; ++k) {
    const Vec3 place(0.2 * (k % 5) - 0.4, 0.2 * (k / 5) - 0.4, 0.28);
    model::BodySpec s = ball("s" + std::to_string(k), 0.08, 1, place);
    s.material = "top";
    b.add_body(s);
  }
  b.add_contact_law(everywhere(0.4));
  model::ContactLawSpec top = everywhere(0.8);
  top.between = {"top", "any"};
  b.add_contact_law(top);
  model::LoadSpec push;
  push.name = "push";
  push.body = "box";
  push.point = {0, 0, -0.1};
  push.value[0] = kPush * std::cos(kAngle);
  push.value[1] = kPush * std::sin(kAngle);
  b.add_load(push);
  Simulation sim(built(b), settings(kTime, 1e-3));
  run(sim);
  const double across = 25 + 10, friction = 0.4 * across * kGravity;
  const double of_ball = (kPush - friction) / (10 * 3.5 + 25);  // rolling: the box has 7/2 of it
  const auto speed = [&](const std::string& body, double a) {
    const Vec3 v = velocity(sim, body).first;
    EXPECT_NEAR(v.x(), a * kTime * std::cos(kAngle), 1e-6) << body;  // the solver's tolerance
    EXPECT_NEAR(v.y(), a * kTime * std::sin(kAngle), 1e-6) << body;
  };
  speed("box", 3.5 * of_ball);
  speed("s0", of_ball);
  speed("s17", of_ball);
  EXPECT_NEAR(3.5 * of_ball, 0.7385, 1e-4);
  EXPECT_NEAR(of_ball, 0.2110, 1e-4);
}

TEST(Contact, AStickingAndSlidingBlockAsOnPaper) {
  model::BodySpec s = block("block", {0.3, 0.3, 0.1}, 1, {3, 0, 0.05});
  model::Builder b = on_floor({s}, 0.8);
  model::LoadSpec push;
  push.name = "push";
  push.body = "block";
  push.value[0] = Signal::function([](double t) {
    return Jet{8 * std::cos(t), -8 * std::sin(t), 0};
  });
  b.add_load(push);
  Simulation sim(built(b), settings(10, 1e-3));
  const auto until = [&](double t) {
    while (sim.state().t < t - 1e-9 && sim.advance()) {
    }
    return pose(sim, "block").p.x();
  };
  // of the reference 2e-6, 1.2e-5, 7e-5; truncation
  EXPECT_NEAR(until(2.001), 3.004348570, 2e-6);
  EXPECT_NEAR(until(5.001), 2.991302833, 2e-6);
  EXPECT_NEAR(until(8.001), 3.004348570, 2e-6);
}

}  // namespace
}  // namespace trammel::acceptance::contact_test
