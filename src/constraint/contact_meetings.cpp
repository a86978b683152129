// When bodies meet in a step, see "Meetings" in docs/theory/contact.md.
#include <algorithm>
#include <cmath>

#include "constraint/contact.h"
#include "constraint/contact_heaps.h"
#include "constraint/rows.h"
#include "math/index.h"

namespace trammel::constraint {

namespace {
constexpr std::size_t kMostMeetings = 8;  // instants of meetings for which a step is divided
}  // namespace

/// True for a point with a gap that closes in the step, faster than forces make of what rests in
/// it. Needs moved_.
bool Contacts::strikes(std::size_t k) const {
  if (!(first_.p[k][0] > 0) || !(counted_gap(now_->points[k].gap, start_[k][0], h_) > 0))
    return false;
  const double w = first_arrival(k);
  return w > kImpactSpeed * kin_.model().scales.speed &&
         w > 2 * std::abs(rates_at(*now_, k, moved_)[0]);
}

/// When in the step it arrives [s]; infinite: it does not strike.
double Contacts::meets(std::size_t k) const {
  return strikes(k) ? 2 * now_->points[k].gap / (first_arrival(k) - start_[k][0]) : law::kInf;
}

double Contacts::meets(const model::KinematicsCache& at_) {
  surfaces_.find_islands(*now_);
  const std::vector<unsigned char> heaps = find_heaps(*now_);
  moved_.resize(kick_.size());
  kin_.velocities(at_, kick_.data(), moved_.data());
  const auto first_of_pair = [&](std::size_t k) {
    double first = law::kInf;
    for (int i = now_->pair[k]; i < now_->pair[k + 1]; ++i) first = std::min(first, meets(at(i)));
    return first;
  };
  std::vector<double> instants;
  for (std::size_t k = 0; k + 1 < now_->pair.size(); ++k) {
    if (!heaps.empty() && heaps[at(now_->pair[k])]) continue;
    const double t = first_of_pair(k);
    const auto is_t = [&](double other) { return std::abs(other - t) <= kAtEnd * h_; };
    if (!(t < law::kInf) || std::any_of(instants.begin(), instants.end(), is_t)) continue;
    if (instants.size() == kMostMeetings) return law::kInf;
    instants.push_back(t);
  }
  return instants.empty() ? law::kInf : *std::min_element(instants.begin(), instants.end());
}

/// Reports how many pairs have met, and how late those are that have done so within the step.
void Contacts::count_meetings() {
  for (std::size_t k = 0; k + 1 < now_->pair.size(); ++k) {
    double first = law::kInf, late = 0;
    for (std::size_t i = at(now_->pair[k]); i < at(now_->pair[k + 1]); ++i) {
      const double t = meets(i);
      first = std::min(first, t);
      if (t < (1 - kAtEnd) * h_)
        late =
            std::max(late, first_arrival(i) * (h_ - t) / surfaces_.least_extent(now_->points[i]));
    }
    report_.met += first < law::kInf;
    report_.late += late > 0;
    report_.lateness = std::max(report_.lateness, late);
  }
}

}  // namespace trammel::constraint
