// Parameters of a scene: names for numbers, which may be formulas of each other, and numbers that
// are formulas of them.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "expr/builtins.h"
#include "expr/lexer.h"
#include "io/scene_formula.h"
#include "units/nearest.h"
#include "units/quantity.h"
#include "units/unit.h"

namespace trammel::io {

namespace {

using TokenKind = expr::Kind;

/// Calls f(token, before) for the tokens of a text up to its end or a byte that is none.
template <class F>
void for_tokens(std::string_view text, F f) {
  expr::Token before;
  for (expr::Token t = expr::next_token(text, 0);
       t.kind != TokenKind::end && t.kind != TokenKind::bad; t = expr::next_token(text, t.end)) {
    f(t, before);
    before = t;
  }
}

std::string shown(double si, const Formulas::Maybe& dimension) {
  return dimension ? units::format_quantity(si, *dimension) : fmt::format("{}", si);
}

}  // namespace

/// The parameters that a text names. A name directly behind a number is a unit; what is a name and
/// a part of a unit at once, m in 5 kg/m, is left out where `sure` is asked for.
std::vector<std::string> Formulas::names_in(std::string_view text, bool sure) const {
  std::vector<std::string> out;
  std::optional<std::size_t> unit;  // where the one begins that the token may be part of
  for_tokens(text, [&](const expr::Token& t, const expr::Token& before) {
    const bool name = t.kind == TokenKind::name, behind = before.kind == TokenKind::number;
    if (name && behind && !(unit && t.begin == before.end)) {
      unit = t.begin;
      return;
    }
    if (t.begin != before.end) unit.reset();
    if (!name) return;
    const std::string known(text.substr(t.begin, t.end - t.begin));
    const bool either = unit && units::parse_unit(text.substr(*unit, t.end - *unit));
    if (parameters_.contains(known) && !(sure && either)) out.push_back(known);
  });
  return out;
}

bool Formulas::excused(std::string_view text) const {
  const std::vector<std::string> names = names_in(text);
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& n) { return misnamed_.contains(n); });
}

bool Formulas::is_formula(std::string_view text) const {
  if (!names_in(text).empty()) return true;
  units::Dimension any;
  if (units::parse_quantity(text, &any)) return false;
  int tokens = 0;
  for_tokens(text, [&](const expr::Token&, const expr::Token&) { ++tokens; });
  if (tokens > 2 && expr::parse(text, common_)) return true;
  bool formula = false, first = true;
  for_tokens(text, [&](const expr::Token& t, const expr::Token& before) {
    const bool sign = t.kind == TokenKind::plus || t.kind == TokenKind::minus;
    const bool behind_number = before.kind == TokenKind::number;
    if (first && sign) return;
    // a call, a sum, or an operator between numbers; not the signs within a unit
    formula |= t.kind == TokenKind::open && before.kind == TokenKind::name && !first;
    formula |= (first && t.kind == TokenKind::open) ||
               (first && t.kind == TokenKind::name && !parameters_.empty());
    formula |= !first && (t.kind == TokenKind::plus ||
                          (t.kind == TokenKind::minus && before.kind != TokenKind::power));
    formula |= behind_number && (t.kind == TokenKind::times || t.kind == TokenKind::over ||
                                 t.kind == TokenKind::power);
    first = false;
  });
  return formula;
}

std::optional<double> Formulas::number(const std::string& path, std::string_view text, Place quote,
                                       const Maybe& result) {
  const expr::Parsed parsed = expr::parse(text, common_, result, {.factors = true});
  if (!parsed && excused(text)) return 1;
  for (const expr::Problem& p : parsed.problems)
    findings_.complain(path, findings_.in_string(quote, p.column), p.text);
  if (!parsed) return {};
  return finite(parsed.expression, path, quote, text);
}

std::optional<double> Formulas::value(std::string_view text) const {
  const expr::Parsed parsed = expr::parse(text, common_, units::kRatio, {.factors = true});
  if (!parsed || !is_constant(parsed.expression)) return {};
  const double x = constant_value(parsed.expression);
  return std::isfinite(x) ? std::optional(x) : std::nullopt;
}

std::optional<double> Formulas::number(const std::string& path, std::string_view text, Place quote,
                                       Maybe* dimension) {
  units::Dimension plain;
  const units::Quantity q = units::parse_quantity(text, &plain);
  if (q && names_in(text).empty()) return *dimension = plain, q.si;
  const expr::Parsed parsed = expr::parse(text, common_, {}, {.factors = true});
  if (!parsed && excused(text)) return 1;
  for (const expr::Problem& p : parsed.problems)
    findings_.complain(path, findings_.in_string(quote, p.column), p.text);
  *dimension = parsed.dimension;
  return parsed ? finite(parsed.expression, path, quote, text) : std::nullopt;
}

/// The value of an expression without variables. Nothing: complained.
std::optional<double> Formulas::finite(expr::Expression e, const std::string& path, Place quote,
                                       std::string_view text) {
  if (is_constant(e) && std::isfinite(constant_value(e))) return constant_value(e);
  findings_.complain(path, quote, fmt::format("'{}' is not a finite number", text));
  return {};
}

std::optional<double> Formulas::value_of(const Value& v, Maybe& dimension) {
  dimension = v.dimension;
  if (v.text.empty()) return v.number;
  if (!is_formula(v.text)) {
    units::Dimension any;
    return findings_.complain(v.path, units::parse_quantity(v.text, &any).error), std::nullopt;
  }
  const expr::Parsed parsed = expr::parse(v.text, common_, {}, {.factors = true});
  if (!parsed && excused(v.text)) return 1;
  for (const expr::Problem& p : parsed.problems)
    findings_.complain(v.path, findings_.in_string(v.place, p.column), p.text);
  if (!parsed) return {};
  dimension = parsed.dimension;
  return finite(parsed.expression, v.path, v.place, v.text);
}

/// A value from outside, which must be of the same kind. Nothing: complained.
std::optional<double> Formulas::take(const Given& given, const Maybe& dimension) {
  if (given.dimension && dimension && *given.dimension != *dimension) {
    findings_.complain(given.path,
                       fmt::format("'{}' is {}, {} is needed", given.name,
                                   shown(given.value, given.dimension), units::name(*dimension)));
    return {};
  }
  return given.value;
}

void Formulas::check_range(const std::string& parameter, const Value& v, double x,
                           const Maybe& dimension, const std::string& path) {
  for (const auto& [key, sign] : {std::pair{"from", 1.}, std::pair{"to", -1.}}) {
    if (!v.has(key)) continue;
    Maybe of;
    const auto bound = value_of(v[key], of);
    if (!bound) continue;
    if (of && dimension && *of != *dimension)
      findings_.complain(v[key].path, fmt::format("{} is of another kind than {}",
                                                  shown(*bound, of), shown(x, dimension)));
    else if (sign * x < sign * *bound)
      findings_.complain(
          path, fmt::format("'{}' is {}, {} {}", parameter, shown(x, dimension),
                            sign > 0 ? "less than" : "more than", shown(*bound, dimension)));
  }
}

/// A value in SI, where a unit stands beside it. Nothing: complained.
std::optional<double> Formulas::in_unit(double x, const Value& beside, Maybe& dimension) {
  const units::ParsedUnit unit = units::parse_unit(beside.text);
  if (!unit) return findings_.complain(beside.path, unit.error), std::nullopt;
  if (dimension && *dimension != unit.unit.dimension)
    findings_.complain(beside.path,
                       fmt::format("the value is {}, not in {}", shown(x, dimension), beside.text));
  if (!dimension) x = x * unit.unit.numerator / unit.unit.denominator + unit.unit.offset;
  dimension = unit.unit.dimension;
  return x;
}

/// Gives a parameter its value, checked against its range.
void Formulas::define(const std::string& parameter, const Value& v, const Given* given) {
  const Value& value = v.table ? v["value"] : v;
  Maybe dimension;
  const auto around = around_.find(parameter);
  if (around != around_.end())
    common_.define(parameter, around->second.expression, around->second.dimension);
  auto x = v.sound ? value_of(value, dimension) : std::nullopt;
  if (x && v.has("unit")) x = in_unit(*x, v["unit"], dimension);
  if (x && given) x = take(*given, dimension);
  if (x) check_range(parameter, v, *x, dimension, given ? given->path : value.path);
  if (given && !dimension) dimension = given->dimension;
  if (around != around_.end()) common_.forget(parameter);
  // a name without a value is known all the same, so that one mistake is told once
  name(v, common_.define(parameter, graph_.constant(x.value_or(1)), x ? dimension : Maybe()));
}

/// Gives a parameter its value after those that it depends on.
void Formulas::resolve(const std::string& parameter, const Asked& asked) {
  constexpr std::size_t kMostLinks = 100;
  bool& done = parameters_.find(parameter)->second;
  if (done) return;
  const auto from_outside = std::find_if(asked.given.begin(), asked.given.end(),
                                         [&](const Given& g) { return g.name == parameter; });
  const Given* given = from_outside == asked.given.end() ? nullptr : &*from_outside;
  if (asked.by.size() > kMostLinks)
    return findings_.complain(
        asked.map.fields.find(asked.by.front())->second.path,
        fmt::format("'{}' depends on more than {} parameters, one on the other", asked.by.front(),
                    kMostLinks));
  if (std::find(asked.by.begin(), asked.by.end(), parameter) != asked.by.end()) {
    done = true;
    common_.define(parameter, graph_.constant(1));  // known, so that the circle is told once
    return findings_.complain(asked.map.fields.find(parameter)->second.path,
                              fmt::format("'{}' depends on itself: {} -> {}", parameter,
                                          fmt::join(asked.by, " -> "), parameter));
  }
  const Value& v = asked.map.fields.find(parameter)->second;
  Asked next{asked.map, asked.given, asked.by};
  next.by.push_back(parameter);
  for (const Value* part : {&v, &v["value"], &v["from"], &v["to"]})
    for (const std::string& needed : names_in(part->text, true))
      if (needed != parameter || !around_.contains(needed)) resolve(needed, next);
  if (!done) define(parameter, v, given);
  done = true;
}

void Formulas::add_parameters(const Value& map, const std::vector<Given>& given) {
  for (const auto& [key, v] : map.fields) {
    std::string wrong = taken(key);
    shadow(key);
    if (!wrong.empty()) {  // known all the same, so that it is told once
      parameters_.insert_or_assign(key, true);
      common_.define(key, graph_.constant(1));
    } else if (!expr::is_name(key) || expr::is_reserved(key)) {
      wrong = common_.define(key, graph_.constant(v.number));
    }
    if (wrong.empty()) {
      parameters_.insert_or_assign(key, false);
      continue;
    }
    parameters_.insert_or_assign(key, true);
    misnamed_.insert(key);
    name(v, std::move(wrong));
  }
  for (const Given& g : given)
    if (!map.fields.contains(g.name)) complain_unknown(map, g);
  try {
    for (const auto& [key, v] : map.fields)
      if (parameters_.contains(key)) resolve(key, {map, given, {}});
  } catch (const expr::GraphFull& full) {
    findings_.complain(map.path, full.what());
  }
}

void Formulas::complain_unknown(const Value& map, const Given& given) {
  std::vector<std::string> known;
  for (const auto& [key, v] : map.fields) known.push_back(key);
  findings_.complain(
      given.path,
      fmt::format("the part has no parameter '{}'{}", given.name,
                  known.empty() ? ": it has none" : units::did_you_mean(given.name, known)));
}

std::string Formulas::add_number(const std::string& name, double value, const Maybe& dimension) {
  if (std::string wrong = taken(name); !wrong.empty()) return wrong;
  shadow(name);
  parameters_.insert_or_assign(name, true);
  return common_.define(name, graph_.constant(value), dimension);
}

void Formulas::read_item(std::string_view text, Value& out) {
  units::Dimension dimension;
  if (const units::Quantity q = units::parse_quantity(text, &dimension)) {
    out.number = q.si;
    out.dimension = dimension;
    return;
  }
  const bool meant = is_formula(text);
  const expr::Parsed parsed =
      meant ? expr::parse(text, common_, {}, {.factors = true}) : expr::Parsed{};
  if (meant && parsed && is_constant(parsed.expression)) {
    out.number = constant_value(parsed.expression);
    out.dimension = parsed.dimension;
  } else {
    out.text = text;
  }
}

std::vector<Formulas::Given> Formulas::values(const Value& map) {
  std::vector<Given> out;
  for (const auto& [key, v] : map.fields) {
    Given g{key, v.path, 0, {}};
    const auto x = v.sound ? value_of(v.table ? v["value"] : v, g.dimension) : std::nullopt;
    if (!x) continue;
    g.value = *x;
    out.push_back(std::move(g));
  }
  return out;
}

}  // namespace trammel::io
