#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "body/test_systems.h"
#include "contact_support.h"
#include "model/system.h"
#include "track_support.h"

/// Mechanisms in any units of length, mass and time: what tests of scales share.
namespace trammel::acceptance::scales {

/// What a metre, a kilogram and a second of a mechanism are, in SI.
struct Units {
  double m = 1, kg = 1, s = 1;
  double speed() const { return m / s; }
  double acceleration() const { return m / (s * s); }
  double force() const { return kg * acceleration(); }
  double stiffness() const { return kg / (s * s); }
  double damping() const { return kg / s; }
  double torque() const { return m * force(); }
  double inertia() const { return kg * m * m; }
};

struct Made {
  model::Builder builder;
  explicit Made(const Units& u) { builder.gravity = u.acceleration() * Vec3(0, 0, -9.81); }
  Made&& body(model::BodySpec b) && { return builder.add_body(std::move(b)), std::move(*this); }
  Made&& joint(model::JointSpec j) && { return builder.add_joint(std::move(j)), std::move(*this); }
  Made&& law(model::LawSpec l) && { return builder.add_law(std::move(l)), std::move(*this); }
  Made&& coupling(model::CouplingSpec c) && {
    c.name = "coupling";
    return builder.add_coupling(std::move(c)), std::move(*this);
  }
};

inline model::BodySpec brick(const Units& u, std::string name, const Vec3& size, double mass,
                             const Vec3& p) {
  return box(std::move(name), u.m * size, u.kg * mass, Pose{u.m * p, Mat3::Identity()});
}
inline model::BodySpec moving(model::BodySpec body, const Vec3& v) {
  body.v = v;
  return body;
}
inline model::JointSpec hinge(const Units& u, std::string name, std::string a, std::string b,
                              const Vec3& p) {
  return joint(std::move(name), "revolute", std::move(a), std::move(b),
               frame(u.m * p, Vec3::UnitY()));
}
inline model::JointSpec slide(const Units& u, const Vec3& p, const Vec3& axis) {
  return joint("rail", "prismatic", "ground", "a", frame(u.m * p, axis));
}
inline constexpr double kSmooth = 1e-3;  // of friction and motors, as by default

inline Made pendulum(const Units& u) {
  return Made(u)
      .body(brick(u, "a", {0.5, 0.05, 0.05}, 1, {0.25, 0, 0}))
      .joint(hinge(u, "p", "ground", "a", {0, 0, 0}));
}
inline Made damped_pair(const Units& u) {
  return pendulum(u)
      .body(brick(u, "b", {0.5, 0.05, 0.05}, 2, {0.75, 0, 0}))
      .joint(hinge(u, "q", "a", "b", {0.5, 0, 0}))
      .law(acceptance::law("k", "spring", "q", "angle",
                           {{"stiffness", 5 * u.torque()}, {"damping", 0.1 * u.torque() * u.s}}))
      .law(acceptance::law("f", "friction", "p", "angle",
                           {{"force", 0.5 * u.torque()}, {"smoothing", kSmooth / u.s}}));
}
inline Made linkage(const Units& u) {
  return Made(u)
      .body(brick(u, "a", {0.05, 0.05, 0.3}, 1, {0, 0, 0.15}))
      .body(brick(u, "b", {0.8, 0.05, 0.05}, 2, {0.4, 0, 0.3}))
      .body(brick(u, "c", {0.05, 0.05, 0.6}, 1.5, {0.8, 0, 0}))
      .joint(hinge(u, "p", "ground", "a", {0, 0, 0}))
      .joint(hinge(u, "q", "a", "b", {0, 0, 0.3}))
      .joint(hinge(u, "r", "b", "c", {0.8, 0, 0.3}))
      .joint(hinge(u, "t", "ground", "c", {0.8, 0, -0.3}));
}
inline Made fourbar(const Units& u) {
  auto motor = acceptance::law("motor", "motor", "p", "angle",
                               {{"force_min", -40 * u.torque()},
                                {"force_max", 40 * u.torque()},
                                {"smoothing", kSmooth / u.s}});
  motor.drive = {Drive::Level::velocity, Signal(3 / u.s)};
  return linkage(u).law(std::move(motor));
}
inline Made bouncer(const Units& u, double restitution) {
  return Made(u)
      .body(brick(u, "a", {0.1, 0.1, 0.1}, 1, {0, 0, 0.5}))
      .joint(slide(u, {0, 0, 0.5}, Vec3::UnitZ()))
      .law(acceptance::law("stop", "limit", "rail", "travel",
                           {{"from", -0.3 * u.m}, {"restitution", restitution}}));
}
inline Made rattler(const Units& u) {
  return Made(u)
      .body(moving(brick(u, "a", {0.1, 0.1, 0.1}, 1, {0, 0, 0}), u.speed() * Vec3(2, 0, 0)))
      .joint(slide(u, {0, 0, 0}, Vec3::UnitX()))
      .law(acceptance::law("k", "spring", "rail", "travel", {{"stiffness", 30 * u.stiffness()}}))
      .law(acceptance::law("stops", "limit", "rail", "travel",
                           {{"from", -0.11 * u.m}, {"to", 0.17 * u.m}, {"restitution", 0.7}}));
}
inline Made knocking_pendulum(const Units& u) {
  return pendulum(u).law(
      acceptance::law("stop", "limit", "p", "angle", {{"to", 0.8}, {"restitution", 0.6}}));
}
inline Made slipping(const Units& u) {
  return Made(u)
      .body(moving(brick(u, "a", {0.1, 0.1, 0.1}, 2, {0, 0, 0}), u.speed() * Vec3(1.5, 0, 0)))
      .joint(slide(u, {0, 0, 0}, Vec3::UnitX()))
      .law(acceptance::law("f", "friction", "rail", "travel",
                           {{"force", 7 * u.force()}, {"smoothing", kSmooth * u.speed()}}));
}
inline Made stick_slip(const Units& u) {
  return Made(u)
      .body(moving(brick(u, "a", {0.1, 0.1, 0.1}, 2, {0, 0, 0}), u.speed() * Vec3(1.5, 0, 0)))
      .joint(slide(u, {0, 0, 0}, Vec3::UnitX()))
      .law(acceptance::law("k", "spring", "rail", "travel", {{"stiffness", 150 * u.stiffness()}}))
      .law(acceptance::law("f", "friction", "rail", "travel",
                           {{"force", 4 * u.force()},
                            {"static_force", 6 * u.force()},
                            {"smoothing", kSmooth * u.speed()}}));
}
inline Made driven_into_stop(const Units& u) {
  auto motor = acceptance::law("motor", "motor", "rail", "travel",
                               {{"force_min", -9 * u.force()},
                                {"force_max", 9 * u.force()},
                                {"smoothing", kSmooth * u.speed()}});
  motor.drive = {Drive::Level::velocity, Signal(0.8 * u.speed())};
  return Made(u)
      .body(brick(u, "a", {0.1, 0.1, 0.1}, 2, {0, 0, 0}))
      .joint(slide(u, {0, 0, 0}, Vec3::UnitX()))
      .law(std::move(motor))
      .law(acceptance::law("stop", "limit", "rail", "travel", {{"to", 0.2 * u.m}}));
}
inline Made breaking(const Units& u) {
  Made made = pendulum(u);
  auto weld = joint("weld", "fixed", "a", "b", frame(u.m * Vec3(0.5, 0, 0)));
  weld.strength = 35 * u.force();
  return std::move(made).body(brick(u, "b", {0.1, 0.1, 0.1}, 1, {0.55, 0, 0})).joint(weld);
}
inline Made touching_floor(const Units& u, model::BodySpec body, double friction,
                           double restitution) {
  Made made(u);
  made.builder.add_obstacle(floor_below());
  made.builder.add_contact_law(everywhere(friction, restitution));
  return std::move(made).body(touching(std::move(body)));
}
inline Made sliding_box(const Units& u) {
  return touching_floor(
      u, moving(brick(u, "a", {0.2, 0.2, 0.1}, 1, {0, 0, 0.05}), u.speed() * Vec3(1, 0, 0)), 0.3,
      0);
}
inline Made bouncing_ball(const Units& u) {
  return touching_floor(u, ball("a", 0.1 * u.m, u.kg, u.m * Vec3(0, 0, 0.6)), 0.3, 0.7);
}
inline Made tumbling_box(const Units& u) {
  model::BodySpec b = brick(u, "a", {0.2, 0.15, 0.1}, 1, {0, 0, 0.4});
  b.w = Vec3(1, 2, 0.5) / u.s;
  return touching_floor(u, b, 0.4, 0.3);
}

inline Made rope(const Units& u) {
  model::JointSpec rope = model::between("rope", "ground", "a");
  rope.p_WA = Vec3::Zero();
  rope.p_WB = u.m * Vec3(0.3, 0, 0.1);
  return Made(u)
      .body(brick(u, "a", {0.1, 0.1, 0.1}, 1, {0.3, 0, 0.1}))
      .joint(rope)
      .law(acceptance::law("taut", "limit", "rope", "length",
                           {{"to", 0.4 * u.m}, {"restitution", 0.3}}));
}
inline Made winch(const Units& u) {
  return Made(u)
      .body(brick(u, "a", {0.1, 0.1, 0.1}, 2, {0, 0, 0}))
      .body(brick(u, "b", {0.2, 0.05, 0.2}, 3, {0, 0.3, 0}))
      .joint(slide(u, {0, 0, 0}, -Vec3::UnitZ()))
      .joint(hinge(u, "p", "ground", "b", {0, 0.3, 0}))
      .coupling(model::rack({"rail", "travel"}, {"p", "angle"}, 0.1 * u.m))
      .law(acceptance::law("floor", "limit", "rail", "travel", {{"to", 0.5 * u.m}}));
}
inline Made crank(const Units& u) {
  auto drive =  // stiff as by default
      acceptance::law("drive", "driven", "p", "angle", {{"stiffness", 1e9 * u.torque()}});
  drive.drive = {Drive::Level::velocity, Signal(4 / u.s)};
  return linkage(u).law(std::move(drive));
}
inline Made guided(const Units& u) {
  const Vec3 down(std::cos(0.7), 0, -std::sin(0.7));
  return Made(u)
      .body(moving(brick(u, "a", {0.2, 0.1, 0.1}, 2, {0, 0, 0}), -u.speed() * down))
      .joint(slide(u, {0, 0, 0}, down))
      .law(acceptance::law("f", "load-friction", "rail", "travel",
                           {{"mu", 0.3}, {"static_mu", 0.5}}));
}
inline Made chain(const Units& u) {
  Made made(u);
  for (int i = 0; i < 3; ++i) {
    const std::string name(1, static_cast<char>('a' + i)),
        before = i == 0 ? "ground" : std::string(1, static_cast<char>('a' + i - 1));
    made.builder.add_body(brick(u, name, {0.3, 0.05, 0.08}, 1 + i, {0.15 + 0.3 * i, 0, 0}));
    made.builder.add_joint(
        joint("j" + name, "spherical", before, name, frame(u.m * Vec3(0.3 * i, 0, 0))));
  }
  return made;
}
inline Made spinner(const Units& u) {
  model::BodySpec b = brick(u, "a", {0.3, 0.2, 0.1}, 1, {0, 0, 0});
  b.v = u.speed() * Vec3(1, 0.5, 2);
  b.w = Vec3(0.3, 5, 0.2) / u.s;
  return Made(u).body(b);
}
inline Made twisted_off(const Units& u) {
  Made made = pendulum(u);
  auto weld = joint("weld", "fixed", "a", "b", frame(u.m * Vec3(0.5, 0, 0)));
  weld.torque_strength = 4 * u.torque();
  return std::move(made).body(brick(u, "b", {0.5, 0.05, 0.05}, 1, {0.75, 0, 0})).joint(weld);
}
inline Made two_stops(const Units& u) {
  return Made(u)
      .body(moving(brick(u, "a", {0.1, 0.1, 0.1}, 1, {0, 0, 0}), u.speed() * Vec3(2, 0, 0)))
      .joint(slide(u, {0, 0, 0}, Vec3::UnitX()))
      .law(acceptance::law("k", "spring", "rail", "travel",
                           {{"stiffness", 30 * u.stiffness()}, {"damping", 2 * u.damping()}}))
      .law(acceptance::law("stops", "limit", "rail", "travel",
                           {{"from", -0.11 * u.m}, {"to", 0.17 * u.m}}));
}
inline Made geared_stop(const Units& u) {
  return pendulum(u)
      .body(brick(u, "b", {0.2, 0.05, 0.2}, 1, {0, 0.3, 0}))
      .joint(hinge(u, "q", "ground", "b", {0, 0.3, 0}))
      .coupling(model::gear({"p", "angle"}, {"q", "angle"}, 20, 30))
      .law(acceptance::law("stop", "limit", "q", "angle",
                           {{"from", -1.2}, {"to", 1.2}, {"restitution", 0.5}}));
}
inline Made rolling_ball(const Units& u) {
  Made made = touching_floor(u, ball("a", 0.1 * u.m, u.kg, u.m * Vec3(0, 0, 0.1)), 0.4, 0);
  made.builder.gravity = u.acceleration() * down_slope(0.3);
  return made;
}
inline Made sliding_ball(const Units& u) {
  return touching_floor(
      u, moving(ball("a", 0.1 * u.m, u.kg, u.m * Vec3(0, 0, 0.1)), u.speed() * Vec3(2, 0, 0)), 0.2,
      0);
}
inline Made billiard(const Units& u) {
  Made made(u);
  made.builder.gravity.setZero();
  made.builder.add_contact_law(everywhere(0.1, 0.9));
  return std::move(made)
      .body(
          moving(ball("a", 0.1 * u.m, u.kg, u.m * Vec3(-0.4, 0.02, 0)), u.speed() * Vec3(3, 0, 0)))
      .body(ball("b", 0.1 * u.m, u.kg, Vec3::Zero()));
}
inline Made falling_pair(const Units& u) {
  return touching_floor(u, brick(u, "a", {0.2, 0.2, 0.1}, 1, {0, 0, 0.1}), 0.5, 0)
      .body(touching(brick(u, "b", {0.1, 0.1, 0.1}, 1, {0.03, 0, 0.25})));
}

/// Straights and bends both ways: it passes borders at which curvature jumps.
inline Made on_bends(const Units& u) {
  Made made(u);
  made.builder.add_track(
      track_of(arcs({{0, 0.5 * u.m}, {0.5 / u.m, 0.8 * u.m}, {0, 0.4 * u.m}, {-1 / u.m, u.m}})));
  const double inertia = 0.02 * u.inertia();
  made.builder.add_body(
      on_track("a", 2 * u.kg, 0.1 * u.m, 3 * u.speed(), {inertia, inertia, inertia, 0, 0, 0}));
  made.builder.add_joint(running("a"));
  return made;
}
inline Made on_helix(const Units& u) {
  Made made(u);
  made.builder.add_track(track_of(std::make_shared<geom::Helix>(
      geom::HelixSpec{.radius = 0.5 * u.m, .pitch = -0.6 * u.m, .turns = 5})));
  const double inertia = 0.02 * u.inertia();
  made.builder.add_body(on_track("a", u.kg, 0, 0, {inertia, inertia, inertia, 0, 0, 0}));
  made.builder.add_joint(running("a", point_on_track()));
  return made;
}
/// Three points on rods, in generalised coordinates.
inline Made system_of_points(const Units& u) {
  Made made(u);
  model::SystemSpec spec;
  spec.name = "s";
  spec.of = body::test::pendulum({u.kg, 2 * u.kg, u.kg}, {0.5 * u.m, 0.3 * u.m, 0.4 * u.m});
  for (auto& o : spec.of.objects) o.name = "s." + o.name;
  spec.q = {0.4, 0.9, -0.3};
  spec.u = {0, 1 / u.s, 0};
  model::add_system(made.builder, spec);
  return made;
}

using Formulation = form::Settings::Formulation;
inline constexpr auto kV = Formulation::velocity, kA = Formulation::acceleration,
                      kE = Formulation::energy;

struct Scene {
  const char* name;
  std::function<Made(const Units&)> make;
  double duration;
  std::vector<Formulation> by;
};
inline std::vector<Scene> scenes() {
  const auto bounces = [](double e) { return [e](const Units& u) { return bouncer(u, e); }; };
  return {{"pendulum", pendulum, 1, {kV, kA, kE}},
          {"damped pair", damped_pair, 0.5, {kV, kA, kE}},
          {"linkage", linkage, 0.5, {kV, kA, kE}},
          {"fourbar", fourbar, 0.5, {kV, kA, kE}},
          {"elastic stop", bounces(1), 1, {kV, kA}},
          {"stop", bounces(0), 1, {kV, kA, kE}},
          {"bounces", bounces(0.6), 1, {kV, kA}},
          {"stops and spring", rattler, 0.6, {kV, kA}},
          {"knocking pendulum", knocking_pendulum, 1, {kV, kA}},
          {"slip", slipping, 0.8, {kV, kA, kE}},
          {"stick and slip", stick_slip, 1, {kV, kA}},
          {"driven into a stop", driven_into_stop, 0.6, {kV, kA, kE}},
          {"breaking", breaking, 0.5, {kV, kA}},
          {"sliding box", sliding_box, 0.5, {kV, kA}},
          {"bouncing ball", bouncing_ball, 0.8, {kV, kA}},
          {"tumbling box", tumbling_box, 0.3, {kV}},
          {"rope", rope, 0.8, {kV, kA}},
          {"winch", winch, 0.8, {kV, kA, kE}},
          {"crank", crank, 0.5, {kV, kA, kE}},
          {"guide with friction", guided, 0.6, {kV, kA}},
          {"chain", chain, 0.3, {kV, kA, kE}},
          {"spinner", spinner, 0.5, {kV, kA, kE}},
          {"twisted off", twisted_off, 0.4, {kV, kA}},
          {"two stops", two_stops, 0.6, {kV, kA, kE}},
          {"stops by a coupling", geared_stop, 0.6, {kV, kA}},
          {"rolling ball", rolling_ball, 0.6, {kV, kA}},
          {"sliding ball", sliding_ball, 0.6, {kV, kA}},
          {"billiard", billiard, 0.4, {kV, kA}},
          {"falling pair", falling_pair, 0.4, {kV}},
          {"sharp bounces", bounces(0.9), 0.7, {kV, kA}},
          {"wagon on bends", on_bends, 0.6, {kV, kA}},
          {"bead on a helix", on_helix, 0.8, {kV, kA}},
          {"system of points", system_of_points, 0.5, {kV, kA, kE}}};
}

}  // namespace trammel::acceptance::scales
