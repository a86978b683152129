// What is said of small mechanisms beside large ones.
#include "sim/judgement_sizes.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>

#include "constraint/contact/wrenches.h"
#include "constraint/rows.h"
#include "constraint/status.h"
#include "math/index.h"
#include "model/scales.h"
#include "sim/parts.h"

namespace trammel::sim {

namespace {

/// A mechanism: the object that it is named by, and its size [m]; 0: nobody knows it.
struct Sized {
  int object = -1;
  double size = 0;
  bool held = false;  // something decides about it: a joint, or surfaces that may touch
};

std::vector<Sized> sized_parts(const Watch& watch, const model::Model& m) {
  const std::vector<int> parts = parts_of(m);
  const std::vector<double> arms = model::arms(m, watch.params());
  std::vector<Sized> out;
  for (int o = 0; o < count(m.objects); ++o) {
    if (parts[at(o)] < 0) continue;
    if (parts[at(o)] >= count(out)) out.resize(at(parts[at(o)] + 1));
    Sized& part = out[at(parts[at(o)])];
    if (part.object < 0) part.object = o;
    part.size = std::max(part.size, arms[at(o)]);
  }
  for (int j = 0; j < count(m.joints); ++j)
    if (const int part = part_of_joint(m, parts, j); part >= 0) out[at(part)].held = true;
  for (const int o : constraint::touching_objects(m)) out[at(parts[at(o)])].held = true;
  return out;
}

/// Returns the smallest whose size is known, among those that something decides about.
Sized smallest(const std::vector<Sized>& parts) {
  Sized out{-1, std::numeric_limits<double>::infinity(), false};
  for (const Sized& p : parts)
    if (p.held && p.size > 0 && p.size < out.size) out = p;
  return out;
}

}  // namespace

void judge_sizes(const Watch& watch, const model::Model& m, std::vector<Warning>& out) {
  const Sized part = smallest(sized_parts(watch, m));
  const double ratio = m.scales.length / part.size;
  if (!(ratio > kSizesLimit)) return;
  Warning w;
  w.kind = WarningKind::mixed_sizes;
  w.subject = m.objects[at(part.object)].name;
  w.value = ratio;
  w.limit = kSizesLimit;
  w.unit = "1";
  w.grave = ratio > kSizesGrave;
  w.text = fmt::format(
      "its mechanism has a size of {:.2g} m and shares the scene with larger ones, whose scale of "
      "{:.2g} m decides for all: gaps below {:.0e} m and impacts below {:.0e} m/s count as none",
      part.size, m.scales.length, constraint::kAlarm * m.scales.length,
      constraint::kImpactSpeed * m.scales.speed);
  w.remedy = "run what is so small in a scene of its own, which then has a scale of its own";
  out.push_back(w);
}

}  // namespace trammel::sim
