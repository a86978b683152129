// Wrong texts: every complaint with its column and words.
#include <fmt/core.h>

#include "expr/test_expressions.h"

namespace trammel::expr::problems_test {
namespace {

struct Wrong {
  std::string text;
  std::vector<Problem> problems;
};

void PrintTo(const Wrong& wrong, std::ostream* out) { *out << wrong.text; }

const std::vector<Wrong> kSyntax = {
    {"", {{0, "the text is empty"}}},
    {"  ", {{0, "the text is empty"}}},
    {"x +", {{3, "a number, a name or '(' is expected, not the end"}}},
    {"x + * y", {{4, "a number, a name or '(' is expected, not '*'"}}},
    {"(x + y", {{6, "an operator or ')' is expected, not the end"}}},
    {"x + y)", {{5, "an operator is expected, not ')'"}}},
    {"()", {{1, "a number, a name or '(' is expected, not ')'"}}},
    {"2x", {{1, "an operator is expected, not 'x': write '*' for a product"}}},
    {"2(x + y)", {{1, "an operator is expected, not '(': write '*' for a product"}}},
    {"x y", {{2, "an operator is expected, not 'y'"}}},
    {"(x) y", {{4, "an operator is expected, not 'y'"}}},
    {"1 000", {{2, "an operator is expected, not '000': write '*' for a product"}}},
    {"sin x",
     {{0, "'sin' is a function: write sin(...)"}, {4, "an operator is expected, not 'x'"}}},
    {"sin(x", {{5, "an operator, ',' or ')' is expected, not the end"}}},
    {"sin(x,", {{6, "a number, a name or '(' is expected, not the end"}}},
    {"max(x; y)", {{5, "write ',' between arguments"}}},
    {"3,14*x", {{1, "',' belongs between arguments only"}}},
    {"x ** 2", {{2, "write '^' for powers"}}},
    {"if(x = 1, 2, 3)", {{5, "write '==' to compare"}}},
    {"if(x < 1 && y < 1, 2, 3)", {{9, "write 'and'"}}},
    {"if(x < 1 || y < 1, 2, 3)", {{9, "write 'or'"}}},
    {"if(!(x < 1), 2, 3)", {{3, "write 'not'"}}},
    {"if(0 < x < 1, 2, 3)", {{9, "comparisons do not chain: write a < b and b < c"}}},
    {"x < 1 ? 2 : 3", {{6, "write if(condition, value, otherwise)"}}},
    {"x % 2", {{2, "write [%] behind a number, or x - y*floor(x/y) for a remainder"}}},
    {"x \u2212 1", {{2, "write the minus sign as '-'"}}},
    {"2\u00b7x", {{1, "write '*' for products"}}},
    {"x\u00b2", {{1, "write '^2'"}}},
    {"\u03c0*x", {{0, "write 'pi'"}}},
    {"x + \u00e4", {{4, "'\u00e4' has no meaning here"}}},
    {"x + \xff", {{4, "byte 0xff has no meaning here"}}},
    {std::string("x\0", 2), {{1, "byte 0x00 has no meaning here"}}},
    {"x $ y", {{2, "'$' has no meaning here"}}},
    {"1e999*x", {{0, "'1e999' is out of range"}}},
    {"x [mm]", {{2, "a unit belongs directly behind a number"}}},
    {"[mm]", {{0, "a unit belongs directly behind a number"}}},
    {"sin(5 [m] [\xff])", {{10, "a unit belongs directly behind a number"}}},
    {"5 [mm", {{2, "a ']' is missing"}}},
    {"x''", {{0, "'x' is no function: write x*(...) for a product"}}},
    {"x(y + 1)", {{0, "'x' is no function: write x*(...) for a product"}}},
    {"sin'(x)", {{3, "only functions from outside have derivatives with '"}}},
    {"table(x)", {{7, "an operator or ',' is expected, not ')'"}}},
    {"table(x, 2)", {{9, "the name of data is expected, not '2'"}}},
    {"table(x, cam, y)", {{12, "')' is expected, not ','"}}},
    {"x.y.", {{3, "'.' has no meaning here"}}},
};

const std::vector<Wrong> kMeaning = {
    {"lenght*2", {{0, "unknown name 'lenght'; did you mean 'length'?"}}},
    {"x + 2*foo - foo", {{6, "unknown name 'foo'; known: cond, length, x, y, e, pi, tau"}}},
    {"sine(x) + cso(y)",
     {{0, "unknown function 'sine'; did you mean 'sin'?"},
      {10, "unknown function 'cso'; did you mean 'cos'?"}}},
    {"flor(x, y)", {{0, "unknown function 'flor'; did you mean 'floor'?"}}},
    {"spline(x, can)", {{10, "unknown data 'can'; did you mean 'cam'?"}}},
    {"cam*2", {{0, "'cam' is data: write table(x, cam) or spline(x, cam)"}}},
    {"height + 1", {{0, "'height' is a function: write height(...)"}}},
    {"sin(x, y)", {{0, "sin takes 1 argument, not 2"}}},
    {"sin()", {{0, "sin takes 1 argument, not 0"}}},
    {"1 + atan2(x)", {{4, "atan2 takes 2 arguments, not 1"}}},
    {"max(x)", {{0, "max takes at least 2 arguments, not 1"}}},
    {"clamp(x, 1)", {{0, "clamp takes 3 arguments, not 2"}}},
    {"height(x)", {{0, "height takes 2 arguments, not 1"}}},
    {"piecewise(x < 1, 2)",
     {{0,
       "piecewise takes condition, value, ..., otherwise: an odd number of arguments from 3 on, "
       "not 2"}}},
    {"piecewise(x < 1, 2, x < 3, 4)",
     {{0,
       "piecewise takes condition, value, ..., otherwise: an odd number of arguments from 3 on, "
       "not 4"}}},
    {"if(x, 1, 2)", {{3, "'x' is a number, a condition is needed, as in x > 0"}}},
    {"if(x < 1, x < 2, 3)", {{10, "'x < 2' is a condition, a number is needed"}}},
    {"(x < 1)*2", {{0, "'(x < 1)' is a condition, a number is needed"}}},
    {"x + not y", {{8, "'y' is a number, a condition is needed, as in x > 0"}}},
    {"-(x < 1)", {{1, "'(x < 1)' is a condition, a number is needed"}}},
    {"sin(x < 1)", {{4, "'x < 1' is a condition, a number is needed"}}},
    {"x < 1", {{0, "'x < 1' is a condition, a number is needed"}}},
    {"x and y < 1", {{0, "'x' is a number, a condition is needed, as in x > 0"}}},
    {"cond + 1", {{0, "'cond' is a condition, a number is needed"}}},
    {"x/0*1/0 + 1/0", {{10, "'1/0' is infinite"}}},
    {"x + sqrt(-1)", {{4, "'sqrt(-1)' is no real number"}}},
    {"0/(1 - 1)", {{0, "'0/(1 - 1)' is no real number"}}},
    {"10^400", {{0, "'10^400' is infinite"}}},
    {"x^2000", {{2, "the power 2000 is beyond the limit of 1024"}}},
    {"x^-2000", {{2, "the power -2000 is beyond the limit of 1024"}}},
    {"clamp(x, 2, 1)", {{0, "the bounds of clamp are exchanged: 2 is above 1"}}},
    {"smoothstep(1, 1, x)", {{0, "the edges of smoothstep are the same: 1"}}},
    {"5 [mmm]*x", {{3, "unknown unit 'mmm'; did you mean 'mm'?"}}},
    {"5 []", {{3, "a unit is missing at the end"}}},
    {"5 [N/m s]",
     {{7, "a product after '/' has two readings: use parentheses, as in N m/(rad s)"}}},
    {"sin(\nx < 1)", {{5, "'x < 1' is a condition, a number is needed"}}},
    {"sin(x\n< 1000000000000000000000000000000000000000)",
     {{4, "'x < 100000000000000000000000000000000000...' is a condition, a number is needed"}}},
    {"0 [degC] - 300 [degC]", {}},
    {"height'(x, y)", {{6, "the derivative of height is by argument 1 to 2: write height'1"}}},
    {"height'13(x, y)", {{6, "the derivative of height is by argument 1 to 2: write height'1"}}},
    {"height'112(x, y)", {{6, "height gives derivatives up to order 2, not 3"}}},
    {"foo(bar, 1/0) + baz",
     {{0,
       "unknown function 'foo'; known: height, table, spline, hypot, atan2, min, max, clamp, "
       "smoothstep, step, if, piecewise, abs, sign, floor, sqrt, cbrt, exp, log, log10, sin, cos, "
       "tan, asin, ... (32 in all)"},
      {4, "unknown name 'bar'; known: cond, length, x, y, e, pi, tau"},
      {9, "'1/0' is infinite"},
      {16, "unknown name 'baz'; known: cond, length, x, y, e, pi, tau"}}},
    {"foo + * 2",
     {{0, "unknown name 'foo'; known: cond, length, x, y, e, pi, tau"},
      {6, "a number, a name or '(' is expected, not '*'"}}},
};

class Problems : public testing::TestWithParam<Wrong> {};

TEST_P(Problems, HavePlaceAndWords) {
  Graph g;
  Symbols s(g);
  const auto jet = [](std::span<const double>, int, std::span<double>) {};
  ASSERT_EQ(s.variable("x") + s.variable("y") + s.variable("length"), "");
  ASSERT_EQ(s.define("cond", apply(Op::less, g.variable("x"), g.variable("y"))), "");
  ASSERT_EQ(s.points("cam", {{0, 1}, {0, 1}}), "");
  ASSERT_EQ(s.function({.name = "height", .arity = 2, .jet = jet}), "");
  const Parsed parsed = parse(GetParam().text, s);
  EXPECT_EQ(bool(parsed), GetParam().problems.empty());
  std::string is, expected;
  for (const auto& [column, text] : parsed.problems) is += fmt::format("{}: {}\n", column, text);
  for (const auto& [column, text] : GetParam().problems)
    expected += fmt::format("{}: {}\n", column, text);
  EXPECT_EQ(is, expected);
}

INSTANTIATE_TEST_SUITE_P(OfSyntax, Problems, testing::ValuesIn(kSyntax));
INSTANTIATE_TEST_SUITE_P(OfMeaning, Problems, testing::ValuesIn(kMeaning));

}  // namespace
}  // namespace trammel::expr::problems_test
