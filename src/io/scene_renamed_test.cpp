// Keys that had another name: refused, with the present name.
#include "io/scene_renamed.h"

#include <gtest/gtest.h>

#include "io/scene.h"

namespace trammel::io::scene_renamed_test {

TEST(SceneRenamed, SaysThePresentName) {
  const std::string head = R"(format = 1
[[body]]
name = "car"
mass = 1
[[joint]]
name = "pin"
b = "car"
at = [0, 0, 0]
)";
  struct Case {
    std::string text, path;
  };
  for (const Case& c : {Case{head + "type = \"fixed\"\none_sided = [\"Ax.D\"]\n", "joint.pin"},
                        Case{head + "type = \"prismatic\"\n[[law]]\nname = \"hold\"\ntype = "
                                    "\"locked\"\njoint = \"pin\"\none_sided = true\n",
                             "law.hold"}}) {
    const SceneOrProblems read = parse_scene(c.text, "x.toml");
    const auto* problems = std::get_if<SceneProblems>(&read);
    ASSERT_TRUE(problems) << c.path;
    ASSERT_EQ(problems->size(), 1u) << c.path;
    EXPECT_EQ(problems->front().path, c.path + ".one_sided");
    EXPECT_EQ(problems->front().text, "'one_sided' is now called 'unilateral'");
  }
}

/// A present name is none that was given up.
TEST(SceneRenamed, NoKeyHasAnOldName) {
  for (const RenamedKey& k : kRenamedKeys) {
    EXPECT_EQ(renamed(k.before), k.now);
    EXPECT_TRUE(renamed(k.now).empty());
  }
}

}  // namespace trammel::io::scene_renamed_test
