#include "body/moments.h"

#include <cmath>

namespace trammel::body {

Moments Moments::about(const Vec3& origin) const {
  const Mat3 cross = first * origin.transpose();
  return {mass, volume, first - mass * origin,
          second - cross - cross.transpose() + mass * origin * origin.transpose()};
}

Moments& Moments::operator+=(const Moments& other) {
  mass += other.mass;
  volume += other.volume;
  first += other.first;
  second += other.second;
  return *this;
}

Moments Moments::turned(const Mat3& R) const {
  return {mass, volume, R * first, R * second * R.transpose()};
}

Mat3 inertia_of_second(const Mat3& second) { return second.trace() * Mat3::Identity() - second; }

Mat3 second_of_inertia(const Mat3& inertia) {
  return 0.5 * inertia.trace() * Mat3::Identity() - inertia;
}

namespace {
Moments centred(double volume, double density, const Vec3& mean_squares) {
  const double mass = density * volume;
  return {mass, volume, Vec3::Zero(), Mat3((mass * mean_squares).asDiagonal())};
}
}  // namespace

Moments box(const Vec3& edges, double density) {
  return centred(edges.prod(), density, edges.cwiseAbs2() / 12);
}

Moments sphere(double radius, double density) {
  return centred(4. / 3 * M_PI * std::pow(radius, 3), density, Vec3::Constant(radius * radius / 5));
}

Moments cylinder(double radius, double length, double density) {
  const double r2 = radius * radius / 4;
  return centred(M_PI * radius * radius * length, density, Vec3(r2, r2, length * length / 12));
}

namespace {

/// Moments of a tetrahedron: the mean of x x^T is (sum c c^T + s s^T) / 20, s the sum of its
/// corners.
Moments tetrahedron(const std::array<Vec3, 4>& corners, double mass, double volume) {
  Vec3 sum = Vec3::Zero();
  Mat3 squares = Mat3::Zero();
  for (const Vec3& c : corners) {
    sum += c;
    squares += c * c.transpose();
  }
  return {mass, volume, mass / 4 * sum, mass / 20 * (squares + sum * sum.transpose())};
}

}  // namespace

Moments solid(std::span<const Triangle> surface, double density) {
  Moments total;
  for (const auto& [a, b, c] : surface) {  // the tetrahedra between the triangles and the origin
    const double volume = a.dot(b.cross(c)) / 6;
    total += tetrahedron({Vec3::Zero(), a, b, c}, density * volume, volume);
  }
  return total;
}

}  // namespace trammel::body
