#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "constraint/account.h"
#include "constraint/contact/step.h"
#include "constraint/rows.h"
#include "form/report.h"
#include "form/velocity_mechanism.h"
#include "model/constraint_specs.h"
#include "solve/product.h"
#include "solve/saddle.h"
#include "solve/solver.h"

/// The values that a step of the velocity formulation is made of, and what is computed of them
/// everywhere.
namespace trammel::form::velocity {

using constraint::Hold;

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

struct Ends;
/// Half way between both ends: the time, and the coordinates that functions follow, as at rest.
/// What varies with the time is its mean from one end to the other.
struct Halfway {
  explicit Halfway(const Ends& ends);
  operator law::Instant() const { return {t, y.data(), nullptr, span}; }
  double t;
  law::Span span;
  std::vector<double> y;
};

/// Both ends of a step. They share one J and one set of inverse masses, which go from `now` to
/// `next` within a step, unless nonholonomic rows take the mean of J or exact steps need both.
struct Ends {
  Ends(const model::Model& model, const model::Params& params)
      : now(model, params), next(model, params) {}
  End now, next;
};

/// How stage P treats a spring of stiffness k [N/m, N m/rad], chosen by h^2 k S_ii with S_ii the
/// row's inverse mass.
constexpr double kCompliant = 0.25, kRigid = 1000;
enum class Spring : unsigned char {
  none,       // its law gives no force in this step
  explicit_,  // up to kCompliant: an explicit force
  compliant,  // up to kRigid: a row with compliance
  rigid,      // above: the same, and its rate is held at zero in stage V
};

/// What the rows are in this step, see form/velocity_roles.h.
struct Roles {
  std::vector<Hold> hold;
  std::vector<Spring> spring;        // empty where there are no force rows
  std::vector<double> inverse_mass;  // S_ii of the rows whose role needs it [1/kg, 1/(kg m^2)]
  bool unilateral = false;           // there are unilateral rows

  /// Returns how the force of a row is treated; none: it has no law that gives one.
  Spring of_force(std::size_t row) const { return spring.empty() ? Spring::none : spring[row]; }
  bool gives_force(std::size_t row) const { return of_force(row) != Spring::none; }
  /// True where the stages solve for its force.
  bool is_implicit(std::size_t row) const { return of_force(row) > Spring::explicit_; }
};

/// What the stages of a step read.
struct Step {
  const Mechanism& mechanism;
  const Roles& roles;
  const model::State& start;
  double h;            // [s]
  double instant = 0;  // what meets within it meets at once [s]
};

/// The rows of a stage's solve, as in constraint::RowProblem, with compliances. Equality
/// constraints are set at load() alone, since no step changes them.
struct StageRows {
  std::vector<unsigned char> active;
  std::vector<double> lo, hi, target, compliance;
  std::vector<double> place;       // empty where all rows are equality constraints
  std::vector<signed char> bound;  // bound that the impulse is at: -1 lower, 0 none, +1 upper

  void take(std::size_t row, const constraint::RowProblem& problem) {
    active[row] = problem.active;
    lo[row] = problem.lo;
    hi[row] = problem.hi;
    target[row] = problem.rate;
  }
};

/// Impulses over half a step, one number per row [N s, N m s]; over the whole step in the fallback
/// and in Baumgarte's form.
struct Impulses {
  std::vector<double> rows;     // multipliers: L of stage P, m of stage V
  std::vector<double> applied;  // impulses of forces that the stage does not solve for
};

/// The results of stage P.
struct PositionStage {
  std::vector<double> q;      // coordinates q+ at the end
  std::vector<double> P;      // momenta P_v at the start of the flow
  std::vector<double> P_end;  // momenta P_v that stage V begins with: at the end of the flow
  std::vector<double> v;      // velocity of the drift where the stage was exact; else no meaning
  Impulses impulses;          // L
  // force rows: compliance of stiff dampers, 0: explicit; mean force of implicit functions over the
  // step
  std::vector<double> dashpot, mean;
};

/// How stage P ended.
struct Placed {
  bool ok = false;        // the rows are in their place
  bool J_at_end = false;  // next.at has J(q+)
  int iterations = 0;
};

/// The results of stage V; the velocities and row rates are in the End.
struct VelocityStage {
  std::vector<double> P;  // momenta P+
  Impulses impulses;      // m
  // rate at which a row has hit its stop in this step; infinite: it has not
  std::vector<double> impact_rate;
  std::vector<double> calm;  // multipliers m without impacts; empty: there are no impacts
};

/// Scratch without meaning from one stage to the next.
struct Work {
  std::vector<double> r, x, mean_rate;       // one number per row: residual, correction, mean rate
  std::vector<double> f, f_rates, f_before;  // forces on the unknowns; of loads that need rates
  std::vector<double> base, base_rates;      // momenta that stage V adds multipliers to
  std::vector<double> with_contacts, settled;  // those with impulses of contacts
};

/// The matrix of exact steps, and scratch for them.
struct Newton {
  std::unique_ptr<solve::Saddle> saddle;  // made when first wanted: it is large
  std::vector<double> residual, du;       // residual of the momenta; Newton step of v
  // n x n numbers per block: slope F'(v) of the momenta, turn T of the end
  std::vector<double> mass, turn;
  std::vector<double> J_turn;  // J(q+) T
};

/// What stages work with: nothing in it is a result but the costs in the report.
struct Tools {
  solve::Solver& solver;
  Newton* newton;  // of exact stages (form/rattle_exact.h); null: by the solver and its kept factor
  Work& work;
  StepReport& report;
  constraint::Contacts* contacts = nullptr;  // null: nothing can touch
};

/// A step that was made, to its results and accounts.
struct Made {
  const Mechanism& mechanism;
  const Roles& roles;
  const Ends& ends;
  const StageRows& rows;
  const PositionStage& position;
  const VelocityStage& velocity;
  double h;        // [s]
  bool fell_back;  // by the fallback
};

/// What multipliers of the last step or part are multiplied by in one of h. 0: there was none, or
/// they tell nothing: those of one so much shorter are what rounding of places is as a force.
inline double share_again(const model::State& state, double h) {
  constexpr double kComparable = 1e-3;
  return std::abs(state.rows.h) > kComparable * std::abs(h) ? h / state.rows.h : 0;
}

constexpr int kContactRounds = 100;  // of contacts and rows, each of which disturbs the other

/// Arrays as long as the mechanism wants them. Those that few mechanisms need stay empty in the
/// others.
Roles make_roles(const Mechanism& m);
StageRows make_rows(const Mechanism& m);
PositionStage make_position_stage(const Mechanism& m);
VelocityStage make_velocity_stage(const Mechanism& m);
Work make_work(const Mechanism& m);

/// Writes what steps must find at equality constraints, after sort_rows(), and forgets impacts.
void reset(const RowTable& table, Roles& roles, StageRows& rows, PositionStage& position,
           VelocityStage& velocity);

/// Moves J and the inverse masses to `to`, where one set serves both ends and is not there already.
inline void hand_over(model::KinematicsCache& from, model::KinematicsCache& to) {
  if (!to.inv_mass.empty()) return;
  std::swap(from.J, to.J);
  std::swap(from.inv_mass, to.inv_mass);
}

/// P += J^T x.
inline void apply(const Mechanism& m, const model::KinematicsCache& at,
                  const std::vector<double>& x, std::vector<double>& P) {
  solve::add_transpose(m.kin->graph(), at.J.data(), x.data(), P.data());
}
/// The same for force rows alone.
void apply_forces(const Mechanism& m, const model::KinematicsCache& at,
                  const std::vector<double>& x, std::vector<double>& P);
/// rates = J u + g_t.
inline void rates_of(const Mechanism& m, const model::KinematicsCache& at,
                     const std::vector<double>& u, std::vector<double>& rates) {
  solve::multiply(m.kin->graph(), at.J.data(), u.data(), rates.data());
  if (!m.model->prescribed.empty()) m.table.for_rows([&](std::size_t i) { rates[i] += at.g_t[i]; });
}
/// u = M^-1 P; rates = J u + g_t.
inline void row_rates(const Mechanism& m, const model::KinematicsCache& at,
                      const std::vector<double>& P, std::vector<double>& u,
                      std::vector<double>& rates) {
  m.kin->velocities(at, P.data(), u.data());
  rates_of(m, at, u, rates);
}

/// Evaluates gravity and the loads that do not depend on rates into f, a covector on u.
void evaluate_forces(const Mechanism& m, const model::KinematicsCache& at, std::vector<double>& f);
/// Returns these forces: where there is nothing but gravity on rigid bodies, those of all steps,
/// else evaluated into f.
const std::vector<double>& forces_at(const Mechanism& m, const model::KinematicsCache& at,
                                     std::vector<double>& f);
/// Evaluates the force rows of `end`: their force at zero rate, and the stiffness -df/dx.
void take_springs(const Mechanism& m, End& end);
/// Lets forces that vary with the time act with their means over the step from t to t + h, in kicks
/// at both ends or in one over the whole of it (law::Span). Evaluates those of force rows at `now`.
enum class Kicks : unsigned char { two, one };
void spread_forces(const Mechanism& m, double t, double h, Kicks kicks, Ends& ends);

/// Returns the row's value at `at`, its rate at the start of the step of h, and its inverse mass.
inline constraint::RowMotion motion(const Roles& roles, const model::KinematicsCache& at,
                                    const End& now, std::size_t i, double h) {
  constraint::RowMotion out;
  out.g = at.g[i];
  out.rate = now.rate[i];
  out.h = h;
  out.inverse_mass = roles.inverse_mass[i];
  return out;
}
/// Returns the impulse of an implicit spring in each half of the step, from its mean force. Needs
/// `rest` of both ends, or for a function the mean.
inline double spring_impulse(const Mechanism& m, const Ends& ends, const std::vector<double>& mean,
                             std::size_t i, double h) {
  return m.forces.by_function(i) ? h / 2 * mean[i] : h / 4 * (ends.now.rest[i] + ends.next.rest[i]);
}

/// The rows as solvers take them.
inline solve::Rows solver_rows(const Mechanism& m, const StageRows& rows) {
  return {rows.active, rows.compliance, rows.lo, rows.hi, m.table.others, m.cones};
}
/// Returns the greatest rate by which the tangent rows of a cone miss Coulomb's law with these
/// impulses, r the residuals of the rows [m/s].
double off_cones(const Mechanism& m, const std::vector<float>& weight, const Roles& roles,
                 const StageRows& rows, const std::vector<double>& impulses,
                 const std::vector<double>& r);
/// Returns the greatest rate by which rows that hold a position miss its rate [m/s, rad/s].
double worst_position_rate(const Roles& roles, const End& end);

}  // namespace trammel::form::velocity
