// How fast points leave what has struck by Poisson's law, or one pair after the other: by an impact
// that is solved for by itself, with the rates at which bodies arrive. Stage V then makes these
// rates, and stage P lets go in time what they part. Newton's law, all at once, is in arrive.cpp:
// nothing here runs then.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "constraint/contact/parts.h"

namespace trammel::constraint {

namespace {
constexpr double kAimAccuracy = 1e-12;  // of the fastest
constexpr double kNoImpact = 1e-9;      // of the fastest: what comes in more slowly does not strike
constexpr double kStands = 1e-6;        // of the fastest: what has come no faster is no striker

/// When in a step of h a point arrives that comes from `gap` and arrives at w: its share of h.
double share_of(double gap, double u0, double w, double h) {
  const double way = (w + std::abs(u0)) * h;
  return way > 2 * std::max(gap, 0.) ? 2 * std::max(gap, 0.) / way : 1;
}

/// What is known of points that may strike: how fast each has arrived [m/s]; 0: it has not.
using Arrivals = std::vector<double>;

/// Finds the islands in which something arrives faster than forces make of what rests in a step, as
/// far as more than Newton's restitution holds there. Rates before are left to the caller.
Struck find_struck(const ContactTools& tools, const ContactStart& start, const Arrivals& arrivals,
                   PointSet& set) {
  find_islands(tools.surfaces, tools.finder, set);
  std::set<int> islands, with;
  for (std::size_t i = 0; i < set.size(); ++i) {
    const model::ContactLaw& law = law_of(tools.surfaces, set.points[i]);
    if (law.poisson && law.restitution > 0) with.insert(set.island[i]);
    if (arrivals[i] > tools.settings.options.tolerance && outruns(set, i, arrivals[i], start))
      islands.insert(set.island[i]);
  }
  if (tools.settings.impacts == Impacts::simultaneous)
    std::erase_if(islands, [&](int island) { return !with.contains(island); });
  Struck out;
  if (islands.empty()) return out;
  out.points.resize(set.size());
  for (std::size_t i = 0; i < set.size(); ++i) out.points[i] = islands.contains(set.island[i]);
  return out;
}

bool any_struck(const Struck& struck, const std::vector<int>& points) {
  return struck.any() && std::any_of(points.begin(), points.end(),
                                     [&](int i) { return struck.points[at(i)] != 0; });
}

std::vector<ImpactPoint> impact_points(const ContactSurfaces& s, const PointSet& set,
                                       const std::vector<int>& points, const Struck& struck) {
  std::map<std::pair<int, int>, int> pairs;
  std::vector<ImpactPoint> out;
  for (const int i : points) {
    const contact::Point& p = set.points[at(i)];
    const model::ContactLaw& law = law_of(s, p);
    const std::pair bodies(s.object_of(p.A), s.object_of(p.B));
    ImpactPoint& to = out.emplace_back();
    to.pair = pairs.emplace(bodies, count(pairs)).first->second;
    to.mu = law.friction;
    to.restitution = law.restitution;
    to.poisson = law.poisson;
    to.before = struck.before[at(i)];
    if (!struck.apart.empty()) to.apart = struck.apart[at(i)];
    if (!struck.points[at(i)]) to.before[0] = law::kInf;
  }
  return out;
}

/// The rates along the normals after the impact, of each of some points; NaN: it takes no part, or
/// has a gap still that none has closed; 0: it has pushed nothing. And how many impacts these were.
struct After {
  std::vector<double> rates;
  int impacts = 0;
};
After rates_after(const ContactTools& tools, const PointSet& set, const std::vector<int>& points,
                  const Struck& struck, ImpactResponse& response) {
  const std::vector<ImpactPoint> all = impact_points(tools.surfaces, set, points, struck);
  double fastest = 0;
  for (const ImpactPoint& p : all)
    if (std::isfinite(p.before[0])) fastest = std::max(fastest, p.before.norm());
  const ImpactResult result = solve_impact(tools.settings.impacts, all, kNoImpact * fastest,
                                           kAimAccuracy * fastest, response);
  ContactReport& report = tools.report;
  report.ended = report.ended && result.ended;
  piles::ContactEffort effort = result.effort;
  effort.sweeps = 0;
  effort.converged = effort.converged || effort.merit <= tools.settings.options.tolerance;
  take(report, effort);
  After out{std::vector<double>(points.size(), std::nan("")), result.impacts};
  for (int k = 0; k < count(points); ++k)
    if (const double before = all[at(k)].before[0]; std::isfinite(before)) {
      const bool touches = all[at(k)].apart == 0;
      const double rate = before + response.change(k)[0];
      if (result.p[3 * k] > 0)
        out.rates[at(k)] = touches ? std::max(rate, 0.) : rate;  // it may close a gap later
      else if (touches)
        out.rates[at(k)] = 0;
    }
  return out;
}

/// Of an island of coupled points, whose W has 3 or 6 rows a point.
DenseImpact response_of(const ContactSurfaces& s, const PointSet& set, const MatX& W) {
  const int rows = rows_of(s, set), n = static_cast<int>(W.rows()) / rows;
  MatX own(3 * n, 3 * n);
  for (int r = 0; r < n; ++r)
    for (int c = 0; c < n; ++c) own.block<3, 3>(3 * r, 3 * c) = W.block<3, 3>(rows * r, rows * c);
  return DenseImpact(std::move(own));
}

/// Some points of the start with how fast they arrive.
Arrivals arrivals_of(const ContactSettings& set, const ContactStart& start,
                     const std::vector<int>& points) {
  Arrivals out(start.points.size(), 0);
  for (const int i : points)
    if (start.stage.p[at(i)][0] > 0) out[at(i)] = arrival_of(set, start, at(i));
  return out;
}

/// The fastest in an island, and when in the step it arrives.
struct Striker {
  double speed = 0, share = 0;
};
std::map<int, Striker> strikers_of(const ContactStart& start, const std::vector<int>& points,
                                   const Arrivals& arrivals) {
  std::map<int, Striker> out;
  for (const int k : points) {
    const std::size_t i = at(k);
    Striker& s = out[start.points.island[i]];
    if (arrivals[i] <= s.speed) continue;
    s.speed = arrivals[i];
    s.share = share_of(start.points.points[i].gap, start.rates[i][0], s.speed, start.h);
  }
  return out;
}

/// The impacts of stage P are counted by stage V.
bool aim_start(const ContactTools& tools, const std::vector<int>& points, ImpactResponse& response,
               ContactStart& start) {
  const Arrivals arrivals = arrivals_of(tools.settings, start, points);
  Struck struck = find_struck(tools, start, arrivals, start.points);
  if (!struck.any()) return false;
  struck.before.assign(start.points.size(), Vec3(law::kInf, 0, 0));
  for (const int k : points) {
    const std::size_t i = at(k);
    if (!(start.stage.p[i][0] > 0)) continue;
    struck.before[i] = start.rates[i].head<3>();
    struck.before[i][0] = -arrivals[i];
  }
  const std::map<int, Striker> strikers = strikers_of(start, points, arrivals);
  const After after = rates_after(tools, start.points, points, struck, response);
  bool any = false;
  for (int k = 0; k < count(points); ++k) {
    const std::size_t i = at(points[at(k)]);
    const Striker& s = strikers.at(start.points.island[i]);
    const double rate = after.rates[at(k)];
    if (!(rate > kNoImpact * s.speed) || arrivals[i] > kStands * s.speed) continue;
    start.stage.targets[i].u[0] += (1 - s.share) * rate;
    any = true;
  }
  return any;
}

void aim_end(const ContactTools& tools, const std::vector<int>& points, ImpactResponse& response,
             ContactEnd& end) {
  const After after = rates_after(tools, end.points, points, end.struck, response);
  tools.report.impacts += after.impacts;
  for (int k = 0; k < count(points); ++k) {
    const std::size_t i = at(points[at(k)]);
    if (!std::isnan(after.rates[at(k)]))
      end.stage.targets[i].u[0] = after.rates[at(k)] - end.points.own[i][0];
  }
}

/// The slip of a point of the end at the instant in which it has arrived, which lies within the
/// step.
Vec3 slip_of_arrival(const ContactStart& start, const ContactEnd& end, std::size_t i,
                     const Six& now) {
  const Arrival& arrival = end.arrivals[i];
  if (arrival.partner < 0) return now.head<3>();
  const std::size_t k = at(arrival.partner);
  const Six& u0 = start.rates[k];
  const double share = share_of(start.points.points[k].gap, u0[0], arrival.speed, start.h);
  const Six slip = u0 + 2 * share * (start.stage.before[k] - u0);
  return in_axes_of(end.points, i, start.points, k, slip).head<3>();
}

/// A point that is apart when the others strike, is struck with them only if what they do to it
/// closes its gap in the same instant.
void take_apart(const ContactSettings& set, double instant, std::size_t i, ContactEnd& end) {
  const double gap = end.points.points[i].gap;
  if (set.impacts == Impacts::sequential && instant > 0 && gap > 0)
    end.struck.apart[i] = gap / instant;
  else
    end.struck.before[i][0] = law::kInf;
}
}  // namespace

bool aim_free_start(const ContactTools& tools, ContactStart& start) {
  if (start.points.free.empty()) return false;
  BodyImpact response(start.points.system);
  return aim_start(tools, start.points.free, response, start);
}

bool aim_coupled_start(const ContactTools& tools, ContactStart& start) {
  bool any = false;
  const double tolerance = tools.settings.options.tolerance;
  for (int g = 0; g < count(start.stage.coupled.W); ++g) {
    const std::vector<int> points = points_of_group(start.points, g);
    if (std::none_of(points.begin(), points.end(), [&](int i) {
          return start.stage.p[at(i)][0] > 0 &&
                 arrival_of(tools.settings, start, at(i)) > tolerance;
        }))
      continue;
    DenseImpact response = response_of(tools.surfaces, start.points, start.stage.coupled.W[at(g)]);
    any = aim_start(tools, points, response, start) || any;
  }
  return any;
}

void aim_free_end(const ContactTools& tools, const std::vector<double>& u,
                  const ContactStart& start, ContactEnd& end) {
  Arrivals arrivals(end.points.size(), 0);
  for (std::size_t i = 0; i < arrivals.size(); ++i)
    if (end.arrivals[i].pushed) arrivals[i] = end.arrivals[i].speed;
  end.struck = find_struck(tools, start, arrivals, end.points);
  if (!end.struck.any()) return;
  std::vector<Vec3>& before = end.struck.before;
  before.resize(end.points.size());
  end.struck.apart.assign(end.points.size(), 0);
  for (std::size_t i = 0; i < before.size(); ++i) {
    const Six now = slip_at(end.points, i, u);
    before[i] = now.head<3>();
    if (end.arrivals[i].pushed) {
      before[i] = slip_of_arrival(start, end, i, now);
      before[i][0] = -arrivals[i];
    }
    if (!std::isfinite(end.stage.targets[i].u[0]))
      take_apart(tools.settings, start.instant, i, end);
  }
  if (!any_struck(end.struck, end.points.free)) return;
  BodyImpact response(end.points.system);
  aim_end(tools, end.points.free, response, end);
}

void aim_coupled_end(const ContactTools& tools, ContactEnd& end) {
  if (!tools.settings.aims) return;
  for (int g = 0; g < count(end.stage.coupled.W); ++g) {
    const std::vector<int> points = points_of_group(end.points, g);
    if (!any_struck(end.struck, points)) continue;
    DenseImpact response = response_of(tools.surfaces, end.points, end.stage.coupled.W[at(g)]);
    aim_end(tools, points, response, end);
  }
}

}  // namespace trammel::constraint
