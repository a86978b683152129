// A law of a shape that no law of the list has (cone.h): contact with Coulomb's cone, on three
// rows. The constraint stage knows its shape, solvers project onto it, and two formulations take
// it.
#include "cone.h"

#include "sim/checkpoint.h"
#include "support.h"

namespace trammel::acceptance::cone_test {
namespace {

using Formulation = form::Settings::Formulation;
using Difference = form::Settings::Difference;

constexpr double kRadius = 0.1, kMu = 0.3, kG = 9.81;  // [m], [m/s^2]
const Vec3 kThrown{1, 0.3, 0}, kSpun{0, -5, 2};        // [m/s], [rad/s]

model::BodySpec ball(double height) {
  model::BodySpec b =
      solid("ball", 1, Vec3::Constant(0.4 * kRadius * kRadius), {Vec3(0, 0, kRadius + height)});
  b.v = kThrown;
  b.w = kSpun;
  return b;
}
/// Velocity of the ball's lowest point.
Vec3 slip(const Vec3& v, const Vec3& w) { return v - kRadius * w.cross(Vec3::UnitZ()); }

model::Built bowled(double mu = kMu) {
  model::Builder b;
  b.add_body(ball(0));
  b.add_joint(floor("ball"));
  b.add_law(cone_of_ball("floor", mu, kRadius));
  return built(b);
}

/// Where a uniform ball is that slides until it rolls (Coriolis 1835): the slip keeps its direction
/// and vanishes after 2 |s| / (7 mu g).
Vec3 bowled_to(double t) {
  const Vec3 s = slip(kThrown, kSpun), d = s.normalized();
  const double until = 2 * s.norm() / (7 * kMu * kG), slid = std::min(t, until);
  const Vec3 p = kThrown * t - kMu * kG * d * (slid * slid / 2 + slid * (t - slid));
  return p + kRadius * Vec3::UnitZ();
}

sim::Settings by(Formulation f, double duration, double step) {
  sim::Settings s = settings(duration, step);
  s.form.formulation = f;
  s.form.joint_stiffness = law::kInf;
  return s;
}

TEST(Cone, ABallSlidesThenRollsByImpulses) {
  Simulation sim(bowled(), by(Formulation::velocity, 0.5, 1e-3));
  double worst = 0, worst_rolling = 0;
  run(sim, [&] {
    double& most = sim.state().t < 0.148 ? worst : worst_rolling;
    most = std::max(most, (pose(sim, "ball").p - bowled_to(sim.state().t)).norm());
  });
  EXPECT_LT(worst, 1e-13);         // exact but for rounding: the forces are constant
  EXPECT_LT(worst_rolling, 4e-7);  // it begins to roll within a step: mu g h^2 / 8
  const auto [v, w] = velocity(sim, "ball");
  EXPECT_LT(slip(v, w).norm(), 1e-12);
  EXPECT_NEAR(w.z(), 2, 1e-12);  // nothing brakes its spin about the normal
}

TEST(Cone, ABallSlidesThenRollsByEnergy) {
  std::array<double, 3> off{};
  for (std::size_t k = 0; k < 3; ++k) {
    sim::Settings s = by(Formulation::energy, 0.5, 2e-3 / (1 << k));
    s.form.difference = Difference::bdf1;
    Simulation sim(bowled(), s);
    run(sim);
    off[k] = (pose(sim, "ball").p - bowled_to(0.5)).norm();
    const auto [v, w] = velocity(sim, "ball");
    EXPECT_LT(slip(v, w).norm(), 1e-9);
  }
  EXPECT_NEAR(orders(off)[1], 1, 0.1);
  EXPECT_LT(off[2], 2e-4);
}

/// A block on an inclined plane, across both tangent rows.
model::Built on_slope(double mu, double slope) {
  model::Builder b;
  const double along = kG * std::sin(slope);
  b.gravity = Vec3(along * std::cos(0.4), along * std::sin(0.4), -kG * std::cos(slope));
  b.add_body(box("block", {0.3, 0.2, 0.1}, 5));
  b.add_joint(floor("block"));
  b.add_law(cone("floor", mu, 0, {"Ay.D", "Az.D"}));
  return built(b);
}

TEST(Cone, ABlockSticksInsideTheConeAndSlidesOutside) {
  const double mu = 0.5;
  for (const Formulation f : {Formulation::velocity, Formulation::energy})
    for (const double share : {0.999, 1.001, 2.}) {
      SCOPED_TRACE(std::string(name_of(f)) + " " + std::to_string(share));
      const double slope = std::atan(share * mu), a = kG * (std::sin(slope) - mu * std::cos(slope));
      Simulation sim(on_slope(mu, slope), by(f, 1, 1e-3));
      run(sim);
      const double way = pose(sim, "block").p.norm();
      const double exact = std::max(0., a / 2),
                   model = f == Formulation::energy ? 1e-3 * std::max(0., a) : 0;  // order 1
      EXPECT_NEAR(way, exact, 1e-11 + model);
      // friction's work is that of its greatest force; nothing else is lost but by the scheme
      const auto slot = static_cast<std::size_t>(sim.model().laws.back().ledger);
      EXPECT_NEAR(sim.state().ledger[slot], -5 * mu * kG * std::cos(slope) * way,
                  1e-9 + 5 * model * kG);
    }
}

TEST(Cone, AnImpactSticksOrSlides) {
  for (const double mu : {0.05, 0.8})
    for (const double e : {0., 0.6}) {
      model::Builder b;
      b.gravity.setZero();
      auto thrown = ball(0.2);
      thrown.v = kThrown - 2 * Vec3::UnitZ();
      b.add_body(thrown);
      b.add_joint(floor("ball"));
      b.add_law(cone_of_ball("floor", mu, kRadius, e));
      Simulation sim(built(b), by(Formulation::velocity, 0.15, 1e-3));
      run(sim);
      const Vec3 s = slip(kThrown, kSpun),
                 J = s.normalized() * std::min(mu * (1 + e) * 2, 2. / 7 * s.norm());
      EXPECT_LT((velocity(sim, "ball").first - (kThrown - J + 2 * e * Vec3::UnitZ())).norm(), 1e-11)
          << mu << " " << e;
      // the loss is the impact's: kinetic energy and accounts close
      EXPECT_NEAR(sim.summary().energy_residual, 0, 1e-12) << mu << " " << e;
    }
}

constexpr double kHalf = 0.5;  // half length of the rod [m]

/// A slender rod that slides on one end and falls, in a plane turned by `turn` about z: the normal
/// force depends on the friction.
model::Built sliding_rod(double mu, double turn) {
  model::Builder b;
  const Mat3 R = exp_matrix(turn * Vec3::UnitZ());
  const double angle = 1;
  const Vec3 along = R * Vec3(std::cos(angle), 0, std::sin(angle));
  auto rod = solid("rod", 1, Vec3(1e-3, kHalf * kHalf / 3, kHalf * kHalf / 3),
                   frame(kHalf * along, along));
  rod.v = R * Vec3(2, 0, 0);
  b.add_body(rod);
  b.add_joint(floor("rod", Pose{Vec3(-kHalf, 0, 0)}));
  b.add_law(cone("floor", mu, 0, {"slip(Ay)", "slip(Az)"}));
  return built(b);
}

/// Angle and centre of the rod by its equations of motion while its end slides forwards.
std::pair<double, double> rod_at(double mu, double T) {
  double s = 0, s_v = 2;  // the centre's way
  const double m = 1, I = kHalf * kHalf / 3;
  const auto accelerations = [&](double th, double th_v) {
    const double c = std::cos(th), n = std::sin(th), arm = kHalf / I * (-c - n * mu);
    const double N = m * (kG - kHalf * n * th_v * th_v) / (1 - m * kHalf * c * arm);
    return std::pair(arm * N, -mu * N / m);
  };
  double th = 1, th_v = 0;
  const int steps = 20'000;
  const double h = T / steps;
  for (int i = 0; i < steps; ++i) {
    const auto [a1, b1] = accelerations(th, th_v);
    const auto [a2, b2] = accelerations(th + h / 2 * th_v, th_v + h / 2 * a1);
    const auto [a3, b3] = accelerations(th + h / 2 * (th_v + h / 2 * a1), th_v + h / 2 * a2);
    const auto [a4, b4] = accelerations(th + h * (th_v + h / 2 * a2), th_v + h * a3);
    s += h * s_v + h * h / 6 * (b1 + b2 + b3);
    s_v += h / 6 * (b1 + 2 * b2 + 2 * b3 + b4);
    th += h * th_v + h * h / 6 * (a1 + a2 + a3);
    th_v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  return {th, s};
}

double rod_off(Formulation f, double step, double mu) {
  constexpr double T = 0.25, turn = 0.7;
  Simulation sim(sliding_rod(mu, turn), by(f, T, step));
  run(sim);
  const Vec3 along = pose(sim, "rod").R.col(0), p = pose(sim, "rod").p;
  const auto [angle, way] = rod_at(mu, T);
  const double start = kHalf * std::cos(1.);
  EXPECT_LT(std::abs(-std::sin(turn) * p.x() + std::cos(turn) * p.y()), 1e-12);  // in its plane
  return std::hypot(std::asin(along.z()) - angle, p.head<2>().norm() - start - way);
}

TEST(Cone, ARodWhoseFrictionMakesItsNormalForce) {
  for (const double mu : {0.6, 1.5}) {  // at 1.5 more than the weight of the end is at stake
    SCOPED_TRACE(mu);
    const std::array<double, 3> e{rod_off(Formulation::velocity, 2e-3, mu),
                                  rod_off(Formulation::velocity, 1e-3, mu),
                                  rod_off(Formulation::velocity, 5e-4, mu)};
    EXPECT_NEAR(orders(e)[0], 2, 0.1);
    EXPECT_NEAR(orders(e)[1], 2, 0.1);
    EXPECT_LT(e[2], 1e-6);
    const double coarse = rod_off(Formulation::energy, 1e-3, mu),
                 fine = rod_off(Formulation::energy, 5e-4, mu);
    EXPECT_NEAR(std::log2(coarse / fine), 2, 0.1);  // bdf2
    EXPECT_LT(fine, 1e-5);
  }
}

TEST(Cone, IsOfTransientJointsToo) {
  model::Builder b;
  b.add_body(ball(0.3));
  model::TransientSpec contact;
  contact.name = "contact";
  contact.type = "free";
  contact.laws = {cone_of_ball("", kMu, kRadius, 0.7)};
  b.add_transient(contact);
  const model::Built thrown = built(b);
  sim::Settings s = by(Formulation::velocity, 3, 1e-3);
  s.transients = [](const model::State& state, const model::KinematicsCache& now,
                    std::vector<model::Transient>& list) {
    if (now.T_WO[1].p.z() < kRadius + 0.05)
      list.push_back({0, 1, state.step, 0, 1, frame(Vec3::Zero(), Vec3::UnitZ()), Pose{}});
  };
  Simulation sim(thrown, s);
  std::vector<std::string> bytes;
  for (int k = 0; k < 3000; ++k) {
    if (k % 700 == 350) bytes.push_back(sim::to_bytes(sim));
    ASSERT_TRUE(sim.advance()) << sim.failure();
  }
  const auto [v, w] = velocity(sim, "ball");
  EXPECT_LT(slip(v, w).norm(), 1e-9);
  // it rolls in the end, as fast as in one go, but for the depth of its impacts as a lever arm
  const Vec3 rolling = kThrown - 2. / 7 * slip(kThrown, kSpun);
  EXPECT_LT((v - rolling).norm(), 1e-2);
  for (std::size_t i = 0; i + 1 < bytes.size(); ++i) {
    Simulation again(thrown, s);
    sim::from_bytes(bytes[i], again);
    for (int k = 0; k < 700; ++k) ASSERT_TRUE(again.advance()) << again.failure();
    EXPECT_EQ(sim::to_bytes(again), bytes[i + 1]) << i;
  }
}

TEST(Cone, IsRefusedWhereItCannotBeTaken) {
  const auto refused = [](const model::Built& built, Formulation f) {
    return form::Formulation::refused(*built.model, built.params, by(f, 1, 1e-3).form);
  };
  const auto forces = refused(bowled(), Formulation::acceleration);
  ASSERT_EQ(forces.size(), 1u);
  EXPECT_NE(forces[0].text.find("'cone' on joint 'floor'"), std::string::npos) << forces[0].text;
  EXPECT_TRUE(refused(bowled(), Formulation::velocity).empty());
  EXPECT_TRUE(refused(bowled(), Formulation::energy).empty());
  // and by the builder: the joint's own rows, and another number of rows
  model::Builder b;
  b.add_body(ball(0));
  auto held = floor("ball");
  held.type = "spherical";
  b.add_joint(held);
  b.add_law(cone("floor", 1, 0, {"Ay.D"}));
  const auto result = b.build();
  const auto* problems = std::get_if<std::vector<Problem>>(&result);
  ASSERT_TRUE(problems);
  std::string all;
  for (const Problem& p : *problems) all += p.text + "\n";
  for (const auto change :
       {+[](law::Type& t) { t.further = nullptr; }, +[](law::Type& t) { t.constraint = nullptr; },
        +[](law::Type& t) { t.rows = 4; }}) {
    law::Type wrong = kCone;
    change(wrong);
    model::Builder own;
    own.add_body(ball(0));
    own.add_joint(floor("ball"));
    own.add_law(cone_of_ball("floor", 1, kRadius));
    auto l = cone_of_ball("floor", 1, kRadius);
    l.name = "other";
    l.own_type = &wrong;
    own.add_law(l);
    const auto refused_type = own.build();
    const auto* why = std::get_if<std::vector<Problem>>(&refused_type);
    ASSERT_TRUE(why);
    EXPECT_NE(why->front().text.find("must say what it specifies"), std::string::npos);
  }
  EXPECT_NE(all.find("acts on 3 coordinates, not on 2"), std::string::npos) << all;
  EXPECT_NE(all.find("is a row of the joint itself"), std::string::npos) << all;
}

}  // namespace
}  // namespace trammel::acceptance::cone_test
