// When bodies meet in a step, or what slides comes to rest, see "Meetings" and "What stays in
// touch" in docs/theory/contact.md.
#include <algorithm>
#include <cmath>

#include "constraint/contact/heaps.h"
#include "constraint/contact/parts.h"
#include "constraint/contact/phases.h"
#include "math/brief.h"

namespace trammel::constraint {

namespace {
constexpr std::size_t kMostMeetings = 8;  // instants of a kind for which a step is divided
constexpr double kOverlap = 1e-6;  // of the way that led there: what has met at its end, not before

/// When in the step a point arrives [s], 0 of one that touches and comes; infinite: it does not
/// strike.
double meets(const ContactSettings& set, const ContactStart& start, std::size_t k) {
  const double gap = start_gap(set, start, k);
  const bool comes = gap + start.h * start.stage.after[k][0] < kAtEnd * gap;  // at the very end
  if (!(start.stage.p[k][0] > 0) && !comes) return law::kInf;
  if (!(gap > 0)) return strikes(set, start, start.points, k, -start.rates[k][0]) ? 0 : law::kInf;
  const double w = arrival_of(set, start, k);
  if (!strikes(set, start, start.points, k, w)) return law::kInf;
  return 2 * start.points.points[k].gap / (w - start.rates[k][0]);
}

/// When a pair does something; `loaded`: something may rest where it does.
struct Instant {
  double t = law::kInf;
  bool loaded = false;
};
/// Instants in a step of h that are told apart.
struct Instants {
  brief::vector<Instant> all;
  bool too_many = false;
};
void take(const Instant& x, double h, Instants& out) {
  if (!(x.t < law::kInf)) return;
  for (Instant& other : out.all)
    if (std::abs(other.t - x.t) <= kAtEnd * h) {
      other.loaded = other.loaded || x.loaded;
      return;
    }
  out.too_many = out.too_many || out.all.size() == kMostMeetings;
  if (!out.too_many) out.all.push_back(x);
}
/// Of no time where there are none, or more than a step is divided for.
Instant first_of(const Instants& x) {
  if (x.all.empty() || x.too_many) return {};
  return *std::min_element(x.all.begin(), x.all.end(),
                           [](const Instant& a, const Instant& b) { return a.t < b.t; });
}

/// When the points of a pair, one of so many in its island, first arrive. Where bodies meet that
/// touch nothing, at no other points of theirs either, no load rests that their impact could have a
/// part in.
Instant meeting_of(const ContactSettings& set, const ContactStart& start, std::size_t first,
                   std::size_t end, int pairs) {
  Instant out{law::kInf, pairs > 1 || start.points.column[first] >= 0};
  for (std::size_t i = first; i < end; ++i) {
    const double t = meets(set, start, i);
    out.loaded = out.loaded || (t == law::kInf && !(start_gap(set, start, i) > 0));
    out.t = std::min(out.t, t);
  }
  return out;
}

/// How long ago a point of the end has met what it overlaps there, where it was to come there just
/// then [s]; 0: it does not overlap.
double ago(const Contacts& c, std::size_t i, std::span<const unsigned char> heaps) {
  const Arrival& arrival = c.end.arrivals[i];
  const double overlap = -c.end.points.points[i].gap, way = arrival.speed * c.start.h;
  if (!arrival.pushed || !(overlap > kOverlap * way)) return 0;
  if (arrival.from >= 0) {
    const std::size_t k = at(arrival.from);
    const bool early = meets(c.settings, c.start, k) < (1 - kAtEnd) * c.start.h;
    if (early || !is_away(c.settings, c.start, k) || (!heaps.empty() && heaps[k])) return 0;
  } else if (!heaps.empty()) {
    return 0;  // it may be of one
  }
  return strikes(c.settings, c.start, c.end.points, i, arrival.speed) ? overlap / arrival.speed : 0;
}
}  // namespace

Next next_in_step(Contacts& c) {
  PointSet& set = c.start.points;
  find_islands(c.surfaces, c.finder, set);
  const brief::vector<unsigned char> heaps = find_heaps(set);
  const brief::vector<int> pairs = pairs_of_islands(set);
  Instants meetings, rests;
  for (std::size_t k = 0; k + 1 < set.pair.size(); ++k) {
    if (!heaps.empty() && heaps[at(set.pair[k])]) continue;
    const std::size_t first = at(set.pair[k]), end = at(set.pair[k + 1]);
    take(meeting_of(c.settings, c.start, first, end, pairs[at(set.island[first])]), c.start.h,
         meetings);
    take({rests_at(c.surfaces, c.settings, c.start, first, end)}, c.start.h, rests);
  }
  const Instant meets = first_of(meetings);
  return {meets.t, meets.loaded, first_of(rests).t};
}

double end_at_meeting(const Contacts& c) {
  const brief::vector<unsigned char> heaps = find_heaps(c.start.points);
  double longest = 0;
  for (std::size_t i = 0; i < c.end.points.size(); ++i)
    longest = std::max(longest, ago(c, i, heaps));
  return longest > 0 ? c.start.h - longest : law::kInf;
}

void count_meetings(const ContactTools& tools, const ContactStart& start) {
  const PointSet& set = start.points;
  for (std::size_t k = 0; k + 1 < set.pair.size(); ++k) {
    double first = law::kInf, late = 0;
    for (std::size_t i = at(set.pair[k]); i < at(set.pair[k + 1]); ++i) {
      const double t = meets(tools.settings, start, i);
      first = std::min(first, t);
      if (t < (1 - kAtEnd) * start.h)
        late = std::max(late, arrival_of(tools.settings, start, i) * (start.h - t) /
                                  least_extent(tools.surfaces, set.points[i]));
    }
    tools.report.met += first < law::kInf;
    tools.report.late += late > 0;
    tools.report.lateness = std::max(tools.report.lateness, late);
  }
}

}  // namespace trammel::constraint
