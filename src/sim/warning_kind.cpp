#include "sim/warning_kind.h"

#include <array>

namespace trammel::sim {

std::string_view name_of(WarningKind kind) {
  constexpr auto kNames = std::to_array<std::string_view>({
      "energy residual",      "numerical gain",       "numerical damping",
      "position corrections", "momentum residual",    "energy lost at kinks",
      "large turns",          "bent coordinates",     "unresolved chart",
      "unresolved leap",      "unresolved vibration", "unresolved drive",
      "unresolved load",      "teleporting drive",    "fallback steps",
      "contacts not solved",  "coarse impacts",       "coarse rolling",
      "late contacts",        "impacts without end",  "overlap",
      "deep sinking",         "late impacts",         "break of a soft joint",
      "soft joints",          "undetermined load",    "mixed sizes",
      "start velocities",     "negative limit",       "no number",
      "unused number",
  });
  static_assert(kNames.size() == static_cast<std::size_t>(WarningKind::unused_number) + 1);
  return kNames[static_cast<std::size_t>(kind)];
}

}  // namespace trammel::sim
