#pragma once

#include <cmath>
#include <string>
#include <string_view>

#include "units/mutations.h"
#include "units/nearest.h"
#include "units/quantity.h"

/// Any bytes are a unit and a quantity, or a complaint with a place. What is one is the same when
/// it is printed and read again. corpus/ has seeds.
namespace trammel::units::fuzzed {

inline void check_complaint(std::string_view text, const std::string& error, std::size_t column) {
  require(!error.empty() && column <= text.size(), "a complaint has words and a place");
}

/// The unit in SI of a dimension is read as itself. The energy's name is not compared.
inline void check_symbol(const Dimension& d) {
  const std::string text = symbol(d);
  if (text.empty()) return require(d == kRatio, "only plain numbers have no unit");
  const ParsedUnit again = parse_unit(text);
  require(bool(again), "the unit of a dimension is a unit");
  require(again.unit.dimension == d, "of that dimension");
  require(again.unit.numerator == 1 && again.unit.denominator == 1, "in SI");
  require(!name(d).empty(), "it has a name");
}

/// Printed with six digits, so that the second print is the first.
inline void check_print(double si, const Dimension& d) {
  const std::string text = format_quantity(si, d);
  const Quantity again = parse_quantity(text, d);
  if (!again) return require(std::abs(si) > 1e300 || std::abs(si) < 1e-300, "print reads back");
  require(std::abs(again.si - si) <= 5.1e-6 * std::abs(si), "the same to six digits");
  require(format_quantity(again.si, d) == text, "and prints the same");
}

inline void any_text(std::string_view text) {
  const ParsedUnit unit = parse_unit(text);
  if (!unit)
    check_complaint(text, unit.error, unit.column);
  else
    check_symbol(unit.unit.dimension);
  Dimension found;
  const Quantity q = parse_quantity(text, &found);
  if (!q) check_complaint(text, q.error, q.column);
  for (const Dimension& d : {found, kLength, kAngle, kRatio, kCurvature}) {
    const Quantity same = parse_quantity(text, d);
    if (d == found || (d == kCurvature && found == kTwistRate))
      require(same.si == q.si && same.error.empty() == q.error.empty(), "of its dimension or any");
    else
      check_complaint(text, same.error, same.column);
  }
  if (q) check_print(q.si, found);
  nearest(text.substr(0, 100), unit_names());
}

}  // namespace trammel::units::fuzzed
