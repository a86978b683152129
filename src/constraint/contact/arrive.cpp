// How stage V begins: what has come to touch, how fast, and with what it is to leave.
#include <algorithm>
#include <cmath>

#include "constraint/contact/bonds.h"
#include "constraint/contact/match.h"
#include "constraint/contact/motion.h"
#include "constraint/contact/parts.h"
#include "constraint/contact/phases.h"

namespace trammel::constraint {

namespace {
constexpr double kArrived = 0.1;   // share of a gap that is left of what has come
constexpr double kTouches = 1e-5;  // of the least extent: a gap that is none there

/// Both ends of a step.
struct Way {
  const ContactSurfaces& surfaces;
  const ContactSettings& settings;
  const ContactStart& start;
  const contact::Point& now(std::size_t k) const { return start.points.points[k]; }
  bool pushes(std::size_t k) const { return start.stage.p[k][0] > 0; }
};

/// True for a point that touches, or closes a gap that is none, or one in an instant: of corners
/// that land together rounding has not to say which do.
bool touches(const Way& way, const contact::Point& p, double rate) {
  return p.gap <= 0 ||
         (rate < 0 && p.gap < std::max(way.settings.no_gap, -rate * way.start.instant));
}

/// True for a point that touches and was away, though nothing had to push in stage P: it comes
/// there just at the end of the step, or by as much as its way is bent.
bool has_landed(const Way& way, const contact::Point& p, std::size_t k, double rate) {
  return rate < 0 && touches(way, p, rate) && is_away(way.settings, way.start, k);
}

/// True for a point that has come to touch, or nearly, as another one of its pair that was to
/// arrive: not for the far edge of a box that rests on the near one.
bool has_come(const Way& way, const contact::Point& p, std::size_t k) {
  return p.gap <= std::max(kArrived * way.now(k).gap, kTouches * least_extent(way.surfaces, p));
}

/// True for a point of the start whose gap has nearly closed by its rate.
bool nears(const Way& way, std::size_t k) {
  const double gap = way.now(k).gap;
  return gap + way.start.h * way.start.stage.after[k][0] <= kArrived * gap;
}

/// How fast a point comes as that of the start has, by its rate at the end without impulses. Where
/// nothing had to push, on a bent way or at the very end, it comes there with this rate.
double speed_of(const Way& way, int from, double rate) {
  return from >= 0 && way.pushes(at(from)) ? arrival_with(way.settings, way.start, at(from), rate)
                                           : std::max(0., -rate);
}

/// The sine of the angle between the normals of two points.
double turn_between(const contact::Point& p, const contact::Point& q) {
  const double cosine = p.n.dot(q.n);
  return std::sqrt(std::max(0., 1 - cosine * cosine));
}

/// A point arrives as point k of the start has: with the greatest speed of several.
void take_arrival(const Way& way, const contact::Point& p, std::size_t k, double rate,
                  Arrival& out) {
  const double speed = speed_of(way, static_cast<int>(k), rate);
  if (out.from < 0 || speed > out.speed) {
    out.speed = speed;
    out.from = static_cast<int>(k);
  }
  out.pushed = true;
  out.turned = std::min(out.turned, turn_between(p, way.now(k)));
}

/// Points that are at both ends.
void match_partners(const Way& way, const std::vector<double>& u, ContactEnd& end) {
  const std::vector<contact::Point>& points = end.points.points;
  end.arrivals.assign(points.size(), {});
  const auto key_at = [&](std::size_t k) { return key_of(way.now(k)); };
  match(points, way.start.points.size(), key_at, [&](std::size_t i, std::size_t k) {
    end.arrivals[i].partner = static_cast<int>(k);
    end.stage.p[i] = in_axes_of(end.points, i, way.start.points, k, way.start.stage.p[k]);
    const double rate = opening_at(end.points, i, u);
    if (way.pushes(k) || has_landed(way, points[i], k, rate))
      take_arrival(way, points[i], k, rate, end.arrivals[i]);
  });
}

/// Calls f(i, j) for each point i of the end that was none of the start, and each point j of its
/// pair there.
template <class F>
void for_each_of_pair(const Way& way, const ContactEnd& end, const F& f) {
  const auto pair = [](const contact::Point& x) { return std::pair(x.A, x.B); };
  const std::size_t n = way.start.points.size();
  std::size_t k = 0;
  for (std::size_t i = 0; i < end.points.size(); ++i) {
    const auto own = pair(end.points.points[i]);
    if (end.arrivals[i].partner >= 0) continue;
    while (k < n && pair(way.now(k)) < own) ++k;
    for (std::size_t j = k; j < n && pair(way.now(j)) == own; ++j) f(i, j);
  }
}

/// What met on its way may touch with other features than it had seen from afar.
void match_features(const Way& way, const std::vector<double>& u, ContactEnd& end) {
  for_each_of_pair(way, end, [&](std::size_t i, std::size_t j) {
    const contact::Point& p = end.points.points[i];
    if (!is_near(way.surfaces, p) || !has_come(way, p, j)) return;
    const double rate = opening_at(end.points, i, u);
    if (way.pushes(j) || (has_landed(way, p, j, rate) && nears(way, j)))
      take_arrival(way, p, j, rate, end.arrivals[i]);
  });
}

/// What touches and was not seen from the start has come there just at the end of its way.
void take_unseen(const Way& way, const std::vector<double>& u, ContactEnd& end) {
  for (std::size_t i = 0; i < end.points.size(); ++i) {
    Arrival& arrival = end.arrivals[i];
    const double rate = opening_at(end.points, i, u);
    if (arrival.partner >= 0 || arrival.pushed) continue;
    if (!touches(way, end.points.points[i], rate)) continue;
    if (!(-rate > way.settings.impact_speed)) continue;
    arrival.speed = -rate;
    arrival.pushed = true;
  }
  for_each_of_pair(way, end, [&](std::size_t i, std::size_t j) {
    Arrival& arrival = end.arrivals[i];
    if (arrival.from < 0)
      arrival.turned = std::min(arrival.turned, turn_between(end.points.points[i], way.now(j)));
  });
}

/// A point takes part where it has pushed in stage P, or overlaps, or is as near as makes no
/// difference and hardly comes nearer: of many points that rest, rounding has not to say which
/// carry. So does what cohesion holds.
void aim_end(const Way& way, const std::vector<double>& u, ContactEnd& end) {
  const ContactStage& first = way.start.stage;
  for (std::size_t i = 0; i < end.points.size(); ++i) {
    const contact::Point& p = end.points.points[i];
    const Arrival& arrival = end.arrivals[i];
    piles::ContactTargets& target = end.stage.targets[i];
    const bool known = arrival.partner >= 0;
    const std::size_t k = known ? at(arrival.partner) : 0;
    const bool held = known && is_held(first.p[k], first.targets[k].cohesion);
    const auto rests = [&] {
      return counted_gap(way.settings, way.start.h, p.gap, opening_at(end.points, i, u)) <= 0;
    };
    const bool is_there = p.gap <= 0 || (!arrival.pushed && !held && rests());
    if (!arrival.pushed && !held && (!is_there || (known && first.p[k][0] < 0)))
      target.cohesion = 0;  // it is apart, or has been torn off
    if (arrival.pushed)
      target.u[0] += law_of(way.surfaces, p).restitution * arrival.speed;
    else if (!is_there && !held)
      target.u[0] = -law::kInf;
  }
}
}  // namespace

void come_with_rates(const ContactTools& tools, const ContactStart& start,
                     std::span<const double> rates, ContactEnd& end) {
  const Way way{tools.surfaces, tools.settings, start};
  for (std::size_t k = 0; k < end.points.coupled.size(); ++k) {
    const std::size_t i = at(end.points.coupled[k]);
    Arrival& arrival = end.arrivals[i];
    if (!arrival.pushed) continue;
    const double speed = speed_of(way, arrival.from, rates[k]);
    end.stage.targets[i].u[0] +=
        law_of(tools.surfaces, end.points.points[i]).restitution * (speed - arrival.speed);
    arrival.speed = speed;
    if (end.struck.any()) end.struck.before[i][0] = -speed;
  }
}

bool arrive(Contacts& c, const model::KinematicsCache& at_, const std::vector<double>& u) {
  c.told.failure = passed(c.surfaces, c.start.sides, at_, c.start.h);
  if (!c.told.failure.empty()) return false;
  const ContactTools tools(c);
  c.end.margin.resize(c.surfaces.reach.size());
  margins(c.start.h, c.surfaces, at_, u, c.end.margin);
  find(c.surfaces, at_, c.end.margin, c.finder, c.end.points);
  begin_stage(c.surfaces, c.end.points, c.start.h, c.end.stage);
  const Way way{c.surfaces, c.settings, c.start};
  match_partners(way, u, c.end);
  match_features(way, u, c.end);
  take_unseen(way, u, c.end);
  aim_end(way, u, c.end);
  if (c.settings.aims) aim_free_end(tools, u, c.start, c.end);
  return true;
}

}  // namespace trammel::constraint
