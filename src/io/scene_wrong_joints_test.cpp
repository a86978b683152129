// A joint that is wrong itself is told once, whatever else of the scene names its coordinates.
#include <gtest/gtest.h>

#include "io/scene.h"

namespace trammel::io::scene_wrong_joints_test {
namespace {

const std::string kGood = R"(
[[body]]
name = "lift"
mass = 1
sphere = 0.1
[[joint]]
name = "hinge"
type = "revolute"
b = "lift"
at = [0, 0, 0]
axis = [0, 1, 0]
)";
const std::string kWrong = R"(
[[joint]]
name = "mast"
type = "prismatic"
b = "lfit"
at = [0, 0, 0]
axis = [0, 0, 1]
)";

void expect_one(const std::string& text) {
  const auto read = load_scene_text("format = 1\n" + text, "x.toml");
  const auto* problems = std::get_if<SceneProblems>(&read);
  ASSERT_TRUE(problems) << text;
  for (const SceneProblem& p : *problems)
    EXPECT_NE(to_text(p).find("there is no body 'lfit'; did you mean 'lift'?"), std::string::npos)
        << to_text(p);
  EXPECT_EQ(problems->size(), 1u);
}

// In front of a good joint, behind it, and without one.
void expect_one_anywhere(const std::string& reader) {
  expect_one(kWrong + kGood + reader);
  expect_one(kGood + kWrong + reader);
}

TEST(WrongJoints, AreToldOnceBesideSensors) {
  const std::string sensor = "[[sensor]]\nname = \"way\"\nformula = \"mast.travel\"\n";
  expect_one_anywhere(sensor);
  expect_one("[[body]]\nname = \"lift\"\nmass = 1\nsphere = 0.1\n" + kWrong + sensor);
}

TEST(WrongJoints, AreToldOnceBesideControllers) {
  expect_one_anywhere(
      "[[controller]]\nname = \"c\"\ntype = \"formula\"\nperiod = 0.1\noutput = \"mast.travel\"\n");
}

TEST(WrongJoints, AreToldOnceBesideFunctions) {
  expect_one_anywhere(
      "[[law]]\nname = \"s\"\ntype = \"spring\"\njoint = \"hinge\"\n"
      "function = \"-1 [N]*mast.travel\"\n");
}

TEST(WrongJoints, AreToldOnceBesideCouplingsAndLaws) {
  expect_one_anywhere(
      "[[coupling]]\nname = \"rack\"\ntype = \"rack\"\nof = [\"mast.travel\", \"hinge.angle\"]\n"
      "radius = 0.1\n");
  expect_one_anywhere(
      "[[law]]\nname = \"s\"\ntype = \"spring\"\njoint = \"mast\"\nstiffness = \"1 N/m\"\n");
}

}  // namespace
}  // namespace trammel::io::scene_wrong_joints_test
