#pragma once

#include "constraint/contact/step.h"

/// What phases of a step with contacts share.
namespace trammel::constraint {

/// The speed with which a point arrives at the surface that has come from `gap` at the rate u0
/// under the acceleration a: exact where that is constant, so that nothing is gained or lost by
/// where in a step of h it arrives. 0: it parts, and does not come back in the step.
inline double arrival(double gap, double u0, double a, double h) {
  const double speed = std::sqrt(std::max(0., u0 * u0 - 2 * a * std::max(gap, 0.)));
  return u0 > 0 && u0 + speed > -a * h ? 0 : speed;
}

/// The gap that counts of one with that rate, in steps of h: of many points that rest, rounding has
/// not to say which carry.
inline double counted_gap(const ContactSettings& s, double h, double gap, double rate) {
  return gap < s.no_gap && h * std::abs(rate) < s.no_gap ? std::min(gap, 0.) : gap;
}
inline double start_gap(const ContactSettings& s, const ContactStart& start, std::size_t k) {
  return counted_gap(s, start.h, start.points.points[k].gap, start.rates[k][0]);
}
/// The speed with which a point of the start arrives at the surface.
inline double arrival_of(const ContactSettings& s, const ContactStart& start, std::size_t k) {
  const double u0 = start.rates[k][0], a = 2 * (start.stage.before[k][0] - u0) / start.h;
  return arrival(start_gap(s, start, k), u0, a, start.h);
}

/// As arrival_of(), from the rate that it has at the end of the step before stage V: such that an
/// elastic impact gives back what stage P has taken, however bodies turn and rows lead them. No
/// more than it would have at either end, had nothing pushed.
inline double arrival_with(const ContactSettings& s, const ContactStart& start, std::size_t k,
                           double rate) {
  const double u0 = start.rates[k][0], pushed = start.stage.after[k][0] - start.stage.before[k][0],
               straight = u0 + pushed;
  const double more = start_gap(s, start, k) > 0 ? (rate - straight) * (rate + straight) : 0;
  const double speed =
      std::min(std::sqrt(std::max(0., u0 * u0 + more)), std::max(std::abs(u0), pushed - rate));
  return u0 > 0 && speed > pushed - rate ? 0 : speed;  // it parts, and is not back yet
}

/// Coupled points come with these rates, which rows make of theirs at the end of the step, without
/// impulses of contacts.
void come_with_rates(const ContactTools& tools, const ContactStart& start,
                     std::span<const double> rates, ContactEnd& end);

/// Targets of a stage, without restitution; no impulses.
void begin_stage(const ContactSurfaces& s, const PointSet& set, double h, ContactStage& stage);

/// Velocities of the mechanism that momenta make, into the scratch.
const std::vector<double>& velocities(const ContactTools& tools, const model::KinematicsCache& at,
                                      const std::vector<double>& P);
/// True for a speed of a point of the set, of either end, that is not made by forces of what rests
/// in the step.
inline bool outruns(const PointSet& set, std::size_t i, double speed, const ContactStart& start) {
  return speed > 2 * std::abs(normal_rate_at(set, i, start.kick_u));
}
/// True for the speed w of a point, of either end, that is faster than forces make of what rests in
/// the step.
inline bool strikes(const ContactSettings& s, const ContactStart& start, const PointSet& points,
                    std::size_t i, double w) {
  return w > s.impact_speed && outruns(points, i, w, start);
}
/// True for a point that comes from afar in the step, or goes there: that has a gap, or leaves, and
/// no forces bring it back in stage P.
inline bool is_away(const ContactSettings& s, const ContactStart& start, std::size_t k) {
  return start_gap(s, start, k) > 0 ||
         (start.rates[k][0] > s.impact_speed && !(start.stage.p[k][0] > 0));
}

/// True where the normals of two points differ so much that one plane does not stand for both.
inline bool is_turned(const contact::Point& p, const contact::Point& q) {
  constexpr double kTurned = 0.3;  // sine
  const double cosine = p.n.dot(q.n);
  return cosine < 0 || 1 - cosine * cosine > kTurned * kTurned;
}

void take(ContactReport& report, const piles::ContactEffort& effort);

/// Solves for the points between free bodies, and adds their impulses to P. Rates with them are
/// those of `rates_after`, into the stage.
enum class RatesAfter : unsigned char { taken, left };
void solve_free(const ContactTools& tools, PointSet& set, const model::KinematicsCache& at,
                RatesAfter rates_after, ContactStage& stage, std::vector<double>& P);
/// Solves stage P again for the free points that are not of heaps, which do not feel these.
void solve_beside(const ContactTools& tools, std::span<const unsigned char> heaps,
                  const model::KinematicsCache& at, ContactStart& start, std::vector<double>& P);

/// Momenta that part free bodies which overlap, without friction: they move the bodies in the
/// drift, and no more. push.cpp
void make_push(const ContactTools& tools, ContactStart& start, ContactPush& push);

/// Aims of points that impacts make leave, restitution.cpp. What touches, and is parted by the
/// impact of another that arrives within the step, goes apart for the rest of it: needs the
/// impulses of stage P without that. Returns whether there is any.
bool aim_free_start(const ContactTools& tools, ContactStart& start);
bool aim_coupled_start(const ContactTools& tools, ContactStart& start);
/// What has arrived, at velocities u, in stage V.
void aim_free_end(const ContactTools& tools, const std::vector<double>& u,
                  const ContactStart& start, ContactEnd& end);
void aim_coupled_end(const ContactTools& tools, ContactEnd& end);

/// True where something is to leave faster than it would without restitution. ease.cpp
bool bounces(const ContactEnd& end, const std::vector<int>& points);
/// True where the contacts of some island would gain energy by their restitution.
bool gains(const ContactSurfaces& s, const ContactStart& start, const ContactEnd& end,
           const std::vector<int>& points);
ContactStage without_restitution(const ContactEnd& end);
/// Takes the impulses of stage V from between those without restitution and those with it.
void ease(const ContactSurfaces& s, const ContactStart& start, const std::vector<int>& points,
          const ContactStage& calm, ContactEnd& end);

/// Numbers a point in the problem of coupled points: 6 where anything rolls or spins.
int rows_of(const ContactSurfaces& s, const PointSet& set);

/// When in the step the first of the points of a pair that slide comes to rest, with the forces and
/// the friction of stage P [s]; infinite: none does. rest.cpp
double rests_at(const ContactSurfaces& s, const ContactSettings& set, const ContactStart& start,
                std::size_t first, std::size_t end);

/// Reports how many pairs have met, and how late those are that have done so within the step.
/// meetings.cpp
void count_meetings(const ContactTools& tools, const ContactStart& start);

}  // namespace trammel::constraint
