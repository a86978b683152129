#pragma once

#include "contact/gjk.h"

namespace trammel::contact {

inline bool is_smooth(const Convex& c) { return c.core == Convex::Core::ellipsoid; }

/// Where two cores touch of which one is curved (an ellipsoid, a round one), to rounding: the
/// places nearest to each other or, where they overlap, the direction in which they part with least
/// motion. Farther apart than `margin` it is no more than that. `size` is of both.
Nearest nearest_by_direction(const Convex& A, const Convex& B, double margin, double size);

}  // namespace trammel::contact
