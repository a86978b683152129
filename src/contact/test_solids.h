#pragma once

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "body/mesh.h"
#include "math/index.h"

/// Closed meshes that are not convex.
namespace trammel::contact::test {

/// A polygon, counterclockwise, drawn out along z from 0. Parted by ears, as it may be concave.
inline body::Mesh prism(std::vector<std::array<double, 2>> polygon, double height) {
  body::Mesh out;
  const int n = count(polygon);
  for (const double z : {0., height})
    for (const auto& p : polygon) out.vertices.emplace_back(p[0], p[1], z);
  std::vector<int> left;
  for (int i = 0; i < n; ++i) {
    left.push_back(i);
    out.faces.push_back({i, (i + 1) % n, n + (i + 1) % n, n + i});
  }
  const auto turn = [&](int a, int b, int c) {
    const auto &p = polygon[at(a)], &q = polygon[at(b)], &r = polygon[at(c)];
    return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
  };
  while (left.size() > 2) {
    const int m = count(left);
    for (int i = 0; i < m; ++i) {
      const int a = left[at(i)], b = left[at((i + 1) % m)], c = left[at((i + 2) % m)];
      bool ear = turn(a, b, c) > 0;
      for (const int p : left)
        ear = ear && (p == a || p == b || p == c ||
                      !(turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0));
      if (!ear) continue;
      out.faces.push_back({a, c, b});
      out.faces.push_back({n + a, n + b, n + c});
      left.erase(left.begin() + (i + 1) % m);
      break;
    }
  }
  return out;
}

/// Two rings of as many corners about z, the outer one first, drawn out along z about its middle.
inline body::Mesh tube(const std::vector<std::array<double, 2>>& outer,
                       const std::vector<std::array<double, 2>>& inner, double height) {
  body::Mesh out;
  const int n = count(outer);
  for (const double z : {-height / 2, height / 2})
    for (const auto* ring : {&outer, &inner})
      for (const auto& p : *ring) out.vertices.emplace_back(p[0], p[1], z);
  for (int i = 0; i < n; ++i) {
    const int k = (i + 1) % n;
    out.faces.push_back({i, k, 2 * n + k, 2 * n + i});                  // outside
    out.faces.push_back({n + k, n + i, 3 * n + i, 3 * n + k});          // inside
    out.faces.push_back({2 * n + i, 2 * n + k, 3 * n + k, 3 * n + i});  // above
    out.faces.push_back({k, i, n + i, n + k});                          // below
  }
  return out;
}

inline std::array<double, 2> around(double radius, double turns) {
  const double a = 2 * std::numbers::pi * turns;
  return {radius * std::cos(a), radius * std::sin(a)};
}

/// A plate with straight teeth and a bore of as many sides as it has corners.
inline body::Mesh gear(int teeth, double radius, double root, double bore) {
  std::vector<std::array<double, 2>> outer, inner;
  for (int i = 0; i < 4 * teeth; ++i) {
    const double share = (i + (i % 4 == 1 ? -0.2 : i % 4 == 2 ? 0.2 : 0)) / (4. * teeth);
    outer.push_back(around(i % 4 == 0 || i % 4 == 3 ? root : radius, share));
    inner.push_back(around(bore, share));
  }
  return tube(outer, inner, 0.3);
}

/// A plate of `corners` corners with a bore of `sides` sides, a multiple of these.
inline body::Mesh hollow_prism(int corners, double radius, int sides, double bore, double height) {
  std::vector<std::array<double, 2>> outer, inner;
  for (int i = 0; i < sides; ++i) {
    const double place = static_cast<double>(i) * corners / sides, part = place - std::floor(place);
    const auto a = around(radius, std::floor(place) / corners),
               b = around(radius, (std::floor(place) + 1) / corners);
    outer.push_back({a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1])});
    inner.push_back(around(bore, static_cast<double>(i) / sides));
  }
  return tube(outer, inner, height);
}

}  // namespace trammel::contact::test
