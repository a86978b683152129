#pragma once

#include "joint/evaluate.h"

/// Answers of the row functions that are no h of products; the table in function.cpp refers to
/// them.
namespace trammel::joint {

extern const Own kArcLength;     // arc_length.cpp
extern const Own kRightStretch;  // stretch.cpp

// contact.cpp: the contact is B's origin; or, of a plane through A's origin of normal n, the foot
// of B's origin (a ball's); or that of a disc about a.
extern const Touch kTouchesAtOrigin, kTouchesAsBall, kTouchesAsDisc;
RowRates slip_rates(const Row& row, const Sample& at, const SampleRates& moving);

/// J of a strain of A's own axes on the 12 numbers of an affine A.
void strain_jacobian(const Row& row, const Ends& ends, const Sample& at, double* J_A);

}  // namespace trammel::joint
