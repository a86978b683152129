#pragma once

#include <gtest/gtest.h>

#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "constraint/contact/phases.h"
#include "math/index.h"
#include "math/rotation.h"
#include "model/builder.h"
#include "model/ledger.h"

/// Small mechanisms with contacts, and a step of the velocity formulation that is written out.
namespace trammel::constraint::test {

inline model::BodySpec solid_body(std::string name, const body::Solid& solid, double mass,
                                  const Vec3& p) {
  model::BodySpec b;
  b.name = std::move(name);
  b.solid = solid;
  b.mass = mass;
  b.X_WB.p = p;
  b.solids_touch = true;
  return b;
}
inline model::BodySpec ball(std::string name, double radius, double mass, const Vec3& p) {
  return solid_body(std::move(name), {body::Solid::Kind::sphere, {radius, 0, 0}}, mass, p);
}
inline model::BodySpec block(std::string name, const Vec3& size, double mass, const Vec3& p) {
  return solid_body(std::move(name), {body::Solid::Kind::box, size}, mass, p);
}
/// The body without unknowns: it moves as given.
inline model::BodySpec prescribed(model::BodySpec body, body::Prescribed motion) {
  body.mass = 0;
  body.contacts = {{.solid = *body.solid}};
  body.solid.reset();
  body.solids_touch = false;
  body.motion = std::move(motion);
  return body;
}

inline model::ContactSpec floor_of(const Mat3& R = Mat3::Identity()) {
  model::ContactSpec s;
  s.kind = model::ContactSpec::Kind::half_space;
  s.X_BS.R = R;
  s.name = "floor";
  return s;
}
inline model::ContactLawSpec law_everywhere(double friction, double restitution = 0) {
  model::ContactLawSpec l;
  l.law.friction = friction;
  l.law.restitution = restitution;
  return l;
}

/// A rod of 2 m and 3 kg that falls obliquely on its end: friction stops its slip, which presses
/// its end harder than it has come (as in impact_test).
inline model::Builder oblique_rod(double friction) {
  model::Builder b;
  b.gravity = Vec3::Zero();
  b.add_obstacle(floor_of());
  b.add_contact_law(law_everywhere(friction, 0.95));
  model::BodySpec rod;
  rod.name = "rod";
  rod.mass = 3;
  rod.inertia = {{1, 1, 1, 0, 0, 0}};
  const Vec3 end(-std::sin(0.5), 0, -std::cos(0.5));
  model::ContactSpec tip{.solid = {body::Solid::Kind::sphere, {0.001, 0, 0}}};
  tip.X_BS.p = end;
  rod.contacts = {tip};
  rod.X_WB.p = -end + Vec3(0, 0, 0.001);
  rod.v = {0.75, 0, -1};
  b.add_body(rod);
  return b;
}

inline model::Built built(const model::Builder& b) {
  auto out = b.build();
  if (auto* wrong = std::get_if<std::vector<Problem>>(&out))
    throw std::runtime_error((*wrong)[0].text);
  return std::get<model::Built>(std::move(out));
}

/// A mechanism at its start, with all that follows from its coordinates.
struct Scene {
  explicit Scene(const model::Builder& b)
      : it(built(b)), kin(*it.model, it.params), surfaces(kin), state(it.state) {
    now = kin.make_cache();
    u.resize(it.state.P.size());
    refresh();
  }
  Scene(const Scene&) = delete;

  /// Computes the instant of the coordinates and momenta of the state.
  void refresh() { refresh(state.q, state.P, state.t, now, u); }
  void refresh(const std::vector<double>& q, const std::vector<double>& P, double t,
               model::KinematicsCache& cache, std::vector<double>& velocities) const {
    kin.transforms(q.data(), t, cache);
    kin.inverse_mass(q.data(), cache);
    model::State there = state;
    there.q = q;
    kin.jacobians(there, cache);
    kin.velocities(cache, P.data(), velocities.data());
    kin.rates(q.data(), velocities.data(), cache);
  }
  int object(const std::string& name) const {
    for (int i = 0; i < count(it.model->objects); ++i)
      if (it.model->objects[at(i)].name == name) return i;
    throw std::runtime_error("no object " + name);
  }
  /// The first unknown of a body.
  std::size_t unknown(const std::string& name) const {
    return at(it.model->blocks[at(it.model->objects[at(object(name))].block)].v);
  }
  Vec3 velocity(const std::string& name) const { return vec3(u.data() + unknown(name)); }
  const Vec3& place(const std::string& name) const { return now.T_WO[at(object(name))].p; }
  double kinetic() const { return kin.kinetic_energy(state.P.data(), u.data()); }
  double energy() const { return kinetic() + kin.gravity_energy(now); }

  /// Points up to that gap for each shape, with all that follows from them.
  PointSet points(double margin) {
    PointFinder finder(surfaces);
    PointSet out;
    find(surfaces, now, std::vector<double>(surfaces.reach.size(), margin), finder, out);
    return out;
  }

  model::Built it;
  model::Kinematics kin;
  ContactSurfaces surfaces;
  model::State state;
  model::KinematicsCache now;
  std::vector<double> u;
};

inline Vec3 random_vector(std::mt19937& random, double size) {
  std::uniform_real_distribution<double> of(-size, size);
  const double x = of(random), y = of(random), z = of(random);
  return {x, y, z};
}
inline Mat3 random_turn(std::mt19937& random) { return exp_matrix(random_vector(random, 3)); }

}  // namespace trammel::constraint::test
