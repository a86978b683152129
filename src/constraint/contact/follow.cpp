// What touches throughout a step, see "What stays in touch" in docs/theory/contact.md.
#include <algorithm>
#include <cmath>

#include "constraint/contact/heaps.h"
#include "constraint/contact/match.h"
#include "constraint/contact/motion.h"
#include "constraint/contact/parts.h"
#include "constraint/contact/phases.h"
#include "math/brief.h"

namespace trammel::constraint {

namespace {
using Vec2 = Eigen::Vector2d;

constexpr int kMostFollowed = 8;  // times that stage P looks at where it has led
// How far a point goes over a shape in a step beyond what that turns, of how far it reaches: for
// which the step is divided, and that is followed.
constexpr double kFar = 0.06, kTooFar = 0.25;
constexpr double kFlat = 1e-9;  // turn of a normal on a shape: what slides along a face

/// A drift from `at` to `end` at mean velocities u; `pushed` apart as well, null: nothing is.
struct Drift {
  const ContactTools& tools;
  const model::KinematicsCache &at, &end;
  std::span<const double> u;
  const std::vector<double>* pushed;
};

/// True for a point that had no gap, or comes so slowly that it strikes nothing, and does not
/// leave, whether it has to push as the step begins or, on a bent way, within it.
bool stays(const Drift& d, const ContactStart& start, std::size_t k) {
  const ContactSettings& set = d.tools.settings;
  const double made = 2 * std::abs(normal_rate_at(start.points, k, start.kick_u));
  const bool slow =
      start.stage.p[k][0] > 0 && !strikes(set, start, start.points, k, arrival_of(set, start, k));
  return (slow || !is_away(set, start, k)) && -start.rates[k][0] <= made + set.options.tolerance &&
         is_rigid(d.tools.surfaces, start.points.points[k]);
}

/// The angle that a shape turns by in a step of h.
double turn_of(const Drift& d, int shape, double h) {
  return h * twist_of(d.tools.surfaces, d.tools.surfaces.object_of(shape), d.at, d.u).w.norm();
}

/// True for a pair whose normal stays where one slides over the other, until that ends.
bool is_flat(const ContactSurfaces& s, const contact::Point& p) {
  using Kind = contact::Shape::Kind;
  const auto flat = [](Kind k) { return k == Kind::box || k == Kind::hull; };
  return flat(s.shape(p.A).shape.kind) && flat(s.shape(p.B).shape.kind);
}

/// True for a pair whose normal turns where one slides over the other, though neither turns.
bool is_round(const ContactSurfaces& s, const contact::Point& p) {
  using contact::is_convex;
  return is_convex(s.shape(p.A).shape.kind) && is_convex(s.shape(p.B).shape.kind) && !is_flat(s, p);
}

/// Rates of a point that friction acts against: its slip along t and s, or how it rolls about them.
enum class Against : unsigned char { slip = 1, roll = 4 };
Vec2 rates_of(const Six& rates, Against what) { return rates.segment<2>(static_cast<int>(what)); }

/// True where a point goes on so throughout the step: twice as fast as impulses of stage P change
/// that.
bool goes_on(const ContactStart& start, std::size_t k, Against what, double tolerance) {
  const double change = rates_of(start.stage.after[k] - start.stage.before[k], what).norm();
  return rates_of(start.rates[k], what).norm() > 2 * change + tolerance;
}
bool slides(const ContactStart& start, std::size_t k, double tolerance) {
  return goes_on(start, k, Against::slip, tolerance);
}

/// How far its rate after stage P is beside the way that it had as the step began.
Vec2 veer_of(const ContactStart& start, std::size_t k, Against what) {
  const Vec2 rate = rates_of(start.stage.after[k], what);
  return rate - rate.norm() * rates_of(start.rates[k], what).normalized();
}

/// True where a point that stays may have another rate at the end of the step than at its start, by
/// more than the tolerance: something turns, or slides over what is round, or its slip turns, as
/// much as that tells.
bool bends(const Drift& d, const ContactStart& start, std::size_t k) {
  const ContactSurfaces& s = d.tools.surfaces;
  const contact::Point& p = start.points.points[k];
  double turn = 0, arm = 0;
  for (const int shape : {p.A, p.B}) {
    const double angle = turn_of(d, shape, start.h);
    turn += angle;
    if (angle > 0)
      arm = std::max(arm, (place_of(s, p) - d.at.T_WO[at(s.object_of(shape))].p).norm());
  }
  const double slip = rates_at(start.points, k, d.u).head<3>().norm();
  if (is_round(s, p)) turn += slip * start.h / (s.reach[at(p.A)] + s.reach[at(p.B)]);
  const double tolerance = d.tools.settings.options.tolerance;
  return turn * (turn * arm / start.h + slip) > tolerance ||
         (slides(start, k, tolerance) && veer_of(start, k, Against::slip).norm() > tolerance);
}

/// Friction at the start here, and at the end in stage V.
void aim_sliding(std::size_t k, ContactStart& start) {
  start.stage.targets[k].u.tail<2>() =
      veer_of(start, k, Against::slip) - rates_of(start.points.own[k], Against::slip);
}

/// The same of rolling friction. Returns by how much that turns it [m/s].
double aim_rolling(const Drift& d, const contact::Point& p, std::size_t k, ContactStart& start) {
  const ContactSurfaces& s = d.tools.surfaces;
  const double reach = least_extent(s, p);
  if (!(law_of(s, p).rolling > 0) ||
      !goes_on(start, k, Against::roll, d.tools.settings.options.tolerance / reach))
    return 0;
  const Vec2 aim = veer_of(start, k, Against::roll) - rates_of(start.points.own[k], Against::roll);
  Vec3& w = start.stage.targets[k].w;
  const double turned = (aim - w.tail<2>()).norm();
  w.tail<2>() = aim;
  return reach * turned;
}

/// Point k of the start sticks on the mean of both ends.
void aim_sticking(const Drift& d, const contact::Point& p, std::size_t k, ContactStart& start) {
  const ContactSurfaces& s = d.tools.surfaces;
  const PointSet& set = start.points;
  const Vec3 at_end = slip_of_rigid(s, p, d.end, d.u),
             gain = gain_of_motion(start.h, s, set.points[k], p, d.at, d.end, d.u);
  const Six at_start = rates_at(set, k, d.u);
  for (const auto& [r, axis] : {std::pair(1, set.t[k]), {2, set.s[k]}}) {
    const double mean = 0.5 * (at_start[r] + axis.dot(at_end));
    start.stage.targets[k].u[r] =
        start.aims[k][r] - axis.dot(gain) - (mean - (start.stage.after[k][r] - set.own[k][r]));
  }
}

/// How far a point goes over a shape beyond what turning makes it, of its reach, as that of a disc
/// does which all but lies: what it does within the step is not seen from its ends.
double way_over(const Drift& d, const contact::Point& from, const contact::Point& to, double h) {
  const ContactSurfaces& s = d.tools.surfaces;
  const double turn = turn_of(d, from.A, h) + turn_of(d, from.B, h);
  double most = 0;
  for (const int shape : {from.A, from.B}) {
    if (!contact::is_convex(s.shape(shape).shape.kind)) continue;  // as wide as anything goes
    const auto object = at(s.object_of(shape));
    const body::Transform &before = d.at.T_WO[object], &after = d.end.T_WO[object];
    const Vec3 x = before.A.transpose() * (place_of(s, from) - before.p),
               y = after.A.transpose() * (place_of(s, to) - after.p);
    if ((after.A.transpose() * to.n - before.A.transpose() * from.n).norm() < kFlat) continue;
    const double reach = s.reach[at(shape)], way = (y - x).norm() - turn * reach;
    if (way > kFar * reach) most = std::max(most, way / reach);
  }
  return most;
}

/// Point k of the start is `p` where the drift has led. Returns by how much it is to have another
/// rate [m/s].
double follow_point(const Drift& d, const contact::Point& p, std::size_t k, ContactStart& start) {
  const bool overlaps = p.gap < std::min(start.points.points[k].gap, 0.);
  if (!(start.stage.p[k][0] > 0) && !overlaps) return 0;
  Vec3& aim = start.stage.targets[k].u;
  const Vec3 before = aim;
  const double way = way_over(d, start.points.points[k], p, start.h);
  if (way > kFar) {
    start.far.resize(start.points.size(), 0);
    start.far[k] = 1;
  }
  if (way > kTooFar) {  // to follow it makes energy
    aim = start.aims[k];
    return (aim - before).lpNorm<Eigen::Infinity>();
  }
  const double pushed = d.pushed ? normal_rate_at(start.points, k, *d.pushed) : 0,
               opens = start.aims[k][0] + start.points.own[k][0] + pushed;  // as it is to
  aim[0] -= (p.gap - std::min(start.points.points[k].gap, 0.)) / start.h - opens;
  if (slides(start, k, d.tools.settings.options.tolerance))
    aim_sliding(k, start);
  else
    aim_sticking(d, p, k, start);
  return std::max((aim - before).lpNorm<Eigen::Infinity>(), aim_rolling(d, p, k, start));
}

/// True where, of its pair, point k of the start alone pushes and no point has p's feature.
bool is_alone_without(const ContactStart& start, const PairOfBoth& pair, std::size_t k,
                      const contact::Point& p) {
  for (std::size_t j = pair.k; j < pair.k_end; ++j)
    if (start.points.points[j].feature == p.feature || (j != k && start.stage.p[j][0] > 0))
      return false;
  return true;
}

/// The point of a pair at the end that is nearest to one of the start, in its plane: two may have
/// become one; null: there is none.
const contact::Point* nearest_of(const std::vector<contact::Point>& points, const PairOfBoth& pair,
                                 const contact::Point& from) {
  const contact::Point* nearest = nullptr;
  double least = law::kInf;
  for (std::size_t i = pair.i; i < pair.i_end; ++i) {
    const double far = (points[i].p_B - from.p_B).squaredNorm();
    if (far < least && !is_turned(from, points[i])) least = far, nearest = &points[i];
  }
  return nearest;
}

/// Where point k of the start has come, of the points of its pair at the end; null: none of them.
/// What touches in one place may go on to another feature, as the rim of a disc does that stood on
/// one. `flat`: the normal stays.
const contact::Point* end_of(const std::vector<contact::Point>& points, const PairOfBoth& pair,
                             bool flat, const ContactStart& start, std::size_t k) {
  const contact::Point& from = start.points.points[k];
  const contact::Point* out = nullptr;
  for (std::size_t i = pair.i; i < pair.i_end && !out; ++i)
    if (points[i].feature == from.feature) out = &points[i];
  if (!out || (flat && is_turned(from, *out))) return nearest_of(points, pair, from);
  for (std::size_t i = pair.i; i < pair.i_end; ++i)
    if (points[i].gap < out->gap && is_alone_without(start, pair, k, points[i])) out = &points[i];
  return out;
}

/// Aims at where point k of the start has come, if it stays: at one of the points of its pair at
/// the end, or at the plane that it had, where that is past an edge. Returns by how much that is
/// off [m/s].
double follow(const Drift& d, const std::vector<contact::Point>& points, const PairOfBoth& pair,
              std::size_t k, ContactStart& start) {
  if (!stays(d, start, k)) return 0;
  const contact::Point& from = start.points.points[k];
  const bool flat = is_flat(d.tools.surfaces, from);
  if (const contact::Point* p = end_of(points, pair, flat, start, k))
    return follow_point(d, *p, k, start);
  if (!flat || pair.i == pair.i_end || !(start.stage.p[k][0] > 0)) return 0;
  std::vector<contact::Point> room;  // seldom
  const double far = d.tools.surfaces.reach[at(from.A)] + d.tools.surfaces.reach[at(from.B)];
  const std::optional<contact::Point> p = carried(d.tools.surfaces, from, d.at, d.end, far, room);
  return p ? follow_point(d, *p, k, start) : 0;
}

/// Aims at what touches where the drift has led. Returns by how much that is off [m/s].
template <class Few>
double follow_points(const Drift& d, const Few& few, ContactStart& start) {
  const ContactSurfaces& s = d.tools.surfaces;
  brief::vector<double> margin(s.reach.size());
  margins(start.h, s, d.at, d.tools.scratch.u, margin);
  std::vector<contact::Point>& points = d.tools.scratch.points;
  find_points(s, d.end, margin, d.tools.finder, points);
  double off = 0;
  match_pairs(points, start.points.points, [&](const PairOfBoth& pair) {
    for (std::size_t k = pair.k; k < pair.k_end; ++k)
      if (few(k)) off = std::max(off, follow(d, points, pair, k, start));
  });
  return off;
}

/// Takes back the impulses of free points, and solves for them again.
void solve_again(const ContactTools& tools, std::span<const unsigned char> heaps,
                 const model::KinematicsCache& at_, ContactStart& start, std::vector<double>& P) {
  if (!heaps.empty()) return solve_beside(tools, heaps, at_, start, P);
  for (const int k : start.points.free) add_impulses(start.points, at(k), -start.stage.p[at(k)], P);
  solve_free(tools, start.points, at_, RatesAfter::taken, start.stage, P);
}

/// The velocities at which bodies are pushed apart in the drift, and u without them; null: none
/// are.
const std::vector<double>* apart_in_drift(Contacts& c, const model::KinematicsCache& at_,
                                          const std::vector<double>& u,
                                          brief::vector<double>& own) {
  if (c.push.momenta.empty()) return nullptr;
  const ContactTools tools(c);
  std::vector<double>& pushed = tools.scratch.moved;
  pushed.resize(u.size());
  tools.kin().velocities(at_, c.push.momenta.data(), pushed.data());
  own.assign(u.begin(), u.end());
  for (std::size_t i = 0; i < own.size(); ++i) own[i] -= pushed[i];
  return &pushed;
}

void keep_aims(ContactStart& start) {
  start.aims.resize(start.points.size());
  for (std::size_t k = 0; k < start.aims.size(); ++k) start.aims[k] = start.stage.targets[k].u;
}
}  // namespace

bool follow_drift(Contacts& c, const model::KinematicsCache& at_, const model::KinematicsCache& end,
                  const std::vector<double>& u, double enough, std::vector<double>& P) {
  ContactStart& start = c.start;
  const piles::ContactOptions& options = c.settings.options;
  if (start.followed >= kMostFollowed || start.points.size() == 0 ||
      options.method == piles::ContactOptions::Method::sweeps)
    return true;
  if (start.followed++ == 0) keep_aims(start);
  const ContactTools tools(c);
  find_islands(c.surfaces, c.finder, start.points);
  const brief::vector<unsigned char> heaps = find_heaps(start.points);
  const auto few = [&](std::size_t k) { return heaps.empty() || !heaps[k]; };
  brief::vector<double> own;
  const std::vector<double>* pushed = apart_in_drift(c, at_, u, own);
  const Drift drift{tools, at_, end, pushed ? std::span<const double>(own) : u, pushed};
  bool any = false;
  for (std::size_t k = 0; k < start.points.size() && !any; ++k)
    any = few(k) && stays(drift, start, k) && bends(drift, start, k);
  if (!any) return true;
  slips(start.points, velocities(tools, at_, P), start.stage.after);
  if (follow_points(drift, few, start) <= enough) return true;
  solve_again(tools, heaps, at_, start, P);
  return false;
}

}  // namespace trammel::constraint
