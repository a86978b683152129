#pragma once

#include <span>
#include <vector>

#include "model/constraint_specs.h"
#include "solve/cone.h"

/// Laws on several rows: the rows of a mechanism that are one cone of friction.
namespace trammel::constraint {

/// Returns the cones among the rows, of laws on several and of frictions that follow the load of a
/// joint; empty: none.
std::vector<solve::Cone> cones_of(const model::Model& model, const model::ConstraintSpecs& specs);

/// Takes up the coefficients that the specifications have now.
void take_coefficients(const model::ConstraintSpecs& specs, std::span<solve::Cone> cones);

/// Bounds the forces of tangent rows by the forces of all rows.
void bound_by_loads(std::span<const solve::Cone> cones, std::span<const double> forces,
                    model::ConstraintSpecs& specs);

/// Takes tangent rows out of a solve whose normal row takes no part in it.
void follow_normals(std::span<const solve::Cone> cones, std::span<unsigned char> active);

}  // namespace trammel::constraint
