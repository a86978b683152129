#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "model/builder.h"
#include "model/reactions.h"
#include "sim/simulation.h"
#include "sim/test_balance.h"

/// What the acceptance tests share: mechanisms in few words, runs, looks at a run.
namespace trammel::acceptance {

/// The built mechanism; every complaint of the builder fails the test.
inline model::Built built(const model::Builder& builder) {
  auto result = builder.build();
  if (const auto* problems = std::get_if<std::vector<Problem>>(&result)) {
    for (const Problem& p : *problems) ADD_FAILURE() << p.path << ": " << p.text;
    throw std::runtime_error("the mechanism was refused");
  }
  return std::get<model::Built>(std::move(result));
}

/// A pose at p whose x axis points along `axis`; y and z are some two axes across it.
inline Pose frame(const Vec3& p, const Vec3& axis = Vec3::UnitX()) {
  Mat3 R;
  R.col(0) = axis.normalized();
  R.col(1) = R.col(0).unitOrthogonal();
  R.col(2) = R.col(0).cross(R.col(1));
  return {p, R};
}

/// A uniform box whose edges lie along the axes of X; mass in kg.
inline model::BodySpec box(std::string name, const Vec3& size, double mass, const Pose& X = {}) {
  model::BodySpec b;
  b.name = std::move(name);
  b.solid = model::Solid{model::Solid::Kind::box, size};
  b.mass = mass;
  b.X_WB = X;
  return b;
}

/// A body given by mass and principal moments [kg, kg m^2], the body frame at its centre of mass.
inline model::BodySpec solid(std::string name, double mass, const Vec3& moments,
                             const Pose& X = {}) {
  model::BodySpec b;
  b.name = std::move(name);
  b.mass = mass;
  b.inertia = {moments.x(), moments.y(), moments.z(), 0, 0, 0};
  b.X_WB = X;
  return b;
}

/// A joint whose two frames lie at X in the world at the start.
inline model::JointSpec joint(std::string name, std::string type, std::string a, std::string b,
                              const Pose& X) {
  model::JointSpec j;
  j.name = std::move(name);
  j.type = std::move(type);
  j.a = std::move(a);
  j.b = std::move(b);
  j.at = X;
  return j;
}

inline model::LawSpec law(std::string name, std::string type, std::string on_joint,
                          std::string coordinate, std::map<std::string, double> numbers = {}) {
  model::LawSpec l;
  l.name = std::move(name);
  l.type = std::move(type);
  l.joint = std::move(on_joint);
  l.coordinate = std::move(coordinate);
  l.numbers = std::move(numbers);
  return l;
}

inline sim::Settings settings(double duration, double step, form::Settings form = {}) {
  sim::Settings s;
  s.duration = duration;
  s.step = step;
  s.form = form;
  return s;
}

inline form::Settings order4(double tolerance = 1e-12) {
  form::Settings s;
  s.order = 4;
  s.tolerance.value = tolerance;
  return s;
}

/// A simulation whose momenta have balanced when it ends, whatever a test asks of it besides.
class Simulation : public sim::Simulation {
 public:
  using sim::Simulation::Simulation;
  ~Simulation() { sim::test::expect_balance(*this); }
};

/// Runs to the end, calling each() after every step; a failure fails the test.
template <class F>
void run(sim::Simulation& sim, F&& each) {
  while (!sim.finished()) {
    if (!sim.advance()) {
      ADD_FAILURE() << sim.failure();
      return;
    }
    each();
  }
}
inline void run(sim::Simulation& sim) {
  run(sim, [] {});
}

inline std::size_t object(const sim::Simulation& sim, const std::string& name) {
  const int i = sim.model().find_object(name);
  if (i < 0) throw std::runtime_error("no body " + name);
  return static_cast<std::size_t>(i);
}

/// Centre of mass and axes of a body, in the world.
inline Pose pose(const sim::Simulation& sim, const std::string& body) {
  const auto& at = sim.formulation().now().T_WO[object(sim, body)];
  return {at.p, at.A};
}

/// Velocity of the centre of mass and angular velocity, world axes.
inline std::pair<Vec3, Vec3> velocity(const sim::Simulation& sim, const std::string& body) {
  const int block = sim.model().objects[object(sim, body)].block;
  const double* u =
      sim.formulation().velocities().data() + sim.model().blocks[static_cast<std::size_t>(block)].v;
  return {vec3(u), vec3(u + 3)};
}

/// A free coordinate of a joint, angles in (-pi, pi].
inline double coordinate(const sim::Simulation& sim, const std::string& joint_name,
                         const std::string& name) {
  const int j = sim.model().find_joint(joint_name);
  const auto* c = sim.model().joints.at(static_cast<std::size_t>(j)).table->coordinate(name);
  return model::coordinate(sim.formulation().kinematics(), sim.formulation().now(), j, c->row);
}

/// x(T) and x'(T) of x'' = f(x, x') from x, v: a reference by RK4, exact to rounding in 20 000
/// steps.
template <class F>
std::pair<double, double> reduced(F&& f, double x, double v, double T) {
  constexpr int n = 20000;
  const double h = T / n;
  for (int i = 0; i < n; ++i) {
    const double a1 = f(x, v), v2 = v + h / 2 * a1, a2 = f(x + h / 2 * v, v2);
    const double v3 = v + h / 2 * a2, a3 = f(x + h / 2 * v2, v3);
    const double v4 = v + h * a3, a4 = f(x + h * v3, v4);
    x += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
    v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  return {x, v};
}

/// log2 of the ratios of three errors made with h, h/2, h/4.
inline std::array<double, 2> orders(const std::array<double, 3>& e) {
  return {std::log2(e[0] / e[1]), std::log2(e[1] / e[2])};
}

/// N links of 1 m x 0.05 m x 0.05 m, 1000 kg/m^3, on ball joints, horizontal along x, at rest.
inline model::Builder chain(int n) {
  model::Builder b;
  for (int i = 0; i < n; ++i) {
    const std::string name = "link" + std::to_string(i);
    b.add_body(box(name, {1, 0.05, 0.05}, 2.5, {Vec3(i + 0.5, 0, 0)}));
    b.add_joint(joint("ball" + std::to_string(i), "spherical",
                      i ? "link" + std::to_string(i - 1) : "ground", name, {Vec3(i, 0, 0)}));
  }
  return b;
}

}  // namespace trammel::acceptance
