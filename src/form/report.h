#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "constraint/contact/report.h"
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

/// The impulse of a row in an impact [N s, N m s].
struct RowImpulse {
  int row = 0;
  double impulse = 0;
};

/// The report of a step on itself.
struct StepReport {
  Status status = Status::ok;
  std::string reason, about;  // of a failure, see Reason
  int iterations = 0;  // Newton steps: of stage P, of position projections, or to the minimum
  int factorisations = 0;
  /// How it was made, where not as most are.
  struct Way {
    bool newton = false;  // by Newton iteration on momenta and rows together
    int parts = 0;        // number of shorter steps that it was made of, since a single one failed
    bool fallback = false;  // by the fallback, as at a singular configuration
  } way;
  bool struck = false;        // its row forces are those of an impact
  bool bounds = false;        // a bound, unilateral row, friction or event acted: order 2
  double gap = 0, angle = 0;  // greatest error of a position row at the end [m], [rad]
  double row_speed = 0;       // greatest |J u - target| at the end [m/s, rad/s]
  /// Least distance of surfaces that repel each other at the end, infinite where none do [m].
  double distance = std::numeric_limits<double>::infinity();
  double merit = 0;  // merit of the solver with bounds [m/s, rad/s]
  /// What has changed the momentum in the step.
  struct Momentum {
    Vec3 impulse = Vec3::Zero();    // linear impulse from outside [N s]
    Vec3 moment = Vec3::Zero();     // angular impulse about the world's origin [N m s]
    Vec3 corrected = Vec3::Zero();  // angular momentum changed by position corrections [N m s]
  } momentum;
  /// Impulses of each joint and load in the step where Settings::impulses asks for them, see
  /// model/reactions.h; else empty.
  std::vector<double> wrench_impulses;
  constraint::ContactReport contacts;
  std::vector<Event> events;
  /// What impacts gave: rows that closed or jumped, with what the others answered; bodies that met.
  struct Impacts {
    std::vector<RowImpulse> rows;
    std::vector<constraint::ContactImpulse> bodies;
  } impacts;
  Reached reached;

  void fail(Reason why) {
    status = Status::failed;
    reason = std::move(why.text);
    about = std::move(why.about);
  }
  void clear() {
    StepReport fresh;
    const auto keep_room = [](auto& from, auto& to) {
      from.clear();
      to.swap(from);
    };
    keep_room(events, fresh.events);
    keep_room(impacts.rows, fresh.impacts.rows);
    keep_room(impacts.bodies, fresh.impacts.bodies);
    *this = std::move(fresh);
  }

  /// Adds the impulses of rows by an impact; those that are rounding of the greatest are none.
  template <class F>
  void add_row_impulses(std::size_t rows, const F& impulse_of) {
    constexpr double kRounding = 1e-12;  // share of the greatest
    double greatest = 0;
    for (std::size_t i = 0; i < rows; ++i) greatest = std::max(greatest, std::abs(impulse_of(i)));
    for (std::size_t i = 0; greatest > 0 && i < rows; ++i)
      if (const double p = impulse_of(i); std::abs(p) > kRounding * greatest)
        impacts.rows.push_back({static_cast<int>(i), p});
  }
};

}  // namespace trammel::form
