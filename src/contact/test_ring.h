#pragma once

#include <cmath>
#include <numbers>

#include "contact/barrier_surface.h"

namespace trammel::contact::test {

/// A torus about z: the ring's radius to the middle of its wire, the wire's radius.
inline body::Mesh ring_mesh(double radius, double wire, int around, int across) {
  body::Mesh mesh;
  const auto angle = [](int i, int n) { return 2 * std::numbers::pi * i / n; };
  for (int i = 0; i < around; ++i)
    for (int j = 0; j < across; ++j) {
      const double a = angle(i, around), b = angle(j, across), r = radius + wire * std::cos(b);
      mesh.vertices.emplace_back(r * std::cos(a), r * std::sin(a), wire * std::sin(b));
    }
  const auto number = [&](int i, int j) { return i % around * across + j % across; };
  for (int i = 0; i < around; ++i)
    for (int j = 0; j < across; ++j)
      mesh.faces.push_back(
          {number(i, j), number(i + 1, j), number(i + 1, j + 1), number(i, j + 1)});
  return mesh;
}

inline barrier::Surface ring_surface(double radius, double wire, int around, int across) {
  return barrier::surface_of(ring_mesh(radius, wire, around, across));
}

}  // namespace trammel::contact::test
