#pragma once

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "constraint/contact_report.h"
#include "constraint/event.h"
#include "math/types.h"

namespace trammel::form {

using constraint::Event;
using constraint::EventKind;

enum class Status : unsigned char { ok, failed };

/// Where the steps of a method had come to within one that failed; without numbers: nowhere.
struct Reached {
  double t = 0;
  std::vector<double> q, u;
};

/// Why a step has failed.
struct Reason {
  std::string text;   // what went wrong
  std::string about;  // body, joint, law or load that is the cause; empty: it is not known
};

/// The report of a step on itself.
struct StepReport {
  Status status = Status::ok;
  std::string reason, about;  // of a failure, see Reason
  int iterations = 0;  // Newton steps: of stage P, of position projections, or to the minimum
  int factorisations = 0;
  bool newton = false;    // made by Newton iteration on momenta and rows together
  int parts = 0;          // number of shorter steps that it was made of, since a single one failed
  bool fallback = false;  // made by the fallback, as at a singular configuration
  bool struck = false;    // its row forces are those of an impact
  bool bounds = false;    // a bound, unilateral row, friction or event acted: order 2
  double gap = 0, angle = 0;  // greatest error of a position row at the end [m], [rad]
  double row_speed = 0;       // greatest |J u - target| at the end [m/s, rad/s]
  /// Least distance of surfaces that repel each other at the end, infinite where none do [m].
  double distance = std::numeric_limits<double>::infinity();
  double merit = 0;               // merit of the solver with bounds [m/s, rad/s]
  Vec3 impulse = Vec3::Zero();    // linear impulse from outside in the step [N s]
  Vec3 moment = Vec3::Zero();     // angular impulse about the world's origin [N m s]
  Vec3 corrected = Vec3::Zero();  // angular momentum changed by position corrections [N m s]
  /// Impulses of each joint and load in the step where Settings::impulses asks for them, see
  /// model/reactions.h; else empty.
  std::vector<double> wrench_impulses;
  constraint::ContactReport contacts;
  std::vector<Event> events;
  Reached reached;

  void fail(Reason why) {
    status = Status::failed;
    reason = std::move(why.text);
    about = std::move(why.about);
  }
  void clear() {
    auto kept = std::move(events);
    kept.clear();
    *this = {};
    events = std::move(kept);
  }
};

}  // namespace trammel::form
