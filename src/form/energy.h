#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "constraint/cone.h"
#include "form/block_cholesky.h"
#include "form/report.h"
#include "form/settings.h"
#include "joint/terms.h"
#include "model/constraint_specs.h"
#include "model/kinematics.h"
#include "model/state.h"
#include "solve/active_set.h"
#include "solve/direct.h"
#include "units/problem.h"

namespace trammel::form {

/// The energy formulation (docs/theory/energy.md): the transforms y = (p, A) of all objects at the
/// end of a step (midpoint: in its middle) minimise
///
///   1/(2 a) |y - y~|_M^2 + V(y),    a = c h^2, c = 1 (bdf1), 4/9 (bdf2), 1/4 (midpoint)
///
/// within the stops of the rows; a row that runs into one is at rest against it after two steps.
/// V are the potentials of joints, laws and loads. Joints are the weighted squares of their
/// closure residuals, or hold by their rows. The minimum is found by Newton iteration with second
/// derivatives made positive; its steps are solved for by the joints with the matrix
/// S = J H^-1 J^T + 1/k, H the second derivative of each block alone, in unknowns z of the blocks
/// in which H = 1 (form/block_cholesky.h).
///
/// step() makes one step; after anybody else has changed the state, load() it again.
class Energy {
 public:
  Energy(const model::Model& model, const model::Params& params, Settings settings);

  /// Returns why this formulation cannot take the model; empty: it can.
  static std::vector<Problem> unsupported(const model::Model& model, const model::Params& params,
                                          const Settings& settings);

  bool load(const model::State& state);
  void step(const model::Inputs& inputs, model::State& state, double h, StepReport& report);
  /// Projects nothing: rows that have jumped pull in the next step, which is of first order.
  void project(model::State& state, const std::string& why, const std::string& subject,
               StepReport& report);

  const model::Kinematics& kinematics() const { return *kin_; }
  const model::KinematicsCache& now() const { return now_; }
  const std::vector<double>& velocities() const { return u_; }
  const model::ConstraintSpecs& specs() const { return specs_; }
  /// Returns the force of each row at the end of the last step (midpoint: in its middle) [N, N m];
  /// for soft joints, what their rows would have to carry for the same wrench.
  const std::vector<double>& row_forces() const { return force_; }
  void set_row_forces(const std::vector<double>& forces) { force_ = forces; }
  /// Returns the total energy, that of soft joints included [J].
  double total_energy(const model::State& state) const;
  bool composable() const { return false; }

 private:
  using Difference = Settings::Difference;

  /// The way in which a row of the model enters the system.
  enum class Role : unsigned char {
    off,         // its joint has let go, or its joint's terms stand for it
    elastic,     // strain under the springs of an affine body: part of its block
    held,        // g = target
    rolled,      // J dq = target h
    unilateral,  // from <= g <= to
    friction,    // J dq = target h within the disc of its cone
    spring,      // 1/2 k (g - target)^2
    potential,   // the potential of its law
  };
  /// True where its force is an unknown of the system, not given by its law.
  static bool carries(Role role) {
    return role == Role::held || role == Role::rolled || role == Role::unilateral ||
           role == Role::friction;
  }
  /// The point x = w p + A c of an object.
  struct Point {
    int object;
    double w;
    Vec3 c;
  };
  /// A closure residual of a joint: rows of the system [first, first + n) of one weight. Linear:
  /// the sum of two points, times -1 and 1.
  struct Terms {
    int joint;
    const joint::Term* term;
    int group, first, n;
    double stiffness;       // [N/m], [N m]; as published: times a
    bool linear, straight;  // straight: the ends' places are linear in q, or at rest
    Point A, B;
  };
  /// A group of the model's rows that is part of the system, with its group there.
  struct Taken {
    int from, group;
  };
  /// The elasticity of an affine body has the energy 1/2 mu |E|^2 of Green's strain E.
  struct StrainEnergy {
    int joint, object;
    double mu;  // 8 kappa V [J]
  };
  /// The coefficients of a step's minimum, see aim().
  struct Target {
    double a = 0;      // c h^2 [s^2]
    double t = 0;      // time at which forces act [s]
    double rate = 0;   // derivative dv/dx of the scheme [1/s]
    double gain = 0;   // momenta at the end are momentum_ + gain * force [s]
    double share = 1;  // part of the step after which y is reached
    double back = 0;   // share of what the step before brought that is added again
    bool two_steps = false;
  };

  void weigh_objects();
  void make_graph();
  void make_strain_energies();
  double spring_of_strain(int joint) const;
  void take_groups();
  void make_terms(int joint);
  bool make_linear(Terms& terms) const;
  bool by_terms(int joint) const;
  double length_of(int joint) const;
  double masses_at(int joint) const;
  void assign_roles(const model::State& state);
  Role role_of(const model::State& state, std::size_t row) const;

  void begin(const model::State& state, double h, bool two);
  void aim(const model::State& state, double h, bool two);
  void limit_rows(const model::State& state);
  void take_stop(std::size_t row);
  double beyond(std::size_t row) const;
  bool solve_rows(StepReport& report);
  bool solve_within_stops(StepReport& report);
  bool presses(std::size_t row) const;
  bool closes() const;
  double speed_into(std::size_t row) const;
  bool runs_in() const;
  void report_impacts(double t, StepReport& report) const;
  std::size_t loss_slot() const;
  bool minimise(StepReport& report);
  bool evaluate(const double* q);
  void take_terms();
  void value(const Terms& terms, model::KinematicsCache& at, double* out) const;
  void term_jacobians(const Terms& terms, const model::KinematicsCache& at, double* J_A,
                      double* J_B) const;
  void take_strain_energies();
  void take_rows(const double* q);
  void end_momenta(std::vector<double>& P);
  double value_of(std::size_t row) const;
  void take_row(std::size_t row);
  law::Scheme scheme_of(std::size_t row) const;
  void take_inertia();
  double objective();
  double potential_of(std::size_t row) const;
  double dissipation_of(const solve::Cone& cone) const;

  bool linearise();
  void weigh();
  void add_loads();
  void add_row_covectors();
  void add_term_covectors();
  void add_stress_of_rows();
  void add_flat_rows();
  void make_gradient(std::size_t object);
  bool make_block(std::size_t object);
  bool make_turning(std::size_t object);
  bool make_embedded(std::size_t object);
  void put_rows(const Taken& taken);
  void put_terms(const Terms& terms);
  double weight(const Terms& terms) const;
  bool solve_newton_step(StepReport& report);
  bool search(StepReport& report);
  double newton_step_length() const;
  double size() const;
  void retract(const double* dq, double* q) const;

  void finish(model::State& state, double h);
  void commit(model::State& state, double h);
  void account(model::State& state, double h, StepReport& report);
  void report_gaps(StepReport& report);
  double displacement_of(std::size_t row) const;
  double kept_force(std::size_t row) const;
  double stored_in(std::size_t row) const;
  std::array<double, 12> covector_of(const law::Load& load) const;
  void outside(double* wrench);
  void take_up(std::vector<double>& impulses);
  void add_work(model::State& state, std::size_t slot, std::size_t act, double displacement) const;
  double add_row_work(model::State& state, std::size_t row) const;
  void add_load_work(model::State& state) const;
  void add_path_work(model::State& state);
  void add_term_path_work(model::State& state, std::size_t slot, const Terms& terms) const;
  void report_outside(const model::State& state, StepReport& report) const;
  void term_values(model::KinematicsCache& at, std::vector<double>& out) const;
  void take_forces();
  void soft_wrench(int joint, double* out) const;  // wrench of its terms on B, about B's centre
  void share_among_rows(int joint);
  void take_wrench_impulses();

  std::size_t n_rows() const { return role_.size(); }
  /// Returns the instant at which the forces of the last step acted. Needs finish().
  const model::KinematicsCache& acted() const {
    return settings_.difference == Difference::midpoint ? at_ : now_;
  }

  const model::Model* model_;
  const model::Params* params_;
  Settings settings_;
  model::ConstraintSpecs specs_;
  std::unique_ptr<model::Kinematics> kin_;
  solve::Graph graph_;  // blocks of unit mass, and the rows that are in the system
  std::unique_ptr<solve::Direct> direct_;
  BlockCholesky cholesky_;
  std::vector<Taken> taken_;
  std::vector<Terms> terms_;
  std::vector<StrainEnergy> strain_energies_;
  std::vector<char> soft_;             // joints: 1 where terms stand for their rows
  std::vector<char> strain_in_block_;  // joints
  std::vector<int> first_terms_;       // first term of each joint in terms_, one more at the end
  model::State flags_;                 // the part of the state that rows read: on, angle
  model::KinematicsCache now_, at_, before_;
  Target target_;
  std::vector<body::Transform> from_;  // y~
  std::vector<double> momentum_;       // momenta to which the gain is added
  // objects: gradient of the inertia term; gravity and loads
  std::vector<body::Covector> inertia_, loads_;
  std::vector<body::Covector> rows_;     // force of rows and terms at rigid objects
  std::vector<Mat3> stress_;             // objects: stress on the rows of A, in their own axes [J]
  std::vector<Mat3> second_;             // objects: second moment S in their own axes [kg m^2]
  std::vector<double> least_second_;     // least principal value of S
  std::vector<double> mu_;               // objects: mu of their elasticity, or 0 [J]
  std::vector<char> has_strain_rows_;    // objects that have strain rows
  std::vector<char> deformable_;         // objects whose shape springs hold, see model::deformable
  std::vector<double> mass_, gyration_;  // objects [kg], [m]
  std::vector<double> drag_;             // objects: greatest stiffness of their drags [N/m]
  bool any_curved_ = false, exceeds_small_strain_ = false;

  // one number per row of the system
  std::vector<double> r_, r_now_, r_before_, compliance_, J_, lambda_, rhs_;
  std::vector<unsigned char> active_;
  // one number per row of the model
  std::vector<Role> role_;
  std::vector<int> in_system_;  // row of the system; -1: none
  std::vector<double> force_, slope_, g_n_, g_before_, rate_, rate_n_, stiffness_, pull_;
  std::vector<unsigned char> is_length_;
  // one number per unknown
  std::vector<double> u_, q_, q_base_, q_start_, gradient_, scaled_, dq_, f_, z_, P_;
  std::vector<double> wrench_impulses_;  // impulses of the last step, see take_wrench_impulses
  // force and moment from outside, through terms
  Vec3 soft_pull_ = Vec3::Zero(), soft_moment_ = Vec3::Zero();
  // forces that do work: outside, wrench impulses, rows, terms, loads, see take_up
  std::vector<double> acts_;
  // offsets in acts_ of rows, of their whole forces, of loads
  std::size_t acts_of_laws_ = 0, acts_of_rows_ = 0, acts_of_loads_ = 0;
  bool nonholonomic_ = false;              // there are nonholonomic rows, or friction
  double penalty_ = 0;                     // penalty weight of rows that hold [N, N m]
  std::unique_ptr<solve::ActiveSet> box_;  // made where there are stops
  std::vector<int> stops_;                 // rows
  std::vector<solve::Cone> cones_;         // of rows of the model
  std::vector<solve::Cone> in_box_;        // of rows of the system
  std::vector<double> from_row_, to_row_;  // rows: stops in this step
  std::vector<double> lo_, hi_;            // rows of the system: bounds of lambda
  std::vector<signed char> set_;  // rows of the system: bound that lambda is at, see ActiveSet
  bool kinked_ = false;           // rows or rates had jumped when the step began
  bool impact_ = false;           // a stop closes, or just has
  bool met_ = false;              // a row that begins the step at its stop runs into it
  double kinetic_ = 0;            // kinetic energy at the start of the step [J]
};

}  // namespace trammel::form
