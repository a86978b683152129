// What a step with contacts leaves behind: its works and impulses from outside, events, memory.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "constraint/contact/parts.h"
#include "constraint/contact/phases.h"
#include "constraint/contact/wrenches.h"
#include "math/brief.h"
#include "math/parallel.h"
#include "model/ledger.h"

namespace trammel::constraint {

namespace {
constexpr std::size_t kMostImpacts = 8;  // impacts that a step tells of one by one

/// Of impulses [J].
struct ContactWorks {
  double impacts = 0, contacts = 0, drive = 0;  // drive: what conveyors and moved bodies give
  ContactWorks& operator+=(const ContactWorks& o) {
    impacts += o.impacts, contacts += o.contacts, drive += o.drive;
    return *this;
  }
};

/// The work of impulses p at the rates v, which are those half way of what they change.
ContactWorks work(const Six& p, const Six& v, const Six& own) {
  return {p[0] * v[0], p.tail<5>().dot(v.tail<5>()), p.dot(own)};
}

/// The sum of f(0), ..., f(n - 1), whatever the threads are.
template <class F>
ContactWorks sum_of(std::size_t n, const F& f) {
  brief::vector<ContactWorks> pieces((n + kContactGrain - 1) / kContactGrain);
  parallel::for_each(count(pieces), [&](int piece) {
    const std::size_t first = at(piece) * kContactGrain;
    for (std::size_t i = first; i < std::min(n, first + kContactGrain); ++i)
      pieces[at(piece)] += f(i);
  });
  ContactWorks out;
  for (const ContactWorks& w : pieces) out += w;
  return out;
}

/// True where a body at a point strains.
bool strains(const PointSet& set, std::size_t i) {
  if (set.column[i] < 0) return false;
  const ContactColumns& c = set.columns[at(set.column[i])];
  return c.n[0] > 6 || c.n[1] > 6;
}

/// The impulses of a point of the end in both stages.
Six given(const ContactStart& start, const ContactEnd& end, std::size_t i) {
  Six out = end.stage.p[i];
  if (const int k = end.arrivals[i].partner; k >= 0)
    out += in_axes_of(end.points, i, start.points, at(k), start.stage.p[at(k)]);
  return out;
}

/// The same as a vector [N s]: each along the axes that it acted along.
Vec3 impulse_of(const ContactStart& start, const ContactEnd& end, std::size_t i) {
  Vec3 out = force_of(end.points, i, end.stage.p[i]);
  if (const int k = end.arrivals[i].partner; k >= 0)
    out += force_of(start.points, at(k), start.stage.p[at(k)]);
  return out;
}

/// Where a body strains, whose inner forces change on the way: at the mean of the rates at both
/// ends of the step, of a point that has arrived that with which it has.
ContactWorks work_of_strained(const ContactStart& start, const ContactEnd& end, std::size_t i) {
  const Arrival& arrival = end.arrivals[i];
  Six v = 0.5 * end.stage.after[i];
  if (arrival.partner >= 0) {
    const std::size_t k = at(arrival.partner);
    v += 0.5 * in_axes_of(end.points, i, start.points, k, start.rates[k]);
    if (arrival.speed > 0) v[0] = 0.5 * (end.stage.after[i][0] - arrival.speed);
  } else {
    v += 0.5 * end.stage.before[i];
  }
  return work(given(start, end, i), v, end.points.own[i]);
}

/// The works in both stages: m at the mean of the rates before and after it. For L there is as well
/// what gravity and loads did on the way that it has shortened, (before - start) L: the sum is the
/// change of energy, whatever the contacts do.
ContactWorks works_of(const ContactStart& start, const ContactEnd& end) {
  const ContactStage &first = start.stage, &second = end.stage;
  ContactWorks sum = sum_of(start.points.size(), [&](std::size_t i) {
    if (strains(start.points, i)) return ContactWorks{};
    Six mean = start.rates[i] + 0.5 * (first.after[i] - first.before[i]);
    if (!start.shift.empty()) mean += start.shift[i];
    return work(first.p[i], mean, start.points.own[i]);
  });
  sum += sum_of(end.points.size(), [&](std::size_t i) {
    if (strains(end.points, i)) return work_of_strained(start, end, i);
    return work(second.p[i], 0.5 * (second.before[i] + second.after[i]), end.points.own[i]);
  });
  return sum;
}

/// The work along the normal of what stays in touch, which does none, where it goes far over a
/// shape [J].
double work_of_far(const ContactStart& start, const ContactEnd& end) {
  if (start.far.empty()) return 0;
  double sum = 0;
  for (std::size_t k = 0; k < start.far.size(); ++k)
    if (start.far[k])
      sum += start.stage.p[k][0] *
             (start.rates[k][0] + 0.5 * (start.stage.after[k][0] - start.stage.before[k][0]));
  for (std::size_t i = 0; i < end.points.size(); ++i) {
    const int k = end.arrivals[i].partner;
    if (k >= 0 && start.far[at(k)])
      sum += end.stage.p[i][0] * 0.5 * (end.stage.before[i][0] + end.stage.after[i][0]);
  }
  return sum;
}

void add_works(const ContactStart& start, const ContactEnd& end, const ContactPush& push,
               std::vector<double>& ledger) {
  const ContactWorks sum = works_of(start, end);
  ledger[model::kImpacts] += sum.impacts;
  ledger[model::kContacts] += sum.contacts;
  ledger[model::kLocks] -= sum.drive;
  ledger[model::kCorrections] += push.work;
}

/// Adds the impulses of ends whose momenta are not in the balance on those whose are.
void add_outside(const ContactSurfaces& s, const PointSet& set, const ContactStage& stage,
                 Wrench& out) {
  for (std::size_t i = 0; i < set.size(); ++i) {
    const contact::Point& point = set.points[i];
    const bool A = s.in_balance(point.A), B = s.in_balance(point.B);
    if (A == B) continue;
    const double sign = B ? 1 : -1;
    const Vec3 f = force_of(set, i, stage.p[i]), torque = torque_of(set, i, stage.p[i]);
    out.force += sign * f;
    out.moment += sign * (place_of(s, point).cross(f) + torque);
  }
}

/// Two objects that have met.
struct Met {
  int a, b;
  double speed;  // [m/s]
};

/// Of each pair the fastest, then the fastest pairs. Returns how many there were.
std::size_t take_fastest(brief::vector<Met>& all) {
  std::sort(all.begin(), all.end(), [](const Met& a, const Met& b) {
    return std::tuple(a.a, a.b, -a.speed) < std::tuple(b.a, b.b, -b.speed);
  });
  all.erase(std::unique(all.begin(), all.end(),
                        [](const Met& a, const Met& b) { return a.a == b.a && a.b == b.b; }),
            all.end());
  const std::size_t pairs = all.size();
  if (pairs <= kMostImpacts) return pairs;
  std::stable_sort(all.begin(), all.end(),
                   [](const Met& a, const Met& b) { return a.speed > b.speed; });
  all.resize(kMostImpacts);
  return pairs;
}

void tell(const model::Model& m, double t, brief::vector<Met> all, std::vector<Event>& out) {
  if (all.empty()) return;
  const std::size_t pairs = take_fastest(all);
  for (const Met& meeting : all)
    out.push_back({t, EventKind::impact,
                   m.objects[at(meeting.a)].name + ", " + m.objects[at(meeting.b)].name,
                   "bodies have met", meeting.speed, "m/s"});
  if (pairs > kMostImpacts)
    out.back().text += fmt::format(", and {} pairs more, slower", pairs - kMostImpacts);
}

/// Tells of bodies that have come to touch each other in this step: faster than forces make of what
/// rests or slides in it.
void report_impacts(const Contacts& c, double t, ContactTold& told) {
  const ContactEnd& end = c.end;
  brief::vector<Met> met;
  for (std::size_t i = 0; i < end.points.size(); ++i) {
    if (!(end.stage.p[i][0] > 0)) continue;
    const Arrival& arrival = end.arrivals[i];
    const double into =
        arrival.partner >= 0 ? arrival.speed : std::max(0., -end.stage.before[i][0]);
    if (!(into > c.settings.impact_speed && outruns(end.points, i, into, c.start))) continue;
    const contact::Point& p = end.points.points[i];
    const Met m{c.surfaces.object_of(p.A), c.surfaces.object_of(p.B), into};
    told.impulses.push_back({m.a, m.b, impulse_of(c.start, end, i)});
    if (met.empty() || met.back().a != m.a || met.back().b != m.b)
      met.push_back(m);
    else
      met.back().speed = std::max(met.back().speed, into);
  }
  tell(c.surfaces.model(), t, std::move(met), told.events);
}

/// How deep what overlaps does, how many points push, and how far normals of impacts have turned.
void report_points(const Contacts& c, ContactReport& report) {
  const ContactEnd& end = c.end;
  for (std::size_t i = 0; i < end.points.size(); ++i) {
    const bool pushes = end.stage.p[i][0] > 0;
    const Arrival& arrival = end.arrivals[i];
    report.points += pushes;
    if (arrival.pushed && pushes && arrival.speed > c.settings.impact_speed &&
        outruns(end.points, i, arrival.speed, c.start))
      report.turned = std::max(report.turned, arrival.turned);
    const contact::Point& point = end.points.points[i];
    if (point.gap >= 0) continue;
    report.depth = std::max(report.depth, -point.gap);
    report.sunk = std::max(report.sunk, -point.gap / least_extent(c.surfaces, point));
  }
}

/// Of the last solve of coupled points.
void report_coupled(const CoupledPoints& points, ContactReport& report) {
  const bool solved = std::none_of(points.unsolved.begin(), points.unsolved.end(),
                                   [](auto unsolved) { return unsolved; });
  take(report, {0, 0, points.merit, solved});
}

/// Keeps the impulses of stage V by the keys of their points.
void keep(const ContactEnd& end, model::ContactMemory& out) {
  out.key.clear();
  out.impulse.clear();
  for (std::size_t i = 0; i < end.points.size(); ++i) {
    const Six& impulse = end.stage.p[i];
    if (impulse.isZero(0)) continue;
    const contact::Point& p = end.points.points[i];
    out.key.insert(out.key.end(), {p.A, p.B, p.feature});
    out.impulse.insert(out.impulse.end(), impulse.data(), impulse.data() + 6);
  }
}
}  // namespace

void add_wrenches(const Contacts& c, const model::KinematicsCache& start,
                  const model::KinematicsCache& end, double* wrench_impulses) {
  const ContactSurfaces& s = c.surfaces;
  ContactWrenches out(s.model(), wrench_impulses);
  const auto add = [&](const PointSet& set, const ContactStage& stage,
                       const model::KinematicsCache& at_) {
    for (std::size_t i = 0; i < set.size(); ++i) {
      if (stage.p[i].isZero(0)) continue;
      const contact::Point& point = set.points[i];
      const Vec3 f = force_of(set, i, stage.p[i]), torque = torque_of(set, i, stage.p[i]),
                 x = place_of(s, point);
      out.add(s.object_of(point.A), at_, x, -f, -torque);
      out.add(s.object_of(point.B), at_, x, f, torque);
    }
  };
  add(c.start.points, c.start.stage, start);
  add(c.end.points, c.end.stage, end);
}

void add_impulses_of_points(const Contacts& c, std::vector<PointImpulse>& out) {
  const PointSet &first = c.start.points, &last = c.end.points;
  const auto add = [&out](const contact::Point& point, const Vec3& impulse) {
    if (!impulse.isZero(0)) out.push_back({point, impulse});
  };
  brief::vector<unsigned char> goes_on(first.size());
  for (std::size_t i = 0; i < last.size(); ++i) {
    if (const int k = c.end.arrivals[i].partner; k >= 0) goes_on[at(k)] = 1;
    add(last.points[i], impulse_of(c.start, c.end, i));
  }
  for (std::size_t k = 0; k < first.size(); ++k)
    if (!goes_on[k]) add(first.points[k], force_of(first, k, c.start.stage.p[k]));
}

void end_step(Contacts& c, const model::KinematicsCache& at_, const std::vector<double>& u,
              model::State& state) {
  const ContactTools tools(c);
  slips(c.end.points, u, c.end.stage.after);
  report_impacts(c, at_.t, c.told);
  count_meetings(tools, c.start);
  for (const ContactStage* stage : {&c.start.stage, &c.end.stage})
    report_coupled(stage->coupled, c.told.report);
  report_points(c, c.told.report);
  c.told.report.far = work_of_far(c.start, c.end);
  add_works(c.start, c.end, c.push, state.ledger);
  add_outside(c.surfaces, c.start.points, c.start.stage, c.told.outside);
  add_outside(c.surfaces, c.end.points, c.end.stage, c.told.outside);
  keep(c.end, state.contacts);
  c.last.h = c.start.h;
  c.last.u = u;
  c.last.rates.swap(c.end.stage.after);
  c.last.margin.swap(c.end.margin);
  std::swap(c.start.points, c.end.points);
}

}  // namespace trammel::constraint
