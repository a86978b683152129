// Rows of contact are planes: what is far off may pass beside what the plane stands for. Bodies
// that would come far in a step are looked at along their ways.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "constraint/contact_points.h"
#include "contact/first_touch.h"
#include "math/index.h"

namespace trammel::constraint {

namespace {
constexpr double kAccuracy = 1e-4;  // of ways, over the smallest margin
constexpr double kTurned = 0.3;     // sine to which a normal from afar stands for that of the touch

bool is_unbounded(const contact::Shape& s) {
  return s.kind == contact::Shape::Kind::plane || s.kind == contact::Shape::Kind::half_space;
}

/// The sine of the least angle between a normal of the points [first, end) and one of those met.
double turned(const ContactList& list, std::size_t first, std::size_t end,
              const std::vector<contact::Point>& met) {
  double cosine = 0;
  for (std::size_t i = first; i < end; ++i)
    for (const contact::Point& p : met) cosine = std::max(cosine, list.points[i].n.dot(p.n));
  return std::sqrt(std::max(0., 1 - cosine * cosine));
}
}  // namespace

/// The pose of a shape after h, its object going on as it moves.
Pose ContactSurfaces::pose_after(double h, int shape, const model::KinematicsCache& at_,
                                 const std::vector<double>& u) const {
  const model::ContactShape& s = kin_.model().contacts.shapes[at(shape)];
  const model::Object& o = kin_.model().objects[at(s.object)];
  const body::Transform& T = at_.T_WO[at(s.object)];
  Pose X{T.p, body::rotation(o.motion_kind, T.A)};
  Vec3 v = Vec3::Zero(), w = v;
  if (o.moved) {
    v = at_.rate[at(s.object)].v;
    w = body::angular_velocity(o.motion_kind, T, at_.rate[at(s.object)]);
  } else if (o.block >= 0 && o.jacobian < 0) {
    const double* of = u.data() + kin_.model().blocks[at(o.block)].v;
    v = vec3(of);
    if (!body::can_strain(o.motion_kind)) w = vec3(of + 3);
  }
  const double turn = std::min(h * w.norm(), 0.99 * std::numbers::pi);
  X.p += h * v;
  if (turn > 0) X.R = Eigen::AngleAxisd(turn, w.normalized()).toRotationMatrix() * X.R;
  return X * s.X_OS;
}

/// True where the points [first, end), all of one pair, are far off and would close.
bool ContactSurfaces::may_pass(double h, const std::vector<double>& u, const ContactList& list,
                               std::size_t first, std::size_t end) const {
  const contact::Point& p = list.points[first];
  const auto& shapes = kin_.model().contacts.shapes;
  if (is_unbounded(shapes[at(p.A)].shape) || is_unbounded(shapes[at(p.B)].shape)) return false;
  bool closes = false;
  for (std::size_t i = first; i < end; ++i) {
    if (is_near(list.points[i])) return false;
    const double rate = rates_at(list, i, u)[0] + list.own[i][0];
    closes = closes || list.points[i].gap + h * rate < 0;
  }
  return closes;
}

void ContactSurfaces::look_ahead(double h, const model::KinematicsCache& at_,
                                 const std::vector<double>& u, ContactList& list) {
  const auto& shapes = kin_.model().contacts.shapes;
  std::vector<contact::Point> points;
  bool changed = false;
  for (std::size_t first = 0, end = 0; first < list.size(); first = end) {
    const contact::Point& p = list.points[first];
    for (end = first; end < list.size() && list.points[end].A == p.A && list.points[end].B == p.B;)
      ++end;
    const auto keep = [&] {
      if (!changed) return;
      points.insert(points.end(), list.points.begin() + static_cast<long>(first),
                    list.points.begin() + static_cast<long>(end));
    };
    const auto begin_change = [&] {
      if (!changed)
        points.assign(list.points.begin(), list.points.begin() + static_cast<long>(first));
      changed = true;
    };
    if (!may_pass(h, u, list, first, end)) {
      keep();
      continue;
    }
    const contact::Moving A{shapes[at(p.A)].shape, pose_after(0, p.A, at_, u),
                            pose_after(h, p.A, at_, u)},
        B{shapes[at(p.B)].shape, pose_after(0, p.B, at_, u), pose_after(h, p.B, at_, u)};
    const double accuracy = kAccuracy * (least_[at(p.A)] + least_[at(p.B)]);
    if (contact::is_convex(A.shape.kind) && contact::is_convex(B.shape.kind)) {
      const std::vector<contact::Point> met = contact::touch_on_way(A, B, accuracy);
      const double sine = met.empty() ? 0 : turned(list, first, end, met);
      if (!met.empty() && sine <= kTurned) {
        keep();
        continue;
      }
      begin_change();
      for (contact::Point on_way : met) {
        on_way.A = p.A;
        on_way.B = p.B;
        points.push_back(on_way);
      }
    } else if (contact::first_touch(A, B, accuracy)) {
      keep();
      continue;
    }
    begin_change();
  }
  if (!changed) return;
  list.points = std::move(points);
  prepare(at_, list);
}

}  // namespace trammel::constraint
