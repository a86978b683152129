#pragma once

#include <array>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "constraint/contact/find.h"
#include "constraint/contact/report.h"
#include "constraint/event.h"
#include "constraint/forces/geometry.h"
#include "constraint/impact.h"
#include "constraint/status.h"
#include "math/dense.h"

/// The law of contact in continuous time (docs/theory/contact-forces.md): forces of the points that
/// are closed, and when that changes. Records; the functions are in constraint/forces/phases.h.
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

/// The least forces along directions that make accelerations, of each group of directions whose
/// accelerations hang on one another by itself.
class ForceFactor {
 public:
  ForceFactor() = default;
  /// Of the operator W; directions that act on no more than `none` of its greatest are apart.
  ForceFactor(const MatX& W, double none);
  Eigen::Index rank() const;
  /// Of many solutions that of equal springs, however stiff.
  VecX solve(const VecX& b) const;

 private:
  struct Group {
    std::vector<int> rows;
    dense::LeastNorm factor;
    MatX off;  // of a solution of least norm: what to leave out; empty: nothing
  };
  static MatX off_springs(const MatX& W, const dense::LeastNorm& factor, double none);
  std::vector<Group> groups_;
};

/// All that touch at an instant, with the problem of those that are closed.
struct Touches {
  std::vector<Touch> all;
  // of the closed ones: effective directions, the operator from forces along them to accelerations
  std::vector<std::pair<int, int>> rows;  // point, direction
  MatX W;
  ForceFactor factor;
  bool wedged = false;
  double excess = -1;  // of forces that are shared: the acceleration that they cannot take away
};

/// Makes of a covector f, forces or impulses, the change of accelerations or velocities, with all
/// rows that hold; and the forces of these rows. Returns false where they cannot be solved.
using ForceResponse = std::function<bool(const std::vector<double>& f, std::vector<double>& du,
                                         std::vector<double>& rows)>;

/// What is small in a step.
struct ContactScales {
  Nearness near;
  double h = 1e-3;          // [s]
  double acceleration = 1;  // [m/s^2]
};

/// Contacts of a mechanism throughout a run.
struct ContactForces {
  ContactForces(const model::Kinematics& kin, const piles::ContactOptions& options,
                Impacts impacts = Impacts::simultaneous);

  ContactSurfaces surfaces;
  piles::ContactOptions options;
  Impacts impacts;
  ContactScales scales;
  PointFinder finder;
  std::vector<double> margin;        // of the step [m]
  std::vector<contact::Point> open;  // near, when the step began
  std::vector<Touching> touching;
  bool undecided = false;              // cohesion may hold what touches at the start
  ContactReport struck;                // of impacts since the last report
  std::set<std::string> undetermined;  // pairs that could jam as well, and are told
  std::vector<Event> events;           // since the last time

  const model::Kinematics& kin() const { return surfaces.kin; }
};

}  // namespace trammel::constraint
