#pragma once

#include <array>

#include "joint/evaluate.h"
#include "math/rotation.h"

/// Features as material points and directions of the objects, for the evaluator's files (no
/// constitutive laws: these are laws on rows).
namespace trammel::joint {

constexpr auto idx(Feature f) { return static_cast<std::size_t>(f); }
constexpr bool has(unsigned mask, Feature f) { return (mask >> idx(f) & 1u) != 0; }
constexpr Feature operator+(Feature f, int i) {
  return static_cast<Feature>(static_cast<int>(f) + i);
}
constexpr bool on_B(Feature f) { return f >= Feature::Bx && f <= Feature::Bz; }
constexpr bool is_curve(Feature f) { return f >= Feature::Cx; }
constexpr bool is_vector(Feature f) { return f == Feature::D || f == Feature::E; }

/// Derivatives of the row's function in its products; none where it has none.
inline Partials partials(const Row& row, const Sample& at) {
  if (row.fn->h.partials == nullptr) return {};
  const std::array<double, 2> p = products(row, at);
  return row.fn->h.partials(p[0], p[1]);
}

/// The arc length s(q) follows from this product, which stays zero.
constexpr Product kOnCurve{Feature::Cx, Feature::E};

/// A feature as the object carries it, in the object's own axes: a point of it (D, E) or a
/// direction, with d/ds and d^2/ds^2 where it slides along the curve.
struct Material {
  Vec3 c = Vec3::Zero(), c_s = Vec3::Zero(), c_ss = Vec3::Zero();
};

inline Material material_A(const Ends& ends, const Sample& at, Feature f) {
  Material m;
  const Pose& X = *ends.A.X_OF;
  if (f == Feature::D) {
    m.c = X.p;
  } else if (!is_curve(f)) {
    m.c = X.R.col(static_cast<int>(f));
  } else {
    const geom::CurvePoint& c = at.curve;
    const Mat3 W = skew(c.Omega), T = X.R * W;
    if (f == Feature::E) {
      m.c = X.p + X.R * c.p;
      m.c_s = X.R * c.C.col(0);
      m.c_ss = T * c.C.col(0);
    } else {
      const Vec3 a = c.C.col(static_cast<int>(f) - static_cast<int>(Feature::Cx));
      m.c = X.R * a;
      m.c_s = T * a;
      m.c_ss = X.R * (skew(c.dOmega) * a) + T * (W * a);
    }
  }
  return m;
}

inline Vec3 material_B(const Ends& ends, Feature f) {
  if (!on_B(f)) return ends.B.X_OF->p;
  return ends.B.X_OF->R.col(static_cast<int>(f) - static_cast<int>(Feature::Bx));
}

/// d(feature)/ds with the objects at rest.
inline Vec3 slope(const Sample& at, Feature f) {
  if (f == Feature::E) return -at.x[idx(Feature::Cx)];
  return is_curve(f) ? at.x_s[idx(f) - idx(Feature::Cx)] : Vec3(Vec3::Zero());
}

}  // namespace trammel::joint
