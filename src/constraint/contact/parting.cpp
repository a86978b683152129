// When what slides goes past an edge, see "What stays in touch" in docs/theory/contact.md.
#include "constraint/contact/heaps.h"
#include "constraint/contact/match.h"
#include "constraint/contact/parts.h"
#include "constraint/contact/phases.h"
#include "math/brief.h"

namespace trammel::constraint {

namespace {
constexpr double kBefore = 1e-6;  // of the least extent: so near to the edge a part ends

/// True where points of a pair have pushed that touched all the time, and all that did had another
/// normal than p has.
bool has_left(const Contacts& c, const PairOfBoth& pair, const contact::Point& p) {
  bool any = false;
  for (std::size_t k = pair.k; k < pair.k_end; ++k) {
    if (!(c.start.stage.p[k][0] > 0)) continue;
    any = true;
    const double w = arrival_of(c.settings, c.start, k);
    if (strikes(c.settings, c.start, c.start.points, k, w)) return false;
    if (!is_turned(p, c.start.points.points[k])) return false;
  }
  return any;
}

/// The point of a pair that is deepest at the end; it has some there.
std::size_t deepest_of(const Contacts& c, const PairOfBoth& pair) {
  const std::vector<contact::Point>& points = c.end.points.points;
  std::size_t deepest = pair.i;
  for (std::size_t i = pair.i; i < pair.i_end; ++i)
    if (points[i].gap < points[deepest].gap) deepest = i;
  return deepest;
}

/// The first of two.
void take(const Parting& other, Parting& out) {
  if (other.t < out.t) out = other;
}

/// What is deepest at the end of a pair goes away there from where it parted, by its gap.
Parting parting_of(const Contacts& c, const PairOfBoth& pair, std::span<const double> u) {
  if (pair.i == pair.i_end) return {};
  const std::size_t i = deepest_of(c, pair);
  const contact::Point& p = c.end.points.points[i];
  const double rate = opening_at(c.end.points, i, u);
  if (!(p.gap > 0) || !(rate > 0) || !has_left(c, pair, p)) return {};
  const double before = kBefore * least_extent(c.surfaces, p);
  return {c.start.h - (p.gap + before) / rate, 3 * before / rate};
}
}  // namespace

Parting first_parting(const Contacts& c, std::span<const double> u) {
  const brief::vector<unsigned char> heaps = find_heaps(c.start.points);
  Parting first;
  match_pairs(c.end.points.points, c.start.points.points, [&](const PairOfBoth& pair) {
    if (heaps.empty() || !heaps[pair.k]) take(parting_of(c, pair, u), first);
  });
  return first;
}

}  // namespace trammel::constraint
