#include "plot/marks.h"

#include <algorithm>
#include <cmath>

#include "plot/text.h"

namespace trammel::plot {

namespace {

constexpr double kGap = 6;              // px between a text and whatever stands beside it
constexpr std::size_t kMostTexts = 60;  // more are a grey wall

bool over(const PlacedMark& text, double x) {
  return x > text.left - kGap && x < text.left + text.width + kGap && x != text.x;
}

// Whether a mark in its lane is clear of a mark already placed: stems run through all lower lanes.
bool clear(const PlacedMark& a, const PlacedMark& b) {
  if (b.lane < 0) return true;
  if (b.lane > a.lane) return !over(a, b.x);
  if (b.lane < a.lane) return !over(b, a.x);
  return a.left + a.width + kGap < b.left || b.left + b.width + kGap < a.left;
}

// The texts with their sides: right of the stem, but left where the picture ends, or where the text
// would cover the stem of one that had to go left. From left to right.
std::vector<PlacedMark> beside_stems(const std::vector<Mark>& marks, const Axis& x, double size) {
  std::vector<PlacedMark> out;
  for (const Mark& mark : marks) {
    if (!(mark.x >= x.lo && mark.x <= x.hi)) continue;
    const std::string text = shorten(mark.text, size, 0.4 * std::abs(x.to - x.from));
    out.push_back({x.pixel(mark.x), text, 0, text_width(text, size), -1});
  }
  std::ranges::stable_sort(out, {}, &PlacedMark::x);
  double end = x.to + kGap;
  for (auto p = out.rbegin(); p != out.rend(); ++p) {
    p->left = p->x + kGap / 2;
    if (p->left + p->width + kGap <= end) continue;
    p->left = p->x - kGap / 2 - p->width;
    end = p->x;
  }
  return out;
}

}  // namespace

std::vector<PlacedMark> place_marks(const std::vector<Mark>& marks, const Axis& x, double size,
                                    int max_lanes) {
  std::vector<PlacedMark> placed = beside_stems(marks, x, size);
  if (placed.size() > kMostTexts) return placed;
  const auto place = [&](PlacedMark& mark) {
    const auto free = [&] {
      return std::ranges::all_of(
          placed, [&](const PlacedMark& other) { return &other == &mark || clear(mark, other); });
    };
    if (mark.text.empty()) return;
    for (mark.lane = 0; mark.lane < max_lanes && !free();) ++mark.lane;
    if (mark.lane == max_lanes) mark.lane = -1;
  };
  // Those that stand nearest to the side where their texts run go lowest.
  for (PlacedMark& mark : placed)
    if (mark.left < mark.x) place(mark);
  for (auto mark = placed.rbegin(); mark != placed.rend(); ++mark)
    if (mark->left > mark->x) place(*mark);
  return placed;
}

}  // namespace trammel::plot
