#pragma once

#include "geom/curve.h"

namespace trammel::geom {

/// Returns the arc length [m] of the place on a curve nearest to p [m], in the curve's axes; of
/// places that are equally near, one. By halving: on a stretch, no place is nearer than its middle
/// less half its length, so what cannot hold the nearest place is left out. Stretches end at a
/// 32768th of the length; Newton's iteration goes on from there, to rounding on a curve that bends
/// little within one.
double nearest_arc_length(const Curve& curve, const Vec3& p);

}  // namespace trammel::geom
