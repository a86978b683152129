#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "contact/law.h"
#include "contact/pair_rule.h"
#include "contact/spec.h"

/// What touches what in a mechanism, and by which law.
namespace trammel::contact {

struct SceneShape {
  int object = 0;
  Pose X_OS;  // on the object, whose origin is its centre of mass
  Shape shape;
  int material = 0;
  Vec3 surface_velocity = Vec3::Zero();  // of the surface on its body, in the axes of S [m/s]
  std::string name, path;
  double hull_accuracy = kHullAccuracy;
};

struct Scene {
  std::vector<SceneShape> shapes;            // by objects, those of the ground first
  std::vector<std::string> materials;        // the first one is that of shapes that name none
  std::vector<Law> laws;                     // of materials a and b: [a * materials.size() + b]
  std::vector<Colors> colors;                // by object
  std::vector<std::array<int, 2>> excluded;  // pairs of objects that never touch, sorted

  bool any() const { return !shapes.empty(); }
  int object_of(int shape) const { return shapes[at(shape)].object; }
  /// The law between two shapes.
  const Law& law(int shape_A, int shape_B) const {
    const auto material = [this](int shape) { return at(shapes[at(shape)].material); };
    return laws[material(shape_A) * materials.size() + material(shape_B)];
  }
  /// Objects with shapes, each once, in their order.
  std::vector<int> objects() const;
  /// Which objects may touch: those that are not the same, whose colours meet, of which one at
  /// least is not among the `fixed`, and that are no excluded pair.
  PairRule rule(std::vector<char> fixed) const;
};

struct NamedColors {
  std::string_view name;
  Colors colors;
};
/// The electric colours and their mixtures.
std::span<const NamedColors> electric_colors();

}  // namespace trammel::contact
