#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "form/settings.h"
#include "io/scene_value.h"

/// Which formulation takes which option of a scene, as data. The reader refuses what is not taken,
/// docs/options.md shows the table, and a test runs every cell of it.
namespace trammel::io {

/// A key that some formulation has no use for. Keys that are not listed work in all of them.
struct Option {
  std::string_view family, kind, key;  // "law", "limit", "restitution"; no key: all of the kind
  std::array<bool, 3> works;           // velocity, acceleration, energy
  std::string_view why;                // not
  bool by_value = false;   // its neutral value is taken: the formulation looks at the whole model
  bool soft_only = false;  // by energy only where joints are not held by their rows
};
std::span<const Option> options();

/// Complains of the keys given in an element, or in `simulation`, that the formulation does not
/// take.
void check_options(const Value& element, std::string_view family, const form::Settings& settings,
                   Findings& findings);

/// The table of the manual: every key of what acts and moves, by formulation.
std::string option_reference();

}  // namespace trammel::io
