#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "form/meter.h"
#include "model/builder.h"
#include "sim/simulation.h"
#include "verify/impacts.h"
#include "verify/reactions.h"

namespace trammel::verify {

/// Common times of all runs: `count` of them, `stride` steps of h apart, from the start on, which
/// is not among them.
struct Grid {
  double h = 1e-3;  // the scene's step [s]
  long stride = 1, count = 1;
  double apart() const { return static_cast<double>(stride) * h; }         // [s]
  double horizon() const { return static_cast<double>(count) * apart(); }  // [s]
  /// Steps of h in a step of a method that chooses its own within it; divides the stride.
  long coarse() const;
};
/// Some forty times up to the horizon [s] or a little before.
Grid make_grid(double h, double horizon);

/// Holds what a run leaves: poses of all bodies that move freely, at the times of a grid.
struct Samples {
  std::vector<int> object;      // of the model, each body
  std::vector<Pose> X;          // time after time; shorter where the run ended early
  std::vector<double> taken;    // by the scheme of an energy formulation, so far, each time [J]
  std::vector<int> may_stick;   // rows of frictions and bounded motors, see sticking.h
  std::vector<double> slip;     // of each of these, each time [m/s, rad/s]
  std::vector<Impact> impacts;  // of bodies with each other
  std::vector<Distance> late;   // what impacts at the ends of steps leave uncertain, each time
  double first_impact = std::numeric_limits<double>::infinity();  // may be from here on [s]
  double first_strike = std::numeric_limits<double>::infinity();  // the first, of stops too [s]
  ReactionSamples reactions;
  sim::Summary summary;
  double cpu = 0;            // [s]
  double work = 0;           // counted, see form::Meter
  double arm = 0;            // of the mechanism (model/scales.h) [m]
  double reach = 0;          // how far the mechanism reaches from its own centre [m]
  double far = 0;            // greatest coordinate of a body, from the world's origin [m]
  double rounding = 0;       // what places are known to, so far from there [m]
  double step = 0;           // [s]
  double t0 = 0, apart = 0;  // when it began, from one time of the grid to the next [s]
  double force = 0;          // of all laws that say how strong they are, at the end [N, N m]
  double mass = 0;           // of all bodies [kg]
  double weight = 0;         // of all bodies, and
  double energies = 0;       // energies that are added up, places taken from that centre [N], [J]
  std::string failure;       // why it ended early
  model::State moving;       // at the first of the times at which anything moved
  bool enough = false;       // it ended early for the work it took,
  bool cut = false;          // or since the watch said so
  long moving_at = -1;       // which one; -1: none
  long count() const;
  const Pose* at(long k) const { return X.data() + k * static_cast<long>(object.size()); }
};

/// Who wants to see how far it is, and may end it: `over` is asked often, also within steps.
struct Watch {
  std::function<bool()> over;
  std::function<void(const std::string& what, double part)> show;
};

/// How much a run may cost [units of form::Meter], who watches it, and what it is.
struct Cap {
  double most = std::numeric_limits<double>::infinity();
  const Watch* watch = nullptr;
  std::string what;
  bool over() const { return watch && watch->over && watch->over(); }
};

/// Returns what steps of these settings cost.
form::Meter::Costs costs_of(const model::Built& built, const form::Settings& settings);

/// A meter set up for a run, in the settings that the run is made with.
class Metered {
 public:
  Metered(const model::Built& built, sim::Settings& settings, const Cap& cap);
  Metered(const Metered&) = delete;  // the settings point into it
  Metered& operator=(const Metered&) = delete;
  void follow(const sim::Simulation& run) { run_ = &run; }
  form::Meter meter;

 private:
  const sim::Simulation* run_ = nullptr;
};

/// Bodies that move freely. Dials of systems are none: one pose may have several coordinates, as
/// behind the pole of a chart.
std::vector<int> free_bodies(const model::Model& model);

/// One run with the step of the settings, seen every `every` steps; ends early, with the reason,
/// when numbers go bad, or when it has cost more than it may. Of the objects given, or of all that
/// move freely.
Samples sample(const model::Built& built, sim::Settings settings, long every, long count,
               const Cap& cap = {}, const std::vector<int>& compared = {});

/// Returns the error of positions that are met to `tolerance` [m], in a mechanism whose
/// coordinates are up to `far`: formulations ask for no more than 1e-15 of these.
double place_rounding(double tolerance, double far);

/// Appends the poses of these objects.
void append_poses(const sim::Simulation& run, const std::vector<int>& object,
                  std::vector<Pose>& out);

/// Greatest distances between two lists of as many poses.
Distance apart(const Pose* a, const Pose* b, std::size_t n);

}  // namespace trammel::verify
