#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "body/pool.h"
#include "body/prescribed.h"
#include "joint/coupling.h"
#include "joint/table.h"
#include "law/law.h"
#include "law/load.h"
#include "model/contact.h"
#include "model/scales.h"
#include "track/track.h"

/// A built mechanism: topology and tables, constant. Numbers that may vary between runs are Params;
/// what a step changes is State, with the values of the inputs, which come in from outside.
namespace trammel::model {

/// The builder returns a handle for what is added: Model::object, joint and law turn it into an
/// index of the model that was built. Generation zero is null; else it is the builder's, so that a
/// handle of another mechanism is found out.
template <class Tag>
struct Handle {
  std::uint32_t index = 0, generation = 0;
  explicit operator bool() const { return generation != 0; }
  friend bool operator==(const Handle&, const Handle&) = default;
};
using BodyHandle = Handle<struct BodyTag>;
using JointHandle = Handle<struct JointTag>;
using LawHandle = Handle<struct LawTag>;
using InputHandle = Handle<struct InputTag>;

/// Says where a pool's blocks begin in the flat arrays.
struct PoolSlot {
  std::shared_ptr<const body::Pool> pool;
  int block = 0, object = 0, q = 0, v = 0, param = 0, derived = 0, jacobian = 0;
};

struct Block {
  int pool = 0, index = 0;  // index within the pool
  int q = 0, v = 0, n = 0;  // offsets of coordinates and velocities; number of velocities
};

/// Joints attach to objects. Object 0 is the ground.
struct Object {
  std::string name;
  body::MotionKind motion_kind{};
  int block = -1;                   // -1: no unknowns (ground, prescribed)
  int pool = -1, index = 0;         // within the pool
  int jacobian = -1;                // offset of dmotion/du; -1: the object is its block
  bool moved = false;               // it moves as a given function of time, see Model::prescribed
  double strain_limit = law::kInf;  // runs report a strain beyond it, in any direction
  Vec3 com = Vec3::Zero();  // centre of mass (the object's origin) in the body frame of the scene
  bool at_rest() const { return block < 0 && !moved; }
  /// Its momentum changes by what rows, loads and contacts exert alone. One that is not its block
  /// is held to its coordinates by the world: it counts like what has no unknowns.
  bool moves_freely() const { return block >= 0 && jacobian < 0; }
};

/// An object that moves as a given function of time.
struct Moved {
  int object = 0;
  body::Prescribed motion;
};

/// Displacements at which a track joint lets go (inf: never). Lengths [m], angles [rad].
struct Derail {
  double lateral = law::kInf, vertical = law::kInf, roll = law::kInf, pitch = law::kInf,
         yaw = law::kInf;
  bool any() const;
};

struct Joint {
  std::string name, path;
  std::shared_ptr<const joint::Table> table;
  int object_A = 0, object_B = 0;
  Pose X_OA, X_OB;  // joint frames on their objects
  int track = -1;   // the track that frame A carries
  int laid = -1;    // the same as it lies on its body; State::laid says which while running
  int arc = -1;     // index into State::s
  Derail derail;
  int first_row = 0;  // the first of the table's rows, which are locked unless a law says otherwise
  int coupling = -1;  // the coupling that the joint stands for; it has no objects of its own
  // it stands for the strain of an affine body
  bool strain() const { return object_A == object_B && coupling < 0; }
};

/// A free coordinate of a joint that couplings are made of, or that force functions follow.
struct Source {
  int joint = 0;
  joint::Row row;
  double sign = 1;  // the coordinate is sign times the row
  int angle = -1;   // index into State::angle
};

/// A coupling is a row that is a function of coordinates. It is stored as a joint of that one row.
struct Coupling {
  int joint = 0, row = 0;
  int first_source = 0, n = 0;
  joint::Coupling h;
  bool from_start = false;  // it is held at its value at the start
};

/// A law on one row of a joint, or the equality constraint of many (joint and row -1).
struct LawOnRow {
  std::string name, path;
  law::Law law;
  int joint = 0;
  int row = 0;            // index into rows
  bool of_table = false;  // one of the joint's own rows
  int load = -1;          // the joint whose reaction its friction follows; -1: none
  int ledger = -1;  // its slot, see model/ledger.h; -1: an equality constraint, which does no work
};

struct RowInfo {
  int joint = 0, law = 0;
  joint::Row row;
  std::string name;  // within the joint
  double sign = 1;   // the coordinate that the law acts on is sign times the row
  int part = 0;      // which of the rows of its law it is; they follow one another
  int angle = -1;    // index into State::angle
};

/// When a joint breaks: when the force of a law on its row leaves [-tensile, compressive], or when
/// the joint's reaction exceeds a force or a torque. Two parameters, infinite where not given.
struct Strength {
  int joint = 0, row = -1;  // -1: the joint's whole reaction
  int first_param = 0;
};

struct Track {
  std::string name;
  std::shared_ptr<const track::Track> track;
};

/// A track that lies on an object: joints along it have their end A there.
struct LaidTrack {
  std::string name;  // that of the joint it was made for, or its own
  int track = 0, object = 0;
  Pose X_OT;  // the track's frame in the object's axes, from its origin
};

/// Rows that solvers treat as one dense block.
struct Group {
  int joint = 0, first_row = 0, rows = 0;
};

/// A type of joint that comes and goes while running (model/transient.h). Its rows, laws and groups
/// are those that each of its joints gets; rows and angles count from the joint's own first.
struct TransientType {
  std::string name, path;
  std::shared_ptr<const joint::Table> table;
  std::vector<RowInfo> rows;
  std::vector<int>
      law_of;  // of each row: index into `laws`; -1: RowInfo::law is one of the model's
  std::vector<unsigned char> stops;  // 1: a row with stops, which comes open
  std::vector<LawOnRow> laws;
  std::vector<Group> groups;
  int n_angles = 0;
};

/// Names of consecutive parameters: "<owner>.<name>".
struct ParamBlock {
  std::string owner;
  int first = 0;
  std::shared_ptr<const std::vector<std::string_view>> names;  // static text; shared by equals
};

/// A number that comes in from outside while running, by its name (model/inputs.h). Signals read
/// it.
struct Input {
  std::string name, path;
  double rest = 0;                              // at the start
  double least = -law::kInf, most = law::kInf;  // range
  std::string unit, text;                       // SI; of what it is
  bool controlled = false;                      // a controller of the run gives it
  bool demanded = false;  // rows demand a rate that follows it: velocities jump with it
  bool used = false;      // something reads it
};

class Topology;

struct Model {
  std::string name;
  std::uint32_t generation = 0;
  // indices by those of handles; a joint's handle has its own index
  std::vector<int> object_of, law_of;
  std::vector<PoolSlot> pools;
  std::vector<Block> blocks;
  std::vector<Object> objects;
  std::vector<Moved> prescribed;
  std::vector<Track> tracks;
  std::vector<LaidTrack> laid;
  std::vector<Joint> joints;  // after them couplings, then the strains of affine bodies
  std::vector<Source> sources;
  std::vector<Coupling> couplings;
  std::vector<int> followed;  // sources that force functions follow, in the order of law::Instant
  std::vector<LawOnRow> laws;
  std::vector<Strength> strengths;
  std::vector<law::Load> loads;
  std::vector<std::string> load_names;
  std::vector<RowInfo> rows;
  std::vector<Group> groups;
  std::vector<TransientType> transient_types;
  ContactScene contacts;
  Scales scales;  // as it was built
  std::vector<ParamBlock> param_blocks;
  std::vector<Input> inputs;
  /// What follows from the elements alone; variants share it. Null: it is made where it is wanted.
  std::shared_ptr<const Topology> topology;
  int n_transients = 0;  // the last joints are transient
  int n_q = 0, n_u = 0, n_derived = 0, n_jacobian = 0, n_arcs = 0, n_angles = 0, n_ledger = 0;
  int first_load_slot = 0;  // first slot of the loads in the ledger

  /// Returns the number of joints that are always there, holding or not.
  std::size_t n_static_joints() const {
    return joints.size() - static_cast<std::size_t>(n_transients);
  }
  /// Returns the index of what a handle stands for; -1: null, or of another mechanism.
  int object(BodyHandle handle) const;
  int joint(JointHandle handle) const;
  int law(LawHandle handle) const;
  int input(InputHandle handle) const;
  /// The name of the kind that an object is of, for people and for results.
  std::string_view kind(const Object& object) const;
  /// Returns the index of what has that name; -1: none.
  int find_object(std::string_view name) const;
  int find_joint(std::string_view name) const;
  int find_law(std::string_view name) const;
  int find_laid_track(std::string_view name) const;
  int find_transient_type(std::string_view name) const;
  int find_input(std::string_view name) const;
  /// Returns the index of a parameter such as "body.car.mass"; -1: none.
  int find_param(std::string_view name) const;
};

/// Returns whether anything has surfaces that others may meet.
inline bool can_touch(const Model& model) { return model.contacts.any(); }

/// Numbers that `--set` and batches vary: gravity, masses, inertias, law and load parameters.
struct Params {
  std::vector<double> values;
};
constexpr int kGravityParam = 0;  // three numbers: world x, y, z [m/s^2]

}  // namespace trammel::model
