#include "constraint/contact/heaps.h"

#include <algorithm>

#include "math/index.h"

namespace trammel::constraint {

brief::vector<unsigned char> find_heaps(const PointSet& set) {
  const int n = std::max(count(set.pair), 1) - 1;
  if (n <= kFewPairs) return {};
  const auto island = [&](int k) { return at(set.island[at(set.pair[at(k)])]); };
  brief::vector<int> pairs;  // of each island
  for (int k = 0; k < n; ++k) {
    pairs.resize(std::max(pairs.size(), island(k) + 1), 0);
    ++pairs[island(k)];
  }
  const int lone = static_cast<int>(std::count(pairs.begin(), pairs.end(), 1));
  if (n - lone <= kFewPairs) return {};
  brief::vector<unsigned char> out(set.size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = pairs[at(set.island[i])] > 1;
  return out;
}

}  // namespace trammel::constraint
