#pragma once

#include <string>
#include <vector>

#include "sim/formula.h"

namespace trammel::sim {

/// Something happens when a sensor passes a value. The moment is located; the run stands still
/// there and goes on, or ends.
struct SensorEvent {
  Formula at;  // the value passed, in the sensor's unit
  enum class Direction : unsigned char { both, rising, falling } direction = Direction::both;
  bool stop = false;      // the run ends there, as one that has come to its end
  std::string text = {};  // what it means, for the record
};

/// A number that is measured while a run goes on: a channel of its own.
struct SensorSpec {
  std::string name, path = {};
  Formula formula;
  std::string unit = {};  // what it is of, where the formula leaves that open; recorded in SI
  std::string text = {};  // what it is
  std::vector<SensorEvent> events = {};
  bool display = false;  // pictures of a run show it large
};

}  // namespace trammel::sim
