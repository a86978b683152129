// Where a point of contact is after a motion, along the plane that it had.
#include <algorithm>

#include "constraint/contact/motion.h"
#include "contact/convex.h"
#include "contact/manifold.h"

namespace trammel::constraint {

namespace {
/// A shape after a motion, and how that has turned it.
struct Moved {
  Mat3 turn;
  contact::Convex convex;
};

Moved moved(const ContactSurfaces& s, int shape, const Vec3& origin,
            const model::KinematicsCache& at_, const model::KinematicsCache& end) {
  const Pose after = pose_of(s, shape, end);
  Moved out{after.R * pose_of(s, shape, at_).R.transpose(),
            contact::convex_of(s.shape(shape).shape)};
  out.convex.X = {after.p - origin, after.R};
  return out;
}

/// Of the points that two shapes have along n, that with p's feature, else the nearest to it.
std::optional<contact::Point> point_along(const Vec3& n, const contact::Point& p, const Moved& A,
                                          const Moved& B, double margin,
                                          std::vector<contact::Point>& room) {
  room.clear();
  contact::add_points(A.convex, B.convex, n, margin, room);
  if (room.empty()) return {};
  const auto off = [&](const contact::Point& x) {
    return x.feature == p.feature ? -1 : (x.p_B - p.p_B).squaredNorm();
  };
  return *std::min_element(
      room.begin(), room.end(),
      [&](const contact::Point& x, const contact::Point& y) { return off(x) < off(y); });
}
}  // namespace

std::optional<contact::Point> carried(const ContactSurfaces& s, const contact::Point& p,
                                      const model::KinematicsCache& at_,
                                      const model::KinematicsCache& end, double margin,
                                      std::vector<contact::Point>& room) {
  const Vec3 origin = pose_of(s, p.A, end).p;
  const Moved A = moved(s, p.A, origin, at_, end), B = moved(s, p.B, origin, at_, end);
  contact::Point from = p;
  from.p_B -= origin;
  std::optional<contact::Point> out;
  for (const Mat3& turn : {A.turn, B.turn}) {
    const auto x = point_along(turn * p.n, from, A, B, margin, room);
    if (x && (!out || x->gap > out->gap)) out = x;
  }
  if (!out) return {};
  out->A = p.A, out->B = p.B;
  out->p_A += origin, out->p_B += origin;
  return out;
}

}  // namespace trammel::constraint
