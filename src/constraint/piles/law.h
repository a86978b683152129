#pragma once

#include <cmath>
#include <type_traits>

#include "math/lanes.h"
#if defined(__AVX__)
#include <immintrin.h>
#endif

/// Coulomb's law at one point, solved exactly, of one number or of lanes by the same operations: a
/// lane has the bits that it would have alone.
namespace trammel::constraint::piles {

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

/// Of a symmetric W (nn tn sn tt ts ss), without division by nothing where a point cannot move some
/// way.
template <class V>
[[gnu::always_inline]] inline Block<V> block_of(const V (&W)[6], const V& least) {
  const V k = 1 / greater(W[0], least), g_t = W[1] * k, g_s = W[2] * k;
  return {k,
          g_t,
          g_s,
          greater(V(W[3] - W[1] * g_t), least),
          W[4] - W[1] * g_s,
          greater(V(W[5] - W[2] * g_s), least)};
}

/// The tangent impulses y = -(A + l)^-1 b, whose slip is -l y, times det (A + l): z - l b, and
/// their load P = -a - g.y times the same and mu: c[0] + c[1] l + c[2] l^2.
template <class V>
struct Slide {
  V b_t, b_s, z_t, z_s;
  V c[3];
  V q[3];  // |z - l b|^2 = q[0] - 2 q[1] l + q[2] l^2
};
template <class V>
[[gnu::always_inline]] inline Slide<V> slide(const Block<V>& w, const V& mu, const V& a,
                                             const V& b_t, const V& b_s) {
  const V z_t = w.A_ts * b_s - w.A_ss * b_t, z_s = w.A_ts * b_t - w.A_tt * b_s;
  const V det = w.A_tt * w.A_ss - w.A_ts * w.A_ts;
  return {b_t,
          b_s,
          z_t,
          z_s,
          {-mu * (a * det + w.g_t * z_t + w.g_s * z_s),
           mu * (w.g_t * b_t + w.g_s * b_s - a * (w.A_tt + w.A_ss)), -mu * a},
          {z_t * z_t + z_s * z_s, z_t * b_t + z_s * b_s, b_t * b_t + b_s * b_s}};
}

/// l >= 0 with mu P(l) = |y(l)| by halving: where Newton has not found it. There is one where what
/// sticks is too long, since P is -a > 0 at infinity.
inline double halved_slide(const Slide<double>& f, double start) {
  const auto too_long = [&](double l) {
    const double load = f.c[0] + l * (f.c[1] + l * f.c[2]);
    return load <= 0 || f.q[0] + l * (l * f.q[2] - 2 * f.q[1]) > load * load;
  };
  double low = 0, high = start;
  for (int i = 0; i < 500 && too_long(high); ++i) low = high, high *= 4;
  for (int i = 0; i < 200 && high - low > 1e-16 * high; ++i) {
    const double middle = low + 0.5 * (high - low);
    (too_long(middle) ? low : high) = middle;
  }
  return high;
}

template <class V>
[[gnu::noinline]] void halve_lanes(const Slide<V>& f, const V& start, const Mask<V>& done, V& l) {
  if constexpr (std::is_same_v<V, double>) {
    if (!done) l = halved_slide(f, start);
  } else {
    for (unsigned i = 0; i < sizeof(V) / sizeof(double); ++i)
      if (!done[i])
        l[i] = halved_slide({f.b_t[i],
                             f.b_s[i],
                             f.z_t[i],
                             f.z_s[i],
                             {f.c[0][i], f.c[1][i], f.c[2][i]},
                             {f.q[0][i], f.q[1][i], f.q[2][i]}},
                            start[i]);
  }
}

/// The same l by Newton on mu P / |y| - 1, a line where A is the same both ways, from a guess.
/// Lanes that are done stay as they are.
template <class V>
[[gnu::always_inline]] inline V find_slide(const Slide<V>& f, const V& start, Mask<V> done, V l) {
  constexpr int kMost = 12;
  constexpr double kLast = 1e-6;  // squared by the step that is still made
  const V zero = filled<V>(0);
  for (int i = 0; i < kMost && !every(done); ++i) {
    const V C = f.c[0] + l * (f.c[1] + l * f.c[2]), C_l = f.c[1] + 2 * l * f.c[2];
    const V Q = f.q[0] + l * (l * f.q[2] - 2 * f.q[1]), half_Q_l = l * f.q[2] - f.q[1];
    const V N = root(Q), slope = C_l * Q - C * half_Q_l, off = C - N;
    const V next = greater(V(l - off * Q / slope), zero);
    const V leap = off < 0 ? 2 * l + start : 0.5 * l;  // where it falls
    const Mask<V> rises = slope > 0;
    l = done ? l : (rises ? next : leap);
    done = done | (rises & (off < kLast * N) & (off > -kLast * N));
  }
  if (!every(done)) halve_lanes<V>(f, start, done, l);
  return l;
}

/// The direction of y(l), by a scale: mu for instance; nothing of no length.
template <class V>
[[gnu::always_inline]] inline void along_slide(const Slide<V>& f, const V& l, const V& scale,
                                               V& d_t, V& d_s) {
  const V y_t = f.z_t - l * f.b_t, y_s = f.z_s - l * f.b_s, N2 = y_t * y_t + y_s * y_s;
  const V per = scale / root(N2), zero = filled<V>(0);
  const Mask<V> some = (N2 > 0) & (scale > 0);
  d_t = some ? per * y_t : zero;
  d_s = some ? per * y_s : zero;
}

/// Makes P (n, t, s) what Coulomb's law asks for, e being the velocities less their targets with
/// the P that comes in: open, sticking, or sliding. l: of the slide, as it comes in a guess.
template <class V>
[[gnu::always_inline]] inline void solve_cone(const Block<V>& w, const V& mu, const V (&e)[3],
                                              V (&P)[3], V& l) {
  const V zero = filled<V>(0);
  const V a = w.k * e[0] - P[0] - w.g_t * P[1] - w.g_s * P[2];  // without P, over W_nn
  const V b_t = e[1] - w.g_t * e[0] - w.A_tt * P[1] - w.A_ts * P[2];
  const V b_s = e[2] - w.g_s * e[0] - w.A_ts * P[1] - w.A_ss * P[2];
  const Slide<V> f = slide(w, mu, a, b_t, b_s);
  const V per_det = 1 / (w.A_tt * w.A_ss - w.A_ts * w.A_ts);
  const V stuck_t = per_det * f.z_t, stuck_s = per_det * f.z_s;
  const V stuck_n = -a - w.g_t * stuck_t - w.g_s * stuck_s;
  const Mask<V> open = a >= 0, sticks = (stuck_n >= 0) & (f.q[0] <= f.c[0] * f.c[0]);
  V n = stuck_n, t = stuck_t, s = stuck_s;
  if (!every(Mask<V>(open | sticks))) {
    const Mask<V> no_slide = open | sticks | (mu <= 0);
    l = find_slide<V>(f, w.A_tt + w.A_ss, no_slide, l);
    V d_t, d_s;
    along_slide(f, l, mu, d_t, d_s);
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
  const V zero = filled<V>(0);
  const V b_t = e_t - w.A_tt * p_t - w.A_ts * p_s, b_s = e_s - w.A_ts * p_t - w.A_ss * p_s;
  const Slide<V> f =
      slide<V>({zero, zero, zero, w.A_tt, w.A_ts, w.A_ss}, most, filled<V>(-1), b_t, b_s);
  const V per_det = 1 / (w.A_tt * w.A_ss - w.A_ts * w.A_ts);
  const Mask<V> within = f.q[0] <= f.c[0] * f.c[0];
  p_t = per_det * f.z_t, p_s = per_det * f.z_s;
  if (every(within)) return;
  const V l = find_slide<V>(f, w.A_tt + w.A_ss, within | (most <= 0), zero);
  V d_t, d_s;
  along_slide(f, l, most, d_t, d_s);
  p_t = within ? p_t : d_t;
  p_s = within ? p_s : d_s;
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

/// The same of torques p with their rates w (about n, t, s), by a length.
template <class V>
[[gnu::always_inline]] inline V turn_error(const V& inverse_spin, const Block<V>& roll,
                                           const V& spinning, const V& rolling, const V (&w)[3],
                                           const V (&p)[3], const V& length) {
  const V off = p[0] - solve_spin<V>(inverse_spin, spinning, w[0], p[0]);
  const V S = 0.5 * (roll.A_tt + roll.A_ss), per_S = 1 / S;
  const V rolls = S * off_disc<V>(rolling, p[1], p[2], p[1] - per_S * w[1], p[2] - per_S * w[2]);
  return length * greater(V((off < 0 ? -off : off) / inverse_spin), rolls);
}

}  // namespace trammel::constraint::piles
