#pragma once

#include "contact/point.h"
#include "model/kinematics.h"

/// How a point of contact moves: what touches there is kept as pieces of surface fixed in both
/// objects, so that gap, normal and place follow smoothly from the motion, to second order and
/// exactly, however far the objects go while these pieces touch.
namespace trammel::constraint {

/// A piece of the surface of an object, in its axes: what lies at a distance of `radius` from a
/// core, or, of a plane and a cone, the piece itself.
struct ContactPiece {
  enum class Kind : unsigned char {
    point,   // x
    line,    // through x along d
    plane,   // through x, d its outward normal
    circle,  // about x, d its axis, `ring` its radius
    cone,    // about the axis d through x: outward normal n_r, n_z at the distance `ring` from it
    ellipsoid,  // about x, with `radii` along `axes`
  };
  Kind kind = Kind::point;
  Vec3 x = Vec3::Zero(), d = Vec3::UnitZ();
  double radius = 0, ring = 0, n_r = 1, n_z = 0;
  Vec3 radii = Vec3::Zero();
  Mat3 axes = Mat3::Identity();
};

/// Both sides of a point. `sign`: of the normal between two lines; `n`: the normal as the point was
/// found, in the axes of A.
struct ContactGeometry {
  int object_A = 0, object_B = 0;
  ContactPiece A, B;
  double sign = 1;
  Vec3 n = Vec3::UnitZ();
};
/// The pieces that touch at a point that was found with these transforms.
ContactGeometry geometry_of(const model::Model& model, const contact::Point& point,
                            const model::KinematicsCache& at);

/// A point of contact in motion, with accelerations as they are while u' = 0.
struct ContactMotion {
  Vec3 x = Vec3::Zero(), n = Vec3::UnitZ();    // place [m], normal from A to B
  double gap = 0, gap_rate = 0, gap_bias = 0;  // [m], [m/s], [m/s^2]
  Vec3 slip = Vec3::Zero();       // velocity of B's surface there less that of A's [m/s]
  Vec3 slip_bias = Vec3::Zero();  // its acceleration, as the place moves on [m/s^2]
};
/// Needs transforms, rates and biases of `at`.
ContactMotion motion_of(const model::Model& model, const ContactGeometry& geometry,
                        const Vec3& surface_A, const Vec3& surface_B,
                        const model::KinematicsCache& at);

}  // namespace trammel::constraint
