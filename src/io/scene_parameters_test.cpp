// Parameters of scenes: in every number, of each other, in their ranges; and what is wrong with
// them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "io/scene.h"

namespace trammel::io::scene_parameters_test {
namespace {

std::string all_of(const SceneProblems& problems) {
  std::string out;
  for (const SceneProblem& p : problems) out += to_text(p) + "\n";
  return out;
}

/// A bar on a hinge; line 1 is the format, `lines` begin in line 2.
std::string scene(const std::string& lines, const std::string& mass = "2") {
  return "format = 1\n" + lines + "[[body]]\nname = \"bar\"\nmass = " + mass +
         "\nbox = [\"L\", \"d\", \"2*d\"]\nposition = [\"L/2\", 0, 0]\n"
         "[[joint]]\nname = \"hinge\"\ntype = \"revolute\"\nb = \"bar\"\nat = [0, 0, 0]\naxis = "
         "[0, 1, 0]\n";
}

LoadedScene loaded(const std::string& text, std::vector<Override> overrides = {}) {
  auto result = load_scene_text(text, "x.toml", overrides);
  if (auto* problems = std::get_if<SceneProblems>(&result))
    throw std::runtime_error(all_of(*problems) + text);
  return std::move(std::get<LoadedScene>(result));
}
double param(const LoadedScene& s, const char* name) {
  return s.built.params.values.at(static_cast<std::size_t>(s.built.model->find_param(name)));
}
SceneProblems problems_of(const std::string& text, std::vector<Override> overrides = {}) {
  auto result = load_scene_text(text, "x.toml", overrides);
  auto* problems = std::get_if<SceneProblems>(&result);
  return problems ? *problems : SceneProblems{};
}

const std::string kSizes = "[parameters]\nL = \"3 m\"\nd = \"5 cm\"\n";

TEST(Parameters, StandInEveryNumber) {
  const LoadedScene s = loaded(scene(kSizes + "rho = \"500 kg/m^3\"\n", "\"rho*L*2*d^2\""));
  EXPECT_DOUBLE_EQ(param(s, "body.bar.mass"), 500 * 3 * 2 * 0.0025);
  EXPECT_DOUBLE_EQ(s.built.state.q[0], 1.5);
}

TEST(Parameters, ThatAreNotThereAreNotSet) {
  EXPECT_EQ(all_of(problems_of(scene(kSizes), {{"parameters.l", "4 m"}})),
            "--set parameters.l=4 m: parameters.l: there is no parameter 'l'; did you mean 'L'?\n");
}

TEST(Parameters, AreNotSetToNothing) {
  EXPECT_EQ(all_of(problems_of(scene(kSizes), {{"parameters.L", ""}})),
            "--set parameters.L=: parameters.L: an empty text is no value: a number, a quantity or "
            "a formula is needed\n");
}

TEST(Parameters, MakeVariantsThatShareATopology) {
  const LoadedScene base = loaded(scene(kSizes), {{"body.bar.mass", "5"}});
  const auto get = [&](std::vector<Override> overrides) {
    return std::get<LoadedScene>(variant_of(base, overrides));
  };
  const LoadedScene longer = get({{"parameters.L", "4 m"}});
  EXPECT_DOUBLE_EQ(longer.built.state.q[0], 2);
  EXPECT_DOUBLE_EQ(param(longer, "body.bar.mass"), 5);  // as the base was read
  EXPECT_EQ(longer.built.model->topology, base.built.model->topology);
  const LoadedScene loose = get({{"joint.hinge.type", "spherical"}});
  EXPECT_NE(loose.built.model->topology, base.built.model->topology);
  const auto mistyped = variant_of(base, std::vector<Override>{{"parameters.L", "4 kg"}});
  EXPECT_TRUE(std::holds_alternative<SceneProblems>(mistyped));
}

TEST(Parameters, MayBeFormulasOfEachOtherInAnyOrder) {
  const LoadedScene s = loaded(scene(
      "[parameters]\nL = \"2*half + 5 mm\"\nd = \"L/half*1 cm\"\nhalf = \"b\"\nb = \"1 m\"\n"));
  EXPECT_DOUBLE_EQ(s.built.state.q[0], 2.005 / 2);
}

TEST(Parameters, AreSetFromOutside) {
  const std::string text = scene(
      "[parameters]\nL = {value = \"3 m\", from = \"1 m\", to = \"5 m\", text = \"length of the "
      "bar\"}\nd = \"L/60\"\n");
  EXPECT_DOUBLE_EQ(loaded(text).built.state.q[0], 1.5);
  EXPECT_DOUBLE_EQ(loaded(text, {{"parameters.L", "400 cm"}}).built.state.q[0], 2);
  EXPECT_DOUBLE_EQ(
      loaded(text, {{"parameters.L", "80*d + 0 m"}, {"parameters.d", "5 cm"}}).built.state.q[0], 2);
  const SceneProblems out = problems_of(text, {{"parameters.L", "6 m"}});
  ASSERT_EQ(out.size(), 1u) << all_of(out);
  EXPECT_NE(to_text(out[0]).find("'L' is 6 m, more than 5 m"), std::string::npos) << all_of(out);
}

TEST(Parameters, APlainNumberIsInItsUnit) {
  const LoadedScene s =
      loaded(scene("[parameters]\nL = {value = 300, unit = \"cm\"}\nd = \"5 cm\"\n"));
  EXPECT_DOUBLE_EQ(s.built.state.q[0], 1.5);
}

TEST(Parameters, UnitsNeedNoBracketsAndNoSpaces) {
  const auto mass = [](const std::string& m) {
    return param(loaded(scene(kSizes + "s = \"2 s\"\nm = 3\n", m)), "body.bar.mass");
  };
  EXPECT_DOUBLE_EQ(mass("\"2*5 kg\""), 10);
  EXPECT_DOUBLE_EQ(mass("\"2 kg + 0.5 kg\""), 2.5);
  EXPECT_DOUBLE_EQ(mass("\"6 kg /m\""), 2);
  EXPECT_DOUBLE_EQ(mass("\"(1 [N*s/m])*s\""), 2);
  EXPECT_DOUBLE_EQ(mass("\"m*1 kg\""), 3);
  EXPECT_DOUBLE_EQ(mass("\"-(1 - 5) * 1 kg\""), 4);
  EXPECT_DOUBLE_EQ(mass("\"1 kg/4\""), 0.25);
}

struct Wrong {
  const char* name;
  std::string parameters, mass;
  int line, column;
  const char* says;
};
class WrongParameters : public testing::TestWithParam<Wrong> {};

TEST_P(WrongParameters, AreToldOnceAtTheirPlace) {
  const Wrong& w = GetParam();
  const SceneProblems found = problems_of(scene(kSizes + w.parameters, w.mass));
  ASSERT_EQ(found.size(), 1u) << all_of(found);
  EXPECT_EQ(found[0].line, w.line) << all_of(found);
  EXPECT_EQ(found[0].column, w.column) << all_of(found);
  EXPECT_NE(found[0].text.find(w.says), std::string::npos) << all_of(found);
}

INSTANTIATE_TEST_SUITE_P(
    All, WrongParameters,
    testing::Values(
        Wrong{"UnknownInANumber", "rho = 3\n", "\"2*rhoo*1 kg\"", 8, 11, "did you mean 'rho'"},
        Wrong{"OfAnotherDimension", "", "\"2*L\"", 7, 9, "a mass [kg] is needed"},
        Wrong{"NameAndUnit", "s = \"2 s\"\n", "\"(1 N*s/m)*s\"", 8, 14,
              "'s' is a unit and a name here: write [N*s]"},
        Wrong{"Itself", "a = \"2*a\"\n", "2", 5, 5, "'a' depends on itself: a -> a"},
        Wrong{"InACircle", "a = \"b\"\nb = \"a + 1\"\n", "2", 5, 5,
              "'a' depends on itself: a -> b -> a"},
        Wrong{"UnknownInAParameter", "a = \"2*LL\"\n", "2", 5, 8, "did you mean 'L'"},
        Wrong{"BadUnit", "a = \"5 kNN\"\n", "2", 5, 5, "unknown unit 'kNN'"},
        Wrong{"NoNumber", "a = \"five\"\n", "2", 5, 6, "unknown name 'five'"},
        Wrong{"Empty", "a = \"\"\n", "2", 5, 5, "an empty text is no value"},
        Wrong{"Blank", "a = \"  \"\n", "2", 5, 5, "an empty text is no value"},
        Wrong{"EmptyInATable", "a = {value = \"\", unit = \"mm\"}\n", "2", 5, 14,
              "an empty text is no value"},
        Wrong{"EmptyRange", "a = {value = 2, to = \"\"}\n", "2", 5, 22,
              "an empty text is no value"},
        Wrong{"AList", "a = [1]\n", "2", 5, 5, "a quantity"},
        Wrong{"TheTime", "t = 3\n", "2", 5, 5, "'t' stands for the time"},
        Wrong{"AFunction", "sin = 3\n", "2", 5, 7, "a word of the language"},
        Wrong{"ADash", "k-1 = 3\n", "2", 5, 7, "'k-1' is no name"},
        Wrong{"BelowItsRange", "a = {value = \"2 m\", from = \"L\"}\n", "2", 5, 14,
              "'a' is 2 m, less than 3 m"},
        Wrong{"RangeOfAnotherKind", "a = {value = \"2 m\", to = \"3 s\"}\n", "2", 5, 26,
              "another kind"},
        Wrong{"UnitOfAnotherKind", "a = {value = \"2 m\", unit = \"s\"}\n", "2", 5, 28, "not in s"},
        Wrong{"NoValue", "a = {from = 2}\n", "2", 5, 5, "'value' is missing"},
        Wrong{"UnknownKey", "a = {value = 2, least = 1}\n", "2", 5, 17, "unknown key 'least'"},
        Wrong{"InfiniteQuotient", "a = \"1/(L - 3 m)\"\n", "2", 5, 6, "is infinite"}),
    [](const auto& i) { return i.param.name; });

TEST(Parameters, TheOldNameIsToldTheNew) {
  const SceneProblems found = problems_of(scene("[constants]\nk = 3\n" + kSizes));
  ASSERT_EQ(found.size(), 1u) << all_of(found);
  EXPECT_NE(found[0].text.find("'constants' is now called 'parameters'"), std::string::npos)
      << all_of(found);
}

}  // namespace
}  // namespace trammel::io::scene_parameters_test
