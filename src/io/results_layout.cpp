#include "io/results_layout.h"

namespace trammel::io {

std::vector<Series> series_of(const sim::Recorder& recorder) {
  std::vector<Series> out;
  for (const sim::Quantity& q : recorder.quantities())
    out.push_back({q.path, q.name, q.items, q.columns, q.units});
  return out;
}

std::vector<Rows> lists_of(const sim::Recorder& recorder) {
  std::vector<Rows> out;
  for (const sim::Listing& l : recorder.lists()) out.push_back({l.path, l.columns, l.units});
  return out;
}

std::vector<Constants> constants_of(const model::Built& built, bool lines) {
  std::vector<Constants> out;
  const auto add = [&](const std::vector<sim::Constants>& tables) {
    for (const sim::Constants& c : tables)
      out.push_back(
          {c.path, c.items, c.columns, c.units, c.values, {c.labels.begin(), c.labels.end()}});
  };
  add(sim::constants(built));
  if (lines) add(sim::track_lines(*built.model));
  return out;
}

}  // namespace trammel::io
