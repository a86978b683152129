#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "math/types.h"

namespace trammel::geom {

/// A curve at one arc length s, in the curve's own axes.
///
/// C is the curve frame: columns x = tangent T, y, z. On a curve with an up (railways) y is the
/// horizontal left and z the up that goes with it; on others the frame is rotation-minimising or
/// Frenet, as the curve says. Omega is the Darboux vector of *that* frame:
///
///     dC/ds = [Omega]x C,   dp/ds = T,   dT/ds = Omega x T = curvature vector,
///
/// smooth through inflections and straights: nothing is ever divided by the curvature.
struct CurvePoint {
  Vec3 p = Vec3::Zero();       // position [m]
  Mat3 C = Mat3::Identity();   // frame (T, y, z) as columns
  Vec3 Omega = Vec3::Zero();   // Darboux vector [1/m]
  Vec3 dOmega = Vec3::Zero();  // its derivative by arc length [1/m^2]; filled if asked for
};

/// The station that belongs to an arc length: the horizontal projection of a railway line, which
/// its lists of elements and its cant run along; the arc length itself on every other curve.
struct Station {
  double sigma = 0;  // [m]
  double d1 = 1;     // d sigma / ds
  double d2 = 0;     // d2 sigma / ds2 [1/m]
};

/// The quantity that changes where one analytic piece of a curve meets the next.
enum class Jump : unsigned char {
  none = 0,       // all that a step sees is continuous (only dOmega may jump)
  curvature = 1,  // the Darboux vector jumps: rows jump, an impact
  kink = 2,       // the tangent, or the roll of the frame about it, jumps
};

/// A curve by arc length, made of one or more analytic pieces. Each piece can be evaluated
/// past its ends (it goes on analytically), so that a step never sees a jump half way: the
/// piece is the caller's state, and it changes where the caller says.
class Curve {
 public:
  virtual ~Curve() = default;
  virtual double length() const = 0;                        // [m]
  virtual std::size_t pieces() const = 0;                   // >= 1
  virtual double piece_start(std::size_t piece) const = 0;  // arc length [m]; piece_start(0) = 0
  /// At piece_start(piece). For 0: none, or on a closed curve where the end meets the start.
  virtual Jump jump(std::size_t piece) const = 0;
  virtual bool closed() const { return false; }  // end joins start: s is periodic
  /// Evaluates piece `piece` at s [m]; order 1 leaves dOmega unset, order 2 fills it.
  virtual void eval(double s, std::size_t piece, int order, CurvePoint& out) const = 0;

  virtual Station station(double s, std::size_t /*piece*/) const { return {s, 1, 0}; }
  virtual double arc_length_at(double sigma) const { return sigma; }  // inverse of station
  /// Both at once, where that is cheaper.
  virtual void eval(double s, std::size_t piece, int order, CurvePoint& out, Station& at) const {
    eval(s, piece, order, out);
    at = station(s, piece);
  }

  /// The piece that holds s: the last one that starts at or before it.
  std::size_t piece_at(double s) const;
  CurvePoint at(double s, int order = 2) const;
};

using CurvePtr = std::shared_ptr<const Curve>;

/// Starting pose of what is to go on from the end of a curve.
Pose end_pose(const Curve& curve);

/// Turn from one curve frame to another [rad], 0 to pi.
double turn_between(const Mat3& R_WA, const Mat3& R_WB);

/// Returns the quantity that jumps from one piece to the next, both evaluated where they meet.
Jump classify(const CurvePoint& before, const CurvePoint& after);
/// The same for one angle [rad] that steps and its rate [1/m] before and after.
Jump classify(double step, double rate_before, double rate_after);

/// One stretch of two lists of pieces laid over each other.
struct Overlap {
  double start;      // [m]
  std::size_t a, b;  // the piece of either list that is on
};

/// Lays two sorted lists of starts (both begin with 0) over each other, up to `end`. Starts closer
/// than kSameBreak, or than that share of an end below 1 m, are one, at the place in list a.
std::vector<Overlap> overlay(const std::vector<double>& a, const std::vector<double>& b,
                             double end);
inline constexpr double kSameBreak = 1e-6;  // [m]

/// How much of a length [m] a list may leave uncovered at its end: sources round to millimetres.
inline constexpr double kUncovered = 1e-3;

}  // namespace trammel::geom
