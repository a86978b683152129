// Words of the language of expressions, and names that have a meaning already, are no names of
// elements: each is refused once, where it is defined, whatever uses it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "expr/builtins.h"
#include "io/test_wrong.h"

namespace trammel::io::scene_reserved_names_test {
namespace {

using scene_wrong::all_of;
using scene_wrong::problems_of;

std::vector<std::string> words() {
  std::vector<std::string> out;
  for (const auto& list : {expr::constant_names(), expr::builtin_names()})
    out.insert(out.end(), list.begin(), list.end());
  return out;
}

const std::string kBob =
    "[[body]]\nname = \"bob\"\nmass = 1\nsphere = 1\n[[joint]]\nname = \"pin\"\ntype = "
    "\"prismatic\"\nb = \"bob\"\nat = [0, 0, 0]\n";

/// Elements that use a parameter W of 2 m in each of the ways that there are.
std::string uses(const std::string& w) {
  const std::string all =
      "[[body]]\nname = \"cat\"\nmass = \"3 kg + W*1 kg/m\"\nsphere = \"W/2\"\nposition = [\"W\", "
      "0, "
      "0]\n[[load]]\nname = \"push\"\ntype = \"force\"\nbody = \"bob\"\nforce = [\"W*1 N/m\", 0, "
      "0]\n[[load]]\nname = \"drag\"\ntype = \"formula\"\nbody = \"bob\"\nforce = [\"-W*vx*1 "
      "N*s/m^2\", 0, 0]\n[[law]]\nname = \"spring\"\ntype = \"spring\"\njoint = \"pin\"\nstiffness "
      "= "
      "\"W*1 N/m^2\"\nfunction = \"-W*x*1 N/m^2\"\n[[sensor]]\nname = \"s\"\nformula = "
      "\"W*pin.travel\"\n[[system]]\nname = \"arm\"\n[[system.coordinate]]\nname = \"th\"\nunit = "
      "\"rad\"\n[[system.object]]\nname = \"tip\"\nposition = [\"W*sin(th)\", 0, "
      "\"-W*cos(th)\"]\nmass = 1\nsphere = 0.1\n[[repeat]]\ncount = \"floor(W/1 "
      "m)\"\n[[repeat.body]]\nname = \"r{i + floor(W/1 m)}\"\nmass = 1\nsphere = 1\nposition = [0, "
      "\"W*(i + 1)\", 0]\n[[part]]\nname = \"p\"\nparameters = {own = "
      "\"2*W\"}\n[[part.body]]\nname = "
      "\"dog\"\nmass = 1\nsphere = \"own + W\"\n";
  std::string out;
  for (const char c : all) c == 'W' ? out += w : out += c;
  return out;
}

/// The first problem; others may follow from it.
void expect_first(const std::string& text, int line, const std::string& says) {
  const SceneProblems found = problems_of(text);
  ASSERT_FALSE(found.empty()) << text;
  EXPECT_EQ(found[0].line, line) << all_of(found) << text;
  EXPECT_NE(found[0].text.find(says), std::string::npos) << all_of(found) << text;
}

void expect_once(const std::string& text, int line, const std::string& says) {
  const SceneProblems found = problems_of(text);
  ASSERT_EQ(found.size(), 1u) << all_of(found) << text;
  EXPECT_EQ(found[0].line, line) << all_of(found) << text;
  EXPECT_NE(found[0].text.find(says), std::string::npos) << all_of(found) << text;
}

TEST(ReservedNames, ParametersWithOtherNamesAreUsedEverywhere) {
  EXPECT_EQ(all_of(problems_of("format = 1\n[parameters]\nwide = \"2 m\"\n" + kBob + uses("wide"))),
            "");
}

TEST(ReservedNames, OfParametersAreRefusedOnceHoweverTheyAreUsed) {
  for (const std::string& w : words())
    expect_once("format = 1\n[parameters]\n" + w + " = \"2 m\"\n" + kBob + uses(w), 3,
                "'" + w + "' is a word of the language of expressions");
}

TEST(ReservedNames, OperatorsAreNoNames) {
  for (const std::string w : {"and", "or", "not"})
    expect_first("format = 1\n[parameters]\n" + w + " = \"2 m\"\n" + kBob + uses(w), 3,
                 "'" + w + "' is a word of the language of expressions");
}

TEST(ReservedNames, OfEverythingThatFormulasNameAreRefused) {
  for (const std::string& w : words()) {
    const std::string says = "'" + w + "' is a word of the language of expressions";
    const auto head = [&](const std::string& text) { return "format = 1\n" + text + kBob; };
    expect_once(head("[[data]]\nname = \"" + w + "\"\nx = [0, 1]\ny = [0, 1]\n"), 2, says);
    expect_once(head("[[input]]\nname = \"" + w + "\"\n"), 3, says);
    expect_once(head("[[sensor]]\nname = \"" + w + "\"\nformula = \"pin.travel\"\n"), 3, says);
    expect_first(head("[[sensor]]\nname = \"" + w +
                      "\"\nformula = \"pin.travel\"\n[[sensor]]\nname = \"twice\"\nformula = \"2*" +
                      w + "\"\n"),
                 3, says);
    expect_once(head("[[repeat]]\ncount = 1\nindex = \"" + w +
                     "\"\n[[repeat.body]]\nname = \"r\"\nmass = 1\nsphere = 1\n"),
                4, says);
    for (const char* item : {"1", "\"word\""})
      expect_once(head("[[repeat]]\nover = {" + w + " = [" + item +
                       "]}\n[[repeat.body]]\nname = \"r\"\nmass = 1\nsphere = 1\n"),
                  3, says);
    expect_once(
        head("[[part]]\nname = \"p\"\n[part.parameters]\n" + w +
             " = \"2 m\"\n[[part.body]]\nname = \"r\"\nmass = 1\nsphere = \"" + w + "/2\"\n"),
        5, says);
  }
}

TEST(ReservedNames, OfSensorsAreNotThoseOfParametersOrOfTheTime) {
  const std::string k = "format = 1\n[parameters]\nk = 2\n" + kBob;
  expect_once(k + "[[sensor]]\nname = \"k\"\nformula = \"pin.travel\"\n", 14,
              "'k' is a parameter, too");
  expect_once(k + "[[sensor]]\nname = \"t\"\nformula = \"pin.travel\"\n", 14,
              "'t' stands for the time");
  EXPECT_EQ(all_of(problems_of(k + "[[sensor]]\nname = \"x\"\nformula = \"pin.travel\"\n")), "");
}

TEST(ReservedNames, TheTimeBetweenSamplesIsNoParameterAndNoState) {
  const auto controller = [](const std::string& more, const std::string& output) {
    return "[[controller]]\nname = \"c\"\ntype = \"formula\"\nperiod = 0.01\noutput = \"" + output +
           "\"\n" + more;
  };
  const std::string parameter = "format = 1\n[parameters]\nperiod = \"3 s\"\n" + kBob;
  EXPECT_EQ(all_of(problems_of(parameter + controller("", "2"))), "");
  expect_once(parameter + controller("", "2*period/1 s"), 17,
              "'period' is a parameter, and this formula has a quantity of that name");
  expect_once(
      "format = 1\n" + kBob + controller("states = {period = {next = \"1\", start = 0}}\n", "1"),
      16, "'period' stands for the time between samples");
}

}  // namespace
}  // namespace trammel::io::scene_reserved_names_test
