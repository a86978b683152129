#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "body/moments.h"
#include "math/types.h"

namespace trammel::body {

struct Mesh;

/// A uniform solid about its middle: a shape and its sizes. Those with an axis are round about it.
struct Solid {
  enum class Kind : unsigned char {
    box,        // size: its edges [m]
    sphere,     // its radius
    cylinder,   // radius, length
    tube,       // radius outside, length, radius of the bore
    cone,       // radius where the axis enters, length, radius where it leaves, which may be 0
    capsule,    // radius, length between the centres of its round ends
    ellipsoid,  // its radii along x, y and z
    rod,        // length; thin
    point,      // no size
  } kind = Kind::box;
  Vec3 size = Vec3::Zero();
  Vec3 axis = Vec3::UnitZ();
};

/// One of the solids that a body is made of; its middle is at X_BS.p in the body frame, its axis
/// and edges along those of X_BS. Its mass or its density is given, or that of the body is.
struct SolidPart {
  Solid solid;
  Pose X_BS = {};
  std::optional<double> mass = {}, density = {};  // [kg], [kg/m^3]
  /// What is not there: without a mass or a density of its own it has the density of what is
  /// around it.
  bool hole = false;
  std::string path = {};
};

/// What something is drawn as: a solid, or instead of it a surface.
struct Look {
  Solid solid = {};
  Pose X = {};
  std::shared_ptr<const Mesh> mesh = {};
};

/// "cone"
std::string_view name_of(const Solid& solid);
/// How many sizes it has; thin ones are a length or nothing, and have no volume.
int sizes(const Solid& solid);
bool has_axis(const Solid& solid);
bool is_thin(const Solid& solid);

/// Moments about its middle of a density [kg/m^3], of thin ones of a mass [kg].
Moments moments(const Solid& solid, double density);

/// True where a point, seen from its middle [m], lies in it or no farther out than `skin`.
bool contains(const Solid& solid, const Vec3& p, double skin);
/// Points all over its surface, its edges and ends among them; of round ones a finite number [m].
std::vector<Vec3> outline(const Solid& solid);

}  // namespace trammel::body
