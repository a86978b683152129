#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "body/motion_kind.h"

/// Bodies. A body kind answers four questions about a material point x or direction d of an object
/// (world value, rate, rate at zero acceleration, how a covector on it pulls back), and says how
/// its coordinates move. The first three have one form for all kinds, since the object carries
/// points affinely:
///
///     x_W = p + A x,   x_W' = v + A' x,   x_W'' = a0 + A''0 x   at zero acceleration of the block.
///
/// The fourth goes in two steps: onto the object's motion (v, w) of 6 numbers or (v, rows of A') of
/// 12, which is the motion kind's business, and from there onto the block's velocity coordinates u
/// by the object's Jacobian (the identity where the object *is* the block).
namespace trammel::body {

/// All bodies of one kind: blocks of nq coordinates q, nv velocity coordinates u and momenta
/// P = M(q) u, each carrying n_objects objects. Every function treats all blocks at once (one
/// call a pool, none a body); q, P, u point at the pool's part of the state's flat arrays, block
/// after block. `derived` is what derive() made of the parameters (1/m, inverse inertia, ...).
class Pool {
 public:
  virtual ~Pool() = default;
  virtual std::string_view kind() const = 0;
  virtual MotionKind motion_kind() const = 0;
  int n_blocks = 0, nq = 0, nv = 0, n_objects = 1;  // the last three: a block
  int n_params = 0, n_derived = 0;                  // a block
  bool split_mass = false;  // M^-1 is (1/m, 3 x 3 once or thrice), see solve/graph.h

  int mass_size() const { return split_mass ? 10 : nv * nv; }
  bool identity() const { return n_objects == 1 && nv == motion_size(motion_kind()); }

  virtual void derive(const double* params, double* derived) const = 0;
  /// Poses of all objects; for kinds without identity() also dmotion/du (motion_size x nv) each.
  virtual void transforms(const double* derived, const double* q, Transform* out,
                          double* jacobian) const = 0;
  /// M^-1 of every block, as split_mass says.
  virtual void inverse_mass(const double* derived, const double* q, const Transform* at,
                            double* out) const = 0;
  /// P = M(q) u.
  virtual void momentum(const double* derived, const double* q, const double* u,
                        double* P) const = 0;
  /// Rates and biases of the objects.
  virtual void rates(const double* derived, const double* q, const double* u, const Transform* at,
                     Rate* rate, Bias* bias) const = 0;
  /// The rates of what n blocks from `first` on carry, in their places among those of all; biases
  /// may be written over. By default of all blocks.
  virtual void rates_of(int first, int n, const double* derived, const double* q, const double* u,
                        const Transform* at, Rate* rate, Bias* bias) const;
  /// The bodies' own motion over h with nothing outside acting: momenta P at q move to P1 at q1,
  /// time-symmetric and of second order (rigid: torque-free; systems: their Hamiltonian flow).
  virtual void flow(const double* derived, double h, const double* q, const double* P, double* q1,
                    double* P1) const = 0;
  /// The same motion by its velocity: the momenta P of the flow over h that takes q to retract(h u,
  /// q), where inertia may be zero. With dP (nv x nv a block, row major) also dP/du, and in dq the
  /// motion of the end over h du. Kinds that cannot say so return false.
  virtual bool drift(const double* derived, double h, const double* q, const double* u, double* P,
                     double* dP, double* dq) const;
  /// The least and the greatest inertia of a block in any direction [kg], rotations measured as
  /// speeds at a distance of `length`. By default 1 and 1.
  struct MassRange {
    double least = 1, most = 1;
  };
  virtual MassRange mass_range(const double* params, int block, double length) const;
  /// q moved by the small motion dq (nv numbers a block, same axes as u).
  virtual void retract(const double* dq, double* q) const = 0;
  /// The same to first order, without straining what only turns. By default retract.
  virtual void retract_turning(const double* dq, double* q) const { retract(dq, q); }
  /// q' at velocities u, for who integrates coordinates. By default u itself.
  virtual void coordinate_rates(const double* q, const double* u, double* dq) const;
  /// Fills q with the error of each coordinate that an error of a length [m] and of an angle [rad]
  /// amounts to; speed_tolerances() does the same for velocities. By default the lesser in all.
  virtual void tolerances(double length, double angle, double* q) const;
  virtual void speed_tolerances(double speed, double spin, double* u) const;
  /// The motion dq that takes q to q1: retract(dq, q) gives q1.
  virtual void difference(const double* q, const double* q1, double* dq) const = 0;
  /// M u' = f + own_force: gyroscopic and internal forces, added to f.
  virtual void add_own_force(const double* derived, const double* q, const double* u,
                             double* f) const = 0;
  /// Own potential energy of all blocks [J], whose slope is the own force at rest; that of each is
  /// added to `each` if not null. None by default. Kinetic energy is P u / 2 in every kind.
  virtual double potential(const double* derived, const double* q, double* each) const;
  /// Linear and angular momentum about the world's origin, added.
  virtual void add_momentum(const double* derived, const double* q, const double* P, Vec3& linear,
                            Vec3& angular) const = 0;
  /// Second variation of the covector (f on the object's p, F on its A) contracted with the second
  /// variation of the object's pose: adds to H (nv x nv, row major) of its block. object: within
  /// the block; at: its pose.
  virtual void add_second_variation(int block, const double* derived, const double* q,
                                    const Transform& at, int object, const Vec3& f, const Mat3& F,
                                    double* H) const = 0;
  /// For who minimises 1/2 |y - y~|^2 over transforms y = (p, A), measured by mass: the gradient
  /// (m (p - p~), (A - A~) S) of every object, and the mass on u (nv x nv a block, row major) that
  /// it becomes. Kinds that cannot say so return false.
  virtual bool embedded_gradient(const double* derived, const Transform* at, const Transform* from,
                                 Covector* out) const;
  virtual void embedded_mass(const double* derived, const double* q, const Transform* at,
                             double* H) const;
  /// Adds the second derivatives of the own potential to H (nv x nv a block, row major). Its value
  /// is potential(), its slope the opposite of add_own_force() there. By default none.
  virtual void add_potential_curvature(const double* derived, const double* q, double* H) const;
  /// Whether the kind answers these two, so that the energy formulation takes it.
  virtual bool embeds() const { return false; }
  /// Mass [kg] of an object; its origin is its centre of mass.
  virtual double mass(const double* params, int block, int object) const = 0;
  /// Its inertia Ixx Iyy Izz Ixy Ixz Iyz about there, unstrained, in its axes [kg m^2], for
  /// results; none where the kind has no such.
  virtual std::optional<std::array<double, 6>> inertia(const double* params, int block,
                                                       int object) const;
  /// Its radius of gyration, root of (sum of m r^2) / m [m]. By default that of its inertia, or 0.
  virtual double gyration(const double* params, int block, int object) const;
};

}  // namespace trammel::body
