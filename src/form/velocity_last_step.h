#pragma once

#include <cstddef>
#include <vector>

#include "constraint/contact/step.h"
#include "model/reactions.h"

namespace trammel::form::velocity {

/// What the rows did in the last steps, with the poses where they did it, so that reactions can be
/// computed when somebody asks for them.
///
/// Multipliers belong to a pose: L acts along J(q), m along J(q+) (docs/theory/velocity.md), and
/// rows whose directions turn with a body have turned by then. The wrench of each is therefore
/// taken at its own pose. A composed step, one made of shorter ones, or a step of the grid that
/// events divide has several parts: forces are means over all of them, since a part that is very
/// short has impulses of rounding, which would be any force over its own length.
class LastStep {
 public:
  /// A part of a step: the poses at its start, the impulses of the rows there and at its end.
  struct Part {
    model::KinematicsCache at;                     // T_WO and arc alone
    std::vector<double> at_start, at_end;          // [N s, N m s]
    std::vector<constraint::PointImpulse> points;  // of contact
    double t = 0, h = 0;                           // when it starts, how long it is [s]
    bool struck = false;                           // an impact is among its impulses
  };

  /// A new step begins at t [s]; means are taken from `since` on, if that is before. Parts that
  /// began earlier, or not before t (of a step that was not kept), are forgotten once it has one.
  void begin(double t, double since);
  /// Returns how many parts the step has so far.
  std::size_t parts() const { return own_; }
  /// Forgets all parts of the step but the first `parts`: the others have failed.
  void back_to(std::size_t parts);
  /// Adds a part from t to t + h [s], with room for the impulses of `rows` rows.
  Part& add(std::size_t rows, double t, double h);
  /// True where means are taken over more than one part.
  bool divided() const { return n_ > 1; }
  /// True where the impulses of any part have an impact among them.
  bool struck() const;

  /// Computes the mean force of each row over all parts.
  void mean_forces(std::vector<double>& out) const;
  /// Computes the mean forces at all points of contact that pushed, each where it was last.
  void mean_point_forces(std::vector<constraint::ContactForce>& out) const;
  /// Returns the reaction of a joint, the mean over all parts of its components in the frame that
  /// model::Reaction names, as that frame moves. `end` has the pose at the end of the last one.
  /// Zero where no step has been made.
  model::Reaction reaction(const model::Kinematics& kinematics, const model::KinematicsCache& end,
                           std::size_t joint) const;

 private:
  double duration() const;
  void forget_others();

  std::vector<Part> parts_;      // more than there are keep their room
  std::size_t n_ = 0, own_ = 0;  // parts in all, and of this step
  double t_ = 0, since_ = 0;     // [s]
};

/// Moves the pose at the start of a part from `start`, which gets other room in its place.
void take_pose(model::KinematicsCache& start, LastStep::Part& part);

}  // namespace trammel::form::velocity
