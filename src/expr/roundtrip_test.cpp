// Random texts: read, written, read again they are the same node of the graph.
#include <fmt/core.h>

#include <random>

#include "expr/test_expressions.h"

namespace trammel::expr::roundtrip_test {
namespace {

/// Texts of the grammar, in the many ways one may write: blanks, needless parentheses, numbers of
/// all kinds. Names: x, y, cam (data), f (two arguments).
class TextMaker {
 public:
  std::string number(int depth) {
    switch (depth <= 0 ? below(3) : below(14)) {
      case 0:
        return literal();
      case 1:
      case 2:
        return below(2) == 0 ? "x" : "y";
      case 3:
      case 4:
      case 5:
      case 6:
        return two(depth);
      case 7:
        return "(" + blank() + number(depth - 1) + blank() + ")";
      case 8:
        return "-" + blank() + number(depth - 1);
      case 9:
        return pick(kOfOne) + "(" + number(depth - 1) + ")";
      case 10:
        return pick(kOfTwo) + "(" + number(depth - 1) + "," + blank() + number(depth - 1) + ")";
      case 11:
        return pick(kOfData) + "(" + number(depth - 1) + ", cam)";
      case 12:
        return "if(" + condition(depth - 1) + ", " + number(depth - 1) + ", " + number(depth - 1) +
               ")";
      default:
        return "piecewise(" + condition(depth - 1) + "," + number(depth - 1) + "," +
               condition(depth - 1) + "," + number(depth - 1) + "," + number(depth - 1) + ")";
    }
  }

 private:
  using List = std::vector<std::string>;
  static inline const List kOfOne = {"sqrt", "cbrt",  "exp",   "log",   "log10", "sin",   "cos",
                                     "tan",  "asin",  "acos",  "atan",  "sinh",  "cosh",  "tanh",
                                     "abs",  "asinh", "acosh", "atanh", "sign",  "floor", "step"};
  static inline const List kOfTwo = {"hypot", "atan2", "min", "max", "f", "f'1", "f'12", "f'2'1"};
  static inline const List kOfData = {"table", "spline", "spline'", "spline''", "table'"};
  static inline const List kSigns = {"+", "-", "*", "/", "*", "+", "^"};
  static inline const List kCompare = {"<", "<=", ">", ">=", "==", "!="};
  static inline const List kLiterals = {
      "0",   "1",     "2",       "3",  "0.5",  ".25", "7.",  "1e3",    "2E-3",     "1e-17",
      "0.1", "1e300", "5 [deg]", "pi", "3[%]", "e",   "tau", "1e-300", "123456789"};

  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }
  const std::string& pick(const List& list) { return list[below(list.size())]; }
  std::string blank() { return std::string(below(3) / 2, ' '); }
  std::string literal() {
    if (below(3) != 0) return pick(kLiterals);
    return fmt::format("{:.{}g}", std::exp(double(below(2000)) / 100 - 10), 1 + below(17));
  }
  std::string two(int depth) {
    return number(depth - 1) + blank() + pick(kSigns) + blank() + number(depth - 1);
  }
  std::string condition(int depth) {
    switch (depth <= 0 ? 0 : below(6)) {
      case 1:
        return "not " + condition(depth - 1);
      case 2:
        return condition(depth - 1) + " and " + condition(depth - 1);
      case 3:
        return condition(depth - 1) + " or " + condition(depth - 1);
      case 4:
        return "(" + condition(depth - 1) + ")";
      default:
        return number(depth - 1) + pick(kCompare) + number(depth - 1);
    }
  }

  std::mt19937_64 random_{20261121};
};

void declare(Symbols& s) {
  ASSERT_EQ(s.variable("x") + s.variable("y") + s.points("cam", {{0, 1, 2}, {0, 1, 0}}), "");
  const auto jet = [](std::span<const double>, int, std::span<double>) {};
  ASSERT_EQ(s.function({.name = "f", .arity = 2, .order = 4, .jet = jet}), "");
}

/// What the language refuses of a text that is right in its grammar.
bool refused(const std::string& why) {
  for (const char* words : {"infinite", "no real number", "beyond the limit", "out of range"})
    if (why.find(words) != why.npos) return true;
  return false;
}

void round_trips(int n) {
  TextMaker maker;
  int read = 0;
  std::size_t bytes = 0;
  for (int i = 0; i < n;) {
    Graph g, other;
    Symbols symbols(g), names(other);
    declare(symbols);
    declare(names);
    for (const int end = std::min(n, i + 500); i < end; ++i) {
      const std::string text = maker.number(1 + i % 6);
      const Parsed first = parse(text, symbols);
      if (!first) {
        ASSERT_TRUE(refused(first.problems[0].text)) << text << "\n" << first.problems[0].text;
        continue;
      }
      const std::string written = to_text(first.expression);
      const Parsed again = parse(written, symbols);
      if (!again && refused(again.problems[0].text)) continue;  // x/(1/0), not a number inside
      ASSERT_TRUE(again) << text << "\n" << written << "\n" << again.problems[0].text;
      ASSERT_EQ(again.expression, first.expression) << text << "\n" << written;
      const Parsed anew = parse(written, names);  // in a graph without the first
      ASSERT_TRUE(anew) << written;
      ASSERT_EQ(to_text(anew.expression), written) << text;
      ++read, bytes += text.size();
    }
  }
  EXPECT_GT(read, n * 8 / 10);
  testing::Test::RecordProperty("texts", read);
  testing::Test::RecordProperty("mean_bytes", static_cast<int>(bytes / std::size_t(read)));
  fmt::print("{} of {} texts are expressions, {} bytes on average\n", read, n,
             bytes / std::size_t(read));
}

TEST(RandomTexts, ReadBackTheSame) { round_trips(10'000); }
TEST(FullRandomTexts, MillionReadBackTheSame) { round_trips(1'000'000); }

}  // namespace
}  // namespace trammel::expr::roundtrip_test
