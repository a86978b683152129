#pragma once

#include <memory>
#include <vector>

#include "joint/evaluate.h"
#include "model/model.h"
#include "model/state.h"
#include "model/topology.h"

namespace trammel::model {

class JointLanes;

/// Holds all that follows from the coordinates at one time: poses of objects, inverse masses, rows.
/// It is scratch; arrays are sized once.
struct KinematicsCache {
  double t = 0;
  std::vector<body::Transform> T_WO;  // objects
  // objects: prescribed ones always, others after rates(); may be empty until then
  std::vector<body::Rate> rate;
  std::vector<body::Bias> bias;
  std::vector<double> jacobian;  // dmotion/du of objects that are not their block
  std::vector<double> inv_mass;  // see solve/graph.h
  std::vector<joint::Arc> arc;   // track joints
  std::vector<joint::Arc> from;  // where the projections of the last jacobians() began
  std::vector<double> g;         // value of each row; angles count their turns
  std::vector<double> J;         // see solve/graph.h
  std::vector<double>
      anchor;  // anchored rows, 6 numbers each (anchor()): J on the motion of space (force, and
               // moment about the world's origin) for the ends that do not move freely
  std::vector<double> g_t;  // rate of each row that prescribed ends make
  std::vector<double> x;    // value of each source; angles count their turns
  // of each coordinate that functions follow (Model::followed): its value, and its rate after
  // follow()
  std::vector<double> y, y_rate;
  std::vector<double> x_J;  // J of each source on the motions of its ends, 12 numbers per end
  std::vector<joint::RowRates> x_rates;  // rates of sources, after row_rates()
  int lost_joint = -1;                   // a track joint whose projection failed
  law::Span span;                        // over which forces at it act

  /// The instant that laws are asked at: as it is at rest, or after follow() as it moves.
  law::Instant still() const { return {t, y.data(), nullptr, span}; }
  law::Instant moving() const { return {t, y.data(), y_rate.data(), span}; }
};
void swap(KinematicsCache& a, KinematicsCache& b) noexcept;

/// Keeps the angles that rows and sources have come to: turns are counted from there on.
void keep_turns(const Model& model, const KinematicsCache& at, std::vector<double>& angle);

/// Evaluates a model at given coordinates. The only place that walks bodies and joints;
/// formulations see blocks, rows and flat arrays.
class Kinematics {
 public:
  /// Takes the model's topology; without one it makes its own.
  Kinematics(const Model& model, const Params& params);

  const Model& model() const { return *model_; }
  const Params& params() const { return *params_; }
  const solve::Graph& graph() const { return top_->graph; }
  const std::vector<double>& derived() const { return derived_; }
  KinematicsCache make_cache() const;

  /// Computes the poses of all objects at coordinates q and time t.
  void transforms(const double* q, double t, KinematicsCache& at) const;
  /// Computes the inverse masses. Needs transforms().
  void inverse_mass(const double* q, KinematicsCache& at) const;
  /// Computes the values of the rows of joints that are on, and moves at.arc along its tracks.
  /// Needs transforms().
  void values(const State& state, KinematicsCache& at) const;
  /// Computes values, J, anchor and g_t. Needs transforms(). Coordinates that functions follow are
  /// computed of joints that have let go, too.
  void jacobians(const State& state, KinematicsCache& at) const;
  /// True where some body has, in some direction, so little inertia beside its own or its
  /// neighbours' that M^-1 must not be used: its velocity follows from rows and momenta together
  /// (solve/saddle.h).
  bool light() const { return light_; }
  /// Returns the scale of each unknown: 1 for lengths, 1 over the lever of its block's joints [1/m]
  /// for angles. It serves where there is no inertia to measure by.
  const std::vector<double>& units() const { return units_; }
  /// The longest lever at which joints hold a body [m].
  double longest() const { return longest_; }
  /// Computes the inverse of a mass that is 1 on lengths (units()), so that geometry alone counts.
  void inverse_metric(KinematicsCache& at) const;
  /// Computes the momenta P of the drift over h that begins at q with the velocities u; with dP
  /// also their slope, and in dq the motion of the end (n x n each, block after block), see
  /// Pool::drift. Returns false where a body kind cannot say so.
  bool drift(double h, const double* q, const double* u, double* P, double* dP, double* dq) const;
  /// Computes u = M^-1 P. Needs inverse_mass().
  void velocities(const KinematicsCache& at, const double* P, double* u) const;
  /// Computes rates and biases of all objects. Needs transforms().
  void rates(const double* q, const double* u, KinematicsCache& at) const;
  /// The same of those objects alone that loads act on, for add_loads() and load_power().
  void rates_at_loads(const double* q, const double* u, KinematicsCache& at) const;
  /// Computes the rate of every row, and its bias, the acceleration at u' = 0 with that of
  /// prescribed ends. Needs rates().
  void row_rates(const State& state, KinematicsCache& at, double* rate, double* bias) const;

  /// Computes the rates of the coordinates that functions follow. Needs jacobians().
  void follow(const double* u, KinematicsCache& at) const;

  /// Adds gravity to f, a covector on u; add_loads() adds the loads that depend on rates, or those
  /// that do not.
  void add_gravity(const KinematicsCache& at, double* f) const;
  void add_loads(const KinematicsCache& at, bool with_rates, double* f) const;
  /// True where gravity is the same force whatever the coordinates are.
  bool gravity_is_constant() const;
  double load_power(const KinematicsCache& at,
                    std::size_t load) const;  // power at the rates in `at` [W]
  bool loads_need_rates() const { return top_->loads_need_rates; }

  /// Adds to f, a covector on u, a force [N] on the material point x (own axes) of an object and a
  /// torque [N m], both in world axes.
  void add_wrench(int object, const Vec3& x, const Vec3& force, const Vec3& torque,
                  const KinematicsCache& at, double* f) const;

  /// Moves the bodies by their own motion over h, see Pool::flow.
  void flow(double h, const double* q, const double* P, double* q1, double* P1) const;
  void retract(const double* dq, double* q) const;
  void difference(const double* q, const double* q1, double* dq) const;

  double kinetic_energy(const double* P, const double* u) const;
  /// Of the bodies themselves, see Pool::potential; that of each block is added to `each`.
  double own_potential(const double* q, double* each = nullptr) const;
  double mass(int object) const { return mass_[static_cast<std::size_t>(object)]; }  // [kg]
  double gravity_energy(const KinematicsCache& at) const;
  double total_mass() const;  // [kg]
  /// Adds the momenta of all that moves freely (Object::moves_freely).
  void momentum(const double* q, const double* P, Vec3& linear, Vec3& angular) const;
  /// Adds the total force and the moment about the world's origin of gravity and loads on what
  /// moves freely to `f` and `m`.
  void add_outside_wrench(const KinematicsCache& at, Vec3& f, Vec3& m) const;

  joint::Ends ends(int joint, const KinematicsCache& at) const;
  int end_A(int joint) const { return model_->joints[static_cast<std::size_t>(joint)].object_A; }
  /// Returns the rows with an end that does not move freely.
  const std::vector<int>& anchored_rows() const { return top_->anchored; }
  /// Returns those of them that act on an object that moves freely as well.
  const std::vector<int>& outside_rows() const { return top_->outside; }
  const double* anchor(const KinematicsCache& at, int row) const {
    return at.anchor.data() + top_->anchor[static_cast<std::size_t>(row)];
  }
  /// Returns the mask of features of all rows of a joint.
  unsigned features(int joint) const {
    return top_->joints[static_cast<std::size_t>(joint)].features;
  }

 private:
  void make_units();
  void find_light();
  template <bool kWithJ>
  void take_sources(const Topology::JointSlot& slot, const joint::Ends& ends,
                    const joint::Sample& sample, const joint::Arc& arc, const State& state,
                    KinematicsCache& at) const;
  template <bool kWithJ>
  void couple(const State& state, KinematicsCache& at) const;
  void couple_rates(const State& state, const KinematicsCache& at, double* rate,
                    double* bias) const;
  void emit_coupling(std::size_t coupling, const joint::Coupled& h, KinematicsCache& at) const;
  void make_rates(KinematicsCache& at) const;
  void take_followed(KinematicsCache& at) const;
  double rate_of_source(std::size_t source, const double* u, const KinematicsCache& at) const;
  void put_anchor(int object, const double* motion, int row, KinematicsCache& at) const;
  template <bool kWithJ>
  void walk(const State& state, KinematicsCache& at) const;
  template <bool kWithJ>
  void walk_joint(const State& state, int joint, joint::Sample& sample, KinematicsCache& at) const;
  void joint_rates(const State& state, int joint, joint::Sample& sample, joint::SampleRates& moving,
                   KinematicsCache& at, double* rate, double* bias) const;
  void emit_jacobian(const Topology::JointSlot& slot, const Topology::Emit& emit,
                     const joint::Ends& ends, const joint::Sample& sample, int joint,
                     KinematicsCache& at) const;
  void add_motion(int object, const double* motion, const KinematicsCache& at, double* f) const;

  const Model* model_;
  const Params* params_;
  std::vector<double> derived_;
  std::vector<double> mass_;  // objects [kg]
  struct Weight {
    int v, object;  // v: offset of its force in covectors; -1: through its jacobian
    double mass;
  };
  std::vector<Weight> weights_;  // objects with mass that move
  std::shared_ptr<const Topology> top_;
  std::shared_ptr<const JointLanes> lanes_;
  std::vector<int> alone_;              // joints with rows or sources that are not in lanes
  std::vector<double> units_, length_;  // scales of unknowns; levers of blocks [m]
  double longest_ = 0;
  bool light_ = false;
};

}  // namespace trammel::model
