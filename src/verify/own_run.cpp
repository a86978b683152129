#include "verify/own_run.h"

#include <algorithm>

#include "math/index.h"

namespace trammel::verify {

OwnRun judge_own_run(const std::vector<Pose>& own, const Series& series, long resolved, double size,
                     const model::Model& model, const std::vector<int>& object) {
  OwnRun out;
  const Samples& run = series.finest();
  const auto bodies = static_cast<long>(object.size());
  const long count = bodies > 0 ? std::min(resolved, static_cast<long>(own.size()) / bodies) : 0;
  const auto time = [&](long k) { return run.t0 + static_cast<double>(k + 1) * run.apart; };
  const auto name = [&](int body) { return model.objects[at(object[at(body)])].name; };
  out.until = count > 0 ? time(count - 1) : run.t0;
  for (long k = 0; k < count; ++k) {
    const Distance d =
        apart(own.data() + k * bodies, series.limit.data() + k * bodies, object.size());
    if (d.length > out.off.length) {
      out.length_t = time(k);
      out.length_body = name(d.length_body);
    }
    if (d.angle > out.off.angle) {
      out.angle_t = time(k);
      out.angle_body = name(d.angle_body);
    }
    out.off.take(d);
    out.known.take(series.uncertain(static_cast<std::size_t>(k)));
    if (d.scaled(size) > kLost) out.lost_from = std::min(out.lost_from, time(k));
  }
  return out;
}

}  // namespace trammel::verify
