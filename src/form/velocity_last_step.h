#pragma once

#include <cstddef>
#include <vector>

#include "model/reactions.h"

namespace trammel::form::velocity {

/// What the rows did in the last step, with the poses where they did it, so that reactions can be
/// computed when somebody asks for them.
///
/// Multipliers belong to a pose: L acts along J(q), m along J(q+) (docs/theory/velocity.md), and
/// rows whose directions turn with a body have turned by then. The wrench of each is therefore
/// taken at its own pose. A composed step, or one made of shorter ones, has several parts.
class LastStep {
 public:
  /// A part of a step: the poses at its start, the impulses of the rows there and at its end.
  struct Part {
    model::KinematicsCache at;             // T_WO and arc alone
    std::vector<double> at_start, at_end;  // [N s, N m s]
    double h = 0;                          // [s]
  };

  /// A new step begins: the next part replaces the parts of the step before.
  void begin() { begun_ = true; }
  /// Returns how many parts the step has so far.
  std::size_t parts() const { return begun_ ? 0 : n_; }
  /// Forgets all parts but the first `parts`: the others have failed.
  void back_to(std::size_t parts);
  /// Adds a part of h [s] with room for the impulses of `rows` rows.
  Part& add(std::size_t rows, double h);

  /// Computes the mean force of each row over the whole step.
  void mean_forces(std::vector<double>& out) const;
  /// Returns the reaction of a joint, the mean over the step of its components in the frame that
  /// model::Reaction names, as that frame moves. `end` has the pose at the end of the step. Zero
  /// where no step has been made.
  model::Reaction reaction(const model::Kinematics& kinematics, const model::KinematicsCache& end,
                           std::size_t joint) const;

 private:
  double duration() const;

  std::vector<Part> parts_;  // more than there are keep their room
  std::size_t n_ = 0;
  bool begun_ = false;
};

/// Moves the pose at the start of a part from `start`, which gets other room in its place.
void take_pose(model::KinematicsCache& start, LastStep::Part& part);

}  // namespace trammel::form::velocity
