#include "constraint/contact/mean.h"

#include <cstddef>
#include <cstdint>
#include <tuple>

#include "math/brief.h"
#include "math/fnv.h"

namespace trammel::constraint {

namespace {
/// What is the same point in all parts: both shapes, and the feature.
using PointKey = std::tuple<int, int, std::int64_t>;
struct PointHash {
  std::size_t operator()(const PointKey& k) const {
    const auto [a, b, feature] = k;
    const std::int64_t all[] = {a, b, feature};
    Fnv sum;
    sum.add(all, sizeof all);
    return sum.h;
  }
};
}  // namespace

void mean_forces(std::span<const std::vector<PointImpulse>* const> parts, double h,
                 std::vector<ContactForce>& out) {
  brief::unordered_map<PointKey, std::size_t, PointHash> found;
  std::size_t all = 0;
  for (const std::vector<PointImpulse>* points : parts) all += points->size();
  found.reserve(all);
  out.clear();
  for (const std::vector<PointImpulse>* points : parts)
    for (const PointImpulse& p : *points) {
      const PointKey key(p.point.A, p.point.B, p.point.feature);
      const auto [it, is_new] = found.emplace(key, out.size());
      if (is_new)
        out.push_back({p.point, p.impulse / h});
      else
        out[it->second].force += p.impulse / h;
    }
}

}  // namespace trammel::constraint
