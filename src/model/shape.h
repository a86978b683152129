#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "body/solid.h"
#include "math/types.h"

namespace trammel::body {
struct Mesh;
}

/// How things look. Shapes are for pictures: they have no mass, and no run depends on them.
namespace trammel::model {

/// A solid about its middle, or a mesh, at X_BS in the body frame; of scenery in the world.
struct Shape {
  body::Solid solid = {};
  Pose X_BS = {};
  /// Instead of the solid: a surface that need not be closed.
  std::shared_ptr<const body::Mesh> mesh = {};
  std::string color = {};  // a name or "#rrggbb"; empty: that of the body
  std::string text = {};   // what it is
  std::string path = {};
};

struct NamedColor {
  std::string_view name, hex;
};
/// Those of Okabe and Ito, which people who see few colours tell apart too, and greys.
std::span<const NamedColor> named_colors();
/// "#e69f00" of "orange" or of itself, in small letters; empty: it is no colour.
std::string hex_of(std::string_view color);
/// What is wrong with a colour as a sentence; empty: nothing.
std::string wrong_color(std::string_view color);

}  // namespace trammel::model
