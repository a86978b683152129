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

/// A curve as functions of its arc length s: where it is, p(s), its frame C(s), and the Darboux
/// vector of that frame in its own axes, w(s) = C^T Omega, so that dp/ds = C e_x, dC/ds = C [w]x
/// (geom/curve.h). Where curvature jumps w goes over from one to the other within half a metre of
/// either side, p and C are the curve's. Beyond the ends of a curve that is not closed they are
/// NaN; s of a closed one goes round.
class Path {
 public:
  Path(std::string name, geom::CurvePtr curve);
  const std::string& name() const { return name_; }
  const geom::Curve& curve() const { return *curve_; }

  /// The three at s, of the graph that s is of.
  struct At {
    symbolic::Vec p;
    symbolic::Mat C;
    symbolic::Vec w;
  };
  At at(expr::Expression s) const;

 private:
  std::string name_;
  geom::CurvePtr curve_;
  std::shared_ptr<const expr::Function> function_;  // p, C row by row, w
};

}  // namespace trammel::body
