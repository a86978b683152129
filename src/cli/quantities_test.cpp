#include "cli/quantities.h"

#include <gtest/gtest.h>

#include <random>
#include <regex>

namespace trammel::cli::quantities_test {
namespace {

TEST(Quantities, StarsAndQuestionMarksAsInRegularExpressions) {
  std::mt19937 random(4);
  const auto text = [&](const std::string& letters, std::size_t most) {
    std::string out;
    for (std::size_t n = random() % (most + 1); n > 0; --n)
      out += letters[random() % letters.size()];
    return out;
  };
  int hits = 0;
  for (int i = 0; i < 20000; ++i) {
    const std::string pattern = text("ab.*?", 6), name = text("ab.", 7);
    std::string regex;
    for (const char c : pattern)
      regex += c == '*' ? ".*" : c == '?' ? "." : c == '.' ? "\\." : std::string(1, c);
    const bool expected = std::regex_match(name, std::regex(regex));
    ASSERT_EQ(matches(pattern, name), expected) << pattern << " " << name;
    hits += expected;
  }
  EXPECT_GT(hits, 500);
}

TEST(Quantities, RunsAreCalledByTheEndsOfTheirPaths) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(run_names({"out/a", "out/b/"}), (Names{"a", "b"}));
  EXPECT_EQ(run_names({"x/a", "y/a", "b/results.h5"}), (Names{"x/a", "y/a", "b"}));
  EXPECT_EQ(run_names({"x/a", "y/xa", "z.h5"}), (Names{"a", "xa", "z.h5"}));
}

std::vector<Recorded> two_runs() {
  return {{"one", {{"time", "s"}, {"front.s", "m"}, {"front.speed", "m/s"}, {"rear.speed", "m/s"}}},
          {"two", {{"time", "s"}, {"front.s", "m"}, {"front.speed", "m/s"}, {"lamp", "1"}}}};
}

std::string text_of(const Chosen& chosen) {
  std::string out;
  for (const ChartPanel& panel : chosen.panels) {
    out += "|";
    for (const ChartLine& line : panel) out += " " + std::to_string(line.source) + line.channel;
  }
  for (const std::string& p : chosen.problems) out += "! " + p;
  return out;
}

TEST(Quantities, PanelsByUnitAfterThoseThatAreGiven) {
  EXPECT_EQ(text_of(choose({.panels = {"front.s"}, .quantities = {"*.speed", "front.s,lam?"}},
                           two_runs())),
            "| 0front.s 1front.s| 0front.speed 0rear.speed 1front.speed| 0front.s 1front.s| 1lamp");
  EXPECT_EQ(text_of(choose({.quantities = {"front.speed", "front.*"}}, two_runs())),
            "| 0front.speed 1front.speed| 0front.s 1front.s");  // none twice
  EXPECT_EQ(text_of(choose({.quantities = {"*"}}, {two_runs().data(), 1})),
            "| 0front.s| 0front.speed 0rear.speed");  // not the time
}

TEST(Quantities, NamesAreThereInAllRuns) {
  EXPECT_EQ(choose({.quantities = {"rear.speed"}}, two_runs()).problems,
            std::vector<std::string>{
                "two: there is no channel 'rear.speed'; did you mean 'front.speed'?"});
}

TEST(Quantities, ManyLinesAreAskedFor) {
  std::vector<Recorded> runs{{"one", {{"time", "s"}}}};
  for (int i = 0; i < 41; ++i) runs[0].channels.push_back({"c" + std::to_string(i), "m"});
  EXPECT_EQ(choose({.quantities = {"c*"}}, runs).problems,
            std::vector<std::string>{"41 lines ('c*' 41) are more than 40 that one can tell apart: "
                                     "ask for fewer, or for --all"});
  EXPECT_TRUE(choose({.quantities = {"c*"}, .all = true}, runs).problems.empty());
  runs[0].channels.pop_back();
  EXPECT_TRUE(choose({.quantities = {"c*"}}, runs).problems.empty());
}

}  // namespace
}  // namespace trammel::cli::quantities_test
