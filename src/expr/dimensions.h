#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "units/dimension.h"

/// Dimensions of expressions. Nothing is known of a plain number (it may be anything in SI, as in
/// scenes) and of what is not declared; what is made of the unknown is unknown and agrees with
/// everything. The radian counts as 1, so that r omega is a speed.
namespace trammel::expr {

using MaybeDimension = std::optional<units::Dimension>;

/// What an operation asks of its arguments and gives.
enum class Rule : unsigned char {
  same,          // of one argument: gives what it takes
  to_number,     // anything, gives a plain number
  number,        // plain numbers, gives a plain number
  to_angle,      // plain numbers, gives an angle
  root,          // square root
  cube_root,     //
  alike,         // all the same, gives it
  alike_angle,   // all the same, gives an angle
  alike_number,  // all the same, gives a plain number
  product,
  quotient,
  power,
};

/// An argument: its words, place, dimension, and value where it is a constant.
struct Operand {
  std::string text;
  std::size_t column = 0;
  MaybeDimension dimension = {};
  std::optional<double> constant = {};
};

/// The dimension of the result, or what is wrong and where.
struct Verdict {
  MaybeDimension dimension = {};
  std::string error = {};
  std::size_t column = 0;
};

/// `operation` is what messages call it: "sin", or what cannot be done with the arguments: "added".
Verdict check(Rule rule, std::string_view operation, std::span<const Operand> operands);

/// The same but for radians.
bool agree(const units::Dimension& a, const units::Dimension& b);
/// "a length [m]"
std::string describe(const units::Dimension& d);

}  // namespace trammel::expr
