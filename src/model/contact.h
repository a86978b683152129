#pragma once

#include "contact/scene.h"

/// What of a mechanism touches what, and by which law.
namespace trammel::model {

struct Model;

using ContactLaw = contact::Law;
using ContactShape = contact::SceneShape;
using ContactScene = contact::Scene;
using contact::electric_colors;
using contact::kAnyMaterial;
using contact::kDefaultMaterial;
using contact::kHullAccuracy;
using contact::NamedColors;

/// Which objects may touch: those that are not the same, whose colours meet, of which one at least
/// is moved by forces, and that are no excluded pair.
contact::PairRule pair_rule(const Model& model);

}  // namespace trammel::model
