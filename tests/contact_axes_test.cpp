// Forces at points of contact are what changes momenta, in every step and in every direction: the
// axes that solvers choose at a point are nobody's business.
#include <fmt/format.h>

#include "contact_support.h"
#include "scene_support.h"

namespace trammel::acceptance::contact_axes_test {
namespace {

/// The sum of all forces on what lies above.
Vec3 push(const Simulation& sim) {
  Vec3 out = Vec3::Zero();
  for (const constraint::ContactForce& c : sim.formulation().contact_forces())
    out += c.force.z() > 0 ? c.force : Vec3(-c.force);
  return out;
}

/// The greatest difference of m dv/dt - m g and the sum of the forces, in any step [N].
double unexplained(Simulation& sim, double mass) {
  const double h = sim.settings().step;
  double worst = 0;
  Vec3 before = velocity(sim, "brick").first;
  while (!sim.finished() && sim.advance()) {
    const Vec3 now = velocity(sim, "brick").first;
    const Vec3 wanted = mass * ((now - before) / h - Vec3(0, 0, -kGravity));
    worst = std::max(worst, (wanted - push(sim)).norm());
    before = now;
  }
  EXPECT_TRUE(sim.finished()) << sim.failure();
  return worst;
}

std::string scene(double frequency, double angle) {
  return fmt::format(R"toml(
format = 1
[simulation]
duration = "0.1 s"
step = "1 ms"
[[contact]]
friction = 0.4
[[body]]
name = "table"
mass = 5
box = [4, 1, "20 mm"]
contact = "solids"
position = [0, 0, "-10 mm"]
[[joint]]
name = "slide"
type = "prismatic"
b = "table"
at = [0, 0, 0]
axis = [0, 0, 1]
[[law]]
name = "drive"
type = "driven"
joint = "slide"
displacement = {{formula = "2 [mm]*sin({} [Hz]*t)"}}
[[body]]
name = "brick"
mass = 0.2
box = ["60 mm", "40 mm", "20 mm"]
position = [0, 0, "10 mm"]
velocity = [{}, {}, 0]
contact = "solids"
)toml",
                     frequency, std::cos(angle), std::sin(angle));
}

TEST(ContactAxes, ForcesAreWhatChangesMomentaOnATableThatShakes) {
  for (const double frequency : {10., 70., 200.})
    for (const double angle : {0., 0.7, 1.6, 4.}) {
      Simulation sim = simulation(scene(frequency, angle));
      EXPECT_LE(unexplained(sim, 0.2), 1e-9) << frequency << " Hz, " << angle;
    }
}

/// What is driven is where it is to be at the end of every step, whatever was looked at within it.
TEST(ContactAxes, WhatIsDrivenBesideContactDoesNotDrift) {
  Simulation sim = simulation(R"toml(
format = 1
[simulation]
duration = "1 s"
step = "0.5 ms"
formulation = "acceleration"
[[body]]
name = "carriage"
mass = 3
box = [0.3, 0.1, "40 mm"]
contact = "solids"
[[joint]]
name = "lift"
type = "prismatic"
b = "carriage"
at = [0, 0, 0]
axis = [0, 0, 1]
[[law]]
name = "hoist"
type = "driven"
joint = "lift"
velocity = {time = [0, "0.2 s", "0.4 s"], value = [0, 0, "0.4 m/s"]}
[[contact]]
friction = 0.4
[[body]]
name = "brick"
mass = 0.5
box = ["80 mm", "50 mm", "80 mm"]
position = [0, 0, "60 mm"]
contact = "solids"
)toml");
  while (!sim.finished() && sim.advance()) continue;
  EXPECT_TRUE(sim.finished()) << sim.failure();
  EXPECT_LE(sim.summary().max_gap, 1e-12);
  EXPECT_LE(sim.summary().max_row_speed, 1e-12);
}

/// What tumbles over a floor passes the places where the axes of a point change.
TEST(ContactAxes, ForcesAreWhatChangesMomentaOfWhatTumbles) {
  for (const double angle : {0., 0.3, 0.9, 2.}) {
    model::BodySpec b = block("brick", {0.3, 0.2, 0.1}, 2, {0, 0, 0.2});
    b.w = {1 + angle, 2, 0.5};
    b.v = {std::cos(angle), std::sin(angle), 0};
    model::Builder builder;
    builder.add_obstacle(floor_below({0, 0, 0}, Vec3(1e-17, 1e-3 * angle, 1)));
    builder.add_contact_law(everywhere(0.4, 0.3));
    builder.add_body(b);
    Simulation sim(built(builder), settings(1, 1e-3));
    EXPECT_LE(unexplained(sim, 2), 1e-8) << angle;
  }
}

}  // namespace
}  // namespace trammel::acceptance::contact_axes_test
