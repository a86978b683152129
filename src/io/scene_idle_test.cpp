// What a scene says that could have no effect is refused, at its place.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <variant>

#include "io/scene.h"

namespace trammel::io::scene_idle_test {
namespace {

const std::string kPin =
    "[[body]]\nname = \"car\"\nmass = 1\nsphere = 1\n"
    "[[joint]]\nname = \"pin\"\ntype = \"revolute\"\nb = \"car\"\nat = [0, 0, 0]\n";
const std::string kLock = kPin + "[[law]]\nname = \"hold\"\njoint = \"pin\"\ntype = \"locked\"\n";
const std::string kTrack = "[[track]]\nname = \"main\"\nplan = [{line = 5}]\n";

struct Idle {
  std::string text, path, says;
};

const Idle kIdle[] = {
    {"[simulation]\nformulation = \"energy\"\njoint_stiffness = \"inf\"\njoint_length = 1\n",
     "simulation.joint_length", "'joint_length' has no effect"},
    {"[simulation]\nscheme = \"baumgarte\"\ntolerance = 1e-9\n", "simulation.tolerance",
     "'tolerance' belongs to the scheme rattle"},
    {"[simulation]\nformulation = \"acceleration\"\ntolerance = 1e-9\n", "simulation.tolerance",
     "positions are projected until rounding ends it"},
    {kPin + "limits = {\"Ax.D\" = [\"-inf\", \"inf\"]}\nerp = 0.5\n", "joint.pin.erp",
     "no row has force bounds to yield at"},
    {kPin + "unilateral = [\"Ax.D\"]\nlimits = {\"Ax.D\" = [0, \"inf\"]}\nerp = 0.5\n",
     "joint.pin.erp", "no row has force bounds to yield at"},
    {kLock + "erp = 0.5\n", "law.hold.erp", "'angle' has no force bounds to yield at"},
    {kLock + "unilateral = true\nforce_min = 0\nerp = 0.5\n", "law.hold.erp",
     "'angle' is unilateral and does not yield"},
    {kPin + "[[coupling]]\nname = \"it\"\ntype = \"linear\"\nof = \"pin.angle\"\n"
            "coefficients = [1]\nerp = 0.5\n",
     "coupling.it.erp", "'erp' goes with limits"},
    {kPin + "[[law]]\nname = \"l\"\njoint = \"pin\"\ntype = \"spring\"\n", "law.l",
     "spring 'l' has no force"},
    {"[simulation]\ntolerance = 0.02\n" + kPin, "simulation.tolerance",
     "its joints would hold nothing"},
    {kTrack + "cant = [{constant = 2}, {bloss = 3}]\n", "track.main.cant[1]",
     "a bloss goes over from one cant to another, and both are 0 here"},
    {kTrack + "twist = [{linear = 5, from = 1, to = 1}]\n", "track.main.twist[0]",
     "a linear goes over from one angle to another, and both are 1 here"},
};

TEST(SceneIdle, IsRefused) {
  for (const Idle& idle : kIdle) {
    const auto result = load_scene_text("format = 1\n" + idle.text, "x.toml", {});
    const auto* problems = std::get_if<SceneProblems>(&result);
    ASSERT_TRUE(problems) << idle.text;
    ASSERT_EQ(problems->size(), 1u) << idle.text;
    EXPECT_EQ(problems->front().path, idle.path);
    EXPECT_GT(problems->front().line, 0);
    EXPECT_NE(problems->front().text.find(idle.says), std::string::npos) << problems->front().text;
  }
}

}  // namespace
}  // namespace trammel::io::scene_idle_test
