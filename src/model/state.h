#pragma once

#include <cstdint>
#include <vector>

namespace trammel::model {

/// What the last step found out about the rows, in any formulation: one number a row.
struct RowMemory {
  double h = 0;                // step that made `impulse` [s]; 0: none
  std::int64_t redundant = 0;  // 1: rows have been found to depend on each other
  /// Multiplier over half a step, a first guess [N s, N m s]: of the second half; of springs that
  /// are implicit, of the first.
  std::vector<double> impulse;
  /// Bound that the force is at: -1 lower, 0 none, +1 upper. A unilateral row that is open: not 0.
  std::vector<signed char> bound;
  /// 1 from when a row's force reaches its bound until the row is back in its place.
  std::vector<unsigned char> yielded;
};

// What one formulation alone keeps from step to step; the others clear it.

struct VelocityMemory {
  std::vector<double> trend;  // by how much the first impulse of its step differed from the last of
                              // the one before
  std::vector<unsigned char> factored;  // 1: row of the factor kept for the next step; or none
  std::vector<double> compliance;       // of the rows in that factor
};

struct AccelerationMemory {
  std::vector<double> recovery;  // second rate with which a yielded row is braked on its way back
                                 // [m/s^2, rad/s^2]; none: no row may yield
};

/// One step back, for schemes of two steps; empty: there is none.
struct EnergyMemory {
  double h = 0;                  // of the step from there [s]
  std::int64_t struck = 0;       // 1: the last step has run into a stop
  std::int64_t kinked = 0;       // 1: rows or rates have jumped since
  std::vector<double> q, P;      // coordinates and momenta
  std::vector<double> g;         // of the rows
  std::vector<double> impulses;  // of what acted in the last step [N s, N m s]

  void forget() {
    q.clear();
    P.clear();
    h = 0;
    struck = kinked = 0;
  }
};

/// All that the next step reads, in flat arrays that can be copied, compared, hashed and written. A
/// state carried to a fresh process continues bit for bit: what a formulation keeps besides
/// (factors, scratch) it can make again from here.
struct State {
  double t = 0;  // [s]
  std::int64_t step = 0;

  std::vector<double> q;          // coordinates, block after block
  std::vector<double> P;          // momenta M(q) u
  std::vector<double> u;          // where these do not say them (Kinematics::light()); else empty
  std::vector<double> s;          // arc length from which each track joint projects [m]
  std::vector<double> angle;      // last value of each angle row, turns counted [rad]
  std::vector<double> ledger;     // work and losses so far, see model/ledger.h [J]
  std::vector<int> piece;         // of its track, each track joint
  std::vector<int> end_object;    // object at end A of each joint
  std::vector<unsigned char> on;  // each joint: 1 holds, 0 let go

  RowMemory rows;
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
    f("end_object", state.end_object);
    f("on", state.on);
    f("rows.h", state.rows.h);
    f("rows.redundant", state.rows.redundant);
    f("rows.impulse", state.rows.impulse);
    f("rows.bound", state.rows.bound);
    f("rows.yielded", state.rows.yielded);
    f("velocity.trend", state.velocity.trend);
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
