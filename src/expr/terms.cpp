#include <fmt/format.h>

#include <cmath>

#include "expr/build.h"
#include "expr/evaluate.h"
#include "expr/parser.h"
#include "units/quantity.h"

namespace trammel::expr {

const Parser::Infix* Parser::infix(Kind kind) {
  static constexpr Infix kInfixes[] = {
      {Kind::either, Level::kEither, Op::either, Rule::alike, ""},
      {Kind::both, Level::kBoth, Op::both, Rule::alike, ""},
      {Kind::less, Level::kCompare, Op::less, Rule::alike_number, "compared"},
      {Kind::less_equal, Level::kCompare, Op::less_equal, Rule::alike_number, "compared"},
      {Kind::greater, Level::kCompare, Op::less, Rule::alike_number, "compared", true},
      {Kind::greater_equal, Level::kCompare, Op::less_equal, Rule::alike_number, "compared", true},
      {Kind::equal, Level::kCompare, Op::equal, Rule::alike_number, "compared"},
      {Kind::different, Level::kCompare, Op::different, Rule::alike_number, "compared"},
      {Kind::plus, Level::kSum, Op::add, Rule::alike, "added"},
      {Kind::minus, Level::kSum, Op::sub, Rule::alike, "subtracted"},
      {Kind::times, Level::kProduct, Op::mul, Rule::product, ""},
      {Kind::over, Level::kProduct, Op::div, Rule::quotient, ""},
      {Kind::power, Level::kPower, Op::pow, Rule::power, ""},
  };
  for (const Infix& i : kInfixes)
    if (i.kind == kind) return &i;
  return nullptr;
}

// What is broken is of any type.
bool Parser::is(const Term& t, Type type) {
  if (t.type == type || t.type == Type::broken) return true;
  if (type == Type::number)
    complain(t.begin, fmt::format("'{}' is a condition, a number is needed", words(t)));
  else
    complain(t.begin,
             fmt::format("'{}' is a number, a condition is needed, as in x > 0", words(t)));
  return false;
}

// And none is broken; complains of all that are not.
bool Parser::are(std::span<const Term> terms, Type type) {
  bool good = true;
  for (const Term& t : terms) good = is(t, type) && t.type != Type::broken && good;
  return good;
}

bool Parser::verdict(Rule rule, std::string_view operation, std::span<const Term> terms,
                     Term& out) {
  std::vector<Operand> operands;
  for (const Term& t : terms) {
    const bool constant = is_constant(t.e);
    operands.push_back({words(t), t.begin, t.dimension,
                        constant ? std::optional(constant_value(t.e)) : std::nullopt});
  }
  const Verdict v = check(rule, operation, operands);
  if (!v.error.empty()) complain(v.column, v.error);
  out.dimension = v.dimension;
  return v.error.empty();
}

// A constant that is no number is a mistake of the text: 1/0, sqrt(-1).
Parser::Term Parser::finite(Term t) {
  if (!is_constant(t.e) || std::isfinite(constant_value(t.e))) return t;
  complain(t.begin, fmt::format("'{}' is {}", words(t),
                                std::isnan(constant_value(t.e)) ? "no real number" : "infinite"));
  t.type = Type::broken;
  return t;
}

Parser::Term Parser::quantity(const Token& number, std::size_t first, std::size_t last,
                              std::size_t end) {
  Term out{Type::broken, {}, {}, number.begin, end};
  const std::string_view name = text_.substr(first, last - first);
  const units::ParsedUnit parsed = units::parse_unit(name);
  if (!parsed) return complain(first + parsed.column, parsed.error), out;
  const std::string digits(text_.substr(number.begin, number.end - number.begin));
  const units::Quantity q =
      units::parse_quantity(fmt::format("{} {}", digits, name), parsed.unit.dimension);
  if (!q) return complain(number.begin, q.error), out;
  return {Type::number, g_.constant(q.si), parsed.unit.dimension, number.begin, end};
}

Parser::Term Parser::minus(std::size_t begin, Term a) {
  if (!is(a, Type::number)) a.type = Type::broken;
  a.begin = begin;
  if (a.type == Type::number) a.e = -a.e;
  return a;
}

Parser::Term Parser::negation(std::size_t begin, Term a) {
  if (!is(a, Type::condition)) a.type = Type::broken;
  a.begin = begin;
  if (a.type == Type::condition) a.e = apply(Op::negation, a.e);
  return a;
}

bool Parser::power_fits(const Infix& infix, const Term& exponent) {
  if (infix.op != Op::pow || !is_constant(exponent.e)) return true;
  const double n = constant_value(exponent.e);
  if (n != std::trunc(n) || std::abs(n) <= kHighestPower) return true;
  complain(exponent.begin, fmt::format("the power {} is beyond the limit of {}", n, kHighestPower));
  return false;
}

// Where numbers are factors, one beside a quantity in a product is a ratio.
void Parser::see_factors(const Infix& op, std::span<Term, 2> both) const {
  if (!limits_.factors || op.level != Level::kProduct) return;
  for (Term& t : both)
    if (t.plain && !t.dimension && !(both[0].plain && both[1].plain)) t.dimension = units::kRatio;
}

Parser::Term Parser::combine(const Infix& op, const Term& a, const Term& b) {
  Term both[] = {a, b};
  see_factors(op, both);
  const bool logical = op.level <= Level::kBoth;
  Term out{Type::broken, {}, {}, a.begin, b.end};
  if (!are(both, logical ? Type::condition : Type::number)) return out;
  if (!power_fits(op, b) || !verdict(op.rule, op.done, both, out)) return out;
  out.type = is_condition(op.op) ? Type::condition : Type::number;
  out.plain = a.plain && b.plain;
  out.e = op.swapped ? apply(op.op, b.e, a.e) : apply(op.op, a.e, b.e);
  return finite(out);
}

void Parser::finish(const Term& t, const MaybeDimension& needed) {
  if (!is(t, Type::number) || t.type == Type::broken) return;
  if (needed && t.dimension && !agree(*needed, *t.dimension))
    complain(t.begin, fmt::format("the result is {}, {} is needed", describe(*t.dimension),
                                  describe(*needed)));
}

}  // namespace trammel::expr
