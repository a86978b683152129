#include "expr/dimensions.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

namespace trammel::expr {

namespace {

using units::Dimension;
using Operands = std::span<const Operand>;

constexpr int kHighestExponent = 12;  // of a base unit, as in units

Verdict wrong(const Operand& at, std::string text) { return {{}, std::move(text), at.column}; }

bool is_number(const MaybeDimension& d) { return !d || agree(*d, units::kRatio); }

// As in units, so that exponents cannot grow without end.
bool fits(const Dimension& d) {
  for (const int n : {d.m, d.kg, d.s, d.rad, d.K})
    if (std::abs(n) > kHighestExponent) return false;
  return true;
}

Verdict numbers(std::string_view operation, Operands operands, const MaybeDimension& result) {
  for (const Operand& o : operands)
    if (!is_number(o.dimension))
      return wrong(o, fmt::format("{} of '{}', {}: a plain number or an angle is needed", operation,
                                  o.text, describe(*o.dimension)));
  return {result};
}

Verdict alike(std::string_view operation, Operands operands) {
  const Operand* known = nullptr;
  for (const Operand& o : operands) {
    if (!o.dimension) continue;
    if (known && !agree(*known->dimension, *o.dimension))
      return wrong(
          o, fmt::format("'{}' is {}, '{}' is {}: they cannot be {}", known->text,
                         describe(*known->dimension), o.text, describe(*o.dimension), operation));
    if (!known) known = &o;
  }
  return {known ? known->dimension : std::nullopt};
}

Verdict alike_giving(std::string_view operation, Operands operands, const Dimension& result) {
  Verdict out = alike(operation, operands);
  if (out.error.empty()) out.dimension = result;
  return out;
}

Verdict checked(const Dimension& d, const Operand& at) {
  if (fits(d)) return {d};
  return wrong(at, fmt::format("the unit is beyond the power of {}", kHighestExponent));
}

Verdict product(Operands o, int sign) {
  if (!o[0].dimension || !o[1].dimension) return {};
  return checked(*o[0].dimension * o[1].dimension->pow(sign), o[1]);
}

// d^(n/denominator) if that is whole. Half a radian is no unit and counts as 1.
MaybeDimension fraction(const Dimension& d, int n, int denominator) {
  Dimension out = d.pow(n);
  if (out.rad % denominator != 0) out.rad = 0;
  for (int* e : {&out.m, &out.kg, &out.s, &out.rad, &out.K}) {
    if (*e % denominator != 0) return {};
    *e /= denominator;
  }
  return out;
}

Verdict root(Operands o, int degree) {
  if (!o[0].dimension) return {};
  if (const MaybeDimension d = fraction(*o[0].dimension, 1, degree)) return {d};
  return wrong(o[0],
               fmt::format("the {} root of '{}', {}, has no unit", degree == 2 ? "square" : "cubic",
                           o[0].text, describe(*o[0].dimension)));
}

Verdict constant_power(const Operand& base, const Operand& exponent) {
  for (int denominator = 1; denominator <= 6; ++denominator) {
    const double n = *exponent.constant * denominator;
    if (n != std::trunc(n)) continue;
    if (std::abs(n) > 10 * kHighestExponent) break;
    if (const MaybeDimension d = fraction(*base.dimension, static_cast<int>(n), denominator))
      return checked(*d, exponent);
  }
  return wrong(exponent, fmt::format("'{}' is {}: its power {:.6g} has no unit", base.text,
                                     describe(*base.dimension), *exponent.constant));
}

Verdict power(Operands o) {
  if (!is_number(o[1].dimension))
    return wrong(o[1], fmt::format("the exponent '{}' is {}, a plain number is needed", o[1].text,
                                   describe(*o[1].dimension)));
  if (!o[0].dimension) return {};
  if (is_number(o[0].dimension)) return {units::kRatio};
  if (!o[1].constant)
    return wrong(o[1], fmt::format("'{}' is {}: its exponent must be a constant, not '{}'",
                                   o[0].text, describe(*o[0].dimension), o[1].text));
  return constant_power(o[0], o[1]);
}

}  // namespace

bool agree(const Dimension& a, const Dimension& b) {
  Dimension x = a, y = b;
  x.rad = y.rad = 0;
  return x == y;
}

std::string describe(const Dimension& d) {
  const std::string unit = units::symbol(d), name = units::name(d);
  const bool said = unit.empty() || name.ends_with(unit);
  return said ? name : fmt::format("{} [{}]", name, unit);
}

Verdict check(Rule rule, std::string_view operation, Operands operands) {
  switch (rule) {
    case Rule::same:
      return {operands[0].dimension};
    case Rule::to_number:
      return {units::kRatio};
    case Rule::number:
      return numbers(operation, operands, units::kRatio);
    case Rule::to_angle:
      return numbers(operation, operands, units::kAngle);
    case Rule::root:
      return root(operands, 2);
    case Rule::cube_root:
      return root(operands, 3);
    case Rule::alike:
      return alike(operation, operands);
    case Rule::alike_angle:
      return alike_giving(operation, operands, units::kAngle);
    case Rule::alike_number:
      return alike_giving(operation, operands, units::kRatio);
    case Rule::product:
      return product(operands, 1);
    case Rule::quotient:
      return product(operands, -1);
    case Rule::power:
      return power(operands);
  }
  return {};
}

}  // namespace trammel::expr
