#pragma once

#include "contact/scene_maker.h"

namespace trammel::contact {

/// Gives hulls to the meshes that may meet other meshes or heights, and complains of those that
/// cannot have them, and of pairs of shapes that may come together and find no points. Meshes that
/// are alike share their hulls.
void let_meshes_meet(const Objects& objects, Scene& scene, std::vector<Problem>& problems);

}  // namespace trammel::contact
