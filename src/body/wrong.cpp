#include "body/wrong.h"

#include <fmt/core.h>

#include <Eigen/LU>
#include <cmath>

namespace trammel::body {

std::string wrong_position(const Vec3& p) {
  return p.allFinite() ? "" : "its position is not finite";
}

std::string wrong_axes(const Mat3& R) {
  if (!R.allFinite()) return "its axes are not finite";
  if ((R.transpose() * R - Mat3::Identity()).norm() > kUnitRounding)
    return "its axes are not orthonormal";
  return R.determinant() > 0 ? "" : "its axes are left-handed";
}

std::string wrong_pose(const Pose& X) {
  const std::string text = wrong_position(X.p);
  return text.empty() ? wrong_axes(X.R) : text;
}

std::string wrong_solid(const Solid& s) {
  const int n = sizes(s);
  for (int i = 0; i < n; ++i) {
    const bool may_vanish = s.kind == Solid::Kind::cone && i == 2;
    if (!(s.size[i] > 0 && std::isfinite(s.size[i])) && !(may_vanish && s.size[i] == 0))
      return fmt::format("a solid's sizes must be positive, not {} m", s.size[i]);
  }
  if (has_axis(s) && !(s.axis.norm() > 0 && s.axis.allFinite()))
    return fmt::format("the {}'s axis is zero", name_of(s));
  if (s.kind == Solid::Kind::tube && !(s.size[2] < s.size[0]))
    return fmt::format("the bore of a tube is narrower than it is: {} m is not below {} m",
                       s.size[2], s.size[0]);
  return "";
}

}  // namespace trammel::body
