// Accounts of the acceleration formulation close where velocities jump: every row that takes part
// in an impulse books its work, and what the ground carries counts wherever contacts share it.
#include "contact_support.h"
#include "form/meter.h"
#include "io/scene.h"
#include "model/ledger.h"
#include "track_support.h"

namespace trammel::acceptance::acceleration_accounts_test {
namespace {

using Formulation = form::Settings::Formulation;

form::Settings by(Formulation formulation) {
  form::Settings s;
  s.formulation = formulation;
  return s;
}

/// A car whose mass centre lies beside its track, on a straight that goes over into an arc at once:
/// the law keeps the speed along the track, so that the mass centre has to change its own.
model::Builder car_on_a_kink(const std::string& type) {
  model::Builder b;
  b.gravity.setZero();
  b.add_track(track_of(arcs({{0, 2}, {0.05, 20}})));
  model::BodySpec car = on_track("car", 50, 0, 6, {9, 20, 22, 0, 0, 0});
  car.com = Vec3(0, 2, 0);
  b.add_body(car);
  b.add_joint(running("car"));
  model::LawSpec law = motor("car.track", -law::kInf, law::kInf, Signal(6));
  law.type = type;
  if (type == "driven") law.numbers.clear();
  b.add_law(law);
  return b;
}

TEST(AccelerationAccounts, DrivesWorkInTheImpulseAtAKink) {
  for (const std::string type : {"motor", "driven"})
    for (const Formulation f : {Formulation::velocity, Formulation::acceleration}) {
      Ride ride(car_on_a_kink(type), 1e-3, 1, by(f));
      ride.to_end();
      EXPECT_NEAR(ride.s(), 6, 1e-6) << type;
      // the mass centre is on the inner side, at 18 of 20 m: m/2 of 5.4^2 - 6^2, and the turn
      const double change = 25 * (5.4 * 5.4 - 36) + 11 * 0.09, work = ride.ledger(model::kFirstLaw),
                   loss = ride.ledger(model::kImpacts);
      EXPECT_NEAR(work + loss, change, 1e-4) << type;  // truncation of the velocity formulation
      EXPECT_LT(loss, -1) << type;
      EXPECT_LT(work, -10) << type;
      EXPECT_LT(ride.sim.summary().energy_residual, f == Formulation::velocity ? 1e-4 : 1e-9);
    }
}

/// What holds a rate without bounds has it at once: from rest, and where the rate asked for jumps.
TEST(AccelerationAccounts, AMotorWithoutBoundsWorksWhereItsSpeedJumps) {
  for (const Formulation f : {Formulation::velocity, Formulation::acceleration}) {
    model::Builder b;
    b.gravity.setZero();
    b.add_track(track_of(line(300)));
    b.add_body(on_track("car", 50, 2, 0));
    b.add_joint(running("car"));
    b.add_law(
        motor("car.track", -law::kInf, law::kInf, Signal::spline({0, 0.5, 0.5, 1}, {2, 2, 6, 6})));
    Ride ride(b, 1e-2, 1, by(f));
    ride.to(0.3);
    EXPECT_NEAR(ride.ledger(model::kFirstLaw), 25 * 4, 1e-9);
    ride.to_end();
    EXPECT_NEAR(ride.ledger(model::kFirstLaw), 25 * 36, 1e-9);
    EXPECT_NEAR(ride.v().x(), 6, 1e-12);
    EXPECT_LT(ride.sim.summary().energy_residual, 1e-9);
  }
}

/// A stop strikes while a motor without bounds holds another row of the same body.
TEST(AccelerationAccounts, AMotorWorksInTheImpactOfAStop) {
  for (const double restitution : {0., 0.6}) {
    model::Builder b;
    b.gravity.setZero();
    b.add_body(box("slide", {0.1, 0.1, 0.1}, 1));
    b.add_body(box("arm", {1, 0.1, 0.1}, 2, Pose{Vec3(0.5, 0, 0), Mat3::Identity()}));
    b.add_joint(joint("guide", "prismatic", "ground", "slide", frame(Vec3::Zero(), Vec3::UnitY())));
    b.add_joint(joint("hinge", "revolute", "slide", "arm", frame(Vec3::Zero(), Vec3::UnitZ())));
    model::LawSpec turn = law("turn", "motor", "hinge", "angle");
    turn.drive = Drive{Drive::Level::velocity, Signal(3)};
    b.add_law(turn);
    b.add_law(law("stop", "limit", "guide", "travel",
                  {{"from", -0.2}, {"to", 0.2}, {"restitution", restitution}}));
    form::Settings s = by(Formulation::acceleration);
    Simulation sim(built(b), settings(3, 1e-2, s));
    run(sim);
    EXPECT_LT(sim.state().ledger[model::kImpacts], restitution < 1 ? -1e-3 : 1e-9);
    EXPECT_LT(sim.summary().energy_residual, 1e-7);
    EXPECT_TRUE(sim.warnings().empty());
  }
}

/// A hand that is fixed to the ground grips a box that stands there harder and harder: the ground
/// and the hand share its weight as they like, and what one carries more the other carries less.
TEST(AccelerationAccounts, AGripOnWhatRestsKeepsTheMomentum) {
  const auto finger = [](const std::string& name, double x) {
    const std::string place = std::to_string(x), axis = x < 0 ? "1" : "-1";
    return "[[body]]\nname = \"" + name +
           "\"\nmass = 0.2\nbox = [0.015, 0.04, 0.12]\ncontact = \"solids\"\nposition = [" + place +
           ", 0, 0.09]\n[[joint]]\nname = \"guide_" + name +
           "\"\ntype = \"prismatic\"\na = \"hand\"\nb = \"" + name + "\"\nat = [" + place +
           ", 0, 0.15]\naxis = [" + axis + ", 0, 0]\n[[law]]\nname = \"push_" + name +
           "\"\ntype = \"actuator\"\njoint = \"guide_" + name +
           "\"\nforce = {time = [0, 0.5], value = [0, 20]}\n";
  };
  const std::string text =
      "format = 1\n[simulation]\nduration = 1\nstep = 1e-3\nformulation = \"acceleration\"\n"
      "[[contact]]\nfriction = 0.6\n[[obstacle]]\nhalf_space = [0, 0, 1]\n"
      "[[body]]\nname = \"part\"\nmass = 2\nbox = [0.08, 0.08, 0.08]\nposition = [0, 0, 0.04]\n"
      "contact = \"solids\"\n"
      "[[body]]\nname = \"hand\"\nmass = 1\nbox = [0.2, 0.06, 0.04]\nposition = [0, 0, 0.18]\n"
      "[[joint]]\nname = \"lift\"\ntype = \"fixed\"\nb = \"hand\"\nat = [0, 0, 0.18]\n" +
      finger("left", -0.06) + finger("right", 0.06);
  auto result = io::load_scene_text(text, "gripper.toml");
  const auto* it = std::get_if<io::LoadedScene>(&result);
  ASSERT_TRUE(it) << to_text(std::get<io::SceneProblems>(result).front());
  Simulation sim(it->built, it->scene.settings);
  run(sim);
  EXPECT_NEAR(pose(sim, "part").p.z(), 0.04, 1e-9);
  EXPECT_LT(sim.summary().momentum_residual_rel, 1e-8);  // of forces shared to 1e-8 of the weight
  EXPECT_TRUE(sim.warnings().empty());
}

/// A turning arm strikes a door at rest whose hinge rubs, or is braked, with a finite moment: that
/// has no part in the impulse, and the door turns as if it were free at first.
TEST(AccelerationAccounts, AFiniteMomentHasNoPartInABlow) {
  const auto door = [](const std::string& law) {
    return "format = 1\n[simulation]\nduration = 0.6\nstep = 1e-3\ngravity = 0\n"
           "formulation = \"acceleration\"\n"
           "[[body]]\nname = \"door\"\nmass = 2\nbox = [1, 0.05, 0.5]\nposition = [0.5, 0, 0]\n"
           "contact = \"solids\"\n"
           "[[body]]\nname = \"arm\"\nmass = 1\nbox = [0.6, 0.05, 0.2]\n"
           "position = [1.1, -0.2, 0]\ncontact = \"solids\"\n"
           "[[joint]]\nname = \"hinge\"\ntype = \"revolute\"\nb = \"door\"\nat = [0, 0, 0]\n"
           "axis = [0, 0, 1]\n"
           "[[joint]]\nname = \"pivot\"\ntype = \"revolute\"\nb = \"arm\"\n"
           "at = [1.4, -0.2, 0]\naxis = [0, 0, -1]\n"
           "[[law]]\nname = \"drive\"\ntype = \"driven\"\njoint = \"pivot\"\nvelocity = 1\n" +
           law;
  };
  const std::string rubs =
      "[[law]]\nname = \"rub\"\ntype = \"friction\"\njoint = \"hinge\"\nforce = ";
  std::vector<double> turned;
  for (const std::string& law : {std::string(), rubs + "0\n", rubs + "0.001\n"}) {
    auto result = io::load_scene_text(door(law), "door.toml");
    const auto* it = std::get_if<io::LoadedScene>(&result);
    ASSERT_TRUE(it) << to_text(std::get<io::SceneProblems>(result).front());
    Simulation sim(it->built, it->scene.settings);
    run(sim);
    turned.push_back(velocity(sim, "door").second.z());
    EXPECT_TRUE(sim.warnings().empty()) << law;
    EXPECT_LT(sim.summary().energy_residual_rel(), 1e-8) << law;
  }
  EXPECT_GT(std::abs(turned[0]), 0.1);
  EXPECT_NEAR(turned[1], turned[0], 1e-9);
  EXPECT_NEAR(turned[2], turned[0], 1e-3);
}

/// A yaw with a spring and a damper leads its body straight to a pitch of 90 deg, where it has no
/// meaning: the run ends there, with the angle's name, after few steps.
TEST(AccelerationAccounts, AnAngleThatLosesItsMeaningEndsTheRunByName) {
  const std::string text =
      "format = 1\n[simulation]\nduration = 0.5\nstep = 1e-3\ngravity = 0\n"
      "formulation = \"acceleration\"\n"
      "[[body]]\nname = \"b\"\nmass = 1\nbox = [0.1, 0.2, 0.3]\nangular_velocity = [0, 5, 0.3]\n"
      "[[joint]]\nname = \"ball\"\ntype = \"spherical\"\nb = \"b\"\nat = [0, 0, 0]\n"
      "[[law]]\nname = \"s\"\ntype = \"spring\"\njoint = \"ball\"\ncoordinate = \"yaw\"\n"
      "stiffness = 1\ndamping = 0.1\n";
  auto result = io::load_scene_text(text, "yaw.toml");
  const auto* it = std::get_if<io::LoadedScene>(&result);
  ASSERT_TRUE(it) << to_text(std::get<io::SceneProblems>(result).front());
  form::Meter meter;
  meter.costs.slope = 1;
  sim::Settings how = it->scene.settings;
  how.form.meter = &meter;
  Simulation sim(it->built, how);
  while (!sim.finished() && sim.advance()) continue;
  EXPECT_NE(sim.failure().find("the angle 'yaw' of joint 'ball' loses its meaning"),
            std::string::npos)
      << sim.failure();
  EXPECT_NEAR(sim.state().t, 0.314, 0.01);
  EXPECT_LT(meter.done(), 1e6);  // slopes, some 12 a step
}

}  // namespace
}  // namespace trammel::acceptance::acceleration_accounts_test
