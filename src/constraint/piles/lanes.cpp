#include "constraint/piles/lanes.h"

#include <algorithm>
#include <atomic>
#include <limits>

#include "constraint/piles/kernel.h"
#include "math/parallel.h"

namespace trammel::constraint::piles {

namespace {

constexpr int kGrain = 16;         // batches
constexpr int kPointGrain = 1024;  // points
constexpr double kNever = std::numeric_limits<double>::infinity();

/// Number of a lane.
template <class V>
double& lane_of(V& x, int lane) {
  return reinterpret_cast<double*>(&x)[lane];
}
template <class V>
double lane_of(const V& x, int lane) {
  return x[lane];
}

template <class V>
void put(LanesVec3<V>& to, int lane, const Vec3& x) {
  lane_of(to.x, lane) = x.x(), lane_of(to.y, lane) = x.y(), lane_of(to.z, lane) = x.z();
}
template <class V>
void put(V (&to)[6], int lane, const Mat3& I) {
  const double x[6] = {I(0, 0), I(0, 1), I(0, 2), I(1, 1), I(1, 2), I(2, 2)};
  for (int i = 0; i < 6; ++i) lane_of(to[i], lane) = x[i];
}
/// A lane without a point: nothing ever acts in it.
template <class V>
Slot<V> empty_slot() {
  const V zero = filled<V>(0), one = filled<V>(1);
  const LanesVec3<V> none{zero, zero, zero};
  return {none,
          none,
          {one, zero, zero},
          {zero, one, zero},
          {one, zero, zero, one, zero, one},
          zero,
          {filled<V>(-kNever), zero, zero},
          {zero, zero, zero},
          zero};
}
template <class V>
TurnSlot<V> empty_turn() {
  const V zero = filled<V>(0), one = filled<V>(1);
  return {one,
          one,
          {zero, zero, zero, one, zero, one},
          zero,
          zero,
          {zero, zero, zero},
          {zero, zero, zero}};
}

}  // namespace

template <class V>
struct Lanes<V>::Source {
  std::span<const ContactBody> bodies;
  std::span<const unsigned char> moves;
  const Order& order;
};

template <class V>
void Lanes<V>::build(std::span<const ContactBody> bodies, std::span<const unsigned char> moves,
                     std::span<const ContactPoint> points, const Order& order) {
  points_ = points;
  state_.resize(bodies.size() + 1);  // the last one: nobody
  state_.back() = Record{};
  slot_of_.resize(points.size());
  turn_of_.assign(points.size(), -1);
  batches_.clear(), colors_.clear();
  const Source from{bodies, moves, order};
  int slots = 0, turns = 0;
  for (const ColorRange& color : order.colors) {
    const int first = static_cast<int>(batches_.size());
    for (int i = 0; i < color.n; i += kLanes)
      add_batch(from, {color.first + i, std::min(kLanes, color.n - i)}, slots, turns);
    colors_.push_back({first, static_cast<int>(batches_.size()) - first});
  }
  slots_.resize(at(slots));
  turns_.resize(at(turns));
  parallel::for_pieces(static_cast<int>(batches_.size()), kGrain, [&](int first, int last) {
    for (int i = first; i < last; ++i) fill_batch(from, batches_[at(i)]);
  });
}

/// Gives pairs their place.
template <class V>
void Lanes<V>::add_batch(const Source& from, const Range& places, int& slots, int& turns) {
  batches_.emplace_back();
  Batch<V>& batch = batches_.back();
  batch.n = 0;
  bool turn = false;
  for (int lane = 0; lane < kLanes; ++lane) {
    batch.pair[lane] = -1;
    if (lane >= places.n) continue;
    const int number = from.order.pairs_in_order[at(places.first + lane)];
    const Pair& pair = from.order.pairs[at(number)];
    batch.pair[lane] = number;
    batch.n = std::max(batch.n, pair.n);
    for (int k = pair.first; k < pair.first + pair.n; ++k)
      turn = turn || points_[at(k)].rolling > 0 || points_[at(k)].spinning > 0;
  }
  batch.first = slots;
  batch.first_turn = turn ? turns : -1;
  slots += batch.n;
  if (turn) turns += batch.n;
}

template <class V>
void Lanes<V>::fill_batch(const Source& from, Batch<V>& batch) {
  const V zero = filled<V>(0);
  batch.m_a = batch.m_b = zero;
  for (int i = 0; i < 6; ++i) batch.I_a[i] = batch.I_b[i] = zero;
  const bool turns = batch.first_turn >= 0;
  for (int i = 0; i < batch.n; ++i) {
    slots_[at(batch.first + i)] = empty_slot<V>();
    if (turns) turns_[at(batch.first_turn + i)] = empty_turn<V>();
  }
  const int nobody = static_cast<int>(state_.size()) - 1;
  for (int lane = 0; lane < kLanes; ++lane) {
    batch.a[lane] = batch.b[lane] = nobody;
    batch.to_a[lane] = batch.to_b[lane] = -1;
    if (batch.pair[lane] >= 0) fill_lane(from, from.order.pairs[at(batch.pair[lane])], batch, lane);
  }
  weigh_batch<V>(batch, &slots_[at(batch.first)], turns ? &turns_[at(batch.first_turn)] : nullptr);
}

template <class V>
void Lanes<V>::fill_lane(const Source& from, const Pair& pair, Batch<V>& batch, int lane) {
  const ContactBody &a = from.bodies[at(pair.a)], &b = from.bodies[at(pair.b)];
  batch.a[lane] = pair.a, batch.b[lane] = pair.b;
  if (from.moves[at(pair.a)]) batch.to_a[lane] = pair.a;
  if (from.moves[at(pair.b)]) batch.to_b[lane] = pair.b;
  lane_of(batch.m_a, lane) = a.inv_mass, lane_of(batch.m_b, lane) = b.inv_mass;
  put(batch.I_a, lane, a.inv_inertia), put(batch.I_b, lane, b.inv_inertia);
  for (int i = 0; i < pair.n; ++i) {
    const ContactPoint& c = points_[at(pair.first + i)];
    Slot<V>& slot = slots_[at(batch.first + i)];
    slot_of_[at(pair.first + i)] = (batch.first + i) * kLanes + lane;
    put(slot.r_a, lane, c.r_a), put(slot.r_b, lane, c.r_b);
    put(slot.n, lane, c.n), put(slot.t, lane, c.t);
    if (batch.first_turn >= 0)
      turn_of_[at(pair.first + i)] = (batch.first_turn + i) * kLanes + lane;
  }
}

template <class V>
void Lanes<V>::load(std::span<const ContactTargets> targets, std::span<const double> v,
                    std::span<const double> p, bool frictionless) {
  const int n = static_cast<int>(points_.size());
  parallel::for_pieces(static_cast<int>(state_.size()) - 1, kPointGrain, [&](int first, int last) {
    for (int i = first; i < last; ++i) {
      std::copy_n(&v[6 * at(i)], 6, state_[at(i)].x);
      state_[at(i)].x[6] = state_[at(i)].x[7] = 0;
    }
  });
  parallel::for_pieces(n, kPointGrain, [&](int first, int last) {
    load_points(targets, p, frictionless, first, last);
  });
  parallel::in_turns(
      static_cast<int>(colors_.size()), kGrain, [&](int k) { return colors_[at(k)].n; },
      [&](int k, int first, int last) {
        for (int i = colors_[at(k)].first + first; i < colors_[at(k)].first + last; ++i)
          add_impulses(batches_[at(i)], &slots_[at(batches_[at(i)].first)],
                       turns_.data() + std::max(batches_[at(i)].first_turn, 0), state_.data());
      });
  parallel::for_pieces(n, kPointGrain, [&](int first, int last) {
    for (int i = first; i < last; ++i)
      lane_of(slots_[at(slot_of_[at(i)] / kLanes)].P[0], slot_of_[at(i)] % kLanes) +=
          cohesion_of(targets[at(i)]);
  });
}

template <class V>
void Lanes<V>::load_points(std::span<const ContactTargets> targets, std::span<const double> p,
                           bool frictionless, int first, int last) {
  for (int i = first; i < last; ++i) {
    const int lane = slot_of_[at(i)] % kLanes;
    const double* x = &p[6 * at(i)];
    Slot<V>& slot = slots_[at(slot_of_[at(i)] / kLanes)];
    lane_of(slot.slide, lane) = 0;
    lane_of(slot.mu, lane) = frictionless ? 0 : points_[at(i)].mu;
    for (int k = 0; k < 3; ++k) {
      lane_of(slot.target[k], lane) = targets[at(i)].u[k];
      lane_of(slot.P[k], lane) = x[k];
    }
    if (turn_of_[at(i)] < 0) continue;
    TurnSlot<V>& turn = turns_[at(turn_of_[at(i)] / kLanes)];
    lane_of(turn.spinning, lane) = frictionless ? 0 : points_[at(i)].spinning;
    lane_of(turn.rolling, lane) = frictionless ? 0 : points_[at(i)].rolling;
    for (int k = 0; k < 3; ++k) {
      lane_of(turn.target[k], lane) = targets[at(i)].w[k];
      lane_of(turn.p[k], lane) = x[3 + k];
    }
  }
}

template <class V>
double Lanes<V>::sweep(const Group& group) {
  std::atomic<double> off = 0;
  const Range* colors = colors_.data() + group.first_color;
  parallel::in_turns(
      group.n_colors, kGrain, [&](int k) { return colors[k].n; },
      [&](int k, int first, int last) {
        parallel::raise(off, sweep(colors[k].first + first, colors[k].first + last));
      });
  return std::sqrt(off);
}

/// Of some batches; returns the square of the greatest change.
template <class V>
double Lanes<V>::sweep(int first, int last) {
  V most = filled<V>(0);
  for (int i = first; i < last; ++i) {
    const Batch<V>& batch = batches_[at(i)];
    Slot<V>* slots = &slots_[at(batch.first)];
    most = greater(
        batch.first_turn < 0
            ? sweep_batch<V, false>(batch, slots, nullptr, state_.data())
            : sweep_batch<V, true>(batch, slots, &turns_[at(batch.first_turn)], state_.data()),
        most);
  }
  double greatest = 0;
  for (int i = 0; i < kLanes; ++i) greatest = std::max(greatest, lane_of(most, i));
  return greatest;
}

template <class V>
void Lanes<V>::check(const Group& group, std::span<double> merit_of_pair) const {
  for (int k = group.first_color; k < group.first_color + group.n_colors; ++k) {
    const Range& color = colors_[at(k)];
    parallel::for_pieces(color.n, kGrain, [&](int first, int last) {
      for (int i = color.first + first; i < color.first + last; ++i) {
        const Batch<V>& batch = batches_[at(i)];
        const V off = check_batch<V>(batch, &slots_[at(batch.first)],
                                     turns_.data() + std::max(batch.first_turn, 0), state_.data());
        for (int lane = 0; lane < kLanes; ++lane)
          if (batch.pair[lane] >= 0) merit_of_pair[at(batch.pair[lane])] = off[lane];
      }
    });
  }
}

template <class V>
void Lanes<V>::store(std::span<const ContactTargets> targets, std::span<double> v,
                     std::span<double> p) const {
  for (std::size_t i = 0; i + 1 < state_.size(); ++i) std::copy_n(state_[i].x, 6, &v[6 * i]);
  parallel::for_pieces(static_cast<int>(points_.size()), kPointGrain, [&](int first, int last) {
    for (int i = first; i < last; ++i) {
      const int lane = slot_of_[at(i)] % kLanes;
      const Slot<V>& slot = slots_[at(slot_of_[at(i)] / kLanes)];
      double* x = &p[6 * at(i)];
      for (int k = 0; k < 3; ++k) x[k] = slot.P[k][lane];
      x[0] -= cohesion_of(targets[at(i)]);
      for (int k = 0; k < 3; ++k)
        x[3 + k] = turn_of_[at(i)] < 0 ? 0 : turns_[at(turn_of_[at(i)] / kLanes)].p[k][lane];
    }
  });
}

template class Lanes<Four>;
#if defined(__AVX512F__)
template class Lanes<Eight>;
#endif

}  // namespace trammel::constraint::piles
