// Limits, Coulomb friction and strengths on the coordinates of joints.
#include <fmt/core.h>

#include "model/ledger.h"
#include "support.h"

namespace trammel::acceptance::laws_test {
namespace {

constexpr double kG = 9.81;

void record(const char* name, double value) {
  ::testing::Test::RecordProperty(name, fmt::format("{:.3g}", value));
}

/// A slider of 2 kg along x with speed v, weightless.
model::Builder slider(double v = 0, const char* type = "prismatic") {
  model::Builder b;
  b.gravity = Vec3::Zero();
  model::BodySpec body = solid("slider", 2, {1, 1, 1});
  body.v = {v, 0, 0};
  b.add_body(body);
  b.add_joint(joint("guide", type, "ground", "slider", {}));
  return b;
}

double position(const sim::Simulation& sim) { return pose(sim, "slider").p.x(); }
double speed(const sim::Simulation& sim) { return velocity(sim, "slider").first.x(); }

TEST(Limit, ElasticSliderGoesBetweenItsStops) {
  model::Builder b = slider(1);
  b.add_law(
      law("ends", "limit", "guide", "travel", {{"from", -0.3}, {"to", 0.5}, {"restitution", 1}}));
  Simulation sim(built(b), settings(100, 1e-3));
  int impacts = 0;
  double last = 1, least = 0, most = 0;
  run(sim, [&] {
    impacts += speed(sim) * last < 0;
    last = speed(sim);
    least = std::min(least, position(sim));
    most = std::max(most, position(sim));
    EXPECT_NEAR(std::abs(speed(sim)), 1, 1e-9);  // 125 impacts of 1e-12, as rows are solved
  });
  EXPECT_NEAR(impacts, 125, 1);
  EXPECT_GT(least, -0.301);  // a step further
  EXPECT_LT(most, 0.501);
}

TEST(Limit, EachImpactTakesItsShare) {
  model::Builder b = slider(1);
  b.add_law(
      law("ends", "limit", "guide", "travel", {{"from", -0.3}, {"to", 0.5}, {"restitution", 0.5}}));
  Simulation sim(built(b), settings(20, 1e-3));
  std::vector<double> speeds;
  run(sim, [&] {
    if (speeds.empty() || speeds.back() != speed(sim)) speeds.push_back(speed(sim));
  });
  ASSERT_GE(speeds.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(speeds[i], std::pow(-0.5, i), 1e-11);
  const auto& ledger = sim.state().ledger;
  EXPECT_NEAR(ledger[model::kImpacts], sim.energy() - 1, 1e-12);
  EXPECT_LE(sim.summary().energy_residual_rel(), 1e-12);
}

/// A coordinate that runs against its row is limited the same way.
TEST(Limit, OfACoordinateThatRunsAgainstItsRow) {
  const auto end = [](const char* coordinate, double from, double to) {
    model::Builder b = slider(1);
    trammel::joint::Table own = *trammel::joint::find_table("prismatic");
    own.coordinates.push_back(*trammel::joint::parse_coordinate("back = -Ax.D"));
    model::Builder made;
    made.gravity = Vec3::Zero();
    model::BodySpec body = solid("slider", 2, {1, 1, 1});
    body.v = {1, 0, 0};
    made.add_body(body);
    auto j = joint("guide", "", "ground", "slider", {});
    j.table = std::make_shared<const trammel::joint::Table>(own);
    made.add_joint(j);
    made.add_law(law("end", "limit", "guide", coordinate,
                     {{"from", from}, {"to", to}, {"restitution", 0.7}}));
    Simulation sim(built(made), settings(3, 1e-3));
    run(sim);
    return std::pair(position(sim), speed(sim));
  };
  const double inf = law::kInf;
  EXPECT_EQ(end("travel", -inf, 0.5), end("back", -0.5, inf));
  EXPECT_EQ(end("travel", -0.4, 0.5), end("back", -0.5, 0.4));
  EXPECT_NEAR(end("travel", -inf, 0.5).second, -0.7, 1e-11);
}

TEST(Limit, HoldsAPendulumAtRestAndSaysWhatItTakes) {
  model::Builder b;
  b.add_body(solid("rod", 3, {0.1, 0.2, 0.3}, {Vec3(0.5, 0, 0)}));
  b.add_joint(joint("hinge", "revolute", "ground", "rod", frame({0, 0, 0}, Vec3::UnitY())));
  b.add_law(law("stop", "limit", "hinge", "angle", {{"from", -2}, {"to", 0.4}}));
  Simulation sim(built(b), settings(3, 1e-3));
  run(sim);
  EXPECT_NEAR(coordinate(sim, "hinge", "angle"), 0.4, 1e-9);
  const int l = sim.model().find_law("stop");
  const auto row = static_cast<std::size_t>(sim.model().laws[static_cast<std::size_t>(l)].row);
  EXPECT_NEAR(sim.formulation().row_forces()[row], -3 * kG * 0.5 * std::cos(0.4), 1e-8);
}

TEST(Limit, StopsAMotorThatPushesAgainstIt) {
  model::Builder b = slider();
  b.add_law(law("stop", "limit", "guide", "travel", {{"to", 0.5}}));
  model::LawSpec motor =
      law("motor", "motor", "guide", "travel", {{"force_min", -7}, {"force_max", 7}});
  motor.drive = Drive{Drive::Level::velocity, Signal(1.)};
  b.add_law(motor);
  b.add_law(law("rub", "friction", "guide", "travel", {{"force", 2}}));
  Simulation sim(built(b), settings(3, 1e-3));
  run(sim);
  EXPECT_NEAR(position(sim), 0.5, 1e-9);
  EXPECT_NEAR(speed(sim), 0, 1e-12);
  const auto force = [&](const char* name) {
    const auto l = static_cast<std::size_t>(sim.model().find_law(name));
    return sim.formulation().row_forces()[static_cast<std::size_t>(sim.model().laws[l].row)];
  };
  EXPECT_NEAR(force("motor"), 7, 1e-9);
  EXPECT_NEAR(force("stop") + force("rub"), -7, 1e-9);
}

/// A block of 1 kg on the ground with friction 0.8 m g, pushed by 8 cos t from x = 3.
TEST(Friction, BlockSticksAndSlips) {
  model::Builder b;
  b.add_body(solid("slider", 1, {1, 1, 1}, {Vec3(3, 0, 0)}));
  auto guide = joint("guide", "prismatic", "ground", "slider", {});
  guide.at.reset();
  guide.frame_a = Pose{};
  guide.frame_b = Pose{};
  b.add_joint(guide);
  b.add_law(law("rub", "friction", "guide", "travel", {{"force", 0.8 * kG}}));
  model::LoadSpec push;
  push.name = "push";
  push.body = "slider";
  push.value[0] = Signal::function([](double t) {
    return Jet{8 * std::cos(t), -8 * std::sin(t), -8 * std::cos(t)};
  });
  b.add_load(push);
  Simulation sim(built(b), settings(10, 1e-3));
  double worst = 0, moved = 0;
  run(sim, [&] {
    const double t = sim.state().t;
    const double phase = std::fmod(t, M_PI);
    if (t < 0.34 || (phase > -1 && t > 2.94 && phase > 2.946347 - 1e-3) || phase < 0.3912 + 1e-3) {
      moved += std::abs(speed(sim)) > 1e-12;
      return;
    }
    EXPECT_LT(std::abs(speed(sim)), 1e-12) << t;  // it sticks, and does not creep
    const int slips = static_cast<int>(std::floor(t / M_PI));
    const double plateau = slips % 2 == 0 ? 3.004348570 : 2.991302833;
    worst = std::max(worst, std::abs(position(sim) - plateau));
  });
  record("plateau", worst);
  EXPECT_GT(moved, 300);
  EXPECT_LT(worst, 1e-5);
  EXPECT_LE(sim.summary().energy_residual_rel(), 1e-6);  // truncation of the load's work, h^2
}

/// Pulled by a spring whose end moves at v: it breaks loose at F_s = k v t, slips for
/// (2 pi - 2 atan((F_s - F_k) w / (k v))) / w and sticks again.
TEST(Friction, BreaksLooseAtTheStaticForce) {
  constexpr double k = 50, v = 0.1, static_force = 6, kinetic = 4, m = 2;
  model::Builder b = slider();
  b.add_law(law("rub", "friction", "guide", "travel",
                {{"force", kinetic}, {"static_force", static_force}}));
  model::BodySpec end = box("end", {1, 1, 1}, 0, {Vec3(1, 0, 0)});
  end.solid.reset();
  end.motion = body::Prescribed{};
  end.motion->displacement[0] = {Drive::Level::velocity, Signal(v)};
  b.add_body(end);
  auto pull = joint("pull", "free", "slider", "end", {});
  pull.at.reset();
  pull.frame_a = Pose{};
  pull.frame_b = Pose{};
  b.add_joint(pull);
  b.add_law(law("spring", "spring", "pull", "x", {{"stiffness", k}, {"rest", 1}}));
  Simulation sim(built(b), settings(3, 1e-4));
  double loose = 0, stuck = 0;
  run(sim, [&] {
    const bool moves = std::abs(speed(sim)) > 1e-12;
    if (moves && loose == 0) loose = sim.state().t;
    if (!moves && loose > 0 && stuck == 0) stuck = sim.state().t;
  });
  const double w = std::sqrt(k / m);
  EXPECT_NEAR(loose, static_force / (k * v), 3e-4);  // a few steps
  EXPECT_NEAR(stuck - loose, (2 * M_PI - 2 * std::atan((static_force - kinetic) * w / (k * v))) / w,
              1e-3);
}

model::LoadSpec ramp(const char* body, const Vec3& rate) {
  model::LoadSpec l;
  l.name = "ramp";
  l.body = body;
  for (std::size_t i = 0; i < 3; ++i) {
    const double a = rate[static_cast<int>(i)];
    l.value[i] = Signal::function([a](double t) { return Jet{a * t, a, 0}; });
  }
  return l;
}

struct Break {
  double t = 0, force = 0;
  std::string text;
};
Break first_break(sim::Simulation& sim) {
  Break out;
  run(sim, [&] {
    for (const form::Event& e : sim.take_events())
      if (e.kind == form::EventKind::breaking && out.t == 0) out = {e.t, e.value, e.text};
  });
  return out;
}

/// A rod of length 1 along x from the ground to the slider, pulled or pushed at 10 N/s.
TEST(Strength, RodBreaksInTensionOrCompression) {
  const auto pulled = [](double rate) {
    model::Builder b;
    b.gravity = Vec3::Zero();
    b.add_body(solid("slider", 2, {1, 1, 1}, {Vec3(1, 0, 0)}));
    auto rod = joint("rod", "distance", "ground", "slider", {});
    rod.at.reset();
    rod.frame_a = Pose{};
    rod.frame_b = Pose{};
    b.add_joint(rod);
    model::LawSpec hold = law("hold", "locked", "rod", "sqrt(D.D)", {{"value", 1}});
    hold.tensile_strength = 20;
    hold.compressive_strength = 30;
    b.add_law(hold);
    b.add_load(ramp("slider", {rate, 0, 0}));
    return built(b);
  };
  Simulation tension(pulled(10), settings(4, 1e-3)), compression(pulled(-10), settings(4, 1e-3));
  const Break first = first_break(tension), second = first_break(compression);
  EXPECT_NEAR(first.t, 2, 1.5e-3);  // at the end of the step whose mean exceeds it
  EXPECT_NEAR(first.force, 20, 0.02);
  EXPECT_NE(first.text.find("tensile"), std::string::npos) << first.text;
  EXPECT_NEAR(second.t, 3, 1.5e-3);
  EXPECT_NE(second.text.find("compressive"), std::string::npos) << second.text;
  EXPECT_EQ(tension.state().on[0], 0);
  EXPECT_NEAR(speed(tension), 10 * (16 - 4) / 2. / 2, 0.02);  // free from then on
  EXPECT_LE(tension.summary().energy_residual_rel(), 1e-5);
}

TEST(Strength, OfAReactionIsThatOfItsSize) {
  model::Builder b;
  b.gravity = Vec3::Zero();
  b.add_body(solid("slider", 2, {1, 1, 1}));
  auto weld = joint("weld", "fixed", "ground", "slider", {Vec3(-1, 0, 0)});
  weld.strength = 50;
  weld.torque_strength = 35;
  b.add_joint(weld);
  b.add_load(ramp("slider", {3, 0, 4}));  // 5 N/s, and 4 N m/s at the weld
  Simulation sim(built(b), settings(12, 1e-2));
  const Break at = first_break(sim);
  EXPECT_NEAR(at.t, 35. / 4, 0.015);
  EXPECT_NE(at.text.find("torque"), std::string::npos) << at.text;
}

TEST(Strength, SpringTearsItsJoint) {
  model::Builder b = slider(1);
  model::LawSpec spring = law("spring", "spring", "pull", "x", {{"stiffness", 100}});
  spring.tensile_strength = 10;
  auto pull = joint("pull", "free", "ground", "slider", {});
  b.add_joint(pull);
  b.add_law(spring);
  Simulation sim(built(b), settings(1, 1e-3));
  const Break at = first_break(sim);
  const double w = std::sqrt(50.);
  EXPECT_NEAR(at.t, std::asin(0.1 * w) / w, 2e-3);
  EXPECT_NEAR(speed(sim), std::cos(w * at.t), 1e-2);
}

/// An impact has no greatest force: what it would be is a matter of the step. What then pushes has.
TEST(Strength, ImpactsBreakNothingWhatPushesDoes) {
  form::Settings classical;
  classical.scheme = form::Settings::Scheme::baumgarte;
  form::Settings forces;
  forces.formulation = form::Settings::Formulation::acceleration;
  form::Settings energy;
  energy.formulation = form::Settings::Formulation::energy;
  energy.joint_stiffness = law::kInf;
  for (const form::Settings& way : {form::Settings{}, classical, forces, energy})
    for (const double rate : {300., 600.}) {
      SCOPED_TRACE(fmt::format("formulation {}, {} N/s", static_cast<int>(way.formulation), rate));
      model::Builder b = slider(1);
      b.add_law(law("end", "limit", "guide", "travel", {{"to", 0.1}}));
      model::BodySpec second = solid("second", 1, {1, 1, 1}, {Vec3(-0.5, 0, 0)});
      second.v = {1, 0, 0};
      b.add_body(second);
      auto coupler = joint("coupler", "fixed", "slider", "second", {Vec3(-0.2, 0, 0)});
      coupler.strength = 100;
      b.add_joint(coupler);
      b.add_load(ramp("second", {rate, 0, 0}));
      Simulation sim(built(b), settings(0.3, 1e-3, way));
      const Break at = first_break(sim);
      EXPECT_NEAR(at.t, rate * 0.3 > 100 ? 100 / rate : 0, 2e-3) << at.text;
      EXPECT_NEAR(position(sim), 0.1, 2e-3);
    }
}

}  // namespace
}  // namespace trammel::acceptance::laws_test
