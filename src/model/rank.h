#pragma once

#include <string>
#include <vector>

#include "model/constraint_specs.h"
#include "model/kinematics.h"

namespace trammel::model {

/// How many of the rows that hold at one pose are independent, and which are not. Of S = J W J^T, W
/// 1 on lengths and levers (Kinematics::inverse_metric), the rank is the number of pivots above
/// 1e-9 of what stood on the diagonal: rows whose rates depend on each other to 3e-5 count as
/// dependent. Rows on branches, which hang in no loop, are independent whatever their pivots
/// (solve/branches.h).
struct Rank {
  int rows = 0, unknowns = 0, rank = 0;
  int degrees_of_freedom() const { return unknowns - rank; }
  int surplus() const { return rows - rank; }

  /// Joints whose rows depend on each other, and by how many rows they hold too much. How they
  /// share their reactions is not determined; the least ones are computed.
  struct Loop {
    std::vector<int> joints;
    int surplus = 0;
  };
  std::vector<Loop> loops;
};

/// Returns which rows hold whatever force that takes: 1 for each of them, 0 for all others.
std::vector<unsigned char> rigid_rows(const Model& model, const State& state,
                                      const ConstraintSpecs& specs);
/// Returns the rank of the rows that hold unconditionally: locked, driven, rolling, velocity
/// constraints without bounds.
Rank rank_of(const Kinematics& kinematics, const State& state, const ConstraintSpecs& specs,
             KinematicsCache& at);

/// Joints that keep each other from being met: where positions cannot be, those whose rows are left
/// apart at the best compromise near the state; with its positions met, those whose rows demand
/// rates that cannot be. None: everything can be met.
struct Conflict {
  std::vector<int> joints;
  double left = 0;  // of the worst of these rows: value [m, rad] or rate [m/s, rad/s]
};
/// Brings the state to that compromise.
Conflict position_conflict(const Kinematics& kinematics, const ConstraintSpecs& specs,
                           State& state);
Conflict rate_conflict(const Kinematics& kinematics, const ConstraintSpecs& specs,
                       const State& state, KinematicsCache& at);

/// Bodies that can move without inertia and without a row that holds them (holding ones count): how
/// they move is not determined. One for each such motion.
struct Undetermined {
  int object = 0;
  std::string how;  // "turns about its x axis"
};
std::vector<Undetermined> undetermined(const Kinematics& kinematics, const State& state,
                                       const ConstraintSpecs& specs, const KinematicsCache& at);

/// Couplings that together leave coordinates no motion, as two gears of unequal ratio on one pair
/// do: these joints, and the coordinates as "joint.coordinate".
struct Stilled {
  std::vector<int> couplings;
  std::vector<std::string> coordinates;
};
/// Returns the coordinates that linear couplings hold unconditionally.
std::vector<Stilled> stilled(const Model& model, const ConstraintSpecs& specs);

/// "'a', 'b' and 'c'", of at most a dozen.
std::string names_of(const Model& model, const std::vector<int>& joints);

}  // namespace trammel::model
