#pragma once

#include <span>
#include <vector>

#include "constraint/piles/point.h"
#include "math/brief_vector.h"

/// Contact by a semi-smooth Newton method: for few points, high accuracy, great ratios of mass.
namespace trammel::constraint::piles {

using Vec6 = Eigen::Matrix<double, 6, 1>;
using Mat6 = Eigen::Matrix<double, 6, 6>;

struct NewtonPoint {
  PointNumbers numbers;
  ContactLaw law;
  bool takes_part = true;
};

/// F = 0 says the law of a point in speeds, dF = D dp + E dw; without torques the first three rows
/// and columns.
struct Linear {
  Vec6 F = Vec6::Zero();
  Mat6 D = Mat6::Zero(), E = Mat6::Zero();
};

/// The points' velocities less their targets, w = W p + q, and what is to be solved with W. p and w
/// have `rows` numbers a point.
class Operator {
 public:
  virtual ~Operator() = default;
  virtual void rates(const brief::VecX& p, brief::VecX& w) = 0;
  /// Factors D + E (W + diag `added`); then dp with (D + E (W + diag added)) dp = -F. False: it
  /// cannot.
  virtual bool factor(std::span<const NewtonPoint> points, std::span<const Linear> linear,
                      const brief::VecX& added) = 0;
  virtual void step(std::span<const Linear> linear, brief::VecX& dp) = 0;
  /// A sweep of block Gauss-Seidel over p, which is w at its start.
  virtual void sweep(std::span<const NewtonPoint> points, brief::VecX& p, brief::VecX& w) = 0;
};

struct NewtonReport {
  int iterations = 0, sweeps = 0;
  double merit = 0;
};

/// The greatest error of a point.
double merit_of(std::span<const NewtonPoint> points, int rows, const brief::VecX& p,
                const brief::VecX& w);
/// Below this merit is rounding.
double rounding_of(std::span<const NewtonPoint> points, int rows, const brief::VecX& p);
/// Solve rows 0..2 of a point, or 3..5, with the w that belongs to its p, whose change is returned.
Vec3 solve_cone_rows(const NewtonPoint& point, const double* w, double* p);
Vec3 solve_turn_rows(const NewtonPoint& point, const double* w, double* p);

/// From p on, which in the end is the best that was met, within its cones; of many solutions the
/// one near the guess `near`; null: that of least impulses.
NewtonReport newton(Operator& of, std::span<const NewtonPoint> points, int rows,
                    const ContactOptions& options, brief::VecX& p, const brief::VecX* near);

/// Points that part carry nothing from now on, not rounding either: of the least impulses a share
/// would be left of what they carried before.
void open_parting(Operator& of, std::span<const NewtonPoint> points, int rows, brief::VecX& p);

}  // namespace trammel::constraint::piles
