#pragma once

#include "constraint/rows.h"

/// Rows at their stops within a step: when they come there, whether that is an impact, and how deep
/// they lie.
namespace trammel::constraint {

/// The way of a row in a step of h [s]: its value and rate at the start, its value at the end.
struct RowPath {
  double g = 0, rate = 0, g_end = 0, h = 0;  // [m, rad], [m/s, rad/s], [m, rad]
};

/// True where a row is at the end of a step at a stop that it was not at when the step began.
bool has_closed(Hold hold, const law::ConstraintSpec& start, const law::ConstraintSpec& end,
                double g, double g_end);
/// Returns the time [s] after the start of a step at which a row is a little beyond a stop that it
/// runs into, on the parabola through its path; infinite where it does not, or not fast enough to
/// strike.
double time_of_stop(Hold hold, const law::ConstraintSpec& start, const law::ConstraintSpec& end,
                    const RowPath& path);
/// True where a row runs into its stop fast enough for an impact (kImpactSpeed).
bool strikes(Hold hold, const law::ConstraintSpec& spec, double g, double rate);
/// Returns how deep a row lies in its stop while it rests there [m, rad]; 0 for all others.
double depth_at_rest(Hold hold, const law::ConstraintSpec& spec, double g, double rate);

}  // namespace trammel::constraint
