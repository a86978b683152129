// The free motion of rigid bodies over a step, four at a time.
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

Ratios ratios(Four t2) {
  Ratios k{1 - t2 / 6 * (1 - t2 / 20 * (1 - t2 / 42 * (1 - t2 / 72 * (1 - t2 / 110)))),
           0.5 * (1 - t2 / 12 * (1 - t2 / 30 * (1 - t2 / 56 * (1 - t2 / 90 * (1 - t2 / 132)))))};
  if (all(t2 < kTaylor)) return k;
  for (int i = 0; i < 4; ++i) {
    if (t2[i] < kTaylor) continue;
    const SinCosRatios exact = sin_cos_ratios(t2[i]);
    k.s[i] = exact.s;
    k.c[i] = exact.c;
  }
  return k;
}

/// I w = exp(-h/2 w) L of the mid-point rule, L the angular momentum in body axes at the start.
/// Newton with the Jacobian to O(h), I - h/2 [L_mid]x: one to three iterations, 15 at 0.6 rad a
/// step. A lane that has converged stands still.
FourVec3 rotation_rate(const FourMat3& I, const FourMat3& I_inv, const FourVec3& L, double h) {
  FourVec3 w = I_inv * L;
  w = I_inv * (L - four(h / 2) * cross(w, L));
  const Four small = 4e-32 * dot(L, L);
  Four last = four(std::numeric_limits<double>::infinity());
  FourMask done{};
  for (int k = 0; k < 60; ++k) {
    const FourVec3 a = four(-h / 2) * w;
    const Ratios e = ratios(dot(a, a));
    const FourVec3 aL = cross(a, L), mid = L + e.s * aL + e.c * cross(a, aL);
    const FourVec3 r = I * w - mid;
    const Four r2 = dot(r, r);
    done |= (r2 <= small) | ((r2 >= last) & (r2 <= 1e4 * small));  // or rounding has taken over
    if (all(done)) break;
    last = r2;
    const FourVec3 m = four(h / 2) * mid;
    const FourVec3 dw = inverse_times(FourMat3{{I.c0.x, I.c0.y - m.z, I.c0.z + m.y},
                                               {I.c1.x + m.z, I.c1.y, I.c1.z - m.x},
                                               {I.c2.x - m.y, I.c2.y + m.x, I.c2.z}},
                                      r);
    w = {select(done, w.x, w.x - dw.x), select(done, w.y, w.y - dw.y),
         select(done, w.z, w.z - dw.z)};
  }
  return w;
}

/// exp of a rotation vector [rad].
FourQuat exp_four(const FourVec3& a) {
  const Four t2 = dot(a, a) / 4;  // half angle, squared
  const Ratios k = ratios(t2);
  return {1 - k.c * t2, 0.5 * k.s * a};
}

/// Number k of four records of `stride` numbers each.
Four gather(const double* const (&record)[4], int k) {
  return Four{record[0][k], record[1][k], record[2][k], record[3][k]};
}
FourVec3 gather3(const double* const (&record)[4], int k) {
  return {gather(record, k), gather(record, k + 1), gather(record, k + 2)};
}
FourMat3 gather9(const double* const (&record)[4], int k) {
  return {gather3(record, k), gather3(record, k + 3), gather3(record, k + 6)};
}

constexpr int kStride = 20;  // numbers of a body in `derived`

/// Bodies first to first + n - 1, n at most four.
[[gnu::always_inline]] inline void flow_four(const double* derived, double h, const double* q,
                                             const double* P, double* q1, int first, int n) {
  const double *d[4], *from[4], *momentum[4];
  for (int i = 0; i < 4; ++i) {  // lanes left over repeat the first
    const int body = first + (i < n ? i : 0);
    d[i] = derived + kStride * body;
    from[i] = q + 7 * body;
    momentum[i] = P + 6 * body;
  }
  const FourVec3 p = gather3(from, 0) + (h * gather(d, 0)) * gather3(momentum, 0);
  const FourQuat r{gather(from, 3), gather3(from, 4)};
  const FourVec3 L = rotate_back(r, gather3(momentum, 3));
  FourQuat r1 = r * exp_four(four(h) * rotation_rate(gather9(d, 2), gather9(d, 11), L, h));
  const Four unit = 1.5 - 0.5 * (r1.w * r1.w + dot(r1.v, r1.v));
  r1 = {unit * r1.w, unit * r1.v};
  for (int i = 0; i < n; ++i) {
    double* to = q1 + 7 * (first + i);
    const double values[] = {p.x[i], p.y[i], p.z[i], r1.w[i], r1.v.x[i], r1.v.y[i], r1.v.z[i]};
    std::copy_n(values, 7, to);
  }
}

}  // namespace

void RigidPool::flow(const double* derived, double h, const double* q, const double* P, double* q1,
                     double* P1) const {
  constexpr int kGrain = 256;  // a multiple of four
  parallel::for_pieces(n_blocks, kGrain, [=](int first, int last) {
    if (P1 != P) std::copy_n(P + 6 * first, 6 * (last - first), P1 + 6 * first);
    for (int i = first; i < last; i += 4) flow_four(derived, h, q, P, q1, i, std::min(4, last - i));
  });
}

}  // namespace trammel::body
