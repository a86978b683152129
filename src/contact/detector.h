#pragma once
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <tuple>
#include <algorithm>
#include <vector>
#include "math/types.h"
namespace trammel::contact {
struct Shape {
  enum class Kind : unsigned char { sphere, box, capsule, cylinder, cone, hull, mesh, plane, half_space, grid };
  Kind kind = Kind::sphere;
  Vec3 size = Vec3::Zero();
};
struct Placed { int object = 0; Pose X_OS; Shape shape; };
struct Point { int A = 0, B = 0; std::int64_t feature = 0; Vec3 p_A = Vec3::Zero(), p_B = Vec3::Zero(), n = Vec3::UnitZ(); double gap = 0; };
using PairRule = std::function<bool(int, int)>;
struct Extent { double reach = 0, least = 0; };
inline Extent extent(const Shape& s) {
  if (s.kind == Shape::Kind::sphere) return {s.size[0], 2 * s.size[0]};
  if (s.kind == Shape::Kind::box) return {s.size.norm() / 2, s.size.minCoeff()};
  return {0, 0};
}
class Detector {
 public:
  Detector(std::vector<Placed> s, PairRule r) : s_(std::move(s)), rule_(std::move(r)) {}
  void find(std::span<const Pose> X, std::span<const double> m, std::vector<Point>& out) {
    out.clear();
    for (int a = 0; a < (int)s_.size(); ++a)
      for (int b = a + 1; b < (int)s_.size(); ++b) {
        if (!rule_(s_[(size_t)a].object, s_[(size_t)b].object)) continue;
        pair(a, b, X, m[(size_t)a] + m[(size_t)b], out);
      }
  }
 private:
  void pair(int a, int b, std::span<const Pose> X, double m, std::vector<Point>& out) {
    using K = Shape::Kind;
    const Placed &A = s_[(size_t)a], &B = s_[(size_t)b];
    const Pose XA = X[(size_t)A.object] * A.X_OS, XB = X[(size_t)B.object] * B.X_OS;
    auto add = [&](int f, const Vec3& pa, const Vec3& pb, const Vec3& n) {
      const double gap = n.dot(pb - pa);
      if (gap <= m) out.push_back({a, b, f, pa, pb, n, gap});
    };
    if (A.shape.kind == K::sphere && B.shape.kind == K::sphere) {
      const Vec3 n = (XB.p - XA.p).normalized();
      add(0, XA.p + A.shape.size[0] * n, XB.p - B.shape.size[0] * n, n);
    } else if (A.shape.kind == K::half_space) {
      const Vec3 n = XA.R.col(2);
      if (B.shape.kind == K::sphere) {
        const Vec3 pb = XB.p - B.shape.size[0] * n;
        add(0, pb - n.dot(pb - XA.p) * n, pb, n);
      } else if (B.shape.kind == K::box)
        for (int c = 0; c < 8; ++c) {
          const Vec3 x((c & 1 ? .5 : -.5) * B.shape.size[0], (c & 2 ? .5 : -.5) * B.shape.size[1], (c & 4 ? .5 : -.5) * B.shape.size[2]);
          const Vec3 pb = XB.p + XB.R * x;
          add(c, pb - n.dot(pb - XA.p) * n, pb, n);
        }
    }
  }
  std::vector<Placed> s_;
  PairRule rule_;
};
}  // namespace trammel::contact
