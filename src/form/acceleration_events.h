#pragma once

#include <vector>

#include "form/acceleration_values.h"

/// Rows that hold within bounds: bounded velocity constraints (motors, friction) that slide and
/// hold again, stops that close with an impact and open again; joints that carry more than their
/// strength. Which rows hold after an event is a complementarity problem of the accelerations.
namespace trammel::form::acceleration {

/// What counts as met in this motion, and what rows weigh.
struct Scales {
  explicit Scales(const Mechanism& mechanism) : inverse_mass(mechanism.n_rows()) {}
  constraint::Nearness length, angle;
  std::vector<double> inverse_mass;  // of event rows, at the start of the step [1/kg, 1/(kg m^2)]
};
/// Sets the tolerances of events in a step of h from t: shares of the fastest motion, of bodies and
/// of rows, and of what gravity and the accelerations `a`, if they are given, add to it.
void measure(const Mechanism& mechanism, const Instant& now, const double* u, const double* a,
             double t, double h, Scales& out);

/// Returns what a row of `at` is judged by, in a step that began at `start`.
constraint::RowState row_state(const Mechanism& mechanism, const Scales& scales,
                               const Instant& start, const Instant& at, std::size_t row);

/// The rows that pass what their status allows, and whether a joint carries too much.
struct Alarms {
  std::vector<int> rows;
  bool overload = false;
  bool touching = false;  // what touches passes what holds, see Mode::touching
  bool renewed = false;   // others touch than before
  bool any() const { return overload || touching || renewed || !rows.empty(); }
};
/// Finds what a step of h from `start` to `end` has alarmed; stops may be passed between them.
void find_alarms(const Mechanism& mechanism, const Mode& mode, const Scales& scales,
                 const Instant& start, const Instant& end, double h, Alarms& out);
/// True where a row should change, or a joint carries too much, as things stand.
bool is_alarmed(const Mechanism& mechanism, const Mode& mode, const Scales& scales,
                const Instant& now);
/// Returns the greatest of `alarms` at an instant of a step that began at `start`: above zero some
/// go off.
double worst_alarm(const Mechanism& mechanism, const Mode& mode, const Scales& scales,
                   const Alarms& alarms, const Instant& start, const Instant& at);

/// Releases the joints that carry more than their strength, the worst first; then others may. y,
/// with slope dy, loses the energy that their springs stored. Returns false where there is no
/// slope.
bool break_joints(const Mechanism& mechanism, bool overloaded, double* y, double* dy, Mode& mode,
                  Bounds& bounds, Instant& now, Work& work, std::vector<Event>& events);
/// Resolves the impact of stops that have closed while moving into them, with their restitution,
/// and of rates that are to be held at once; other rows hold, bounded motors are too weak to take
/// part. The velocities of y, momenta and rates of `now` jump. Returns false where the solver
/// fails.
bool impact(const Mechanism& mechanism, const Mode& mode, const Scales& scales, double* y,
            Bounds& bounds, Instant& now, Work& work, StepReport& report);
/// Sets the rows that may hold from now on, with their bounds. `before` are the statuses before the
/// event.
void hold_candidates(const Mechanism& mechanism, const Scales& scales, const Alarms& alarms,
                     const std::vector<constraint::RowStatus>& before, const Instant& now,
                     Mode& mode, Bounds& bounds);
/// Lets go the rows that were to hold their rates and do not, since no force of theirs changes the
/// accelerations `a`: so it is with friction at a dead centre. Returns whether there are any.
bool release_idle_rows(const Mechanism& mechanism, const Scales& scales,
                       const std::vector<constraint::RowStatus>& before, const Instant& now,
                       const double* a, const Bounds& bounds, Work& work, Mode& mode);
/// Lets go the rows that have come to a bound in the attempt to hold them.
void release_bound_rows(const Mechanism& mechanism, const Scales& scales, const Bounds& bounds,
                        const std::vector<constraint::RowStatus>& before, const Instant& now,
                        Mode& mode);
/// Reports the rows that hold or slide from now on and did not before.
void report_changes(const Mechanism& mechanism, const Mode& mode,
                    const std::vector<constraint::RowStatus>& before, const Instant& now,
                    std::vector<Event>& events);

}  // namespace trammel::form::acceleration
