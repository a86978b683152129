#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "constraint/jump.h"
#include "form/report.h"
#include "form/row_solver.h"
#include "form/settings.h"
#include "math/runge_kutta.h"
#include "model/demands.h"
#include "model/kinematics.h"
#include "model/project.h"
#include "model/state.h"

namespace trammel::form {

/// The acceleration formulation (docs/theory/acceleration.md): forces of the rows from
///
///   [M -J^T; J 0] [u'; lambda] = [f; c'' - bias]
///
/// by the factor of S = J M^-1 J^T, integrated by explicit Runge-Kutta methods of order 4 to 8;
/// after each of their steps positions and velocities are projected onto the rows.
///
/// step() goes over h in as many steps of the method as the accuracy asks for; the last ends there.
/// After anybody else changed the state, load() it again.
class Acceleration final : private Ode {
 public:
  Acceleration(const model::Model& model, const model::Params& params, Settings settings);

  /// Makes rows, masses, forces and slopes of this state anew. False: a joint has lost its track.
  bool load(const model::State& state);
  /// Goes on by h > 0. On failure the state is as before.
  void step(const model::Inputs& inputs, model::State& state, double h, StepReport& report);
  /// Projects the velocities of a loaded state onto its rows, after these have jumped; the loss
  /// goes to the ledger and to `report`. Rows that do not meet any more are met first.
  void project(model::State& state, const std::string& why, const std::string& subject,
               StepReport& report);

  const model::Kinematics& kinematics() const { return *kin_; }
  const model::Instant& now() const { return now_; }
  const std::vector<double>& velocities() const { return u_; }
  /// u' where the state is.
  std::span<const double> accelerations() const {
    return {velocities_of(rk_.dy()), static_cast<std::size_t>(model_->n_u)};
  }
  const model::Demands& demands() const { return demands_; }
  /// Force of each row at the end of the last step [N, N m].
  const std::vector<double>& row_forces() const { return force_; }
  /// As another process has had them; no step reads them.
  void set_row_forces(const std::vector<double>& forces) { force_ = forces; }
  double total_energy(const model::State& state) const;
  bool composable() const { return true; }

  /// Work done since the start.
  struct Counts {
    long steps = 0, rejected = 0, slopes = 0;  // of the method
  };
  const Counts& counts() const { return counts_; }

 private:
  /// What a row is at the moment.
  enum class Mode : unsigned char {
    off,
    held,   // J u' + bias = target''
    force,  // its law says how strong it is
    given,  // a servo, or what slips, at its bound: as strong as that
    open,   // a stop that is not touched
  };

  bool slope(double t, const double* y, double* dy) override;
  bool settle(double t, double* y, double* dy) override;

  void find_signals();
  double next_knot(double t) const;
  void set_modes(const model::State& state);
  bool accelerate(model::Instant& at, const double* y, double* dy);
  void known_forces(const model::Instant& at);
  bool solve_rows(const model::Instant& at, const double* a, double* dy);
  void powers(const model::Instant& at, double* out) const;
  void own_forces(const double* y, double* f) const;
  void coordinate_rates(const double* y, double* dy) const;
  void momenta(const double* q, const double* u, double* P) const;

  bool project_positions(double* y, StepReport& report);
  bool project_velocities(double* y, StepReport& report);
  bool holds_position(std::size_t row) const;
  double place_of(std::size_t row) const;

  void begin(const model::State& state);
  bool advance(double t_goal, StepReport& report);
  bool attempt_to_event(double h, StepReport& report);

  bool is_servo(std::size_t row) const;
  bool gives_way(std::size_t row) const;
  bool returns(std::size_t row) const { return slip_[row] != 0 && mode_[row] == Mode::held; }
  double brake(std::size_t row, double off) const;
  bool brakes(std::size_t row) const;
  double target_rate(std::size_t row, double g) const;
  void take_slip(const model::State& state, std::size_t row);
  bool comes_back(std::size_t row);
  void arrive(std::size_t row);
  double overload(const model::Instant& at, const std::vector<double>& force) const;
  bool break_joints(StepReport& report);
  bool touches(std::size_t row) const;
  law::Demand bounds(std::size_t row) const;
  void take_sides(const model::State& state);
  double alarm(std::size_t row, double g, double rate, double force) const;
  bool dips(std::size_t row, double h) const;
  bool find_alarms(double h);
  bool alarmed_now() const;
  double first_alarm(double h);
  bool resolve(StepReport& report);
  bool blow(StepReport& report);
  void hold_candidates();
  void say_changes(const std::vector<Mode>& before, StepReport& report) const;
  double longest_step(const std::vector<double>& rate, const model::Instant& at) const;
  void take(StepReport& report);
  void commit(model::State& state, double h, StepReport& report);
  void blame(StepReport& report) const;
  std::string restless_rows() const;
  bool is_good() const;
  std::string body_without_bound() const;
  model::Projector& projector();

  double* velocities_of(double* y) const { return y + model_->n_q; }
  const double* velocities_of(const double* y) const { return y + model_->n_q; }
  double* works_of(double* y) const { return y + model_->n_q + model_->n_u; }
  const double* works_of(const double* y) const { return y + model_->n_q + model_->n_u; }
  RowSolver::Rows rows() const { return {active_, zero_, lo_, hi_, all_}; }

  const model::Model* model_;
  const model::Params* params_;
  Settings settings_;
  bool projects_;
  model::Demands demands_;
  std::unique_ptr<model::Kinematics> kin_;
  std::unique_ptr<RowSolver> solver_;
  std::unique_ptr<model::Projector> projector_;  // made when first wanted
  RungeKutta rk_;
  std::vector<int> end_object_;
  model::State flags_;  // what rows read of the state: on, angle
  model::Instant now_, trial_, next_;
  std::vector<Signal> signals_;  // with knots
  double until_ = law::kInf;     // the signals' interval ends here
  double h_ = 0;                 // step to try next; 0: none known
  StepReport scratch_;           // of slopes
  Counts counts_;
  bool angles_ = false;
  bool chatters_ = false, exhausted_ = false;
  bool events_ = false;      // there are stops, rows with bounds or strengths
  bool overloaded_ = false;  // among the alarms: a joint bears too much

  // one number a row
  std::vector<Mode> mode_;
  std::vector<unsigned char> active_, is_angle_;
  std::vector<unsigned char> slip_;      // a row with bounds that is off its place
  std::vector<double> brake_;            // its second rate while it is led back [m/s^2, rad/s^2]
  std::vector<signed char> set_, side_;  // side_: bound that a given row is at; of a stop: which
  std::vector<int> event_rows_, alarms_, all_;
  std::vector<int> work_slot_;  // in works_of(y); -1: does no work
  std::vector<double> zero_, lo_, hi_, rate_, bias_, r_, x_, lambda_, known_, force_, force_next_,
      rate_now_;
  std::vector<Mode> mode_before_;
  std::vector<unsigned char> slip_before_;
  // one number an unknown
  std::vector<double> u_, f_, P_, P_next_, dq_;
};

}  // namespace trammel::form
