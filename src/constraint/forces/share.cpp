// Forces that closed points share in many ways.
#include <algorithm>
#include <map>

#include "constraint/forces/parts.h"
#include "constraint/forces/small.h"

namespace trammel::constraint {

namespace {
/// True where the forces of a closed point leave its cone.
bool leaves_cone(const ContactForces& c, const Touching& of, const Touch& t) {
  const double mu = law_of(c, t).friction, least = kAlarm * c.scales.acceleration / t.inverse_mass;
  const bool sticks = of.status == TouchStatus::sticking && mu > 0;
  return t.load < -least || (sticks && t.p.tail<2>().norm() > mu * t.load + least);
}

/// The closed points where forces are to be shared anew; none: they are not. Where forces are
/// shared between more points than there are ways to move, the least ones may leave a cone that
/// others would not: then it counts whether any do not.
std::vector<int> find_shared(const ContactForces& c, const Touches& now) {
  if (now.rows.empty() || now.factor.rank() == count(now.rows)) return {};
  std::vector<int> out;
  bool left = false;
  for (int i = 0; i < count(c.touching); ++i) {
    if (!c.touching[at(i)].closed()) continue;
    out.push_back(i);
    left = left || leaves_cone(c, c.touching[at(i)], now.all[at(i)]);
  }
  return left ? out : std::vector<int>{};
}

bool slips(const ContactForces& c, const Touches& now, int i) {
  return c.touching[at(i)].status == TouchStatus::slipping &&
         law_of(c, now.all[at(i)]).friction > 0;
}

/// The problem of these points, whose forces make the accelerations a.
ConeProblem problem_of(const ContactForces& c, const Touches& now, const PointOperator& of,
                       const double* a) {
  ConeProblem out{VecX(3 * count(of.points)), laws_of(c, now, of.points), {}};
  VecX p(out.q.size());
  for (int k = 0; k < count(of.points); ++k) {
    const Touch& t = now.all[at(of.points[at(k)])];
    p.segment<3>(3 * k) = t.p;
    for (int d = 0; d < 3; ++d) out.q[3 * k + d] = along(t, d, a) + t.bias[d];
    out.slip.push_back(slips(c, now, of.points[at(k)]) ? Eigen::Vector2d(t.direction)
                                                       : Eigen::Vector2d(Eigen::Vector2d::Zero()));
  }
  out.q -= of.W * p;
  return out;
}

/// The greatest acceleration that forces p leave where there is to be none, of the scale.
double excess_of(const ContactForces& c, const Touches& now, const PointOperator& of,
                 const ConeProblem& problem, const VecX& p) {
  const VecX rest = problem.q + of.W * p;
  double out = 0;
  for (int k = 0; k < count(of.points); ++k) {
    const int i = of.points[at(k)];
    const int rows = law_of(c, now.all[at(i)]).friction > 0 && !slips(c, now, i) ? 3 : 1;
    out = std::max(out, rest.segment(3 * k, rows).norm() / c.scales.acceleration);
  }
  return out;
}

/// Goes from the forces of closed points to p, as far as that changes no acceleration, and adds the
/// difference to f.
void share_anew(const ContactForces& c, const std::vector<int>& points, const VecX& p, Touches& now,
                double* f) {
  std::map<int, int> place;
  for (int k = 0; k < count(points); ++k) place[points[at(k)]] = 3 * k;
  VecX change(count(now.rows));
  for (int r = 0; r < count(now.rows); ++r) {
    const auto [i, d] = now.rows[at(r)];
    change[r] = p[place.at(i) + d] - now.all[at(i)].p[d];
  }
  change -= now.factor.solve(VecX(now.W * change));
  for (int r = 0; r < count(now.rows); ++r) {
    const Vec3 more = change[r] * effective(c, now, now.rows[at(r)]);
    Touch& t = now.all[at(now.rows[at(r)].first)];
    t.p += more;
    push(t, more, f);
  }
  for (const int i : points)
    now.all[at(i)].load = now.all[at(i)].p[0] + law_of(c, now.all[at(i)]).cohesion;
}
}  // namespace

bool share(const ContactForces& c, const double* a, const ForceResponse& respond, Touches& now,
           double* f) {
  PointOperator of;
  of.points = find_shared(c, now);
  if (of.points.empty() || !make_operator(c, now, respond, of)) return false;
  const ConeProblem problem = problem_of(c, now, of, a);
  VecX p;
  const Decision shared = solve_forces(c, of.W, problem, kTurn * c.scales.acceleration, p);
  now.excess = shared == Decision::made ? excess_of(c, now, of, problem, p) : law::kInf;
  if (now.excess > kNone) return false;
  share_anew(c, of.points, p, now, f);
  return true;
}

}  // namespace trammel::constraint
