#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "units/problem.h"

/// What holds where surfaces touch: their materials, and the laws between these.
namespace trammel::contact {

/// What holds between two materials. The defaults: no friction, no restitution.
struct Law {
  double friction = 0;     // coefficient
  double restitution = 0;  // 0 to 1
  double rolling = 0;      // lever of rolling friction [m]: its torque is at most that times the
  double spinning = 0;     // normal force; likewise of spinning about the normal
  double cohesion = 0;     // pull that a point of contact withstands [N]
  bool poisson = false;    // restitution is of impulses, by Poisson, instead of speeds, by Newton
};

/// The material of shapes that name none, and what stands for all of them in laws.
inline constexpr std::string_view kDefaultMaterial = "default";
inline constexpr std::string_view kAnyMaterial = "any";

/// A surface's material, which laws of contact speak of.
struct MaterialSpec {
  std::string name, path = {};
};

/// What holds between two materials, or with "any" instead of one, or both. The law of a pair comes
/// before one of either with any, and that before one of any with any.
struct LawSpec {
  std::string name, path;
  std::array<std::string, 2> between{"any", "any"};
  Law law;
};

/// The materials by name, the default first; complains of names that cannot be.
std::vector<std::string> materials_of(const std::vector<MaterialSpec>& specs,
                                      std::vector<Problem>& problems);

/// The laws of materials a and b: [a * materials.size() + b]; `used` are those of some shape. None
/// where specs are wrong, which is complained of.
std::vector<Law> table_of(const std::vector<LawSpec>& specs,
                          const std::vector<std::string>& materials, const std::vector<char>& used,
                          std::vector<Problem>& problems);

}  // namespace trammel::contact
