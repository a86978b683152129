#pragma once

#include <vector>

#include "plot/axis.h"
#include "plot/drawing.h"
#include "plot/figure.h"

namespace trammel::plot {

/// The line in pixels, without what no axis can show. Of consecutive points in one pixel column the
/// first, the least, the greatest and the last are kept: what a screen shows of them is the same
/// (Jugel et al. 2014, M4).
std::vector<Polyline> thin(const Line& line, const Axis& x, const Axis& y);

}  // namespace trammel::plot
