#pragma once

#include <cstdint>

#include "math/types.h"

namespace trammel::contact {

/// One point of contact between the shapes A and B.
struct Point {
  int A = 0, B = 0;          // numbers of Placed, A < B
  std::int64_t feature = 0;  // which corner, edge or face of which: the same while the same touch
  Vec3 p_A = Vec3::Zero(), p_B = Vec3::Zero();  // on the surfaces, world [m]
  Vec3 n = Vec3::UnitZ();                       // unit, from A to B
  double gap = 0;                               // n.(p_B - p_A) [m]; negative: overlap
};

/// A corner (twice the same), an edge (its ends) or a face of each side, as one number.
inline constexpr int kFace = 0x7fff;
inline std::int64_t feature_of(int a1, int a2, int b1, int b2) {
  return std::int64_t{a1} << 45 | std::int64_t{a2} << 30 | std::int64_t{b1} << 15 | b2;
}

/// A point with its sides changed.
inline Point swapped(const Point& p) {
  const std::int64_t low = (std::int64_t{1} << 30) - 1;
  return {p.B, p.A, (p.feature & low) << 30 | p.feature >> 30, p.p_B, p.p_A, -p.n, p.gap};
}

}  // namespace trammel::contact
