#include "expr/parser.h"

#include <fmt/format.h>

#include <algorithm>

#include "expr/build.h"
#include "units/unit.h"

namespace trammel::expr {

namespace {

constexpr std::size_t kLongestQuote = 40;  // bytes of the text in a message

bool begins_term(Kind kind) {
  return kind == Kind::number || kind == Kind::name || kind == Kind::open;
}

}  // namespace

void Parser::complain(std::size_t column, std::string text) {
  if (problems_.size() < kMostProblems)
    problems_.push_back({column, std::move(text)});
  else if (problems_.size() == kMostProblems)
    problems_.push_back({text_.size(), "there are more problems, not listed"});
}

void Parser::stop(std::size_t column, std::string text) {
  complain(column, std::move(text));
  throw Stop{};
}

void Parser::stop_expecting(std::string_view what) {
  if (token_.kind == Kind::end)
    stop(token_.begin, fmt::format("{} is expected, not the end", what));
  if (token_.kind == Kind::unit) stop(token_.begin, "a unit belongs directly behind a number");
  stop(token_.begin,
       fmt::format("{} is expected, not '{}'", what, words(token_.begin, token_.end)));
}

std::string Parser::words(std::size_t begin, std::size_t end) const {
  std::size_t n = std::min(end - begin, kLongestQuote);
  const bool whole = n == end - begin;
  while (!whole && (static_cast<unsigned char>(text_[begin + n]) & 0xc0) == 0x80) --n;  // of UTF-8
  std::string out(text_.substr(begin, n));
  for (char& c : out)
    if (c == '\n' || c == '\t' || c == '\r') c = ' ';
  return whole ? out : out + "...";
}

void Parser::advance() {
  last_end_ = token_.end;
  token_ = next_token(text_, token_.end);
  if (token_.kind == Kind::bad) stop(token_.begin, token_.error);
}

void Parser::take(Kind kind, const char* expected) {
  if (token_.kind != kind) stop_expecting(expected);
  advance();
}

Parsed Parser::whole(const MaybeDimension& needed) {
  Term result;
  try {
    if (text_.size() > limits_.length)
      stop(limits_.length, fmt::format("the text has {} bytes, at most {} are possible",
                                       text_.size(), limits_.length));
    advance();
    if (token_.kind == Kind::end) stop(0, "the text is empty");
    result = expression(Level::kAll);
    if (token_.kind == Kind::comma) stop(token_.begin, "',' belongs between arguments only");
    if (token_.kind != Kind::end) stop_expecting("an operator");
    finish(result, needed);
  } catch (const Stop&) {
  } catch (const GraphFull& full) {
    complain(token_.begin, full.what());
  }
  std::stable_sort(problems_.begin(), problems_.end(),
                   [](const Problem& a, const Problem& b) { return a.column < b.column; });
  if (!problems_.empty()) return {{}, {}, std::move(problems_)};
  return {result.e, result.dimension, {}};
}

Parser::Term Parser::expression(int least) {
  Term left = prefix();
  for (const Infix* op = infix(token_.kind); op && op->level >= least; op = infix(token_.kind)) {
    advance();
    left = combine(*op, left, right_of(*op));
    const Infix* next = infix(token_.kind);
    if (op->level == Level::kCompare && next && next->level == Level::kCompare)
      stop(token_.begin, "comparisons do not chain: write a < b and b < c");
  }
  return left;
}

// Powers are read from the right, which nests; of the others the next operand binds more tightly.
Parser::Term Parser::right_of(const Infix& op) {
  if (op.level < Level::kPower) return expression(op.level + 1);
  const Deeper deeper(*this);
  return expression(op.level);
}

Parser::Deeper::Deeper(Parser& parser) : parser_(parser) {
  if (++parser.depth_ > parser.limits_.depth)
    parser.stop(parser.token_.begin, fmt::format("nested deeper than {}", parser.limits_.depth));
}

Parser::Term Parser::prefix() {
  const Deeper deeper(*this);
  const std::size_t begin = token_.begin;
  switch (token_.kind) {
    case Kind::number:
      return number();
    case Kind::name:
      return name();
    case Kind::open:
      return parenthesis();
    case Kind::minus:
      advance();
      return minus(begin, expression(Level::kMinus));
    case Kind::negation:
      advance();
      return negation(begin, expression(Level::kCompare));
    default:
      stop_expecting("a number, a name or '('");
  }
}

Parser::Term Parser::parenthesis() {
  const std::size_t begin = token_.begin;
  advance();
  Term inside = expression(Level::kAll);
  inside.begin = begin;
  inside.end = token_.end;
  take(Kind::close, "an operator or ')'");
  return inside;
}

Parser::Term Parser::number() {
  const Token number = token_;
  advance();
  const Token unit = token_;
  if (unit.kind == Kind::unit) {
    advance();
    return quantity(number, unit.begin + 1, unit.end - 1, unit.end);
  }
  if (const std::size_t end = end_of_bare_unit(); end > 0) {
    token_.end = end;
    advance();
    return quantity(number, unit.begin, end, end);
  }
  if (begins_term(token_.kind))
    stop(token_.begin, fmt::format("an operator is expected, not '{}': write '*' for a product",
                                   words(token_.begin, token_.end)));
  return {Type::number, g_.constant(number.number), {}, number.begin, number.end, true};
}

Parser::Term Parser::name() {
  const Token name = token_;
  advance();
  if (token_.kind == Kind::open || token_.kind == Kind::prime) return call(name);
  return value(name);
}

std::vector<Parser::Term> Parser::arguments() {
  std::vector<Term> out;
  take(Kind::open, "'('");
  if (token_.kind == Kind::close) return advance(), out;
  out.push_back(expression(Level::kAll));
  while (token_.kind == Kind::comma) {
    advance();
    out.push_back(expression(Level::kAll));
  }
  take(Kind::close, "an operator, ',' or ')'");
  return out;
}

/// Returns where a unit without brackets ends that begins with the present token; 0: there is none.
/// It is the longest of what follows without a space, cut at its signs, that is a unit and in which
/// no name behind a sign means something else here: 5 m/L with an L is (5 m)/L. What could be both
/// is refused: 5 N*s with an s.
std::size_t Parser::end_of_bare_unit() {
  if (token_.kind != Kind::name) return 0;
  constexpr std::string_view kGoesOn = "/*^.", kEnds = " \t\n\r,()+-<>=!'[";
  const std::size_t last = std::min(text_.find_first_of(kEnds, token_.begin), text_.size());
  std::size_t found = 0;
  for (std::size_t from = token_.begin; from < last;) {
    const std::size_t cut = std::min(text_.find_first_of(kGoesOn, from), last);
    const std::string_view name = text_.substr(from, cut - from);
    const std::string_view unit = text_.substr(token_.begin, cut - token_.begin);
    const bool is_unit = bool(units::parse_unit(unit));
    if (from > token_.begin && symbols_.find_value(name)) {
      if (is_unit)
        stop(from, fmt::format("'{0}' is a unit and a name here: write [{1}] for the unit, or a "
                               "space before '{0}' for the name",
                               name, unit));
      break;
    }
    if (is_unit) found = cut;
    from = cut + 1;
  }
  return found;
}

Parsed parse(std::string_view text, const Symbols& symbols, MaybeDimension needed,
             const Limits& limits) {
  return Parser(text, symbols, limits).whole(needed);
}

}  // namespace trammel::expr
