#pragma once

#include <string>

#include "plot/axis.h"
#include "plot/figure.h"

namespace trammel::plot {

/// The line as SVG path data. Of consecutive points in one pixel column the first, the least, the
/// greatest and the last are kept: what a screen shows of them is the same (Jugel et al. 2014, M4).
std::string path_data(const Line& line, const Axis& x, const Axis& y);

}  // namespace trammel::plot
