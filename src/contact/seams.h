#pragma once

#include <span>
#include <vector>

#include "contact/convex.h"
#include "contact/point.h"
#include "contact/shape.h"

namespace trammel::contact {

struct Placed;

/// Where shapes of one object adjoin they bound one solid: their edges and faces there are none of
/// it, and nothing that slides over them catches. Convex shapes, planes and half spaces count.
class Seams {
 public:
  Seams() = default;
  explicit Seams(const std::vector<Placed>& shapes);

  /// Whether the pair of shapes has neighbours at all.
  bool any(int A, int B) const { return !beside_.empty() && !(of(A).empty() && of(B).empty()); }
  /// Whether all points of a pair come out of surfaces that neighbours cover, or of edges in
  /// directions that neighbours fill. `placed`: the shapes where they are.
  bool hide(std::span<const Point> points, int A, int B, const std::vector<Convex>& placed) const;

 private:
  const std::vector<int>& of(int shape) const { return beside_[static_cast<std::size_t>(shape)]; }
  bool hides(int shape, const Vec3& x, const Vec3& n, const std::vector<Convex>& placed) const;
  bool is_covered(int shape, int k, const Vec3& x, const Vec3& n,
                  const std::vector<Convex>& placed) const;

  std::vector<std::vector<int>> beside_;  // of each shape; empty: none has any
  std::vector<Shape::Kind> kind_;
  std::vector<double> least_;  // extents; infinite: unbounded
};

}  // namespace trammel::contact
