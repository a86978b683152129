#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "constraint/contact/record.h"
#include "model/quantity.h"
#include "model/reactions.h"
#include "sim/simulation.h"

namespace trammel::sim {

using model::Constants;
using model::Listing;
using model::Quantity;

/// The mechanism as a run works with it: bodies, joints, laws, gravity (docs/results.md).
std::vector<Constants> constants(const model::Built& built);
/// Points of each track's line, where the frame that carries it is: s, position p, directions along
/// t and to the left n, and how these change by s. Rows have no names.
std::vector<Constants> track_lines(const model::Model& model);

/// Returns true for a law that has channels and stands in /model/laws: one of the scene, on a
/// coordinate or on a row of a joint or coupling, or one that does work.
inline bool has_channels(const model::Model& model, const model::LawOnRow& law) {
  if (law.joint < 0) return false;
  const bool own =
      law.of_table && law.path == model.joints[static_cast<std::size_t>(law.joint)].path;
  return law.ledger >= 0 || !own;
}

/// Returns a coordinate of a joint now [m, rad]: angles with the turns that the state counts, those
/// of systems as they are among its unknowns.
double coordinate_now(const Simulation& sim, const model::KinematicsCache& now, int joint,
                      const joint::Coordinate& coordinate, int counted);

/// Where the state counts the turns of the angles of joints, for a law or a coupling; -1: nowhere.
/// For the coordinates of each joint, in order.
std::vector<int> counted_angles(const model::Model& model);

/// How a track joint runs at one instant.
struct RunningState {
  double speed = 0;            // along the track [m/s]
  double curvature = 0;        // in the plane of the track, positive to the left [1/m]
  double grade = 0;            // rise over horizontal way
  double twist = 0;            // roll of the track frame, positive with the left rail high [rad]
  double unbalanced = 0;       // v^2 curvature - g.y: acceleration felt towards the left [m/s^2]
  double cant_deficiency = 0;  // unbalanced / g times 1.5 m
};
RunningState running(const Simulation& sim, const model::KinematicsCache& now, int joint,
                     const Vec3& gravity);

/// Returns the strain of greatest magnitude among the rows of a joint that stands for one; g has
/// the values of all rows.
double greatest_strain(const model::Joint& joint, const std::vector<double>& g);

inline constexpr std::string_view kInputs = "/inputs/value";

/// Records every frame of a run. Positions are those of the body frames' origins, velocities of
/// the centres of mass, all in world axes.
class Recorder {
 public:
  explicit Recorder(const Simulation& simulation);
  /// Returns what runs of a model record; units of sensors are left out.
  static std::vector<Quantity> quantities_of(const model::Model& model, const Settings& settings);
  const std::vector<Quantity>& quantities() const { return quantities_; }
  /// The numbers of quantity i now; valid until the next call.
  const std::vector<double>& frame(std::size_t i);
  const std::vector<Listing>& lists() const { return lists_; }
  /// The rows of list i now, one after the other; valid until the next call.
  const std::vector<double>& rows(std::size_t i);
  /// Computes what several quantities share; once a frame, before frame().
  void begin_frame();
  /// Computes the parts of that which only some quantities need: rates; points of contact.
  void take(bool rates, bool points);
  /// True where what loads exert depends on rates.
  bool loads_move() const { return loads_move_; }
  /// Forgets all quantities but those of these datasets.
  void keep_only(std::span<const std::string_view> paths);
  /// Returns the joint, or the coupling's, of each item of a dataset; empty: they are of none.
  std::vector<int> joints_of(std::string_view path) const;
  const std::vector<int>& laws() const { return laws_; }  // of /laws/force
  const constraint::ContactRecord& touching() const { return touching_; }

 private:
  Recorder(const model::Model& model, const Settings& settings, const Simulation* simulation);
  using Fill = std::function<void(Recorder&)>;
  void add(Quantity quantity, Fill fill);
  void add_bodies();
  void add_joints();
  void add_momenta();
  void add_inputs();
  void add_sensors();
  void add_probes();
  void add_works();
  void add_loads();
  void add_touching(bool impulses);
  void inputs();
  void sensors();
  void position();
  void orientation();
  void velocity();
  void angular_velocity();
  void affine_maps();
  void affine_rates();
  void strains();
  void coordinates();
  void coordinate_rates();
  void momenta();
  void reactions();
  void coupling_forces();
  void law_forces();
  void add_impulses();
  void joint_impulses();
  void load_impulses();
  void load_forces();
  void load_torques();
  law::Wrench load_now(std::size_t load) const;
  void runs();
  void probes();
  void probe_positions();
  void probe_velocities();
  void probe_accelerations();
  void probe_spins();
  void probe_angles();
  Mat3 probe_axes(std::size_t probe) const;
  void energies();
  void works();
  void solver();
  Mat3 rotation(int object) const;  // the nearest to where an affine body is
  void put(const Vec3& v) { row_.insert(row_.end(), {v.x(), v.y(), v.z()}); }

  const Simulation* sim_;  // null: only names are needed
  const model::Model* model_;
  const Settings* settings_;
  std::vector<Quantity> quantities_;
  std::vector<Fill> fills_;
  std::vector<double> row_;
  std::vector<int> bodies_, affine_;  // objects recorded; of them, the affine ones
  struct Recorded {
    int joint = 0;
    const joint::Coordinate* coordinate = nullptr;
    int counted = -1;  // where the state counts its turns
  };
  std::vector<Recorded> coordinates_;
  std::vector<int> momenta_;  // velocities of systems' coordinates
  std::vector<int> track_joints_, laws_;
  std::vector<model::Reaction> reactions_;
  model::KinematicsCache at_;  // rates of objects
  bool loads_move_ = false;    // loads need rates, of objects that they act on
  std::vector<Listing> lists_;
  constraint::ContactRecord touching_;
};

}  // namespace trammel::sim
