#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "contact/pair_rule.h"
#include "contact/shape.h"
#include "math/types.h"

/// What of a mechanism touches what, and by which law.
namespace trammel::model {

struct Model;

/// What holds between two materials. The defaults: no friction, no restitution.
struct ContactLaw {
  double friction = 0;     // coefficient
  double restitution = 0;  // 0 to 1
  double rolling = 0;      // lever of rolling friction [m]: its torque is at most that times the
  double spinning = 0;     // normal force; likewise of spinning about the normal
  double cohesion = 0;     // pull that a point of contact withstands [N]
  bool poisson = false;    // restitution is of impulses, by Poisson, instead of speeds, by Newton
};

/// How far hulls that stand for a mesh may be off it unless the scene says otherwise, as a share of
/// the diagonal of the box about it.
inline constexpr double kHullAccuracy = 0.01;

struct ContactShape {
  int object = 0;
  Pose X_OS;  // on the object, whose origin is its centre of mass
  contact::Shape shape;
  int material = 0;
  Vec3 surface_velocity = Vec3::Zero();  // of the surface on its body, in the axes of S [m/s]
  std::string name, path;
  double hull_accuracy = kHullAccuracy;
};

struct ContactScene {
  std::vector<ContactShape> shapes;          // by objects, those of the ground first
  std::vector<std::string> materials;        // the first one is that of shapes that name none
  std::vector<ContactLaw> laws;              // of materials a and b: [a * materials.size() + b]
  std::vector<contact::Colors> colors;       // by object
  std::vector<std::array<int, 2>> excluded;  // pairs of objects that never touch, sorted

  bool any() const { return !shapes.empty(); }
  /// The law between two shapes.
  const ContactLaw& law(int shape_A, int shape_B) const {
    const auto material = [this](int shape) {
      return static_cast<std::size_t>(shapes[static_cast<std::size_t>(shape)].material);
    };
    return laws[material(shape_A) * materials.size() + material(shape_B)];
  }
};

/// Which objects may touch: those that are not the same, whose colours meet, of which one at least
/// is moved by forces, and that are no excluded pair.
contact::PairRule pair_rule(const Model& model);

/// The material of shapes that name none, and what stands for all of them in laws.
inline constexpr std::string_view kDefaultMaterial = "default";
inline constexpr std::string_view kAnyMaterial = "any";

struct NamedColors {
  std::string_view name;
  contact::Colors colors;
};
/// The electric colours and their mixtures.
std::span<const NamedColors> electric_colors();

}  // namespace trammel::model
