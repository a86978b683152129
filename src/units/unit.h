#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "units/dimension.h"

namespace trammel::units {

/// SI value = (number * numerator) / denominator + offset. Both parts are exact for all units but
/// the angles, so 1435 mm is the same double as 1.435.
struct Unit {
  double numerator = 1, denominator = 1, offset = 0;  // the offset [K] is that of degC
  Dimension dimension;
};

/// A unit, or what is wrong with its text and at which byte (from 0).
struct ParsedUnit {
  Unit unit;
  std::string error;
  std::size_t column = 0;
  explicit operator bool() const { return error.empty(); }
};

/// Reads a unit of the closed list, or products, quotients and powers of such:
///   product    a space, '*', '.' or a middle dot       N m   N*m   kN·m
///   quotient   '/', also leading or after a 1          m/s   m/s/s   1/m   /m
///   power      '^2', '**2', a digit at the name, ², ³  m/s^2   kg m2   s^-1
///   grouping   parentheses                             N m/(rad s)
/// A product after a quotient (N/m s) has two readings and is refused.
ParsedUnit parse_unit(std::string_view text);

/// The names of the closed list, in the order of its table.
std::vector<std::string_view> unit_names();

}  // namespace trammel::units
