#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "constraint/jump.h"
#include "constraint/status.h"
#include "form/report.h"
#include "form/settings.h"
#include "math/runge_kutta.h"
#include "model/constraint_specs.h"
#include "model/kinematics.h"
#include "model/project.h"
#include "model/state.h"
#include "solve/solver.h"

namespace trammel::form {

/// The acceleration formulation (docs/theory/acceleration.md) finds the forces of the rows from
///
///   [M -J^T; J 0] [u'; lambda] = [f; c'' - bias]
///
/// by the factor of S = J M^-1 J^T, integrated by explicit Runge-Kutta methods of order 4 to 8;
/// after each of their steps positions and velocities are projected onto the rows.
///
/// step() goes over h in as many steps of the method as the accuracy asks for; the last ends there.
/// After anybody else has changed the state, load() it again.
class Acceleration final : private Ode {
 public:
  Acceleration(const model::Model& model, const model::Params& params, Settings settings);

  /// Evaluates rows, masses, forces and slopes of this state anew. Returns false where a joint has
  /// lost its track.
  bool load(const model::State& state);
  /// Makes a step of h > 0 [s]. On failure the state is as before.
  void step(const model::Inputs& inputs, model::State& state, double h, StepReport& report);
  /// Projects the velocities onto the rows after rows or targets have jumped (an impact); the
  /// energy lost goes to the ledger and to `report`. Positions that no longer meet their rows are
  /// projected first. Loads the state itself.
  void project(model::State& state, const std::string& why, const std::string& subject,
               StepReport& report);

  const model::Kinematics& kinematics() const { return *kin_; }
  const model::KinematicsCache& now() const { return now_; }
  const std::vector<double>& velocities() const { return u_; }
  /// Returns the accelerations u' at the state.
  std::span<const double> accelerations() const {
    return {velocities_of(rk_.dy()), static_cast<std::size_t>(model_->n_u)};
  }
  const model::ConstraintSpecs& specs() const { return specs_; }
  /// Returns the force of each row at the end of the last step [N, N m].
  const std::vector<double>& row_forces() const { return force_; }
  /// Restores the row forces that another process has had; no step reads them.
  void set_row_forces(const std::vector<double>& forces) { force_ = forces; }
  double total_energy(const model::State& state) const;
  bool composable() const { return true; }

  /// Counts the work of the method since the start.
  struct Counts {
    // steps of the method, taken and rejected; evaluations of the slope
    long steps = 0, rejected = 0, slopes = 0;
  };
  const Counts& counts() const { return counts_; }

 private:
  bool slope(double t, const double* y, double* dy) override;
  bool settle(double t, double* y, double* dy) override;

  void find_signals();
  double next_knot(double t) const;
  bool accelerate(model::KinematicsCache& at, const double* y, double* dy);
  void known_forces(const model::KinematicsCache& at);
  bool solve_rows(const model::KinematicsCache& at, const double* a, double* dy);
  void powers(const model::KinematicsCache& at, double* out) const;
  void own_forces(const double* y, double* f) const;
  void coordinate_rates(const double* y, double* dy) const;
  void momenta(const double* q, const double* u, double* P) const;

  bool project_positions(double* y, StepReport& report);
  bool project_velocities(double* y, StepReport& report);
  /// Returns the row's state at now_ with force_; next() does so at the end of the step attempted.
  constraint::RowState here(std::size_t row) const {
    return row_at(row, now_.g[row], rate_now_[row], force_[row]);
  }
  constraint::RowState next(std::size_t row) const {
    return row_at(row, next_.g[row], rate_[row], force_next_[row]);
  }
  constraint::RowState row_at(std::size_t row, double g, double rate, double force) const {
    return {g,
            rate,
            force,
            now_.g[row],
            inverse_mass_[row],
            is_angle_[row] ? near_angle_ : near_length_};
  }
  bool holds_position(std::size_t row) const {
    return constraint::holds_position(specs_[row], status_[row]);
  }

  bool advance(double t_goal, StepReport& report);
  bool attempt_to_event(double h, StepReport& report);

  double overload(const model::KinematicsCache& at, const std::vector<double>& force) const;
  bool break_joints(StepReport& report);
  void measure_speeds(double h, const double* u, const double* a);
  void take_status(const model::State& state);
  double alarm(std::size_t row, const constraint::RowState& at) const {
    return constraint::alarm(specs_[row], status_[row], at);
  }
  bool dips(std::size_t row, double h) const;
  bool find_alarms(double h);
  bool alarmed_now() const;
  double first_alarm(double h);
  bool resolve(StepReport& report);
  bool impact(StepReport& report);
  void hold_candidates();
  void say_changes(StepReport& report) const;
  void release_bounds();
  double longest_step(const std::vector<double>& rate, const model::KinematicsCache& at) const;
  void take(StepReport& report);
  void commit(model::State& state, double h, StepReport& report);
  void describe_failure(StepReport& report) const;
  std::string restless_rows() const;
  bool is_good() const;
  std::string body_without_bound() const;
  model::Projector& projector();

  double* velocities_of(double* y) const { return y + model_->n_q; }
  const double* velocities_of(const double* y) const { return y + model_->n_q; }
  double* works_of(double* y) const { return y + model_->n_q + model_->n_u; }
  const double* works_of(const double* y) const { return y + model_->n_q + model_->n_u; }
  solve::Rows rows() const { return {active_, zero_, lo_, hi_, all_}; }

  const model::Model* model_;
  const model::Params* params_;
  Settings settings_;
  bool projects_;
  model::ConstraintSpecs specs_;
  std::unique_ptr<model::Kinematics> kin_;
  std::unique_ptr<solve::Solver> solver_;
  std::unique_ptr<model::Projector> projector_;  // made at first use
  RungeKutta rk_;
  model::State flags_;  // the part of the state that rows read: on, angle
  model::KinematicsCache now_, trial_, next_;
  std::vector<Signal> signals_;  // signals with knots
  double until_ = law::kInf;     // the signals' interval ends here
  double h_ = 0;                 // step to try next; 0: none known
  StepReport scratch_;           // counts of the slopes, added to the step's report by take()
  Counts counts_;
  bool angles_ = false;
  bool chatters_ = false, exhausted_ = false;
  bool events_ = false;      // there are stops, rows with bounds or strengths
  bool overloaded_ = false;  // one of the alarms is a joint that carries more than its strength

  // one number per row
  std::vector<constraint::RowStatus> status_, status_before_;
  constraint::Nearness near_length_, near_angle_;
  std::vector<unsigned char> active_, is_angle_;
  std::vector<unsigned char> is_speed_;  // unknowns: 1 where they are speeds of lengths
  std::vector<signed char> set_;
  std::vector<int> event_rows_, alarms_, all_;
  std::vector<int> work_slot_;  // slot in works_of(y); -1: the row does no work
  std::vector<double> zero_, lo_, hi_, rate_, bias_, r_, x_, lambda_, known_, force_, force_next_,
      rate_now_, inverse_mass_;  // the last of event rows, at the start of the step
  // one number per unknown
  std::vector<double> u_, f_, P_, P_next_, dq_;
};

}  // namespace trammel::form
