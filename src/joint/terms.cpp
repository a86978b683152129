#include "joint/terms.h"

#include "joint/material.h"

namespace trammel::joint {

namespace {

using Kind = Term::Kind;

Ends embedded(Ends ends) {
  ends.A.motion_kind = ends.B.motion_kind = body::kEmbedding;
  return ends;
}

/// The gradient of component k of a vector.
Gradient gradient_of(const Term& t, const Sample& at, int k) {
  const Vec3 e = Vec3::Unit(k), &u = at.x[idx(t.u)], &v = at.x[idx(t.v)];
  Gradient g;
  const auto add = [&](Feature f, const Vec3& cov) {
    g.feature[static_cast<std::size_t>(g.n)] = f;
    g.cov[static_cast<std::size_t>(g.n++)] = cov;
  };
  if (t.kind == Kind::cross) {  // e.(u x v)
    add(t.u, v.cross(e));
    add(t.v, e.cross(u));
  } else {
    add(t.u, e);
    if (t.kind == Kind::difference) add(t.v, -e);
  }
  if (is_curve(t.u) || is_curve(t.v)) follow_curve(at, 0, g);
  return g;
}

}  // namespace

int components(const Term& t) { return t.kind == Kind::row ? 1 : 3; }

unsigned features(const Term& t) {
  if (t.kind == Kind::row) return t.row.features();
  const unsigned curve = is_curve(t.u) || is_curve(t.v) ? kProjection : 0;
  return curve | 1u << idx(t.u) | 1u << idx(t.v);
}

bool is_length(const Term& t) {
  if (t.kind == Kind::row) return t.row.unit() == Unit::metre;
  return is_vector(t.u) || is_vector(t.v);
}

void values(const Term& t, const Sample& at, const Arc& arc, double* out) {
  if (t.kind == Kind::row) {
    *out = value(t.row, at, arc);
    return;
  }
  const Vec3 &u = at.x[idx(t.u)], &v = at.x[idx(t.v)];
  vec3(out) = t.kind == Kind::cross ? Vec3(u.cross(v)) : t.kind == Kind::difference ? u - v : u;
}

void jacobians(const Term& t, const Ends& ends, const Sample& at, double* J_A, double* J_B) {
  if (t.kind == Kind::row) return embedded_jacobian(t.row, ends, at, J_A, J_B);
  const Ends both = embedded(ends);
  for (int k = 0; k < 3; ++k)
    pull_back(both, at, gradient_of(t, at, k), J_A + 12 * k, J_B + 12 * k);
}

void embedded_jacobian(const Row& row, const Ends& ends, const Sample& at, double* J_A,
                       double* J_B) {
  jacobian(row, embedded(ends), at, J_A, J_B);
}

}  // namespace trammel::joint
