// Every key of a system changes the motion, by every formulation that takes it in the same way.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "io/scene.h"
#include "io/scene_keys.h"
#include "sim/simulation.h"

namespace trammel::io::scene_system_options_test {
namespace {

/// One key with two values; `of`: in which table.
struct Case {
  const char *of, *key, *a, *b;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.of << " " << c.key; }

/// A cart on a rail with an arm that hangs from it.
const std::vector<Case> kCases{
    {"system", "let", "p = \"1 m\"", "p = \"1.2 m\""},
    {"system", "potential", "", "potential = \"30 [J/m^2]*x^2\""},
    {"system", "dissipation", "", "dissipation = \"1 [N s/m]*x.rate^2 + 2 [N m s]*a.rate^2\""},
    {"system", "dissipation", "", "dissipation = \"2 [N s/m]*(x.rate - 1 m*a.rate)^2\""},
    {"system.coordinate", "value", "", "value = \"0.2 rad\""},
    {"system.coordinate", "rate", "", "rate = \"1 rad/s\""},
    {"system.object", "on", "", "on = \"arm\""},
    {"system.object", "on_track", "", "on_track = {track = \"ring\", s = \"x + 5 m\"}"},
    {"system.on_track", "track", "on_track = {track = \"ring\", s = \"x + 5 m\"}",
     "on_track = {track = \"bend\", s = \"x + 5 m\"}"},
    {"system.on_track", "s", "on_track = {track = \"bend\", s = \"x + 5 m\"}",
     "on_track = {track = \"bend\", s = \"x + 5 m + 1 m*a\"}"},
    {"system.object", "position", "position = [0, 0, 0.1]", "position = [0, \"x\", 0.1]"},
    {"system.object", "euler", "", "euler = [0, \"2*a\", 0]"},
    {"system.object", "turns", "", "turns = [{axis = [0, 0, 1], angle = \"3*a\"}]"},
    {"system.object", "orientation", "turns = [{axis = [0, 0, 1], angle = \"3*a\"}]",
     "turns = [{axis = [0, 0, 1], angle = \"3*a\"}]\norientation = {axis = [1, 0, 0], angle = 1}"},
    {"system.object", "mass", "position = [0, \"x\", 0]\nmass = 1",
     "position = [0, \"x\", 0]\nmass = 2"},
    {"system.object", "com", "euler = [0, \"a\", 0]", "euler = [0, \"a\", 0]\ncom = [0, 1, 0]"},
    {"system.object", "inertia", "turns = [{axis = [0, 0, 1], angle = \"3*a\"}]\nmass = 1",
     "turns = [{axis = [0, 0, 1], angle = \"3*a\"}]\nmass = 1\ninertia = [1, 1, 1]"},
    {"system.object", "density", "position = [\"x\", 0, 0]\nsphere = 0.1\ndensity = 1000",
     "position = [\"x\", 0, 0]\nsphere = 0.1\ndensity = 2000"},
    {"system.object", "box", "",
     "turns = [{axis = [0, 0, 1], angle = \"3*a\"}]\nmass = 1\nbox = [1, 1, 1]"},
    {"system.object", "sphere", "", "euler = [0, \"a\", 0]\nmass = 1\nsphere = 1"},
    {"system.object", "ellipsoid", "",
     "turns = [{axis = [0, 0, 1], angle = \"3*a\"}]\nmass = 1\nellipsoid = [1, 2, 1]"},
    {"system.object", "cylinder", "",
     "euler = [0, \"a\", 0]\nmass = 1\ncylinder = {radius = 1, length = 1}"},
    {"system.object", "mesh", "",
     "euler = [0, \"a\", 0]\nmass = 1\nmesh = {vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, "
     "1]], faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]}"},
    {"system.object", "solids", "", "euler = [0, \"a\", 0]\nmass = 1\nsolids = [{sphere = 1}]"},
    {"system.force", "force", "[[system.force]]\ncoordinate = \"x\"\nforce = \"2 N\"",
     "[[system.force]]\ncoordinate = \"x\"\nforce = \"2 N*sin(5 [1/s]*t)\""},
    {"system.force", "coordinate", "[[system.force]]\ncoordinate = \"x\"\nforce = \"2 N\"",
     "[[system.force]]\ncoordinate = \"a\"\nforce = \"2 N*m\""},
    {"system.force", "force", "[[system.force]]\ncoordinate = \"a\"\nforce = \"-1 [N]*x\"",
     "[[system.force]]\ncoordinate = \"a\"\nforce = \"-3 [N]*x - 2 [N s]*x.rate\""},
};

/// What depends on several coordinates or rates has no potential.
bool is_coupled(const Case& c, const char* lines) {
  const std::string_view of = c.of, text = lines;
  return (of == "system" && text.find("x.rate - 1") != text.npos) ||
         (of == "system.force" && text.find("\"a\"\nforce") != text.npos &&
          text.find("*x") != text.npos);
}

std::string scene(const Case& c, const char* lines, const char* formulation) {
  const std::string_view of = c.of;
  const auto here = [&](const char* table, const char* or_else = "") {
    return std::string(of == table ? lines : or_else) + "\n";
  };
  const bool let = of == "system" && std::string_view(c.key) == "let";
  const std::string exact = std::string_view(formulation) == "energy"
                                ? "joint_stiffness = \"inf\"\ndifference = \"bdf2\"\n"
                                : "";
  return fmt::format(
      "format = 1\n[simulation]\nformulation = \"{}\"\nduration = 0.4\nstep = 2e-3\n{}"
      "[[track]]\nname = \"ring\"\nplan = [{{arc = 20, radius = 3}}]\n"
      "[[track]]\nname = \"bend\"\nplan = [{{clothoid = 20, to_radius = 2}}]\n"
      "[[system]]\nname = \"s\"\nlet = {{{}}}\n{}[[system.coordinate]]\nname = \"x\"\nunit = "
      "\"m\"\nvalue = 0.1\nrate = 0.5\n[[system.coordinate]]\nname = \"a\"\n{}{}"
      "[[system.object]]\nname = \"cart\"\nposition = [\"x\", 0, 0]\nmass = 2\n"
      "[[system.object]]\nname = \"arm\"\nposition = [\"x + p*sin(a)\", 0, \"-p*cos(a)\"]\n"
      "turns = [{{axis = [0, -1, 0], angle = \"a\"}}]\nmass = 1\n"
      "[[system.object]]\nname = \"more\"\n{}{}{}",
      formulation, exact, let ? lines : "p = \"1 m\"", let ? "" : here("system"),
      here("system.coordinate", "value = 1"), "unit = \"rad\"\n",
      of == "system.on_track" ? here("system.on_track") : here("system.object"),
      (of == "system.object" || of == "system.on_track") &&
              std::string(lines).find("mass") == std::string::npos &&
              std::string(lines).find("density") == std::string::npos
          ? "mass = 1\n" +
                std::string(std::string_view(c.key) == "inertia" ? "" : "inertia = [1, 2, 2.5]\n")
          : "",
      here("system.force"));
}

struct Outcome {
  std::vector<double> q;
  std::string refused;
};

Outcome run(const std::string& text) {
  auto loaded = load_scene_text(text, "x.toml");
  if (auto* problems = std::get_if<SceneProblems>(&loaded)) return {{}, to_text(problems->front())};
  LoadedScene& s = std::get<LoadedScene>(loaded);
  sim::Simulation simulation(s.built, s.scene.settings);
  while (!simulation.finished() && simulation.advance()) {
  }
  EXPECT_EQ(simulation.failure(), "") << text;
  return {simulation.state().q, ""};
}

double apart(const Outcome& a, const Outcome& b) {
  double out = 0;
  for (std::size_t i = 0; i < std::min(a.q.size(), b.q.size()); ++i)
    out = std::max(out, std::abs(a.q[i] - b.q[i]));
  return out;
}

class SceneSystemOptions : public testing::TestWithParam<Case> {};

TEST_P(SceneSystemOptions, ChangeTheMotionAlikeOrAreRefused) {
  const Case& c = GetParam();
  const std::string_view of = c.of;
  const bool of_objects = of == "system.object" || of == "system.on_track";
  const Outcome truth = run(scene(c, c.b, "acceleration"));
  ASSERT_EQ(truth.refused, "") << scene(c, c.b, "acceleration");
  for (const char* formulation : {"acceleration", "velocity", "energy"}) {
    SCOPED_TRACE(formulation);
    const bool energy = std::string_view(formulation) == "energy";
    const Outcome with = run(scene(c, c.b, formulation));
    if (energy && is_coupled(c, c.b)) {
      EXPECT_NE(with.refused.find("no potential"), std::string::npos) << with.refused;
      continue;
    }
    ASSERT_EQ(with.refused, "") << scene(c, c.b, formulation);
    EXPECT_LT(apart(with, truth), energy ? 5e-3 : 5e-4);  // truncation of the step
    if (energy && is_coupled(c, c.a)) continue;
    const Outcome without = run(scene(c, c.a, formulation));
    ASSERT_EQ(without.refused, "") << scene(c, c.a, formulation);
    EXPECT_GT(apart(with, without), of_objects ? 1e-4 : 1e-3);
  }
}

INSTANTIATE_TEST_SUITE_P(Cells, SceneSystemOptions, testing::ValuesIn(kCases));

/// Every key of what moves has a case.
TEST(SceneSystemOptionTable, HasAllKeys) {
  std::set<std::string> tried{
      "system.coordinate.name", "system.object.name", "system.name",       "system.coordinate",
      "system.force",           "system.object",      "system.turns.axis", "system.turns.angle",
      "system.coordinate.unit", "system.evaluator"};  // of the same results
  for (const char* look : {"color", "shape", "contact", "material", "electric"})
    tried.insert(std::string("system.object.") + look);
  for (const Case& c : kCases) tried.insert(fmt::format("{}.{}", c.of, c.key));
  for (const Family* f : scene_families()) {
    if (!f->name.starts_with("system")) continue;
    for (const Table& t : f->tables)
      for (const Key& k : t.keys)
        EXPECT_TRUE(tried.contains(f->name + "." + k.name)) << f->name << " " << k.name;
  }
}

}  // namespace
}  // namespace trammel::io::scene_system_options_test
