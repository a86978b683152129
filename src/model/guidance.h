#pragma once

#include <array>
#include <vector>

#include "model/constraint_specs.h"
#include "model/kinematics.h"

namespace trammel::model {

/// Two joints that hold one body along one track, by more rows than leave it free to run: they can
/// do so only where the track between them keeps its shape, as on a straight or in an arc.
class TightGuidance {
 public:
  /// Takes joints i and j as the state has them.
  TightGuidance(const Kinematics& kinematics, const ConstraintSpecs& specs, const State& state,
                int i, int j);

  const std::array<int, 2>& joints() const { return joints_; }
  int rows() const { return static_cast<int>(rows_[0].size() + rows_[1].size()); }
  const track::Track& track() const { return *track_; }
  double apart() const { return apart_; }
  /// How far the rows are from being met wherever the body is, with the first joint at s: of their
  /// sizes (model/scales.h).
  double left_at(double s) const;
  /// The first place between two of the first joint, in steps of way, where they cannot be met;
  /// infinite: they can.
  double first_conflict(double from, double to, double way) const;

 private:
  /// A row, the value it is held at, and what its values are compared with.
  struct Held {
    joint::Row row;
    double value, size;
  };
  static std::vector<Held> held(const Model& m, const ConstraintSpecs& specs, const State& state,
                                int joint);
  void residual(const Pose& X, double s, std::vector<joint::Arc>& arc, VecX& r) const;

  const track::Track* track_;
  std::array<int, 2> joints_;
  std::array<Pose, 2> X_A_, X_B_;  // joint frames on A and on the body
  std::array<std::vector<Held>, 2> rows_;
  double length_;     // of the mechanism [m]
  double apart_ = 0;  // s of the second less that of the first [m]
};

/// All pairs of joints of a model that are such.
std::vector<TightGuidance> tight_guidances(const Kinematics& kinematics,
                                           const ConstraintSpecs& specs, const State& state);

constexpr double kTight = 1e-9;  // rows that are further off contradict each other

}  // namespace trammel::model
