// Formulas of forces that name coordinates of other joints: what names mean, and mistakes in them.
#include <gtest/gtest.h>

#include <algorithm>

#include "io/scene.h"

namespace trammel::io::scene_followed_test {
namespace {

std::string body(const std::string& name, const char* y = "0") {
  return "[[body]]\nname = \"" + name + "\"\nmass = 1\nsphere = 1\nposition = [0, " + y + ", 0]\n";
}
std::string joint(const std::string& name, const std::string& type, const std::string& b,
                  const std::string& more = "at = [0, 0, 0]") {
  return "[[joint]]\nname = \"" + name + "\"\n" + type + "\nb = \"" + b + "\"\n" + more + "\n";
}

const std::string kTwo =
    "format = 1\nsimulation = {gravity = 0}\n" + body("a") + body("b", "2") + body("spoke") +
    body("rim") + body("tail", "2") + joint("left", "type = \"prismatic\"", "a") +
    joint("right", "type = \"cylindrical\"", "b", "at = [0, 2, 0]") +
    joint("wheel", "type = \"revolute\"", "spoke", "a = \"a\"\nat = [0, 0, 0]") +
    joint("plate",
          "rows = [\"Ax.D\", \"rolls = slip(Ay)\"]\n"
          "coordinates = [\"turn = atan2(Ay.Bx, Ax.Bx)\", \"creep = slip(Az)\"]",
          "rim", "a = \"spoke\"\nframe_a = {}\nframe_b = {}") +
    joint("glue", "type = \"fixed\"", "tail", "a = \"b\"\nat = [0, 2, 0]") +
    "[[coupling]]\nname = \"rack\"\ntype = \"rack\"\nof = [\"right.travel\", "
    "\"wheel.angle\"]\nradius = 1\n[[input]]\nname = \"push\"\nunit = \"N\"\n";

std::string said(const std::string& law) {
  const auto result =
      load_scene_text(kTwo + "[[law]]\nname = \"l\"\njoint = \"left\"\n" + law, "x.toml");
  const auto* problems = std::get_if<SceneProblems>(&result);
  std::string out;
  for (const SceneProblem& p : problems ? *problems : SceneProblems()) out += to_text(p) + "\n";
  return out;
}

std::string spring(const std::string& function) {
  return "type = \"spring\"\nfunction = \"" + function + "\"\n";
}

TEST(FollowedNames, CoordinatesAndTheirRates) {
  for (const char* good : {"-5 [N/m]*(x - right.travel)", "-5 [N s/m]*(v - right.travel.rate)",
                           "2 N*sin(3*right.angle)", "2 [N s]*wheel.angle.rate + push",
                           "2 N*plate.turn*`wheel.angle`", "-5 [N s/m]*plate.creep.rate"})
    EXPECT_EQ(said(spring(good)), "") << good;
  EXPECT_EQ(said("type = \"motor\"\nvelocity = \"1 m/s\"\nforce_limit = \"2 N*cos(wheel.angle)\""),
            "");
}

TEST(FollowedNames, Mistakes) {
  const std::pair<std::string, const char*> mistakes[] = {
      {spring("-5 [N/m]*(x - right.travle)"),
       "law.l.function: there is no coordinate 'right.travle'; did you mean 'right.travel'?"},
      {spring("-5 [N/m]*(x - rigth.travel)"),
       "law.l.function: there is no input and no coordinate 'rigth.travel'; did you mean "
       "'right.travel'?"},
      {spring("-5 [N s/m]*right.travel.rat"),
       "law.l.function: there is no coordinate 'right.travel.rat'; did you mean "
       "'right.travel.rate'?"},
      {spring("-5 [N/m]*(x - right.angle)"),
       "law.l.function: 'x' is a length [m], 'right.angle' is an angle [rad]: they cannot be "
       "subtracted"},
      {spring("-5 [N/m]*right.travel.rate"), "law.l.function: "},
      {spring("-5 [N/m]*(x - left.travel)"),
       "law.l.function: 'left.travel' is the coordinate that the law is on: in its function it is "
       "'x'"},
      {spring("-5 [N s/m]*left.travel.rate"),
       "law.l.function: 'left.travel.rate' is the coordinate that the law is on: in its function "
       "it is 'v'"},
      {spring("-5 [N/m]*rack.value"),
       "law.l.function: 'rack' has no coordinate: a force follows coordinates of joints, not their "
       "rows or couplings"},
      {spring("-5 [N/m]*plate.creep"),
       "law.l.function: 'plate.creep' is a rate without a value: add '.rate'"},
      {spring("-5 [N/m]*glue.travel"), "law.l.function: 'glue' has no coordinate"},
      {spring("-5 N*a.position.x"),
       "law.l.function: there is no input and no coordinate 'a.position.x'"},
      {"type = \"actuator\"\nforce = \"5 [N/m]*right.travel\"\n",
       "law.l.force: 'right.travel' is of a joint: what follows coordinates is the 'function' of a "
       "spring, or what a controller gives"},
      {"type = \"driven\"\ndisplacement = {formula = \"2*right.travel\"}\n",
       "law.l.displacement.formula: 'right.travel' is of a joint"},
      {spring("push + right.travl*1 [N/m]"),
       "law.l.function: there is no coordinate 'right.travl'; did you mean 'right.travel'?"},
  };
  for (const auto& [law, says] : mistakes) {
    const std::string all = said(law);
    EXPECT_NE(all.find(says), std::string::npos) << says << "\n" << all << law;
    EXPECT_EQ(std::count(all.begin(), all.end(), '\n'), 1) << all << law;
    EXPECT_EQ(all.find("x.toml:"), 0U) << all;
  }
}

TEST(FollowedNames, TooManyAreRefused) {
  std::string sum = "0 N";
  for (int i = 0; i < 17; ++i) sum += " + 1 [N/m]*j" + std::to_string(i) + ".travel";
  std::string text = kTwo;
  for (int i = 0; i < 17; ++i)
    text += body("c" + std::to_string(i)) +
            joint("j" + std::to_string(i), "type = \"prismatic\"", "c" + std::to_string(i));
  const auto result =
      load_scene_text(text + "[[law]]\nname = \"l\"\njoint = \"left\"\n" + spring(sum), "x.toml");
  const auto* problems = std::get_if<SceneProblems>(&result);
  ASSERT_NE(problems, nullptr);
  EXPECT_NE(to_text(problems->front()).find("reads 17 inputs and coordinates, at most 16"),
            std::string::npos)
      << to_text(problems->front());
}

// Names within parts mean what stands there, then what stands around.
TEST(FollowedNames, AreRelativeInParts) {
  const std::string text = R"(format = 1
simulation = {gravity = 0}
[[part]]
name = "axle"
body = [{name = "left", mass = 1, sphere = 1}, {name = "right", mass = 1, sphere = 1}]
joint = [{name = "l", type = "prismatic", b = "left", at = [0, 0, 0]}, {name = "r", type = "prismatic", b = "right", at = [0, 0, 0]}]
law = [{name = "bar", type = "spring", joint = "l", function = "-5 [N/m]*(x - r.travel) + 2 [N/m]*other.travel"}]
[[body]]
name = "o"
mass = 1
sphere = 1
[[joint]]
name = "other"
type = "prismatic"
b = "o"
at = [0, 0, 0]
[[repeat]]
count = 2
body = [{name = "m{i}", mass = 1, sphere = 1}]
joint = [{name = "j{i}", type = "prismatic", b = "m{i}", at = [0, 0, 0]}]
law = [{name = "f{i}", type = "spring", joint = "j{i}", function = "-1 [N/m]*x + 1 [N/m]*j{1 - i}.travel"}]
)";
  const auto result = load_scene_text(text, "x.toml");
  const auto* scene = std::get_if<LoadedScene>(&result);
  ASSERT_NE(scene, nullptr) << to_text(std::get<SceneProblems>(result).front());
  const model::Model& m = *scene->built.model;
  std::vector<std::string> followed;
  for (const model::LawOnRow& l : m.laws)
    if (l.law.function)
      followed.insert(followed.end(), l.law.function->live.begin(), l.law.function->live.end());
  std::sort(followed.begin(), followed.end());
  EXPECT_EQ(followed,
            (std::vector<std::string>{"axle.r.travel", "j0.travel", "j1.travel", "other.travel"}));
  EXPECT_EQ(m.followed.size(), 4);
}

}  // namespace
}  // namespace trammel::io::scene_followed_test
