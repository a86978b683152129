#pragma once

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "math/types.h"

/// The meaning of each type of joint, written out in points, directions and velocities. It shares
/// nothing with the rows that solve the joint, which are checked against it.
namespace trammel::verify {

/// Both frames of a joint in the world, and how they move: `v` is that of the body's material at
/// the frame's origin.
struct Frames {
  struct End {
    Vec3 p = Vec3::Zero(), v = Vec3::Zero(), w = Vec3::Zero();
    Mat3 R = Mat3::Identity();
    Vec3 x() const { return R.col(0); }
    Vec3 y() const { return R.col(1); }
    Vec3 z() const { return R.col(2); }
  };
  End a, b;
  double distance = 0;  // at which points are held apart, or a radius [m]

  Vec3 D() const { return b.p - a.p; }
  /// Returns the velocity of B's frame as it is seen from A.
  Vec3 speed() const { return b.v - a.v - a.w.cross(D()); }
  Vec3 spin() const { return b.w - a.w; }
};

/// How far a joint is from what it means.
struct Offence {
  double gap = 0, angle = 0;   // [m], [rad]
  double speed = 0, spin = 0;  // [m/s], [rad/s]
};

/// A motion of B against A: of B's material at frame B's origin, and its spin.
struct Motion {
  Vec3 v = Vec3::Zero(), w = Vec3::Zero();
};

struct Meaning {
  std::string_view type;
  Offence (*offence)(const Frames&);
  /// Motions that the joint leaves free, at which its reaction does no work; none given for joints
  /// along tracks.
  std::vector<Motion> (*free)(const Frames&);
  /// The part of B that keeps to the frame of the track that it runs along.
  enum class Guides : unsigned char { all, point, point_and_roll } guides = Guides::all;
};

const Meaning* find_meaning(std::string_view type);
const std::vector<Meaning>& meanings();

/// Returns the wrench on B of a force of 1 on a coordinate: as a motion it is the force at frame
/// B's origin (v) and the torque (w). None: the name is not known.
std::optional<Motion> unit_wrench(std::string_view coordinate, const Frames& at);

}  // namespace trammel::verify
