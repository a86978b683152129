#include "verify/growth.h"

#include <algorithm>

namespace trammel::verify {

namespace {
constexpr double kNoise = 1e-13;  // rounding, which is no first difference
}

Growth growth(const Method& method, const sim::Settings& own, const Grid& grid, const Samples& run,
              double size, const Cap& cap) {
  Growth out;
  out.from = run.moving_at;
  if (out.from < 0 || out.from + 1 >= run.count()) return out;
  model::Built disturbed = *method.built;
  disturbed.state = run.moving;
  for (double& p : disturbed.state.P) p *= 1 + kDisturbance;
  const Refined r = refined(method, own, grid, kLevels - 1);
  const long first = out.from + 1;
  const Samples twin =
      sample(disturbed, r.settings, r.every, run.count() - first, cap, method.compared);
  out.beyond.assign(static_cast<std::size_t>(run.count()), 0);
  long steady = first;  // the last time at which it was no more than that
  for (long k = 0; k < twin.count(); ++k) {
    const Distance d = apart(twin.at(k), run.at(first + k), run.object.size());
    out.apart.push_back(d.scaled(size));
    out.beyond[static_cast<std::size_t>(first + k)] = d.length / static_cast<double>(k + 1);
    const double drift = std::max(out.apart.front(), kNoise) * static_cast<double>(k + 1);
    if (out.chaotic < 0 && out.apart.back() <= drift) steady = first + k;
    out.factor = std::max(out.factor, out.apart.back() / drift);
    if (out.chaotic < 0 && out.factor > kChaotic) out.chaotic = steady;
  }
  return out;
}

}  // namespace trammel::verify
