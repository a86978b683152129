#pragma once

#include <cmath>
#include <type_traits>

#include "math/lanes.h"
#if defined(__AVX__)
#include <immintrin.h>
#endif

/// Coulomb's law at one point, solved exactly, of one number or of lanes by the same operations: a
/// lane has the bits that it would have alone.
namespace trammel::solve::contact {

template <class V>
using Mask = decltype(V{} < V{});

inline double root(double x) { return std::sqrt(x); }
#if defined(__AVX__)
inline Four root(const Four& x) { return _mm256_sqrt_pd(x); }
#endif
#if defined(__AVX512F__)
inline Eight root(const Eight& x) { return _mm512_sqrt_pd(x); }
#endif

template <class V>
V filled(double x) {
  if constexpr (std::is_same_v<V, double>)
    return x;
  else
    return all_lanes<V>(x);
}
template <class M>
bool every(const M& m) {
  if constexpr (std::is_same_v<M, bool>)
    return m;
  else
    return all(m);
}
template <class V>
V greater(const V& a, const V& b) {
  return a > b ? a : b;
}

/// W of a point (inverse masses along n, t, s), eliminated: k = 1 / W_nn, g = W_tn / W_nn, A = W_tt
/// - W_tn g^T.
template <class V>
struct Block {
  V k, g_t, g_s, A_tt, A_ts, A_ss;
};

/// Of a symmetric W, without division by nothing where a point cannot move some way.
inline Block<double> block_of(const double (&W)[3][3], double least) {
  const double nn = W[0][0] > least ? W[0][0] : least, k = 1 / nn;
  const double g_t = W[1][0] * k, g_s = W[2][0] * k;
  return {k,
          g_t,
          g_s,
          greater(W[1][1] - W[1][0] * g_t, least),
          W[1][2] - W[1][0] * g_s,
          greater(W[2][2] - W[2][0] * g_s, least)};
}

/// A tangent impulse y = -(A + l)^-1 b, by how much it slips where it is opposite to the slip l y.
template <class V>
struct Slide {
  V y_t, y_s, det;
};
template <class V>
[[gnu::always_inline]] inline Slide<V> slide(const Block<V>& w, const V& b_t, const V& b_s,
                                             const V& l) {
  const V tt = w.A_tt + l, ss = w.A_ss + l;
  const V det = 1 / (tt * ss - w.A_ts * w.A_ts);
  return {(w.A_ts * b_s - ss * b_t) * det, (w.A_ts * b_t - tt * b_s) * det, det};
}

/// l >= 0 with |y(l)| = mu P(l), P = -a - g.y, by halving: where Newton has not found it. There is
/// one, since |y| is too long at 0 and P is -a > 0 at infinity.
inline double halved_slide(const Block<double>& w, double mu, double a, double b_t, double b_s) {
  const auto too_long = [&](double l) {
    const Slide<double> at = slide(w, b_t, b_s, l);
    return std::sqrt(at.y_t * at.y_t + at.y_s * at.y_s) >
           mu * (-a - w.g_t * at.y_t - w.g_s * at.y_s);
  };
  double low = 0, high = w.A_tt + w.A_ss;
  for (int i = 0; i < 1000 && too_long(high); ++i) low = high, high *= 4;
  for (int i = 0; i < 200 && high - low > 1e-16 * high; ++i) {
    const double middle = low + 0.5 * (high - low);
    (too_long(middle) ? low : high) = middle;
  }
  return high;
}

template <class V>
[[gnu::noinline]] void halve_lanes(const Block<V>& w, const V& mu, const V& a, const V& b_t,
                                   const V& b_s, const Mask<V>& done, V& l) {
  if constexpr (std::is_same_v<V, double>) {
    if (!done) l = halved_slide(w, mu, a, b_t, b_s);
  } else {
    for (unsigned i = 0; i < sizeof(V) / sizeof(double); ++i)
      if (!done[i])
        l[i] = halved_slide({w.k[i], w.g_t[i], w.g_s[i], w.A_tt[i], w.A_ts[i], w.A_ss[i]}, mu[i],
                            a[i], b_t[i], b_s[i]);
  }
}

/// The same l by Newton on mu P / |y| - 1, a line where A is the same both ways. Lanes that are
/// done stay as they are.
template <class V>
[[gnu::always_inline]] inline V find_slide(const Block<V>& w, const V& mu, const V& a, const V& b_t,
                                           const V& b_s, Mask<V> done) {
  constexpr int kMost = 8;
  constexpr double kLast = 1e-6;  // squared by the step that is still made
  V l = filled<V>(0);
  for (int i = 0; i < kMost && !every(done); ++i) {
    const Slide<V> at = slide(w, b_t, b_s, l);
    const V P = -a - w.g_t * at.y_t - w.g_s * at.y_s;
    const V N2 = at.y_t * at.y_t + at.y_s * at.y_s, inverse = 1 / root(N2);
    const V F = mu * P * inverse - 1;
    const Slide<V> rate = slide(w, at.y_t, at.y_s, l);
    const V P_l = -(w.g_t * rate.y_t + w.g_s * rate.y_s);
    const V along = (at.y_t * rate.y_t + at.y_s * rate.y_s) * inverse * inverse;
    const V slope = mu * inverse * (P_l - P * along);
    const V next = l - F / slope;
    const Mask<V> good = (slope > 0) & (next >= 0);
    l = done ? l : (good ? next : l);
    done = done | (good & (F < kLast) & (F > -kLast));
  }
  if (!every(done)) halve_lanes<V>(w, mu, a, b_t, b_s, done, l);
  return l;
}

/// Makes P (n, t, s) what Coulomb's law asks for, e being the velocities less their targets with
/// the P that comes in: open, sticking, or sliding along the direction that `find_slide` gives.
template <class V>
[[gnu::always_inline]] inline void solve_cone(const Block<V>& w, const V& mu, const V (&e)[3],
                                              V (&P)[3]) {
  const V zero = filled<V>(0);
  const V a = w.k * e[0] - P[0] - w.g_t * P[1] - w.g_s * P[2];  // without P, over W_nn
  const V b_t = e[1] - w.g_t * e[0] - w.A_tt * P[1] - w.A_ts * P[2];
  const V b_s = e[2] - w.g_s * e[0] - w.A_ts * P[1] - w.A_ss * P[2];
  const Slide<V> stuck = slide(w, b_t, b_s, zero);
  const V stuck_n = -a - w.g_t * stuck.y_t - w.g_s * stuck.y_s, most = mu * stuck_n;
  const Mask<V> open = a >= 0;
  const Mask<V> sticks =
      (stuck_n >= 0) & (stuck.y_t * stuck.y_t + stuck.y_s * stuck.y_s <= most * most);
  V n = stuck_n, t = stuck.y_t, s = stuck.y_s;
  if (!every(Mask<V>(open | sticks))) {
    const Mask<V> smooth = mu <= 0;
    const V l = find_slide<V>(w, mu, a, b_t, b_s, open | sticks | smooth);
    const Slide<V> at = slide(w, b_t, b_s, l);
    const V N2 = at.y_t * at.y_t + at.y_s * at.y_s;
    const V scale = (smooth | (N2 <= 0)) ? zero : mu / root(N2);
    const V d_t = scale * at.y_t, d_s = scale * at.y_s;  // mu times the direction
    const V slid = -a / (1 + w.g_t * d_t + w.g_s * d_s);
    n = sticks ? n : slid;
    t = sticks ? t : slid * d_t;
    s = sticks ? s : slid * d_s;
  }
  P[0] = open ? zero : n;
  P[1] = open ? zero : t;
  P[2] = open ? zero : s;
}

/// A torque about n within what the load allows.
template <class V>
[[gnu::always_inline]] inline V solve_spin(const V& inverse_W, const V& most, const V& e,
                                           const V& p) {
  const V free = p - inverse_W * e;
  return free > most ? most : (free < -most ? -most : free);
}

/// Torques across n within a disc: A their inverse inertia, as a block without a normal.
template <class V>
[[gnu::always_inline]] inline void solve_roll(const Block<V>& w, const V& most, const V& e_t,
                                              const V& e_s, V& p_t, V& p_s) {
  const V one = filled<V>(1), zero = filled<V>(0);
  const V b_t = e_t - w.A_tt * p_t - w.A_ts * p_s, b_s = e_s - w.A_ts * p_t - w.A_ss * p_s;
  const Slide<V> free = slide(w, b_t, b_s, zero);
  const Mask<V> within = free.y_t * free.y_t + free.y_s * free.y_s <= most * most, none = most <= 0;
  p_t = free.y_t, p_s = free.y_s;
  if (every(within)) return;
  const Block<V> flat{zero, zero, zero, w.A_tt, w.A_ts, w.A_ss};
  const V l = find_slide<V>(flat, most, -one, b_t, b_s, within | none);
  const Slide<V> at = slide(w, b_t, b_s, l);
  const V N2 = at.y_t * at.y_t + at.y_s * at.y_s;
  const V scale = (none | (N2 <= 0)) ? zero : most / root(N2);
  p_t = within ? p_t : scale * at.y_t;
  p_s = within ? p_s : scale * at.y_s;
}

/// The length of y - (nearest to z in a disc).
template <class V>
[[gnu::always_inline]] inline V off_disc(const V& most, const V& y_t, const V& y_s, const V& z_t,
                                         const V& z_s) {
  const V N2 = z_t * z_t + z_s * z_s, one = filled<V>(1);
  const V scale = N2 <= most * most ? one : most / root(N2);
  const V d_t = y_t - scale * z_t, d_s = y_s - scale * z_s;
  return root(V(d_t * d_t + d_s * d_s));
}

/// How far P is from what solve_cone would make of it, as a speed (Alart and Curnier 1991: the
/// projection of the augmented Lagrangian).
template <class V>
[[gnu::always_inline]] inline V cone_error(const Block<V>& w, const V& mu, const V (&e)[3],
                                           const V (&P)[3]) {
  const V zero = filled<V>(0);
  const V off = P[0] - greater(V(P[0] - w.k * e[0]), zero), W = 1 / w.k;
  const V S = 0.5 * (w.A_tt + w.A_ss), per_S = 1 / S;
  const V slip = S * off_disc<V>(mu * P[0], P[1], P[2], P[1] - per_S * e[1], P[2] - per_S * e[2]);
  return greater(V(W * (off < 0 ? -off : off)), slip);
}

}  // namespace trammel::solve::contact
