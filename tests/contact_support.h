#pragma once

#include <string>
#include <utility>
#include <vector>

#include "support.h"

/// What tests of contact share: bodies whose solids touch, floors, laws of contact.
namespace trammel::acceptance {

inline constexpr double kGravity = 9.81;  // [m/s^2]

/// A body whose solid touches others.
inline model::BodySpec touching(model::BodySpec body) {
  body.solids_touch = true;
  return body;
}
inline model::BodySpec ball(std::string name, double radius, double mass, const Vec3& p) {
  model::BodySpec b;
  b.name = std::move(name);
  b.solid = model::Solid{model::Solid::Kind::sphere, {radius, 0, 0}};
  b.mass = mass;
  b.X_WB.p = p;
  return touching(b);
}
inline model::BodySpec block(std::string name, const Vec3& size, double mass, const Vec3& p) {
  return touching(box(std::move(name), size, mass, Pose{p, Mat3::Identity()}));
}

/// The floor z <= 0, or one through p with that normal.
inline model::ContactSpec floor_below(const Vec3& p = Vec3::Zero(),
                                      const Vec3& normal = Vec3::UnitZ()) {
  model::ContactSpec s;
  s.kind = model::ContactSpec::Kind::half_space;
  s.X_BS.p = p;
  s.X_BS.R.col(2) = normal.normalized();
  s.X_BS.R.col(0) = normal.unitOrthogonal();
  s.X_BS.R.col(1) = s.X_BS.R.col(2).cross(s.X_BS.R.col(0));
  return s;
}

/// The law between all shapes.
inline model::ContactLawSpec everywhere(double friction, double restitution = 0) {
  model::ContactLawSpec l;
  l.between = {"any", "any"};
  l.law.friction = friction;
  l.law.restitution = restitution;
  return l;
}

/// A floor and the bodies on it.
inline model::Builder on_floor(std::vector<model::BodySpec> bodies, double friction,
                               double restitution = 0) {
  model::Builder b;
  b.add_obstacle(floor_below());
  b.add_contact_law(everywhere(friction, restitution));
  for (model::BodySpec& body : bodies) b.add_body(std::move(body));
  return b;
}

/// Gravity along a slope that falls towards x.
inline Vec3 down_slope(double angle) {
  return kGravity * Vec3(std::sin(angle), 0, -std::cos(angle));
}

}  // namespace trammel::acceptance
