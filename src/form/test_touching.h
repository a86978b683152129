#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <variant>

#include "form/test_tree_pool.h"

/// Mechanisms that touch, as one block of generalised coordinates and as rigid bodies with joints.
namespace trammel::form::touching {

using test::Link;

struct Law {
  double friction = 0, restitution = 0;
};
constexpr Law kLaws[] = {{0, 0}, {0, 0.7}, {0.4, 0}, {0.4, 0.7}};

/// A mechanism: trees of links, what else there is, how long it is looked at.
struct Scene {
  const char* name;
  std::vector<std::vector<Link>> trees;
  std::function<void(model::Builder&)> rest = [](model::Builder&) {};
  double time = 1;  // [s]
  bool weighs = true;
  std::vector<std::string> seen = {};
};

inline model::ContactSpec ball_at(const Vec3& p, double radius) {
  model::ContactSpec s;
  s.solid = {model::Solid::Kind::sphere, {radius, 0, 0}};
  s.X_BS.p = p;
  return s;
}

inline model::ContactSpec box_at(const Vec3& p, const Vec3& edges) {
  model::ContactSpec s;
  s.solid = {model::Solid::Kind::box, edges};
  s.X_BS.p = p;
  return s;
}

/// Filled beyond p against the normal.
inline model::ContactSpec half_space(const Vec3& p, const Vec3& normal) {
  model::ContactSpec s;
  s.kind = model::ContactSpec::Kind::half_space;
  s.X_BS.p = p;
  s.X_BS.R.col(2) = normal;
  s.X_BS.R.col(0) = normal.unitOrthogonal();
  s.X_BS.R.col(1) = normal.cross(s.X_BS.R.col(0));
  return s;
}

inline model::BodySpec ball(double radius, const Vec3& p, const Vec3& v, const Vec3& w) {
  model::BodySpec b;
  b.name = "ball";
  b.solid = model::Solid{model::Solid::Kind::sphere, {radius, 0, 0}};
  b.mass = 0.8;
  b.X_WB.p = p;
  b.v = v;
  b.w = w;
  b.solids_touch = true;
  return b;
}

/// It hangs from a hinge along y and has a ball at its end.
inline Link rod(int parent, const Vec3& place, double q) {
  Link l{"rod", parent};
  l.place = place;
  l.arm = {0.02, 0.01, -0.4};
  l.mass = 2;
  l.inertia = {0.12, 0.13, 0.02};
  l.q = q;
  l.contacts = {ball_at({-0.02, -0.01, -0.35}, 0.05)};
  return l;
}

inline Link cart(const char* name, const Vec3& place, double q = 0, double u = 0) {
  Link l{name, -1, true, Vec3::UnitX(), place};
  l.mass = 3;
  l.q = q;
  l.u = u;
  return l;
}

inline Scene wall() {
  return {.name = "a rod swings into a wall",
          .trees = {{rod(-1, {0, 0, 1}, -0.6)}},
          .rest =
              [](auto& b) {
                b.add_obstacle(half_space({-0.1, 0, 0}, Vec3::UnitX()));
              },
          .seen = {"rod"}};
}

/// The normal slants, and the hinge leaves no freedom along y: friction is not in its plane alone.
inline Scene slanting_wall() {
  return {.name = "a rod swings into a slanting wall",
          .trees = {{rod(-1, {0, 0, 1}, -0.6)}},
          .rest =
              [](auto& b) {
                b.add_obstacle(half_space({-0.1, 0, 0.3}, Vec3(1, 0.4, 0.3).normalized()));
              },
          .seen = {"rod"}};
}

inline Scene floor_below() {
  return {.name = "a rod on a cart is dragged over a floor",
          .trees = {{cart("cart", {0, 0, 0.75}, 0, 0.6), rod(0, Vec3::Zero(), 0.9)}},
          .rest = [](auto& b) { b.add_obstacle(half_space(Vec3::Zero(), Vec3::UnitZ())); },
          .seen = {"cart", "rod"}};
}

inline Scene struck() {
  Link l = cart("cart", Vec3::Zero(), 0, -0.2);
  l.contacts = {box_at({0.05, 0, 0}, {0.4, 0.4, 0.4})};
  return {.name = "a ball strikes a cart",
          .trees = {{l}},
          .rest =
              [](auto& b) {
                b.add_body(ball(0.1, {-1, 0, 0}, {2, 0.2, 0.1}, {3, -4, 5}));
              },
          .weighs = false,
          .seen = {"cart", "ball"}};
}

inline Scene swing() {
  Link l{"plank", -1};
  l.place = {0, 0, 1};
  l.arm = {0, 0, -0.5};
  l.mass = 2;
  l.inertia = {0.03, 0.09, 0.1};
  l.q = 0.15;
  l.contacts = {box_at(Vec3::Zero(), {0.9, 0.4, 0.04})};
  const Mat3 R = exp_matrix(0.15 * Vec3::UnitY());
  const Vec3 p = Vec3(0, 0, 1) + R * Vec3(0.05, 0, -0.5 + 0.02 + 0.06 + 0.03);
  return {.name = "a ball falls onto a swing",
          .trees = {{l}},
          .rest = [=](auto& b) { b.add_body(ball(0.06, p, Vec3::Zero(), Vec3::Zero())); },
          .time = 0.6,
          .seen = {"plank", "ball"}};
}

/// Both are of one block.
inline Scene post() {
  Link l = cart("cart", {0, 0, 1});
  l.contacts = {box_at({-0.25, 0, -0.6}, {0.1, 0.3, 0.4})};
  return {.name = "a rod strikes a post of its own cart",
          .trees = {{l, rod(0, Vec3::Zero(), -0.7)}},
          .seen = {"cart", "rod"}};
}

inline Scene two_carts() {
  Link a = cart("cart", {0, 0, 1}, 0, 0.8), b = cart("other", {1, 0.1, 1}, 0, -0.3);
  a.contacts = {box_at(Vec3::Zero(), {0.3, 0.3, 0.1})};
  b.contacts = {ball_at(Vec3::Zero(), 0.15)};
  return {.name = "carts of two systems collide",
          .trees = {{a, rod(0, {0, 0.4, 0}, 0.5)}, {b}},
          .time = 1.2,
          .seen = {"cart", "rod", "other"}};
}

/// Rows of a joint hold what touches to a system.
inline Scene bob() {
  return {.name = "a bob at the end of a rod strikes a wall",
          .trees = {{cart("cart", {0, 0, 1}, 0, 0.3), rod(0, Vec3::Zero(), 0)}},
          .rest =
              [](auto& b) {
                b.add_obstacle(half_space({0.3, 0, 0}, -Vec3::UnitX()));
                b.add_body(ball(0.08, {0, 0, 0.05}, {0.3, 0, 0}, Vec3::Zero()));
                model::JointSpec j;
                j.name = "hang";
                j.type = "spherical";
                j.a = "rod";
                j.b = "ball";
                j.at = Pose{{0, 0, 0.25}, Mat3::Identity()};
                b.add_joint(j);
              },
          .time = 1.2,
          .seen = {"cart", "rod", "ball"}};
}

inline std::vector<Scene> scenes() {
  return {wall(), slanting_wall(), floor_below(), struck(), swing(), post(), two_carts(), bob()};
}

inline model::Built build(const Scene& scene, const Law& law, bool as_pool) {
  model::Builder builder;
  if (!scene.weighs) builder.gravity.setZero();
  for (const std::vector<Link>& tree : scene.trees)
    as_pool ? test::add_as_pool(tree, builder) : test::add_as_bodies(tree, builder);
  scene.rest(builder);
  model::ContactLawSpec spec;
  spec.law.friction = law.friction;
  spec.law.restitution = law.restitution;
  builder.add_contact_law(spec);
  auto built = builder.build();
  if (const auto* problems = std::get_if<std::vector<Problem>>(&built))
    for (const Problem& p : *problems) ADD_FAILURE() << p.path << ": " << p.text;
  return std::get<model::Built>(std::move(built));
}

}  // namespace trammel::form::touching
