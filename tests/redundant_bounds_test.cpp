// Redundant joints beside bounds that act: they do not pull against each other, no more than
// without. References: statics across the motion, and the acceleration formulation, whose forces
// are those at an instant.
#include <algorithm>
#include <string>
#include <vector>

#include "support.h"

namespace trammel::acceptance::redundant_bounds_test {
namespace {

using Formulation = form::Settings::Formulation;
using Loads = std::vector<model::Reaction>;

constexpr double kG = 9.81, kMass = 6;

/// A door 1 m wide on two upright hinges 1 m apart, blown round by 3 m/s^2.
model::Builder door() {
  model::Builder b;
  b.gravity = {0, 3, -kG};
  b.add_body(box("door", {1, 0.05, 1}, kMass, {Vec3(0.5, 0, 0)}));
  for (const double z : {0.5, -0.5})
    b.add_joint(joint(z > 0 ? "upper" : "lower", "revolute", "ground", "door",
                      frame({0, 0, z}, Vec3::UnitZ())));
  return b;
}

/// In an oblique plane, with spatial hinges: three rows too many.
model::Builder four_bar() {
  const Mat3 tilt = Eigen::AngleAxisd(0.7, Vec3(1, 2, -1).normalized()).toRotationMatrix();
  const Vec3 O = tilt * Vec3(0, 0, 0), A = tilt * Vec3(0.3, 0.4, 0), B = tilt * Vec3(1.3, 0.8, 0),
             C = tilt * Vec3(1.5, 0, 0);
  model::Builder b;
  b.gravity = tilt * Vec3(0, -kG, 0);
  const auto bar = [&](const char* name, const Vec3& p, const Vec3& q) {
    b.add_body(box(name, {(q - p).norm(), 0.05, 0.05}, 1, {(p + q) / 2, frame(p, q - p).R}));
  };
  bar("crank", O, A), bar("coupler", A, B), bar("rocker", C, B);
  const auto hinge = [&](const char* name, const char* a, const char* c, const Vec3& p) {
    b.add_joint(joint(name, "revolute", a, c, frame(p, tilt * Vec3::UnitZ())));
  };
  hinge("o", "ground", "crank", O);
  hinge("a", "crank", "coupler", A);
  hinge("b", "coupler", "rocker", B);
  hinge("c", "ground", "rocker", C);
  return b;
}

void add_friction(model::Builder& b, const std::string& hinge, double torque) {
  b.add_law(law(hinge + "_rubs", "friction", hinge, "angle", {{"force", torque}}));
}

void add_motor(model::Builder& b, const std::string& hinge, double rate, double torque) {
  auto motor = law(hinge + "_motor", "motor", hinge, "angle",
                   {{"force_min", -torque}, {"force_max", torque}});
  motor.drive = Drive{Drive::Level::velocity, Signal(rate)};
  b.add_law(motor);
}

/// Reactions of the joints after every step of 1 ms, 2 s.
std::vector<Loads> loads(const model::Builder& b, Formulation formulation) {
  form::Settings form;
  form.formulation = formulation;
  Simulation sim(built(b), settings(2, 1e-3, form));
  std::vector<Loads> all;
  run(sim, [&] { sim.formulation().reactions(sim.state().on, all.emplace_back()); });
  EXPECT_EQ(sim.summary().fallbacks, 0);
  EXPECT_LE(sim.summary().energy_residual, 2e-3);  // truncation, of 20 J
  return all;
}

/// The greatest what(reaction) of all joints and steps.
template <class What>
double greatest(const std::vector<Loads>& all, const What& what) {
  double most = 0;
  for (const Loads& step : all)
    for (const model::Reaction& r : step) most = std::max(most, what(r));
  return most;
}

double force(const model::Reaction& r) { return r.force.norm(); }
double torque(const model::Reaction& r) { return r.torque.norm(); }

/// Greatest forces and torques of both formulations alike: a mean over a step is not the force at
/// its end, by 1e-3 of it.
void expect_as_by_forces(const model::Builder& b) {
  const auto by_impulses = loads(b, Formulation::velocity);
  const auto by_forces = loads(b, Formulation::acceleration);
  EXPECT_NEAR(greatest(by_impulses, force) / greatest(by_forces, force), 1, 1e-3);
  EXPECT_NEAR(greatest(by_impulses, torque), greatest(by_forces, torque), 0.02);
}

/// Along its line each hinge carries half of the weight.
void expect_half_the_weight(const model::Builder& b) {
  const auto off = [](const model::Reaction& r) { return std::abs(r.force.x() - kMass * kG / 2); };
  EXPECT_LE(greatest(loads(b, Formulation::velocity), off), 1e-5);  // rounding / eps
}

TEST(RedundantBounds, DoorOnTwoHinges) {
  expect_as_by_forces(door());
  expect_half_the_weight(door());
}

TEST(RedundantBounds, DoorWithOneHingeThatRubs) {
  model::Builder b = door();
  add_friction(b, "lower", 0.2);
  expect_as_by_forces(b);
  expect_half_the_weight(b);
}

TEST(RedundantBounds, DoorWithTwoHingesThatRub) {  // slides, or sticks: 9 N m blow it round
  for (const double held : {0.2, 3., 5.}) {
    model::Builder b = door();
    add_friction(b, "lower", held);
    add_friction(b, "upper", 1.1 * held);
    expect_as_by_forces(b);
    expect_half_the_weight(b);
  }
}

TEST(RedundantBounds, DoorWithAMotorAgainstAHingeThatRubs) {
  model::Builder b = door();
  add_friction(b, "lower", 2);
  add_motor(b, "upper", 1.5, 12);
  expect_as_by_forces(b);
  expect_half_the_weight(b);
}

TEST(RedundantBounds, FourBarWithAMotorAtItsBound) {
  for (const double bound : {3., 12.}) {
    model::Builder b = four_bar();
    add_motor(b, "o", 3, bound);
    if (bound > 3) add_friction(b, "a", 1), add_friction(b, "c", 2);
    expect_as_by_forces(b);
    const auto across = [](const model::Reaction& r) {  // of its plane nothing is wanted
      return std::max({std::abs(r.force.x()), std::abs(r.torque.y()), std::abs(r.torque.z())});
    };
    EXPECT_LE(greatest(loads(b, Formulation::velocity), across), 1e-5);  // rounding / eps
  }
}

}  // namespace
}  // namespace trammel::acceptance::redundant_bounds_test
