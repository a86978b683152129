// When bodies meet in a step, see "Meetings" in docs/theory/contact.md.
#include <algorithm>
#include <cmath>

#include "constraint/contact/heaps.h"
#include "constraint/contact/parts.h"
#include "constraint/contact/phases.h"

namespace trammel::constraint {

namespace {
constexpr std::size_t kMostMeetings = 8;  // instants of meetings for which a step is divided

/// When in the step a point arrives [s]; infinite: it does not strike, faster than forces make of
/// what rests in it.
double meets(const ContactSettings& set, const ContactStart& start, std::size_t k,
             const std::vector<double>& kick_u) {
  if (!(start.stage.p[k][0] > 0) || !(start_gap(set, start, k) > 0)) return law::kInf;
  const double w = arrival_of(set, start, k);
  if (!(w > set.impact_speed) || !outruns(start.points, k, w, kick_u)) return law::kInf;
  return 2 * start.points.points[k].gap / (w - start.rates[k][0]);
}
}  // namespace

double next_meeting(Contacts& c, const model::KinematicsCache& at_) {
  const ContactTools tools(c);
  PointSet& set = c.start.points;
  find_islands(c.surfaces, c.finder, set);
  const std::vector<unsigned char> heaps = find_heaps(set);
  const std::vector<double>& kick_u = kicked(tools, at_, c.start.kick);
  std::vector<double> instants;
  for (std::size_t k = 0; k + 1 < set.pair.size(); ++k) {
    if (!heaps.empty() && heaps[at(set.pair[k])]) continue;
    double t = law::kInf;
    for (std::size_t i = at(set.pair[k]); i < at(set.pair[k + 1]); ++i)
      t = std::min(t, meets(c.settings, c.start, i, kick_u));
    const auto is_t = [&](double other) { return std::abs(other - t) <= kAtEnd * c.start.h; };
    if (!(t < law::kInf) || std::any_of(instants.begin(), instants.end(), is_t)) continue;
    if (instants.size() == kMostMeetings) return law::kInf;
    instants.push_back(t);
  }
  return instants.empty() ? law::kInf : *std::min_element(instants.begin(), instants.end());
}

void count_meetings(const ContactTools& tools, const ContactStart& start,
                    const std::vector<double>& kick_u) {
  const PointSet& set = start.points;
  for (std::size_t k = 0; k + 1 < set.pair.size(); ++k) {
    double first = law::kInf, late = 0;
    for (std::size_t i = at(set.pair[k]); i < at(set.pair[k + 1]); ++i) {
      const double t = meets(tools.settings, start, i, kick_u);
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
