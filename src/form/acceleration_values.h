#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "constraint/contact/acting.h"
#include "constraint/row_kinds.h"
#include "constraint/status.h"
#include "form/acceleration_works.h"
#include "form/report.h"
#include "form/settings.h"
#include "math/runge_kutta.h"
#include "model/constraint_specs.h"
#include "model/kinematics.h"
#include "model/state.h"
#include "solve/solver.h"

/// The values that the functions of the acceleration formulation take and give: what does not
/// change while it steps (Mechanism), what the rows do (Mode), the mechanism at a time (Instant).
namespace trammel::form::acceleration {

/// What does not change while the formulation steps.
struct Mechanism {
  Mechanism(const model::Model& model, const model::Params& params, const Settings& settings);

  const model::Model& model;
  const model::Params& params;
  Settings settings;
  model::Kinematics kin;
  Works works;
  bool projects;                        // onto the rows after each step; else Baumgarte's terms
  bool counts_turns = false;            // there are angles that count their turns
  bool has_events = false;              // there are stops, rows with bounds or strengths
  std::vector<Signal> signals;          // signals with knots
  bool may_strike = false;              // there are events, or rows that hold a rate
  std::vector<int> rows;                // all rows
  constraint::RowKinds kinds;           // rows by what their laws ask
  std::vector<int> work_slot;           // rows: slot of their work; -1: the row does no work
  std::vector<unsigned char> is_angle;  // rows: 1 where they are angles
  std::vector<unsigned char> is_speed;  // unknowns: 1 where they are speeds of lengths
  std::vector<double> sizes, paces;     // rows: what values and rates are compared with
  std::vector<double> per_size;         // coordinates: 1 over what they are compared with
  std::vector<solve::Cone> frictions;   // that follow a load; coefficients are those of the Mode

  std::size_t n_rows() const { return model.rows.size(); }
  /// Returns how many numbers y has: coordinates, velocities, works.
  std::size_t size() const {
    return static_cast<std::size_t>(model.n_q + model.n_u + works.size());
  }
  double* velocities(double* y) const { return y + model.n_q; }
  const double* velocities(const double* y) const { return y + model.n_q; }
  double* work(double* y) const { return y + model.n_q + model.n_u; }
  const double* work(const double* y) const { return y + model.n_q + model.n_u; }
  /// Returns the joint that a row belongs to.
  const model::Joint& joint_of(std::size_t row) const {
    return model.joints[static_cast<std::size_t>(model.rows[row].joint)];
  }
  /// Returns the first knot of a signal after t [s].
  double next_knot(double t) const;
  /// Computes the momenta P of the velocities u.
  void momenta(const double* q, const double* u, double* P) const;
};

/// Gives a method the accuracy that the settings ask for.
void set_tolerances(const Mechanism& mechanism, RungeKutta& method);

/// What the rows do, which events change, and what laws specify for them at the time evaluated.
struct Mode {
  explicit Mode(const Mechanism& mechanism);

  model::ConstraintSpecs specs;               // at the time evaluated
  model::State flags;                         // of it on and angle, which rows read
  std::vector<constraint::RowStatus> status;  // rows
  double until = law::kInf;                   // the signals' interval ends here [s]
  constraint::ActingContacts touching;
  bool shares = true;  // whether forces that are shared are looked at, in the next slope
  enum class Decides : unsigned char { nothing, anew, alarmed };
  Decides decides = Decides::nothing;  // who is closed, in the next slope

  bool holds_position(std::size_t row) const {
    return constraint::holds_position(specs[row], status[row]);
  }
  /// Returns how far a row that holds a position is off it [m, rad]; 0 for others.
  double off(std::size_t row, double g) const {
    return holds_position(row) ? g - constraint::place(specs[row], status[row]) : 0;
  }
};

/// Bounds of the forces or impulses of the rows in a solve, and which of them a row has come to:
/// infinite but while it is found out which rows hold after an event. Frictions that may hold then,
/// or take part in an impact, are bounded by cones.
struct Bounds {
  explicit Bounds(std::size_t rows);
  std::vector<double> lo, hi;    // [N, N m], [N s, N m s]
  std::vector<signed char> set;  // -1 lower, 0 none, +1 upper
  std::vector<solve::Cone> cones;
  void free();
  /// Bounds a friction by the load in the solve itself.
  void add(const solve::Cone& friction, double coefficient);
};

/// The mechanism at a time, with what follows from velocities and forces.
struct Instant {
  explicit Instant(const Mechanism& mechanism);
  model::KinematicsCache at;
  std::vector<double> rate, force;  // rows: J u + g_t; the force of laws and multipliers [N, N m]
  std::vector<double> P;            // momenta
  constraint::Touches touches;      // what touches, with its forces
};
void swap(Instant& a, Instant& b) noexcept;
/// Computes the rates J u + g_t of the rows.
void take_rates(const Mechanism& mechanism, const double* u, Instant& now);

/// Counts the work of the method since the start.
struct Counts {
  // steps of the method, taken and rejected; evaluations of the slope
  long steps = 0, rejected = 0, slopes = 0;
};

/// The solver, what it costs, and room for the numbers of a solve: a function that solves leaves
/// its impulses or forces in lambda, and in x what the last pass has added.
struct Work {
  explicit Work(const Mechanism& mechanism);
  std::unique_ptr<solve::Solver> solver;
  Counts counts;
  bool wedged = false;  // forces of contacts have no solution
  bool jams = false;    // of these, only an impulse is great enough
  int jammed_row = -1;  // friction whose force has no solution with its load; -1: none
  Bounds none;          // of solves without
  StepReport spent;     // iterations and factorisations of the step being tried
  std::vector<unsigned char> active;                    // rows
  std::vector<double> zero, bias, r, x, lambda, known;  // rows
  std::vector<double> f, dq;                            // unknowns

  solve::Rows rows(const Mechanism& mechanism, const Bounds& bounds) const {
    return {active, zero, bounds.lo, bounds.hi, mechanism.rows, bounds.cones};
  }
  /// Solves for the forces x that take the residuals r of the active rows, in addition to lambda.
  bool solve(const Mechanism& mechanism, const model::KinematicsCache& at, Bounds& bounds);
  /// Computes f = J^T x.
  void take_forces(const Mechanism& mechanism, const model::KinematicsCache& at);
  /// Computes dq = M^-1 J^T x.
  void take_motion(const Mechanism& mechanism, const model::KinematicsCache& at);
};

}  // namespace trammel::form::acceleration
