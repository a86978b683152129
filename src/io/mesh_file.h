#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>

#include "body/mesh.h"
#include "io/scene.h"

namespace trammel::io {

/// Surfaces as other programs write them.
struct MeshText {
  body::Mesh mesh;
  int repeated = 0;  // faces that stood there twice, and are left out
};
constexpr std::size_t kMostMeshBytes = 256u << 20;

enum class Bounds : unsigned char { solid, anything };

/// STL, as text or binary, or the vertices and faces of an OBJ file; the file's name says which.
/// Numbers have no unit there. What is wrong has a line, of binary STL a facet; where it is to be a
/// solid, a surface that bounds none is wrong too (body::faults).
std::variant<MeshText, SceneProblems> parse_mesh(std::string_view text, const std::string& file,
                                                 Bounds bounds = Bounds::solid);

}  // namespace trammel::io
