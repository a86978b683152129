#pragma once

#include "constraint/forces/geometry.h"
#include "constraint/forces/jet.h"

namespace trammel::constraint {

/// The point of a piece that is farthest along n, whatever its length: of an ellipsoid, which goes
/// about it; a point stays, and so does a line.
Jet3 farthest(const Carried& on, const ContactPiece& piece, const Jet3& n);

/// An ellipsoid A meets a point, a line or an ellipsoid B along their common normal, which is found
/// from a guess.
Meeting meet_ellipsoid(const Carried& a, const ContactPiece& A, const Carried& b,
                       const ContactPiece& B, const Vec3& guess);

}  // namespace trammel::constraint
