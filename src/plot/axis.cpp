#include "plot/axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>
#include <utility>

namespace trammel::plot {

namespace {

// Smallest of 1, 2, 5 times a power of ten that is not below x.
double round_up(double x) {
  const double power = std::pow(10, std::floor(std::log10(x)));
  for (const double f : {1.0, 2.0, 5.0})
    if (f * power >= x * (1 - 1e-9)) return f * power;
  return 10 * power;
}

std::string superscript(int n) {
  const char* const digits[] = {"\u2070", "\u00b9", "\u00b2", "\u00b3", "\u2074",
                                "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};
  std::string out = n < 0 ? "\u207b" : "";
  for (const char c : std::to_string(std::abs(n))) out += digits[c - '0'];
  return out;
}

// A true minus sign, and thin spaces between thousands from five digits on.
std::string number(double x, int decimals) {
  std::string text = fmt::format("{:.{}f}", std::abs(x), decimals);
  const std::size_t whole = std::min(text.find('.'), text.size());
  if (whole >= 5)
    for (std::size_t at = whole; at > 3;) text.insert(at -= 3, "\u2009");
  const bool zero = text.find_first_not_of("0.") == std::string::npos;
  return (x < 0 && !zero ? "\u2212" : "") + text;
}

// Numbers too large or too small to read carry a power of a thousand in the title.
int exponent_of(double largest) {
  if (largest >= 1e-2 && largest < 1e5) return 0;
  return 3 * static_cast<int>(std::floor(std::log10(largest) / 3));
}

// The unit with a prefix for the power of ten, where its first symbol takes one: kN m, mm/s.
std::string prefixed(const std::string& unit, int exponent) {
  const std::string first = unit.substr(0, unit.find_first_of(" /^"));
  const bool power = first.size() < unit.size() && unit[first.size()] == '^';
  const std::pair<int, const char*> prefixes[] = {{-9, "n"}, {-6, "\u00b5"}, {-3, "m"},
                                                  {3, "k"},  {6, "M"},       {9, "G"}};
  constexpr std::string_view both[] = {"N", "Pa", "J", "W", "Hz"}, small[] = {"m", "s", "rad"};
  const bool fits = std::ranges::find(both, first) != std::end(both) ||
                    (exponent < 0 && std::ranges::find(small, first) != std::end(small)) ||
                    (exponent == 3 && unit == "m");
  for (const auto& [power_of_ten, prefix] : prefixes)
    if (fits && !power && power_of_ten == exponent) return prefix + unit;
  return "10" + superscript(exponent) + (unit.empty() ? "" : " ") + unit;
}

std::string title_of(const Label& label, double offset, int exponent) {
  const std::string unit = exponent != 0 ? prefixed(label.unit, exponent) : label.unit;
  std::string out = label.text;
  if (offset != 0)
    out += fmt::format("{}{} {:.12g}{}{}", out.empty() ? "" : " ", offset > 0 ? "\u2212" : "+",
                       std::abs(offset), label.unit.empty() ? "" : " ", label.unit);
  if (unit.empty()) return out;
  return (out.empty() ? "" : out + " ") + "[" + unit + "]";
}

Range widened(Range range, double margin) {
  if (range.empty()) return {0, 1};
  const double size = std::max(std::abs(range.lo), std::abs(range.hi));
  if (size < 1e-300) return {-1, 1};  // nothing, or what no power of ten below can divide
  const double span = range.hi / size - range.lo / size;  // may not overflow
  if (span < 1e-12) return {range.lo - 0.1 * size, range.hi + 0.1 * size};
  return {range.lo - margin * span * size, range.hi + margin * span * size};
}

// Round numbers of an axis by powers: decades, or 1, 2 and 5 of each where there are few.
std::vector<double> powers(double from, double to, double count) {
  const double decades = to - from, step = std::max(1.0, std::ceil(decades / count));
  std::vector<double> digits{0};
  if (3 * decades <= 1.5 * count) digits = {0, std::log10(2.0), std::log10(5.0)};
  std::vector<double> out;
  for (double k = std::floor(from / step) * step; k <= to; k += step)
    for (const double digit : digits)
      if (k + digit >= from - 1e-9 && k + digit <= to + 1e-9) out.push_back(k + digit);
  return out;
}

std::string power_text(double exponent, bool plain) {
  const double whole = std::floor(exponent + 1e-9);
  if (plain) return number(std::pow(10, exponent), std::max(0, -static_cast<int>(whole)));
  const std::string digit = fmt::format("{:.0f}", std::pow(10, exponent - whole));
  return (digit == "1" ? "" : digit + "\u00b7") + "10" + superscript(static_cast<int>(whole));
}

}  // namespace

void Range::add(double x) {
  if (!std::isfinite(x)) return;
  const bool first = empty();
  lo = first ? x : std::min(lo, x);
  hi = first ? x : std::max(hi, x);
}

Axis make_axis(Range range, const Label& label, double from, double to, double spacing,
               double margin) {
  constexpr double kLimit = 1e300;  // so that no sum or difference below can overflow
  range = {std::clamp(range.lo, -kLimit, kLimit), std::clamp(range.hi, -kLimit, kLimit)};
  const Range shown = widened(range, margin);
  Axis axis{shown.lo, shown.hi, from, to, {}, {}, {}};
  const double count = std::max(1.0, std::abs(to - from) / spacing);
  const double step = round_up(std::max((axis.hi - axis.lo) / count, 1e-300));
  const double largest = std::max(std::abs(axis.lo), std::abs(axis.hi));
  const bool far = largest > 2e4 * (axis.hi - axis.lo);  // too many digits: from an offset then
  const double offset = far ? std::round(axis.lo / step / 100) * step * 100 : 0;
  const int exponent = exponent_of(far ? axis.hi - axis.lo : largest);
  const double unit = std::pow(10, exponent);
  const int decimals =
      static_cast<int>(std::clamp(-std::floor(std::log10(step / unit) + 1e-9), 0.0, 9.0));
  for (double k = std::ceil(axis.lo / step - 1e-9); k * step <= axis.hi + 1e-9 * step; ++k) {
    axis.ticks.push_back(k * step);
    axis.texts.push_back(number((k * step - offset) / unit, decimals));
    if (axis.ticks.size() > 100) break;  // a step lost to rounding
  }
  axis.title = title_of(label, offset, exponent);
  if (!range.empty()) return axis;
  axis.ticks.clear();
  axis.texts.clear();
  axis.title = title_of(label, 0, 0);
  return axis;
}

Axis make_log_axis(Range range, const Label& label, double from, double to, double spacing,
                   double margin) {
  if (range.empty()) {
    Axis axis = make_axis(range, label, from, to, spacing, margin);
    axis.lo = 1, axis.hi = 10, axis.log = true;
    return axis;
  }
  const double lo = std::log10(range.lo), hi = std::log10(std::min(range.hi, 1e300));
  if (hi - lo < 0.5) {  // nearly straight: the numbers of a plain axis are the rounder ones
    Axis axis = make_axis(range, label, from, to, spacing, margin);
    axis.log = axis.lo > 0;
    return axis;
  }
  const double edge = margin * (hi - lo);
  const std::vector<double> ticks =
      powers(lo - edge, hi + edge, std::max(1.0, std::abs(to - from) / spacing));
  Axis axis{std::pow(10, lo - edge), std::pow(10, hi + edge), from, to, {}, {}, {}, true};
  axis.lo = std::max(axis.lo, 1e-320);
  const bool plain = !ticks.empty() && ticks.front() > -2.5 && ticks.back() < 4.5;
  for (const double tick : ticks) {
    axis.ticks.push_back(std::pow(10, tick));
    axis.texts.push_back(power_text(tick, plain));
  }
  axis.title = title_of(label, 0, 0);
  return axis;
}

}  // namespace trammel::plot
