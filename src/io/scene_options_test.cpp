// Every option in every formulation, between bodies of every kind: what works changes the motion,
// the same way wherever it works; what does not is refused.
#include "io/scene_options.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "io/scene.h"
#include "sim/simulation.h"

namespace trammel::io::scene_options_test {
namespace {

using Formulation = form::Settings::Formulation;

/// One key with two values: the same scene but for it moves otherwise.
struct Case {
  std::string family, kind, key, a, b;  // a, b: lines of the element; a may be empty
  std::string with = "";                // further lines of it
  double push = 0, speed = 0;           // along the slide: acceleration, speed at the start
  std::string soft = "no";              // "yes": by energy only soft joints see it
};

const std::vector<Case>& cases() {
  const std::string motor = "velocity = 2\n", bounds = "force_min = -4\nforce_max = 4\n";
  static const std::vector<Case> all{
      {"law", "locked", "value", "value = 0", "value = 0.1", "", 3},
      {"law", "locked", "force_min", "force_min = -50", "force_min = -4", "", 3},
      {"law", "locked", "force_max", "force_max = 50", "force_max = 4", "", -3},
      {"law", "locked", "stiffness", "", "stiffness = 1e4", "", 3, 0, "yes"},
      {"law", "locked", "one_sided", "one_sided = false", "one_sided = true", "", 3},
      {"law", "locked", "tensile_strength", "", "tensile_strength = 4", "", 3},
      {"law", "locked", "compressive_strength", "", "compressive_strength = 4", "", -3},
      {"law", "driven", "displacement", "displacement = {formula = \"0.3*sin(3*t)\"}",
       "displacement = {formula = \"0.2*sin(3*t)\"}"},
      {"law", "driven", "velocity", "velocity = 1", "velocity = 2"},
      {"law", "driven", "acceleration", "acceleration = 1", "acceleration = 2"},
      {"law", "driven", "start", "velocity = 1", "velocity = 1\nstart = 0.1"},
      {"law", "driven", "start_velocity", "acceleration = 1",
       "acceleration = 1\nstart_velocity = 1"},
      {"law", "driven", "stiffness", "", "stiffness = 1e4", "displacement = 0\n", 3, 0, "yes"},
      {"law", "driven", "tensile_strength", "", "tensile_strength = 4", "displacement = 0\n", 3},
      {"law", "driven", "compressive_strength", "", "compressive_strength = 4",
       "displacement = 0\n", -3},
      {"law", "limit", "from", "from = -0.1", "from = -0.05", "", -3},
      {"law", "limit", "to", "to = 0.1", "to = 0.05", "", 3},
      {"law", "limit", "restitution", "", "restitution = 0.5", "to = 0.05\n", 3},
      {"law", "limit", "tensile_strength", "", "tensile_strength = 4", "to = 0.0\n", 3},
      {"law", "limit", "compressive_strength", "", "compressive_strength = 4", "from = 0.0\n", -3},
      {"law", "spring", "stiffness", "", "stiffness = 50", "", 3},
      {"law", "spring", "damping", "", "damping = 5", "", 3},
      {"law", "spring", "rest", "", "rest = 0.1", "stiffness = 50\n"},
      {"law", "spring", "preload", "", "preload = 5"},
      {"law", "spring", "function", "", "function = \"-50*x - 3*v\"", "", 3},
      {"law", "spring", "tensile_strength", "", "tensile_strength = 4", "stiffness = 100\n", 3},
      {"law", "spring", "compressive_strength", "", "compressive_strength = 4", "stiffness = 100\n",
       -3},
      {"law", "motor", "velocity", "velocity = 1", "velocity = 0.5", "force_min = -30\n"},
      {"law", "motor", "force_min", "force_min = -4", "force_min = -2",
       "force_max = 4\nvelocity = -9\n"},
      {"law", "motor", "force_max", "force_max = 4", "force_max = 2",
       "force_min = -4\nvelocity = 9\n"},
      {"law", "motor", "smoothing", "", "smoothing = 2", motor + bounds},
      {"law", "motor", "tensile_strength", "", "tensile_strength = 3", bounds + "velocity = -9\n"},
      {"law", "motor", "compressive_strength", "", "compressive_strength = 3",
       bounds + "velocity = 9\n"},
      {"law", "friction", "force", "force = 1", "force = 2", "", 0, 1},
      {"law", "friction", "static_force", "", "static_force = 8", "force = 4\n", 3},
      {"law", "friction", "smoothing", "", "smoothing = 2", "force = 2\n", 0, 1},
      {"law", "friction", "tensile_strength", "", "tensile_strength = 3", "force = 4\n", 0, 2},
      {"law", "friction", "compressive_strength", "", "compressive_strength = 3", "force = 4\n", 0,
       -2},
      {"joint", "", "limits", "", "limits = {\"Ay.D\" = [-4, 4]}"},
      {"joint", "", "one_sided", "", "one_sided = [\"Ay.D\"]"},
      {"joint", "", "value", "", "value = {\"Ay.D\" = 0.1}"},
      {"joint", "", "strength", "", "strength = 5"},
      {"joint", "", "torque_strength", "", "torque_strength = 0.5"},
      {"load", "force", "force", "force = [1, 0, 0]", "force = [2, 0, 0]"},
      {"load", "force", "axes", "axes = \"world\"", "axes = \"body\"", "force = [3, 0, 0]\n"},
      {"load", "force", "point", "point = [0, 0, 0]", "point = [0, 0.1, 0]", "force = [3, 0, 2]\n"},
      {"load", "torque", "torque", "torque = [0.01, 0, 0]", "torque = [0.02, 0, 0]"},
      {"load", "torque", "axes", "axes = \"world\"", "axes = \"body\"", "torque = [0, 0.05, 0]\n"},
      {"load", "drag", "linear", "linear = 1", "linear = 2", "", 0, 2},
      {"load", "drag", "quadratic", "quadratic = 1", "quadratic = 2", "", 0, 2},
      {"load", "drag", "point", "point = [0, 0, 0]", "point = [0, 0.15, 0]", "linear = 4\n", 0, 2},
  };
  return all;
}

/// A body and what it hangs on.
struct Kinds {
  const char *body, *base;  // base: "ground", or of a body of its own
};
constexpr Kinds kKinds[] = {
    {"rigid", "ground"}, {"affine", "ground"}, {"rigid", "prescribed"}, {"affine", "prescribed"}};

struct Way {
  const char* name;
  Formulation formulation;
  std::string keys;
  bool soft = false;
};
const std::vector<Way>& ways() {
  static const std::vector<Way> all{
      {"velocity", Formulation::velocity, "formulation = \"velocity\"\n"},
      {"acceleration", Formulation::acceleration,
       "formulation = \"acceleration\"\naccuracy = 1e-7\n"},
      {"energy, rows", Formulation::energy,
       "formulation = \"energy\"\njoint_stiffness = \"inf\"\n"},
      {"energy, soft", Formulation::energy, "formulation = \"energy\"\njoint_stiffness = 1e8\n",
       true}};
  return all;
}

std::string body(const char* name, const char* kind, double x, double speed) {
  if (std::string(kind) == "prescribed")
    return fmt::format(
        "[[body]]\nname = \"{}\"\nkind = \"prescribed\"\n"
        "displacement = [0, {{formula = \"0.02*(1 - cos(5*t))\"}}, 0]\n",
        name);
  const bool affine = std::string(kind) == "affine";
  return fmt::format(
      "[[body]]\nname = \"{}\"\nkind = \"{}\"\nmass = {}\nbox = [0.4, 0.3, 0.2]\n"
      "position = [{}, 0, 0]\nvelocity = [{}, 0, 0]\n{}",
      name, kind, name[0] == 'a' ? 50 : 2, x, speed, affine ? "stiffness = \"inf\"\n" : "");
}

/// Loads act on a free body that turns, all else on a slide along x.
std::string scene(const Case& c, const std::string& value, const Kinds& kinds, const Way& way) {
  const bool load = c.family == "load", based = std::string(kinds.base) != "ground";
  std::string out = fmt::format(
      "format = 1\n[simulation]\nduration = 0.4\nstep = 0.004\ngravity = [{}, {}, 0]\n"
      "assemble = true\n{}",
      c.push, c.family == "joint" ? -5 : 0, way.keys);
  if (based && !load) out += body("a", kinds.base, 0, 0);
  out += body("b", kinds.body, 0, c.speed);
  if (load)
    return out + "angular_velocity = [0.3, 1, 2]\n" +
           fmt::format("[[load]]\nname = \"load\"\ntype = \"{}\"\nbody = \"b\"\n{}\n{}", c.kind,
                       value, c.with);
  out += fmt::format(
      "[[joint]]\nname = \"slide\"\ntype = \"prismatic\"\nb = \"b\"\na = \"{}\"\n"
      "frame_a = {{}}\nframe_b = {{}}\n",
      based ? "a" : "ground");
  if (c.family == "joint")  // beside the middle: the joint bears a torque
    return out + value + "\n" + c.with +
           "[[load]]\nname = \"load\"\ntype = \"force\"\nbody = \"b\"\npoint = [0.2, 0, 0]\n"
           "force = [{formula = \"3*sin(9*t)\"}, {time = [0, 0.2, 0.2], value = [-8, -8, 24]}, "
           "0]\n";
  return out + fmt::format("[[law]]\nname = \"law\"\ntype = \"{}\"\njoint = \"slide\"\n{}\n{}",
                           c.kind, value, c.with);
}

struct Outcome {
  std::string refused;
  std::vector<double> motion;  // places of b
};

Outcome run(const std::string& text) {
  const auto result = load_scene_text(text, "case.toml", {});
  if (const auto* problems = std::get_if<SceneProblems>(&result))
    return {problems->front().path + ": " + problems->front().text, {}};
  const auto& loaded = std::get<LoadedScene>(result);
  sim::Simulation sim(loaded.built, loaded.scene.settings);
  Outcome out;
  const auto b = static_cast<std::size_t>(sim.model().find_object("b"));
  while (!sim.finished() && sim.advance()) {
    const body::Place& at = sim.formulation().now().place[b];
    for (int k = 0; k < 3; ++k) out.motion.push_back(at.p[k]);
    for (int k = 0; k < 9; ++k) out.motion.push_back(at.A(k / 3, k % 3));
  }
  EXPECT_EQ(sim.failure(), "");
  return out;
}

double apart(const Outcome& a, const Outcome& b) {
  double most = 0;
  for (std::size_t i = 0; i < std::min(a.motion.size(), b.motion.size()); ++i)
    most = std::max(most, std::abs(a.motion[i] - b.motion[i]));
  return most;
}

bool works(const Case& c, const Way& way) {
  if (c.soft == "yes" && !way.soft) return false;
  for (const Option& o : options())
    if (o.family == c.family && (o.kind.empty() || o.kind == c.kind) && o.key == c.key)
      return o.works[static_cast<std::size_t>(way.formulation)];
  return true;
}

class SceneOptions : public testing::TestWithParam<Case> {};

TEST_P(SceneOptions, ChangeTheMotionAlikeOrAreRefused) {
  const Case& c = GetParam();
  for (const Kinds& kinds : kKinds) {
    if (c.family == "load" && std::string(kinds.base) != "ground") continue;
    Outcome first;
    for (const Way& way : ways()) {
      SCOPED_TRACE(fmt::format("{} on {}, {}", kinds.body, kinds.base, way.name));
      const std::string text = scene(c, c.b, kinds, way);
      const Outcome changed = run(text);
      if (!works(c, way)) {
        EXPECT_NE(changed.refused, "") << text;
        continue;
      }
      ASSERT_EQ(changed.refused, "") << text;
      const Outcome base = run(scene(c, c.a, kinds, way));
      if (base.refused.empty()) {
        EXPECT_GE(apart(base, changed), 1e-4) << text;
      }
      if (first.motion.empty()) first = changed;
      // steps of 4 ms, blows within them; what is torn off at once spins a step earlier by forces
      EXPECT_LE(apart(first, changed), c.family == "joint" ? 0.3 : 0.05) << text;
    }
  }
}

std::string name_of(const testing::TestParamInfo<Case>& info) {
  return info.param.family + "_" + info.param.kind + "_" + info.param.key;
}
INSTANTIATE_TEST_SUITE_P(Cells, SceneOptions, testing::ValuesIn(cases()), name_of);

/// Every parameter of every law and load has its case, and every entry of the table a key.
TEST(SceneOptionTable, NamesKeysAndHasItsCases) {
  std::set<std::string> known, tried;
  for (const Family* f : scene_families())
    for (const Table& t : f->tables)
      for (const Key& k : t.keys) {
        known.insert(f->name + "." + k.name);
        known.insert(f->name + "." + t.value + "." + k.name);
      }
  for (const Option& o : options())
    EXPECT_TRUE(known.contains(
        fmt::format("{}{}{}.{}", o.family, o.kind.empty() ? "" : ".", o.kind, o.key)))
        << o.family << " " << o.kind << " " << o.key;
  for (const Case& c : cases()) tried.insert(c.family + "." + c.kind + "." + c.key);
  // erp: TrackDerail.*; of one-sided rows: Stop.*
  const std::set<std::string> named{"name", "type", "joint", "coordinate", "body", "erp"};
  for (const Family* f : scene_families())
    for (const Table& t : f->tables)
      for (const Key& k : t.keys)
        if ((f->name == "law" || f->name == "load") && !named.contains(k.name) &&
            t.value + k.name != "lockedrestitution") {
          EXPECT_TRUE(tried.contains(f->name + "." + t.value + "." + k.name))
              << f->name << " " << t.value << " " << k.name << " has no case";
        }
}

TEST(SceneOptionTable, IsThatOfTheManual) {
  std::ifstream file(std::string(TRAMMEL_SOURCE_DIR) + "/docs/options.md");
  const std::string text{std::istreambuf_iterator<char>(file), {}}, begin = "<!-- options -->\n",
                                                                    end = "<!-- end of options -->";
  const std::size_t from = text.find(begin);
  ASSERT_NE(from, std::string::npos);
  const std::size_t first = from + begin.size();
  if (text.substr(first, text.find(end) - first) == option_reference()) return;
  std::ofstream(testing::TempDir() + "options.md") << option_reference();
  ADD_FAILURE() << "docs/options.md: put " << testing::TempDir() << "options.md between the marks";
}

}  // namespace
}  // namespace trammel::io::scene_options_test
