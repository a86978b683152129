#pragma once

#include <span>

#include "model/handles.h"
#include "model/state.h"

/// Coordinates as rows: a copy of a model with one more joint of one row for each of some
/// coordinates, so that values, Jacobians and biases of these come from where those of all rows
/// come from, and one factor serves both.
namespace trammel::model {

/// A coupling of one coordinate, as joint, row and group at the end of the model; returns its
/// joint. Its row is under the law of that index.
int add_coordinate_row(Model& model, int joint, const joint::Coordinate& coordinate, int law);

/// The law of the rows that are held at zero; one is made, with its parameters, where there is
/// none.
int equality_law(Model& model, Params& params);

/// The model with rows for these coordinates, its last joints, in their order. Topology is made
/// anew.
Model with_coordinate_rows(const Model& model, std::span<const CoordinateHandle> coordinates,
                           Params& params);

}  // namespace trammel::model
