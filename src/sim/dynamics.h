#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/builder.h"
#include "model/constraint_specs.h"
#include "model/handles.h"
#include "model/kinematics.h"
#include "model/reactions.h"
#include "solve/direct.h"

namespace trammel::sim {

/// The equations of motion of a mechanism at one state, for programs that control it, identify it
/// or look into it (docs/cpp-guide.md):
///
///     M u' = f + J^T lambda + J_y^T tau        J u' + bias = c''        y' = J_y u
///
/// u are the unknowns of all bodies (of a rigid one v of its centre of mass and w, world axes), J
/// the rows that hold whatever that takes, y independent coordinates of joints, tau forces along
/// these. With all rows met that is, whatever loops there are,
///
///     mass() y'' + bias_force() = tau.
///
/// f are gravity, loads, gyroscopic and elastic forces and those of laws that are forces: springs,
/// dampers, functions. Drives and locks hold their rows. On coordinates in y, and on those that
/// forces are asked for, drives, motors, friction, limits and actuators are left out: what they
/// have to give is the answer. Stops that are closed, motors and friction on other coordinates take
/// no part either, and left_out() names them.
///
/// Everything is of the state that at() was given last, at first that of the start. Functions throw
/// std::invalid_argument with a sentence: handles that are null or foreign, sizes that do not fit,
/// numbers that are not finite, coordinates that do not determine the motion, or a state where
/// those that do elsewhere do not. Not to be shared between threads.
class Dynamics {
 public:
  using Coordinates = std::vector<model::CoordinateHandle>;

  /// `y` are independent and move the whole mechanism; empty: the first that are so, in the order
  /// of the joints. `actuated` are those that inverse() finds the forces of; empty: y.
  explicit Dynamics(const model::Built& built, Coordinates y = {}, Coordinates actuated = {});

  /// Evaluates at this state. It must have the joints that the mechanism was built with.
  void at(const model::State& state);
  const model::State& state() const { return state_; }

  const Coordinates& coordinates() const { return y_; }
  std::vector<std::string> names() const;  // of y
  int unknowns() const { return built_->n_u; }
  /// Degrees of freedom that rows leave.
  int degrees_of_freedom() const { return dof_; }
  /// Names of laws that take no part though they may push.
  const std::vector<std::string>& left_out() const { return left_out_; }

  VecX position() const;  // y, angles over all turns where the state counts them
  VecX velocity() const;  // y'
  /// What is large for coordinate k: 1 rad, or the greatest lever of the joints [m].
  double scale(std::size_t k) const;

  // In the unknowns u.
  MatX mass_matrix() const;  // M, n_u x n_u
  VecX unknown_velocities() const { return u_; }
  VecX force() const { return f_; }  // f
  VecX gravity_force() const;        // the part of gravity in f
  std::vector<int> rows() const;     // the rows that hold, indices into Model::rows
  MatX constraint_jacobian() const;  // J, one line for each of rows()
  VecX constraint_bias() const;      // bias - c'' of each: J u' = -that
  /// Of the material point p_B of a body (body frame [m]): (v; w) = J u, 6 x n_u, world axes.
  MatX point_jacobian(model::BodyHandle body, const Vec3& p_B = Vec3::Zero()) const;

  // In the coordinates y.
  MatX motion_of_coordinates() const;  // N, n_u x n: u = N y' + what drives make
  MatX mass() const;                   // N^T M N, n x n
  VecX bias_force() const;             // tau at y'' = 0
  VecX gravity_bias() const;           // -N^T times gravity: the part of it in bias_force()
  MatX coordinate_jacobian(model::BodyHandle body, const Vec3& p_B = Vec3::Zero()) const;  // 6 x n

  /// How it moves and what its rows carry.
  struct Motion {
    VecX y_ddot;                     // [m/s^2, rad/s^2]
    VecX u_dot;                      // of the unknowns
    VecX tau;                        // on the actuated coordinates, or as given, on y [N, N m]
    std::vector<double> row_forces;  // of the model's rows [N, N m]
    std::vector<double> coordinate_forces;  // of y, then of the actuated, as they act
  };
  /// Forward dynamics: the motion under forces tau on y.
  Motion forward(const VecX& tau) const;
  /// Inverse dynamics: the forces on the actuated coordinates that make these accelerations of y.
  Motion inverse(const VecX& y_ddot) const;
  /// The reactions of all joints in that motion, see model::Reaction.
  std::vector<model::Reaction> reactions(const Motion& motion) const;

  /// The state with the coordinates y and rates y', found from this one along the rows, loops
  /// closed, on the branch it is on; time and all else as in state().
  model::State moved(const VecX& y, const VecX& y_dot);

 private:
  void build(Coordinates y);
  void choose();
  void find_chosen();
  std::string misfit();
  void check_state(const model::State& state) const;
  void look(const model::State& state, bool fresh);
  void classify(std::size_t row);
  void leave_out(std::size_t row);
  void take_forces();
  int rank(bool with_y);
  void need_coordinates() const;
  void check(const VecX& x, std::size_t n, const char* what) const;
  VecX momenta(const VecX& u) const;
  VecX times_rows(const VecX& u) const;
  void add_transpose(const std::vector<double>& rows, VecX& f) const;
  VecX motion(const std::vector<double>& rates) const;
  std::vector<double> forces_of(const VecX& covector) const;
  std::vector<double> wanted_accelerations(const VecX* y_ddot) const;
  Motion result(VecX u_dot, const std::vector<double>& rows) const;
  Motion by_other_forces(Motion motion, const VecX& covector) const;
  std::vector<double> sizes(double angle, double others) const;
  void place(model::State& state, const VecX& y);

  std::shared_ptr<const model::Model> built_;
  std::shared_ptr<LiveValues> live_ = std::make_shared<LiveValues>();  // inputs, of the state
  model::Params params_;
  Coordinates y_, actuated_;
  std::unique_ptr<const model::Model> model_;  // with the rows of y_, then of actuated_
  std::size_t n_rows_ = 0;                     // of the model as built
  std::unique_ptr<const model::Kinematics> kin_;
  std::unique_ptr<model::ConstraintSpecs> specs_;
  // of geometry, rows of y_ included; of masses, without them
  mutable std::unique_ptr<solve::Direct> direct_, by_mass_;
  std::vector<unsigned char> chosen_;  // rows of the model that act on coordinates chosen
  int dof_ = 0;
  std::string why_not_;  // why y_ does not determine the motion; empty: it does
  std::vector<std::string> left_out_;

  model::State state_;  // as given
  model::State flags_;  // what rows read, with those of the coordinates
  model::KinematicsCache now_;
  std::vector<double> inverse_mass_;
  std::vector<unsigned char> active_;  // rows that hold, those of y_ included
  std::vector<unsigned char> held_;    // and without them
  std::vector<double> rate_, bias_, known_, zero_;
  VecX u_, f_;
};

}  // namespace trammel::sim
