#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "constraint/account.h"
#include "constraint/contact/step.h"
#include "constraint/contact_geometry.h"
#include "constraint/status.h"
#include "math/dense.h"

/// The law of contact in continuous time (docs/theory/contact-forces.md): forces of the points that
/// are closed, and when that changes.
///
///   closed:    gap'' = 0, p_n + c >= 0         sticking: slip' = 0, |p_t| <= mu (p_n + c)
///   open:      gap > 0                         slipping: p_t = -mu (p_n + c) slip / |slip|
///
/// Impacts are the same problem as in steps by impulses, at one instant.
namespace trammel::constraint {

/// Times Nearness::rate: a point within it is at rest.
inline constexpr double kSlowTouch = 100;

/// What a point that touches does.
enum class TouchStatus : unsigned char { idle, sticking, slipping };

/// A point that touches. An idle one carries nothing, and is not held.
struct Touching {
  contact::Point point;
  ContactGeometry geometry;
  TouchStatus status = TouchStatus::idle;
  double place = 0;       // gap that is held: that which it was closed with, where it overlaps
  bool leaves = false;    // after an impact
  bool begins = false;    // its slip does, from a rest of the one before that counts as none
  Vec3 d = Vec3::Zero();  // direction of the slip when the step began
  bool closed() const { return status != TouchStatus::idle; }
};

/// The same at an instant. Directions: n, t, s.
struct Touch {
  contact::Point point;
  ContactMotion motion;
  Vec3 t, s;
  Vec3 rate, bias, own;         // with surfaces and prescribed ends; `own` is their part of it
  Vec3 p = Vec3::Zero();        // force on B [N]
  double direction[2] = {};     // of the slip, along t and s
  double load = 0;              // p_n and cohesion [N]
  double inverse_mass = 0;      // along n [1/kg]
  double acceleration = 0;      // of the gap, with all forces [m/s^2]
  std::array<int, 2> u{}, n{};  // of both ends: first unknown, how many
  std::array<std::vector<double>, 2> c;  // 3 x n each: covectors of n, t, s
};

/// All that touch at an instant, with the problem of those that are closed.
struct Touches {
  std::vector<Touch> all;
  // of the closed ones: effective directions, the operator from forces along them to accelerations
  std::vector<std::pair<int, int>> rows;  // point, direction
  MatX W;
  dense::LeastNorm factor;
  bool wedged = false;
  double excess = -1;  // of forces that are shared: the acceleration that they cannot take away
};

/// What u makes along a direction of a point; and the covector of a force on it, added to f.
double along(const Touch& t, int direction, const double* u);
void push(const Touch& t, const Vec3& p, double* f);

class ContactForces {
 public:
  /// Makes of a covector f, forces or impulses, the change of accelerations or velocities, with all
  /// rows that hold; and the forces of these rows. Returns false where they cannot be solved.
  using Respond = std::function<bool(const std::vector<double>& f, std::vector<double>& du,
                                     std::vector<double>& rows)>;

  ContactForces(const model::Kinematics& kin, const solve::ContactOptions& options,
                Impacts impacts = Impacts::simultaneous);

  void set_scales(const Nearness& near, double h);

  /// Finds anew what touches; keeps what is closed. `after` a step: true where who is closed has to
  /// be found anew.
  bool renew(const model::KinematicsCache& at, const std::vector<double>& u);
  /// Slips are counted from their directions now.
  void begin_step(const Touches& now);
  /// Takes up a state: what its memory says was closed.
  void load(const model::State& state, const model::KinematicsCache& at,
            const std::vector<double>& u);
  void keep(const Touches& now, double h, model::State& state) const;

  /// Computes how what touches moves. Needs rates and biases.
  void evaluate(const model::KinematicsCache& at, const double* u, Touches& out) const;
  bool any_closed() const;
  /// Makes the problem of the closed points, and adds to f what is known of their forces.
  bool begin(Touches& now, const Respond& respond, double* f) const;
  /// Adds forces that take what the accelerations `a` miss, to `now` and to f. Returns the worst
  /// that they missed.
  double correct(Touches& now, const double* a, double* f) const;
  /// Ends the solve at the accelerations `a`.
  void finish(Touches& now, const double* a) const;
  /// Where closed points share their forces in many ways: looks for forces within all cones that
  /// make the same accelerations `a`, and adds their difference to f. Returns false where the
  /// forces stay.
  bool share(Touches& now, const double* a, double* f) const;

  /// Above kAlarm something changes: at the end of a step, or within it.
  double alarm(const Touches& now) const;
  double closing(const model::KinematicsCache& at) const;
  double alarm_at(const Touches& now, const model::KinematicsCache& at) const {
    return std::max(alarm(now), closing(at));
  }
  /// True where a point should change as things stand.
  bool is_alarmed(const Touches& now) const;

  /// Velocities u jump where something strikes. Returns true where it does.
  bool strikes(const Touches& now) const;
  /// What an impact does: changes of velocities, impulses of rows, works [J].
  struct Impact {
    std::vector<double> du, rows;
    Wrench outside;
    double friction = 0, drives = 0;
    std::vector<Vec3> impulses;  // of what touches, along n, t, s
  };
  bool strike(const Touches& now, double t, const Respond& respond, Impact& out);
  /// Who is closed from now on, and who sticks: accelerations a0 without contacts.
  bool decide(const Touches& now, double t, const double* a0, const Respond& respond, bool alarmed);

  /// Motions that bring closed points back to their places, or their rates to none. Returns the
  /// greatest error before.
  double misplaced(const Touches& now) const;
  bool replace(const Touches& now, const Respond& respond, std::vector<double>& dq) const;
  bool hold_rates(const Touches& now, const Respond& respond, std::vector<double>& du,
                  std::vector<double>& rows, Wrench& outside, std::vector<Vec3>& impulses) const;

  /// Adds forces or impulses along n, t, s of what touches to wrench impulses (model/reactions.h).
  void add_wrenches(const Touches& now, const std::vector<Vec3>& impulses,
                    const model::KinematicsCache& at, double* wrench_impulses) const;
  /// Adds impulses along n, t, s of what touches to a list of those between objects.
  void add_impulses(const Touches& now, const std::vector<Vec3>& impulses,
                    std::vector<ContactImpulse>& out) const;
  /// Force and moment from outside, power of friction, and power of surfaces that move.
  struct Powers {
    Wrench outside;
    double friction = 0, drives = 0;
  };
  Powers powers(const Touches& now) const;
  ContactReport report(const Touches& now);
  static void forces(const Touches& now, std::vector<ContactForce>& out);
  /// Moves the events since the last time to the end of `out`.
  void tell(std::vector<Event>& out) {
    out.insert(out.end(), events_.begin(), events_.end());
    events_.clear();
  }
  const std::vector<Touching>& touching() const { return touching_; }
  /// The longest step in which nothing passes through another [s].
  double longest_step() const;
  bool anything_near() const { return !open_.empty(); }

 private:
  const model::ContactLaw& law(const Touch& t) const { return law_of(surfaces_, t.point); }
  void find(const model::KinematicsCache& at) const;
  void take_columns(const model::KinematicsCache& at, Touch& out) const;
  Eigen::Vector2d direction_of(const Eigen::Vector2d& before, const Eigen::Vector2d& slip) const;
  double reference(const contact::Point& p) const;
  const Touching* known(const contact::Point& p) const;
  bool touches(const Touch& t) const;
  bool rests(const contact::Point& p) const;
  Wrench outside_of(const Touch& t, const Vec3& p) const;
  /// Of some points, in all directions: the motions and rows that forces along them make, and W.
  struct Operator {
    std::vector<int> points;
    std::vector<std::vector<double>> du, rows;
    MatX W;
  };
  bool make_full(const Touches& now, const Respond& respond, Operator& out) const;
  void share_anew(Touches& now, const std::vector<int>& points, const VecX& p, double* f) const;
  std::vector<solve::ContactLaw> laws(const Touches& now, const std::vector<int>& points) const;
  /// solve_dense to this tolerance [m/s^2, m/s].
  void solve(const MatX& W, const VecX& q, const std::vector<solve::ContactLaw>& how,
             double tolerance, VecX& p) const;
  double rests_below(const Touch& t) const;
  std::vector<ImpactPoint> impact_points(const Touches& now) const;
  void report_impacts(const Touches& now, const Operator& of, const VecX& p, double time);
  void report_changes(const std::vector<TouchStatus>& before, double time);

  const model::Kinematics& kin_;
  solve::ContactOptions options_;
  Impacts impacts_;
  ContactReport struck_;  // of impacts since the last report
  ContactSurfaces surfaces_;
  mutable PointFinder finder_;
  mutable std::vector<contact::Point> found_;
  std::vector<contact::Point> open_;  // near, when the step began
  std::vector<Touching> touching_;
  std::vector<double> margin_;
  Nearness near_;
  double h_ = 1e-3, scale_ = 1;  // of accelerations [m/s^2]
  bool undecided_ = false;       // cohesion may hold what touches at the start
  std::vector<Event> events_;
};

}  // namespace trammel::constraint
