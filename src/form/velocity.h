#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "constraint/jump.h"
#include "constraint/rows.h"
#include "form/report.h"
#include "form/row_solver.h"
#include "form/settings.h"
#include "math/parallel.h"
#include "math/sweep.h"
#include "model/demands.h"
#include "model/kinematics.h"
#include "model/project.h"
#include "model/state.h"
#include "solve/saddle.h"

namespace trammel::form {

/// The velocity formulation: RATTLE (docs/theory/velocity.md), and Baumgarte's classical form.
///
///   (P)  P_v = P + h/2 f(q, u, t) + J(q)^T L,  q+ = flow(h; P_v) q,  L makes g(q+, t + h) = c
///   (V)  P+ = P_v + h/2 f(q+, u+, t + h) + J(q+)^T m,  m makes J(q+) u+ = c'(t + h)
///
/// Steps once; never loops over time. Between steps it keeps the factor and rows of the state it
/// left behind; after anybody else changed the state, load() it again.
class Velocity {
 public:
  Velocity(const model::Model& model, const model::Params& params, Settings settings);

  /// Makes rows, masses and factor of this state anew. False: a joint has lost its track.
  bool load(const model::State& state);
  /// One step of h, composed to order 4 where asked and possible. On failure the state is as
  /// before.
  void step(const model::Inputs& inputs, model::State& state, double h, StepReport& report);
  /// Projects the velocities of a loaded state onto its rows, after these have jumped; the loss
  /// goes to the ledger and to `report`. Rows that do not meet any more are met first.
  void project(model::State& state, const std::string& why, const std::string& subject,
               StepReport& report);

  const model::Kinematics& kinematics() const { return *kin_; }
  const model::Instant& now() const { return now_; }
  const std::vector<double>& velocities() const { return u_; }
  const model::Demands& demands() const { return demands_; }
  /// Mean force of each row over the last step [N, N m]: (L + m)/h, without the impulses of impacts
  /// in it, whose force would be the greater the shorter the step.
  const std::vector<double>& row_forces() const { return force_; }
  /// As another process has had them; no step reads them.
  void set_row_forces(const std::vector<double>& forces) { force_ = forces; }
  double total_energy(const model::State& state) const;
  bool composable() const { return composable_; }

 private:
  using Hold = constraint::Hold;
  /// How a spring goes into stage P, by h^2 k S.
  enum class Spring : unsigned char {
    explicit_,  // below 0.25: a force
    compliant,  // a row with compliance
    rigid,      // above 1000: the same, and holds its rate in V
  };

  model::Projector& projector();
  void hand_over(model::Instant& from, model::Instant& to) const;
  void find_force_groups();
  void sort_rows(const model::State& state);
  void assign_roles(const model::State& state, double h);
  Hold hold_of(const model::State& state, std::size_t row) const;
  Spring spring_of(std::size_t row, double h) const;
  constraint::RowMotion motion(const model::Instant& at, std::size_t row, double h) const;
  void take(std::size_t row, const constraint::RowProblem& problem);
  bool pulls_both_ways(std::size_t row, double h) const;
  void step_once(model::State& state, double h, StepReport& report);

  bool stage_P(model::State& state, double h, StepReport& report);
  void begin_P(model::State& state, double h);
  void begin_row_P(const model::State& state, std::size_t row, double h);
  void begin_spring_P(const model::State& state, std::size_t row, double h);
  bool foresees(int iteration) const;
  double residual_P(const model::State& state, double h, bool with_J);
  double residual_rows_P(double h);
  double tolerance_P() const;
  double row_residual_P(std::size_t row, double h);
  void mean_rates(const model::State& state, double h);
  void take_springs(const model::Instant& at, std::vector<double>& rest,
                    std::vector<double>& stiffness) const;
  bool damp_P(const model::State& state, std::size_t row, double h);
  double residual_spring(std::size_t row, double h);
  double spring_impulse(std::size_t row, double h) const;
  bool function(std::size_t row) const { return !is_function_.empty() && is_function_[row]; }
  double function_compliance(std::size_t row, double slope, double h) const;
  bool stiffens(const model::State& state, double h);
  bool place_rows(model::State& state, double h, StepReport& report, bool exact);
  bool step_in_parts(model::State& state, double h, StepReport& report);
  bool attempt(model::State& state, double h, StepReport& report);
  double correct_P(model::State& state, StepReport& report);

  void make_exact();
  bool tries_exact();
  void again_at_start(const model::State& state);
  bool exact_P(model::State& state, double h, StepReport& report);
  double residual_exact_P(const model::State& state, double h);
  double uneven() const;
  void turn_rows();
  bool solve_exact_V(const std::vector<double>& base, StepReport& report);
  bool exact_velocities(const model::State& state);
  void find_row_masses();
  /// That of a row alone; of light bodies, with all that holds beside it.
  double row_mass_inverse(std::size_t row) const {
    return light_ ? inverse_mass_[row] : solver_->inverse_mass(row);
  }

  bool stage_V(model::State& state, double h, StepReport& report);
  void demand_V(double h);
  void demand_row_V(std::size_t row, double h);
  void demand_spring_V(std::size_t row, double h);
  void linearise_dampers(double h);
  double row_share(std::size_t row) const;
  bool has_closed(std::size_t row) const;
  bool strikes(const model::Demands& demands, const model::Instant& at,
               const std::vector<double>& impulse) const;
  bool targets_after_blow(const std::vector<double>& base, StepReport& report);
  void begin_rates_V(const std::vector<double>& base);
  void load_forces_V(std::vector<double>& f);
  bool solve_V(const std::vector<double>& base, StepReport& report);
  double residual_V();
  double fastest_row() const;
  double row_speed_allowed() const;
  double worst_speed() const;

  void rates_at_mid(const std::vector<double>& P);
  void begin_at_mid(double h);
  bool stiff_at_mid(std::size_t row, double x_mid, double t, double h) const;
  void force_at_mid(std::size_t row, double x_mid, double t, double h);
  void residual_at_mid(const std::vector<double>& x_mid, double t, double h);
  bool solve_at_mid(std::vector<double>& P, double h, StepReport& report);
  bool fallback(model::State& state, double h, StepReport& report);
  bool baumgarte(model::State& state, double h, StepReport& report);
  void commit(model::State& state, double h, StepReport& report);
  void report_gaps(StepReport& report) const;
  void keep_multipliers(model::State& state, double h, bool fallback);
  void keep_factor(model::State& state) const;
  void book(model::State& state, double h);
  double work(std::size_t row, double h) const;
  double lost_in_spring(std::size_t row, double h) const;
  void explicit_dampers(const std::vector<double>& rates_now);
  void update_slips(model::State& state, StepReport& report);
  void lift_out(model::State& state, StepReport& report);
  constraint::Standing standing(model::State& state);
  void take_jump(const constraint::Jump& jump, StepReport& report) const;
  /// `more`: impulses to be added, or empty.
  void add_outside(const model::Instant& at, std::span<const double> impulses,
                   std::span<const double> more, double duration, StepReport& report) const;

  // Loops over rows. Most are plain locks, all alike: what is done to them goes over all rows
  // without branches, then once more over the others.

  /// f(row) for all rows.
  template <class F>
  void for_rows(const F& f) const {
    parallel::for_pieces(n_rows(), kRowGrain, [&](int first, int last) {
      TRAMMEL_INDEPENDENT
      for (int i = first; i < last; ++i) f(static_cast<std::size_t>(i));
    });
  }
  /// f(row) for those that are no plain locks; at once unless laws call functions of the user's.
  template <class F>
  void for_others(const F& f) const {
    const int n = static_cast<int>(others_.size());
    parallel::for_pieces(n, alone_ ? n + 1 : kRowGrain, [&](int first, int last) {
      for (int i = first; i < last; ++i)
        f(static_cast<std::size_t>(others_[static_cast<std::size_t>(i)]));
    });
  }
  /// The greatest of 0 and f(row) of all rows; infinite where one is not a number.
  template <class F>
  double greatest(const F& f) const {
    return parallel::greatest(n_rows(), kRowGrain, 0, [&](int first, int last) {
      return greatest_of(first, last, [&](int i) { return f(static_cast<std::size_t>(i)); });
    });
  }
  /// Of those that are no plain locks.
  template <class F>
  double greatest_of_others(const F& f) const {
    const int n = static_cast<int>(others_.size());
    return parallel::greatest(n, alone_ ? n + 1 : kRowGrain, 0, [&](int first, int last) {
      return greatest_of(first, last, [&](int i) {
        return f(static_cast<std::size_t>(others_[static_cast<std::size_t>(i)]));
      });
    });
  }
  int n_rows() const { return static_cast<int>(hold_.size()); }

  /// P += J^T x; u = M^-1 P; rates = J u + g_t.
  void apply(const model::Instant& at, const std::vector<double>& x, std::vector<double>& P) const;
  void apply_forces(const model::Instant& at, const std::vector<double>& x,
                    std::vector<double>& P) const;  // of force rows alone
  void row_rates(const model::Instant& at, const std::vector<double>& P, std::vector<double>& u,
                 std::vector<double>& rates) const;
  void rates_of(const model::Instant& at, const std::vector<double>& u,
                std::vector<double>& rates) const;
  RowSolver::Rows rows() const { return {active_, compliance_, lo_, hi_, others_}; }
  bool is_good(const model::State& state) const;
  void blame(const model::State& state, StepReport& report) const;

  const model::Model* model_;
  const model::Params* params_;
  Settings settings_;
  model::Demands demands_, demands_next_;
  std::unique_ptr<model::Kinematics> kin_;
  std::unique_ptr<RowSolver> solver_;
  std::unique_ptr<model::Projector> projector_;  // made when first wanted: it is large
  std::unique_ptr<solve::Saddle> saddle_;        // the same
  std::vector<int> end_object_;
  model::Instant now_, next_;
  bool composable_ = true;
  static constexpr int kRowGrain = 512;
  bool angles_ = false;
  bool alone_ = false;  // laws call functions that are not known to bear being called at once

  // rows that are no plain locks (or off); 1 for the plain ones that are lengths, and for all plain
  // ones; with an angle that counts turns
  std::vector<int> others_, turning_;
  std::vector<float> plain_length_, plain_;

  // scratch, one number a row
  std::vector<Hold> hold_;
  std::vector<Spring> spring_;  // of force rows
  std::vector<double> L_, m_, q_rows_, x_, lo_, hi_, compliance_, force_, ju0_, ju_, impulse_,
      impulse_V_, target_, place_, blow_, inverse_mass_, mean_rate_;
  // of force rows: force without motion now and at the end, -df/dx, force of the damper at the
  // start and at the end, compliance of stiff dampers in P (0: explicit there)
  std::vector<double> rest_, rest_next_, stiffness_, stiffness_next_, damper_, damper_next_,
      dashpot_;
  std::vector<int> force_rows_, force_groups_;  // of the graph
  std::vector<int> work_slot_;                  // of the ledger, each row
  std::vector<unsigned char> damped_, is_angle_;
  // of force rows with a function of the user's: mean force over the step where it is implicit
  std::vector<double> mean_;
  std::vector<unsigned char> is_function_;  // empty: there is none
  std::vector<int> function_rows_;
  bool curved_ = false;  // such rows are implicit in this step
  bool in_parts_ = false, fell_back_ = false;
  std::vector<double> calm_;  // m_ without the impacts of this step; empty: there are none
  std::vector<unsigned char> active_;
  std::vector<signed char> set_;
  bool dampers_ = false, floors_ = false;
  bool rolls_ = false;  // there are rows of rates alone
  double damper_change_ = 0;
  // Stage P's iterations in the last two steps; whether it has left J of the end in next_.
  int iterations_P_ = 0, iterations_before_ = -1;
  bool has_J_ = false;
  // scratch, one number an unknown
  std::vector<double> u_, v_, f_, f_rates_, P0_, base_, P_trial_;
  std::vector<double> q0_, q_trial_, load_power_;
  // of exact steps: velocity of the drift, residual and correction; n x n numbers a block: mass,
  // turn of the end; J+ with it
  std::vector<double> drift_, r_momenta_, du_, mass_, turn_, J_turn_;
  bool light_ = false;      // all steps are exact
  bool exact_ = false;      // this one
  bool both_ends_ = false;  // now_ and next_ have J and masses of their own
};

}  // namespace trammel::form
