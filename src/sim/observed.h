#pragma once

#include <limits>
#include <span>
#include <string>
#include <vector>

#include "form/formulation.h"
#include "model/builder.h"
#include "sim/settings.h"

/// What a run shows of its own accuracy while it goes on; sim/judgement.h makes warnings of it.
namespace trammel::sim {

constexpr double kNever = std::numeric_limits<double>::infinity();

/// How the greatest so far of a quantity rose: the values that lie a quarter above the one kept
/// before them, with their times. What it is measured by may become known only at the end of a run.
struct Climb {
  std::vector<double> value, t;
  double worst = 0, t_worst = 0;
  void see(double x, double at);
  /// When it first passed `limit`, which it has, to within that quarter.
  double first_beyond(double limit) const;
};

/// The greatest so far of many; when any first passed the limit.
struct Peak {
  double worst = 0, t_worst = 0, t_first = kNever;
  int subject = -1;
  void see(double x, double limit, double at, int who);
};

/// The force of a spring from step to step: the variance of its changes beside its own is the
/// cosine of the angle by which it goes on in a step.
struct Swing {
  long n = 0;
  double mean = 0, squares = 0 /* about the mean */, changes = 0 /* squared */, last = 0;
  double stiffness = 0;  // the greatest [N/m, N m/rad]
  double t_first = kNever;
  void see(double force, double slope, double at);
  /// h omega of an oscillation that the trapezoidal rule shows so.
  double phase() const;
  double energy() const;     // [J]
  double amplitude() const;  // of the coordinate [m, rad]
};

/// A coordinate with stops.
struct Landing {
  double last = 0;     // of the coordinate
  double allowed = 0;  // how deep it may be: as far as it went in the step in which it landed
  bool closed = false;
  double lo = 0, hi = 0;  // between which it went
  Climb late;             // what all that was thrown back is off, as it sank in before
};

/// A given motion.
struct Course {
  double lo = 0, hi = 0;
  Climb jump;  // by how much it went farther in a step than its rate has it [m, rad]
  Climb off;   // how far between the ends of steps from where these have it [m, rad], of rates a s
};

/// A load that is a function of time.
struct Push {
  double total = 0;               // impulse, whatever its direction [N s, N m s]
  double worst = 0, t_worst = 0;  // greatest error of one step
  Climb error;                    // trapezoidal rule beside Simpson's, so far
};

/// The velocity of a body in a mechanism with light ones, from step to step: how often what it
/// gained in a step was lost in the next.
struct Shake {
  Vec3 p = Vec3::Zero(), v = Vec3::Zero(), change = Vec3::Zero();  // [m], [m/s]
  long n = 0;
  double worst = 0, t_worst = 0, t_first = kNever;  // of the changes [m/s]
};

/// Bodies that joints lead to from each other: a mechanism of its own.
struct Part {
  double start = 0, moved = 0;  // energy at the start; as Observed::moved [J]
  Climb residual;               // beyond what accounts of nobody's in particular explain [J]
};

/// All that is gathered; part of checkpoints.
struct Observed {
  /// Momentum and its moment that nothing explains, since the start, and what they are measured by.
  Climb momentum, moment;                                                      // [N s], [N m s]
  double momentum_scale = 0, moment_scale = 0, momentum_floor = 0, reach = 0;  // and [m]
  double moved = 0;  // greatest kinetic energy or work of a law or load so far [J]
  double floor = 0;  // what of energies is rounding, where it matters [J]
  Climb residual, integrator, corrections;  // [J]
  double integrator_last = 0;               // with its sign [J]
  Peak turn;                                // of a body in a step [rad]
  Peak counted_turn;                        // of one with an angle whose turns are counted [rad]
  Peak sunk;                                // times what is allowed
  Peak leap;  // of a body in a step beyond what its speeds explain, of the reach
  double sunk_depth = 0, sunk_allowed = 0;  // of the worst [m, rad]
  long steps = 0, fallbacks = 0;
  double fallback_first = kNever, fallback_last = 0;
  std::vector<Swing> swings;
  std::vector<Landing> landings;
  std::vector<Course> courses;
  std::vector<Push> pushes;
  std::vector<Shake> shakes;  // of the bodies that turn; none without light ones
  std::vector<Part> parts;    // none where all hangs together
};

/// Looks at a run after each step of the grid.
class Watch {
 public:
  Watch(const model::Built& built, const Settings& settings);
  void begin(const form::Formulation& form, const model::State& state);
  struct Step {
    double h = 0, kinetic = 0, imbalance = 0;  // [s], [J]
    long fallbacks = 0;                        // so far
    double reach = 0;                          // of the mechanism [m]
    bool smooth = true;                        // nothing has struck or switched in it
  };
  void see(const form::Formulation& form, const model::State& state, const Step& step);
  struct Balance {
    double h = 0, momentum = 0, moment = 0, momentum_scale = 0, moment_scale = 0, reach = 0;
  };
  void see_momentum(const form::Formulation& form, const model::State& state, const Balance& b);

  /// Of one step.

  Observed seen;

  /// What the lists of `seen` are of.
  struct Subject {
    std::string noun, name;  // "law", its name
    int row = -1;            // of a spring, of stops
    const Drive* drive = nullptr;
    std::string unit;
    bool rate = false;  // it is a rate that is given
  };
  const std::vector<Subject>& springs() const { return springs_; }
  const std::vector<Subject>& stops() const { return stops_; }
  const std::vector<Subject>& drives() const { return drives_; }
  const std::vector<int>& loads() const { return loads_; }
  const model::Params& params() const { return params_; }
  /// What joints made of the velocities given: energy of the change and of those [J], the body
  /// most.
  struct Fit {
    double changed = 0, energy = 0;
    std::string body;
  };
  const Fit& fit() const { return fit_; }
  int shaken(std::size_t shake) const { return turning_[shake].object; }
  /// The first body of a part.
  const std::string& body_of(std::size_t part) const;
  /// Whether steps of the grid are those of the method.
  bool steps_are_the_grids() const { return grid_; }

 private:
  void find_subjects();
  void find_turning();
  void see_energies(const form::Formulation& form, const model::State& state, const Step& step);
  double rounding(const form::Formulation& form, const model::State& state, double kinetic) const;
  void see_turns(const form::Formulation& form, double t, double h);
  void see_shakes(const form::Formulation& form, const model::State& state, const Step& step);
  double leap(const double* u, const Shake& before, const Vec3& p, double h) const;
  void see_springs(const form::Formulation& form, const model::State& state);
  void see_stops(const form::Formulation& form, const model::State& state);
  void see_drives(double t, double h);
  void see_loads(double t, double h);
  void find_parts(const Settings& settings);
  void weigh_parts(const form::Formulation& form);
  void energies_of_parts(const form::Formulation& form, const model::State& state,
                         std::vector<double>& kinetic, std::vector<double>& total) const;
  void see_parts(const form::Formulation& form, const model::State& state);

  std::shared_ptr<const model::Model> model_;
  model::Params params_;
  Fit fit_;
  double tolerance_;  // what positions of rows are known to [m, rad]
  bool grid_ = true;
  struct Turning {
    int q, v, object;
    bool affine, counted;
  };
  std::vector<Turning> turning_;
  std::vector<Subject> springs_, stops_, drives_;
  std::vector<int> loads_;
  std::vector<int> part_of_object_, part_of_law_;  // -1: of none
  std::vector<double> weight_;                     // of each block, three numbers [N]
  std::vector<double> part_kinetic_, part_total_, part_works_;
};

}  // namespace trammel::sim
