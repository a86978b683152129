#pragma once

#include "contact/gjk.h"

namespace trammel::contact {

/// Directions in which round cores often touch, axes and normals among them: the one that parts
/// them best, with its gap. What it says holds only where the cores touch along it.
Nearest flush(const Convex& A, const Convex& B);

}  // namespace trammel::contact
