#pragma once

#include <string_view>

namespace trammel::sim {

/// What a warning of a run is about; docs/results.md says what each means and where its limit is.
enum class WarningKind : unsigned char {
  energy_residual,
  numerical_gain,
  numerical_damping,
  position_corrections,
  momentum_residual,
  energy_lost_at_kinks,
  large_turns,
  bent_coordinates,
  unresolved_chart,
  unresolved_leap,
  unresolved_vibration,
  unresolved_drive,
  unresolved_load,
  teleporting_drive,
  fallback_steps,
  contacts_not_solved,
  coarse_impacts,
  coarse_rolling,
  late_contacts,
  impacts_without_end,
  overlap,
  deep_sinking,
  late_impacts,
  break_of_a_soft_joint,
  soft_joints,
  undetermined_load,
  mixed_sizes,
  start_velocities,
  negative_limit,
  no_number,
  unused_number,
};

/// Returns its name in messages and results, words with spaces between them.
std::string_view name_of(WarningKind kind);

}  // namespace trammel::sim
