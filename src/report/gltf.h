#pragma once

#include <string>

#include "report/drawn.h"

namespace trammel::report {

/// A run as glTF 2.0: each body a node that is moved, below one that turns z up into y up.
struct Gltf {
  std::string bytes;
  double shear = 0;  // greatest shear of an affine body that is not in it: nodes only stretch
};

/// `binary`: as .glb, else as JSON with the numbers inside.
Gltf to_gltf(const Drawn& drawn, bool binary, const std::string& name);

}  // namespace trammel::report
