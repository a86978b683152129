#include "sim/controllers.h"

#include <algorithm>
#include <utility>

namespace trammel::sim {

namespace {

enum PidMemory : std::size_t { kIntegral, kError, kRate };

/// What a PID controller knows besides its formulas.
struct Pid {
  double kp, ki, kd, lo, hi, rate_limit, filter;
  int rate, target_rate, feedforward;  // places among the measures; -1: none

  double of(const Sample& s, int measure) const {
    return measure < 0 ? 0 : s.measures[static_cast<std::size_t>(measure)];
  }
  double rate_of_error(const Sample& s, double e) const {
    const bool first = s.since == 0;
    const double raw = rate >= 0 ? of(s, target_rate) - of(s, rate)
                       : first   ? 0
                                 : (e - s.memory[kError]) / s.since;
    if (first || filter == 0) return raw;
    return s.memory[kRate] + s.since / (filter + s.since) * (raw - s.memory[kRate]);
  }
  double bounded(const Sample& s, double u) const {
    u = std::clamp(u, lo, hi);
    if (!(rate_limit < std::numeric_limits<double>::infinity())) return u;
    const double way = rate_limit * s.since;
    return std::clamp(u, s.outputs[0] - way, s.outputs[0] + way);
  }
  void operator()(const Sample& s) const {
    const double e = s.measures[1] - s.measures[0], d = rate_of_error(s, e);
    const double others = kp * e + kd * d + of(s, feedforward);
    double integral = s.memory[kIntegral] + ki * e * s.since;
    double u = others + integral;
    const double given = bounded(s, u);
    if ((u - given) * ki * e > 0) integral = s.memory[kIntegral];
    u = bounded(s, others + integral);
    s.memory[kIntegral] = integral;
    s.memory[kError] = e;
    s.memory[kRate] = d;
    s.outputs[0] = u;
  }
};

}  // namespace

ControllerSpec pid(const PidSpec& p) {
  ControllerSpec out{.name = p.name, .path = p.path, .period = p.period, .outputs = {p.output}};
  using Like = Measure::Like;
  out.measures = {{p.measure, Like::any, 0, 0, "the measure"},
                  {p.target, Like::first, 0, 0, "the target"}};
  const auto add = [&](const std::optional<Formula>& f, Like like, int seconds, const char* what) {
    if (!f) return -1;
    out.measures.push_back({*f, like, 0, seconds, what});
    return static_cast<int>(out.measures.size()) - 1;
  };
  const int rate = add(p.rate, Like::first, -1, "the rate of the measure"),
            target_rate = add(p.target_rate, Like::first, -1, "the rate of the target"),
            feedforward = add(p.feedforward, Like::output, 0, "the feedforward");
  out.memory = {{"", 0, {}}, {"", 0, {}}, {"", 0, {}}};
  out.update =
      Pid{p.kp, p.ki, p.kd, p.lo, p.hi, p.rate_limit, p.filter, rate, target_rate, feedforward};
  out.gains = p.gains;
  return out;
}

}  // namespace trammel::sim
