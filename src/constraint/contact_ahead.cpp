// Rows of contact are planes: what is far off may pass beside what the plane stands for. Bodies
// that would come far in a step are looked at along their ways.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "constraint/contact_points.h"
#include "contact/first_touch.h"
#include "contact/surface.h"
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

/// How a shape's object moves at velocities u of the mechanism; what strains does not turn.
ContactSurfaces::Twist ContactSurfaces::twist_of(int shape, const model::KinematicsCache& at_,
                                                 const std::vector<double>& u) const {
  const model::Object& o = kin_.model().objects[at(object_of(shape))];
  if (o.moved) {
    const body::Rate& rate = at_.rate[at(object_of(shape))];
    const body::Transform& T = at_.T_WO[at(object_of(shape))];
    return {rate.v, body::angular_velocity(o.motion_kind, T, rate)};
  }
  Twist out;
  if (o.block < 0) return out;
  Motion room;
  const double* of = motion_of(object_of(shape), at_, u, room);
  out.v = vec3(of);
  if (!body::can_strain(o.motion_kind)) out.w = vec3(of + 3);
  return out;
}

/// The pose of a shape after h, its object going on as it moves.
Pose ContactSurfaces::pose_after(double h, int shape, const model::KinematicsCache& at_,
                                 const std::vector<double>& u) const {
  const model::ContactShape& s = kin_.model().contacts.shapes[at(shape)];
  const body::Transform& T = at_.T_WO[at(s.object)];
  Pose X{T.p, body::rotation(kin_.model().objects[at(s.object)].motion_kind, T.A)};
  const Twist t = twist_of(shape, at_, u);
  const double turn = std::min(h * t.w.norm(), 0.99 * std::numbers::pi);
  X.p += h * t.v;
  if (turn > 0) X.R = Eigen::AngleAxisd(turn, t.w.normalized()).toRotationMatrix() * X.R;
  return X * s.X_OS;
}

/// True where the points [first, end), all of one pair, may close, and a look along its ways is to
/// say how. Those of two convex shapes lie in front of planes that part them; between the points of
/// a surface the way may be free to what is farther off. What is near is looked at only where its
/// way may lead past: where it closes on a straight line, and by less than the way is bent.
bool ContactSurfaces::may_pass(double h, const model::KinematicsCache& at_,
                               const std::vector<double>& u, const ContactList& list,
                               std::size_t first, std::size_t end) const {
  const contact::Point& p = list.points[first];
  const auto& shapes = kin_.model().contacts.shapes;
  const contact::Shape &A = shapes[at(p.A)].shape, &B = shapes[at(p.B)].shape;
  const bool flat = is_unbounded(A) || is_unbounded(B);
  const double touches = accuracy_of(p.A, p.B);
  bool near = flat, closes = false;
  for (std::size_t i = first; i < end; ++i) {
    if (list.points[i].gap <= touches) return false;
    near = near || is_near(list.points[i]);
    closes = closes || gap_after(h, u, list, i) < 0;
  }
  if (near) return closes && !surely_closes(h, at_, u, list, first, end);
  return closes || !contact::is_convex(A.kind) || !contact::is_convex(B.kind);
}

/// On a straight line.
double ContactSurfaces::gap_after(double h, const std::vector<double>& u, const ContactList& list,
                                  std::size_t i) const {
  return list.points[i].gap + h * (rates_at(list, i, u)[0] + list.own[i][0]);
}

/// Whether one of the points closes however the way is bent, by turning, and the surfaces are.
bool ContactSurfaces::surely_closes(double h, const model::KinematicsCache& at_,
                                    const std::vector<double>& u, const ContactList& list,
                                    std::size_t first, std::size_t end) const {
  const contact::Point& p = list.points[first];
  const auto& shapes = kin_.model().contacts.shapes;
  const bool flat = is_unbounded(shapes[at(p.A)].shape) || is_unbounded(shapes[at(p.B)].shape);
  double bend = 0;
  for (const int shape : {p.A, p.B}) {
    const double w = twist_of(shape, at_, u).w.norm();
    if (w > 0 && std::isfinite(reach_[at(shape)])) bend += h * h * w * w * reach_[at(shape)] / 2;
  }
  for (std::size_t i = first; i < end; ++i) {
    const Six rate = rates_at(list, i, u);
    const double slip = flat ? 0 : h * (rate.segment<2>(1) + list.own[i].tail<2>()).norm();
    if (gap_after(h, u, list, i) + bend + slip < 0) return true;
  }
  return false;
}

/// To which ways are followed [m].
double ContactSurfaces::accuracy_of(int A, int B) const {
  return kAccuracy * (least_[at(A)] + least_[at(B)]);
}

/// The points [first, end), all of one pair, as its ways want them, behind those in `out`. False:
/// they stay as they are, and none is added.
bool ContactSurfaces::look_ahead_of(double h, const model::KinematicsCache& at_,
                                    const std::vector<double>& u, const ContactList& list,
                                    std::size_t first, std::size_t end,
                                    std::vector<contact::Point>& out) const {
  if (!may_pass(h, at_, u, list, first, end)) return false;
  const auto& shapes = kin_.model().contacts.shapes;
  const int a = list.points[first].A, b = list.points[first].B;
  const contact::Moving A{shapes[at(a)].shape, pose_after(0, a, at_, u), pose_after(h, a, at_, u)},
      B{shapes[at(b)].shape, pose_after(0, b, at_, u), pose_after(h, b, at_, u)};
  const double accuracy = accuracy_of(a, b);
  if (is_unbounded(A.shape) || is_unbounded(B.shape)) return !contact::first_touch(A, B, accuracy);
  const bool convex = contact::is_convex(A.shape.kind) && contact::is_convex(B.shape.kind);
  std::vector<contact::Point> met = contact::touch_on_way(A, B, accuracy);
  for (contact::Point& p : met) {
    p.A = a;
    p.B = b;
  }
  if (detector_.hides(met)) met.clear();
  if (convex && !met.empty() && turned(list, first, end, met) <= kTurned) return false;
  out.insert(out.end(), met.begin(), met.end());
  return true;
}

void ContactSurfaces::let_pass(double h, const model::KinematicsCache& at_,
                               const std::vector<double>& u, const ContactList& list,
                               std::vector<solve::ContactTargets>& targets) const {
  std::vector<contact::Point> met;
  for (std::size_t k = 0; k + 1 < list.pair.size(); ++k) {
    const std::size_t first = at(list.pair[k]), end = at(list.pair[k + 1]);
    if (list.column[first] < 0) continue;
    met.clear();
    if (!look_ahead_of(h, at_, u, list, first, end, met) || !met.empty()) continue;
    for (std::size_t i = first; i < end; ++i) targets[i].u[0] = -law::kInf;
  }
}

void ContactSurfaces::look_ahead(double h, const model::KinematicsCache& at_,
                                 const std::vector<double>& u, ContactList& list) {
  std::vector<contact::Point> points, ahead;
  bool changed = false;
  for (std::size_t first = 0, end = 0; first < list.size(); first = end) {
    const contact::Point& p = list.points[first];
    for (end = first; end < list.size() && list.points[end].A == p.A && list.points[end].B == p.B;)
      ++end;
    ahead.clear();
    const bool differ = look_ahead_of(h, at_, u, list, first, end, ahead);
    const auto begin = list.points.begin();
    if (differ && !changed) points.assign(begin, begin + static_cast<long>(first));
    changed = changed || differ;
    if (differ)
      points.insert(points.end(), ahead.begin(), ahead.end());
    else if (changed)
      points.insert(points.end(), begin + static_cast<long>(first), begin + static_cast<long>(end));
  }
  if (!changed) return;
  list.points = std::move(points);
  prepare(at_, list);
}

/// Shapes stand on the front sides of the surfaces that they have points with.
void ContactSurfaces::note_sides(const model::KinematicsCache& at_, const ContactList& list) {
  sides_.clear();
  const auto& shapes = kin_.model().contacts.shapes;
  for (std::size_t k = 0; k + 1 < list.pair.size(); ++k) {
    const contact::Point& p = list.points[at(list.pair[k])];
    const bool first = contact::is_surface(shapes[at(p.A)].shape.kind);
    if (!first && !contact::is_surface(shapes[at(p.B)].shape.kind)) continue;
    if (is_unbounded(shapes[at(first ? p.B : p.A)].shape)) continue;
    Side side{first ? p.A : p.B, first ? p.B : p.A, Vec3::Zero()};
    side.middle = middle_of(at_, side);
    sides_.push_back(side);
  }
}

/// In the axes of the surface.
Vec3 ContactSurfaces::middle_of(const model::KinematicsCache& at_, const Side& side) const {
  const auto& shapes = kin_.model().contacts.shapes;
  const auto pose = [&](int i) {
    const model::ContactShape& s = shapes[at(i)];
    const body::Transform& T = at_.T_WO[at(s.object)];
    return Pose{T.p, body::rotation(kin_.model().objects[at(s.object)].motion_kind, T.A)} * s.X_OS;
  };
  const Pose X = inverse(pose(side.surface)) * pose(side.shape);
  return X.p + X.R * contact::bounds(shapes[at(side.shape)].shape).middle;
}

std::string ContactSurfaces::passed(const model::KinematicsCache& at_, double h) const {
  const model::Model& m = kin_.model();
  for (const Side& side : sides_) {
    const contact::Shape& surface = m.contacts.shapes[at(side.surface)].shape;
    if (!contact::comes_in(surface, side.middle, middle_of(at_, side))) continue;
    return fmt::format("'{}' would pass through '{}' in this step of {:.3g} s: take a shorter one",
                       m.objects[at(object_of(side.shape))].name,
                       m.objects[at(object_of(side.surface))].name, h);
  }
  return {};
}

}  // namespace trammel::constraint
