#include "io/results_layout.h"

namespace trammel::io {

std::vector<Series> series_of(const sim::Recorder& recorder) {
  std::vector<Series> out;
  for (const sim::Quantity& q : recorder.quantities())
    out.push_back({q.path, q.name, q.items, q.columns, q.units});
  return out;
}

std::vector<Constants> constants_of(const model::Built& built) {
  std::vector<Constants> out;
  for (const sim::Constants& c : sim::constants(built))
    out.push_back(
        {c.path, c.items, c.columns, c.units, c.values, {c.labels.begin(), c.labels.end()}});
  return out;
}

}  // namespace trammel::io
