#pragma once

#include <cstdint>
#include <vector>

namespace trammel::model {

/// Holds what the last step found about the rows, in any formulation: one number per row.
struct RowMemory {
  double h = 0;                // step that made `impulse` [s]; 0: none
  std::int64_t redundant = 0;  // 1: rows have been found to depend on each other
  /// Multiplier over half a step, a first guess for the next [N s, N m s]: that of the second half
  /// (m), or, for implicit springs, of the first (L).
  std::vector<double> impulse;
  /// Bound that the row's force is at: -1 lower, 0 none, +1 upper. For an open unilateral row it is
  /// not 0.
  std::vector<signed char> bound;
  /// It is 1 from when a row's force reaches its bound until the row is back at its target.
  std::vector<unsigned char> yielded;
};

// These are kept from step to step by one formulation alone; the others clear them.

struct VelocityMemory {
  std::vector<double> extrapolation;  // multiplier extrapolation: by how much L of the last step
                                      // differed from m of the step before it
  // 1: a row of the factor kept for the next step; empty: there is none
  std::vector<unsigned char> factored;
  std::vector<double> compliance;  // compliance of the rows in that factor
};

struct AccelerationMemory {
  std::vector<double> recovery;  // acceleration with which a yielded row is braked on its way back
                                 // [m/s^2, rad/s^2]; empty: no row may yield
};

/// The state one step back, for schemes of two steps; empty where there is none.
struct EnergyMemory {
  double h = 0;                  // length of the step from there [s]
  std::int64_t struck = 0;       // 1: the last step has run into a stop
  std::int64_t kinked = 0;       // 1: rows or rates have jumped since
  std::vector<double> q, P;      // coordinates and momenta
  std::vector<double> g;         // values of the rows
  std::vector<double> impulses;  // impulses of what acted in the last step [N s, N m s]

  void forget() {
    q.clear();
    P.clear();
    h = 0;
    struck = kinked = 0;
  }
};

/// Joints that are there for a while (model/transient.h), in the order of their keys.
struct Transients {
  std::vector<std::int64_t> key;  // type, pair, feature of each
  std::vector<int> object;        // objects A and B of each
  // joint frames A and B of each on their objects: 12 numbers a frame, origin [m] and axes by
  // columns
  std::vector<double> frame;

  std::size_t size() const { return key.size() / 3; }
  friend bool operator==(const Transients&, const Transients&) = default;
};

/// The impulses of points of contact in the second half of the last step, a first guess for the
/// next, in the order of keys.
struct ContactMemory {
  std::vector<std::int64_t> key;  // shapes A and B, feature of each
  std::vector<double> impulse;    // of each: along n, t, s, then about them [N s, N m s]
};

/// Holds all that the next step reads, in flat arrays that can be copied, compared, hashed and
/// written. A state carried to a fresh process continues bit for bit: what a formulation keeps
/// besides (factors, scratch) it can make again from here.
struct State {
  double t = 0;  // [s]
  std::int64_t step = 0;

  std::vector<double> q;  // coordinates, block after block
  std::vector<double> P;  // momenta M(q) u
  // velocities, where the momenta do not determine them (Kinematics::light()); else empty
  std::vector<double> u;
  std::vector<double> s;           // arc length from which each track joint projects [m]
  std::vector<double> angle;       // last value of each angle row, turns counted [rad]
  std::vector<double> ledger;      // work and losses so far, see model/ledger.h [J]
  std::vector<int> piece;          // piece of its track that each track joint is on
  std::vector<int> laid;           // laid track that each track joint runs along
  std::vector<unsigned char> on;   // each joint: 1 holds, 0 let go
  Transients transients;           // their joints, rows and angles come after those of the model
  std::vector<double> inputs;      // of each input: value, since when, its integrals (LiveValue)
  std::vector<double> memory;      // of the controllers of a run
  std::vector<signed char> sides;  // of each event of a sensor: where it was, below (-1) or above

  RowMemory rows;
  ContactMemory contacts;
  VelocityMemory velocity;
  AccelerationMemory acceleration;
  EnergyMemory energy;

  /// Calls f(name, field) on every field, in order: copy, compare, hash and files all come from
  /// here.
  template <class S, class F>
  static void each(S&& state, F&& f) {
    f("t", state.t);
    f("step", state.step);
    f("q", state.q);
    f("P", state.P);
    f("u", state.u);
    f("s", state.s);
    f("angle", state.angle);
    f("ledger", state.ledger);
    f("piece", state.piece);
    f("laid", state.laid);
    f("on", state.on);
    f("transients.key", state.transients.key);
    f("transients.object", state.transients.object);
    f("transients.frame", state.transients.frame);
    f("inputs", state.inputs);
    f("memory", state.memory);
    f("sides", state.sides);
    f("rows.h", state.rows.h);
    f("rows.redundant", state.rows.redundant);
    f("rows.impulse", state.rows.impulse);
    f("rows.bound", state.rows.bound);
    f("rows.yielded", state.rows.yielded);
    f("contacts.key", state.contacts.key);
    f("contacts.impulse", state.contacts.impulse);
    f("velocity.extrapolation", state.velocity.extrapolation);
    f("velocity.factored", state.velocity.factored);
    f("velocity.compliance", state.velocity.compliance);
    f("acceleration.recovery", state.acceleration.recovery);
    f("energy.h", state.energy.h);
    f("energy.struck", state.energy.struck);
    f("energy.kinked", state.energy.kinked);
    f("energy.q", state.energy.q);
    f("energy.P", state.energy.P);
    f("energy.g", state.energy.g);
    f("energy.impulses", state.energy.impulses);
  }
};

/// FNV-1a over the bytes of every field: equal states, and only those, hash alike in practice.
std::uint64_t hash(const State& state);

}  // namespace trammel::model
