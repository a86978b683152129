// Joints that come and go while running: contacts that are found anew at each step, wagons that
// couple on the way.
#include "model/transient.h"

#include "model/ledger.h"
#include "sim/checkpoint.h"
#include "support.h"

namespace trammel::acceptance::transient_test {
namespace {

using Formulation = form::Settings::Formulation;

constexpr double kRadius = 0.1;  // [m]

/// The laws of a ball on a plane of normal Ax: it rebounds, and rubs with 2 N in two directions.
std::vector<model::LawSpec> ball_laws(const std::string& joint, double restitution = 0.7) {
  return {law("stop", "limit", joint, "Ax.D", {{"from", kRadius}, {"restitution", restitution}}),
          law("along", "friction", joint, "slip(Ay, Ax)", {{"force", 2}}),
          law("across", "friction", joint, "slip(Az, Ax)", {{"force", 2}})};
}

model::BodySpec thrown_ball() {
  model::BodySpec b =
      solid("ball", 1, Vec3::Constant(0.4 * kRadius * kRadius), {Vec3(0, 0, kRadius + 0.3)});
  b.v = Vec3(1, 0.3, 0);
  b.w = Vec3(0, -5, 2);
  return b;
}

/// A ball over a floor which it meets by transient joints.
model::Built by_contacts(double restitution = 0.7) {
  model::Builder b;
  b.add_body(thrown_ball());
  model::TransientSpec contact;
  contact.name = "contact";
  contact.type = "free";
  contact.laws = ball_laws("", restitution);
  b.add_transient(contact);
  return built(b);
}

/// The contact of the ball, while it is nearer than `reach` to the floor; `feature` of a state
/// makes its key.
template <class Feature>
sim::TransientSource contacts(double reach, const Feature& feature) {
  return [=](const model::State& state, const model::KinematicsCache& now,
             std::vector<model::Transient>& list) {
    if (now.T_WO[1].p.z() - kRadius > reach) return;
    list.push_back({0, 1, feature(state), 0, 1, frame(Vec3::Zero(), Vec3::UnitZ()), Pose{}});
  };
}
std::int64_t another_each_step(const model::State& state) { return state.step; }

/// The same ball, without friction, over a floor that its joint knows all the time.
model::Built by_joint() {
  model::Builder b;
  b.add_body(thrown_ball());
  auto j = joint("floor", "free", "ground", "ball", {});
  j.at.reset();
  j.frame_a = frame(Vec3::Zero(), Vec3::UnitZ());
  j.frame_b = Pose{};
  b.add_joint(j);
  b.add_law(ball_laws("floor")[0]);
  return built(b);
}

sim::Settings every_step_another(double duration, double step, double reach = 0.05) {
  sim::Settings s = settings(duration, step);
  s.transients = contacts(reach, another_each_step);
  return s;
}

TEST(Transient, AContactComesAndGoesWithCheckpointsBitForBit) {
  const model::Built ball = by_contacts();
  const sim::Settings s = every_step_another(10, 1e-3);
  Simulation sim(ball, s);
  std::vector<std::string> bytes;
  int with = 0, without = 0;
  for (int k = 0; k < 10'000; ++k) {
    if (k % 1000 == 500) bytes.push_back(sim::to_bytes(sim));
    ASSERT_TRUE(sim.advance()) << sim.failure();
    ++(sim.state().transients.size() > 0 ? with : without);
  }
  EXPECT_GT(with, 5000);
  EXPECT_GT(without, 300);
  for (std::size_t i = 0; i + 1 < bytes.size(); ++i) {
    Simulation again(ball, s);
    sim::from_bytes(bytes[i], again);
    for (int k = 0; k < 1000; ++k) ASSERT_TRUE(again.advance()) << again.failure();
    EXPECT_EQ(sim::to_bytes(again), bytes[i + 1]) << i;
  }
}

TEST(Transient, AContactFoundAnewIsAsOneThatStays) {
  // without friction, which a joint that stays would have in the air, too
  for (const Formulation way : {Formulation::velocity, Formulation::acceleration}) {
    model::Builder b;
    b.add_body(thrown_ball());
    model::TransientSpec contact;
    contact.name = "contact";
    contact.type = "free";
    contact.laws = {ball_laws("")[0]};
    b.add_transient(contact);
    sim::Settings s = every_step_another(2, 1e-3);
    s.form.formulation = way;
    Simulation sim(built(b), s);
    s.transients = {};
    Simulation other(by_joint(), s);
    double apart = 0;
    while (!sim.finished()) {
      ASSERT_TRUE(sim.advance()) << sim.failure();
      ASSERT_TRUE(other.advance()) << other.failure();
      apart = std::max(apart, (pose(sim, "ball").p - pose(other, "ball").p).norm());
    }
    EXPECT_LT(apart, 1e-9);  // rounding, over some twenty bounces
    EXPECT_NEAR(sim.energy(), other.energy(), 1e-8);
  }
}

TEST(Transient, AKeyThatStaysKeepsItsMemory) {
  // at rest on the floor, seen with one key and with a new one in every step
  model::Builder b;
  model::BodySpec ball = thrown_ball();
  ball.X_WB.p.z() = kRadius;
  ball.v = ball.w = Vec3::Zero();
  b.add_body(ball);
  model::TransientSpec contact;
  contact.name = "contact";
  contact.type = "free";
  contact.laws = ball_laws("", 0);
  b.add_transient(contact);
  const model::Built resting = built(b);
  sim::Settings s = settings(0.1, 1e-3);
  s.transients = contacts(0.05, [](const model::State&) { return 3; });
  Simulation stays(resting, s);
  s.transients = contacts(0.05, another_each_step);
  Simulation changes(resting, s);
  run(stays);
  run(changes);
  EXPECT_NEAR(stays.state().rows.impulse[0], 9.81 * 0.5e-3, 1e-12);
  EXPECT_NEAR(pose(stays, "ball").p.z(), kRadius, 1e-12);
  EXPECT_NEAR(pose(changes, "ball").p.z(), kRadius, 1e-12);
  EXPECT_LT(stays.summary().iterations, changes.summary().iterations);  // it starts warm
}

/// Two wagons on a slide, the second runs after the first.
model::Built wagons(model::TransientSpec coupler = {}) {
  model::Builder b;
  b.gravity = Vec3::Zero();
  for (const auto& [name, x, v] : {std::tuple("first", 2., 1.), std::tuple("second", 0., 3.)}) {
    model::BodySpec w = box(name, {1, 0.5, 0.5}, v > 2 ? 2 : 1, {Vec3(x, 0, 0)});
    w.v.x() = v;
    b.add_body(w);
    b.add_joint(
        joint(std::string("rail ") + name, "prismatic", "ground", name, frame(Vec3(x, 0, 0))));
  }
  if (coupler.name.empty()) {
    coupler.name = "coupler";
    coupler.type = "spherical";
  }
  b.add_transient(coupler);
  return built(b);
}

/// Couples the wagons from where they meet until t = 1.5 s.
void couple(const model::State& state, const model::KinematicsCache& now,
            std::vector<model::Transient>& list) {
  const bool meets = now.T_WO[1].p.x() - now.T_WO[2].p.x() <= 1;
  if (!(meets || state.transients.size() > 0) || state.t > 1.5) return;
  const double half = state.transients.size() > 0 ? model::get(state.transients, 0).X_OB.p.x()
                                                  : (now.T_WO[1].p.x() - now.T_WO[2].p.x()) / 2;
  list.push_back({0, 1, 0, 1, 2, Pose{Vec3(-half, 0, 0), Mat3::Identity()},
                  Pose{Vec3(half, 0, 0), Mat3::Identity()}});
}

TEST(Transient, WagonsCoupleOnTheWayAndPartAgain) {
  for (const Formulation way :
       {Formulation::velocity, Formulation::acceleration, Formulation::energy}) {
    sim::Settings s = settings(2, 1e-3);
    s.form.formulation = way;
    s.form.joint_stiffness = law::kInf;
    s.transients = couple;
    Simulation sim(wagons(), s);
    const double before = sim.energy();
    int coupled = 0;
    run(sim, [&] { coupled += sim.state().transients.size() > 0; });
    EXPECT_NEAR(coupled, 1001, 1);
    // 1 kg at 1 m/s, 2 kg at 3 m/s: 7/3 m/s together
    for (const char* name : {"first", "second"})
      EXPECT_NEAR(velocity(sim, name).first.x(), 7. / 3, 1e-9) << name;
    const double loss = 0.5 * 1 * 2 / 3. * 4;
    EXPECT_NEAR(before - sim.energy(), loss, 1e-9);
    EXPECT_NEAR(sim.state().ledger[model::kImpacts], -loss, 1e-9);
    EXPECT_LT(sim.summary().energy_residual, 1e-9);
  }
}

/// While they are coupled the second runs after the first at a speed that varies.
TEST(Transient, ACouplingMayBeDriven) {
  const auto speed = [](double t) { return -0.3 - 0.2 * std::sin(3 * t); };
  model::TransientSpec coupler;
  coupler.name = "coupler";
  coupler.type = "prismatic";
  coupler.laws = {law("motor", "motor", "", "travel")};
  coupler.laws[0].drive =
      Drive{Drive::Level::velocity, Signal::function([=](double t) {
              return Jet{speed(t), -0.6 * std::cos(3 * t), 1.8 * std::sin(3 * t)};
            })};
  for (const Formulation way : {Formulation::velocity, Formulation::acceleration}) {
    sim::Settings s = settings(1.4, 1e-3);
    s.form.formulation = way;
    s.transients = couple;
    Simulation sim(wagons(coupler), s);
    run(sim);
    EXPECT_GT(sim.state().transients.size(), 0u);
    const double apart = velocity(sim, "second").first.x() - velocity(sim, "first").first.x();
    EXPECT_NEAR(apart, speed(1.4), 1e-3);  // at a step's middle by impulses
    EXPECT_TRUE(sim.warnings().empty()) << sim.warnings()[0].text;
  }
}

TEST(Transient, WrongOnesStopTheProgramThatMadeThem) {
  sim::Settings s = settings(1, 1e-3);
  s.transients = [](const model::State&, const model::KinematicsCache&,
                    std::vector<model::Transient>& list) {
    list.push_back({0, 0, 0, 0, 7, Pose{}, Pose{}});
  };
  sim::Simulation sim(by_contacts(), s);
  EXPECT_THROW(sim.advance(), std::invalid_argument);
}

TEST(Transient, TheEnergyFormulationRefusesLawsOfTypesToo) {
  sim::Settings s = settings(1, 1e-3);
  s.form.formulation = Formulation::energy;
  EXPECT_THROW(sim::Simulation(by_contacts(), s), std::invalid_argument);  // restitution
  EXPECT_NO_THROW(sim::Simulation(by_contacts(0), s));
}

}  // namespace
}  // namespace trammel::acceptance::transient_test
