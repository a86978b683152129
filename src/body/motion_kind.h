#pragma once

#include "math/rotation.h"
#include "math/types.h"

/// An object carries its material points by its transform T_WO = (p, A), x_W = p + A x. Its motion
/// kind says which numbers its motion is made of, and all that depends on it is answered here.
namespace trammel::body {

enum class MotionKind : unsigned char {
  rigid,   // motion (v, w): 6 numbers, world axes
  affine,  // motion (v, rows of A'): 12 numbers
};

constexpr int motion_size(MotionKind c) { return c == MotionKind::rigid ? 6 : 12; }
/// Whether the object can strain; if not, A is a rotation and its motion is (v, w).
constexpr bool can_strain(MotionKind c) { return c == MotionKind::affine; }
/// Whether the motion is the rate of (p, A) itself, so that transforms are linear in it.
constexpr bool is_embedded(MotionKind c) { return c == MotionKind::affine; }
/// The motion kind of whoever works with transforms (p, A) of 12 numbers, whatever the objects are.
constexpr MotionKind kEmbedding = MotionKind::affine;

/// The transform T_WO of an object: x_W = p + A x. A is a rotation where the object cannot strain.
struct Transform {
  Vec3 p = Vec3::Zero();      // p_WO_W [m]
  Mat3 A = Mat3::Identity();  // R_WO, or the affine map
};

/// The rate (v, A') of a transform. As a Bias it is the acceleration (a0, A''0) while the u of the
/// object's block does not change.
struct Rate {
  Vec3 v = Vec3::Zero();  // [m/s]
  Mat3 A = Mat3::Zero();  // [1/s]
};
using Bias = Rate;  // [m/s^2], [1/s^2]

/// A covector on the transform of an object: on p [N] and on A [N m].
struct Covector {
  Vec3 f = Vec3::Zero();
  Mat3 F = Mat3::Zero();
};
/// Adds it as a covector on the object's motion (6 or 12 numbers).
void pull_back(MotionKind kind, const Transform& at, const Covector& covector, double* motion);
/// Adds the force and the torque about p that it makes, 6 numbers, whatever carries the object.
void add_resultant(const Transform& at, const Covector& covector, double* wrench);
/// Adds to a covector on an object's motion (6 or 12 numbers) a force f on the material point x
/// (own axes) and a torque, both in world axes. A torque on an affine body is the couple that does
/// the work torque . w on its rotation: F = 1/2 [torque]x A^-T.
void add_wrench(MotionKind kind, const Transform& at, const Vec3& x, const Vec3& f,
                const Vec3& torque, double* motion);

/// Adds to a covector J on an object's motion the covector cov on a direction of the object:
/// `world` as it is now; own() gives it in the object's axes, where that is needed.
template <class Own>
void add_direction(MotionKind kind, const Vec3& world, const Own& own, const Vec3& cov, double* J) {
  if (kind == MotionKind::rigid) {
    vec3(J + 3) += world.cross(cov);
    return;
  }
  const Vec3 x = own();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) J[3 + 3 * i + j] += cov[i] * x[j];
}
/// The same on a material point, `world` and own() from the object's origin.
template <class Own>
void add_point(MotionKind kind, const Vec3& world, const Own& own, const Vec3& cov, double* J) {
  vec3(J) += cov;
  add_direction(kind, world, own, cov, J);
}
/// The rate of a direction by the object's motion, 3 x motion_size.
MatX direction_map(MotionKind kind, const Vec3& world, const Vec3& own);

/// The angular velocity that a torque works on, of A' A^-1 [rad/s].
Vec3 spin(MotionKind kind, const Transform& at, const Rate& rate);
/// The axes of the object as a rotation, the nearest one to A.
Mat3 rotation(MotionKind kind, const Mat3& A);
/// Angular velocity of these [rad/s].
Vec3 angular_velocity(MotionKind kind, const Transform& at, const Rate& rate);
/// The rate of an object with this motion (6 or 12 numbers).
Rate rate_of(MotionKind kind, const Transform& at, const double* motion);
/// Velocity of the material point x (own axes) of an object with this motion [m/s].
Vec3 point_velocity(MotionKind kind, const Transform& at, const double* motion, const Vec3& x);
/// Adds the motion that takes an object from one pose to another, neither strained.
void add_displacement(MotionKind kind, const Transform& from, const Transform& to, double* motion);
/// The turn in a small motion; zero where it cannot be told from a strain.
Vec3 turn(MotionKind kind, const double* motion);
/// How fast its directions turn, as a root mean square where it strains too.
double turning(MotionKind kind, const double* motion);
/// Second moment of mass from the mass `on` the turn in a motion, or on a row of A' [kg m^2].
Mat3 second_moment(MotionKind kind, const Mat3& on);

}  // namespace trammel::body
