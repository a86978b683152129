#pragma once

#include <string>

#include "body/mesh.h"

/// Scenes by number, as text: the benchmarks' chain and four-bar linkage, and a first pendulum.
namespace trammel::cli {

/// N links of 1 x 0.05 x 0.05 m and 1000 kg/m^3 on ball joints, horizontal from the origin, let go.
std::string chain_scene(int links);
/// N windows: N + 1 upright rods on the ground, N joining their tops, all of 1 m and 1 kg, on
/// spatial revolutes; set going at 1 m/s. Most rows are redundant, and each passage through the
/// horizontal is a singular configuration.
std::string fourbar_scene(int windows);
std::string pendulum_scene();

/// Holds what a surface does not say of the body that it bounds; texts as in a scene.
struct MeshBody {
  std::string name = "part", unit, density = "1000 kg/m^3";
};
/// One body whose solid is within the mesh.
std::string mesh_scene(const body::Mesh& mesh, const MeshBody& body);

}  // namespace trammel::cli
