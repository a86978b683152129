#include "units/unit.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "units/nearest.h"

namespace trammel::units {

namespace {

constexpr double kPi = std::numbers::pi;

struct Entry {
  std::string_view name;
  Unit unit;
};

constexpr Unit of(const Dimension& d, double numerator = 1, double denominator = 1) {
  return {numerator, denominator, 0, d};
}

constexpr Entry kUnits[] = {
    {"m", of(kLength)},
    {"km", of(kLength, 1000)},
    {"cm", of(kLength, 1, 100)},
    {"mm", of(kLength, 1, 1000)},
    {"um", of(kLength, 1, 1e6)},
    {"\u00b5m", of(kLength, 1, 1e6)},  // micro sign
    {"\u03bcm", of(kLength, 1, 1e6)},  // Greek mu
    {"in", of(kLength, 254, 10000)},
    {"ft", of(kLength, 3048, 10000)},
    {"yd", of(kLength, 9144, 10000)},
    {"mi", of(kLength, 1609344, 1000)},
    {"s", of(kTime)},
    {"ms", of(kTime, 1, 1000)},
    {"us", of(kTime, 1, 1e6)},
    {"\u00b5s", of(kTime, 1, 1e6)},
    {"\u03bcs", of(kTime, 1, 1e6)},
    {"min", of(kTime, 60)},
    {"h", of(kTime, 3600)},
    {"kg", of(kMass)},
    {"gram", of(kMass, 1, 1000)},
    {"t", of(kMass, 1000)},
    {"tonne", of(kMass, 1000)},
    {"lb", of(kMass, 45359237, 1e8)},
    {"N", of(kForce)},
    {"mN", of(kForce, 1, 1000)},
    {"daN", of(kForce, 10)},
    {"kN", of(kForce, 1e3)},
    {"MN", of(kForce, 1e6)},
    {"GN", of(kForce, 1e9)},
    {"lbf", of(kForce, 44482216152605, 1e13)},
    {"Nm", of(kTorque)},
    {"kNm", of(kTorque, 1e3)},
    {"MNm", of(kTorque, 1e6)},
    {"Pa", of(kPressure)},
    {"kPa", of(kPressure, 1e3)},
    {"MPa", of(kPressure, 1e6)},
    {"GPa", of(kPressure, 1e9)},
    {"mbar", of(kPressure, 100)},
    {"bar", of(kPressure, 1e5)},
    {"psi", of(kPressure, 44482216152605, 6451600000)},  // lbf/in^2
    {"J", of(kEnergy)},
    {"mJ", of(kEnergy, 1, 1000)},
    {"kJ", of(kEnergy, 1e3)},
    {"MJ", of(kEnergy, 1e6)},
    {"GJ", of(kEnergy, 1e9)},
    {"Wh", of(kEnergy, 3600)},
    {"kWh", of(kEnergy, 3.6e6)},
    {"W", of(kPower)},
    {"mW", of(kPower, 1, 1000)},
    {"kW", of(kPower, 1e3)},
    {"MW", of(kPower, 1e6)},
    {"GW", of(kPower, 1e9)},
    {"Hz", of(kFrequency)},
    {"mHz", of(kFrequency, 1, 1000)},
    {"kHz", of(kFrequency, 1e3)},
    {"MHz", of(kFrequency, 1e6)},
    {"rad", of(kAngle)},
    {"mrad", of(kAngle, 1, 1000)},
    {"deg", of(kAngle, kPi, 180)},
    {"\u00b0", of(kAngle, kPi, 180)},  // degree sign
    {"gon", of(kAngle, kPi, 200)},
    {"rev", of(kAngle, 2 * kPi)},
    {"turn", of(kAngle, 2 * kPi)},
    {"rpm", of(kAngularSpeed, 2 * kPi, 60)},
    {"mph", of(kSpeed, 1609344, 3600000)},
    {"kn", of(kSpeed, 1852, 3600)},
    {"g0", of(kAcceleration, 980665, 1e5)},
    {"%", of(kRatio, 1, 100)},
    {"percent", of(kRatio, 1, 100)},
    {"\u2030", of(kRatio, 1, 1000)},  // per mille sign
    {"permille", of(kRatio, 1, 1000)},
    {"K", of(kTemperature)},
    {"degC", {1, 1, 273.15, kTemperature}},
    {"\u00b0C", {1, 1, 273.15, kTemperature}},
};

// Names that are refused, and what to write instead.
constexpr std::pair<std::string_view, std::string_view> kRefused[] = {
    {"g", "may be the gram or gravity: write 'gram', 'kg', or 'g0' for 9.80665 m/s^2"},
    {"ton", "may be 907, 1000 or 1016 kg: write 't' for 1000 kg"},
    {"tons", "may be 907, 1000 or 1016 kg: write 't' for 1000 kg"},
    {"kt", "may be the knot or the kilotonne: write 'kn' for the knot"},
    {"hp", "may be 735.5 or 745.7 W: write 'kW'"},
    {"kgf", "is not known: write 'N' (1 kgf is 9.80665 N)"},
    {"kph", "is not known: write 'km/h'"},
    {"kmh", "is not known: write 'km/h'"},
    {"rps", "is not known: write 'rev/s'"},
    {"sec", "is not known: write 's'"},
    {"hr", "is not known: write 'h'"},
    {"inch", "is not known: write 'in'"},
    {"meter", "is not known: write 'm'"},
    {"metre", "is not known: write 'm'"},
    {"newton", "is not known: write 'N'"},
    {"degree", "is not known: write 'deg'"},
    {"degrees", "is not known: write 'deg'"},
    {"radian", "is not known: write 'rad'"},
    {"C", "is not known: write 'degC'"},
};

constexpr std::size_t kLongestText = 200;  // bytes
constexpr int kDeepest = 8;                // parentheses in parentheses
constexpr int kHighest = 12;               // power of a unit, and of a dimension in the result

struct Failure {
  std::string text;
  std::size_t column;
};

Unit look_up(std::string_view name, std::size_t column) {
  for (const Entry& entry : kUnits)
    if (entry.name == name) return entry.unit;
  for (const auto& [refused, why] : kRefused)
    if (refused == name) throw Failure{fmt::format("the unit '{}' {}", name, why), column};
  throw Failure{fmt::format("unknown unit '{}'{}", name, did_you_mean(name, unit_names())), column};
}

bool digit(char c) { return c >= '0' && c <= '9'; }
bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Unit whole() {
    const Unit unit = product(0);
    if (at_ < text_.size()) fail("unexpected ')'");
    return unit;
  }

 private:
  [[noreturn]] void fail(std::string text) const { throw Failure{std::move(text), at_}; }

  bool take(std::string_view token) {
    if (!text_.substr(at_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }

  bool take_spaces() {
    const std::size_t from = at_;
    while (take(" ") || take("\t") || take("\u00a0") || take("\u202f")) {
    }
    return at_ > from;
  }

  bool take_times() { return take("*") || take("\u00b7") || take("\u22c5") || take("."); }

  // One character of text, whole if it is a valid sequence of UTF-8, for messages.
  std::string here() const {
    const auto lead = static_cast<unsigned char>(text_[at_]);
    const std::size_t n = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
    std::string out(text_.substr(at_, n));
    bool good = out.size() == n && (n > 1 || (lead >= 0x20 && lead < 0x7f));
    for (std::size_t i = 1; i < out.size(); ++i)
      good = good && (static_cast<unsigned char>(out[i]) & 0xc0) == 0x80;
    return good ? "'" + out + "'" : fmt::format("byte 0x{:02x}", lead);
  }

  Unit product(int depth) {
    if (depth > kDeepest) fail("parentheses are nested too deep");
    take_spaces();
    const bool inverse = one();
    Unit unit;
    if (!inverse) unit = factor(depth);
    for (bool divided = false; more(unit, divided);) {
      const Unit next = factor(depth);
      unit = combine(unit, next, divided ? -1 : 1);
    }
    return unit;
  }

  // The "1" of 1/m, or the slash alone.
  bool one() {
    const std::size_t from = at_;
    if (take("1")) take_spaces();
    if (text_.substr(at_).starts_with("/")) return true;
    at_ = from;
    return false;
  }

  // Takes the operator before a next factor, if there is one.
  bool more(const Unit& unit, bool& divided) {
    const bool spaces = take_spaces();
    if (at_ == text_.size() || text_[at_] == ')') return false;
    const std::size_t from = at_;
    if (take("/")) {
      divided = true;
    } else {
      if (!take_times() && !spaces) fail("unexpected " + here());
      if (divided) {
        at_ = from;
        fail("a product after '/' has two readings: use parentheses, as in N m/(rad s)");
      }
    }
    take_spaces();
    check_alone(unit);
    return true;
  }

  Unit factor(int depth) {
    if (at_ == text_.size()) fail("a unit is missing at the end");
    const std::size_t from = at_;
    Unit base;
    if (take("(")) {
      base = product(depth + 1);
      if (!take(")")) fail("a ')' is missing");
    } else {
      base = look_up(name(), from);
    }
    return power(base);
  }

  std::string_view name() {
    const std::size_t from = at_;
    if (take("%") || take("\u2030") || take("g0")) return text_.substr(from, at_ - from);
    take("\u00b0") || take("\u00b5") || take("\u03bc");
    while (at_ < text_.size() && letter(text_[at_])) ++at_;
    if (at_ == from) fail("a unit is needed, not " + here());
    return text_.substr(from, at_ - from);
  }

  Unit power(const Unit& base) {
    if (take("\u00b2")) return raise(base, 2);
    if (take("\u00b3")) return raise(base, 3);
    const bool marked = take("^") || take("**");
    const int sign = marked && take("-") ? -1 : 1;
    int n = 0;
    const std::size_t from = at_;
    for (; at_ < text_.size() && digit(text_[at_]); ++at_)
      if ((n = 10 * n + (text_[at_] - '0')) > kHighest) fail("the power is too high");
    const bool whole = at_ + 1 >= text_.size() || text_[at_] != '.' || !digit(text_[at_ + 1]);
    if (at_ > from && whole) return raise(base, sign * n);
    if (marked || !whole) fail("a whole number is needed as power");
    return base;
  }

  Unit raise(const Unit& base, int n) {
    check_alone(base);
    Unit out;
    for (int i = 0; i < std::abs(n); ++i) out = combine(out, base, n < 0 ? -1 : 1);
    return out;
  }

  Unit combine(const Unit& a, const Unit& b, int sign) {
    check_alone(b);
    const double up = sign > 0 ? b.numerator : b.denominator;
    const double down = sign > 0 ? b.denominator : b.numerator;
    const Unit out{a.numerator * up, a.denominator * down, 0, a.dimension * b.dimension.pow(sign)};
    const Dimension& d = out.dimension;
    for (const int n : {d.m, d.kg, d.s, d.rad, d.K})
      if (std::abs(n) > kHighest) fail("the power is too high");
    if (!std::isfinite(out.numerator) || !std::isfinite(out.denominator))
      fail("the unit is out of range");
    return out;
  }

  void check_alone(const Unit& unit) const {
    if (unit.offset != 0) fail("degC has an offset and stands alone: write K in products");
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

ParsedUnit parse_unit(std::string_view text) {
  if (text.size() > kLongestText) return {{}, "the text is too long for a unit", 0};
  try {
    return {Parser(text).whole(), "", 0};
  } catch (const Failure& failure) {
    return {{}, failure.text, failure.column};
  }
}

std::vector<std::string_view> unit_names() {
  std::vector<std::string_view> names;
  for (const Entry& entry : kUnits) names.push_back(entry.name);
  return names;
}

}  // namespace trammel::units
