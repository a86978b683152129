#pragma once

#include <memory>
#include <string>

#include "body/symbolic.h"
#include "geom/curve.h"

namespace trammel::expr {
struct Function;
}

/// Curves in formulas: place and frame at an arc length that is an expression.
namespace trammel::body {

/// A curve as functions of its arc length s: where it is, p(s), a frame C(s) that goes along it,
/// and the Darboux vector of that frame in its own axes, w(s) = C^T Omega, so that
/// dC/ds = C [w]x and dp/ds = C t (geom/curve.h). The frame is that of the curve, t = e_x; but
/// where curvature jumps the frame goes over from one piece to the next within half a metre of
/// either side, so that w does not jump. p is the curve's everywhere. Beyond the ends of a curve
/// that is not closed they are NaN; s of a closed one goes round.
class Path {
 public:
  Path(std::string name, geom::CurvePtr curve);
  const std::string& name() const { return name_; }
  const geom::Curve& curve() const { return *curve_; }

  /// The four at s, of the graph that s is of.
  struct At {
    symbolic::Vec p;
    symbolic::Mat C;
    symbolic::Vec w;
    symbolic::Vec t;  // the tangent in the axes of C
  };
  At at(expr::Expression s) const;

 private:
  std::string name_;
  geom::CurvePtr curve_;
  bool blends_ = false;                             // there are borders, and t is a function
  std::shared_ptr<const expr::Function> function_;  // p, C row by row, w, t
};

}  // namespace trammel::body
