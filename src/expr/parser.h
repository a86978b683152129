#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "expr/builtins.h"
#include "expr/dimensions.h"
#include "expr/lexer.h"
#include "expr/parse.h"

namespace trammel::expr {

/// How tightly an operator binds; of operands at its sides see Parser::expression.
struct Level {
  static constexpr int kAll = 0, kEither = 1, kBoth = 2, kNot = 3, kCompare = 4, kSum = 5,
                       kProduct = 6, kMinus = 7, kPower = 8, kPrimary = 9;
};

/// By precedence climbing. Mistakes of meaning are collected: what is made of a broken term is
/// broken and not complained of again. A mistake of syntax ends the reading.
class Parser {
 public:
  Parser(std::string_view text, const Symbols& symbols, const Limits& limits)
      : text_(text), symbols_(symbols), g_(symbols.graph()), limits_(limits) {}

  Parsed whole(const MaybeDimension& needed);

 private:
  enum class Type : unsigned char { number, condition, broken };
  struct Term {
    Type type = Type::broken;
    Expression e = {};
    MaybeDimension dimension = {};
    std::size_t begin = 0, end = 0;
    bool plain = false;  // made of numbers without units alone
  };
  struct Infix;
  struct Stop {};
  class Deeper {
   public:
    explicit Deeper(Parser& parser);
    ~Deeper() { --parser_.depth_; }

   private:
    Parser& parser_;
  };

  // Syntax: parser.cpp
  void advance();
  void take(Kind kind, const char* expected);
  void complain(std::size_t column, std::string text);
  [[noreturn]] void stop(std::size_t column, std::string text);
  [[noreturn]] void stop_expecting(std::string_view what);
  std::string words(std::size_t begin, std::size_t end) const;
  std::string words(const Term& t) const { return words(t.begin, t.end); }
  Term expression(int least);
  Term right_of(const Infix& op);
  Term prefix();
  Term parenthesis();
  Term number();
  std::size_t end_of_bare_unit();
  Term name();
  std::vector<Term> arguments();

  // Meaning: terms.cpp
  /// A number with the unit in the bytes [first, last) of the text; the whole ends at `end`.
  Term quantity(const Token& number, std::size_t first, std::size_t last, std::size_t end);
  Term minus(std::size_t begin, Term a);
  Term negation(std::size_t begin, Term a);
  void see_factors(const Infix& infix, std::span<Term, 2> both) const;
  Term combine(const Infix& infix, const Term& a, const Term& b);
  Term finite(Term t);
  bool is(const Term& t, Type type);
  bool are(std::span<const Term> terms, Type type);
  bool power_fits(const Infix& infix, const Term& exponent);
  bool verdict(Rule rule, std::string_view operation, std::span<const Term> terms, Term& out);
  void finish(const Term& t, const MaybeDimension& needed);

  // Names: names.cpp
  Term value(const Token& name);
  Term call(const Token& name);
  Term builtin(const Token& name, const Builtin& b);
  Term outside(const Token& name, std::shared_ptr<const Function> f, const Partial& partial);
  Term data(const Token& name, bool spline);
  std::vector<std::string> marks();
  bool partial_of(const Token& name, const Function& f, const std::vector<std::string>& marks,
                  Partial& out);
  Term call_of(const Token& name, std::shared_ptr<const Function> f, const Partial& partial,
               std::span<const Term> args);
  void unknown(const Token& name, std::string_view what, std::vector<std::string> known);

  static const Infix* infix(Kind kind);

  std::string_view text_;
  const Symbols& symbols_;
  Graph& g_;
  Limits limits_;
  Token token_;
  std::size_t last_end_ = 0;  // of the token before
  int depth_ = 0;
  std::set<std::string, std::less<>> unknown_;
  std::vector<Problem> problems_;
};

struct Parser::Infix {
  Kind kind;
  int level;
  Op op;
  Rule rule;
  std::string_view done;  // "added"
  bool swapped = false;   // a > b is b < a
};

}  // namespace trammel::expr
