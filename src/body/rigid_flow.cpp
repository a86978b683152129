// Poses, inverse masses and the free motion of rigid bodies over a step, four at a time or eight.
#include <algorithm>
#include <limits>

#include "body/rigid.h"
#include "math/lanes.h"
#include "math/parallel.h"
#include "math/rotation.h"

namespace trammel::body {

namespace {

constexpr double kTaylor = 0.04;  // as sin_cos_ratios

template <class V>
constexpr int kLanes = sizeof(V) / sizeof(double);

template <class V>
struct Ratios {
  V s, c;  // sin(t)/t, (1 - cos t)/t^2
};

/// 1 - x/d1 (1 - x/d2 (1 - ...)), without the divisions.
template <int... kDivisors, class V>
[[gnu::always_inline]] inline V series(V x) {
  constexpr double kPer[] = {1. / kDivisors...};
  V sum = all_lanes<V>(1);
  for (int i = sizeof...(kDivisors); i-- > 0;) sum = 1 - kPer[i] * x * sum;
  return sum;
}

template <class V>
[[gnu::always_inline]] inline Ratios<V> ratios(V t2) {
  Ratios<V> k{series<6, 20, 42, 72, 110>(t2), 0.5 * series<12, 30, 56, 90, 132>(t2)};
  if (all(t2 < kTaylor)) return k;
  for (int i = 0; i < kLanes<V>; ++i) {
    if (t2[i] < kTaylor) continue;
    const SinCosRatios exact = sin_cos_ratios(t2[i]);
    k.s[i] = exact.s;
    k.c[i] = exact.c;
  }
  return k;
}

/// Angular velocity of the mid-point rule, and the ratios of half the angle that it turns by.
template <class V>
struct Turn {
  LanesVec3<V> w;
  Ratios<V> half;
};

/// I w = exp(-h/2 w) L of the mid-point rule, L the angular momentum in body axes at the start.
/// Newton with the Jacobian to O(h), I - h/2 [L_mid]x: one to three iterations, 15 at 0.6 rad a
/// step, 55 at 2.5. A lane that has converged stands still; one that does not is no number.
template <class V>
Turn<V> rotation_rate(const LanesMat3<V>& I, const LanesMat3<V>& I_inv, const LanesVec3<V>& L,
                      double h) {
  const V half_h = all_lanes<V>(h / 2);
  LanesVec3<V> w = I_inv * L;
  w = I_inv * (L - half_h * cross(w, L));
  const V small = 4e-32 * dot(L, L);
  V last = all_lanes<V>(std::numeric_limits<double>::infinity());
  auto done = last < last;
  const auto half = [&] {
    const LanesVec3<V> a = -half_h * w;
    return ratios(dot(a, a));
  };
  for (int k = 0; k < 60; ++k) {
    const LanesVec3<V> a = -half_h * w;
    const Ratios<V> e = half();
    const LanesVec3<V> aL = cross(a, L), mid = L + e.s * aL + e.c * cross(a, aL);
    const LanesVec3<V> r = I * w - mid;
    const V r2 = dot(r, r);
    done |= (r2 <= small) | ((r2 >= last) & (r2 <= 1e4 * small));  // or rounding has taken over
    if (all(done)) return {w, e};
    last = r2;
    const LanesVec3<V> m = half_h * mid;
    const LanesVec3<V> dw = inverse_times(LanesMat3<V>{{I.c0.x, I.c0.y - m.z, I.c0.z + m.y},
                                                       {I.c1.x + m.z, I.c1.y, I.c1.z - m.x},
                                                       {I.c2.x - m.y, I.c2.y + m.x, I.c2.z}},
                                          r);
    w = {done ? w.x : w.x - dw.x, done ? w.y : w.y - dw.y, done ? w.z : w.z - dw.z};
  }
  const V none = all_lanes<V>(std::numeric_limits<double>::quiet_NaN());
  w = {done ? w.x : none, done ? w.y : none, done ? w.z : none};
  return {w, half()};
}

/// exp of the rotation vector 2 a [rad], with the ratios of |a|.
template <class V>
LanesQuat<V> exp_of_twice(const LanesVec3<V>& a, const Ratios<V>& k) {
  return {1 - k.c * dot(a, a), k.s * a};
}

/// n numbers, 4 or more, of as many records as there are lanes; and back.
template <int n, class T>
[[gnu::always_inline]] inline void load_all(T* const (&record)[4], Four* out) {
  const double* const from[4] = {record[0], record[1], record[2], record[3]};
  for (int k = 0; k + 4 <= n; k += 4) load4(from, k, out + k);
  if (n % 4) load4(from, n - 4, out + n - 4);
}
template <int n>
[[gnu::always_inline]] inline void store_all(const Four* in, double* const (&record)[4]) {
  for (int k = 0; k + 4 <= n; k += 4) store4(in + k, record, k);
  if (n % 4) store4(in + n - 4, record, n - 4);
}
#if defined(__AVX512F__)
template <int n, class T>
[[gnu::always_inline]] inline void load_all(T* const (&record)[8], Eight* out) {
  Four a[n], b[n];
  load_all<n>({record[0], record[1], record[2], record[3]}, a);
  load_all<n>({record[4], record[5], record[6], record[7]}, b);
  for (int k = 0; k < n; ++k) out[k] = both(a[k], b[k]);
}
template <int n>
[[gnu::always_inline]] inline void store_all(const Eight* in, double* const (&record)[8]) {
  Four a[n], b[n];
  for (int k = 0; k < n; ++k) a[k] = low(in[k]), b[k] = high(in[k]);
  store_all<n>(a, {record[0], record[1], record[2], record[3]});
  store_all<n>(b, {record[4], record[5], record[6], record[7]});
}
#endif

/// Records of `stride` numbers, `first` the first of them; lanes left over repeat it.
template <class V, class T>
struct Records {
  T* of[kLanes<V>];
  Records(T* base, int stride, int first, int n) {
    for (int i = 0; i < kLanes<V>; ++i) of[i] = base + stride * (first + (i < n ? i : 0));
  }
};

/// Whether one body stands in all lanes: its numbers are spread over them, which takes less than
/// turning records round.
enum class Bodies : bool { one, more };

/// n numbers of records first to first + lanes of `stride` numbers; and back.
template <int n, Bodies kBodies, class V>
[[gnu::always_inline]] inline void load(const double* base, int stride, int first, int lanes,
                                        V* out) {
  if constexpr (kBodies == Bodies::one)
    for (int k = 0; k < n; ++k) out[k] = all_lanes<V>(base[stride * first + k]);
  else
    load_all<n>(Records<V, const double>(base, stride, first, lanes).of, out);
}
template <int n, Bodies kBodies, class V>
[[gnu::always_inline]] inline void store(const V* in, double* base, int stride, int first,
                                         int lanes) {
  if constexpr (kBodies == Bodies::one)
    for (int k = 0; k < n; ++k) base[stride * first + k] = in[k][0];
  else
    store_all<n>(in, Records<V, double>(base, stride, first, lanes).of);
}

template <class V>
LanesVec3<V> vec3(const V* x) {
  return {x[0], x[1], x[2]};
}
template <class V>
LanesMat3<V> mat3(const V* x) {
  return {vec3(x), vec3(x + 3), vec3(x + 6)};
}

constexpr int kStride = 20;  // numbers of a body in `derived`

/// Bodies first to first + n - 1, n at most the lanes.
template <class V, Bodies kBodies>
[[gnu::always_inline]] inline void flow_lanes(const double* derived, double h, const double* q,
                                              const double* P, double* q1, int first, int n) {
  V d[kStride], from[7], momentum[6];
  load<kStride, kBodies>(derived, kStride, first, n, d);
  load<7, kBodies>(q, 7, first, n, from);
  load<6, kBodies>(P, 6, first, n, momentum);
  const LanesVec3<V> p = vec3(from) + (h * d[0]) * vec3(momentum);
  const LanesQuat<V> r{from[3], vec3(from + 4)};
  const LanesVec3<V> L = rotate_back(r, vec3(momentum + 3));
  const Turn<V> turn = rotation_rate(mat3(d + 2), mat3(d + 11), L, h);
  LanesQuat<V> r1 = r * exp_of_twice(all_lanes<V>(h / 2) * turn.w, turn.half);
  const V unit = 1.5 - 0.5 * (r1.w * r1.w + dot(r1.v, r1.v));
  r1 = {unit * r1.w, unit * r1.v};
  const V values[] = {p.x, p.y, p.z, r1.w, r1.v.x, r1.v.y, r1.v.z};
  store<7, kBodies>(values, q1, 7, first, n);
}

/// As Eigen's toRotationMatrix, column after column.
template <class V, Bodies kBodies>
[[gnu::always_inline]] inline void transform_lanes(const double* q, double* T_WO, int first,
                                                   int n) {
  V x[7];
  load<7, kBodies>(q, 7, first, n, x);
  const V w = x[3], i = x[4], j = x[5], k = x[6], i2 = 2 * i, j2 = 2 * j, k2 = 2 * k;
  const V wi = i2 * w, wj = j2 * w, wk = k2 * w, ii = i2 * i, ij = j2 * i, ik = k2 * i, jj = j2 * j,
          jk = k2 * j, kk = k2 * k;
  const V out[12] = {x[0],    x[1],          x[2],    1 - (jj + kk), ij + wk, ik - wj,
                     ij - wk, 1 - (ii + kk), jk + wi, ik + wj,       jk - wi, 1 - (ii + jj)};
  store<12, kBodies>(out, T_WO, 12, first, n);
}

/// 1/m and R I^-1 R^T, symmetric.
template <class V, Bodies kBodies>
[[gnu::always_inline]] inline void inverse_mass_lanes(const double* derived, const double* T_WO,
                                                      double* W, int first, int n) {
  V d[kStride], at[12];
  load<kStride, kBodies>(derived, kStride, first, n, d);
  load<12, kBodies>(T_WO, 12, first, n, at);
  const LanesMat3<V> R = mat3(at + 3), I_inv = mat3(d + 11);
  const LanesVec3<V> a = I_inv * LanesVec3<V>{R.c0.x, R.c1.x, R.c2.x},
                     b = I_inv * LanesVec3<V>{R.c0.y, R.c1.y, R.c2.y},
                     c = I_inv * LanesVec3<V>{R.c0.z, R.c1.z, R.c2.z};
  const LanesVec3<V> x = R * a;
  const LanesVec3<V> y = R * b;
  const V zz = R.c0.z * c.x + R.c1.z * c.y + R.c2.z * c.z;
  const V out[10] = {d[0], x.x, x.y, x.z, x.y, y.y, y.z, x.z, y.z, zz};
  store<10, kBodies>(out, W, 10, first, n);
}

constexpr int kFlowGrain = 256;  // bodies in one go, a multiple of eight

/// f(first, n) with the lanes as its first template argument.
void for_lanes(int n_blocks, const auto& f) {
  parallel::for_pieces(n_blocks, kFlowGrain, [&](int first, int last) {
    int i = first;
#if defined(__AVX512F__)
    for (; i + 4 < last; i += 8)
      f.template operator()<Eight, Bodies::more>(i, std::min(8, last - i));
#endif
    for (; i + 1 < last; i += 4)
      f.template operator()<Four, Bodies::more>(i, std::min(4, last - i));
    if (i < last) f.template operator()<Four, Bodies::one>(i, 1);
  });
}

}  // namespace

void RigidPool::flow(const double* derived, double h, const double* q, const double* P, double* q1,
                     double* P1) const {
  for_lanes(n_blocks, [=]<class V, Bodies kBodies>(int i, int n) {
    if (P1 != P) std::copy_n(P + 6 * i, 6 * n, P1 + 6 * i);
    flow_lanes<V, kBodies>(derived, h, q, P, q1, i, n);
  });
}

void RigidPool::transforms(const double*, const double* q, Transform* out, double*) const {
  static_assert(sizeof(Transform) == 12 * sizeof(double));
  double* T_WO = out->p.data();
  for_lanes(n_blocks, [=]<class V, Bodies kBodies>(int i, int n) {
    transform_lanes<V, kBodies>(q, T_WO, i, n);
  });
}

void RigidPool::inverse_mass(const double* derived, const double*, const Transform* at,
                             double* out) const {
  const double* T_WO = at->p.data();
  for_lanes(n_blocks, [=]<class V, Bodies kBodies>(int i, int n) {
    inverse_mass_lanes<V, kBodies>(derived, T_WO, out, i, n);
  });
}

}  // namespace trammel::body
