#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "body/solid.h"
#include "contact/specs.h"
#include "model/model.h"
#include "model/rank.h"
#include "model/shape.h"
#include "model/state.h"
#include "units/problem.h"

/// The builder owns every rule about what a mechanism may be, and every error text. Specs carry a
/// `path` (the key in a scene, or whatever the caller wants to see again); problems name it, and
/// all of them come at once. Everything is in SI units.
namespace trammel::model {

using body::Solid;
using body::SolidPart;
using contact::Heights;
using contact::MaterialSpec;
using ContactSpec = contact::Spec;
using ContactLawSpec = contact::LawSpec;
using ContactPairSpec = contact::PairSpec;
using ContactSpecs = contact::Specs;

/// A start on a track: the body frame at X_CB from the track frame at s, moving along at `speed`.
struct OnTrack {
  std::string track;
  double s = 0, speed = 0;  // [m], [m/s]
  bool reversed = false;    // turned half about z, facing the other way
};

/// The elasticity of an affine body has the energy stiffness * volume |A A^T - 1|^2 or, as_rigid,
/// |A - R|^2, R the rotation nearest to A; for small strains a quarter of the other.
struct Elastic {
  double stiffness = 1e8;        // [Pa]; infinite: its shape is kept by rows that hold
  std::optional<double> volume;  // [m^3]; of a solid its own
  double strain_limit = 0.02;    // beyond it runs say so
  enum class Energy : unsigned char { strain, as_rigid } energy = Energy::strain;
};

struct BodySpec {
  std::string name, path;
  double mass = 0;  // [kg]; or density [kg/m^3] with a solid
  std::optional<double> density;
  std::optional<std::array<double, 6>> inertia;  // Ixx Iyy Izz Ixy Ixz Iyz about com, body axes
  std::optional<Solid> solid;                    // its centre of mass is the body's
  Vec3 com = Vec3::Zero();                       // centre of mass in the body frame [m]
  Pose X_WB;                                     // body frame at the start; relative to on_track's
  std::optional<OnTrack> on_track;
  Vec3 v = Vec3::Zero(), w = Vec3::Zero();  // of the centre of mass, world axes
  std::optional<Elastic> affine;            // an affine body instead of a rigid one
  std::optional<body::Prescribed> motion;   // a prescribed body: no mass; X_WB0 is set from X_WB
  /// Instead of a solid: several that add up; com follows from them. A `mass` is then that of all,
  /// of one density; a `density` that of those that say nothing else.
  std::vector<SolidPart> solids = {};
  /// The surface that mass and inertia were taken from, for pictures.
  std::shared_ptr<const body::Mesh> surface = {};
  /// What pictures show instead of its solids; and the colour of both, as Shape::color.
  std::vector<Shape> shapes = {};
  std::string color = {};
  /// What of it touches others, or that its solids do; their material; and its electric colours,
  /// by name, of which two bodies must share one to touch. None given: white, which has all.
  std::vector<ContactSpec> contacts = {};
  bool solids_touch = false;
  std::string material = {};
  std::optional<std::vector<std::string>> electric = {};
};

struct RowSpec {  // options of one of the joint's own rows
  std::string row, path;
  std::optional<double> value, force_min, force_max, erp, restitution;
  bool unilateral = false;
};

/// The start of a free coordinate, or its rate, in SI. Coordinates count from the joint's frames.
struct CoordinateStart {
  double value = 0;
  std::string coordinate = {};  // empty: the joint's only one
  std::string path = {};
};

struct JointSpec {
  std::string name, path, type;
  std::shared_ptr<const joint::Table> table;  // instead of type: rows written by the user
  std::string a = "ground", b;
  std::optional<Pose> at;                // both frames, in the world, at the start
  std::optional<Pose> frame_a, frame_b;  // in the body frames of a and b
  std::optional<Vec3> p_WA, p_WB;        // instead, their origins in the world, at the start
  std::optional<Mat3> R_WF;              // axes of both in the world, at the start, whatever theirs
  std::string track;                     // of joints along a track; frame_a places it on a
  std::optional<double> s;               // about where on the track [m]
  std::vector<RowSpec> rows;
  Derail derail;
  std::vector<CoordinateStart> start, rate;         // the poses and velocities of bodies follow
  std::optional<double> strength, torque_strength;  // of its reaction [N, N m]; beyond it breaks
};

/// Two points of bodies with nothing between them but laws on their distance, its coordinate
/// `length`: give it frames or places in the world.
JointSpec between(std::string name, std::string a, std::string b);
/// The same for laws on the way from one to the other along a direction of the world at the start,
/// which turns with body a, or with b; the coordinate is called `length` likewise.
JointSpec between(std::string name, std::string a, std::string b, const Vec3& direction,
                  bool turns_with_b = false);

/// A free coordinate, or a row, of a joint.
struct CoordinateSpec {
  std::string joint, coordinate, path = {};
};

/// Couples coordinates of joints: sum a_i x_i - profile(x_n) = 0, less what it is at the start
/// where that is asked for. As a joint of one row it can be under a law instead of locked.
struct CouplingSpec {
  std::string name, path;
  std::vector<CoordinateSpec> of;                 // one to four
  std::vector<double> coefficients;               // as many; h in the unit of the first
  std::shared_ptr<const joint::Profile> profile;  // of the last
  bool from_start = true;
  RowSpec options;                   // of its row: force bounds, value
  std::string kind{};                // "screw", where it wants coordinates of certain kinds:
  std::vector<joint::Unit> takes{};  // what each is to be
};

/// The usual ones. Gears and belts turn about their axes by angles that are counted over turns.
/// a1/teeth2 = -a2/teeth1, or +a2/teeth1 with an internal gear.
CouplingSpec gear(CoordinateSpec a, CoordinateSpec b, double teeth_a, double teeth_b,
                  bool internal = false);
/// radius_a a1 = radius_b a2, or crossed = -radius_b a2 [m].
CouplingSpec belt(CoordinateSpec a, CoordinateSpec b, double radius_a, double radius_b,
                  bool crossed = false);
/// travel = pitch angle / 2 pi; pitch [m] a turn, negative: left-handed.
CouplingSpec screw(CoordinateSpec travel, CoordinateSpec angle, double pitch);
/// travel = radius angle [m].
CouplingSpec rack(CoordinateSpec travel, CoordinateSpec angle, double radius);
/// x1 + ratio x2 stays: a rope over a pulley between two lengths.
CouplingSpec pulley(CoordinateSpec a, CoordinateSpec b, double ratio = 1);
/// follower = profile(angle).
CouplingSpec cam(CoordinateSpec follower, CoordinateSpec angle,
                 std::shared_ptr<const joint::Profile> profile);
/// c0 + c1 x + c2 x^2 ...
joint::Profile polynomial(std::vector<double> coefficients);
/// The cubic spline through points, x rising: natural, straight on beyond its ends; or periodic,
/// the last point being the first again (y.back() == y.front()). Throws std::invalid_argument:
/// fewer than three points, or they do not rise, are not finite, or a periodic one does not close.
joint::Profile tabulated(std::vector<double> x, std::vector<double> y, bool periodic = false);

struct LawSpec {
  std::string name, path, type, joint, coordinate;
  std::map<std::string, double> numbers;
  std::optional<Drive> drive;
  std::shared_ptr<const law::ForceFunction> function;
  /// Greatest force that draws the coordinate down (holds parts together), and that pushes it up;
  /// beyond it the joint breaks [N, N m].
  std::optional<double> tensile_strength, compressive_strength;
  const law::Type* own_type = nullptr;    // instead of `type`: a law of the caller's own
  std::vector<std::string> further = {};  // further coordinates, of laws on several rows
  std::optional<Signal> force = {};       // of an actuator [N, N m]
  std::string load = {};  // coupling whose reaction friction follows; else the joint's own
};

/// A bushing: springs and dampers along the axes of a free joint and about them.
struct Bushing {
  Vec3 stiffness = Vec3::Zero(), damping = Vec3::Zero();                  // [N/m], [N s/m]
  Vec3 angular_stiffness = Vec3::Zero(), angular_damping = Vec3::Zero();  // [N m/rad], [N m s/rad]
};
/// Its laws by name: mount.x ... mount.yaw, those that are not zero.
std::vector<LawSpec> laws_of(const Bushing& bushing, const std::string& joint,
                             const std::string& path);

/// A type of joints that come and go while running (model/transient.h): of which rows they are, and
/// the laws on these. Where each is, and between which bodies, is said when it comes.
struct TransientSpec {
  std::string name, path, type;
  std::shared_ptr<const joint::Table> table;  // instead of type
  std::vector<RowSpec> rows;
  std::vector<LawSpec> laws;  // `joint` is left empty
};

struct LoadSpec {
  std::string name, path, body;
  std::string type = "force";  // one of law::load_types()
  law::Axes axes = law::Axes::world;
  Vec3 point = Vec3::Zero();      // in the body frame, of types that act at one [m]
  std::array<Signal, 3> value{};  // along the axes, of types that take signals
  std::map<std::string, double> numbers{};
  Mat3 R_WL = Mat3::Identity();  // of world axes: turned by that
  Vec3 p_WL = Vec3::Zero();      // where places are counted from [m]
  /// Force and torque along the axes, of type "formula"; those not given are zero.
  std::array<std::shared_ptr<const law::LoadFunction>, 6> function{};
};

/// A number from outside while running: a throttle, a command, what a controller gives. Signals
/// read it by its name: Signal::live("throttle").
struct InputSpec {
  std::string name, path = {};
  double rest = 0;                              // until it is given a value
  double least = -law::kInf, most = law::kInf;  // values that may be given
  std::string unit = "1";                       // in SI, for results
  std::string text = {};                        // what it is
  bool controlled = false;                      // a controller gives it, see sim/controllers.h
};

struct TrackSpec {
  std::string name, path;
  std::shared_ptr<const track::Track> track;
};

/// Lays a track on a body where no joint runs along it at the start.
struct LaidTrackSpec {
  std::string name, path, track, body;
  Pose X_BT;  // the track's frame in the body frame
};

/// What an object of a pool looks like and touches with, as of a BodySpec.
struct Outline {
  /// Its centre of mass, which is the object's origin, in the axes that all else is given in: these
  /// shapes, frames of joints, points of loads [m].
  Vec3 com = Vec3::Zero();
  std::vector<Shape> shapes = {};
  std::string color = {};
  std::vector<ContactSpec> contacts = {};
  std::string material = {};
  std::optional<std::vector<std::string>> electric = {};
  std::string path = {};  // empty: that of the pool and the object's name
};

/// Bodies of a kind of the caller's own: blocks with one name per object, and their state.
struct PoolSpec {
  std::shared_ptr<const body::Pool> pool;
  std::vector<std::string> objects;
  std::vector<double> params, q, u;
  std::string path = "pool";
  std::vector<Outline> outlines = {};   // one an object, or none at all
  std::string wrong = {};               // why there is no pool, where there is none
  std::vector<std::string> paths = {};  // of blocks behind the first that have one of their own

  /// Frames of its objects at q; empty where the lists do not fit the pool.
  std::vector<Pose> start() const;
};

/// Static equilibrium at the start: where forces balance, of some coordinates or of all.
struct EquilibriumSpec {
  std::vector<CoordinateSpec> of;  // empty: all whose start and rate are not given
  std::string path = "simulation.equilibrium";
};

/// A coordinate of a joint as the start has it.
struct FoundCoordinate {
  std::string name;  // "joint.coordinate"
  joint::Unit unit{};
  double value = 0;
  bool given = false;
};

/// The balance of forces at the start.
struct EquilibriumReport {
  bool wanted = false;
  int iterations = 0;
  double residual = 0, force = 0;  // greatest force left, and the greatest that acts [N]
  double stiffness = 0;            // least of those held, of 1 m or of 1 m at a body's joints [N/m]
  int motions = 0, neutral = 0;    // motions balanced; those among them that nothing holds
  std::vector<std::string> left_out;  // laws that take no part
};

/// How the start was made to fit the rows.
struct StartReport {
  double gap = 0, angle = 0;  // worst row before [m], [rad]
  std::string gap_joint;
  double moved = 0, turned = 0;  // greatest correction of a body [m], [rad]
  std::string moved_body;
  double speed_change = 0, spin_change = 0;    // of the initial velocities [m/s], [rad/s]
  std::string changed_body;                    // most
  double energy_change = 0;                    // kinetic energy of that change [J]
  double energy_given = 0, energy_missed = 0;  // of the velocities given, and of their change [J]
  std::string missed_body;                     // most of it
  int iterations = 0;
  std::vector<FoundCoordinate> coordinates;  // of joints whose bodies were placed by starts given
  EquilibriumReport equilibrium;
  Rank rank;  // at the start
  int degrees_of_freedom_nearby =
      0;  // a little way on: where it differs the start is a singular configuration
};

struct Built {
  std::shared_ptr<const Model> model;
  Params params;
  State state;
  StartReport start;
};

class Builder {
 public:
  std::string name = "scene";
  Vec3 gravity{0, 0, -9.81};
  bool assemble = false;  // move bodies so that frames meet
  /// How far frames may be apart without it [m, rad]. Empty: 1e-6, but of lengths no more than a
  /// thousandth of the mechanism's (model/scales.h), and no less than coordinates are rounded to.
  std::optional<double> tolerance;
  std::optional<EquilibriumSpec> equilibrium;
  /// Angles whose turns the state counts though no law, coupling or function is on them, as
  /// "joint.coordinate": those that sensors and controllers read. Other names are passed over.
  std::vector<std::string> counted;
  /// A model whose topology is taken where it is the same: one model of which there are variants.
  std::shared_ptr<const Model> variant_of;

  /// Handles say what was added where the built model is asked (Model::object, joint, law), in
  /// whatever order; a copy of the builder shares those handed out before.
  BodyHandle add_body(BodySpec spec);
  JointHandle add_joint(JointSpec spec);
  void add_coupling(CouplingSpec spec);
  LawHandle add_law(LawSpec spec);
  void add_load(LoadSpec spec);
  InputHandle add_input(InputSpec spec);
  void add_transient(TransientSpec spec);
  void add_track(TrackSpec spec);
  void add_laid_track(LaidTrackSpec spec);
  void add_material(MaterialSpec spec);
  void add_contact_law(ContactLawSpec spec);
  /// A shape that bodies touch, fixed in the world.
  void add_obstacle(ContactSpec spec);
  /// Bodies that joints hold to one another do not touch but where they are touching pairs.
  void add_no_contact(ContactPairSpec spec);
  void add_touching_pair(ContactPairSpec spec);
  /// A shape that stands in the world, for pictures.
  void add_scenery(Shape shape);
  std::vector<BodyHandle> add_pool(PoolSpec spec);  // one an object
  /// More blocks behind those of pools()[i], which becomes more.pool, of all of them.
  std::vector<BodyHandle> add_blocks(std::size_t i, PoolSpec more);

  /// The mechanism and its start, or everything that is wrong with it.
  std::variant<Built, std::vector<Problem>> build() const&;
  /// The same for a builder that has done its work (std::move(builder).build()): what was added is
  /// released on the way, so that large mechanisms are not there twice.
  std::variant<Built, std::vector<Problem>> build() &&;

  /// As they were added; bodies without those of pools.
  const std::vector<BodySpec>& bodies() const { return bodies_; }
  const std::vector<PoolSpec>& pools() const { return pools_; }
  const std::vector<Shape>& scenery() const { return scenery_; }
  const std::vector<ContactSpec>& obstacles() const { return contacts_.obstacles; }

 private:
  enum class Done : unsigned char;
  template <class Release>
  std::variant<Built, std::vector<Problem>> build(const Release& release) const;
  static std::uint32_t next_generation();
  std::uint32_t generation_ = next_generation();
  std::vector<BodyHandle> hand_out(PoolSpec& spec);
  std::vector<std::string> body_handles_;  // names of bodies and pools' objects, as added
  std::vector<BodySpec> bodies_;
  std::vector<JointSpec> joints_;
  std::vector<CouplingSpec> couplings_;
  std::vector<LawSpec> laws_;
  std::vector<LoadSpec> loads_;
  std::vector<InputSpec> inputs_;
  std::vector<TransientSpec> transients_;
  std::vector<TrackSpec> tracks_;
  std::vector<LaidTrackSpec> laid_;
  std::vector<PoolSpec> pools_;
  std::vector<Shape> scenery_;
  ContactSpecs contacts_;
};

}  // namespace trammel::model
