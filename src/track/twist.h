#pragma once

#include <cstddef>
#include <vector>

#include "geom/curve.h"
#include "geom/shape.h"
#include "units/problem.h"

namespace trammel::track {

/// Cant over the station. The ramp acts on D = left - right.
struct CantElement {
  geom::Shape shape = geom::Shape::constant;  // constant reads the start values only
  double length = 0;                          // station [m]
  double left0 = 0, left1 = 0;                // raise of the left rail at start and end [m]
  double right0 = 0, right1 = 0;              // of the right rail [m]
};

struct CantSpec {
  std::vector<CantElement> elements = {};
  double base = 1.5;       // between the rail heads' centres [m]
  double max_step = 1e-9;  // change of twist accepted between elements [rad]
};

/// Twist by angle over the station, for tracks that roll beyond what a cant can say.
struct TwistElement {
  geom::Shape shape = geom::Shape::constant;  // constant reads w0 only
  double length = 0;                          // station [m]
  double w0 = 0, w1 = 0;                      // [rad], positive lifts y, the left rail
};

struct TwistSpec {
  std::vector<TwistElement> elements = {};
  double max_step = 1e-9;  // [rad]
};

std::vector<Problem> check(const CantSpec& spec);
std::vector<Problem> check(const TwistSpec& spec);

struct TwistPoint {
  double c, s;    // cosine and sine of the twist w
  double d1, d2;  // w' [rad/m] and w'' [rad/m^2] by station
};

/// Roll w of the track frame about the tangent, over the station: of analytic pieces that go on
/// past their ends. From a cant, sin w = D / base exactly: the ramp acts on D.
class Twist {
 public:
  Twist() : Twist(0) {}
  explicit Twist(double w);              // [rad], constant, for any length
  explicit Twist(const CantSpec& spec);  // checked
  explicit Twist(const TwistSpec& spec);

  double length() const { return length_; }                      // station [m]
  const std::vector<double>& starts() const { return starts_; }  // of the pieces [m]
  /// Order 1 leaves d2 unset.
  void eval(double sigma, std::size_t piece, int order, TwistPoint& out) const;
  double angle(double sigma) const;          // [rad]
  geom::Jump jump(std::size_t piece) const;  // where it begins, not for 0

 private:
  struct Piece {
    geom::Ramp q;  // D / base, or w, over x = x0 + (sigma - sigma0) / shape_length
    double sigma0, x0, shape_length;
  };
  void add(geom::Shape shape, double length, double q0, double q1);

  bool by_cant_ = false;
  double length_ = 0;
  std::vector<double> starts_;
  std::vector<Piece> pieces_;
};

}  // namespace trammel::track
