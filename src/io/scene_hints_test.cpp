// Words of other tools: none of them is a word of the format where it is written, and what each
// points to exists; a scene that has one is told so.
#include "io/scene_hints.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "io/scene_layers.h"
#include "io/test_wrong.h"

namespace trammel::io::scene_hints_test {
namespace {

const Family* family(std::string_view name) {
  for (const Family* f : scene_families())
    if (f->name == name) return f;
  return nullptr;
}

bool has_key(const Family& f, std::string_view key, std::string_view kind = "") {
  return std::any_of(f.tables.begin(), f.tables.end(), [&](const Table& t) {
    return (kind.empty() || t.value.empty() || t.value == kind) && t.key(key);
  });
}

bool has_kind(const Family& f, std::string_view kind) {
  const std::vector<std::string> kinds = kinds_of(f);
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

TEST(SceneHints, WordsAreUnknownToTheFormatWhereTheyAreWritten) {
  for (const Hint& h : hints()) {
    const auto dot = h.where.find('.');
    const Family* f = family(h.where.substr(0, dot));
    ASSERT_TRUE(f) << h.where;
    const bool known = dot == h.where.npos ? has_key(*f, h.word) : has_kind(*f, h.word);
    EXPECT_FALSE(known) << h.where << " " << h.word;
  }
}

TEST(SceneHints, PointToWhatThereIs) {
  EXPECT_GE(hints().size(), 60u);
  for (const Hint& h : hints()) {
    const Family* f = family(h.family);
    ASSERT_TRUE(f) << h.word << " " << h.family;
    EXPECT_TRUE(h.kind.empty() || has_kind(*f, h.kind)) << h.word << " " << h.kind;
    EXPECT_TRUE(h.key.empty() || has_key(*f, h.key, h.kind)) << h.word << " " << h.key;
  }
}

/// A scene with the word where a reader would write it.
std::string with(const Hint& h) {
  using namespace scene_wrong;
  const std::string word(h.word);
  if (h.where == "scene") return kHead + kBody + "[[" + word + "]]\nname = \"it\"\n";
  if (h.where == "simulation") return kHead + kBody + "[simulation]\n" + word + " = 1\n";
  if (h.where == "body") return body("mass = 1\n" + word + " = 1");
  if (h.where == "joint") return joint("b = \"car\"\nat = [0, 0, 0]\n" + word + " = 1");
  if (h.where == "law") return kLaw + "type = \"" + std::string(h.kind) + "\"\n" + word + " = 1\n";
  if (h.where == "contact") return kHead + "[[contact]]\n" + word + " = 1\n";
  if (h.where == "joint.type")
    return kHead + kBody + "[[joint]]\nname = \"pin\"\ntype = \"" + word +
           "\"\nb = \"car\"\nat = [0, 0, 0]\n";
  return kLaw + "type = \"" + word + "\"\n";
}

TEST(SceneHints, AreGivenForEveryWord) {
  for (const Hint& h : hints()) {
    const std::string text = with(h), says = "; write " + std::string(h.says);
    const SceneProblems found = scene_wrong::problems_of(text);
    const bool told = std::any_of(found.begin(), found.end(), [&](const SceneProblem& p) {
      return p.line > 0 && p.text.find(says) != std::string::npos;
    });
    EXPECT_TRUE(told) << h.where << " " << h.word << "\n" << scene_wrong::all_of(found) << text;
  }
}

TEST(SceneHints, StandInTheManual) {
  std::ifstream in(TRAMMEL_SOURCE_DIR "/docs/scene-format.md");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  EXPECT_NE(text.find("<!-- hints -->\n\n" + hint_reference() + "\n<!-- end of hints -->"),
            std::string::npos)
      << hint_reference();
}

TEST(SceneHints, CaseAndSignsMakeNoDifference) {
  EXPECT_EQ(hint_for("bodyA", "joint"), hint_for("body_a", "joint"));
  EXPECT_EQ(hint_for("End-Time", "simulation"), "; write duration");
  EXPECT_EQ(hint_for("mass", "body"), "");
}

TEST(SceneHints, AnglesAsLimitsOfAJointPointToALaw) {
  using scene_wrong::joint;
  const std::string at = "b = \"car\"\nat = [0, 0, 0]\n";
  scene_wrong::expect_told({
      {"limits in degrees", joint(at + "limits = {angle = [\"-90 deg\", \"90 deg\"]}"), 11, 20,
       "where a coordinate stops say from and to of a [[law]] with type = \"limit\""},
      {"joint to the world", joint("a = \"world\"\nb = \"car\"\nat = [0, 0, 0]"), 9, 5,
       "there is no body 'world'; the world is \"ground\""},
  });
}

}  // namespace
}  // namespace trammel::io::scene_hints_test
