// Forces that closed points share in many ways.
#include <algorithm>
#include <map>

#include "constraint/forces/parts.h"
#include "constraint/forces/small.h"

namespace trammel::constraint {

namespace {
/// The closed points, with the place of each among them.
struct Shared {
  std::vector<int> points;
  std::map<int, int> place;
  int row(Direction d) const { return 3 * place.at(d.first) + d.second; }
};

/// True where the forces of a closed point leave its cone.
bool leaves_cone(const ContactForces& c, const Touch& t) {
  const double mu = law_of(c, t).friction, least = kAlarm * c.scales.acceleration / t.inverse_mass;
  return t.load < -least || (mu > 0 && t.p.tail<2>().norm() > mu * t.load + least);
}

/// The closed points where forces are to be shared anew; none: they are not. Where forces are
/// shared between more points than there are ways to move, the least ones may leave a cone that
/// others would not: then it counts whether any do not.
Shared find_shared(const ContactForces& c, const Touches& now) {
  Shared out;
  if (now.rows.empty() || now.factor.rank() == count(now.rows)) return {};
  bool left = false;
  for (int i = 0; i < count(c.touching); ++i) {
    if (!c.touching[at(i)].closed()) continue;
    const Touch& t = now.all[at(i)];
    if (c.touching[at(i)].status == TouchStatus::slipping && law_of(c, t).friction > 0) return {};
    out.place[i] = count(out.points);
    out.points.push_back(i);
    left = left || leaves_cone(c, t);
  }
  return left ? out : Shared{};
}

MatX operator_of(const Touches& now, const Shared& of) {
  const int n = 3 * count(of.points);
  MatX W = MatX::Zero(n, n);
  for (int r = 0; r < count(now.rows); ++r)
    for (int k = 0; k < count(now.rows); ++k)
      W(of.row(now.rows[at(r)]), of.row(now.rows[at(k)])) = now.W(r, k);
  return 0.5 * (W + W.transpose()).eval();
}

/// Goes from the forces of closed points to p, as far as that changes no acceleration, and adds the
/// difference to f.
void share_anew(const ContactForces& c, const Shared& of, const VecX& p, Touches& now, double* f) {
  VecX change(count(now.rows));
  for (int r = 0; r < count(now.rows); ++r) {
    const auto [i, d] = now.rows[at(r)];
    change[r] = p[of.row(now.rows[at(r)])] - now.all[at(i)].p[d];
  }
  change -= now.factor.solve(VecX(now.W * change));
  for (int r = 0; r < count(now.rows); ++r) {
    const auto [i, d] = now.rows[at(r)];
    now.all[at(i)].p[d] += change[r];
    push(now.all[at(i)], change[r] * Vec3::Unit(d), f);
  }
  for (const int i : of.points)
    now.all[at(i)].load = now.all[at(i)].p[0] + law_of(c, now.all[at(i)]).cohesion;
}
}  // namespace

bool share(const ContactForces& c, const double* a, Touches& now, double* f) {
  const Shared of = find_shared(c, now);
  const int n = count(of.points);
  if (n == 0) return false;
  const MatX W = operator_of(now, of);
  VecX p(3 * n), q(3 * n);
  for (int k = 0; k < n; ++k) {
    const Touch& t = now.all[at(of.points[at(k)])];
    p.segment<3>(3 * k) = t.p;
    for (int d = 0; d < 3; ++d) q[3 * k + d] = along(t, d, a) + t.bias[d];
  }
  q -= W * p;
  solve_cones(c, W, q, laws_of(c, now, of.points), kTurn * c.scales.acceleration, p);
  const VecX rest = q + W * p;
  now.excess = 0;
  for (int k = 0; k < n; ++k) {
    const int rows = law_of(c, now.all[at(of.points[at(k)])]).friction > 0 ? 3 : 1;
    now.excess = std::max(now.excess, rest.segment(3 * k, rows).norm() / c.scales.acceleration);
  }
  if (now.excess > kNone) return false;
  share_anew(c, of, p, now, f);
  return true;
}

}  // namespace trammel::constraint
