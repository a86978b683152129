#pragma once

#include <string>

#include "model/place.h"
#include "model/project.h"

namespace trammel::model {

/// Brings the bodies of a draft to where the starts given have them, and to the rates given.
class Assembly {
 public:
  Assembly(Draft& draft, const Kinematics& kinematics, ConstraintSpecs& specs, GivenRows& rows);
  const Islands& islands() const { return islands_; }

  /// Complains of starts and rates that laws or the joint's own rows do not allow.
  void check();
  /// Couplings that keep what they have at the start keep it from here, the bodies as written, or
  /// from the coordinates given where all of theirs are. Then angles are counted to the turns
  /// given, and those coupled with them. Needs the values of rows at the bodies as written.
  void count_turns(KinematicsCache& at);
  /// Places bodies along joints; loops are left open. Poses and values in `at` are new.
  void place(KinematicsCache& at);
  /// Moves the bodies until all rows are met, with the coordinates given held; they are moved
  /// there by small steps, so that loops stay on their branch.
  Projector::Position move(Projector& projector, double tolerance, KinematicsCache& at);
  /// Holds the rates given, and those to be balanced at rest, and nothing else.
  void hold_rates();
  void hold_starts();
  void hold_nothing();
  /// Coordinates of all joints whose bodies were placed, or that were balanced.
  std::vector<FoundCoordinate> found(KinematicsCache& at) const;

 private:
  void check(const Given& given, std::size_t row);
  void count_by_unknowns(KinematicsCache& at);
  void count_by_laws(KinematicsCache& at);
  void shift(int joint, const joint::Row& row, double turns, KinematicsCache& at);
  bool count_coupled(const Coupling& coupling, std::vector<unsigned char>& known,
                     KinematicsCache& at);
  const Given* given_for(int joint, const joint::Row& row) const;
  void aim(const std::vector<double>& from, double part);

  Draft* draft_;
  const Kinematics* kin_;
  ConstraintSpecs* specs_;
  GivenRows* rows_;
  Islands islands_;
};

/// "30 deg", "0.2 m".
std::string shown(double x, joint::Unit unit);

}  // namespace trammel::model
