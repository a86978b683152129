#pragma once

#include <array>
#include <vector>

#include "math/types.h"

/// Coulomb's cone among the rows of a solve: friction of joints that follows a load. Points of
/// contact have theirs in constraint/piles/law.h.
namespace trammel::solve {

/// The impulses of one or two tangent rows, taken together as a vector, are at most mu times that
/// of the normal row. Where they are less the tangent rows vanish; where they are not, the rates
/// left over oppose them.
struct Cone {
  int normal = 0;
  std::array<int, 2> tangent{};
  int n = 2;  // tangent rows
  double mu = 0;
  /// Instead of one normal row: the load is the sum of the lengths of vectors, each the sum of the
  /// impulses of rows times directions.
  struct Part {
    int row = 0;
    Vec3 along = Vec3::Zero();
  };
  std::vector<std::vector<Part>> pads = {};
};

using Tangent = Eigen::Vector2d;

/// Returns the vector within a disc about zero that is nearest to z.
inline Tangent nearest_in_disc(const Tangent& z, double radius) {
  const double length = z.norm();
  return length <= radius ? z : Tangent(radius / length * z);
}

/// Returns the tangent components of a list with one number per row; 0 for a tangent row that the
/// cone has not.
template <class List>
Tangent tangent_of(const Cone& c, const List& list) {
  const auto at = [&](std::size_t k) {
    return static_cast<int>(k) < c.n ? list[static_cast<std::size_t>(c.tangent[k])] : 0.;
  };
  return {at(0), at(1)};
}

/// Returns what a pad of a cone carries of the impulses x: a vector of Eigen's or another list.
template <class List>
Vec3 carried(const std::vector<Cone::Part>& pad, const List& x) {
  Vec3 sum = Vec3::Zero();
  for (const Cone::Part& part : pad)
    if constexpr (requires { x.rows(); })
      sum += x[part.row] * part.along;
    else
      sum += x[static_cast<std::size_t>(part.row)] * part.along;
  return sum;
}

/// Returns what the impulses x press on what slides.
template <class List>
double load_of(const Cone& c, const List& x) {
  if (c.pads.empty()) return std::abs(x[static_cast<std::size_t>(c.normal)]);
  double load = 0;
  for (const std::vector<Cone::Part>& pad : c.pads) load += carried(pad, x).norm();
  return load;
}

/// Returns the greatest tangent impulse that the impulses x allow.
template <class List>
double radius_of(const Cone& c, const List& x) {
  return c.mu * load_of(c, x);
}

/// Returns how far tangent impulses t are from those that Coulomb's law asks for at the rates w, as
/// a rate: S |t - P(t - w / S)| with P the nearest vector in the disc and S > 0 any inverse mass
/// (Alart and Curnier 1991, the projection of the augmented Lagrangian).
inline double off_cone(const Tangent& t, const Tangent& w, double S, double radius) {
  return S * (t - nearest_in_disc(t - w / S, radius)).norm();
}

}  // namespace trammel::solve
