#pragma once

#include <cstdint>
#include <vector>

namespace trammel::model {

/// All that the next step reads, in flat arrays that can be copied, compared, hashed and written. A
/// state carried to a fresh process continues bit for bit: what a formulation keeps besides
/// (factors, scratch) it can make again from here.
struct State {
  double t = 0;       // [s]
  double h_last = 0;  // step that made `multiplier` [s]; 0: none
  std::int64_t step = 0;
  std::int64_t redundant = 0;  // 1: rows have been found to depend on each other

  std::vector<double> q;           // coordinates, block after block
  std::vector<double> P;           // momenta M(q) u
  std::vector<double> u;           // where these do not say them (Kinematics::light()); else empty
  std::vector<double> s;           // arc length from which each track joint projects [m]
  std::vector<double> angle;       // last value of each angle row, turns counted [rad]
  std::vector<double> multiplier;  // last multiplier of each row: half-step impulse [N s or N m s]
  std::vector<double> trend;   // by how much the first one of its step differed from the one before
  std::vector<double> ledger;  // work and losses so far, see model/ledger.h [J]
  std::vector<int> piece;      // of its track, each track joint
  std::vector<int> end_object;      // object at end A of each joint
  std::vector<unsigned char> on;    // each joint: 1 holds, 0 let go
  std::vector<signed char> set;     // each row: -1, 0, +1 as the last active set left it
  std::vector<unsigned char> slip;  // each row: 1 while its force is at a bound and it is displaced
  std::vector<unsigned char> factored;  // each row: 1 in the factor kept for the next step; or none
  std::vector<double> compliance;       // of the rows in that factor
  // one step back, for schemes of two steps; empty: there is none
  std::vector<double> q_before, P_before, g_before;
  double h_before = 0;                  // of the step from there [s]
  std::vector<double> impulses_before;  // of what acted in it [N s, N m s]

  /// Calls f(name, field) on every field, in order: copy, compare, hash and files all come from
  /// here.
  template <class S, class F>
  static void each(S&& state, F&& f) {
    f("t", state.t);
    f("h_last", state.h_last);
    f("step", state.step);
    f("redundant", state.redundant);
    f("q", state.q);
    f("P", state.P);
    f("u", state.u);
    f("s", state.s);
    f("angle", state.angle);
    f("multiplier", state.multiplier);
    f("trend", state.trend);
    f("ledger", state.ledger);
    f("piece", state.piece);
    f("end_object", state.end_object);
    f("on", state.on);
    f("set", state.set);
    f("slip", state.slip);
    f("factored", state.factored);
    f("compliance", state.compliance);
    f("q_before", state.q_before);
    f("P_before", state.P_before);
    f("g_before", state.g_before);
    f("h_before", state.h_before);
    f("impulses_before", state.impulses_before);
  }
};

/// FNV-1a over the bytes of every field: equal states, and only those, hash alike in practice.
std::uint64_t hash(const State& state);

}  // namespace trammel::model
