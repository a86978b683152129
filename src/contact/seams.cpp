#include "contact/seams.h"

#include <algorithm>
#include <limits>
#include <map>

#include "contact/broad.h"
#include "contact/detector.h"
#include "contact/narrow.h"
#include "contact/surface.h"

namespace trammel::contact {

namespace {
constexpr double kNear = 1e-5;   // of the least extent: how far it is looked about a point
constexpr double kLeans = 1e-9;  // of that: 1 - cosine to which directions are the same
constexpr double kBack = -0.9;   // cosine: the way out of a neighbour leads back into the shape

bool is_flat(Shape::Kind kind) {
  return kind == Shape::Kind::plane || kind == Shape::Kind::half_space;
}
bool counts(Shape::Kind kind) { return is_convex(kind) || is_flat(kind); }

struct Off {
  double gap = 0;
  Vec3 n = Vec3::UnitZ();  // from the shape
};

/// How far a point is off a shape, up to `most`; false: farther.
bool off(Shape::Kind kind, const Convex& shape, const Vec3& x, double most, Off& out) {
  if (is_flat(kind)) {
    const Vec3 n = shape.X.R.col(2);
    out = {n.dot(x - shape.X.p), n};
    if (kind == Shape::Kind::plane && out.gap < 0) out = {-out.gap, -n};
    return out.gap <= most;
  }
  Convex there = shape, point;
  there.X.p -= x;
  point.core = Convex::Core::point;
  std::vector<Point> met;
  touch(there, point, most, met);
  if (met.empty()) return false;
  out = {met[0].gap, met[0].n};
  return true;
}
}  // namespace

Seams::Seams(const std::vector<Placed>& shapes) {
  std::map<int, std::vector<int>> of_object;
  for (int i = 0; i < count(shapes); ++i) {
    const Shape& s = shapes[at(i)].shape;
    kind_.push_back(s.kind);
    const double least = extent(s).least;
    least_.push_back(least > 0 ? least : std::numeric_limits<double>::infinity());
    if (counts(s.kind)) of_object[shapes[at(i)].object].push_back(i);
  }
  beside_.resize(shapes.size());
  bool found = false;
  const auto join = [&](int i, int k) {
    beside_[at(i)].push_back(k);
    beside_[at(k)].push_back(i);
    found = true;
  };
  for (const auto& [object, all] : of_object) {
    std::vector<int> bounded;
    std::vector<Aabb> boxes;
    for (const int i : all) {
      if (is_flat(kind_[at(i)])) continue;
      bounded.push_back(i);
      boxes.push_back(
          box_of(bounds(shapes[at(i)].shape), shapes[at(i)].X_OS, kNear * least_[at(i)]));
    }
    Broad broad;
    for (const auto& [i, k] : broad.pairs(boxes, [](int, int) { return true; }))
      join(bounded[at(i)], bounded[at(k)]);
    for (const int i : all)
      for (std::size_t k = 0; is_flat(kind_[at(i)]) && k < bounded.size(); ++k) {
        const Vec3 n = shapes[at(i)].X_OS.R.col(2), half = (boxes[k].most - boxes[k].least) / 2;
        const double middle = n.dot(boxes[k].least + half - shapes[at(i)].X_OS.p);
        if (std::abs(middle) <= n.cwiseAbs().dot(half)) join(i, bounded[k]);
      }
  }
  if (!found) beside_.clear();
}

bool Seams::hide(std::span<const Point> points, int A, int B,
                 const std::vector<Convex>& placed) const {
  return std::all_of(points.begin(), points.end(), [&](const Point& p) {
    return hides(A, p.p_A, p.n, placed) || hides(B, p.p_B, -p.n, placed);
  });
}

bool Seams::hides(int shape, const Vec3& x, const Vec3& n,
                  const std::vector<Convex>& placed) const {
  if (!counts(kind_[at(shape)])) return false;
  return std::any_of(of(shape).begin(), of(shape).end(),
                     [&](int k) { return is_covered(shape, k, x, n, placed); });
}

/// Neighbour k fills the direction n out of the shape at x, and the shape does not rise over it
/// there, as a wall does that stands on a floor.
bool Seams::is_covered(int shape, int k, const Vec3& x, const Vec3& n,
                       const std::vector<Convex>& placed) const {
  const double near = kNear * std::min(least_[at(shape)], least_[at(k)]);
  if (!std::isfinite(near)) return false;
  Off beyond, within;
  if (!off(kind_[at(k)], placed[at(k)], x + near * n, near, beyond)) return false;
  if (beyond.gap >= near * (1 - kLeans)) return false;
  if (beyond.gap < -near / 2 && beyond.n.dot(n) < kBack) return true;  // a face within the solid
  const Vec3 over = x + 1.5 * near * beyond.n - near / 2 * n;
  return !off(kind_[at(shape)], placed[at(shape)], over, 0, within);
}

}  // namespace trammel::contact
