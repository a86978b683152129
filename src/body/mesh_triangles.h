#pragma once

#include <array>
#include <vector>

#include "body/mesh.h"

namespace trammel::body {

/// The triangles of a face, by corners of the mesh: a fan from its first corner, or, where that
/// would fold over, ear after ear (G. Meisters, Polygons have ears, 1975).
std::vector<std::array<int, 3>> triangles_of(const Mesh& mesh, const std::vector<int>& face);

}  // namespace trammel::body
