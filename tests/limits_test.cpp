// Unilateral rows and motors: stops, rebounds, bounded motors, and the energy they account for.
#include <fmt/core.h>

#include "model/ledger.h"
#include "support.h"

namespace trammel::acceptance::limits_test {
namespace {

constexpr double kG = 9.81;

void record(const char* name, double value) {
  ::testing::Test::RecordProperty(name, fmt::format("{:.3g}", value));
}

/// A joint of rows written by hand, the last of them unilateral at zero.
model::JointSpec stopped(const std::string& body, const Pose& frame_a, const Pose& frame_b,
                         double e, const std::vector<std::string>& rows) {
  static const std::vector<std::string> none;
  auto parsed = trammel::joint::make_table("stopped", rows, none, none);
  EXPECT_TRUE(parsed.problems.empty());
  auto j = joint("stop", "", "ground", body, {});
  j.table = std::make_shared<const trammel::joint::Table>(std::move(parsed.table));
  j.at.reset();
  j.frame_a = frame_a;
  j.frame_b = frame_b;
  model::RowSpec row;
  row.row = rows.back();
  row.unilateral = true;
  row.restitution = e;
  j.rows.push_back(row);
  return j;
}

/// A ball that slides along z above a stop at z = 0, at rest at 1 m.
model::Built ball(double e, double height = 1) {
  model::Builder b;
  b.add_body(solid("ball", 1, {1, 1, 1}, {Vec3(0, 0, height)}));
  b.add_joint(stopped("ball", frame(Vec3::Zero(), Vec3::UnitZ()),
                      frame(Vec3::Zero(), Vec3::UnitZ()), e,
                      {"Ay.D", "Az.D", "Ax.By", "Ax.Bz", "Ay.Bz", "Ax.D"}));
  return built(b);
}

TEST(Stop, ElasticBallKeepsItsEnergyFor100Seconds) {  // 111 bounces
  Simulation sim(ball(1), settings(100, 1e-3));
  const double start = sim.energy();
  int bounces = 0;
  double last = 0;
  run(sim, [&] {
    const double v = velocity(sim, "ball").first.z();
    bounces += last < 0 && v > 0;
    last = v;
  });
  record("energy", sim.energy() / start - 1);
  EXPECT_NEAR(sim.energy(), start, 1e-3 * start);  // truncation
  EXPECT_NEAR(bounces, 111, 1);                    // 100 s / 2 sqrt(2 h/g) = 110.7
}

/// Speeds with which the ball has struck.
std::vector<double> impacts(double e, double duration) {
  Simulation sim(ball(e), settings(duration, 1e-3));
  run(sim);
  std::vector<double> out;
  for (const auto& event : sim.take_events())
    if (event.kind == constraint::EventKind::impact) out.push_back(event.value);
  return out;
}

TEST(Stop, EachImpactTakesItsShare) {
  for (const double e : {0., 0.5, 0.8}) {
    SCOPED_TRACE(fmt::format("restitution {}", e));
    const std::vector<double> speeds = impacts(e, 1.2);
    ASSERT_GE(speeds.size(), e == 0 ? 1u : 2u);
    for (std::size_t i = 1; i < speeds.size(); ++i)
      EXPECT_NEAR(speeds[i], e * speeds[i - 1], 1e-8);  // 2.5e-10 m of fall
  }
}

TEST(Stop, BouncingEndsWhenItShould) {  // t = sqrt(2h/g) (1 + e)/(1 - e)
  for (const auto& [e, end] : {std::pair(0.5, 1.354571), std::pair(0.8, 4.063712768872)}) {
    Simulation sim(ball(e), settings(end + 1, 1e-3));
    double stopped_at = 0, depth = 0;
    run(sim, [&] {
      if (std::abs(velocity(sim, "ball").first.z()) > 1e-3) stopped_at = sim.state().t;
      depth = std::min(depth, pose(sim, "ball").p.z());
    });
    EXPECT_NEAR(pose(sim, "ball").p.z(), 0, 1e-9);  // once at rest it is lifted out of the stop
    record("end_error_s", stopped_at - end);
    EXPECT_NEAR(stopped_at, end, 0.02 * end);  // the last of them, shorter than steps, are one
    EXPECT_GE(depth, -4e-5);                   // at what four steps of fall give
  }
}

TEST(Stop, LossOfTheImpactIsAccounted) {
  Simulation sim(ball(0.5), settings(0.7, 1e-3));
  bool seen = false;
  run(sim, [&] {
    for (const form::Event& e : sim.take_events()) {
      seen = seen || e.kind == form::EventKind::impact;
      if (e.kind == form::EventKind::impact && !e.text.empty() && sim.state().t < 0.5) {
        EXPECT_EQ(e.subject, "stop");
        EXPECT_NEAR(e.value, std::sqrt(2 * kG), 0.01);  // speed of the impact, within g h
      }
    }
  });
  EXPECT_TRUE(seen);
  const double lost = kG * (1 - 0.25);
  EXPECT_NEAR(sim.energy() - kG, -lost, 0.02);
  EXPECT_LE(std::abs(sim.imbalance()), 0.02);  // the ledger has it: truncation, g h v
}

TEST(Stop, RestingDoesNotChatter) {
  Simulation sim(ball(0.5, 0), settings(5, 1e-3));
  double gap = 0, speed = 0, least = 1e9, most = 0;
  run(sim, [&] {
    gap = std::max(gap, std::abs(pose(sim, "ball").p.z()));
    speed = std::max(speed, std::abs(velocity(sim, "ball").first.z()));
    const double f = sim.formulation().row_forces()[5];
    least = std::min(least, f);
    most = std::max(most, f);
  });
  EXPECT_LE(gap, 1e-12);  // rounding
  EXPECT_LE(speed, 1e-12);
  EXPECT_NEAR(least, kG, 1e-9);
  EXPECT_NEAR(most, kG, 1e-9);
}

TEST(Stop, BeadInsideARailStaysOnIt) {  // R = 300 m at 30 m/s: held one-sidedly by the distance
  model::Builder b;
  b.gravity.setZero();
  auto bead = solid("bead", 1, {0.1, 0.1, 0.1}, {Vec3(300, 0, 0)});
  bead.v = {0, 30, 0};
  b.add_body(bead);
  // the ring pulls inwards: 300 - |D| >= 0 as a row of opposite sign
  auto ring = joint("ring", "distance", "ground", "bead", {});
  ring.at.reset();
  ring.frame_a = ring.frame_b = Pose{};
  model::RowSpec row;
  row.row = "sqrt(D.D)";
  row.force_min = -1e6;
  row.force_max = 0.;  // only pulls
  ring.rows.push_back(row);
  b.add_joint(ring);
  Simulation sim(built(b), settings(20, 1e-3));
  double worst = 0;
  run(sim, [&] { worst = std::max(worst, std::abs(pose(sim, "bead").p.norm() - 300)); });
  record("gap", worst);
  EXPECT_LE(worst, 1e-10);
  EXPECT_NEAR(velocity(sim, "bead").first.norm(), 30, 1e-9);
}

TEST(Stop, RodFallsOntoItsStopAndRests) {
  model::Builder b;
  b.add_body(box("rod", {1, 0.05, 0.05}, 2.5, {Vec3(0.5, 0, 0)}));
  // a stop of the angle 0.3 rad below: turned down about y, z of the rod's frame against x of the
  // ground
  const Mat3 R = frame(Vec3::Zero(), Vec3::UnitY()).R;
  const Mat3 down = Eigen::AngleAxisd(0.3, Vec3::UnitY()).toRotationMatrix();
  const Pose at_rest{Vec3::Zero(), down * R}, on_rod{Vec3(-0.5, 0, 0), R};
  b.add_joint(stopped("rod", at_rest, on_rod, 0.3,
                      {"Ax.D", "Ay.D", "Az.D", "Ax.By", "Ax.Bz", "atan2(Ay.Bz, Az.Bz)"}));
  Simulation sim(built(b), settings(4, 1e-3));
  double speed = 0, angle = 0;
  run(sim, [&] {
    const Vec3 x = pose(sim, "rod").R.col(0);
    angle = std::atan2(-x.z(), x.x());
    if (sim.state().t > 3) speed = std::max(speed, velocity(sim, "rod").second.norm());
  });
  EXPECT_NEAR(angle, 0.3, 3e-3);  // truncation: a step's depth of the last impacts stays
  EXPECT_LE(speed, 1e-9);
}

// ---- motors

/// A slider of 1 kg on a level slide with a motor at `target`, force within +-`force`.
model::Builder servo(const Signal& target, double force) {
  model::Builder b;
  b.gravity.setZero();
  b.add_body(solid("slider", 1, {1, 1, 1}));
  b.add_joint(joint("slide", "prismatic", "ground", "slider", {}));
  auto motor =
      law("motor", "motor", "slide", "travel", {{"force_min", -force}, {"force_max", force}});
  motor.drive = Drive{Drive::Level::velocity, target};
  b.add_law(motor);
  return b;
}

TEST(Motor, SaturatesThenHoldsItsSpeed) {  // 2 N to 1 m/s, then coasts there: x = v t - v^2 / 2a
  std::array<double, 3> e{};
  for (std::size_t i = 0; i < 3; ++i) {
    Simulation sim(built(servo(1, 2)), settings(1.2, 7e-3 / (1 << i)));
    run(sim, [&] {
      EXPECT_LE(velocity(sim, "slider").first.x(), 1 + 1e-12);
      EXPECT_LE(std::abs(sim.formulation().row_forces()[5]), 2 + 1e-12);
    });
    e[i] = std::abs(pose(sim, "slider").p.x() - (sim.state().t - 0.25));
    EXPECT_NEAR(velocity(sim, "slider").first.x(), 1, 1e-12);
    EXPECT_LE(std::abs(sim.imbalance()),
              1e-12);  // work on the mean velocity is the energy: rounding
    EXPECT_NEAR(sim.state().ledger[model::kFirstLaw], 0.5, 1e-12);
  }
  record("error_7ms", e[0]);
  record("error_1.75ms", e[2]);
  EXPECT_LE(e[0], 7e-3 * 7e-3);  // the step of the switch: a h^2 / 8 at most
  EXPECT_LE(e[2], 1.75e-3 * 1.75e-3);
}

TEST(Motor, FollowsAMovingTargetWithOrderTwo) {
  const Signal wave = Signal::function([](double t) {
    return Jet{std::sin(3 * t), 3 * std::cos(3 * t), -9 * std::sin(3 * t)};
  });
  std::array<double, 3> e{};
  for (std::size_t i = 0; i < 3; ++i) {
    Simulation sim(built(servo(wave, 1e3)), settings(1.2, 8e-3 / (1 << i)));
    run(sim);
    EXPECT_NEAR(velocity(sim, "slider").first.x(), std::sin(3 * 1.2), 1e-12);
    e[i] = std::abs(pose(sim, "slider").p.x() - (1 - std::cos(3 * 1.2)) / 3);
  }
  for (const double order : orders(e)) EXPECT_NEAR(order, 2, 0.1);
}

TEST(Motor, WinchOnASwingingWeightIsOfOrderTwo) {  // its row turns with the rope
  std::array<double, 3> e{}, balances{};
  for (std::size_t i = 0; i < 3; ++i) {
    model::Builder b;
    auto weight = solid("weight", 1, {1, 1, 1}, {Vec3::UnitX()});
    weight.v = {-0.3, 0, 0};
    b.add_body(weight);
    auto rope = joint("rope", "free", "ground", "weight", {});
    rope.at.reset();
    rope.frame_a = rope.frame_b = Pose{};
    b.add_joint(rope);
    auto winch =
        law("winch", "motor", "rope", "sqrt(D.D)", {{"force_min", -1e3}, {"force_max", 1e3}});
    winch.drive = Drive{Drive::Level::velocity, -0.3};
    b.add_law(winch);
    Simulation sim(built(b), settings(1, 4e-3 / (1 << i)));
    run(sim);
    // l x'' + 2 l' x' = g cos x, as y = l^2 x' would have it: by RK4 in time
    double x = 0, w = 0;
    constexpr int n = 20000;
    const auto f = [](double t, double a, double rate) {
      const double l = 1 - 0.3 * t;
      return (kG * std::cos(a) + 0.6 * rate) / l;
    };
    for (int k = 0; k < n; ++k) {
      const double h = 1. / n, t = k * h, a1 = f(t, x, w),
                   a2 = f(t + h / 2, x + h / 2 * w, w + h / 2 * a1);
      const double a3 = f(t + h / 2, x + h / 2 * w + h * h / 4 * a1, w + h / 2 * a2);
      const double a4 = f(t + h, x + h * w + h * h / 2 * a2, w + h * a3);
      x += h * w + h * h / 6 * (a1 + a2 + a3);
      w += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
    EXPECT_NEAR(pose(sim, "weight").p.norm(), 0.7, 1e-9);  // tolerance of the rows, step after step
    e[i] = (pose(sim, "weight").p - 0.7 * Vec3(std::cos(x), 0, -std::sin(x))).norm();
    balances[i] = sim.summary().energy_residual;
  }
  record("error_1ms", e[2]);
  record("imbalance_1ms", balances[2]);
  for (const double order : orders(e)) EXPECT_NEAR(order, 2, 0.1);
  for (const double order : orders(balances)) EXPECT_NEAR(order, 2, 0.2);
}

/// A rod hung from a motor of 3 rad/s that is too weak to lift it: 11 N m against 12.26.
double weak_motor(double h, double& imbalance) {
  model::Builder b;
  const Mat3 hung = Eigen::AngleAxisd(M_PI / 2, Vec3::UnitY()).toRotationMatrix();
  b.add_body(box("rod", {1, 0.05, 0.05}, 2.5, {Vec3(0, 0, -0.5), hung}));
  b.add_joint(joint("pivot", "revolute", "ground", "rod", frame(Vec3::Zero(), Vec3::UnitY())));
  auto motor = law("motor", "motor", "pivot", "angle", {{"force_min", -11}, {"force_max", 11}});
  motor.drive = Drive{Drive::Level::velocity, 3};
  b.add_law(motor);
  Simulation sim(built(b), settings(3, h));
  run(sim);
  imbalance = std::abs(sim.imbalance());
  const Vec3 x = pose(sim, "rod").R.col(0);
  return std::atan2(-x.z(), x.x());
}

TEST(Motor, SwitchesCostNoMoreThanOrderOne) {
  double imbalance = 0;
  const double reference = weak_motor(6.25e-5, imbalance);
  std::array<double, 3> e{}, balances{};
  for (std::size_t i = 0; i < 3; ++i) {
    e[i] = std::abs(std::remainder(weak_motor(4e-3 / (1 << i), imbalance) - reference, 2 * M_PI));
    balances[i] = imbalance;
  }
  record("error_4ms", e[0]);
  record("error_1ms", e[2]);
  record("imbalance_1ms", balances[2]);
  EXPECT_LE(e[0], 1e-4);
  EXPECT_LE(e[2], e[0] / 4);     // order 1 at least, over two halvings
  EXPECT_LE(balances[0], 1e-3);  // of 23 J: truncation
  EXPECT_LE(balances[2], balances[0] / 4);
}

TEST(Motor, DryFrictionStopsAndHolds) {  // a brake: target 0 within +-3 N, from 2 m/s
  model::Builder moving;
  moving.gravity.setZero();
  auto slider = solid("slider", 1, {1, 1, 1});
  slider.v = {2, 0, 0};
  moving.add_body(slider);
  moving.add_joint(joint("slide", "prismatic", "ground", "slider", {}));
  auto brake = law("brake", "motor", "slide", "travel", {{"force_min", -3}, {"force_max", 3}});
  brake.drive = Drive{Drive::Level::velocity, 0};
  moving.add_law(brake);
  Simulation sim(built(moving), settings(2, 1e-3));
  run(sim);
  EXPECT_NEAR(pose(sim, "slider").p.x(), 2. / 3, 1e-6);  // v^2 / 2a; truncation a h^2 / 8
  EXPECT_LE(std::abs(velocity(sim, "slider").first.x()), 1e-12);
  EXPECT_NEAR(sim.state().ledger[model::kFirstLaw], -2, 1e-12);
  EXPECT_LE(std::abs(sim.imbalance()), 1e-12);
}

/// An anvil of 3 kg that rests on its stop, oblique in a field of gravity along its slide, and a
/// hammer of 1 kg that falls 0.45 m onto it, with coordinates that run down, against their rows.
model::Built anvil_and_hammer(double e, bool affine) {
  const Vec3 up = Vec3(1, -2, 3).normalized();
  model::Builder b;
  b.gravity = -kG * up;
  const Pose X = frame({0.3, 0.1, -0.2}, up);
  auto anvil = solid("anvil", 3, {0.2, 0.3, 0.4}, {X.p + 0.1 * Vec3::UnitX()});
  if (affine) anvil.affine = model::Elastic{law::kInf, {}};
  b.add_body(anvil);
  b.add_body(solid("hammer", 1, {0.1, 0.1, 0.15}, {X.p + 0.6 * up - 0.2 * Vec3::UnitY()}));
  const std::vector<std::string> rows{"Ay.D", "Az.D", "Ax.By", "Ax.Bz", "Ay.Bz"},
      down{"down = -Ax.D"};
  const auto table = std::make_shared<const trammel::joint::Table>(
      trammel::joint::make_table("slide", rows, {}, down).table);
  const auto slide = [&](const char* name, const char* a, const char* body) {
    auto j = joint(name, "", a, body, X);
    j.table = table;
    b.add_joint(j);
  };
  slide("column", "ground", "anvil");
  slide("guide", "anvil", "hammer");
  b.add_law(law("floor", "limit", "column", "down", {{"to", 0}}));
  b.add_law(law("face", "limit", "guide", "down", {{"to", 0.45}, {"restitution", e}}));
  return built(b);
}

/// What rests on its stop takes part in an impact: the anvil stays, the hammer leaves with e of its
/// speed and rises to e^2 of the height, whatever the masses; plastic, nothing moves any more.
/// sunk: by what an impact may come late.
void expect_anvil_stays(double e, bool affine, const form::Settings& form, double h, double sunk) {
  SCOPED_TRACE(fmt::format("formulation {}, affine {}, e {}", static_cast<int>(form.formulation),
                           affine, e));
  const double fall = std::sqrt(2 * 0.45 / kG), speed = kG * fall;
  Simulation sim(anvil_and_hammer(e, affine), settings(fall * (1 + e) + 0.05, h, form));
  double anvil = 0, most = 0, rebound = 0;
  run(sim, [&] {
    anvil = std::max(anvil, std::abs(coordinate(sim, "column", "down")));
    const double height = 0.45 + coordinate(sim, "guide", "down");  // the row, against its name
    if (sim.state().t > fall + 2 * h) {
      most = std::max(most, height);
      rebound = std::max(rebound, velocity(sim, "hammer").first.norm());
    }
  });
  EXPECT_LE(anvil, sunk);
  EXPECT_NEAR(most, e * e * 0.45, 3 * sunk + 1e-3 * e);
  EXPECT_NEAR(rebound, e * speed, 3 * kG * h + 1e-6);
  EXPECT_LE(velocity(sim, "anvil").first.norm(), 1e-8);
  const double lost = 0.5 * (1 - e * e) * speed * speed;
  EXPECT_NEAR(sim.state().ledger[model::kImpacts], -lost, 0.02 * lost);
}

TEST(Limit, ABodyThatRestsOnItsStopBearsAnImpact) {
  form::Settings forces, energy;
  forces.formulation = form::Settings::Formulation::acceleration;
  energy.formulation = form::Settings::Formulation::energy;
  energy.joint_stiffness = law::kInf;
  for (const bool affine : {false, true}) {
    for (const double e : {0., 0.5}) {
      expect_anvil_stays(e, affine, {}, 1e-3, 1e-9);
      expect_anvil_stays(e, affine, forces, 1e-3, 1e-9);
    }
    expect_anvil_stays(0, affine, energy, 1e-3, 1e-9);  // which knows plastic stops only
  }
}

}  // namespace
}  // namespace trammel::acceptance::limits_test
