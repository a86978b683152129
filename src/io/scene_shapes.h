#pragma once

#include "io/scene_files.h"
#include "io/scene_walk.h"
#include "model/builder.h"

/// Shapes of bodies, those with a mass and those for looking.
namespace trammel::io {

/// A solid and where it is, by the key of its table that says its kind.
struct PlacedSolid {
  model::Solid solid;
  Pose X_BS;
};
PlacedSolid solid_of(const Value& v, Findings& findings);

/// The polygons of a mesh that stands in the scene. Nothing: complained.
std::optional<body::Mesh> mesh_of(const Value& v, Findings& findings);

/// A surface that stands in the scene or in a file. Null: complained.
std::shared_ptr<const body::Mesh> surface_of(const Value& v, SceneFiles& files, Findings& findings);

/// A shape for looking. Nothing: complained.
std::optional<model::Shape> shape_of(const Value& v, SceneFiles& files, Findings& findings);
/// Shapes and colour of a body.
void read_shapes(const Value& v, model::BodySpec& body, SceneFiles& files, Findings& findings);

}  // namespace trammel::io
