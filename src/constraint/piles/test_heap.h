#pragma once

#include <random>
#include <vector>

#include "constraint/piles/system.h"

/// Bodies and points for tests of the solvers of contact; body 0 does not move.
namespace trammel::constraint::piles::test {

struct Heap {
  std::vector<ContactBody> bodies{{}};
  std::vector<Vec3> centres{Vec3::Zero()};
  std::vector<ContactPoint> points;
  std::vector<ContactTargets> targets;
  std::vector<double> v = std::vector<double>(6, 0), p;

  int body(double mass, const Vec3& centre, const Vec3& size) {
    const Vec3 d = size.cwiseAbs2(), I = mass / 12 * (Vec3::Constant(d.sum()) - d);
    bodies.push_back({1 / mass, Mat3(I.cwiseInverse().asDiagonal())});
    centres.push_back(centre);
    v.resize(v.size() + 6, 0);
    return static_cast<int>(bodies.size()) - 1;
  }
  ContactPoint& point(int a, int b, const Vec3& x, const Vec3& n, double mu) {
    ContactPoint c;
    c.a = a, c.b = b, c.mu = mu;
    c.r_a = x - centres[static_cast<std::size_t>(a)];
    c.r_b = x - centres[static_cast<std::size_t>(b)];
    c.n = n.normalized();
    c.t = c.n.unitOrthogonal();
    c.s = c.n.cross(c.t);
    points.push_back(c);
    targets.push_back({});
    p.resize(p.size() + 6, 0);
    return points.back();
  }
  /// The four corners of a square of half the edge about x, across z.
  void face(int a, int b, const Vec3& x, double half, double mu) {
    for (double i : {-1., 1.})
      for (double k : {-1., 1.}) point(a, b, x + half * Vec3(i, k, 0), Vec3::UnitZ(), mu);
  }
  /// Gravity over a step, of all bodies.
  void pull(const Vec3& dv) {
    for (std::size_t i = 1; i < bodies.size(); ++i) vec3(&v[6 * i]) += dv;
  }
  ContactEffort solve(const ContactOptions& options) {
    ContactSystem system;
    system.build(bodies, points);
    return system.solve(targets, v, p, options);
  }
  double* velocity(int i) { return &v[6 * static_cast<std::size_t>(i)]; }
  Vec3 impulse(int i) const { return vec3(&p[6 * static_cast<std::size_t>(i)]); }
};

/// Boxes of 1 m and the masses given upon each other on the ground, with the speed of a fall.
inline Heap stack(const std::vector<double>& masses, double mu = 0.5, double dv = 1) {
  Heap heap;
  for (std::size_t i = 0; i < masses.size(); ++i) {
    const double z = static_cast<double>(i);
    const int b = heap.body(masses[i], Vec3(0, 0, z + 0.5), Vec3::Ones());
    heap.face(b - 1, b, Vec3(0, 0, z), 0.5, mu);
  }
  heap.pull(Vec3(0, 0, -dv));
  return heap;
}

/// Boxes in layers, each upon up to four of the layer below, turned a little.
inline Heap pile(int side, int layers, double mu, unsigned seed) {
  std::mt19937 random(seed);
  const auto uniform = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  Heap heap;
  const auto at = [&](int layer, int i, int k) { return 1 + (layer * side + i) * side + k; };
  for (int layer = 0; layer < layers; ++layer)
    for (int i = 0; i < side; ++i)
      for (int k = 0; k < side; ++k)
        heap.body(uniform(0.5, 2), Vec3(i + 0.5 * (layer % 2), k + 0.5 * (layer % 2), layer + 0.5),
                  Vec3::Ones());
  for (int layer = 0; layer < layers; ++layer)
    for (int i = 0; i < side; ++i)
      for (int k = 0; k < side; ++k) {
        const int b = at(layer, i, k);
        const Vec3 x = heap.centres[static_cast<std::size_t>(b)] - Vec3(0, 0, 0.5);
        if (layer == 0) {
          heap.face(0, b, x, 0.45, mu);
          continue;
        }
        const int shift = layer % 2 ? 0 : -1;
        for (int di : {shift, shift + 1})
          for (int dk : {shift, shift + 1}) {
            const int ii = i + di, kk = k + dk;
            if (ii < 0 || kk < 0 || ii >= side || kk >= side) continue;
            const Vec3 middle =
                0.5 * (heap.centres[static_cast<std::size_t>(at(layer - 1, ii, kk))] +
                       heap.centres[static_cast<std::size_t>(b)]);
            heap.face(at(layer - 1, ii, kk), b, middle, uniform(0.15, 0.22), mu);
          }
      }
  for (std::size_t i = 6; i < heap.v.size(); ++i) heap.v[i] = uniform(-0.1, 0.1);
  heap.pull(Vec3(0, 0, -1));
  return heap;
}

}  // namespace trammel::constraint::piles::test
