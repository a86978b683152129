#pragma once

#include <array>
#include <limits>
#include <string>
#include <unordered_map>
#include <vector>

#include "io/results.h"
#include "verify/line.h"
#include "verify/meaning.h"

/// A mechanism and its motion, as a results file tells them.
namespace trammel::verify {

struct RecordedBody {
  std::string name;
  bool can_strain = false;
  bool massive = false;  // with a mass and an inertia; else its motion alone is known
  int map = -1;  // of one that can strain, index of its map in the file; -1: it is not there
  bool strains = false;  // it can strain and its shape is not held
  double mass = 0;       // [kg]
  Vec3 com = Vec3::Zero();
  Mat3 inertia = Mat3::Zero();  // about the centre of mass, body axes
};

/// Type of what holds an affine body in shape, a joint of it with itself.
inline constexpr std::string_view kStrain = "strain";

/// A law on a coordinate of a joint.
struct RecordedLaw {
  std::string coordinate;
  std::size_t force = 0;  // index in RecordedFrame::law
  int rate = -1;          // in RecordedFrame::rate; -1: of no free coordinate
};

struct RecordedJoint {
  std::string name, type, loose;  // rows that do not hold, "" if all do
  int a = -1, b = -1;             // bodies; -1: the ground
  Pose X_a, X_b;                  // frames in the body frames
  bool blind = false;    // an end is affine: its frame follows from A, which the file has not
  bool strains = false;  // an end does: its frame is stretched and sheared
  double distance = 0;
  bool along = false;  // a track,
  Line line;           // which lies here, if the file says so
  const Meaning* meaning = nullptr;
  std::vector<RecordedLaw> laws;
  int s = -1;  // index of its s in RecordedFrame::coordinate and rate
  double gone = std::numeric_limits<double>::infinity();  // from when on it does not hold [s]
};

/// At one time.
struct RecordedBodyState {
  Vec3 p = Vec3::Zero();  // centre of mass [m]
  Mat3 R = Mat3::Identity();
  Vec3 v = Vec3::Zero(), w = Vec3::Zero();
  Mat3 A = Mat3::Identity(), dA = Mat3::Zero();  // x_W = p + A x, its rate; of rigid ones R
};
struct RecordedJointState {
  Vec3 force = Vec3::Zero(),
       torque = Vec3::Zero();     // on B at frame B's origin, axes of A (track: C)
  std::array<Vec3, 3> impulse{};  // so far: force, moment on A, moment on B about their centres
};
struct RecordedFrame {
  double t = 0;
  std::vector<RecordedBodyState> body;
  std::vector<RecordedJointState> joint;
  std::vector<std::array<Vec3, 2>> load;   // impulse and moment so far
  std::vector<std::array<Vec3, 2>> touch;  // of contacts
  std::vector<double> law;                 // forces
  std::vector<double> coordinate, rate;    // of all joints
};

class Recorded {
 public:
  /// Throws io::ResultsError where the file does not say what a mechanism it is of.
  explicit Recorded(const io::ResultsReader& results);

  Vec3 gravity = Vec3::Zero();
  std::vector<RecordedBody> bodies;
  std::vector<RecordedJoint> joints;
  std::vector<int> loads;     // the body of each
  std::vector<int> touching;  // bodies whose contacts have impulses
  bool touches = false;       // bodies have contact shapes, whose impulses it has not
  bool impulses = false;      // the file has them

  std::size_t count() const { return times_.size(); }
  RecordedFrame frame(std::size_t k) const;
  Frames frames(const RecordedJoint& joint, const RecordedFrame& at) const;

 private:
  void take_bodies(const io::Constants& table);
  void take_joints(const io::Constants& table);
  void take_laws(const io::Constants& table);
  int body(const std::string& name) const;
  int coordinate(const std::string& name) const;
  const io::Constants& table(const char* path) const;
  const io::Series* series(const char* path) const;
  std::vector<double> row(const char* path, std::size_t k) const;

  const io::ResultsReader* results_;
  std::unordered_map<std::string, int> body_index_, coordinate_index_;
  std::vector<double> times_;
};

}  // namespace trammel::verify
