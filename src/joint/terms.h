#pragma once

#include "joint/evaluate.h"

/// Matching terms (closure residuals) as numbers, for formulations that work with energies: a
/// joint's energy is the sum of their weighted squares.
namespace trammel::joint {

int components(const Term& term);     // three, or one of a row
unsigned features(const Term& term);  // mask of what it takes
/// Lengths are weighted by a stiffness [N/m], all others by one times the square of a length.
bool is_length(const Term& term);

void values(const Term& term, const Sample& at, const Arc& arc, double* out);
/// J of every component on the places of both ends as if they were affine: 12 numbers each (p, rows
/// of A), overwritten.
void jacobians(const Term& term, const Ends& ends, const Sample& at, double* J_A, double* J_B);

/// J of a row on the places of both ends, likewise.
void embedded_jacobian(const Row& row, const Ends& ends, const Sample& at, double* J_A,
                       double* J_B);

}  // namespace trammel::joint
