#pragma once

#include "constraint/piles/lanes.h"

/// What is done with a batch of pairs, all lanes at once.
namespace trammel::constraint::piles {

template <class V>
struct Ends {
  LanesVec3<V> v_a, w_a, v_b, w_b;
};

/// Eight numbers of as many records as there are lanes, and back.
[[gnu::always_inline]] inline void load_records(const double* const* record, Four* out) {
  const double* const of[4] = {record[0], record[1], record[2], record[3]};
  load4(of, 0, out);
  load4(of, 4, out + 4);
}
[[gnu::always_inline]] inline void store_records(const Four* in, double* const* record) {
  double* const of[4] = {record[0], record[1], record[2], record[3]};
  store4(in, of, 0);
  store4(in + 4, of, 4);
}
#if defined(__AVX512F__)
[[gnu::always_inline]] inline void load_records(const double* const* record, Eight* out) {
  Four a[8], b[8];
  load_records(record, a);
  load_records(record + 4, b);
  for (int k = 0; k < 8; ++k) out[k] = both(a[k], b[k]);
}
[[gnu::always_inline]] inline void store_records(const Eight* in, double* const* record) {
  Four a[8], b[8];
  for (int k = 0; k < 8; ++k) a[k] = low(in[k]), b[k] = high(in[k]);
  store_records(a, record);
  store_records(b, record + 4);
}
#endif

template <class V>
[[gnu::always_inline]] inline Ends<V> load_ends(const Batch<V>& batch,
                                                const typename Lanes<V>::Record* state) {
  constexpr int kLanes = Batch<V>::kLanes;
  const double *a[kLanes], *b[kLanes];
  for (int i = 0; i < kLanes; ++i) a[i] = state[batch.a[i]].x, b[i] = state[batch.b[i]].x;
  V x[8], y[8];
  load_records(a, x);
  load_records(b, y);
  return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}, {y[0], y[1], y[2]}, {y[3], y[4], y[5]}};
}

/// Bodies that do not move may stand in many batches: nobody writes them.
template <class V>
[[gnu::always_inline]] inline void store_ends(const Batch<V>& batch, const Ends<V>& ends,
                                              typename Lanes<V>::Record* state) {
  constexpr int kLanes = Batch<V>::kLanes;
  typename Lanes<V>::Record nobody[2];
  double *a[kLanes], *b[kLanes];
  for (int i = 0; i < kLanes; ++i) {
    a[i] = batch.to_a[i] < 0 ? nobody[0].x : state[batch.to_a[i]].x;
    b[i] = batch.to_b[i] < 0 ? nobody[1].x : state[batch.to_b[i]].x;
  }
  const V zero = filled<V>(0);
  const V x[8] = {ends.v_a.x, ends.v_a.y, ends.v_a.z, ends.w_a.x,
                  ends.w_a.y, ends.w_a.z, zero,       zero};
  const V y[8] = {ends.v_b.x, ends.v_b.y, ends.v_b.z, ends.w_b.x,
                  ends.w_b.y, ends.w_b.z, zero,       zero};
  store_records(x, a);
  store_records(y, b);
}

template <class V>
[[gnu::always_inline]] inline LanesVec3<V> symmetric_times(const V (&I)[6], const LanesVec3<V>& x) {
  return {I[0] * x.x + I[1] * x.y + I[2] * x.z, I[1] * x.x + I[3] * x.y + I[4] * x.z,
          I[2] * x.x + I[4] * x.y + I[5] * x.z};
}

/// e = velocity of the point along n, t, s, less its targets.
template <class V>
[[gnu::always_inline]] inline void rates(const Slot<V>& c, const LanesVec3<V>& s,
                                         const Ends<V>& ends, V (&e)[3]) {
  const LanesVec3<V> u = (ends.v_b - ends.v_a) + (cross(ends.w_b, c.r_b) - cross(ends.w_a, c.r_a));
  e[0] = dot(c.n, u) - c.target[0];
  e[1] = dot(c.t, u) - c.target[1];
  e[2] = dot(s, u) - c.target[2];
}

template <class V>
[[gnu::always_inline]] inline LanesVec3<V> in_axes(const Slot<V>& c, const LanesVec3<V>& s,
                                                   const V& n, const V& t, const V& along_s) {
  return n * c.n + (t * c.t + along_s * s);
}

template <class V>
[[gnu::always_inline]] inline void push(const Batch<V>& batch, const Slot<V>& c,
                                        const LanesVec3<V>& f, Ends<V>& ends) {
  ends.v_a = ends.v_a - batch.m_a * f;
  ends.w_a = ends.w_a - symmetric_times(batch.I_a, cross(c.r_a, f));
  ends.v_b = ends.v_b + batch.m_b * f;
  ends.w_b = ends.w_b + symmetric_times(batch.I_b, cross(c.r_b, f));
}

template <class V>
[[gnu::always_inline]] inline void turn(const Batch<V>& batch, const LanesVec3<V>& torque,
                                        Ends<V>& ends) {
  ends.w_a = ends.w_a - symmetric_times(batch.I_a, torque);
  ends.w_b = ends.w_b + symmetric_times(batch.I_b, torque);
}

/// The square of what a point was off by, from what solve_cone made of P [m^2/s^2]: a bound of
/// cone_error squared without its divisions.
template <class V>
[[gnu::always_inline]] inline V off_squared(const Slot<V>& c, const V (&e)[3],
                                            const V (&before)[3]) {
  const V zero = filled<V>(0);
  const Mask<V> presses = (before[0] > c.w.k * e[0]) | (before[0] > 0);
  const V n = presses ? e[0] : zero;
  const V d_t = c.P[1] - before[1], d_s = c.P[2] - before[2];
  const V S = 0.5 * (c.w.A_tt + c.w.A_ss);
  return greater(V(n * n), V(S * S * (d_t * d_t + d_s * d_s)));
}

/// The spin of b against a about n, t, s, less that wanted.
template <class V>
[[gnu::always_inline]] inline void spins(const Slot<V>& c, const LanesVec3<V>& s,
                                         const TurnSlot<V>& turns, const Ends<V>& ends,
                                         V (&out)[3]) {
  const LanesVec3<V> w = ends.w_b - ends.w_a;
  out[0] = dot(c.n, w) - turns.target[0];
  out[1] = dot(c.t, w) - turns.target[1];
  out[2] = dot(s, w) - turns.target[2];
}

template <class V>
[[gnu::always_inline]] inline V sweep_turns(const Batch<V>& batch, const Slot<V>& c,
                                            const LanesVec3<V>& s, TurnSlot<V>& turns,
                                            Ends<V>& ends) {
  V w[3];
  spins(c, s, turns, ends, w);
  const V before[3] = {turns.p[0], turns.p[1], turns.p[2]};
  turns.p[0] = solve_spin<V>(turns.inverse_spin, turns.spinning * c.P[0], w[0], before[0]);
  solve_roll<V>(turns.roll, turns.rolling * c.P[0], w[1], w[2], turns.p[1], turns.p[2]);
  const V d[3] = {turns.p[0] - before[0], turns.p[1] - before[1], turns.p[2] - before[2]};
  turn(batch, in_axes(c, s, d[0], d[1], d[2]), ends);
  const V per_W = turns.length / turns.inverse_spin;
  return per_W * per_W * (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

template <class V>
[[gnu::always_inline]] inline V twice(const LanesVec3<V>& x, const V (&I)[6],
                                      const LanesVec3<V>& y) {
  return dot(x, symmetric_times(I, y));
}

/// The inverse masses of the points, from bodies, arms and axes.
template <class V>
void weigh_batch(const Batch<V>& batch, Slot<V>* slots, TurnSlot<V>* turns) {
  const V one = filled<V>(1), m = batch.m_a + batch.m_b, tiny = filled<V>(1e-300);
  constexpr int kRows[6] = {0, 1, 2, 1, 1, 2}, kColumns[6] = {0, 0, 0, 1, 2, 2};
  for (int i = 0; i < batch.n; ++i) {
    Slot<V>& c = slots[i];
    const LanesVec3<V> axes[3] = {c.n, c.t, cross(c.n, c.t)};
    LanesVec3<V> a[3], b[3];
    for (int k = 0; k < 3; ++k) a[k] = cross(c.r_a, axes[k]), b[k] = cross(c.r_b, axes[k]);
    V W[6], K[6];
    for (int k = 0; k < 6; ++k) {
      const int row = kRows[k], column = kColumns[k];
      W[k] = twice(a[row], batch.I_a, a[column]) + twice(b[row], batch.I_b, b[column]);
      if (row == column) W[k] += m;
      if (turns)
        K[k] =
            twice(axes[row], batch.I_a, axes[column]) + twice(axes[row], batch.I_b, axes[column]);
    }
    const V sum = W[0] + W[3] + W[5];
    for (int k : {0, 3, 5}) W[k] = sum > 0 ? W[k] : one;  // of no point
    c.w = block_of<V>(W, kNothing * sum + tiny);
    if (!turns) continue;
    const V turn_sum = K[0] + K[3] + K[5], least = kNothing * turn_sum + tiny;
    for (int k : {0, 3, 5}) K[k] = turn_sum > 0 ? greater(K[k], least) : one;
    turns[i].inverse_spin = 1 / K[0];
    turns[i].roll = {filled<V>(0), filled<V>(0), filled<V>(0), K[3], K[4], K[5]};
    turns[i].length = root(V(W[0] / K[0]));
  }
}

/// Gives the bodies the impulses P and p.
template <class V>
void add_impulses(const Batch<V>& batch, const Slot<V>* slots, const TurnSlot<V>* turns,
                  typename Lanes<V>::Record* state) {
  Ends<V> ends = load_ends<V>(batch, state);
  for (int i = 0; i < batch.n; ++i) {
    const Slot<V>& c = slots[i];
    const LanesVec3<V> s = cross(c.n, c.t);
    push(batch, c, in_axes<V>(c, s, c.P[0], c.P[1], c.P[2]), ends);
    if (batch.first_turn >= 0)
      turn(batch, in_axes<V>(c, s, turns[i].p[0], turns[i].p[1], turns[i].p[2]), ends);
  }
  store_ends(batch, ends, state);
}

/// Solves the points one after another; returns the greatest square of what one was off by.
template <class V, bool kTurns>
V sweep_batch(const Batch<V>& batch, Slot<V>* slots, TurnSlot<V>* turns,
              typename Lanes<V>::Record* state) {
  Ends<V> ends = load_ends<V>(batch, state);
  V off = filled<V>(0);
  for (int i = 0; i < batch.n; ++i) {
    Slot<V>& c = slots[i];
    const LanesVec3<V> s = cross(c.n, c.t);
    V e[3];
    rates(c, s, ends, e);
    const V before[3] = {c.P[0], c.P[1], c.P[2]};
    solve_cone<V>(c.w, c.mu, e, c.P, c.slide);
    push(batch, c, in_axes<V>(c, s, c.P[0] - before[0], c.P[1] - before[1], c.P[2] - before[2]),
         ends);
    off = greater(off_squared(c, e, before), off);
    if constexpr (kTurns) off = greater(sweep_turns(batch, c, s, turns[i], ends), off);
  }
  store_ends(batch, ends, state);
  return off;
}

/// The greatest error of a point of each pair.
template <class V>
V check_batch(const Batch<V>& batch, const Slot<V>* slots, const TurnSlot<V>* turns,
              const typename Lanes<V>::Record* state) {
  const Ends<V> ends = load_ends<V>(batch, state);
  V off = filled<V>(0);
  for (int i = 0; i < batch.n; ++i) {
    const Slot<V>& c = slots[i];
    const LanesVec3<V> s = cross(c.n, c.t);
    V e[3];
    rates(c, s, ends, e);
    off = greater(cone_error<V>(c.w, c.mu, e, c.P), off);
    if (batch.first_turn < 0) continue;
    const TurnSlot<V>& m = turns[i];
    V w[3];
    spins(c, s, m, ends, w);
    off = greater(turn_error<V>(m.inverse_spin, m.roll, m.spinning * c.P[0], m.rolling * c.P[0], w,
                                m.p, m.length),
                  off);
  }
  return off;
}

}  // namespace trammel::constraint::piles
