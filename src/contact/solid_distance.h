#pragma once

#include <vector>

#include "contact/trimesh.h"

namespace trammel::contact {

/// Distances from the solid within a closed mesh, by the triangle that is nearest; which side of it
/// a point is on follows from normals weighted by angles (Baerentzen and Aanaes 2005).
class SolidDistance {
 public:
  /// Keeps a reference to the mesh.
  explicit SolidDistance(const Trimesh& mesh);
  /// Returns how far x is from the surface [m]; negative within the solid.
  double operator()(const Vec3& x) const;

 private:
  struct Found {
    double squared = 1e300;  // distance [m^2]
    int triangle = -1;
    double weight[3] = {};  // of its corners
    Vec3 place = Vec3::Zero();
  };
  void look(int triangle, const Vec3& x, Found& found) const;
  Vec3 normal_of(const Found& found) const;

  const Trimesh& mesh_;
  std::vector<Vec3> at_corners_;  // normals weighted by the angles of triangles
};

}  // namespace trammel::contact
