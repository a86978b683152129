// What warnings are told in.
#include <fmt/format.h>

#include <cmath>

#include "sim/judgement.h"

namespace trammel::sim {

std::string time_text(double seconds) {
  const char* unit = "s";
  if (seconds < 1e-3)
    seconds *= 1e6, unit = "us";
  else if (seconds < 1)
    seconds *= 1e3, unit = "ms";
  const double digit = std::pow(10, std::floor(std::log10(seconds)));
  return fmt::format("{:g} {}", std::floor(seconds / digit * (1 + 1e-9)) * digit, unit);
}

std::string when(const Warning& w) {
  if (w.t_worst <= w.t_first) return fmt::format("at t = {:.6g} s", w.t_first);
  return fmt::format("first at t = {:.6g} s, worst at t = {:.6g} s", w.t_first, w.t_worst);
}

std::string sentence(const Warning& w) {
  return fmt::format("'{}': {} ({}): {}", w.subject, w.text, when(w), w.remedy);
}

}  // namespace trammel::sim
