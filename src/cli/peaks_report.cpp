#include "cli/peaks_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

namespace trammel::cli {

namespace {

constexpr std::size_t kLines = 10;   // of a section
constexpr double kNothing = 1e-9;    // of what forces are compared with: not worth a line
constexpr double kNotAForce = 1e-9;  // likewise, of other quantities in any unit

std::string at_text(double t) {
  return t > 0 && t < 0.01 ? fmt::format("at {:.3g} s", t) : fmt::format("at {:.2f} s", t);
}

/// Returns the forces with the largest ratios, of each element the first.
std::vector<const sim::Extreme*> largest_forces(const sim::PeakList& peaks) {
  std::vector<const sim::Extreme*> all, out;
  for (const sim::Extreme& x : peaks.extremes)
    if (!x.compared_with.empty() && x.ratio > kNothing) all.push_back(&x);
  std::stable_sort(all.begin(), all.end(), [](auto* a, auto* b) { return a->ratio > b->ratio; });
  for (const sim::Extreme* x : all) {
    const bool known = std::any_of(out.begin(), out.end(), [&](const sim::Extreme* y) {
      return y->kind == x->kind && y->element == x->element;
    });
    if (!known) out.push_back(x);
    if (out.size() == kLines) break;
  }
  return out;
}

void add_row(const sim::Extreme& x, TextTable& out) {
  const Shown value = cli::shown(x.value, x.unit, 4);
  out.row(
      {x.name, value.number, value.unit, at_text(x.t),
       x.compared_with.empty() ? "" : fmt::format("{} x {}", number(x.ratio, 3), x.compared_with)});
}

}  // namespace

TextTable greatest_values(const sim::PeakList& peaks) {
  TextTable out("lrlll");
  std::map<std::string, std::size_t> lines;  // of each kind
  for (const sim::Extreme& x : peaks.extremes)
    if (x.compared_with.empty() && std::abs(x.value) > kNotAForce && lines[x.kind]++ < kLines)
      add_row(x, out);
  for (const sim::Extreme* x : largest_forces(peaks)) add_row(*x, out);
  return out;
}

TextTable greatest_impulses(const sim::PeakList& peaks) {
  std::vector<const sim::ImpulsePeak*> all;
  for (const sim::ImpulsePeak& x : peaks.impulses) all.push_back(&x);
  std::stable_sort(all.begin(), all.end(),
                   [](auto* a, auto* b) { return std::abs(a->value) > std::abs(b->value); });
  TextTable out("llrlll");
  for (std::size_t i = 0; i < std::min(kLines, all.size()); ++i) {
    const sim::ImpulsePeak& x = *all[i];
    const Shown value = cli::shown(x.value, x.unit, 4);
    out.row({x.kind, x.element, value.number, value.unit, at_text(x.t),
             fmt::format("of {}", count(x.count, "impact"))});
  }
  return out;
}

void json_peaks(const sim::PeakList& peaks, io::Json& j) {
  j.key("extremes").begin('[');
  for (const sim::Extreme& x : peaks.extremes) {
    j.begin('{')
        .field("name", x.name)
        .field("value", x.value)
        .field("unit", x.unit)
        .field("t", x.t);
    j.field("kind", x.kind).field("element", x.element);
    if (!x.compared_with.empty()) j.field("ratio", x.ratio).field("compared_with", x.compared_with);
    j.end();
  }
  j.end().key("impulses").begin('[');
  for (const sim::ImpulsePeak& x : peaks.impulses)
    j.begin('{')
        .field("kind", x.kind)
        .field("element", x.element)
        .field("value", x.value)
        .field("unit", x.unit)
        .field("t", x.t)
        .field("count", x.count)
        .end();
  j.end().field("peaks_left_out", peaks.left_out);
}

}  // namespace trammel::cli
