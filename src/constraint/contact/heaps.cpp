#include "constraint/contact/heaps.h"

#include <algorithm>

#include "math/index.h"

namespace trammel::constraint {

brief::vector<int> pairs_of_islands(const PointSet& set) {
  brief::vector<int> out;
  for (std::size_t k = 0; k + 1 < set.pair.size(); ++k) {
    const std::size_t island = at(set.island[at(set.pair[k])]);
    out.resize(std::max(out.size(), island + 1), 0);
    ++out[island];
  }
  return out;
}

brief::vector<unsigned char> find_heaps(const PointSet& set) {
  const int n = std::max(count(set.pair), 1) - 1;
  if (n <= kFewPairs) return {};
  const brief::vector<int> pairs = pairs_of_islands(set);
  const int lone = static_cast<int>(std::count(pairs.begin(), pairs.end(), 1));
  if (n - lone <= kFewPairs) return {};
  brief::vector<unsigned char> out(set.size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = pairs[at(set.island[i])] > 1;
  return out;
}

}  // namespace trammel::constraint
