// Braces are filled in before anything is asked of an element; numbers whose dimension cannot be
// found are refused.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "io/test_wrong.h"
#include "sim/simulation.h"

namespace trammel::io::scene_filled_test {
namespace {

using scene_wrong::problems_of;

const std::string kSliders =
    "format = 1\n[simulation]\nduration = 0.1\ngravity = [0, 0, 0]\n[parameters]\nk = \"100 N/m\"\n"
    "[[repeat]]\ncount = 2\n[[repeat.body]]\nname = \"c{i}\"\nmass = 1\nbox = [1, 1, 1]\n"
    "position = [\"i*3 m\", 0, 0]\n[[repeat.joint]]\nname = \"j{i}\"\ntype = \"prismatic\"\nb = "
    "\"c{i}\"\nat = [\"i*3 m\", 0, 0]\n";

double param(const std::string& text, const std::string& name) {
  auto loaded = load_scene_text(text, "x.toml");
  if (auto* wrong = std::get_if<SceneProblems>(&loaded))
    return ADD_FAILURE() << scene_wrong::all_of(*wrong), NAN;
  const auto& built = std::get<LoadedScene>(loaded).built;
  const int i = built.model->find_param(name);
  return i < 0 ? NAN : built.params.values[static_cast<std::size_t>(i)];
}

TEST(SceneFilled, LawsOnCouplingsOfBracesKeepTheirNumbers) {
  const std::string coupling =
      "[[repeat]]\ncount = 1\n[[repeat.coupling]]\nname = \"gap{i}\"\ntype = \"linear\"\nof = "
      "[\"j{i}.travel\", \"j{i + 1}.travel\"]\ncoefficients = [1, -1]\n[[repeat.law]]\nname = "
      "\"hook{i}\"\njoint = \"gap{i}\"\n";
  EXPECT_EQ(param(kSliders + coupling + "type = \"spring\"\nstiffness = \"100 N/m\"\n",
                  "law.hook0.stiffness"),
            100);
  EXPECT_EQ(
      param(kSliders + coupling + "type = \"spring\"\nstiffness = \"k\"\n", "law.hook0.stiffness"),
      100);
  EXPECT_EQ(param(kSliders + coupling + "type = \"limit\"\nto = \"30 mm\"\n", "law.hook0.to"),
            0.03);
}

TEST(SceneFilled, OneCoordinateWithoutBracketsIsOne) {
  EXPECT_EQ(param(kSliders + "[[coupling]]\nname = \"gap\"\ntype = \"linear\"\nof = "
                             "\"j0.travel\"\ncoefficients = [1]\n[[law]]\nname = \"hook\"\njoint = "
                             "\"gap\"\ntype = \"spring\"\nstiffness = \"100 N/m\"\n",
                  "law.hook.stiffness"),
            100);
}

TEST(SceneFilled, CoordinatesAndTypesOfLaws) {
  EXPECT_EQ(param(kSliders + "[[repeat]]\nover = {co = [\"travel\"], kind = [\"spring\"]}\n"
                             "[[repeat.law]]\nname = \"l\"\njoint = \"j0\"\ncoordinate = "
                             "\"{co}\"\ntype = \"{kind}\"\nstiffness = \"2 kN/m\"\n",
                  "law.l.stiffness"),
            2000);
}

TEST(SceneFilled, DefaultEndsOfLawsGiveWayToJoints) {
  EXPECT_EQ(param(kSliders + "[defaults.law]\nb = \"c1\"\n[[law]]\nname = \"l\"\njoint = "
                             "\"j0\"\ntype = \"spring\"\nstiffness = \"2 kN/m\"\n",
                  "law.l.stiffness"),
            2000);
}

TEST(SceneFilled, NumbersWithoutADimensionAreRefused) {
  const std::string text = kSliders +
                           "[[law]]\nname = \"l\"\njoint = \"nobody\"\ntype = "
                           "\"spring\"\nstiffness = \"2 kN/m\"\n";
  const auto read = parse_scene(text, "x.toml");
  const auto* wrong = std::get_if<SceneProblems>(&read);
  ASSERT_TRUE(wrong);
  ASSERT_EQ(wrong->size(), 1u);
  EXPECT_EQ(wrong->front().line, 23);
  EXPECT_EQ(wrong->front().text,
            "'2 kN/m' cannot be read: its dimension follows from the coordinate 'nobody', which is "
            "not known");
  // who builds it is told the cause alone
  const SceneProblems found = problems_of(text);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].text.find("there is no joint 'nobody'"), std::string::npos);
}

TEST(SceneFilled, BadBracesAreToldOnce) {
  const SceneProblems found =
      problems_of(kSliders +
                  "[[law]]\nname = \"l\"\njoint = \"j{nothing}\"\ntype = \"spring\"\n"
                  "stiffness = \"2 kN/m\"\n");
  ASSERT_EQ(found.size(), 1u) << scene_wrong::all_of(found);
  EXPECT_EQ(found[0].line, 21);
}

TEST(SceneFilled, BracesOfTheTitleAreItsOwn) {
  EXPECT_EQ(problems_of("format = 1\ntitle = \"the set {x}\"\n[[body]]\nname = \"b\"\nmass = "
                        "1\nsphere = 1\n")
                .size(),
            0u);
}

TEST(SceneFilled, PipesAreRefusedInsteadOfWaitedFor) {
  const std::string pipe = testing::TempDir() + "trammel_pipe_" + std::to_string(::getpid());
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const auto scene = load_scene(pipe);
  const auto* wrong = std::get_if<SceneProblems>(&scene);
  ASSERT_TRUE(wrong);
  EXPECT_EQ(wrong->front().text, "cannot be read: it is no regular file but a pipe or a device");
  for (const std::string& text :
       {"[[part]]\nname = \"p\"\nfile = \"" + pipe + "\"\n",
        "[[body]]\nname = \"b\"\nmass = 1\nsphere = 1\n[[body.shape]]\nmesh = \"" + pipe + "\"\n"})
    EXPECT_NE(scene_wrong::all_of(problems_of("format = 1\n" + text)).find("no regular file"),
              std::string::npos);
  std::filesystem::remove(pipe);
}

/// What is not finite at the start is that of an element, at its line.
void expect_not_finite(const std::string& text, const std::string& what) {
  const SceneProblems found = problems_of("format = 1\n" + text);
  ASSERT_EQ(found.size(), 1u) << scene_wrong::all_of(found);
  EXPECT_EQ(found[0].line, 2);
  EXPECT_NE(found[0].text.find("the momentum of " + what + " at the start is not finite"),
            std::string::npos)
      << found[0].text;
}

TEST(SceneFilled, StartsThatAreNotFiniteNameTheBodyOrSystem) {
  expect_not_finite("[[body]]\nname = \"b\"\nmass = 10\nsphere = 1\nvelocity = [1e308, 0, 0]\n",
                    "body 'b'");
  expect_not_finite(
      "[[system]]\nname = \"arm\"\n[[system.coordinate]]\nname = \"th\"\nunit = \"rad\"\nvalue "
      "= 1\nrate = 1e200\n[[system.object]]\nname = \"bob\"\nposition = [\"2 m*sin(th)\", 0, "
      "\"-2 m*cos(th)\"]\nmass = 1e200\nsphere = 0.1\n",
      "system 'arm'");
}

}  // namespace
}  // namespace trammel::io::scene_filled_test
