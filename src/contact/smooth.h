#pragma once

#include "contact/gjk.h"

namespace trammel::contact {

inline bool is_smooth(const Convex& c) { return c.core == Convex::Core::ellipsoid; }

/// Gap and direction between an ellipsoid and another core, exact to rounding. What is certainly
/// farther apart than `margin` may be left with any gap beyond it.
Nearest nearest_of_smooth(const Convex& A, const Convex& B, double margin, double size);

}  // namespace trammel::contact
