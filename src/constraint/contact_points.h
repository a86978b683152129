#pragma once

#include <array>
#include <span>
#include <vector>

#include "contact/detector.h"
#include "math/forest.h"
#include "model/kinematics.h"
#include "solve/contact_system.h"

/// Points of contact at an instant, with what their laws need: who they push, and how their
/// surfaces move.
namespace trammel::constraint {

/// The rates of a point: along n, t, s [m/s], and about them [rad/s]; or its impulses.
using Six = Eigen::Matrix<double, 6, 1>;

/// What a point pushes: covectors on the unknowns of the mechanism, one a direction of its frame:
/// forces along n, t, s, then torques about them.
struct ContactColumns {
  std::array<int, 2> u{}, n{};           // of both ends: first unknown, how many (0: it has none)
  std::array<std::vector<double>, 2> c;  // 6 x n each, row major
};

inline constexpr int kContactGrain = 512;  // points that a thread takes at a time

/// Which free bodies a lean point pushes: the first unknown of each (-1: none), and arms from their
/// centres of mass [m].
struct ContactArms {
  int u_a = -1, u_b = -1;
  Vec3 r_a = Vec3::Zero(), r_b = Vec3::Zero();
};

/// The points of contact at one instant. Those between free rigid bodies are `lean`: solved for
/// upon their bodies. Where a joint, or a body of another kind, is in an island, its points are
/// `bound`: solved for with the rows of the mechanism eliminated.
struct ContactList {
  std::vector<contact::Point> points;
  std::vector<Vec3> t, s;         // tangents; (n, t, s) right-handed
  std::vector<Vec3> own;          // rate (n, t, s) that conveyors and moved ends make [m/s]
  std::vector<ContactArms> arms;  // of the lean ones
  std::vector<int> pair;          // the first point of each pair of shapes, and the end
  std::vector<int> lean, bound;   // points; the bound ones island by island
  std::vector<int> group;         // of bound points: the first of each island, and the end
  std::vector<int> column;        // of each point: its place in `columns`; -1: it is lean
  std::vector<int> island;  // of each point: a number that its island has alone; empty: not asked
  std::vector<ContactColumns> columns;  // of the bound ones
  int version = 0;                      // counts how often the points have been others
  solve::ContactSystem system;          // of the lean ones

  std::size_t size() const { return points.size(); }
};

/// Returns rates or impulses x in the axes of point k of one list, in those of point i of another:
/// the same point a step later, whose tangents may be others.
inline Six in_axes_of(const ContactList& to, std::size_t i, const ContactList& from, std::size_t k,
                      const Six& x) {
  const Vec3 a = x[1] * from.t[k] + x[2] * from.s[k], b = x[4] * from.t[k] + x[5] * from.s[k];
  Six out;
  out << x[0], to.t[i].dot(a), to.s[i].dot(a), x[3], to.t[i].dot(b), to.s[i].dot(b);
  return out;
}

/// The bound points of an island.
inline std::vector<int> group_of(const ContactList& list, int group) {
  const auto g = static_cast<std::size_t>(group);
  return {list.bound.begin() + list.group[g], list.bound.begin() + list.group[g + 1]};
}

/// What of contact stays the same throughout a run.
class ContactSurfaces {
 public:
  explicit ContactSurfaces(const model::Kinematics& kin);

  const model::ContactLaw& law(const contact::Point& point) const;
  /// Where its impulses act: with a gap between them on the surface of what moves, which will come
  /// to the other; between two that move in the middle.
  Vec3 place(const contact::Point& point) const;
  std::string name(const contact::Point& point) const;  // "box, ground"
  /// Up to what gap points of each shape count in a step of h with velocities u: twice what they
  /// can come nearer, but at least a small part of their size.
  std::vector<double> margins(double h, const model::KinematicsCache& at,
                              const std::vector<double>& u) const;
  /// Finds the points at an instant. Needs transforms and inverse masses.
  void find(const model::KinematicsCache& at, std::span<const double> margin, ContactList& list);
  /// The points alone. Needs transforms.
  void find_points(const model::KinematicsCache& at, std::span<const double> margin,
                   std::vector<contact::Point>& out);

  /// What has points farther off than the smallest margins, and would close them in a step of h
  /// with velocities u, is looked at along its way, and what is nearer where that may pass: where
  /// shapes pass each other their points are taken out, where convex ones meet by another normal
  /// they are those with which they do, and where something meets a surface, those about where it
  /// does.
  void look_ahead(double h, const model::KinematicsCache& at, const std::vector<double>& u,
                  ContactList& list);

  /// True where what has the spin w_other turns with what has w, and is carried as a whole.
  static bool turns_with(const Vec3& w_other, const Vec3& w) {
    constexpr double kTogether = 0.01;  // of the spin
    return (w_other - w).norm() <= kTogether * w.norm();
  }

  /// Lets bound points take no part in stage P whose bodies, with velocities u that joints allow,
  /// pass each other in a step of h.
  void let_pass(double h, const model::KinematicsCache& at, const std::vector<double>& u,
                const ContactList& list, std::vector<solve::ContactTargets>& targets) const;

  /// Takes for the own velocities of points at bodies that move by themselves those with which they
  /// go on the mean in a step of h; by how much these are others than at its start, into `shift`,
  /// empty where none moves. For a list that nobody uses after the step.
  void take_mean_motion(double h, const model::KinematicsCache& at, const std::vector<double>& u,
                        ContactList& list, std::vector<Vec3>& shift) const;

  /// Notes where shapes stand that have points with surfaces; and, at an instant h later, says
  /// which of them has passed through one with its middle, as a sentence; empty: none.
  void note_sides(const model::KinematicsCache& at, const ContactList& list);
  std::string passed(const model::KinematicsCache& at, double h) const;

  /// True for a point between rigid bodies of their own six coordinates, or what has none.
  bool is_rigid(const contact::Point& point) const;
  /// The velocity of B against A at such a point, at velocities u of the mechanism, without those
  /// that follow from no unknowns.
  Vec3 slip(const contact::Point& point, const model::KinematicsCache& at,
            const std::vector<double>& u) const;

  /// Makes the islands of points, where they are not there yet.
  void find_islands(ContactList& list);

  /// The blocks that rows tie together, to which points may tie others: islands.
  const Forest& ties() const { return ties_; }
  void tie(const contact::Point& point, Forest& islands) const;
  int island_of(const contact::Point& point, Forest& islands) const;

  /// Free rigid bodies, whose points are solved for upon them. What has no unknowns comes after
  /// them, as one body that does not move.
  int n_free() const { return static_cast<int>(free_u_.size()); }
  /// The first unknown of a free rigid body.
  int unknown(int free_body) const { return free_u_[static_cast<std::size_t>(free_body)]; }
  int object_of(int shape) const;
  /// The block of its object; -1: it has none.
  int block_of(int shape) const;
  /// True where the momentum of a shape's object is in the balance of momenta: not of what the
  /// world holds, all of it or, of systems in generalised coordinates, in ways that no row tells.
  bool in_balance(int shape) const;
  /// Of the lesser of both shapes [m]; infinite where neither has an end.
  double least_extent(const contact::Point& point) const;
  /// True where a gap is within the smallest margins.
  bool is_near(const contact::Point& p) const {
    return p.gap <= least_[static_cast<std::size_t>(p.A)] + least_[static_cast<std::size_t>(p.B)];
  }
  /// The free body that a shape is on; -1: none.
  int body_of(int shape) const { return free_[static_cast<std::size_t>(object_of(shape))]; }

 private:
  using Motion = std::array<double, 12>;
  /// The motion (6 or 12 numbers) of an object that has unknowns, at velocities u of the mechanism:
  /// a part of u, or in `room`.
  const double* motion_of(int object, const model::KinematicsCache& at,
                          const std::vector<double>& u, Motion& room) const;
  void sort(ContactList& list);
  void sort_by_islands(ContactList& list);
  void prepare(const model::KinematicsCache& at, ContactList& list);
  struct Twist {
    Vec3 v = Vec3::Zero(), w = Vec3::Zero();
  };
  Twist twist_of(int shape, const model::KinematicsCache& at, const std::vector<double>& u) const;
  bool may_pass(double h, const model::KinematicsCache& at, const std::vector<double>& u,
                const ContactList& list, std::size_t first, std::size_t end) const;
  double gap_after(double h, const std::vector<double>& u, const ContactList& list,
                   std::size_t i) const;
  bool surely_closes(double h, const model::KinematicsCache& at, const std::vector<double>& u,
                     const ContactList& list, std::size_t first, std::size_t end) const;
  double accuracy_of(int A, int B) const;
  bool look_ahead_of(double h, const model::KinematicsCache& at, const std::vector<double>& u,
                     const ContactList& list, std::size_t first, std::size_t end,
                     std::vector<contact::Point>& out) const;
  static Vec3 mean_velocity(double h, const body::Transform& T, const body::Transform& end,
                            const Vec3& w, const Vec3& w_other, const Vec3& about, const Vec3& x);
  struct Side {
    int surface, shape;
    Vec3 middle;  // of the shape, in the axes of the surface
  };
  Vec3 middle_of(const model::KinematicsCache& at, const Side& side) const;
  Pose pose_after(double h, int shape, const model::KinematicsCache& at,
                  const std::vector<double>& u) const;
  void make_frames(const model::KinematicsCache& at, ContactList& list) const;
  void make_lean(const model::KinematicsCache& at, ContactList& list);
  solve::ContactPoint lean_point(const model::KinematicsCache& at, ContactList& list,
                                 std::size_t i) const;
  Vec3 own_velocity(int shape, const Vec3& x, const model::KinematicsCache& at) const;
  Vec3 belt_velocity(int shape, const Vec3& n, const model::KinematicsCache& at) const;
  ContactColumns columns(const ContactList& list, std::size_t i,
                         const model::KinematicsCache& at) const;

  const model::Kinematics& kin_;
  contact::Detector detector_;
  std::vector<int> free_;  // of each object: its free body
  std::vector<int> free_u_, free_block_;
  std::vector<double> reach_, least_;  // of each shape: from its object's origin; smallest margin
  std::vector<unsigned char> runs_;    // of each shape: its surface has a velocity of its own
  std::vector<unsigned char> tied_;    // blocks with rows, or of another kind
  bool any_tied_ = false;
  std::vector<Side> sides_;
  Forest ties_;  // blocks that rows tie together
  // scratch
  std::vector<Pose> X_WO_;
  Forest islands_;
  std::vector<solve::ContactBody> bodies_;
  std::vector<solve::ContactPoint> lean_points_;
};

/// The place of a point [m], where both ends push.
inline Vec3 place_of(const contact::Point& p) { return 0.5 * (p.p_A + p.p_B); }
/// The rates of a point at velocities u of the mechanism, without those of its surfaces.
Six rates_at(const ContactList& list, std::size_t i, std::span<const double> u);
/// The same with those of its surfaces.
inline Six slip_at(const ContactList& list, std::size_t i, std::span<const double> u) {
  Six out = rates_at(list, i, u);
  out.head<3>() += list.own[i];
  return out;
}
Six rates_of_bound(const ContactList& list, std::size_t i, std::span<const double> u);
/// Adds the impulses p of a point to the momenta P.
void add_impulses_of_bound(const ContactList& list, std::size_t i, const Six& p,
                           std::span<double> P);
void add_impulses(const ContactList& list, std::size_t i, const Six& p, std::span<double> P);

/// What a pair of bodies exchanges: the force on b, torques on both.
struct PairImpulse {
  int u_a, u_b;  // as in ContactArms
  Vec3 force, torque_a, torque_b;
};
/// Adds the impulses of all points, which are lean, 6 numbers each. `pairs`: scratch.
void add_all_impulses(const ContactList& list, const double* p, std::vector<PairImpulse>& pairs,
                      std::span<double> P);

}  // namespace trammel::constraint
