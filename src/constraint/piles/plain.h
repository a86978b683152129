#pragma once

#include <span>
#include <vector>

#include "constraint/piles/order.h"
#include "constraint/piles/point.h"

/// Block Gauss-Seidel point by point in the order given: what the sweeps in lanes are held against.
namespace trammel::constraint::piles {

struct PlainPoint {
  ContactPoint at;
  PointNumbers numbers;
};

class Plain {
 public:
  Plain(std::span<const ContactBody> bodies, std::span<const ContactPoint> points);
  /// v as it is with p, both altered. Returns the greatest error met.
  double sweep(std::span<const ContactTargets> targets, std::span<double> v, std::span<double> p);
  /// The error of a point as it is.
  double error(std::size_t point, std::span<const ContactTargets> targets,
               std::span<const double> v, std::span<const double> p) const;
  void add(std::span<const double> p, std::span<double> v) const;

 private:
  Vec3 relative(const PlainPoint& c, std::span<const double> v) const;
  Vec3 turning(const PlainPoint& c, std::span<const double> v) const;
  void push(const PlainPoint& c, const Vec3& force, const Vec3& torque, std::span<double> v) const;

  std::vector<ContactBody> bodies_;
  std::vector<PlainPoint> points_;
};

}  // namespace trammel::constraint::piles
