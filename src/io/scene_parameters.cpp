// Parameters of a scene: names for numbers, which may be formulas of each other, and numbers that
// are formulas of them.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "expr/lexer.h"
#include "io/scene_formula.h"
#include "io/scene_text.h"
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

/// The parameters that a text names. A name directly behind a number is a unit.
std::vector<std::string> Formulas::names_in(std::string_view text) const {
  std::vector<std::string> out;
  for_tokens(text, [&](const expr::Token& t, const expr::Token& before) {
    if (t.kind != TokenKind::name || before.kind == TokenKind::number) return;
    std::string name(text.substr(t.begin, t.end - t.begin));
    if (parameters_.contains(name)) out.push_back(std::move(name));
  });
  return out;
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
  for (const expr::Problem& p : parsed.problems)
    findings_.complain(path, place_in_string(findings_.source, quote, p.column), p.text);
  if (!parsed) return {};
  return finite(parsed.expression, path, quote, text);
}

/// The value of an expression without variables. Nothing: complained.
std::optional<double> Formulas::finite(expr::Expression e, const std::string& path, Place quote,
                                       std::string_view text) {
  if (is_constant(e) && std::isfinite(constant_value(e))) return constant_value(e);
  findings_.complain(path, quote, fmt::format("'{}' is not a finite number", text));
  return {};
}

/// The value of a parameter in SI, with its dimension where it has one. Nothing: complained.
std::optional<double> Formulas::value_of(const Value& v, Maybe& dimension) {
  dimension = v.dimension;
  if (v.text.empty()) return v.number;
  if (!is_formula(v.text)) {
    units::Dimension any;
    return findings_.complain(v.path, units::parse_quantity(v.text, &any).error), std::nullopt;
  }
  const expr::Parsed parsed = expr::parse(v.text, common_, {}, {.factors = true});
  for (const expr::Problem& p : parsed.problems)
    findings_.complain(v.path, place_in_string(findings_.source, v.place, p.column), p.text);
  if (!parsed) return {};
  dimension = parsed.dimension;
  return finite(parsed.expression, v.path, v.place, v.text);
}

/// Gives a parameter its value, checked against its range.
void Formulas::define(const std::string& parameter, const Value& v) {
  const Value& value = v.table ? v["value"] : v;
  Maybe dimension;
  auto x = v.sound ? value_of(value, dimension) : std::nullopt;
  if (x && v.has("unit")) {
    const units::ParsedUnit unit = units::parse_unit(v["unit"].text);
    if (!unit) return findings_.complain(v["unit"].path, unit.error);
    if (dimension && *dimension != unit.unit.dimension)
      findings_.complain(v["unit"].path, fmt::format("the value is {}, not in {}",
                                                     shown(*x, dimension), v["unit"].text));
    if (!dimension) *x = *x * unit.unit.numerator / unit.unit.denominator + unit.unit.offset;
    dimension = unit.unit.dimension;
  }
  for (const auto& [key, sign] : {std::pair{"from", 1.}, std::pair{"to", -1.}}) {
    if (!x || !v.has(key)) continue;
    Maybe of;
    const auto bound = value_of(v[key], of);
    if (!bound) continue;
    if (of && dimension && *of != *dimension)
      findings_.complain(v[key].path, fmt::format("{} is of another kind than {}",
                                                  shown(*bound, of), shown(*x, dimension)));
    else if (sign * *x < sign * *bound)
      findings_.complain(
          value.path, fmt::format("'{}' is {}, {} {}", parameter, shown(*x, dimension),
                                  sign > 0 ? "less than" : "more than", shown(*bound, dimension)));
  }
  // a name without a value is known all the same, so that one mistake is told once
  name(v, common_.define(parameter, graph_.constant(x.value_or(1)), x ? dimension : Maybe()));
}

/// Gives a parameter its value after those that it depends on.
void Formulas::resolve(const std::string& parameter, const Asked& asked) {
  constexpr std::size_t kMostLinks = 100;
  bool& done = parameters_.find(parameter)->second;
  if (done) return;
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
  Asked next{asked.map, asked.by};
  next.by.push_back(parameter);
  for (const Value* part : {&v, &v["value"], &v["from"], &v["to"]})
    for (const std::string& needed : names_in(part->text)) resolve(needed, next);
  if (!done) define(parameter, v);
  done = true;
}

void Formulas::add_parameters(const Value& map) {
  for (const auto& [key, v] : map.fields) {
    std::string wrong = taken(key);
    if (wrong.empty() && !expr::is_name(key))
      wrong = common_.define(key, graph_.constant(v.number));
    if (wrong.empty())
      parameters_.emplace(key, false);
    else
      name(v, std::move(wrong));
  }
  try {
    for (const auto& [key, v] : map.fields)
      if (parameters_.contains(key)) resolve(key, {map, {}});
  } catch (const expr::GraphFull& full) {
    findings_.complain(map.path, full.what());
  }
}

}  // namespace trammel::io
