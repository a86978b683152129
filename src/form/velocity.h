#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "constraint/account.h"
#include "constraint/cone.h"
#include "constraint/jump.h"
#include "constraint/rows.h"
#include "form/report.h"
#include "form/row_table.h"
#include "form/settings.h"
#include "model/constraint_specs.h"
#include "model/kinematics.h"
#include "model/project.h"
#include "model/state.h"
#include "solve/saddle.h"
#include "solve/solver.h"

namespace trammel::form {

/// Makes steps by RATTLE (docs/theory/velocity.md), or by Baumgarte's classical form.
///
///   (P)  P_v = P + h/2 f(q, u, t) + J(q)^T L,  q+ = flow(h; P_v) q,  L makes g(q+, t + h) = c
///   (V)  P+ = P_v + h/2 f(q+, u+, t + h) + J(q+)^T m,  m makes J(q+) u+ = c'(t + h)
///
/// step() makes one step and never loops over time. Between steps the object keeps factor and rows
/// of the state that it left behind: after anybody else has changed the state, load() it again.
class Velocity {
 public:
  Velocity(const model::Model& model, const model::Params& params, Settings settings);

  /// Evaluates rows, inverse masses and the factor of the state anew. Returns false where a track
  /// joint's projection fails, or the velocities of light bodies cannot be found.
  bool load(const model::State& state);
  /// Makes one step of h [s], composed to order 4 where Settings::order asks for it and
  /// composable() holds. On failure the state is as before.
  void step(const model::Inputs& inputs, model::State& state, double h, StepReport& report);
  /// Projects the velocities onto the rows after rows or targets have jumped (an impact); the
  /// energy lost goes to the ledger and to `report`. Positions that no longer meet their rows are
  /// projected first. Loads the state itself.
  void project(model::State& state, const std::string& why, const std::string& subject,
               StepReport& report);

  const model::Kinematics& kinematics() const { return *kin_; }
  const model::KinematicsCache& now() const { return now_.at; }
  const std::vector<double>& velocities() const { return now_.u; }
  const model::ConstraintSpecs& specs() const { return now_.specs; }
  /// Returns the mean force of each row over the last step [N, N m], (L + m)/h. Impulses of impacts
  /// are left out: their mean force would grow as h gets shorter.
  const std::vector<double>& row_forces() const { return force_; }
  /// Restores the row forces that another process has had; no step reads them.
  void set_row_forces(const std::vector<double>& forces) { force_ = forces; }
  double total_energy(const model::State& state) const;
  bool composable() const { return composable_; }

 private:
  using Hold = constraint::Hold;
  /// How stage P treats a spring of stiffness k [N/m, N m/rad], chosen by h^2 k S_ii with S_ii the
  /// row's inverse mass.
  static constexpr double kCompliant = 0.25, kRigid = 1000;
  enum class Spring : unsigned char {
    explicit_,  // up to kCompliant: an explicit force
    compliant,  // up to kRigid: a row with compliance
    rigid,      // above: the same, and its rate is held at zero in stage V
  };

  // Mechanism, velocity.cpp; rows and their roles, velocity_roles.cpp.
  void find_row(std::size_t row);
  void make_room();
  void make_solvers();
  model::Projector& projector();
  void take_forces(const model::KinematicsCache& at, bool anew = false);
  void remember(const model::State& state);
  void hand_over(model::KinematicsCache& from, model::KinematicsCache& to) const;
  void take_back_J(const model::State& state);
  void find_force_groups();
  void sort_rows(const model::State& state);
  void assign_roles(const model::State& state, double h);
  void find_row_masses();
  Hold hold_of(const model::State& state, std::size_t row) const;
  Spring spring_of(std::size_t row, double h) const;
  constraint::RowMotion motion(const model::KinematicsCache& at, std::size_t row, double h) const;
  void take(std::size_t row, const constraint::RowProblem& problem);
  bool pulls_both_ways(std::size_t row, double h) const;
  void step_once(model::State& state, double h, StepReport& report);

  // Stage P, rattle_position.cpp: from now_ to the positions of next_, impulses first_.
  bool stage_P(model::State& state, double h, StepReport& report);
  void begin_P(model::State& state, double h);
  void begin_row_P(const model::State& state, std::size_t row, double h);
  void begin_spring_P(const model::State& state, std::size_t row, double h);
  bool foresees(int iteration) const;
  double residual_P(const model::State& state, double h, bool with_J);
  double residual_rows_P(double h);
  double tolerance_P() const;
  double off_cones(const std::vector<double>& impulses) const;
  double row_residual_P(std::size_t row, double h);
  void mean_rates(const model::State& state, double h);
  void take_springs(const model::KinematicsCache& at, std::vector<double>& rest,
                    std::vector<double>& stiffness) const;
  bool damp_P(const model::State& state, std::size_t row, double h);
  double residual_spring(std::size_t row, double h);
  double spring_impulse(std::size_t row, double h) const;
  /// As row_force(), which goes through the model's tables each time.
  law::Force spring_force(std::size_t row, double g, double rate, double t) const {
    const SpringLaw& s = springs_.law[row];
    const double* p = params_->values.data() + s.law->first_param;
    const law::Force f = s.law->type->force(*s.law, p, s.sign * g, s.sign * rate, t);
    return {s.sign * f.f, f.f_x, f.f_v};
  }
  bool is_function(std::size_t row) const {
    return !springs_.is_function.empty() && springs_.is_function[row];
  }
  double function_compliance(std::size_t row, double slope, double h) const;
  bool stiffens(const model::State& state, double h);
  bool place_rows(model::State& state, double h, StepReport& report, bool exact);
  bool step_in_parts(model::State& state, double h, StepReport& report);
  bool attempt(model::State& state, double h, StepReport& report);
  double correct_P(model::State& state, StepReport& report);

  // Newton iteration on momenta and rows together for both stages, rattle_exact.cpp.
  void make_exact();
  bool tries_exact();
  void again_at_start(const model::State& state);
  bool exact_P(model::State& state, double h, StepReport& report);
  double residual_exact_P(const model::State& state, double h);
  double uneven() const;
  void turn_rows();
  bool solve_exact_V(const std::vector<double>& base, StepReport& report);
  bool exact_velocities(const model::State& state);
  void find_row_masses_held();

  // Stage V, rattle_velocity.cpp: velocities and row rates of next_, impulses second_.
  bool stage_V(model::State& state, double h, StepReport& report);
  void begin_V(double h);
  void begin_row_V(std::size_t row, double h);
  void begin_spring_V(std::size_t row, double h);
  void linearise_dampers(double h);
  double row_share(std::size_t row) const;
  bool has_closed(std::size_t row) const;
  bool strikes(const model::ConstraintSpecs& specs, const model::KinematicsCache& at,
               const std::vector<double>& impulse) const;
  bool targets_after_impact(const std::vector<double>& base, StepReport& report);
  void begin_rates_V(const std::vector<double>& base);
  void load_forces_V(std::vector<double>& f);
  bool solve_V(const std::vector<double>& base, StepReport& report);
  double residual_V();
  double fastest_row() const;
  double row_speed_allowed() const;
  double worst_speed() const;

  // Steps without the stages P and V, fallback.cpp and baumgarte.cpp.
  void rates_at_mid(const std::vector<double>& P);
  void begin_at_mid(double h);
  bool stiff_at_mid(std::size_t row, double x_mid, double t, double h) const;
  void force_at_mid(std::size_t row, double x_mid, double t, double h);
  void residual_at_mid(const std::vector<double>& x_mid, double t, double h);
  bool solve_at_mid(std::vector<double>& P, double h, StepReport& report);
  bool fallback(model::State& state, double h, StepReport& report);
  bool baumgarte(model::State& state, double h, StepReport& report);
  // Results of a step, velocity_results.cpp and velocity_account.cpp.
  void commit(model::State& state, double h, StepReport& report);
  void report_gaps(StepReport& report) const;
  void keep_multipliers(model::State& state, double h, bool fallback);
  void keep_factor(model::State& state);
  void account(model::State& state, double h);
  double work(std::size_t row, double h) const;
  double lost_in_spring(std::size_t row, double h) const;
  void explicit_dampers(const std::vector<double>& rates_now);
  void update_yielded(model::State& state, StepReport& report);
  void lift_out(model::State& state, StepReport& report);
  constraint::Standing standing(model::State& state);
  void take_jump(const constraint::Jump& jump, StepReport& report);
  /// Adds the impulse from outside to `report`; `more` are impulses of rows added to `impulses`, or
  /// empty.
  struct End;
  void add_outside(End& end, std::span<const double> impulses, std::span<const double> more,
                   double duration, StepReport& report) const;

  /// P += J^T x.
  void apply(const model::KinematicsCache& at, const std::vector<double>& x,
             std::vector<double>& P) const;
  void apply_forces(const model::KinematicsCache& at, const std::vector<double>& x,
                    std::vector<double>& P) const;  // the same for force rows alone
  /// u = M^-1 P; rates = J u + g_t.
  void row_rates(const model::KinematicsCache& at, const std::vector<double>& P,
                 std::vector<double>& u, std::vector<double>& rates) const;
  /// rates = J u + g_t.
  void rates_of(const model::KinematicsCache& at, const std::vector<double>& u,
                std::vector<double>& rates) const;
  solve::Rows rows() const {
    return {problem_.active, problem_.compliance, problem_.lo, problem_.hi, table_.others, cones_};
  }
  bool is_good(const model::State& state) const;
  void describe_failure(const model::State& state, StepReport& report) const;

  /// The mechanism at the beginning or at the end of a step.
  struct End {
    End(const model::Model& model, const model::Params& params) : specs(model, params) {}
    model::KinematicsCache at;
    model::ConstraintSpecs specs;
    std::vector<double> u, rate;  // velocities u of the unknowns, rates J u + g_t of the rows
    // for force rows: force at zero rate, stiffness -df/dx, force of the damper
    std::vector<double> rest, stiffness, damper;
    constraint::Wrench outside;  // of gravity and loads
    bool outside_known = false;

    friend void swap(End& a, End& b) noexcept {
      swap(a.at, b.at);
      std::swap(a.specs, b.specs);
      for (const auto& v : {&End::u, &End::rate, &End::rest, &End::stiffness, &End::damper})
        (a.*v).swap(b.*v);
      std::swap(a.outside, b.outside);
      std::swap(a.outside_known, b.outside_known);
    }
  };
  /// Impulses over half a step, one number per row [N s, N m s]; over the whole step in the
  /// fallback and in Baumgarte's form.
  struct Impulses {
    std::vector<double> rows;     // multipliers: L in first_, m in second_
    std::vector<double> applied;  // impulses of forces that the stage does not solve for
  };
  /// The rows of a solve, as in constraint::RowProblem, with compliances.
  struct Problem {
    std::vector<unsigned char> active;
    std::vector<double> lo, hi, target, compliance;
    std::vector<double> place;       // empty where all rows are equality constraints
    std::vector<signed char> bound;  // bound that the impulse is at: -1 lower, 0 none, +1 upper
  };
  struct SpringLaw {
    const law::Law* law = nullptr;
    double sign = 1;  // see model::RowInfo
  };
  /// Force rows: rows whose law gives the force.
  struct Springs {
    std::vector<int> rows, groups;  // the rows, and their groups in the graph
    std::vector<Spring> kind;
    std::vector<SpringLaw> law;
    std::vector<unsigned char> damped;
    std::vector<double> dashpot;             // compliance of stiff dampers in P; 0: explicit there
    std::vector<int> functions;              // rows whose law is a function of the user
    std::vector<unsigned char> is_function;  // empty where there are none
    std::vector<double> mean;  // mean force of function rows over the step, where implicit
    bool curved = false;       // some function rows are implicit in this step
    bool dampers = false;      // stage V solves for dampers
    double change = 0;         // error of their linearisation, as a row rate [m/s, rad/s]
  };
  /// Data of exact steps, which solve for momenta and rows together by Newton iteration.
  struct Newton {
    std::unique_ptr<solve::Saddle> saddle;  // made when first wanted: it is large
    std::vector<double> drift;              // velocity v of the drift
    std::vector<double> residual, du;       // residual of the momenta; Newton step of v
    // n x n numbers per block: slope F'(v) of the momenta, turn T of the end
    std::vector<double> mass, turn;
    std::vector<double> J_turn;  // J(q+) T
  };

  const model::Model* model_;
  const model::Params* params_;
  Settings settings_;
  std::unique_ptr<model::Kinematics> kin_;
  std::unique_ptr<solve::Solver> solver_;
  std::unique_ptr<model::Projector> projector_;  // made when first wanted: it is large
  End now_, next_;
  RowTable table_;
  std::vector<solve::Cone> cones_;
  bool composable_ = true;
  bool rolls_ = false;  // there are nonholonomic rows
  bool drag_ = false;   // there are loads that depend on rates
  // there are bodies without Pool::identity(): their kind may have forces of its own
  bool own_motion_ = false;
  bool constant_forces_ = false;  // f_ is the same in every step, see take_forces()
  bool light_ = false;            // there are light bodies: all steps are exact
  bool both_ends_ = false;        // both ends have J and masses of their own

  // of the step
  std::vector<Hold> hold_;
  Problem problem_;
  Impulses first_, second_;
  Springs springs_;
  Newton newton_;
  std::vector<double> force_;  // mean force of each row over the last step
  // rate at which a row has hit its stop in this step; infinite: it has not
  std::vector<double> impact_rate_;
  std::vector<double> calm_;          // multipliers m without impacts; empty: there are no impacts
  std::vector<double> inverse_mass_;  // S_ii of the rows whose role needs it
  bool in_parts_ = false, fell_back_ = false, exact_ = false, unilateral_ = false;
  int iterations_P_ = 0, iterations_before_ = -1;  // iterations of stage P in the last two steps
  double largest_q_ = 0;                           // of q0_
  bool factor_kept_ = false;  // State::velocity has all rows of a factor since load()
  bool J_is_at_end_ = false;  // stage P has let J(q+) in next_ take the place of J(q) in now_

  // scratch: one number per row, per unknown, per coordinate
  std::vector<double> q_rows_, x_, mean_rate_;
  std::vector<double> f_, f_rates_, P0_, base_, P_trial_;
  std::vector<double> q0_, q_trial_;
};

}  // namespace trammel::form
