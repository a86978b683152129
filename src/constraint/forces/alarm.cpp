// When the law of contact changes.
#include <algorithm>
#include <cmath>

#include "constraint/forces/parts.h"
#include "constraint/forces/small.h"

namespace trammel::constraint {

namespace {
constexpr double kPerSlowSlip = 1e-8;  // alarms of rates are relative to Nearness::rate
constexpr double kTravel = 0.5;        // of the least extent of what is near, in a step

/// Of the forces of a closed point, and of its slip.
double alarm_of(const ContactForces& c, const Touching& of, const Touch& t, bool shared) {
  const double mu = law_of(c, t).friction, least = c.scales.acceleration / t.inverse_mass;
  double worst = shared ? -law::kInf : -t.load / least;
  if (mu <= 0) return worst;
  if (of.status == TouchStatus::sticking) {
    const double off = (t.p.tail<2>().norm() - mu * t.load) / least;
    return shared ? worst : std::max(worst, off);
  }
  const double forward = (t.rate[1] * t.t + t.rate[2] * t.s).dot(of.d);
  const double none = of.begins ? no_rate(c) : 0;
  return std::max(worst, (-forward - none) * kPerSlowSlip / c.scales.near.rate);
}

/// The gap below which an open point has closed: what overlaps already, by as much.
double reference(const ContactForces& c, const contact::Point& p) {
  double out = 0;
  for (const Touching& t : c.touching)
    if (t.point.A == p.A && t.point.B == p.B) out = std::min(out, t.place);
  for (const contact::Point& o : c.open)
    if (is_same(o, p)) out = std::min(out, o.gap);
  return out;
}

/// True for points beside closed ones, at no distance when the step began: rounding makes them come
/// and go.
bool rests(const ContactForces& c, const contact::Point& p) {
  const double far = kAlarm * c.kin().model().scales.length;
  if (std::any_of(c.open.begin(), c.open.end(),
                  [&](const auto& o) { return is_same(o, p) && o.gap > far; }))
    return false;
  return std::any_of(c.touching.begin(), c.touching.end(), [&](const Touching& t) {
    return !t.leaves && t.point.A == p.A && t.point.B == p.B;
  });
}

bool is_closed(const ContactForces& c, const contact::Point& p) {
  const Touching* of = known(c, p);
  return of && of->closed();
}
}  // namespace

double alarm(const ContactForces& c, const Touches& now) {
  const bool shared = now.excess >= 0;
  double worst = shared ? now.excess - kNone : -law::kInf;
  for (std::size_t i = 0; i < c.touching.size(); ++i)
    if (c.touching[i].closed())
      worst = std::max(worst, alarm_of(c, c.touching[i], now.all[i], shared));
  return worst;
}

double closing(ContactForces& c, const model::KinematicsCache& at_) {
  std::vector<contact::Point> found;
  find_points(c.surfaces, at_, c.margin, c.finder, found);
  double worst = -law::kInf;
  for (const contact::Point& p : found) {
    if (is_closed(c, p)) continue;
    const double closed = (reference(c, p) - p.gap) / c.kin().model().scales.length;
    worst = std::max(worst, closed - (rests(c, p) ? kAlarm : 0));
  }
  return worst;
}

bool is_alarmed(const ContactForces& c, const Touches& now) {
  if (c.undecided || strikes(c, now) || alarm(c, now) > kAlarm) return true;
  for (std::size_t i = 0; i < c.touching.size(); ++i) {
    const Touch& t = now.all[i];
    const bool sinks = t.acceleration < -kNone * c.scales.acceleration;
    if (c.touching[i].closed() ? std::abs(t.rate[0]) > no_rate(c) : sinks) return true;
    if (c.touching[i].status == TouchStatus::sticking && law_of(c, t).friction > 0 &&
        t.rate.tail<2>().norm() > no_rate(c))
      return true;
  }
  return false;
}

std::string most_alarmed(const ContactForces& c, const Touches& now) {
  double worst = -law::kInf;
  std::string out;
  for (std::size_t i = 0; i < c.touching.size() && i < now.all.size(); ++i) {
    const Touch& t = now.all[i];
    if (!c.touching[i].closed()) continue;
    const double by = t.inverse_mass > 0 ? alarm_of(c, c.touching[i], t, false) : law::kInf;
    if (!out.empty() && !(by > worst)) continue;
    worst = by;
    out = name_of(c.surfaces, t.point);
  }
  return out;
}

double longest_step(const ContactForces& c) {
  double share = 0;
  for (const contact::Point& p : c.open) {
    if (is_closed(c, p)) continue;
    const double most = kTravel * least_extent(c.surfaces, p);
    share = std::max(share, (c.margin[at(p.A)] + c.margin[at(p.B)]) / 2 / most);
  }
  return share > 1 ? c.scales.h / share : law::kInf;
}

}  // namespace trammel::constraint
