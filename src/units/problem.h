#pragma once

#include <string>

namespace trammel {

/// Holds what is wrong with an input, and where.
struct Problem {
  std::string path;  // of the key, e.g. body.car.mass or track.main.plan[3].length
  std::string text;  // one sentence, with value, unit, rule and the nearest valid name
};

}  // namespace trammel
