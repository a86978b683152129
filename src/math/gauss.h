#pragma once

#include <array>

/// Gauss' rule of five points on [0, 1], of degree 9, and Kronrod's of eleven that contains these
/// points, of degree 17 (Kronrod 1965): their difference shows how good the first is.
namespace trammel {

struct GaussNode {
  double x, gauss, kronrod;  // place, and its weights; gauss is 0 at Kronrod's own points
};

/// The points of Gauss' rule are the odd ones.
inline constexpr std::array<GaussNode, 11> kGaussKronrod{{
    {(1 - 0.9840853600948425) / 2, 0, 0.0425820367510818 / 2},
    {(1 - 0.9061798459386640) / 2, 0.2369268850561891 / 2, 0.1152333166224734 / 2},
    {(1 - 0.7541667265708492) / 2, 0, 0.1868007965564926 / 2},
    {(1 - 0.5384693101056831) / 2, 0.4786286704993665 / 2, 0.2410403392286476 / 2},
    {(1 - 0.2796304131617832) / 2, 0, 0.2728498019125589 / 2},
    {0.5, 0.5688888888888889 / 2, 0.2829874178574912 / 2},
    {(1 + 0.2796304131617832) / 2, 0, 0.2728498019125589 / 2},
    {(1 + 0.5384693101056831) / 2, 0.4786286704993665 / 2, 0.2410403392286476 / 2},
    {(1 + 0.7541667265708492) / 2, 0, 0.1868007965564926 / 2},
    {(1 + 0.9061798459386640) / 2, 0.2369268850561891 / 2, 0.1152333166224734 / 2},
    {(1 + 0.9840853600948425) / 2, 0, 0.0425820367510818 / 2},
}};

}  // namespace trammel
