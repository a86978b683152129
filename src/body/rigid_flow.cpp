// Poses, inverse masses and the free motion of rigid bodies over a step, four at a time.
#include <algorithm>
#include <limits>

#include "body/rigid.h"
#include "math/lanes.h"
#include "math/parallel.h"
#include "math/rotation.h"

namespace trammel::body {

namespace {

constexpr double kTaylor = 0.04;  // as sin_cos_ratios

struct Ratios {
  Four s, c;  // sin(t)/t, (1 - cos t)/t^2
};

/// 1 - x/d1 (1 - x/d2 (1 - ...)), without the divisions.
template <int... kDivisors>
[[gnu::always_inline]] inline Four series(Four x) {
  constexpr double kPer[] = {1. / kDivisors...};
  Four sum = four(1);
  for (int i = sizeof...(kDivisors); i-- > 0;) sum = 1 - kPer[i] * x * sum;
  return sum;
}

[[gnu::always_inline]] inline Ratios ratios(Four t2) {
  Ratios k{series<6, 20, 42, 72, 110>(t2), 0.5 * series<12, 30, 56, 90, 132>(t2)};
  if (all(t2 < kTaylor)) return k;
  for (int i = 0; i < 4; ++i) {
    if (t2[i] < kTaylor) continue;
    const SinCosRatios exact = sin_cos_ratios(t2[i]);
    k.s[i] = exact.s;
    k.c[i] = exact.c;
  }
  return k;
}

/// Angular velocity of the mid-point rule, and the ratios of half the angle that it turns by.
struct Turn {
  FourVec3 w;
  Ratios half;
};

/// I w = exp(-h/2 w) L of the mid-point rule, L the angular momentum in body axes at the start.
/// Newton with the Jacobian to O(h), I - h/2 [L_mid]x: one to three iterations, 15 at 0.6 rad a
/// step. A lane that has converged stands still.
Turn rotation_rate(const FourMat3& I, const FourMat3& I_inv, const FourVec3& L, double h) {
  FourVec3 w = I_inv * L;
  w = I_inv * (L - four(h / 2) * cross(w, L));
  const Four small = 4e-32 * dot(L, L);
  Four last = four(std::numeric_limits<double>::infinity());
  FourMask done{};
  const auto half = [&] {
    const FourVec3 a = four(-h / 2) * w;
    return ratios(dot(a, a));
  };
  for (int k = 0; k < 60; ++k) {
    const FourVec3 a = four(-h / 2) * w;
    const Ratios e = half();
    const FourVec3 aL = cross(a, L), mid = L + e.s * aL + e.c * cross(a, aL);
    const FourVec3 r = I * w - mid;
    const Four r2 = dot(r, r);
    done |= (r2 <= small) | ((r2 >= last) & (r2 <= 1e4 * small));  // or rounding has taken over
    if (all(done)) return {w, e};
    last = r2;
    const FourVec3 m = four(h / 2) * mid;
    const FourVec3 dw = inverse_times(FourMat3{{I.c0.x, I.c0.y - m.z, I.c0.z + m.y},
                                               {I.c1.x + m.z, I.c1.y, I.c1.z - m.x},
                                               {I.c2.x - m.y, I.c2.y + m.x, I.c2.z}},
                                      r);
    w = {select(done, w.x, w.x - dw.x), select(done, w.y, w.y - dw.y),
         select(done, w.z, w.z - dw.z)};
  }
  return {w, half()};
}

/// exp of the rotation vector 2 a [rad], with the ratios of |a|.
FourQuat exp_of_twice(const FourVec3& a, const Ratios& k) { return {1 - k.c * dot(a, a), k.s * a}; }

/// n numbers, 4 or more, of four records.
template <int n>
[[gnu::always_inline]] inline void load_all(const double* const (&record)[4], Four* out) {
  for (int k = 0; k + 4 <= n; k += 4) load4(record, k, out + k);
  if (n % 4) load4(record, n - 4, out + n - 4);
}
/// To those in use.
template <int n>
[[gnu::always_inline]] inline void store_all(const Four* in, double* const (&record)[4]) {
  for (int k = 0; k + 4 <= n; k += 4) store4(in + k, record, k);
  if (n % 4) store4(in + n - 4, record, n - 4);
}

FourVec3 vec3(const Four* x) { return {x[0], x[1], x[2]}; }
FourMat3 mat3(const Four* x) { return {vec3(x), vec3(x + 3), vec3(x + 6)}; }

constexpr int kStride = 20;  // numbers of a body in `derived`

/// Of four records of `stride` numbers, `first` the first of them; lanes left over repeat it.
template <class T>
struct Records {
  T* of[4];
  Records(T* base, int stride, int first, int n) {
    for (int i = 0; i < 4; ++i) of[i] = base + stride * (first + (i < n ? i : 0));
  }
};

/// Bodies first to first + n - 1, n at most four.
[[gnu::always_inline]] inline void flow_four(const double* derived, double h, const double* q,
                                             const double* P, double* q1, int first, int n) {
  Four d[kStride], from[7], momentum[6];
  load_all<kStride>(Records(derived, kStride, first, n).of, d);
  load_all<7>(Records(q, 7, first, n).of, from);
  load_all<6>(Records(P, 6, first, n).of, momentum);
  const FourVec3 p = vec3(from) + (h * d[0]) * vec3(momentum);
  const FourQuat r{from[3], vec3(from + 4)};
  const FourVec3 L = rotate_back(r, vec3(momentum + 3));
  const Turn turn = rotation_rate(mat3(d + 2), mat3(d + 11), L, h);
  FourQuat r1 = r * exp_of_twice(four(h / 2) * turn.w, turn.half);
  const Four unit = 1.5 - 0.5 * (r1.w * r1.w + dot(r1.v, r1.v));
  r1 = {unit * r1.w, unit * r1.v};
  const Four values[] = {p.x, p.y, p.z, r1.w, r1.v.x, r1.v.y, r1.v.z};
  store_all<7>(values, Records(q1, 7, first, n).of);
}

/// As Eigen's toRotationMatrix, column after column.
[[gnu::always_inline]] inline void place_four(const double* q, double* place, int first, int n) {
  Four x[7];
  load_all<7>(Records(q, 7, first, n).of, x);
  const Four w = x[3], i = x[4], j = x[5], k = x[6], i2 = 2 * i, j2 = 2 * j, k2 = 2 * k;
  const Four wi = i2 * w, wj = j2 * w, wk = k2 * w, ii = i2 * i, ij = j2 * i, ik = k2 * i,
             jj = j2 * j, jk = k2 * j, kk = k2 * k;
  const Four out[12] = {x[0],    x[1],          x[2],    1 - (jj + kk), ij + wk, ik - wj,
                        ij - wk, 1 - (ii + kk), jk + wi, ik + wj,       jk - wi, 1 - (ii + jj)};
  store_all<12>(out, Records(place, 12, first, n).of);
}

/// 1/m and R I^-1 R^T, symmetric.
[[gnu::always_inline]] inline void inverse_mass_four(const double* derived, const double* place,
                                                     double* W, int first, int n) {
  Four d[kStride], at[12];
  load_all<kStride>(Records(derived, kStride, first, n).of, d);
  load_all<12>(Records(place, 12, first, n).of, at);
  const FourMat3 R = mat3(at + 3), I_inv = mat3(d + 11);
  const FourVec3 a = I_inv * FourVec3{R.c0.x, R.c1.x, R.c2.x},
                 b = I_inv * FourVec3{R.c0.y, R.c1.y, R.c2.y},
                 c = I_inv * FourVec3{R.c0.z, R.c1.z, R.c2.z};
  const FourVec3 x = R * a;
  const FourVec3 y = R * b;
  const Four zz = R.c0.z * c.x + R.c1.z * c.y + R.c2.z * c.z;
  const Four out[10] = {d[0], x.x, x.y, x.z, x.y, y.y, y.z, x.z, y.z, zz};
  store_all<10>(out, Records(W, 10, first, n).of);
}

constexpr int kGrain = 256;  // bodies in one go, a multiple of four

void for_fours(int n_blocks, const auto& f) {
  parallel::for_pieces(n_blocks, kGrain, [&](int first, int last) {
    for (int i = first; i < last; i += 4) f(i, std::min(4, last - i));
  });
}

}  // namespace

void RigidPool::flow(const double* derived, double h, const double* q, const double* P, double* q1,
                     double* P1) const {
  for_fours(n_blocks, [=](int i, int n) {
    if (P1 != P) std::copy_n(P + 6 * i, 6 * n, P1 + 6 * i);
    flow_four(derived, h, q, P, q1, i, n);
  });
}

void RigidPool::place(const double*, const double* q, Place* out, double*) const {
  static_assert(sizeof(Place) == 12 * sizeof(double));
  double* place = out->p.data();
  for_fours(n_blocks, [=](int i, int n) { place_four(q, place, i, n); });
}

void RigidPool::inverse_mass(const double* derived, const double*, const Place* at,
                             double* out) const {
  const double* place = at->p.data();
  for_fours(n_blocks, [=](int i, int n) { inverse_mass_four(derived, place, out, i, n); });
}

}  // namespace trammel::body
