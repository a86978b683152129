#pragma once

#include <string>
#include <vector>

#include "constraint/event.h"
#include "math/types.h"

namespace trammel::form {

using constraint::Event;
using constraint::EventKind;

enum class Status : unsigned char { ok, failed };

/// What a step says about itself.
struct StepReport {
  Status status = Status::ok;
  std::string reason;  // of a failure: body or joint, and what went wrong
  int iterations = 0;  // of stage P
  int factorisations = 0;
  bool newton = false;            // in momenta and rows together
  int parts = 0;                  // shorter steps that it was made of, since one did not do
  bool fallback = false;          // singular pose
  bool struck = false;            // the forces of its rows are those of an impact
  bool bounds = false;            // a bound, one-sided row, friction or event acted: order 2
  double gap = 0, angle = 0;      // worst position row at the end [m], [rad]
  double row_speed = 0;           // worst |J u - target| at the end [m/s, rad/s]
  double merit = 0;               // of the solver with bounds [m/s, rad/s]
  Vec3 impulse = Vec3::Zero();    // from outside in the step, linear [N s]
  Vec3 moment = Vec3::Zero();     // and angular about the world's origin [N m s]
  Vec3 corrected = Vec3::Zero();  // angular momentum that position corrections moved [N m s]
  /// Where Settings::impulses asks for them: of each joint and load in the step, see
  /// model/reactions.h; else empty.
  std::vector<double> pushes;
  std::vector<Event> events;

  void clear() {
    auto kept = std::move(events);
    kept.clear();
    *this = {};
    events = std::move(kept);
  }
};

}  // namespace trammel::form
