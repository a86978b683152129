#include "joint/lanes.h"

#include "joint/material.h"

namespace trammel::joint {

void sample(const LaneTransform& a, const LaneTransform& b, const FourVec3* frames,
            unsigned features, LaneSample& out) {
  const auto carry = [&](const FourMat3& A, Feature first, FourVec3& r) {
    r = A * *frames++;
    for (int i = 0; i < 3; ++i)
      if (has(features, first + i)) out.x[idx(first + i)] = A * *frames++;
  };
  carry(a.A, Feature::Ax, out.r_A);
  carry(b.A, Feature::Bx, out.r_B);
  out.x[idx(Feature::D)] = (b.p - a.p) + (out.r_B - out.r_A);
}

namespace {

void store(const FourVec3& x, Four* to) {
  to[0] = x.x;
  to[1] = x.y;
  to[2] = x.z;
}

/// J: the force on B, -f on A, and moments.
struct Pull {
  FourVec3 f{}, m_A{}, m_B{};
};

inline void turn(Feature f, const FourVec3& m, Pull& out) {
  if (is_vector(f)) return;
  if (on_B(f))
    out.m_B = out.m_B + m;
  else
    out.m_A = out.m_A + m;
}

/// d (u.v), without the moments of f: u's object turns it by u x v, v's by v x u. Both d u and d v
/// are given.
inline void add(const Product& p, const FourVec3& du, const FourVec3& v, const FourVec3& dv,
                Pull& out) {
  const FourVec3 m = cross(du, v);
  turn(p.u, m, out);
  turn(p.v, FourVec3{} - m, out);
  if (is_vector(p.u)) out.f = out.f + dv;
  if (is_vector(p.v)) out.f = out.f + du;
}

inline bool takes_D(const Product& p) { return is_vector(p.u) || is_vector(p.v); }

/// with_D: whether one of the row's products takes D.
inline void put(bool with_D, const LaneSample& at, Pull& pull, Four* J_A, Four* J_B) {
  if (with_D) {
    pull.m_A = pull.m_A - cross(at.r_A, pull.f);
    pull.m_B = pull.m_B + cross(at.r_B, pull.f);
  }
  store(FourVec3{} - pull.f, J_A);
  store(pull.m_A, J_A + 3);
  store(pull.f, J_B);
  store(pull.m_B, J_B + 3);
}

/// Lanes one by one: both compilers let a vector's numbers be read and written as such.
inline double* numbers(Four* x) { return reinterpret_cast<double*>(x); }

/// Evaluates functions other than the product, lane by lane.
template <bool kWithJ>
void evaluate_function(const Row& row, const LaneSample& at, Four& g, Four* J_A, Four* J_B) {
  const auto n = static_cast<std::size_t>(row.products());
  std::array<Four, 2> p{}, d{};
  for (std::size_t i = 0; i < n; ++i) p[i] = dot(at.x[idx(row.of[i].u)], at.x[idx(row.of[i].v)]);
  row.fn->h.lanes(at.n, numbers(p.data()), numbers(&p[1]), numbers(&g),
                  kWithJ ? numbers(d.data()) : nullptr);
  if (const double rest = row.rest(); rest != 0) g -= four(rest);
  if constexpr (!kWithJ) return;
  Pull pull;
  for (std::size_t i = 0; i < n; ++i) {
    const FourVec3 &u = at.x[idx(row.of[i].u)], &v = at.x[idx(row.of[i].v)];
    add(row.of[i], d[i] * u, v, d[i] * v, pull);
  }
  put(takes_D(row.of[0]) || (n > 1 && takes_D(row.of[1])), at, pull, J_A, J_B);
}

}  // namespace

template <bool kWithJ>
void evaluate(const Row& row, const LaneSample& at, Four& g, Four* J_A, Four* J_B) {
  if (!row.fn->plain) return evaluate_function<kWithJ>(row, at, g, J_A, J_B);
  const FourVec3 &u = at.x[idx(row.of[0].u)], &v = at.x[idx(row.of[0].v)];
  g = dot(u, v);
  if constexpr (!kWithJ) return;
  Pull pull;
  add(row.of[0], u, v, v, pull);
  put(takes_D(row.of[0]), at, pull, J_A, J_B);
}

template void evaluate<false>(const Row&, const LaneSample&, Four&, Four*, Four*);
template void evaluate<true>(const Row&, const LaneSample&, Four&, Four*, Four*);

}  // namespace trammel::joint
