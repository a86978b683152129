// docs/expressions.md names every function, and its examples can be read.
#include <fstream>
#include <sstream>

#include "expr/builtins.h"
#include "expr/test_expressions.h"

namespace trammel::expr::document_test {
namespace {

std::string page() {
  std::ifstream in(TRAMMEL_SOURCE_DIR "/docs/expressions.md");
  EXPECT_TRUE(in);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

TEST(Document, NamesEveryFunctionAndConstant) {
  const std::string text = page();
  for (const std::string& name : builtin_names())
    EXPECT_NE(text.find("`" + name + "("), text.npos) << name;
  for (const std::string& name : constant_names())
    EXPECT_NE(text.find("`" + name + "`"), text.npos) << name;
}

TEST(Document, HasTheLimits) {
  const std::string text = page();
  const Limits limits;
  EXPECT_NE(text.find("| bytes of a text | " + std::to_string(limits.length)), text.npos);
  EXPECT_NE(text.find("in one another | " + std::to_string(limits.depth) + " |"), text.npos);
  EXPECT_NE(text.find("exponent | " + std::to_string(int(kHighestPower)) + ","), text.npos);
  EXPECT_NE(text.find("from outside | " + std::to_string(kMostArguments) + " |"), text.npos);
  EXPECT_NE(text.find("At most " + std::to_string(kMostProblems) + " are listed"), text.npos);
}

TEST(Document, HasExamplesThatCanBeRead) {
  Graph g;
  Symbols symbols(g);
  using namespace units;
  ASSERT_EQ(symbols.variable("x", kLength) + symbols.variable("v", kSpeed) +
                symbols.variable("t", kTime) + symbols.variable("theta", kAngle) +
                symbols.variable("k", kStiffness) + symbols.variable("c", kDamping),
            "");
  for (const char* name : {"bump", "cam"}) ASSERT_EQ(symbols.points(name, {{0, 1}, {0, 1}}), "");
  const std::string text = page(), fence = "```expr\n";
  const std::size_t from = text.find(fence) + fence.size();
  std::istringstream lines(text.substr(from, text.find("```", from) - from));
  int read = 0;
  for (std::string line; std::getline(lines, line); ++read) {
    const Parsed parsed = parse(line, symbols);
    EXPECT_TRUE(parsed) << line << ": " << parsed.problems[0].text;
  }
  EXPECT_EQ(read, 7);
}

}  // namespace
}  // namespace trammel::expr::document_test
