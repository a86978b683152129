#pragma once

#include <string>

namespace trammel::constraint {

/// Something that happened at a time rather than over it.
struct Event {
  double t = 0;
  std::string kind, subject, text;  // e.g. "impact", joint name, one sentence
  double value = 0;
  std::string unit;
};

}  // namespace trammel::constraint
