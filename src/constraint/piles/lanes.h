#pragma once

#include <span>
#include <vector>

#include "constraint/piles/law.h"
#include "constraint/piles/order.h"
#include "constraint/piles/point.h"
#include "math/lanes.h"

/// Points of contact in lanes, a pair of bodies each, and the sweeps over them. What a lane gives
/// has the bits that it would have alone, so neither lanes nor threads show in the results.
namespace trammel::constraint::piles {

#if defined(__AVX512F__)
using Widest = Eight;
#else
using Widest = Four;
#endif

/// One point in each lane: 26 numbers.
template <class V>
struct Slot {
  LanesVec3<V> r_a, r_b, n, t;
  Block<V> w;
  V mu;
  V target[3];
  V P[3];   // with the cohesion
  V slide;  // of the sweep before
};

/// The torques of a point in each lane.
template <class V>
struct TurnSlot {
  V inverse_spin, length;  // of a torque about n; [m]
  Block<V> roll;
  V spinning, rolling;  // [m]
  V target[3];          // about n, t, s
  V p[3];
};

/// Pairs that share no body that moves, one a lane.
template <class V>
struct Batch {
  static constexpr int kLanes = sizeof(V) / sizeof(double);
  V m_a, m_b;                      // inverse masses
  V I_a[6], I_b[6];                // xx xy xz yy yz zz
  int a[kLanes], b[kLanes];        // records read
  int to_a[kLanes], to_b[kLanes];  // records written; -1: none, since it does not move
  int pair[kLanes];                // -1: no pair
  int first, n;                    // slots
  int first_turn;                  // -1: no torques
};

template <class V>
class Lanes {
 public:
  static constexpr int kLanes = Batch<V>::kLanes;

  void build(std::span<const ContactBody> bodies, std::span<const unsigned char> moves,
             std::span<const ContactPoint> points, const Order& order);
  /// Takes v and p, and gives v the impulses p.
  void load(std::span<const ContactTargets> targets, std::span<const double> v,
            std::span<const double> p, bool frictionless);
  /// Returns how much the points were off as it came to them, by what it changed [m/s].
  double sweep(const Group& group);
  /// Writes the errors of all points of pairs, the greatest each.
  void check(const Group& group, std::span<double> merit_of_pair) const;
  void store(std::span<const ContactTargets> targets, std::span<double> v,
             std::span<double> p) const;

  struct alignas(64) Record {
    double x[8];  // v, w, nothing
  };

 private:
  struct Range {
    int first, n;
  };
  struct Source;
  double sweep(int first, int last);
  void add_batch(const Source& from, const Range& places, int& slots, int& turns);
  void fill_batch(const Source& from, Batch<V>& batch);
  void fill_lane(const Source& from, const Pair& pair, Batch<V>& batch, int lane);
  void load_points(std::span<const ContactTargets> targets, std::span<const double> p,
                   bool frictionless, int first, int last);

  std::span<const ContactPoint> points_;
  std::vector<Record> state_;
  std::vector<Batch<V>> batches_;
  std::vector<Range> colors_;  // batches of order.colors
  std::vector<Slot<V>> slots_;
  std::vector<TurnSlot<V>> turns_;
  std::vector<int> slot_of_, turn_of_;  // of points: slot * lanes + lane, turn likewise or -1
};

}  // namespace trammel::constraint::piles
