#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "geom/curve.h"
#include "geom/shape.h"
#include "units/problem.h"

namespace trammel::geom {

struct PlanPose {
  double x = 0, y = 0;  // [m]
  double heading = 0;   // [rad] from x towards y
};

/// One element of a horizontal alignment. Curvatures are positive to the left.
struct PlanElement {
  Shape shape = Shape::constant;  // constant: a line or, where k0 is not 0, an arc (k1 not read)
  double length = 0;              // [m]
  double k0 = 0, k1 = 0;          // curvature at start and end [1/m], any signs
  // The Viennese bend guides the centre of gravity: its height over the rails [m] and the change
  // of the cant angle over the element [rad], positive where the curvature grows to the left.
  double gravity_height = 0, cant_change = 0;
  std::optional<PlanPose> start = {};  // where a source says that it begins: checked, not used
};

struct PlanSpec {
  PlanPose start = {};
  std::vector<PlanElement> elements = {};
  double max_gap = 1e-6;   // [m] and [rad]: how far stated starts may be from where the elements
  double max_turn = 1e-6;  // before them end
};

std::vector<Problem> check(const PlanSpec& spec);

struct PlanPoint {
  double x, y;  // [m]
  double c, s;  // cosine and sine of the heading
  double k;     // curvature [1/m]
  double dk;    // its derivative by station [1/m^2]
};

/// A transition: curvature over x = x0 + u / L is a ramp. cos, sin of the heading, and the
/// position as their integral, are power series about the middles of short cells, cut where the
/// next terms are below rounding: nothing is interpolated. Valid past both ends.
class Transition {
 public:
  Transition(const Ramp& curvature, double x0, double shape_length, double length, double heading);
  /// From the start, in the plan's axes; u [m] along it.
  void eval(double u, PlanPoint& out) const;
  double turn(double u) const;  // heading since the start [rad]

 private:
  static constexpr std::size_t kDegree = 9;
  using Lanes = Eigen::Array4d;  // x, y, cos, sin
  struct Cell {
    std::array<Lanes, kDegree + 2> a;  // coefficients over t from -1 to 1
    Lanes at(double t) const;
  };
  double heading(double u) const { return heading_ + turn(u); }
  bool cut(std::size_t cells, double length);  // false if the series leave more than rounding
  bool expand(double middle, Cell& cell) const;
  void beyond(double u, double from, PlanPoint& out) const;

  Ramp curvature_, turn_;
  double x0_, shape_length_, heading_, turn0_;
  double width_ = 0, origin_ = 0;  // cells: one before the start, one past the end [m]
  std::vector<Cell> cells_;
};

/// Horizontal alignment by station [m], a sequence of elements that join in place and heading.
class Plan {
 public:
  explicit Plan(const PlanSpec& spec);  // checked
  double length() const { return length_; }
  const std::vector<double>& starts() const { return starts_; }  // of the analytic pieces
  void eval(double sigma, std::size_t piece, PlanPoint& out) const;
  PlanPose pose(double sigma, std::size_t piece) const;
  Jump jump(std::size_t piece) const;  // where it begins, not for 0

 private:
  struct Straight {};
  struct Round {
    double k;  // [1/m]
  };
  struct Piece {
    std::variant<Straight, Round, Transition> kind;
    double sigma0, x, y, heading, c, s;  // start, from the start of the plan
  };
  void add(const PlanElement& element);
  void append(std::variant<Straight, Round, Transition> kind, double length);

  PlanPose start_, end_;  // end_: from the start
  double length_ = 0;
  std::vector<double> starts_;
  std::vector<Piece> pieces_;
};

}  // namespace trammel::geom
