// Brings closed points back to their places, and their rates to none.
#include <algorithm>
#include <cmath>

#include "constraint/forces/parts.h"

namespace trammel::constraint {

namespace {
constexpr double kFree = 1e-10;  // of the greatest: directions that others hold

/// Solves for the impulses x along some directions that make changes r; their motions are added to
/// `du`, and they answer by the impulses of `rows`.
bool solve_changes(const Touches& now, const std::vector<Direction>& along_these, const VecX& r,
                   const ForceResponse& respond, std::vector<double>& du, std::vector<double>& rows,
                   VecX& x) {
  const int n = count(along_these);
  PointOperator of;
  of.W.resize(n, n);
  of.du.assign(at(n), std::vector<double>(du.size()));
  of.rows.resize(at(n));
  std::vector<double> g(du.size());
  for (int k = 0; k < n; ++k) {
    const auto [i, d] = along_these[at(k)];
    std::fill(g.begin(), g.end(), 0.0);
    push(now.all[at(i)], Vec3::Unit(d), g.data());
    if (!respond(g, of.du[at(k)], of.rows[at(k)])) return false;
    for (int j = 0; j < n; ++j)
      of.W(j, k) = along(now.all[at(along_these[at(j)].first)], along_these[at(j)].second,
                         of.du[at(k)].data());
  }
  x = dense::LeastNorm(of.W, kFree).solve(r);
  move_by(of, x, du, rows);
  return x.allFinite();
}
}  // namespace

double misplaced(const ContactForces& c, const Touches& now) {
  double worst = 0;
  for (std::size_t i = 0; i < c.touching.size(); ++i)
    if (c.touching[i].closed())
      worst = std::max(worst, std::abs(now.all[i].motion.gap - c.touching[i].place));
  return worst;
}

bool move_back(const ContactForces& c, const Touches& now, const ForceResponse& respond,
               std::vector<double>& dq) {
  std::vector<Direction> directions;
  for (int i = 0; i < count(c.touching); ++i)
    if (c.touching[at(i)].closed()) directions.push_back({i, 0});
  VecX r(count(directions)), x;
  for (int k = 0; k < count(directions); ++k) {
    const std::size_t i = at(directions[at(k)].first);
    r[k] = c.touching[i].place - now.all[i].motion.gap;
  }
  std::vector<double> rows;
  return solve_changes(now, directions, r, respond, dq, rows, x);
}

bool hold_rates(const ContactForces& c, const Touches& now, const ForceResponse& respond,
                ContactJump& out) {
  out = {};
  out.du.assign(at(c.kin().model().n_u), 0);
  out.impulses.assign(now.all.size(), Vec3::Zero());
  std::vector<Direction> directions;
  for (int i = 0; i < count(c.touching); ++i) {
    if (!c.touching[at(i)].closed()) continue;
    const bool sticks = c.touching[at(i)].status == TouchStatus::sticking;
    for (int d = 0; d < (sticks && law_of(c, now.all[at(i)]).friction > 0 ? 3 : 1); ++d)
      directions.push_back({i, d});
  }
  VecX r(count(directions)), x;
  for (int k = 0; k < count(directions); ++k)
    r[k] = -now.all[at(directions[at(k)].first)].rate[directions[at(k)].second];
  if (!solve_changes(now, directions, r, respond, out.du, out.rows, x)) return false;
  for (int k = 0; k < count(directions); ++k) {
    const auto [i, d] = directions[at(k)];
    out.impulses[at(i)][d] = x[k];
    add_outside(c, now.all[at(i)], x[k] * Vec3::Unit(d), out.outside);
  }
  return true;
}

}  // namespace trammel::constraint
