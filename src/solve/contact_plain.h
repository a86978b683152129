#pragma once

#include <span>
#include <vector>

#include "solve/contact_law.h"
#include "solve/contact_system.h"

/// Block Gauss-Seidel point by point in the order given: what the sweeps in lanes are held against.
namespace trammel::solve::contact {

struct PlainPoint {
  ContactPoint at;
  Block<double> cone, roll;  // of rows 0..2 and 4..5
  double inverse_spin = 0;   // 1 / W of row 3
  double length = 0;         // [m], makes rates of rotation speeds
};

class Plain {
 public:
  Plain(std::span<const ContactBody> bodies, std::span<const ContactPoint> points);
  /// v as it is with p, both altered; p holds p_n + cohesion. Returns the greatest error met.
  double sweep(std::span<const ContactTargets> targets, std::span<double> v, std::span<double> p);
  void add(std::span<const double> p, std::span<double> v) const;

 private:
  Vec3 relative(const PlainPoint& c, std::span<const double> v) const;
  Vec3 turning(const PlainPoint& c, std::span<const double> v) const;
  void push(const PlainPoint& c, const Vec3& force, const Vec3& torque, std::span<double> v) const;

  std::vector<ContactBody> bodies_;
  std::vector<PlainPoint> points_;
};

}  // namespace trammel::solve::contact
