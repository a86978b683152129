#include "units/quantity.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace trammel::units {

namespace {

constexpr std::size_t kLongestQuantity = 256;  // bytes

bool digit(std::string_view text, std::size_t at) {
  return at < text.size() && text[at] >= '0' && text[at] <= '9';
}

std::size_t skip_spaces(std::string_view text, std::size_t at) {
  while (at < text.size() && (text[at] == ' ' || text[at] == '\t')) ++at;
  return at;
}

Quantity failure(std::string text, std::size_t column) { return {0, std::move(text), column}; }

// Complaint about a text that does not begin with a number.
Quantity no_number(std::string_view text, std::size_t at) {
  std::string start;
  for (const char c : text.substr(at, 3)) start += static_cast<char>(c | 0x20);
  if (start == "nan" || start == "inf")
    return failure(fmt::format("'{}' is not a finite number", text), at);
  if (text.substr(at).starts_with("\u2212")) return failure("write the minus sign as '-'", at);
  return failure(fmt::format("'{}' does not begin with a number", text), at);
}

// Complaint about what follows the digits, if it belongs to a number of another style.
std::string strange_digits(std::string_view text, std::size_t at) {
  if (at == text.size()) return "";
  const std::size_t after = skip_spaces(text, at);
  const bool spaced_one = after > at && text[after] == '1' && !digit(text, after + 1);  // of 1/m
  if (text[at] == ',') return "write a decimal point, not a comma, and no separators of thousands";
  if (text[at] == '_' || text[at] == '\'' || (after > at && digit(text, after) && !spaced_one))
    return "write the digits of a number without separators";
  return "";
}

bool accepted(const Dimension& given, const Dimension& expected) {
  return given == expected || (expected == kCurvature && given == kTwistRate);
}

std::string needed(const Dimension& expected) {
  const std::string unit = symbol(expected);
  return name(expected) + (unit.empty() ? "" : " [" + unit + "]") + " is needed";
}

std::string mismatch(std::string_view text, const Dimension& given, const Dimension& expected) {
  const bool cycles = given == kFrequency && expected == kAngularSpeed;
  return fmt::format("'{}' is {}, {}{}", text, name(given), needed(expected),
                     cycles ? ": write rev/s, rpm or rad/s" : "");
}

Quantity convert(double number, const Unit& unit, std::string_view text, std::size_t column) {
  double si = number * unit.numerator / unit.denominator;
  if (!std::isfinite(si)) si = number / unit.denominator * unit.numerator;
  si += unit.offset;
  if (!std::isfinite(si) || (si == 0 && number != 0 && unit.offset == 0))
    return failure(fmt::format("'{}' is out of range", text), column);
  if (unit.offset != 0 && si < 0)
    return failure(fmt::format("'{}' is below absolute zero", text), column);
  return {si, "", 0};
}

// The dimension that a unit must have, or any, which is told.
struct Wanted {
  const Dimension* expected = nullptr;
  Dimension* found = nullptr;
};

std::string needed(const Wanted& wanted) {
  return wanted.expected ? needed(*wanted.expected) : "a quantity is needed";
}

Quantity with_unit(double number, std::string_view text, std::size_t at, const Wanted& wanted) {
  const ParsedUnit parsed = parse_unit(text.substr(at));
  if (!parsed) return failure(parsed.error, at + parsed.column);
  if (wanted.expected && !accepted(parsed.unit.dimension, *wanted.expected))
    return failure(mismatch(text, parsed.unit.dimension, *wanted.expected), at);
  if (wanted.found) *wanted.found = parsed.unit.dimension;
  return convert(number, parsed.unit, text, at);
}

Quantity parse(std::string_view text, const Wanted& wanted) {
  if (text.size() > kLongestQuantity) return failure("the text is too long for a quantity", 0);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  std::size_t at = skip_spaces(text, 0);
  if (at == text.size()) return failure("the text is empty, " + needed(wanted), at);
  const std::size_t start = at;
  const bool sign = text[at] == '+' || text[at] == '-';
  const std::size_t first = at + sign;
  if (!digit(text, first) && !(first < text.size() && text[first] == '.' && digit(text, first + 1)))
    return no_number(text, first < text.size() ? first : at);
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, status] = std::from_chars(text.data() + first, end, number);
  if (status != std::errc()) return failure(fmt::format("'{}' is out of range", text), start);
  if (text[start] == '-') number = -number;
  at = static_cast<std::size_t>(stop - text.data());
  if (const std::string error = strange_digits(text, at); !error.empty()) return failure(error, at);
  at = skip_spaces(text, at);
  if (at < text.size()) return with_unit(number, text, at, wanted);
  if (!wanted.expected || *wanted.expected == kRatio) return {number, "", 0};
  return failure(fmt::format("'{}' has no unit, {}", text, needed(wanted)), at);
}

}  // namespace

Quantity parse_quantity(std::string_view text, const Dimension& expected) {
  return parse(text, {&expected, nullptr});
}

Quantity parse_quantity(std::string_view text, Dimension* found) {
  *found = kRatio;
  return parse(text, {nullptr, found});
}

}  // namespace trammel::units
