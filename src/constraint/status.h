#pragma once

#include "law/law.h"

/// What rows are between the shapes that their demands may have, and how they change from one to
/// another when rates and forces pass what these allow.
namespace trammel::constraint {

/// An alarm beyond it counts: of a force, relative; of a rate [m/s, rad/s]; of a gap [m, rad].
constexpr double kAlarm = 1e-9;

enum class Status : unsigned char {
  off,         // its joint has let go
  free,        // its law says how strong it is
  open,        // a unilateral row that is not touched
  active,      // it holds what is demanded
  yielded,     // a row that holds a position, at a bound of its force and off its place
  recovering,  // the same on its way back, braked so that it comes to rest in its place
  sliding,     // a row that holds a rate, at a bound of its force
};

struct RowStatus {
  Status status = Status::off;
  /// Bound that its force is at: -1 lower, +1 upper. Of a unilateral row: the stop that it is
  /// nearer to, +1 the lower.
  signed char side = 0;
  double recovery = 0;  // second rate with which it is braked on its way back [m/s^2, rad/s^2]

  /// Its force is whatever holds it.
  bool holds() const { return status == Status::active || status == Status::recovering; }
  /// Its force is a bound's.
  bool at_bound() const { return status == Status::yielded || status == Status::sliding; }
  /// Off its place, or sliding against its target.
  bool slips() const { return at_bound() || status == Status::recovering; }
};

/// What counts as met, of a motion with its own speeds and times.
struct Nearness {
  double rate = 1e-8;               // [m/s, rad/s]
  double length = 1e-8;             // [m, rad]
  double moment = 1e-10;            // of an event [s]
  double acceleration = law::kInf;  // that makes the motion's speed in a step [m/s^2, rad/s^2]
};

/// Where a row is, and what it bears.
struct RowState {
  double g = 0, rate = 0, force = 0;
  double g_start = 0;       // where the row was when the step began
  double inverse_mass = 0;  // [1/kg, 1/(kg m^2)]
  Nearness near = {};
};

/// A row that holds a position when it can, and is off it.
inline bool is_displaced(const RowStatus& s) {
  return s.status == Status::yielded || s.status == Status::recovering;
}

/// Bounds may be reached, or stops.
bool may_change(const law::Demand& demand);
/// What a state stores of a row's status.
struct Stored {
  bool on = true, yielded = false;
  signed char set = 0;
  double recovery = 0;
};
/// The status of a row of a state that is taken up.
RowStatus status_at(const law::Demand& demand, const Stored& stored, const RowState& at);
signed char stored_set(const RowStatus& status);

/// The force of a row at its bound.
double bound_force(const law::Demand& demand, const RowStatus& status);
/// Bounds of the force of a row that holds.
struct Range {
  double lo = -law::kInf, hi = law::kInf;
};
Range holding_range(const law::Demand& demand, const RowStatus& status);
/// A row that holds a position, and where.
bool holds_position(const law::Demand& demand, const RowStatus& status);
double place(const law::Demand& demand, const RowStatus& status);

/// Above zero: the row can no longer be what it is. Of a force: by what share; of a rate: by so
/// much of 1e8 times what is near.
double alarm(const law::Demand& demand, const RowStatus& status, const RowState& at);
/// A row that should hold its rate does not have it, or its alarm is on.
bool is_alarmed(const law::Demand& demand, const RowStatus& status, const RowState& at);
/// Way left to the stop of an open row [m, rad]; infinite for all others.
double clearance(const law::Demand& demand, const RowStatus& status, double g);
/// A unilateral row is at its stop, as closely as a moment is found.
bool touches(const law::Demand& demand, const RowState& at);

// One transition after another at an event:
/// a row whose alarm has gone off, where it has come to what it was on the way to;
RowStatus arrived(const law::Demand& demand, RowStatus status, const RowState& at);
/// a row before it is known which rows hold: whether it may;
RowStatus candidate(const law::Demand& demand, RowStatus status, const RowStatus& before,
                    const RowState& at);
/// and one whose force has come to the bound `set` in the attempt to hold it.
RowStatus released(const law::Demand& demand, RowStatus status, const RowStatus& before,
                   signed char set, const RowState& at);

/// A row in an impact: bounds of its impulse, and the rate that it is to have after it.
struct ImpactRow {
  bool active = false, strikes = false;  // strikes: there is an impact
  double lo = -law::kInf, hi = law::kInf, rate = 0;
};
ImpactRow impact_row(const law::Demand& demand, const RowStatus& status, const RowState& at);

}  // namespace trammel::constraint
