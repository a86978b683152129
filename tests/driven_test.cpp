// Driven joints and prescribed bodies: signals followed exactly, jumps accounted for, ledgers
// closed.
#include <fmt/core.h>

#include "model/ledger.h"
#include "support.h"

namespace trammel::acceptance::driven_test {
namespace {

void record(const char* name, double value) {
  ::testing::Test::RecordProperty(name, fmt::format("{:.3g}", value));
}

model::LawSpec driven(const std::string& on, const std::string& coordinate, const Drive& drive) {
  auto l = law("drive", "driven", on, coordinate);
  l.drive = drive;
  return l;
}

/// A rod whose angle about y, measured from x downwards, is driven against gravity.
model::Built driven_rod(const Drive& drive) {
  model::Builder b;
  b.add_body(box("rod", {1, 0.05, 0.05}, 2.5, {Vec3(0.5, 0, 0)}));
  b.add_joint(joint("pivot", "revolute", "ground", "rod", frame(Vec3::Zero(), Vec3::UnitY())));
  b.add_law(driven("pivot", "angle", drive));
  return built(b);
}

/// Runs the rod and compares angle and rate with the drive after every step.
void expect_followed(const Drive& drive, double h) {
  Simulation sim(driven_rod(drive), settings(2, h));
  double angle = 0, rate = 0;
  run(sim, [&] {
    const Jet want = drive.at(sim.state().t);
    angle = std::max(angle, std::abs(coordinate(sim, "pivot", "angle") - want.x));
    rate = std::max(rate, std::abs(velocity(sim, "rod").second.y() - want.v));
  });
  record("angle", angle);
  record("rate", rate);
  EXPECT_LE(angle, 1e-10);  // tolerance of the row
  EXPECT_LE(rate, 1e-10);   // rounding
  EXPECT_EQ(sim.summary().fallbacks, 0);
}

TEST(Driven, FollowsADisplacementWithKinksOnAndOffTheGrid) {
  expect_followed({Drive::Level::displacement,
                   Signal::spline({0, 0.5, 0.73351, 1.2, 1.5}, {0, 0.4, -0.3, 0.9, 0.9})},
                  1e-3);
}

TEST(Driven, FollowsAVelocityWithASlopeAndAStep) {
  expect_followed({Drive::Level::velocity, Signal::spline({0, 0.5, 0.5, 1.2}, {0, 1, -1, 0.5})},
                  1e-3);
}

TEST(Driven, FollowsAnAcceleration) {
  expect_followed({Drive::Level::acceleration, Signal::spline({0, 0.6, 1.7}, {0, 2, -3}), 0, 0.5},
                  1e-3);
}

TEST(Driven, WorkOfTheDriveClosesTheLedgerWithOrderTwo) {
  const Drive wave{Drive::Level::displacement, Signal::function([](double t) {
                     return Jet{0.5 * std::sin(4 * t), 2 * std::cos(4 * t), -8 * std::sin(4 * t)};
                   })};
  std::array<double, 3> e{};
  for (std::size_t i = 0; i < 3; ++i) {
    Simulation sim(driven_rod(wave), settings(2, 4e-3 / (1 << i)));
    run(sim);
    e[i] = sim.summary().energy_residual;
  }
  record("imbalance_1ms", e[2]);
  EXPECT_LE(e[2], 1e-4);  // J, of some 10: truncation
  for (const double order : orders(e)) EXPECT_NEAR(order, 2, 0.2);
}

/// A slider of 2 kg whose speed steps from `before` to `after` at 0.3 s.
struct Step {
  double loss = 0, energy = 0, drive = 0, impacts = 0, imbalance = 0;
};
Step speed_step(double before, double after) {
  model::Builder b;
  b.gravity.setZero();
  auto slider = solid("slider", 2, {1, 1, 1});
  slider.v = {before, 0, 0};
  b.add_body(slider);
  b.add_joint(joint("slide", "prismatic", "ground", "slider", {}));
  b.add_law(
      driven("slide", "travel",
             {Drive::Level::velocity, Signal::spline({0, 0.3, 0.3}, {before, before, after})}));
  Simulation sim(built(b), settings(0.5, 1e-2));
  const double start = sim.energy();
  run(sim);
  Step s;
  for (const form::Event& e : sim.take_events())
    if (e.kind == form::EventKind::impact) s.loss += e.value;
  s.energy = sim.energy() - start;
  s.drive = sim.state().ledger[model::kFirstLaw];
  s.impacts = sim.state().ledger[model::kImpacts];
  s.imbalance = sim.imbalance();
  return s;
}

TEST(Driven, AStepOfSpeedAccountsItsLoss) {  // 1/2 m dv^2; what else changes is the drive's work
  for (const auto& [before, after] : {std::pair(2., 0.), std::pair(1., 3.), std::pair(3., -1.)}) {
    SCOPED_TRACE(fmt::format("{} to {} m/s", before, after));
    const Step s = speed_step(before, after);
    const double dv = after - before;
    EXPECT_NEAR(s.energy, after * after - before * before, 1e-12);  // rounding, all
    EXPECT_NEAR(s.loss, dv * dv, 1e-12);
    EXPECT_NEAR(s.impacts, -dv * dv, 1e-12);
    EXPECT_NEAR(s.drive, 2 * dv * after, 1e-12);
    EXPECT_NEAR(s.imbalance, 0, 1e-12);
  }
}

// ---- prescribed bodies

/// A rod on a ball joint (or a revolute about y) at a prescribed trolley.
model::Builder hung_rod(const body::Prescribed& motion, const Vec3& towards,
                        const std::string& type) {
  model::Builder b;
  model::BodySpec trolley;
  trolley.name = "trolley";
  trolley.motion = motion;
  b.add_body(trolley);
  body::Transform at;
  body::Rate rate;
  body::Bias bias;
  motion.at(0, at, rate, bias);
  Mat3 R;
  R << towards.normalized(), Vec3::UnitY(), towards.normalized().cross(Vec3::UnitY());
  auto rod = box("rod", {1, 0.05, 0.05}, 2.5, {at.p + 0.5 * towards.normalized(), R});
  rod.v = rate.v;
  b.add_body(rod);
  b.add_joint(joint("hook", type, "trolley", "rod", frame(at.p, Vec3::UnitY())));
  return b;
}

TEST(Prescribed, RodHangsAskewUnderAnAcceleratingTrolley) {  // tan(lean) = a / g, and stays so
  const double a = 3;
  body::Prescribed motion;
  motion.displacement[0] = {Drive::Level::displacement, Signal::function([a](double t) {
                              return Jet{a * t * t / 2, a * t, a};
                            })};
  const Vec3 lean = Vec3(-a, 0, -9.81).normalized();
  Simulation sim(built(hung_rod(motion, lean, "revolute")), settings(2, 1e-3));
  double off = 0;
  run(sim, [&] { off = std::max(off, (pose(sim, "rod").R.col(0) - lean).norm()); });
  record("lean", off);
  EXPECT_LE(off, 1e-9);  // rounding: the discrete motion is exact for a parabola
  EXPECT_LE(sim.summary().max_gap, 1e-10);
  EXPECT_LE(sim.summary().max_row_speed, 1e-10);
}

/// Swings in space and turns: the trolley goes round and tilts.
body::Prescribed swinging() {
  const auto wave = [](double a, double w) {
    return Drive{
        Drive::Level::displacement, Signal::function([a, w](double t) {
          return Jet{a * std::sin(w * t), a * w * std::cos(w * t), -a * w * w * std::sin(w * t)};
        })};
  };
  body::Prescribed motion;
  motion.displacement = {wave(0.3, 3), wave(0.2, 5), wave(0.1, 7)};
  motion.turns = {{Vec3::UnitZ(), wave(0.4, 2)}, {Vec3::UnitX(), wave(0.3, 4)}};
  return motion;
}

TEST(Prescribed, LedgerClosesWithOrderTwo) {
  for (const char* type : {"spherical", "revolute", "universal"}) {
    SCOPED_TRACE(type);
    std::array<double, 3> e{};
    for (std::size_t i = 0; i < 3; ++i) {
      Simulation sim(built(hung_rod(swinging(), -Vec3::UnitZ(), type)),
                     settings(2, 4e-3 / (1 << i)));
      run(sim);
      EXPECT_LE(sim.summary().max_gap, 1e-10);
      EXPECT_LE(sim.summary().max_row_speed, 1e-10);
      EXPECT_LE(sim.summary().momentum_residual_rel, 1e-12);  // rounding
      e[i] = sim.summary().energy_residual;
    }
    record(type, e[2]);
    EXPECT_LE(e[2], 1e-3);  // J: truncation
    for (const double order : orders(e)) EXPECT_NEAR(order, 2, 0.2);
  }
}

TEST(Prescribed, PlaceIsOfOrderTwo) {
  const auto end = [](double h) {
    Simulation sim(built(hung_rod(swinging(), -Vec3::UnitZ(), "spherical")), settings(1, h));
    run(sim);
    return pose(sim, "rod").p;
  };
  const Vec3 a = end(8e-3), b = end(4e-3), c = end(2e-3), d = end(1e-3);
  const auto observed = orders({(a - b).norm(), (b - c).norm(), (c - d).norm()});
  for (const double order : observed) EXPECT_NEAR(order, 2, 0.1);
}

TEST(Prescribed, SpringAndMotorToAMovingBodyCloseTheLedger) {
  std::array<double, 3> e{};
  for (std::size_t i = 0; i < 3; ++i) {
    model::Builder b = hung_rod(swinging(), -Vec3::UnitZ(), "revolute");
    b.add_body(solid("bob", 1, {0.1, 0.1, 0.1}, {Vec3(1, 0, 0)}));
    auto band = joint("band", "free", "trolley", "bob", {});
    band.at.reset();
    band.frame_a = band.frame_b = Pose{};
    b.add_joint(band);
    b.add_law(law("elastic", "spring", "band", "sqrt(D.D)",
                  {{"stiffness", 50}, {"damping", 1}, {"rest", 0.8}}));
    auto motor =
        law("servo", "motor", "hook", "angle", {{"force_min", -1000}, {"force_max", 1000}});
    motor.drive = Drive{Drive::Level::velocity, Signal::function([](double t) {
                          return Jet{std::sin(t), std::cos(t), -std::sin(t)};
                        })};
    b.add_law(motor);
    Simulation sim(built(b), settings(1, 4e-3 / (1 << i)));
    run(sim);
    e[i] = sim.summary().energy_residual;
  }
  record("imbalance_1ms", e[2]);
  for (const double order : orders(e)) EXPECT_NEAR(order, 2, 0.2);
}

}  // namespace
}  // namespace trammel::acceptance::driven_test
