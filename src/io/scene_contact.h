#pragma once

#include "io/scene_files.h"
#include "io/scene_walk.h"
#include "model/builder.h"

/// What a scene says of contact.
namespace trammel::io {

/// A shape that touches. Nothing: complained.
std::optional<model::ContactSpec> touching_shape(const Value& v, SceneFiles& files,
                                                 Findings& findings);
/// What a body touches with, and its electric colours.
void read_touching(const Value& v, model::BodySpec& body, SceneFiles& files, Findings& findings);
model::ContactLawSpec contact_law(const Value& v);

}  // namespace trammel::io
