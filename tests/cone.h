#pragma once

#include <string>
#include <utility>
#include <vector>

#include "support.h"

/// A law of a shape that no law of the list has, for tests alone: contact with Coulomb's cone.
namespace trammel::acceptance {

inline constexpr law::Parameter kConeParams[] = {
    {"from", law::Quantity::x, 0, -law::kInf, law::kInf, "where it touches"},
    {"mu", law::Quantity::ratio, law::kRequired, 0, law::kInf, "coefficient of friction"},
    {"restitution", law::Quantity::ratio, 0, 0, 1, "of the normal rate"},
};
inline law::ConstraintSpec normal(const law::Law&, const double* p, double) {
  law::ConstraintSpec d;
  d.level = law::Level::unilateral;
  d.from = p[0];
  d.restitution = p[2];
  return d;
}
inline law::ConstraintSpec tangent(const law::Law&, const double* p, double) {
  law::ConstraintSpec d;
  d.level = law::Level::friction;
  d.mu = p[1];
  return d;
}
inline constexpr law::Type kCone{.name = "cone",
                                 .doc = "contact with Coulomb's cone",
                                 .parameters = kConeParams,
                                 .constraint = normal,
                                 .rows = 3,
                                 .further = tangent};

/// The law on a joint whose coordinates of sliding are `rows`.
inline model::LawSpec cone(const std::string& on_joint, double mu, double from,
                           std::vector<std::string> rows, double restitution = 0) {
  auto l =
      law("cone", "", on_joint, "Ax.D", {{"mu", mu}, {"from", from}, {"restitution", restitution}});
  l.own_type = &kCone;
  l.further = std::move(rows);
  return l;
}
inline model::LawSpec cone_of_ball(const std::string& on_joint, double mu, double radius,
                                   double restitution = 0) {
  return cone(on_joint, mu, radius, {"slip(Ay, Ax)", "slip(Az, Ax)"}, restitution);
}

/// A floor through the origin with normal z, over which the body moves whose frame B is at X_BB.
inline model::JointSpec floor(const std::string& body, const Pose& X_BB = {}) {
  auto j = joint("floor", "free", "ground", body, {});
  j.at.reset();
  j.frame_a = frame(Vec3::Zero(), Vec3::UnitZ());
  j.frame_b = X_BB;
  return j;
}

}  // namespace trammel::acceptance
