#pragma once

#include <memory>
#include <vector>

#include "model/constraint_specs.h"
#include "model/kinematics.h"
#include "solve/active_set.h"
#include "solve/direct.h"
#include "solve/saddle.h"

namespace trammel::model {

/// Projects a state onto its rows by mass-weighted corrections: least |dq|_M, least |du|_M. Both
/// are outside the step; whoever calls them reports what they moved.
class Projector {
 public:
  explicit Projector(const Kinematics& kinematics);

  /// Elastic bodies are moved without being strained.
  void keep_shapes() { shapes_ = true; }
  /// position() counts turns along its way, however far that is.
  void follow_turns() { follows_ = true; }

  struct Position {
    int iterations = 0;
    double residual = 0;  // greatest that is left of a row: of its size (model/scales.h)
    int worst = -1;       // that row
    bool converged = false;
    std::vector<double> displacement;  // sum of corrections, in the axes of u
  };
  /// Projects the positions by Newton iteration on the position rows until |g - c| <= tolerance, of
  /// each row's size (model/scales.h).
  /// Slipping rows are left out, and unilateral ones unless they are penetrated.
  Position position(const ConstraintSpecs& specs, double tolerance, State& state,
                    KinematicsCache& at);

  struct Velocity {
    double energy_lost = 0;        // 1/2 |du|_M^2 [J]
    std::vector<double> change;    // du
    std::vector<double> impulses;  // impulses of the rows [N s, N m s]
  };
  enum class Stops : unsigned char { impact, left };
  /// Makes J u = c' - g_t on position rows, as an impact: a row whose force is bounded takes no
  /// part in it and slides; closed unilateral rows rebound by their restitution, or are left as
  /// they are. Needs rows and Jacobians at the state's coordinates in `at`.
  Velocity velocity(const ConstraintSpecs& specs, State& state, KinematicsCache& at,
                    Stops stops = Stops::impact);
  /// With light bodies, computes the velocities u from the state's momenta and the rows that hold.
  /// Returns false where these do not determine them.
  bool velocities(const ConstraintSpecs& specs, const State& state, const KinematicsCache& at,
                  std::vector<double>& u);

 private:
  bool hold_rates(const ConstraintSpecs& specs, const State& state, const KinematicsCache& at);
  void throw_back(const ConstraintSpecs& specs, const KinematicsCache& at,
                  const std::vector<double>& u);
  bool exact(const State& state, const KinematicsCache& at, std::vector<double>& u,
             std::vector<double>& impulses);

  const Kinematics* kin_;
  solve::Direct direct_;
  std::unique_ptr<solve::Saddle> saddle_;  // made where there are light bodies
  std::vector<double> mass_, turn_;        // n x n numbers per block
  bool shapes_ = false, follows_ = false;
  std::vector<double> zero_, r_, x_, f_, u_, lo_, hi_;
  std::vector<double> size_;      // of each row
  std::vector<double> farthest_;  // motion of a Newton step, of each unknown
  std::vector<unsigned char> active_;
};

/// True for a row that solvers must hold: on, specified at position level or by stops, not
/// displaced by force.
bool holds(const Model& model, const State& state, const ConstraintSpecs& specs, std::size_t row);
/// A unilateral row is closed where its gap is no greater than this.
constexpr double kClosed = 1e-10;  // of ConstraintSpec::size
/// A unilateral row deeper than this below its stop keeps its depth in a step, and positions are
/// corrected.
constexpr double kPenetrated = 1e-9;  // of ConstraintSpec::size

}  // namespace trammel::model
