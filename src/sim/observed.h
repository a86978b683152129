#pragma once

#include <array>
#include <limits>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "form/formulation.h"
#include "model/builder.h"
#include "model/time_functions.h"
#include "sim/peaks_seen.h"
#include "sim/settings.h"

/// Observes the accuracy of a run while it goes on; sim/judgement.h makes warnings of it.
namespace trammel::sim {

class Peaks;
constexpr double kNever = std::numeric_limits<double>::infinity();

/// The history of a quantity's maximum: the values that lie a quarter above the one kept before
/// them, with their times. The scale to compare it with may become known only at the end of a run.
struct Climb {
  std::vector<double> value, t;
  double worst = 0, t_worst = 0;
  void see(double x, double at);
  /// Returns the time at which it first passed `limit`, to within that quarter. It must have passed
  /// it.
  double first_beyond(double limit) const;
};

/// The greatest value so far among many subjects, and the time at which any first passed the limit.
struct Peak {
  double worst = 0, t_worst = 0, t_first = kNever;
  int subject = -1;
  void see(double x, double limit, double at, int who);
};

/// The force of a spring from step to step: the mean square of its changes over twice its variance
/// is 1 - cos of the phase by which it goes on in a step.
struct Swing {
  long n = 0;
  double mean = 0, squares = 0 /* about the mean */, changes = 0 /* squared */, last = 0;
  double stiffness = 0;  // greatest stiffness [N/m, N m/rad]
  double t_first = kNever;
  void see(double force, double slope, double at);
  /// Returns h omega of the oscillation that the trapezoidal rule shows with that phase.
  double phase() const;
  double energy() const;     // [J]
  double amplitude() const;  // amplitude of the coordinate [m, rad]
};

/// A coordinate with stops, and how deep it penetrates them.
struct Landing {
  double last = 0;     // last value of the coordinate
  double allowed = 0;  // penetration allowed: the distance moved in the step in which it landed
  bool closed = false;
  double lo = 0, hi = 0;  // range of the coordinate
  Climb late;  // sum over rebounds of their error (1 + e) times the penetration, e the restitution
};

/// A motion given by a drive, and how well steps follow it.
struct Course {
  double lo = 0, hi = 0;
  Climb jump;  // distance moved in a step beyond what its rate explains [m, rad]
  Climb off;   // deviation from the cubic through the ends of a step [m, rad]; for rates per s
};

/// A load, or the force of a law, that is a function of time.
struct LoadWatch {
  double total = 0;               // impulse, whatever its direction [N s, N m s]
  double worst = 0, t_worst = 0;  // greatest error of one step
  Climb error;                    // sum of what the steps make of it otherwise than it is
  double place = 0;               // of a law: of its row [m, rad]
};

/// A limit of a force that is a function of the user's.
struct LimitWatch {
  double most = 0;                // greatest size [N, N m]
  double least = 0, t_least = 0;  // least value below zero
  double t_first = kNever;        // first time below zero
  double t_no_number = kNever;    // first time at which it is no number
  double place = 0;               // of its row [m, rad]
};

/// The greatest error of a row that a joint holds by a spring, in the energy formulation.
struct Sag {
  Peak share;        // of the mechanism's size, or [rad]; its subject is the row
  double value = 0;  // that error in the row's unit
};

/// Counts the frames in which a sensor has no finite value.
struct Missing {
  long frames = 0;
  double t_first = kNever;
};

/// Counts how often the velocity that a body gained in a step was lost in the next, in a mechanism
/// with light bodies.
struct Shake {
  Vec3 p = Vec3::Zero(), v = Vec3::Zero(), change = Vec3::Zero();  // [m], [m/s]
  long n = 0;
  double worst = 0, t_worst = 0, t_first = kNever;  // greatest of these changes [m/s]
};

/// What the contacts of all steps did.
struct Touches {
  long sweeps = 0, newton = 0, unsolved = 0;  // iterations; steps not solved to their tolerance
  int most = 0;                               // points that pushed in a step
  Peak merit, sunk;        // greatest error [m/s], and overlap over the extent of a shape
  Peak turned;             // greatest sine of what a normal has turned by in the step of an impact
  double depth = 0;        // greatest overlap [m]
  long impacts = 0;        // one after the other
  long met = 0, late = 0;  // pairs that have met; of these within a step that was not divided
  Peak lateness;           // the way that these would have gone on, of the extent of a shape
  Peak hurried;            // steps with so many that the rest was solved at once: how many
  double far = 0;          // work of what goes far over a shape in a step [J]
  Climb taken;             // its size
};

/// A part is a set of bodies that joints connect: a mechanism of its own.
struct Part {
  double start = 0, moved = 0;  // energy at the start; moved as in Observed [J]
  Climb residual;  // imbalance of energy beyond what the accounts common to all parts explain [J]
};

/// The energy that a joint along a track has lost in impacts at kinks.
struct KinkLoss {
  int track = -1;  // of the last one
  long count = 0;
  double energy = 0;  // [J]
};

/// The energy lost at kinks of tracks, where a direction jumps.
struct Kinks {
  std::vector<KinkLoss> joints;  // by arc
  Climb lost;                    // sum of all [J]
  double kinetic = 0;            // greatest kinetic energy so far [J]
  int passed = -1;               // arc that passed one whose loss is not known yet; -1: none
  double impacts = 0;            // account of impacts before it [J]
};

/// Holds all that is observed; it is part of checkpoints.
struct Observed {
  /// Momentum and angular momentum since the start that nothing explains, and the scales to compare
  /// them with.
  Climb momentum, moment;                                                      // [N s], [N m s]
  double momentum_scale = 0, moment_scale = 0, momentum_floor = 0, reach = 0;  // and [m]
  double moved = 0;  // greatest kinetic energy or work of a law or load so far [J]
  double floor = 0;  // part of the energies that is rounding, found where it matters [J]
  Climb residual, integrator, corrections;  // [J]
  double integrator_last = 0;               // last integrator loss, with its sign [J]
  Peak turn;                                // turn of a body in a step [rad]
  Peak counted_turn;  // turn of a body with an angle whose turns are counted [rad]
  Peak shown_turn;    // turn of a body on which something within the step depends [rad]
  Peak sunk;          // penetration of a stop, relative to what is allowed
  Peak leap;  // displacement of a body in a step beyond what its speeds explain, relative to the
              // reach
  /// Change of a coordinate's rate in a step, times the step, by how the mass of its block has
  /// changed alone [rad, of the reach].
  Peak bend;
  double bend_share = 1;  // what its coordinate moved there of the most that it had moved before
  /// The same over all steps in which the mass of a coordinate has become another one, halved: what
  /// such steps make of a passage is by chance [rad, of the reach].
  Peak chance;
  std::vector<double> chances;        // of each coordinate
  std::vector<double> inverse_mass;   // of the blocks with such coordinates, after the last step
  std::vector<double> least_inverse;  // of each coordinate so far [1/kg, 1/(kg m^2)]
  /// First joint that broke by energy while joints were soft: its force [N, N m].
  Peak soft_break;
  double soft_strength = 0;                 // strength of that joint [N, N m]
  double sunk_depth = 0, sunk_allowed = 0;  // of the deepest, relative to what is allowed [m, rad]
  long steps = 0, fallbacks = 0;
  double fallback_first = kNever, fallback_last = 0;
  std::vector<Swing> swings;
  std::vector<Landing> landings;
  std::vector<Course> courses;
  std::vector<LoadWatch> load_watches;
  std::vector<LimitWatch> limits;
  std::vector<Shake> shakes;  // of the bodies that turn; empty without light ones
  Touches touches;
  std::vector<Part> parts;          // empty where joints connect all bodies
  std::vector<Missing> no_numbers;  // of each sensor: frames in which it has no finite value
  Sag sag;
  PeaksSeen peaks;
  Kinks kinks;
};

/// Observes a run after each step of the grid.
class Watch {
 public:
  Watch(const model::Built& built, const Settings& settings);
  ~Watch();
  void begin(const form::Formulation& form, const model::State& state);
  struct Step {
    double h = 0, kinetic = 0, imbalance = 0;  // [s], [J]
    long fallbacks = 0;                        // number of fallbacks so far
    double reach = 0;                          // reach of the mechanism [m]
    bool smooth = true;                        // nothing has struck or switched in it
  };
  void see(const form::Formulation& form, const model::State& state, const Step& step);
  struct Balance {
    double h = 0, momentum = 0, moment = 0, momentum_scale = 0, moment_scale = 0, reach = 0;
  };
  /// A joint is about to pass a kink of its track, in a state before it.
  void begin_kink(int arc, int track, const model::State& state);
  /// Takes the energy lost there, once velocities have jumped: at once, or in the step after it.
  void end_kink(const model::State& state);
  void see_contacts(const constraint::ContactReport& contacts, double t);
  void see_momentum(const form::Formulation& form, const model::State& state, const Balance& b);

  Observed seen;
  std::unique_ptr<Peaks>
      peaks;  // which `seen` keeps; made by the simulation, whose channels they are

  /// The subject of an entry in the lists of `seen`.
  struct Subject {
    std::string noun, name;  // "law", its name
    int row = -1;            // row of a spring or of stops
    const Drive* drive = nullptr;
    std::string unit;
    bool rate = false;  // the drive gives a rate
  };
  /// A force, or a limit of one, that is a function of time, and where it stands in `seen`.
  struct Timed {
    model::TimedOwner::Kind kind;
    int index;                         // among the laws or the loads
    int row = -1;                      // of a law
    bool limits = false;               // a limit of what the row's force may be
    std::size_t first = 0, parts = 1;  // its LoadWatches; a load has one more, of its torque
    std::string name = {};
    std::array<std::string, 2> unit = {"N s", "N m s"};  // of an impulse of each
  };
  const std::vector<Subject>& springs() const { return springs_; }
  const std::vector<Subject>& stops() const { return stops_; }
  const std::vector<Subject>& drives() const { return drives_; }
  const std::vector<Timed>& timed() const { return timed_; }
  /// The laws whose limits are functions of the user's.
  const std::vector<int>& limited() const { return limited_; }
  const model::Params& params() const { return params_; }
  /// Returns the size of the mechanism, see greatest_arm() [m].
  double size() const { return size_; }
  /// Fit says how the joints changed the initial velocities given: energy of the change and of the
  /// velocities [J], and the body changed most.
  struct Fit {
    double changed = 0, energy = 0;
    std::string body;
  };
  const Fit& fit() const { return fit_; }
  /// True for a joint whose rows depend on those of others at the start: its share of the load is
  /// not determined.
  bool shares(int joint) const { return shared_.contains(joint); }
  int shaken(std::size_t shake) const { return turning_[shake].object; }
  /// Returns the name of the first body of a part.
  const std::string& body_of(std::size_t part) const;
  /// True where steps of the grid are those of the method.
  bool steps_are_the_grids() const { return grid_; }
  /// Returns the share of the energies that their residual may be.
  double residual_share() const { return residual_share_; }

 private:
  void find_subjects();
  void find_timed();
  void find_turning();
  void find_soft_rows(const Settings& settings);
  void see_energies(const form::Formulation& form, const model::State& state, const Step& step);
  double rounding(const form::Formulation& form, const model::State& state, double kinetic) const;
  void find_charts(const form::Formulation& form);
  struct Chart {
    int v, n, mass, first;  // velocities; place of its inverse mass, there and in `seen`
    int coordinate;         // the first one's number among those of all charts
    int dials;              // the object that stands for its first coordinate; or any
    std::vector<unsigned char> is_angle;
  };
  struct Inverse {  // mass of a coordinate, before and after a step to t
    double before, after, t;
  };
  void see_bend(const Chart& c, int i, double turn, const Inverse& mass);
  void see_charts(const form::Formulation& form, const model::State& state, const Step& step);
  void see_turns(const form::Formulation& form, double t, double h);
  void see_sag(const form::Formulation& form, const model::State& state);
  void see_shakes(const form::Formulation& form, const model::State& state, const Step& step);
  double leap(const double* u, const Shake& before, const Vec3& p, double h) const;
  void see_springs(const form::Formulation& form, const model::State& state);
  void see_stops(const form::Formulation& form, const model::State& state);
  void see_drives(double t, double h);
  struct CollectTimed;
  class TimedForce;
  void see_timed(const form::Formulation& form, const model::State& state, double h);
  void see_limits(const form::Formulation& form, const model::State& state, double h);
  void keep_places(const form::Formulation& form);
  void see_prescribed_turns(double t, double h);
  class Within;
  void see_fast_turns(const form::Formulation& form, const model::State& state, const Step& step);
  void find_parts(const Settings& settings);
  void energies_of_parts(const form::Formulation& form, const model::State& state,
                         std::vector<double>& kinetic, std::vector<double>& total);
  void see_parts(const form::Formulation& form, const model::State& state);

  std::shared_ptr<const model::Model> model_;
  model::Params params_;
  Fit fit_;
  std::set<int> shared_;    // joints of redundant loops
  double joint_stiffness_;  // by energy, of joints that are springs; else infinite
  double residual_share_;   // of energies, see residual_share()
  double tolerance_;        // precision to which positions of rows are known [m, rad]
  double size_;             // [m] of the mechanism itself, at any distance from the origin
  bool grid_ = true, by_impulses_ = false;
  bool means_ = false;  // steps take means of forces over the time (law::Span)
  struct Turning {
    int q, v, object;
    body::MotionKind motion_kind;
    bool counted;
  };
  std::vector<Turning> turning_;
  /// A block that carries objects in its own coordinates, by impulses.
  std::vector<Chart> charts_;
  struct Carried {  // an object in a block's own coordinates
    int object, jacobian, v, n;
    bool counted;
  };
  std::vector<Carried> carried_;
  std::vector<Subject> springs_, stops_, drives_;
  std::vector<Timed> timed_;
  std::vector<int> limited_;    // laws
  std::vector<int> soft_rows_;  // of joints, by energy held by springs
  struct FastTurn {
    int object;
    double turn;  // in the step [rad]
  };
  std::vector<FastTurn> fast_;     // of this step
  model::KinematicsCache within_;  // the mechanism within a step with such turns
  std::vector<int> part_of_object_, part_of_block_, part_of_law_;  // -1: none
  std::vector<double> own_;                                        // potential of each block [J]
  std::vector<double> part_kinetic_, part_total_, part_works_;
};

}  // namespace trammel::sim
