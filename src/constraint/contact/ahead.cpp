#include "constraint/contact/ahead.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "constraint/contact/motion.h"
#include "contact/first_touch.h"
#include "contact/mesh_hulls.h"
#include "contact/surface.h"
#include "contact/trimesh.h"
#include "law/constraint_spec.h"
#include "math/brief.h"

namespace trammel::constraint {

namespace {
constexpr double kAccuracy = 1e-4;  // of ways, over the smallest margin
constexpr double kTurned = 0.3;     // sine to which a normal from afar stands for that of the touch

bool is_unbounded(const contact::Shape& s) {
  return s.kind == contact::Shape::Kind::plane || s.kind == contact::Shape::Kind::half_space;
}

/// A step, and the points [first, end) of one pair.
struct Look {
  double h;
  const ContactSurfaces& s;
  const model::KinematicsCache& at;
  std::span<const double> u;
  const PointSet& set;
  std::size_t first = 0, end = 0;

  int A() const { return set.points[first].A; }
  int B() const { return set.points[first].B; }
  const contact::Shape& shape_A() const { return s.shape(A()).shape; }
  const contact::Shape& shape_B() const { return s.shape(B()).shape; }
  bool flat() const { return is_unbounded(shape_A()) || is_unbounded(shape_B()); }
  bool convex() const {
    return contact::is_convex(shape_A().kind) && contact::is_convex(shape_B().kind);
  }
  /// To which ways are followed [m].
  double accuracy() const { return kAccuracy * (s.least[at_(A())] + s.least[at_(B())]); }
  contact::Moving moving(int shape) const {
    return {s.shape(shape).shape, pose_after(0, s, shape, at, u), pose_after(h, s, shape, at, u)};
  }
  /// On a straight line.
  double gap_after(std::size_t i) const { return set.points[i].gap + h * opening_at(set, i, u); }
};

/// The sine of the least angle between a normal of the points and one of those met.
double turned(const Look& look, const std::vector<contact::Point>& met) {
  double cosine = 0;
  for (std::size_t i = look.first; i < look.end; ++i)
    for (const contact::Point& p : met) cosine = std::max(cosine, look.set.points[i].n.dot(p.n));
  return std::sqrt(std::max(0., 1 - cosine * cosine));
}

/// Whether one of the points closes however the way is bent, by turning, and the surfaces are.
bool surely_closes(const Look& look) {
  double bend = 0;
  for (const int shape : {look.A(), look.B()}) {
    const double w = twist_of(look.s, look.s.object_of(shape), look.at, look.u).w.norm();
    const double reach = look.s.reach[at(shape)];
    if (w > 0 && std::isfinite(reach)) bend += look.h * look.h * w * w * reach / 2;
  }
  const bool flat = look.flat();
  for (std::size_t i = look.first; i < look.end; ++i) {
    const Six rate = rates_at(look.set, i, look.u);
    const double slip =
        flat ? 0 : look.h * (rate.segment<2>(1) + look.set.own[i].segment<2>(1)).norm();
    if (look.gap_after(i) + bend + slip < 0) return true;
  }
  return false;
}

/// True where the points may close, and a look along their ways is to say how. Those of two convex
/// shapes lie in front of planes that part them; between the points of a surface the way may be
/// free to what is farther off. What is near is looked at only where its way may lead past: where
/// it closes on a straight line, and by less than the way is bent.
bool may_pass(const Look& look) {
  const double touches = look.accuracy();
  bool near = look.flat(), closes = false;
  for (std::size_t i = look.first; i < look.end; ++i) {
    if (look.set.points[i].gap <= touches) return false;
    near = near || is_near(look.s, look.set.points[i]);
    closes = closes || look.gap_after(i) < 0;
  }
  if (near) return closes && !surely_closes(look);
  return closes || !look.convex();
}

/// The points as their ways want them, behind those in `out`. False: they stay as they are, and
/// none is added.
bool look_along(const Look& look, const contact::Detector& detector,
                std::vector<contact::Point>& out) {
  if (!may_pass(look)) return false;
  const contact::Moving A = look.moving(look.A()), B = look.moving(look.B());
  const double accuracy = look.accuracy();
  if (look.flat()) return !contact::first_touch(A, B, accuracy);
  std::vector<contact::Point> met = contact::touch_on_way(A, B, accuracy);
  for (contact::Point& p : met) {
    p.A = look.A();
    p.B = look.B();
  }
  if (detector.hides(met)) met.clear();
  if (look.convex() && !met.empty() && turned(look, met) <= kTurned) return false;
  out.insert(out.end(), met.begin(), met.end());
  return true;
}

/// In the axes of the surface.
Vec3 middle_of(const ContactSurfaces& s, const model::KinematicsCache& at_, const Side& side) {
  const Pose X = inverse(pose_of(s, side.surface, at_)) * pose_of(s, side.shape, at_);
  const contact::Shape& shape = s.shape(side.shape).shape;
  if (!contact::stands_as_hulls(shape, s.shape(side.surface).shape))
    return X.p + X.R * contact::bounds(shape).middle;
  return X.p + X.R * shape.mesh->hulls->parts[at(side.part)].bounds.middle;
}

void add_sides(const ContactSurfaces& s, const model::KinematicsCache& at_, int surface, int shape,
               std::vector<Side>& out) {
  const contact::Shape &met = s.shape(surface).shape, &meets = s.shape(shape).shape;
  const int parts = contact::stands_as_hulls(meets, met) ? count(meets.mesh->hulls->parts) : 1;
  for (int part = 0; part < parts; ++part) {
    Side side{surface, shape, part, Vec3::Zero()};
    side.middle = middle_of(s, at_, side);
    out.push_back(side);
  }
}
}  // namespace

void let_pass(double h, const ContactSurfaces& s, const model::KinematicsCache& at_,
              std::span<const double> u, const PointFinder& finder, const PointSet& set,
              std::vector<piles::ContactTargets>& targets) {
  std::vector<contact::Point> met;
  Look look{h, s, at_, u, set};
  for (std::size_t k = 0; k + 1 < set.pair.size(); ++k) {
    look.first = at(set.pair[k]), look.end = at(set.pair[k + 1]);
    if (set.column[look.first] < 0) continue;
    met.clear();
    if (!look_along(look, finder.detector, met) || !met.empty()) continue;
    for (std::size_t i = look.first; i < look.end; ++i) targets[i].u[0] = -law::kInf;
  }
}

bool look_ahead(double h, const ContactSurfaces& s, const model::KinematicsCache& at_,
                std::span<const double> u, PointFinder& finder, PointSet& set) {
  brief::vector<contact::Point> points;
  std::vector<contact::Point> ahead;
  bool changed = false;
  Look look{h, s, at_, u, set};
  const auto point = [&](std::size_t i) { return set.points.begin() + static_cast<long>(i); };
  for (std::size_t k = 0; k + 1 < set.pair.size(); ++k) {
    look.first = at(set.pair[k]), look.end = at(set.pair[k + 1]);
    ahead.clear();
    const bool differ = look_along(look, finder.detector, ahead);
    if (differ && !changed) points.assign(point(0), point(look.first));
    changed = changed || differ;
    if (differ)
      points.insert(points.end(), ahead.begin(), ahead.end());
    else if (changed)
      points.insert(points.end(), point(look.first), point(look.end));
  }
  if (!changed) return false;
  set.points.assign(points.begin(), points.end());
  prepare(s, at_, finder, set);
  return true;
}

void sides_of(const ContactSurfaces& s, const model::KinematicsCache& at_, const PointSet& set,
              std::vector<Side>& out) {
  out.clear();
  for (std::size_t k = 0; k + 1 < set.pair.size(); ++k) {
    const contact::Point& p = set.points[at(set.pair[k])];
    const contact::Shape &a = s.shape(p.A).shape, &b = s.shape(p.B).shape;
    const bool first = contact::is_surface(a.kind) && !contact::stands_as_hulls(a, b);
    if (!first && (!contact::is_surface(b.kind) || contact::stands_as_hulls(b, a))) continue;
    if (is_unbounded(first ? b : a)) continue;
    add_sides(s, at_, first ? p.A : p.B, first ? p.B : p.A, out);
  }
}

std::string passed(const ContactSurfaces& s, const std::vector<Side>& sides,
                   const model::KinematicsCache& at_, double h) {
  for (const Side& side : sides) {
    const contact::Shape& surface = s.shape(side.surface).shape;
    if (!contact::comes_in(surface, side.middle, middle_of(s, at_, side))) continue;
    return fmt::format("'{}' would pass through '{}' in this step of {:.3g} s: take a shorter one",
                       s.object(side.shape).name, s.object(side.surface).name, h);
  }
  return {};
}

}  // namespace trammel::constraint
