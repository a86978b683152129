#pragma once

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "sim/simulation.h"

namespace trammel::verify {

/// How far apart two things are: greatest distance [m] and angle [rad] of any body.
struct Distance {
  double length = 0, angle = 0;
  int length_body = 0, angle_body = 0;  // which bodies, see Samples::object
  void take(const Distance& other);     // the greater of each
  /// One number: lengths as parts of `size` [m].
  double scaled(double size) const { return std::max(length / size, angle); }
};

/// An impact of two bodies in a run.
struct Impact {
  std::string pair;   // "ball, ground"
  double t = 0;       // [s]
  double speed = 0;   // [m/s]
  double window = 0;  // by how much this impact alone may be off [s]
  double late = 0;    // how far its bodies may be off before it, as earlier impacts are off [m]
};

/// Watches the impacts of a run by steps, at whose ends surfaces are met and stops throw back what
/// runs into them (those without restitution hold it where it met them). An impact is so late by a
/// window of up to one step, in which bodies move on at a velocity c between those before it, v-,
/// and after it, v+; what follows is the same motion, as much later. So a body is off by
///
///   window |c - v(t)| <= window max(|v- - v(t)|, |v+ - v(t)|)                                  (1)
///
/// for every impact before t that it may know of. What the later motion makes of that beyond the
/// delay is not in it.
///
/// Where a force jumps within a step, by a contact that opens, closes, sticks or slips, the impulse
/// is as it must be but acts at the ends of the step, f and 1 - f of it off: the body is off by
///
///   h^2 |jump of acceleration| min(f, 1 - f)^2/2 <= h^2 |jump|/8 (2)
///
/// The part f is as good as random in every run: so the greatest error counts, by the second
/// differences of velocities in this step and the next.
class Shocks {
 public:
  Shocks(const model::Built& built, const sim::Settings& settings, const std::vector<int>& object);

  /// Before and after each step of the grid, and at each time that is compared.
  void before(const sim::Simulation& run);
  void after(sim::Simulation& run);
  void see(const sim::Simulation& run);

  std::vector<Impact> impacts;  // in the order of time; not more than a thousand
  std::vector<Distance> late;   // (1) and (2), at each time seen
  double first = std::numeric_limits<double>::infinity();  // from when on one may be missed [s]
  double first_strike = std::numeric_limits<double>::infinity();  // the first one, of stops too [s]

 private:
  struct Rate {
    Vec3 v = Vec3::Zero(), w = Vec3::Zero();
  };
  /// Of one step: the rates before and after it of all bodies.
  struct Shock {
    int group = 0;  // whose bodies know of it: a body of it
    double t = 0, window = 0;
    std::vector<Rate> before, after;
  };
  /// Those that are too many to be kept: window max(|v-|, |v+|), and the windows, summed.
  struct Folded {
    Distance sum;
    double windows = 0;
  };

  std::vector<Rate> rates(const sim::Simulation& run, const std::vector<double>& u) const;
  void join(int object_a, int object_b);
  int group(int body) const;
  double window(double speed) const;
  double windows(int body) const;
  Distance off(std::size_t body, const Rate& now) const;
  void watch(const std::vector<double>& u, bool struck);
  void find_rebounding(const model::Built& built);
  bool counts(const form::Event& event) const;
  std::vector<int> bodies_of(const form::Event& event) const;
  void strike(const sim::Simulation& run, const std::vector<form::Event>& met);
  void fold();

  const model::Model& model_;
  std::vector<int> object_, body_;  // of each body; of each object, -1: it is none
  std::map<std::string, int> named_;
  std::set<std::string> named_joints_;
  std::map<std::string, int> rebounding_;  // joints with stops of some restitution: a body of each
  mutable std::vector<int> parent_;
  bool touches_ = false, strikes_ = false;  // bodies have shapes; or stops throw back
  bool late_ = false;
  double h_ = 0, reach_ = 0;
  std::vector<double> extent_;  // of each body: how far its shapes reach from its origin [m]
  std::vector<double> u_, times_;
  int calm_ = 0;                     // steps since there was no velocity before, or an impact
  std::vector<Rate> change_, bend_;  // of the last step: of velocities, and its own change
  Distance kink_;                    // (2)
  std::vector<Shock> shocks_;
  std::vector<Folded> folded_;
};

}  // namespace trammel::verify
