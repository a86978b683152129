// Texts that would eat memory or time.
#include <fmt/core.h>

#include <chrono>

#include "expr/derivative.h"
#include "expr/test_expressions.h"

namespace trammel::expr::limits_test {
namespace {

class HostileTexts : public testing::Test {
 protected:
  void SetUp() override { EXPECT_EQ(symbols.variable("x"), ""); }
  std::string complaint(const std::string& text) {
    const Parsed parsed = parse(text, symbols);
    if (parsed) return "none";
    return fmt::format("{}: {}", parsed.problems[0].column, parsed.problems[0].text);
  }
  static std::string times(std::size_t n, const std::string& part) {
    std::string out;
    for (std::size_t i = 0; i < n; ++i) out += part;
    return out;
  }
  Graph g;
  Symbols symbols{g};
};

TEST_F(HostileTexts, AreNotRead) {
  EXPECT_EQ(complaint(std::string(10'000, ' ') + "x"),
            "10000: the text has 10001 bytes, at most 10000 are possible");
  EXPECT_EQ(complaint(std::string(1'000'000, '(')),
            "10000: the text has 1000000 bytes, at most 10000 are possible");
  EXPECT_EQ(complaint(std::string(9'999, ' ') + "x"), "none");
}

TEST_F(HostileTexts, AreNotNestedDeeply) {
  EXPECT_EQ(complaint(times(99, "(") + "x" + times(99, ")")), "none");
  EXPECT_EQ(complaint(times(100, "(") + "x" + times(100, ")")), "100: nested deeper than 100");
  EXPECT_EQ(complaint(times(9000, "(")), "100: nested deeper than 100");
  EXPECT_EQ(complaint(times(9000, "-")), "100: nested deeper than 100");
  EXPECT_EQ(complaint(times(2000, "x^")), "200: nested deeper than 100");
  EXPECT_EQ(complaint(times(2000, "not ")), "400: nested deeper than 100");
  EXPECT_EQ(complaint(times(2000, "sin(")), "400: nested deeper than 100");
  EXPECT_EQ(complaint(times(2000, "if(")), "300: nested deeper than 100");
  const Parsed shallow = parse("((x))", symbols, {}, {.length = 5, .depth = 2});
  EXPECT_EQ(shallow.problems.at(0).text, "nested deeper than 2");
  EXPECT_EQ(shallow.problems.at(0).column, 2u);
}

TEST_F(HostileTexts, OfLongChainsAreRead) {
  for (const char* part : {" + x", "*x", "/x", " - x"})
    EXPECT_EQ(complaint("x" + times(2000, part)), "none");
  EXPECT_EQ(complaint("max(x" + times(2000, ",2") + ")"), "none");
  const Parsed parsed = parse("x" + times(2000, " + sin(x)").substr(0, 9990 / 9 * 9), symbols);
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parse(to_text(parsed.expression), symbols).expression, parsed.expression);
}

TEST_F(HostileTexts, DoNotComplainWithoutEnd) {
  std::string text = "x";
  for (int i = 0; i < 1000; ++i) text += fmt::format("+n{}", i);
  const Parsed parsed = parse(text, symbols);
  EXPECT_EQ(parsed.problems.size(), kMostProblems + 1);
  EXPECT_EQ(parsed.problems.back().text, "there are more problems, not listed");
}

TEST_F(HostileTexts, DoNotFillTheGraph) {
  Graph small(50);
  Symbols names(small);
  ASSERT_EQ(names.variable("x"), "");
  std::string text = "x";
  for (int i = 0; i < 100; ++i) text += fmt::format("*sin({}*x)", i + 2);
  const Parsed parsed = parse(text, names);
  ASSERT_EQ(parsed.problems.size(), 1u);
  EXPECT_EQ(parsed.problems[0].text, "the expressions need more than 50 nodes");
  EXPECT_LE(small.size(), 50u);
}

// Powers of powers: every derivative is several times as large, written out exponentially so. With
// the default limits all ends soon, whatever is asked.
TEST_F(HostileTexts, HaveDerivativesOfBoundedSize) {
  const auto start = std::chrono::steady_clock::now();
  for (const std::string& text :
       {"(x + 1)" + times(40, "^(x + 1)"), "sin(x)" + times(500, "*sin(x^2)/(1 + x)"),
        times(45, "exp(x*sin(") + "x" + times(45, "))"),
        times(45, "sqrt(1 + tan(") + "x" + times(45, "))")}) {
    Graph graph;
    Symbols names(graph);
    ASSERT_EQ(names.variable("x"), "");
    const Parsed parsed = parse(text, names);
    ASSERT_TRUE(parsed) << text.substr(0, 10) << parsed.problems[0].text;
    Derivative d{parsed.expression, ""};
    int order = 0;
    for (; order < 30 && d; ++order) d = derivative(d.value, graph.variable("x"));
    EXPECT_LE(graph.size(), 100'000u);
    EXPECT_LE(to_text(d ? d.value : parsed.expression).size(), 100'000u);
    RecordProperty(text.substr(0, 10), fmt::format("order {}, {} nodes", order, graph.size()));
  }
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
  EXPECT_LT(passed.count(), 60);  // measured: 0.5 s
}

}  // namespace
}  // namespace trammel::expr::limits_test
