#pragma once

#include "contact/gjk.h"

namespace trammel::contact {

/// Makes the direction between round cores exact to rounding, that `rough` has nearly.
Nearest polished(const Convex& A, const Convex& B, const Nearest& rough, double size);

/// Directions in which round cores often touch, axes and normals among them: the one that parts
/// them best, with its gap. What it says holds only where the cores touch along it.
Nearest flush(const Convex& A, const Convex& B);

}  // namespace trammel::contact
