#pragma once

#include <string>
#include <vector>

/// The peaks of a run as its summary lists them (docs/results.md, "Peaks").
namespace trammel::sim {

/// The value of greatest magnitude that a channel has had.
struct Extreme {
  std::string kind, element;  // "joint", "hinge"
  std::string name, unit;     // of the channel: "hinge.reaction.fx", "N"
  double value = 0, t = 0;    // with its sign
  double ratio = 0;           // magnitude over what it is compared with; of forces alone, else 0
  std::string compared_with;  // "strength", "weight", "greatest force"; empty: nothing
};

/// The greatest impulse that an element has had in an impact.
struct ImpulsePeak {
  std::string kind, element, unit;
  double value = 0, t = 0;  // of joints and contacts the magnitude
  long count = 0;           // of impacts
};

struct PeakList {
  std::vector<Extreme> extremes;
  std::vector<ImpulsePeak> impulses;
  long left_out = 0;  // elements that are not listed, since there are too many of their kind
};

}  // namespace trammel::sim
