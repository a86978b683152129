// Impacts of contacts at an instant.
#include <algorithm>
#include <cmath>
#include <map>

#include "constraint/forces/parts.h"
#include "constraint/forces/small.h"
#include "constraint/rows.h"

namespace trammel::constraint {

namespace {
constexpr double kRests = 10;         // times Nearness::rate: what leaves more slowly rests
constexpr double kLastFlight = 1e-6;  // of a step: all flights to come, and it rests
constexpr double kExact = 1e-14;      // of the fastest: an impact is solved to that
constexpr double kGain = 1e-12;       // of works
constexpr double kJammed = 0.01;      // of a slip: so much of it is lost in a jam

/// The rate below which what strikes leaves so slowly that it rests: all flights to come are over
/// in no time.
double rests_below(const ContactForces& c, const Touch& t) {
  const double e = law_of(c, t).restitution;
  return std::max({kRests * c.scales.near.rate,
                   0.5 * c.scales.acceleration * kLastFlight * c.scales.h * (1 - e),
                   e * no_rate(c)});
}

std::vector<ImpactPoint> impact_points(const ContactForces& c, const Touches& now) {
  std::map<std::pair<int, int>, int> pairs;
  std::vector<ImpactPoint> out;
  for (const Touch& t : now.all) {
    const std::pair bodies(c.surfaces.object_of(t.point.A), c.surfaces.object_of(t.point.B));
    const model::ContactLaw& law = law_of(c, t);
    ImpactPoint& to = out.emplace_back();
    to.pair = pairs.emplace(bodies, count(pairs)).first->second;
    to.mu = law.friction;
    to.restitution = law.restitution;
    to.poisson = law.poisson;
    to.rests = rests_below(c, t);
    to.before = t.rate;
  }
  return out;
}

/// What impulses do that change rates from `before` on by W.
double work_of(const MatX& W, const VecX& before, const VecX& x) {
  return x.dot(before) + 0.5 * x.dot(W * x);
}

/// The impulses. Newton's law may gain: then as by impulses, between these and those without
/// restitution.
VecX solve_strike(const ContactForces& c, const Touches& now, const MatX& W, const VecX& before,
                  ContactJump& out) {
  std::vector<ImpactPoint> points = impact_points(c, now);
  const double tolerance = kExact * before.lpNorm<Eigen::Infinity>();
  const auto solved = [&](Impacts how) {
    DenseImpact response(W);
    return solve_impact(how, points, no_rate(c), tolerance, response);
  };
  const ImpactResult result = solved(c.impacts);
  out.impacts = result.impacts;
  out.ended = result.ended;
  const VecX& p = result.p;
  const double size = p.cwiseProduct(before).cwiseAbs().sum();
  if (!(work_of(W, before, p) > kGain * size)) return p;
  for (ImpactPoint& point : points) point.restitution = 0;
  const VecX calm = solved(Impacts::simultaneous).p, more = p - calm;
  double lo = 0, hi = 1;
  for (int k = 0; k < 100; ++k) {
    const double s = 0.5 * (lo + hi);
    (work_of(W, before, calm + s * more) <= 0 ? lo : hi) = s;
  }
  return calm + lo * more;
}

void tell_impacts(const ContactForces& c, const Touches& now, const VecX& p, double time,
                  std::vector<Event>& out) {
  const double slow = kImpactSpeed * c.kin().model().scales.speed;
  std::map<std::string, double> fastest;
  for (int k = 0; k < count(now.all); ++k) {
    const Touch& t = now.all[at(k)];
    if (!(p[3 * k] > 0) || !(-t.rate[0] > slow)) continue;
    double& v = fastest[name_of(c.surfaces, t.point)];
    v = std::max(v, -t.rate[0]);
  }
  for (const auto& [pair, speed] : fastest)
    out.push_back({time, EventKind::impact, pair, "bodies have met", speed, "m/s"});
}
VecX rates_of(const Touches& now) {
  VecX out(3 * count(now.all));
  for (int i = 0; i < count(now.all); ++i) out.segment<3>(3 * i) = now.all[at(i)].rate;
  return out;
}

bool make_operator_of_all(const ContactForces& c, const Touches& now, const ForceResponse& respond,
                          PointOperator& out) {
  for (int i = 0; i < count(now.all); ++i) out.points.push_back(i);
  return make_operator(c, now, respond, out);
}

/// What rests along its normal comes in at next to no rate: of the impulses that solve the problem
/// without restitution, none among them, these are what forces that grow without bound tend to.
VecX jam_impulses(const ContactForces& c, const Touches& now, const MatX& W, const VecX& before) {
  std::vector<ImpactPoint> points = impact_points(c, now);
  const double fastest = before.lpNorm<Eigen::Infinity>();
  for (ImpactPoint& point : points) {
    point.restitution = 0;
    if (std::abs(point.before[0]) <= no_rate(c)) point.before[0] = -kPresses * fastest;
  }
  DenseImpact response(W);
  return solve_impact(Impacts::simultaneous, points, no_rate(c), kExact * fastest, response).p;
}

/// What impulses p of all points do, whose rates were `before`.
void take_jump(const ContactForces& c, const Touches& now, const PointOperator& of, const VecX& p,
               const VecX& before, ContactJump& out) {
  const VecX mean = before + 0.5 * of.W * p;
  out.du.assign(at(c.kin().model().n_u), 0);
  move_by(of, p, out.du, out.rows);
  for (int i = 0; i < count(now.all); ++i) {
    const Vec3 x = p.segment<3>(3 * i);
    add_outside(c, now.all[at(i)], x, out.outside);
    out.impulses.push_back(x);
    out.friction += x.tail<2>().dot(mean.segment<2>(3 * i + 1));
    out.drives -= x.dot(now.all[at(i)].own);
  }
}

/// Tells the pairs that jam, with the slip that each has lost.
void tell_jams(const ContactForces& c, const Touches& now, const VecX& p, const MatX& W,
               double time, std::vector<Event>& out) {
  const VecX change = W * p;
  std::map<std::string, double> lost;
  for (int k = 0; k < count(now.all); ++k) {
    const Touch& t = now.all[at(k)];
    const double slip = t.rate.tail<2>().norm(), by = change.segment<2>(3 * k + 1).norm();
    if (!(p[3 * k] > 0) || !(slip > no_rate(c)) || !(by > kJammed * slip)) continue;
    double& v = lost[name_of(c.surfaces, t.point)];
    v = std::max(v, by);
  }
  for (const auto& [pair, speed] : lost)
    out.push_back({time, EventKind::impact, pair,
                   "friction that presses harder than it is pressed on has stopped their slip",
                   speed, "m/s"});
}
}  // namespace

bool strikes(const ContactForces& c, const Touches& now) {
  return std::any_of(now.all.begin(), now.all.end(),
                     [&](const Touch& t) { return t.rate[0] < -no_rate(c); });
}

bool strike(const ContactForces& c, const Touches& now, double time, const ForceResponse& respond,
            ContactJump& out) {
  PointOperator of;
  out = {};
  if (!make_operator_of_all(c, now, respond, of)) return false;
  const VecX before = rates_of(now), p = solve_strike(c, now, of.W, before, out);
  take_jump(c, now, of, p, before, out);
  tell_impacts(c, now, p, time, out.events);
  return p.allFinite();
}

void take_up(const ContactJump& jump, ContactForces& c) {
  c.struck.impacts += jump.impacts;
  c.struck.ended = c.struck.ended && jump.ended;
  c.events.insert(c.events.end(), jump.events.begin(), jump.events.end());
}

bool strike_jam(const ContactForces& c, const Touches& now, double time,
                const ForceResponse& respond, ContactJump& out) {
  PointOperator of;
  out = {};
  if (!make_operator_of_all(c, now, respond, of)) return false;
  const VecX before = rates_of(now), p = jam_impulses(c, now, of.W, before);
  take_jump(c, now, of, p, before, out);
  tell_jams(c, now, p, of.W, time, out.events);
  return p.allFinite() && p.lpNorm<Eigen::Infinity>() > 0;
}

}  // namespace trammel::constraint
