#pragma once

#include "geom/curve.h"
#include "units/problem.h"

namespace trammel::geom {

/// A curve of one analytic piece, valid for every s.
class OnePiece : public Curve {
 public:
  explicit OnePiece(double length) : length_(length) {}
  using Curve::eval;
  double length() const final { return length_; }
  std::size_t pieces() const final { return 1; }
  double piece_start(std::size_t) const final { return 0; }
  Jump jump(std::size_t) const final { return Jump::none; }

 private:
  double length_;
};

/// From the start pose along its x; the frame stays.
class Line final : public OnePiece {
 public:
  Line(const Pose& start, double length) : OnePiece(length), start_(start) {}
  using OnePiece::eval;
  void eval(double s, std::size_t piece, int order, CurvePoint& out) const override;

 private:
  Pose start_;
};

/// From the start pose with constant curvature about its z: positive turns to y (the left). The
/// frame turns with it. A curvature of 0 is a line.
class Arc final : public OnePiece {
 public:
  Arc(const Pose& start, double curvature, double length)
      : OnePiece(length), start_(start), k_(curvature) {}
  /// Radius > 0 [m]; a positive angle [rad] turns left, a negative one right.
  static Arc by_angle(const Pose& start, double radius, double angle);
  using OnePiece::eval;
  void eval(double s, std::size_t piece, int order, CurvePoint& out) const override;

 private:
  Pose start_;
  double k_;
};

std::vector<Problem> check_arc(double curvature, double length);  // a line with curvature 0

struct HelixSpec {
  double radius = 1;         // [m] > 0
  double pitch = 1;          // rise a turn [m]; negative goes down, 0 is a level circle
  double turns = 1;          // > 0
  double start_angle = 0;    // [rad] from x, about z
  bool right_handed = true;  // sense of the screw, rising or falling
  bool up = false;           // frame: y horizontal left and z up; else Frenet: y inward, z binormal
  Pose place = {};           // the axis is z of this frame
};

std::vector<Problem> check(const HelixSpec& spec);

class Helix final : public OnePiece {
 public:
  explicit Helix(const HelixSpec& spec);
  using OnePiece::eval;
  void eval(double s, std::size_t piece, int order, CurvePoint& out) const override;
  double curvature() const;  // [1/m]
  double torsion() const;    // [1/m], positive on a right-handed helix

 private:
  HelixSpec spec_;
  double rise_;  // [m/rad]
  double c_;     // arc length a radian [m/rad]
  double turn_;  // 1 anticlockwise seen from above, -1 clockwise
};

}  // namespace trammel::geom
