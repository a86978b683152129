#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "units/unit.h"

namespace trammel::units {

/// A value in SI, or what is wrong with its text and at which byte (from 0).
struct Quantity {
  double si = 0;
  std::string error;
  std::size_t column = 0;
  explicit operator bool() const { return error.empty(); }
};

/// Reads "120 km/h", "5 MN/m", "-2.5e-3 rad": a number with a decimal point, then a unit (see
/// parse_unit) of the expected dimension. Only a plain number may stand without a unit. Angles are
/// strict, with one exception: a curvature may be given by angle too (deg/m, rad/m).
Quantity parse_quantity(std::string_view text, const Dimension& expected);
/// The same of any dimension, which is told.
Quantity parse_quantity(std::string_view text, Dimension* found);

}  // namespace trammel::units
