#pragma once

#include <cmath>
#include <vector>

#include "contact/detector.h"

/// What tests of contact ask for.
namespace trammel::contact {

/// Points of two shapes alone, A on object 1 and B on object 2.
inline std::vector<Point> points_of(const Shape& A, const Pose& X_A, const Shape& B,
                                    const Pose& X_B, double margin) {
  Detector detector({{1, {}, A}, {2, {}, B}}, {});
  std::vector<Point> out;
  detector.find(std::vector<Pose>{{}, X_A, X_B}, std::vector<double>{margin, 0}, out);
  return out;
}

/// Numbers between 0 and 1, the same everywhere.
class Dice {
 public:
  explicit Dice(unsigned seed) : state_(seed * 2654435761u + 1) {}
  double operator()() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state_ >> 11) * 0x1p-53;
  }
  double between(double a, double b) { return a + (b - a) * (*this)(); }
  Vec3 vector(double most) {
    const double x = between(-most, most), y = between(-most, most), z = between(-most, most);
    return {x, y, z};
  }
  Mat3 rotation() {
    const Vec3 v = vector(1);
    return Quat(between(-1, 1), v.x(), v.y(), v.z()).normalized().toRotationMatrix();
  }

 private:
  unsigned long long state_;
};

}  // namespace trammel::contact
