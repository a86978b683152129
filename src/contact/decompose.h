#pragma once

#include <memory>
#include <string>
#include <vector>

#include "contact/trimesh.h"

namespace trammel::contact {

struct Hull;

/// Convex hulls of a solid's parts: they share no volume, and all of the solid lies in them.
struct Hulls {
  std::vector<std::shared_ptr<const Hull>> all;
  /// No place of them is farther from the solid than this [m]. 0: they are the solid, to rounding.
  double error = 0;
};

struct HullsOrFault {
  Hulls hulls;
  std::string fault;  // a sentence
};

/// Parts the solid within a closed mesh until no place of the hulls is farther from it than
/// `accuracy`, a share of the diagonal of the box about it: by planes through edges at which it is
/// concave or, where these are many, through its middle, each time by the plane that leaves the
/// hulls the least volume. Follows from the mesh alone.
HullsOrFault decompose(const Trimesh& mesh, double accuracy);

/// The diagonal of the box about a mesh [m].
double diagonal_of(const Trimesh& mesh);

}  // namespace trammel::contact
