#pragma once

#include <array>
#include <span>
#include <vector>

#include "constraint/piles/system.h"
#include "contact/point.h"
#include "math/types.h"

/// Points of contact at an instant, with what their laws need: who they push, and how their
/// surfaces move.
namespace trammel::constraint {

/// The rates of a point: along n, t, s [m/s], and about them [rad/s]; or its impulses.
using Six = Eigen::Matrix<double, 6, 1>;

/// What a coupled point pushes: covectors on the unknowns of the mechanism, one a direction of its
/// frame: forces along n, t, s, then torques about them.
struct ContactColumns {
  std::array<int, 2> u{}, n{};           // of both ends: first unknown, how many (0: it has none)
  std::array<std::vector<double>, 2> c;  // 6 x n each, row major
};

/// Which free bodies a free point pushes: the first unknown of each (-1: none), and arms from their
/// centres of mass [m].
struct ContactArms {
  int u_a = -1, u_b = -1;
  Vec3 r_a = Vec3::Zero(), r_b = Vec3::Zero();
};

inline constexpr int kContactGrain = 512;  // points that a thread takes at a time

/// Points in the order of their keys. Those between free bodies are `free`: solved for upon these.
/// Where a joint, or a body of another kind, is in an island, its points are `coupled`: solved for
/// with the rows of the mechanism eliminated.
struct PointSet {
  std::vector<contact::Point> points;
  std::vector<Vec3> t, s;               // tangents; (n, t, s) right-handed
  std::vector<Six> own;                 // rates that conveyors and moved ends make
  std::vector<int> pair;                // the first point of each pair of shapes, and the end
  std::vector<int> free;                // points
  std::vector<ContactArms> arms;        // of the free ones
  piles::ContactSystem system;          // of the free ones
  std::vector<int> coupled;             // points, island by island
  std::vector<int> group;               // of these: the first of each island, and the end
  std::vector<ContactColumns> columns;  // of these
  std::vector<int> column;              // of each point: its place in `columns`; -1: it is free
  std::vector<int> island;  // of each point: a number that its island has alone; empty: not asked

  std::size_t size() const { return points.size(); }
  int groups() const { return static_cast<int>(group.size()) - 1; }
};

/// The coupled points of an island.
std::vector<int> points_of_group(const PointSet& set, int group);

/// The force, or torque, of impulses x along (or about) n, t, s of a point, in the world's axes.
Vec3 force_of(const PointSet& set, std::size_t i, const Six& x);
Vec3 torque_of(const PointSet& set, std::size_t i, const Six& x);
/// Returns rates or impulses x in the axes of point k of one set, in those of point i of another:
/// the same point a step later, whose tangents may be others.
Six in_axes_of(const PointSet& to, std::size_t i, const PointSet& from, std::size_t k,
               const Six& x);

/// Rates of a point, or impulses, of vectors in the world's axes.
Six along_axes(const PointSet& set, std::size_t i, const Vec3& v, const Vec3& w);

/// The rates of a point at velocities u of the mechanism, without those of its surfaces.
Six rates_at(const PointSet& set, std::size_t i, std::span<const double> u);
/// That along the normal alone.
double normal_rate_at(const PointSet& set, std::size_t i, std::span<const double> u);
/// The same with those of its surfaces; and of all points, or of some.
Six slip_at(const PointSet& set, std::size_t i, std::span<const double> u);
inline double opening_at(const PointSet& set, std::size_t i, std::span<const double> u) {
  return normal_rate_at(set, i, u) + set.own[i][0];
}
void slips(const PointSet& set, std::span<const double> u, std::vector<Six>& out);
void slips_of(const PointSet& set, std::span<const int> points, std::span<const double> u,
              std::vector<Six>& out);

/// Adds the impulses p of a point to the momenta P.
void add_impulses(const PointSet& set, std::size_t i, const Six& p, std::span<double> P);
/// What a pair of bodies exchanges: the force on b, torques on both.
struct PairImpulse {
  int u_a, u_b;  // as in ContactArms
  Vec3 force, torque_a, torque_b;
};
/// Adds the impulses of all points, which are free, 6 numbers each. `pairs`: scratch.
void add_all_impulses(const PointSet& set, const double* p, std::vector<PairImpulse>& pairs,
                      std::span<double> P);

}  // namespace trammel::constraint
