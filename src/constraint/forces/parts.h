#pragma once

#include "constraint/forces/phases.h"

/// What the functions of contact by forces share.
namespace trammel::constraint {

inline const model::ContactLaw& law_of(const ContactForces& c, const Touch& t) {
  return law_of(c.surfaces, t.point);
}
inline bool is_same(const contact::Point& a, const contact::Point& b) {
  return a.A == b.A && a.B == b.B && a.feature == b.feature;
}
/// Null: it does not touch.
const Touching* known(const ContactForces& c, const contact::Point& p);
/// A rate of a point that counts as none [m/s].
inline double no_rate(const ContactForces& c) { return kSlowTouch * c.scales.near.rate; }

/// What u makes along a direction of a point; and the covector of a force on it, added to f.
double along(const Touch& t, int direction, const double* u);
void push(const Touch& t, const Vec3& p, double* f);
/// The force p along n, t, s in the world's axes, and what of it is from outside.
Vec3 in_world(const Touch& t, const Vec3& p);
void add_outside(const ContactForces& c, const Touch& t, const Vec3& p, Wrench& out);

/// A direction of a point.
using Direction = std::pair<int, int>;
/// The force of a unit along a direction of a closed point: of what slips, friction comes with n.
Vec3 effective(const ContactForces& c, const Touches& now, Direction d);
/// Some points, in all directions: the motions and rows that forces along them make, and W.
struct PointOperator {
  std::vector<int> points;
  std::vector<std::vector<double>> du, rows;
  MatX W;
};
/// Of the points in `out`. Returns false where rows cannot be solved.
bool make_operator(const ContactForces& c, const Touches& now, const ForceResponse& respond,
                   PointOperator& out);
/// The motion and the impulses of rows that impulses x along all directions make.
void move_by(const PointOperator& of, const VecX& x, std::vector<double>& du,
             std::vector<double>& rows);

std::vector<piles::ContactLaw> laws_of(const ContactForces& c, const Touches& now,
                                       const std::vector<int>& points);
/// Impulses or forces p within their cones, to this tolerance [m/s^2, m/s]. What rows hold already
/// takes no part.
void solve_cones(const ContactForces& c, const MatX& W, const VecX& q,
                 const std::vector<piles::ContactLaw>& how, double tolerance, VecX& p);
/// What is known of points whose forces are looked for: their accelerations without, laws, and unit
/// slips of those that go on slipping, none of others.
struct ConeProblem {
  VecX q;
  std::vector<piles::ContactLaw> laws;
  std::vector<Eigen::Vector2d> slip;
};
/// The forces p of points: within cones, and friction against what slips. They jam where they are
/// as great as the slips are taken to be fast: none but an impulse is great enough. Of several
/// solutions that is taken which is found from no forces on.
Decision solve_forces(const ContactForces& c, const MatX& W, const ConeProblem& of,
                      double tolerance, VecX& p);
/// The impulses of slips that jam though nothing comes in, for slips as fast as one; near none
/// where there are no such impulses.
VecX solve_jam(const ContactForces& c, const MatX& W, const ConeProblem& of);
/// True where rows hold point k of such a problem.
bool is_held(const MatX& W, int k, double most);

}  // namespace trammel::constraint
