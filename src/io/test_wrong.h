#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "io/scene.h"

/// For tests of scenes with something wrong in them: every complaint has its place and says what to
/// do.
namespace trammel::io::scene_wrong {

struct Wrong {
  const char* name;
  std::string text;
  int line, column;
  const char* says;
};

// Line 1 is the format; bodies and joints that are right stand in these.
inline const std::string kHead = "format = 1\n";
inline const std::string kBody =
    "[[body]]\nname = \"car\"\nmass = \"40 t\"\nsphere = \"1 m\"\n";  // lines 2 to 5
inline const std::string kPin =
    kHead + kBody +
    "[[joint]]\nname = \"pin\"\ntype = \"revolute\"\nb = \"car\"\nat = [0, 0, 0]\n";    // 6 to 10
inline const std::string kLaw = kPin + "[[law]]\nname = \"drive\"\njoint = \"pin\"\n";  // 11 to 13
inline const std::string kGear =
    "[[coupling]]\nname = \"gear\"\ntype = \"linear\"\ncoefficients = [1, 2]\n";  // from 11 on
inline const std::string kTrack = kHead + "[[track]]\nname = \"main\"\n";         // 2 to 3
inline const std::string kGuide =
    kHead + kBody +
    "[[joint]]\nname = \"guide\"\nrows = [\"Ax.D\", \"left = -Ay.D\"]\n"
    "coordinates = [\"down = -Az.D\"]\nb = \"car\"\nat = [0, 0, 0]\n";  // 6 to 11

inline std::string body(const std::string& line) {
  return kHead + "[[body]]\nname = \"car\"\nsphere = 1\n" + line + "\n";
}
/// Line 8 of a joint with these rows.
inline std::string rows(const std::string& list) {
  return kHead + kBody + "[[joint]]\nname = \"guide\"\nrows = " + list +
         "\nb = \"car\"\nat = [0, 0, 0]\n";
}
inline std::string joint(const std::string& lines) {
  return kHead + kBody + "[[joint]]\nname = \"pin\"\ntype = \"revolute\"\n" + lines + "\n";
}

inline std::string all_of(const SceneProblems& problems) {
  std::string out;
  for (const SceneProblem& p : problems) out += to_text(p) + "\n";
  return out;
}

inline SceneProblems problems_of(const std::string& text, std::vector<Override> overrides = {}) {
  auto loaded = load_scene_text(text, "x.toml", overrides);
  if (auto* problems = std::get_if<SceneProblems>(&loaded)) return std::move(*problems);
  return {};
}

inline void expect_told(const std::vector<Wrong>& scenes) {
  for (const Wrong& w : scenes) {
    const SceneProblems found = problems_of(w.text);
    ASSERT_FALSE(found.empty()) << w.name << ": nothing found";
    EXPECT_EQ(found.size(), 1u) << w.name << ":\n" << all_of(found);
    EXPECT_EQ(found[0].line, w.line) << w.name << ":\n" << all_of(found);
    EXPECT_EQ(found[0].column, w.column) << w.name << ":\n" << all_of(found);
    EXPECT_NE(found[0].text.find(w.says), std::string::npos) << w.name << ":\n" << all_of(found);
  }
}

}  // namespace trammel::io::scene_wrong
