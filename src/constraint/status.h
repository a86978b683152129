#pragma once

#include "law/law.h"

/// The status of a row says which of the shapes of its specification applies. Transitions follow
/// where rates and forces pass what the status allows.
namespace trammel::constraint {

/// An alarm above this counts; alarm() says in what.
constexpr double kAlarm = 1e-9;

enum class Status : unsigned char {
  off,         // its joint has let go
  free,        // its law gives the force
  open,        // a unilateral row away from its stop
  active,      // it meets its specification
  yielded,     // a row that should hold a position: its force is at a bound, and it is displaced
  recovering,  // the same on its way back, braked so that it comes to rest at its target
  sliding,     // a row that should hold a rate: its force is at a bound
};

struct RowStatus {
  Status status = Status::off;
  /// Bound that its force is at: -1 lower, +1 upper. For a unilateral row it is the stop that is
  /// nearer: +1 the lower.
  signed char side = 0;
  double recovery = 0;  // acceleration with which it is braked on its way back [m/s^2, rad/s^2]

  /// True where its force is a multiplier, whatever holds the row.
  bool holds() const { return status == Status::active || status == Status::recovering; }
  /// True where its force is at a bound.
  bool at_bound() const { return status == Status::yielded || status == Status::sliding; }
  /// True where it is displaced, or slides against its target.
  bool off_target() const { return at_bound() || status == Status::recovering; }
};

/// Tolerances within which something counts as met, in a motion with its own speeds and times.
struct Nearness {
  double rate = 1e-8;     // [m/s, rad/s]
  double length = 1e-8;   // [m, rad]
  double moment = 1e-10;  // time of an event [s]
  // acceleration that makes the motion's speed in a step [m/s^2, rad/s^2]
  double acceleration = law::kInf;
};

/// Value [m, rad], rate [m/s, rad/s] and force [N, N m] of a row.
struct RowState {
  double g = 0, rate = 0, force = 0;
  double g_start = 0;       // value when the step began
  double inverse_mass = 0;  // [1/kg, 1/(kg m^2)]
  Nearness near = {};
};

/// True for a row that holds a position when it can, and is displaced from it.
inline bool is_displaced(const RowStatus& s) {
  return s.status == Status::yielded || s.status == Status::recovering;
}

/// True where the row may reach bounds of its force, or stops.
bool may_change(const law::ConstraintSpec& spec);
/// The part of a row's status that a state stores.
struct Stored {
  bool on = true, yielded = false;
  signed char set = 0;
  double recovery = 0;
};
/// Returns the status of a row when a stored state is taken up.
RowStatus status_at(const law::ConstraintSpec& spec, const Stored& stored, const RowState& at);
signed char stored_set(const RowStatus& status);

/// Returns the force of a row at its bound [N, N m].
double bound_force(const law::ConstraintSpec& spec, const RowStatus& status);
/// Returns the bounds of the force of a row that holds [N, N m].
law::Range holding_range(const law::ConstraintSpec& spec, const RowStatus& status);
/// True for a row that holds a position; place() says which.
bool holds_position(const law::ConstraintSpec& spec, const RowStatus& status);
double place(const law::ConstraintSpec& spec, const RowStatus& status);

/// Returns by how much the row passes what its status allows; above zero the status must change. A
/// force counts relative to its bound, a rate in units of 1e8 Nearness::rate, a gap relative to
/// ConstraintSpec::size.
double alarm(const law::ConstraintSpec& spec, const RowStatus& status, const RowState& at);
/// True where a row that should hold its rate does not have it, or its alarm is above kAlarm.
bool is_alarmed(const law::ConstraintSpec& spec, const RowStatus& status, const RowState& at);
/// Returns the least force that alarms of forces are relative to [N, N m]: what brings the row to
/// its pace within its size, or less where less makes the motion's speed in a step.
double least_force(const law::ConstraintSpec& spec, const RowState& at);
/// Returns the distance of an open row to its stop [m, rad]; infinite for all others.
double clearance(const law::ConstraintSpec& spec, const RowStatus& status, double g);
/// True where a unilateral row is at its stop, as closely as the time of an event is found.
bool touches(const law::ConstraintSpec& spec, const RowState& at);

// The transitions of a row at an event:
/// Returns the status of a row whose alarm has gone off, where it has come to what it was on the
/// way to.
RowStatus arrived(const law::ConstraintSpec& spec, RowStatus status, const RowState& at);
/// Returns the status of a row before it is known which rows hold: it holds where it may.
RowStatus candidate(const law::ConstraintSpec& spec, RowStatus status, const RowStatus& before,
                    const RowState& at);
/// Returns the status of a row whose force has come to the bound `set` in the attempt to hold it.
RowStatus released(const law::ConstraintSpec& spec, RowStatus status, const RowStatus& before,
                   signed char set, const RowState& at);

/// A row in an impact has bounds of its impulse, and a rate that it must have after it.
struct ImpactRow {
  bool active = false, strikes = false;  // strikes: there is an impact
  double lo = -law::kInf, hi = law::kInf, rate = 0;
};
ImpactRow impact_row(const law::ConstraintSpec& spec, const RowStatus& status, const RowState& at);

}  // namespace trammel::constraint
