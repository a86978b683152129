// Every option, formulation and kind of body: what works moves all alike, the rest is refused.
#include "io/scene_options.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "io/scene.h"
#include "sim/test_balance.h"

namespace trammel::io::scene_options_test {
namespace {

using Formulation = form::Settings::Formulation;

constexpr double kMass = 2, kStep = 4e-3, kTime = 0.4;  // [kg], [s], [s]
constexpr double kAlways = 1, kPulse = 0.12;            // how long a push lasts [s]

/// One key with two values: the same scene but for it moves otherwise.
struct Case {
  std::string family, kind, key, a, b;  // a, b: lines of the element; a may be empty
  std::string with = "";                // further lines of it
  double push = 0, speed = 0;           // along the slide: of the body [m/s^2], at the start [m/s]
  std::string only = "";                // "soft": by energy only soft joints take it
  double lasts = kAlways;               // of the push
};
void PrintTo(const Case& c, std::ostream* out) {
  *out << c.family << " " << c.kind << " " << c.key;
}

const std::vector<Case>& cases() {
  const std::string motor = "velocity = 2\n", bounds = "force_min = -4\nforce_max = 4\n";
  static const std::vector<Case> all{
      {"law", "locked", "value", "value = 0", "value = 0.1", "", 3},
      {"law", "locked", "force_min", "force_min = -50", "force_min = -4", "", 3},
      {"law", "locked", "force_max", "force_max = 50", "force_max = 4", "", -3},
      {"law", "locked", "erp", "", "erp = 0.01", bounds, 3, 0, "", kPulse},
      {"law", "locked", "restitution", "", "restitution = 0.5",
       "unilateral = true\nvalue = -0.05\n", -3},
      {"law", "locked", "stiffness", "", "stiffness = 1e4", "", 3, 0, "soft"},
      {"law", "locked", "unilateral", "unilateral = false", "unilateral = true", "", 3},
      {"law", "locked", "tensile_strength", "", "tensile_strength = 4", "", 3},
      {"law", "locked", "compressive_strength", "", "compressive_strength = 4", "", -3},
      {"law", "actuator", "force", "force = 1", "force = 2"},
      {"law", "actuator", "tensile_strength", "force = -5", "force = -5\ntensile_strength = 4"},
      {"law", "actuator", "compressive_strength", "force = 5",
       "force = 5\ncompressive_strength = 4"},
      {"law", "driven", "displacement", "displacement = {formula = \"0.3*sin(3*t)\"}",
       "displacement = {formula = \"0.2*sin(3*t)\"}"},
      {"law", "driven", "velocity", "velocity = 1", "velocity = 2"},
      {"law", "driven", "acceleration", "acceleration = 1", "acceleration = 2"},
      {"law", "driven", "start", "velocity = 1", "velocity = 1\nstart = 0.1"},
      {"law", "driven", "start_velocity", "acceleration = 1",
       "acceleration = 1\nstart_velocity = 1"},
      {"law", "driven", "stiffness", "", "stiffness = 1e4", "displacement = 0\n", 3, 0, "soft"},
      {"law", "driven", "tensile_strength", "", "tensile_strength = 4", "displacement = 0\n", 3},
      {"law", "driven", "compressive_strength", "", "compressive_strength = 4",
       "displacement = 0\n", -3},
      {"law", "limit", "from", "from = -0.1", "from = -0.05", "", -3},
      {"law", "limit", "to", "to = 0.1", "to = 0.05", "", 3},
      {"law", "limit", "restitution", "", "restitution = 0.5", "to = 0.05\n", 3},
      {"law", "limit", "tensile_strength", "", "tensile_strength = 4", "to = 0.0\n", 3},
      {"law", "limit", "compressive_strength", "", "compressive_strength = 4", "from = 0.0\n", -3},
      {"law", "spring", "stiffness", "", "stiffness = 50", "preload = 1\n", 3},
      {"law", "spring", "damping", "", "damping = 5", "preload = 1\n", 3},
      {"law", "spring", "rest", "", "rest = 0.1", "stiffness = 50\n"},
      {"law", "spring", "preload", "", "preload = 5", "stiffness = 1\n"},
      {"law", "spring", "function", "", "function = \"-50*x - 3*v\"", "preload = 1\n", 3},
      {"law", "spring", "tensile_strength", "", "tensile_strength = 4", "stiffness = 100\n", 3},
      {"law", "spring", "compressive_strength", "", "compressive_strength = 4", "stiffness = 100\n",
       -3},
      {"law", "motor", "velocity", "velocity = 1", "velocity = 0.5",
       "force_min = -30\nforce_max = 30\n"},
      {"law", "motor", "force_min", "force_min = -4", "force_min = -2",
       "force_max = 4\nvelocity = -9\n"},
      {"law", "motor", "force_max", "force_max = 4", "force_max = 2",
       "force_min = -4\nvelocity = 9\n"},
      {"law", "motor", "smoothing", "", "smoothing = 2", motor + bounds},
      {"law", "motor", "tensile_strength", "", "tensile_strength = 3", bounds + "velocity = -9\n"},
      {"law", "motor", "compressive_strength", "", "compressive_strength = 3",
       bounds + "velocity = 9\n"},
      {"law", "motor", "force_limit", "", "force_limit = \"2 N\"", "force_max = 4\nvelocity = 9\n"},
      {"law", "load-friction", "mu", "mu = 0.1", "mu = 0.2", "", 0, 1},
      {"law", "load-friction", "static_mu", "", "static_mu = 0.5", "mu = 0.1\n", 3},
      {"law", "load-friction", "stribeck_speed", "", "stribeck_speed = 1",
       "mu = 0.1\nstatic_mu = 0.5\n", 0, 1},
      {"law", "load-friction", "tensile_strength", "", "tensile_strength = 3", "mu = 0.3\n", 0, 2},
      {"law", "load-friction", "compressive_strength", "", "compressive_strength = 3", "mu = 0.3\n",
       0, -2},
      {"law", "load-friction", "length", "", "length = 0.1", "mu = 0.1\n", 0, 1},
      {"law", "friction", "force", "force = 1", "force = 2", "", 0, 1},
      {"law", "friction", "static_force", "", "static_force = 8", "force = 4\n", 3},
      {"law", "friction", "smoothing", "", "smoothing = 2", "force = 2\n", 0, 1},
      {"law", "friction", "tensile_strength", "", "tensile_strength = 3", "force = 4\n", 0, 2},
      {"law", "friction", "compressive_strength", "", "compressive_strength = 3", "force = 4\n", 0,
       -2},
      {"joint", "", "limits", "", "limits = {\"Ay.D\" = [-4, 4]}"},
      {"joint", "", "unilateral", "", "unilateral = [\"Ay.D\"]"},
      {"joint", "", "erp", "", "erp = 0.01", "limits = {\"Ay.D\" = [-15, 15]}\n"},
      {"joint", "", "restitution", "", "restitution = 0.5",
       "unilateral = [\"Ay.D\"]\nvalue = {\"Ay.D\" = -0.05}\n"},
      {"joint", "", "value", "", "value = {\"Ay.D\" = 0.1}"},
      {"joint", "", "start", "start = 0", "start = 0.1"},
      {"joint", "", "rate", "rate = 0", "rate = 0.5"},
      {"joint", "", "strength", "", "strength = 5"},
      {"joint", "", "torque_strength", "", "torque_strength = 0.5"},
      {"load", "force", "force", "force = [1, 0, 0]", "force = [2, 0, 0]"},
      {"load", "force", "axes", "axes = \"world\"", "axes = \"body\"", "force = [3, 0, 0]\n"},
      {"load", "force", "point", "point = [0, 0, 0]", "point = [0, 0.1, 0]", "force = [3, 0, 2]\n"},
      {"load", "torque", "torque", "torque = [0.01, 0, 0]", "torque = [0.02, 0, 0]"},
      {"load", "torque", "axes", "axes = \"world\"", "axes = \"body\"", "torque = [0, 0.05, 0]\n"},
      {"load", "formula", "force", "force = [\"-1 [N s/m]*vx\", 0, 0]",
       "force = [\"-2 [N s/m]*vx\", 0, 0]", "", 0, 2},
      {"load", "formula", "torque", "", "torque = [\"-0.1 [N m s]*wx\", 0, 0]",
       "force = [1, 0, 0]\n"},
      {"load", "formula", "axes", "axes = \"world\"", "axes = \"body\"",
       "force = [\"-2 [N s/m]*vx\", 0, 0]\n", 0, 2},
      {"load", "formula", "point", "point = [0, 0, 0]", "point = [0, 0.15, 0]",
       "force = [\"-2 [N s/m]*vx\", 0, 0]\n", 0, 2},
      {"load", "drag", "linear", "linear = 1", "linear = 2", "", 0, 2},
      {"load", "drag", "quadratic", "quadratic = 1", "quadratic = 2", "", 0, 2},
      {"load", "drag", "point", "point = [0, 0, 0]", "point = [0, 0.15, 0]", "linear = 4\n", 0, 2},
  };
  return all;
}

/// Of the run's own settings, on a mechanism that swings.
const std::vector<Case>& settings() {
  const std::string classical = "scheme = \"baumgarte\"\n", long_steps = "step = 0.02\n";
  const std::string by_sweeps = "contact_solver = \"sweeps\"\n", few = "contact_sweeps = 2\n";
  static const std::vector<Case> all{
      {"simulation", "", "step", "step = 0.004", "step = 0.002"},
      {"simulation", "", "gravity", "gravity = 9.81", "gravity = 5"},
      {"simulation", "vector", "gravity", "gravity = [0, 0, -9.81]", "gravity = [2, 0, -9.81]"},
      {"simulation", "", "tolerance", "tolerance = 1e-12", "tolerance = 1e-4", long_steps},
      {"simulation", "", "scheme", "scheme = \"rattle\"", "scheme = \"baumgarte\""},
      {"simulation", "", "order", "order = 2", "order = 4"},
      {"simulation", "", "erp", "erp = 0.2", "erp = 0.5", classical},
      {"simulation", "", "method", "method = \"dp8\"", "method = \"dp5\"", long_steps},
      {"simulation", "", "accuracy", "accuracy = 1e-12", "accuracy = 1e-4", "step = 0.1\n"},
      {"simulation", "", "alpha", "", "alpha = 5", long_steps},
      {"simulation", "", "beta", "", "beta = 5", long_steps + "alpha = 5\n"},
      {"simulation", "", "contact_solver", "", "contact_solver = \"sweeps\"", few},
      {"simulation", "", "contact_sweeps", "", "contact_sweeps = 2", by_sweeps},
      {"simulation", "", "contact_tolerance", "", "contact_tolerance = 1e-3", by_sweeps},
      {"simulation", "", "impacts", "impacts = \"simultaneous\"", "impacts = \"sequential\""},
      {"simulation", "", "difference", "difference = \"bdf2\"", "difference = \"bdf1\""},
      {"simulation", "midpoint", "difference", "difference = \"bdf2\"", "difference = \"midpoint\"",
       "", 0, 0, "soft"},
      {"simulation", "", "joint_stiffness", "joint_stiffness = 1e6", "joint_stiffness = 1e5"},
      {"simulation", "rows", "joint_stiffness", "joint_stiffness = 1e6",
       "joint_stiffness = \"inf\""},
      {"simulation", "", "joint_length", "joint_length = 0.1", "joint_length = 0.01", "", 0, 0,
       "soft"},
      {"simulation", "", "gamma", "gamma = 10", "gamma = 1"},
  };
  return all;
}

/// Of couplings, each kind with all of its keys.
const std::vector<Case>& couplings() {
  static const std::vector<Case> all = [] {
    std::vector<Case> out;
    const auto add = [&](const char* kind, const std::string& needed, double bound,
                         const std::vector<std::array<std::string, 3>>& keys) {
      const std::string limits = fmt::format("limits = [{}, {}]", -bound, bound);
      for (const auto& [key, a, b] : keys) {
        const bool instead = needed.starts_with(key) || a.find("= ") != std::string::npos;
        out.push_back(
            {"coupling", kind, key, a, b, instead ? "" : needed, key == "periodic" ? 1. : 3.});
      }
      out.push_back({"coupling", kind, "limits", "", limits, needed, 3});
      out.push_back(
          {"coupling", kind, "erp", "", "erp = 0.01", needed + limits + "\n", 3, 0, "", kPulse});
    };
    add("gear", "teeth = [20, 30]\n", 0.05,
        {{"teeth", "teeth = [20, 30]", "teeth = [20, 40]"}, {"internal", "", "internal = true"}});
    add("belt", "radii = [0.1, 0.2]\n", 0.05,
        {{"radii", "radii = [0.1, 0.2]", "radii = [0.1, 0.3]"}, {"crossed", "", "crossed = true"}});
    add("screw", "pitch = 1\n", 1, {{"pitch", "pitch = 1", "pitch = 2"}});
    add("rack", "radius = 0.2\n", 1, {{"radius", "radius = 0.2", "radius = 0.3"}});
    add("pulley", "", 2, {{"ratio", "", "ratio = 2"}});
    add("linear", "coefficients = [1, -2]\n", 1,
        {{"coefficients", "coefficients = [1, -2]", "coefficients = [1, -3]"}});
    const std::string points = "points = [[-4, -0.2], [0, 0], [1, 0.2], [4, 0.2]]";
    add("cam", "polynomial = [0, 0.2, 0.05]\n", 1,
        {{"polynomial", "polynomial = [0, 0.2, 0.05]", "polynomial = [0, 0.3]"},
         {"points", "points = [[-4, -0.8], [0, 0], [4, 0.8]]", points},
         {"profile", "polynomial = [0, 0.2]", "profile = {formula = \"0.3*sin(x)\"}"},
         {"periodic", "points = [[-1, 0], [1, 0.1], [2, 0]]",
          "points = [[-1, 0], [1, 0.1], [2, 0]]\nperiodic = true"}});
    return out;
  }();
  return all;
}

/// A body and what it hangs on.
struct Kinds {
  const char *body, *base;  // base: "ground", or of a body of its own
};
constexpr Kinds kKinds[] = {{"rigid", "ground"},      {"affine", "ground"}, {"rigid", "prescribed"},
                            {"affine", "prescribed"}, {"rigid", "rigid"},   {"affine", "rigid"},
                            {"rigid", "affine"},      {"affine", "affine"}};

/// Loads act on a free body; of the many couplings and settings every second.
std::vector<Kinds> kinds_of(const Case& c) {
  std::vector<Kinds> out;
  for (std::size_t i = 0; i < std::size(kKinds); ++i) {
    const bool ground = i < 2, half = i == 0 || i == 3 || i == 5 || i == 6;
    if (c.family == "load" ? ground : half || (c.family != "coupling" && c.family != "simulation"))
      out.push_back(kKinds[i]);
  }
  return out;
}

struct Way {
  const char* name;
  Formulation formulation;
  std::map<std::string, std::string> keys;
  bool soft = false;
};
const std::vector<Way>& ways() {
  static const std::vector<Way> all{
      {"velocity", Formulation::velocity, {{"formulation", "\"velocity\""}}},
      {"acceleration",
       Formulation::acceleration,
       {{"formulation", "\"acceleration\""}, {"accuracy", "1e-7"}}},
      {"energy, rows",
       Formulation::energy,
       {{"formulation", "\"energy\""}, {"joint_stiffness", "\"inf\""}}},
      {"energy, soft",
       Formulation::energy,
       {{"formulation", "\"energy\""}, {"joint_stiffness", "1e8"}},
       true}};
  return all;
}

std::string body(const char* name, const char* kind, double x, double speed,
                 const char* stiffness = "\"inf\"") {
  if (std::string(kind) == "prescribed")
    return fmt::format(
        "[[body]]\nname = \"{}\"\nkind = \"prescribed\"\n"
        "displacement = [0, {{formula = \"0.02*(1 - cos(5*t))\"}}, 0]\n",
        name);
  const bool affine = std::string(kind) == "affine";
  return fmt::format(
      "[[body]]\nname = \"{}\"\nkind = \"{}\"\nmass = {}\nbox = [0.4, 0.3, 0.2]\n"
      "position = [{}, 0, 0]\nvelocity = [{}, 0, 0]\n{}",
      name, kind, name[0] == 'a' ? 50 : kMass, x, speed,
      affine ? fmt::format("stiffness = {}\n", stiffness) : "");
}

std::string joint(const char* name, const char* type, const std::string& base, const char* b) {
  return fmt::format("[[joint]]\nname = \"{}\"\ntype = \"{}\"\nb = \"{}\"\na = \"{}\"\n", name,
                     type, b, base);
}

/// A load on b along x that ends, or goes on.
std::string push(const char* type, double size, const Case& c) {
  return fmt::format(
      "[[load]]\nname = \"push\"\ntype = \"{}\"\nbody = \"b\"\n"
      "{} = [{{time = [0, {}, {}], value = [{}, {}, 0]}}, 0, 0]\n",
      type, type, c.lasts, c.lasts, size, size);
}

/// What `simulation` says: the way's keys, but for those that the case says itself.
std::string simulation(const Case& c, const std::string& value, const Way& way) {
  const bool own = c.family == "simulation";
  std::map<std::string, std::string> keys = way.keys;
  keys.insert({{"duration", fmt::format("{}", kTime)}, {"assemble", "true"}});
  if (c.with.find("step =") == std::string::npos) keys.insert({"step", fmt::format("{}", kStep)});
  keys.insert({"gravity", own ? "9.81" : "0"});
  if (own) keys.erase(c.key);
  if (own && c.key == "gamma") keys.erase("joint_stiffness");
  const bool rows = c.key == "alpha" || c.key == "beta";
  if (own && (c.key == "method" || rows)) keys.erase("accuracy");
  if (own && rows && way.formulation == Formulation::acceleration)
    keys["method"] = "\"rk4\"";  // of the greatest errors, for them to lead back
  std::string out = "format = 1\n[simulation]\n";
  for (const auto& [key, x] : keys) out += key + " = " + x + "\n";
  return out + (own ? value + "\n" + c.with : "");
}

/// Two bodies that hang and swing, the second on the first, and spin.
std::string swinging(const Kinds& kinds, const std::string& base, const char* kappa) {
  return body("b", kinds.body, 0.3, 0, kappa) + "angular_velocity = [0.5, 2, 1]\n" +
         body("c", kinds.body, 0.6, 0, kappa) + "angular_velocity = [1.5, -1, 2.5]\n" +
         joint("pivot", "revolute", base, "b") + "at = [0, 0, 0]\naxis = [0, 1, 0.2]\n" +
         joint("elbow", "spherical", "b", "c") + "at = [0.5, 0, 0]\n";
}

/// Two bodies on slides or pivots along x, coupled.
std::string coupled(const Case& c, const std::string& value, const Kinds& kinds,
                    const std::string& base) {
  const bool turn_b = c.kind == "gear" || c.kind == "belt",
             slide_c = c.kind == "pulley" || c.kind == "linear";
  const char* const frames = "frame_a = {}\nframe_b = {}\n";
  return body("b", kinds.body, 0, 0) + body("c", kinds.body, 0, 0) +
         joint("first", turn_b ? "revolute" : "prismatic", base, "b") + frames +
         joint("second", slide_c ? "prismatic" : "revolute", base, "c") + frames +
         push(turn_b ? "torque" : "force", c.push * (turn_b ? 0.1 : kMass), c) +
         fmt::format("[[coupling]]\nname = \"both\"\ntype = \"{}\"\n", c.kind) +
         fmt::format("of = [\"first.{}\", \"second.{}\"]\n{}\n{}", turn_b ? "angle" : "travel",
                     slide_c ? "travel" : "angle", value, c.with);
}

/// A load on a free body that turns.
std::string loaded(const Case& c, const std::string& value, const Kinds& kinds) {
  return body("b", kinds.body, 0, c.speed) + "angular_velocity = [0.3, 1, 2]\n" +
         fmt::format("[[load]]\nname = \"load\"\ntype = \"{}\"\nbody = \"b\"\n{}\n{}", c.kind,
                     value, c.with);
}

/// A slide along x with what acts beside its middle: it carries a torque.
std::string borne(const Case& c, const std::string& value) {
  return value + "\n" + c.with +
         "[[load]]\nname = \"load\"\ntype = \"force\"\nbody = \"b\"\npoint = [0.2, 0, 0]\n"
         "force = [{formula = \"3*sin(9*t)\"}, {time = [0, 0.2, 0.2], value = [-8, -8, 24]}, 0]\n"
         "[[load]]\nname = \"weight\"\ntype = \"force\"\nbody = \"b\"\nforce = [0, -10, 0]\n";
}

/// Three balls in a row, of which the first comes flying.
const char kRow[] = R"toml(
[[contact]]
restitution = 1
[defaults.body]
mass = 1
sphere = 0.1
contact = "solids"
[[body]]
name = "b"
position = [-0.1, 0, 0]
velocity = [1, 0, 0]
[[body]]
name = "middle"
position = [0.2, 0, 0]
[[body]]
name = "c"
position = [0.4, 0, 0]
)toml";

std::string scene(const Case& c, const std::string& value, const Kinds& kinds, const Way& way) {
  if (c.key == "impacts" || c.key.starts_with("contact_")) return simulation(c, value, way) + kRow;
  const bool based = std::string(kinds.base) != "ground";
  const std::string base = based ? "a" : "ground";
  std::string out = simulation(c, value, way);
  if (c.family == "load") return out + loaded(c, value, kinds);
  const char* const kappa = c.kind == "midpoint" ? "1e5" : "\"inf\"";  // no shapes that hold
  if (based) out += body("a", kinds.base, 0, 0, kappa);
  if (c.family == "simulation") return out + swinging(kinds, base, kappa);
  if (c.family == "coupling") return out + coupled(c, value, kinds, base);
  out += body("b", kinds.body, 0, c.speed) + push("force", c.push * kMass, c) +
         joint("slide", "prismatic", base, "b") + "frame_a = {}\nframe_b = {}\n";
  if (c.kind == "load-friction")  // something has to press on the slide
    out +=
        "[[load]]\nname = \"press\"\ntype = \"force\"\nbody = \"b\"\npoint = [0.1, 0, 0]\nforce "
        "= [0, -20, 0]\n";
  if (c.family == "joint") return out + borne(c, value);
  return out + fmt::format("[[law]]\nname = \"law\"\ntype = \"{}\"\njoint = \"slide\"\n{}\n{}",
                           c.kind, value, c.with);
}

struct Outcome {
  std::string refused;
  std::vector<double> motion;  // places of b and c at common times
  double way = 0;              // greatest between two of these
};

/// Steps from one of the common times to the next: 4 ms apart, or a longer step.
long every(double step) { return std::max(1L, std::lround(kStep / step)); }

Outcome run(const std::string& text) {
  const auto result = load_scene_text(text, "case.toml", {});
  if (const auto* problems = std::get_if<SceneProblems>(&result))
    return {problems->front().path + ": " + problems->front().text, {}};
  const auto& loaded = std::get<LoadedScene>(result);
  sim::Simulation sim(loaded.built, loaded.scene.settings);
  Outcome out;
  std::size_t n = 0;  // numbers at a time
  while (!sim.finished() && sim.advance()) {
    if (sim.steps_made() % every(loaded.scene.settings.step) != 0) continue;
    const std::size_t before = out.motion.size();
    for (const char* name : {"b", "c"}) {
      const int o = sim.model().find_object(name);
      if (o < 0) continue;
      const body::Transform& at = sim.formulation().now().T_WO[static_cast<std::size_t>(o)];
      for (int k = 0; k < 3; ++k) out.motion.push_back(at.p[k]);
      for (int k = 0; k < 9; ++k) out.motion.push_back(at.A(k / 3, k % 3));
    }
    n = out.motion.size() - before;
  }
  for (std::size_t i = n; i < out.motion.size(); ++i)
    out.way = std::max(out.way, std::abs(out.motion[i] - out.motion[i - n]));
  EXPECT_EQ(sim.failure(), "");
  sim::test::expect_balance(sim);
  return out;
}

double apart(const Outcome& a, const Outcome& b) {
  EXPECT_EQ(a.motion.size(), b.motion.size());
  double most = 0;
  for (std::size_t i = 0; i < std::min(a.motion.size(), b.motion.size()); ++i)
    most = std::max(most, std::abs(a.motion[i] - b.motion[i]));
  return most;
}

bool works(const Case& c, const Way& way) {
  if (c.only == "soft" && !way.soft) return false;
  for (const Option& o : options())
    if (o.family == c.family && (o.kind.empty() || o.kind == c.kind) &&
        (o.key.empty() || o.key == c.key))
      return o.works[static_cast<std::size_t>(way.formulation)];
  return true;
}

/// How far two formulations may be apart. Truncation; where bounds are reached or stops met, at a
/// moment within a step, so far as bodies go in a step or three. What breaks is without its force a
/// step sooner or later and goes on so: by the force's acceleration times a step times the rest.
double allowed(const Case& c, const Outcome& first, const Outcome& second) {
  const double truncation = c.family == "simulation" ? 2.5e-3 : 1e-3;  // (omega h)^2 of a turn
  constexpr double kPush = 3;                                          // as the cases say [m/s^2]
  constexpr double kTurn = 24 * 0.2 * 12 / (kMass * 0.25);     // of `borne` about z [rad/s^2]
  constexpr double kPressed = 20 * 0.1 * 12 / (kMass * 0.25);  // where something presses on it
  constexpr std::string_view kKeys[] = {"limits",      "erp",       "unilateral",
                                        "restitution", "force_min", "force_max"};
  if (c.key.find("strength") != std::string::npos)
    return truncation + kStep * kTime *
                            (c.family == "joint"         ? kTurn
                             : c.kind == "load-friction" ? kPressed
                                                         : kPush);
  const bool switches = c.kind == "limit" || c.kind == "motor" || c.kind == "friction" ||
                        std::find(std::begin(kKeys), std::end(kKeys), c.key) != std::end(kKeys);
  return truncation + (switches ? 3 * std::max(first.way, second.way) : 0);
}

/// What refines or changes the method changes little, but more than rounding. By forces the step
/// is where the motion is seen, and no more.
double least_effect(const Case& c, const Way& way) {
  if (c.key == "step" && way.formulation == Formulation::acceleration) return 0;
  return c.family != "simulation" || c.key == "gravity" ? 1e-4 : 1e-12;
}

/// Formulations agree on what is no approximation of their own.
bool compared(const Case& c) {
  return c.family != "simulation" || c.key == "gravity" || c.key == "step";
}

class SceneOptions : public testing::TestWithParam<Case> {};

TEST_P(SceneOptions, ChangeTheMotionAlikeOrAreRefused) {
  const Case& c = GetParam();
  for (const Kinds& kinds : kinds_of(c)) {
    Outcome first;
    for (const Way& way : ways()) {
      SCOPED_TRACE(fmt::format("{} on {}, {}", kinds.body, kinds.base, way.name));
      const std::string text = scene(c, c.b, kinds, way);
      const Outcome changed = run(text);
      if (!works(c, way)) {
        EXPECT_TRUE(changed.refused.starts_with(c.family)) << changed.refused << "\n" << text;
        continue;
      }
      ASSERT_EQ(changed.refused, "") << text;
      const std::string without = scene(c, c.a, kinds, way);
      const Outcome base = run(without);
      ASSERT_EQ(base.refused, "") << without;
      EXPECT_GE(apart(base, changed), least_effect(c, way)) << text;
      if (first.motion.empty()) first = changed;
      if (!compared(c)) continue;
      EXPECT_LE(apart(first, changed), allowed(c, first, changed)) << text;
    }
  }
}

std::string name_of(const testing::TestParamInfo<Case>& info) {
  std::string out = info.param.family + "_" + info.param.kind + "_" + info.param.key;
  std::replace(out.begin(), out.end(), '-', '_');
  return out;
}
INSTANTIATE_TEST_SUITE_P(Cells, SceneOptions, testing::ValuesIn(cases()), name_of);
INSTANTIATE_TEST_SUITE_P(Settings, SceneOptions, testing::ValuesIn(settings()), name_of);
INSTANTIATE_TEST_SUITE_P(Couplings, SceneOptions, testing::ValuesIn(couplings()), name_of);

/// A body on a track that its base carries, pushed off: with a greatest force by impulses and
/// forces, on soft rails by energy. Where rows hold it nothing lets go, which `check` notes.
bool force_on(std::string_view row) { return row == "lateral" || row == "vertical"; }
std::string on_track(const char* row, bool derails, const Kinds& kinds, const Way& way) {
  const std::string_view name = row;
  const bool force = force_on(row), based = kinds.base[0] != 'g',
             energy = way.formulation == Formulation::energy;
  const char* const at = name == "roll"                         ? "{}, 0, 0"
                         : name == "lateral" || name == "pitch" ? "0, {}, 0"
                                                                : "0, 0, {}";
  Way rails = way;
  if (energy) rails.keys["joint_stiffness"] = "1e3";
  std::string out = simulation({}, "", rails) + "[[track]]\nname = \"main\"\nplan = [{line = 9}]\n";
  if (based) out += body("a", kinds.base, 0, 0);
  out += body("b", kinds.body, 0.1, 0.2) + joint("rails", "track", based ? "a" : "ground", "b") +
         "track = \"main\"\n";
  if (!energy) out += fmt::format("limits = {{{0} = [-{1}, {1}]}}\n", row, force ? 4 : 0.2);
  if (derails) out += fmt::format("derail = {{{} = {}}}\n", row, force ? 0.005 : 0.01);
  return out + fmt::format("[[load]]\nname = \"push\"\ntype = \"{0}\"\nbody = \"b\"\n{0} = [{1}]\n",
                           force ? "force" : "torque",
                           fmt::format(fmt::runtime(at), force ? 6 : 0.3));
}

TEST(SceneOptionsOfTracks, DerailLetsGoInEveryDirection) {
  for (const char* row : {"lateral", "vertical", "roll", "pitch", "yaw"})
    for (const Kinds& kinds : kKinds) {
      Outcome first;
      for (const Way& way : ways()) {
        const bool energy = way.formulation == Formulation::energy;
        if (energy && !way.soft) continue;
        SCOPED_TRACE(fmt::format("{}: {} on {}, {}", row, kinds.body, kinds.base, way.name));
        const std::string text = on_track(row, true, kinds, way);
        const Outcome gone = run(text), held = run(on_track(row, false, kinds, way));
        ASSERT_EQ(gone.refused + held.refused, "") << text;
        EXPECT_GE(apart(gone, held), 1e-2) << text;
        if (energy) continue;
        if (first.motion.empty()) first = gone;
        // it lets go at a located moment, or at the end of a step: up to a step of what pushes it
        EXPECT_LE(apart(first, gone), kStep * kTime * (force_on(row) ? 3 : 15)) << text;
      }
    }
}

/// What says where a joint is and of which rows it is, not how it is held: EveryCell.*,
/// EveryKind.*. Of a run, what moves nothing, and what the ways differ by.
bool is_frame(const Family& f, const Key& k) {
  static const std::set<std::string> joint{
      "a",       "b",     "at", "axis", "normal", "orientation", "frame_a",
      "frame_b", "track", "s",  "rows", "terms",  "coordinates", "derail" /* above */},
      run{"duration", "output_step",     "checkpoint_interval", "checkpoint_steps",
          "assemble", "frame_tolerance", "formulation",         "equilibrium"},
      law{"a",
          "b",
          "point_a",
          "point_b", /* scene_elements_test */
          "at_a",
          "at_b",
          "start_length",
          "start_rate" /* starts_test */,
          "direction",
          "turns_with" /* scene_elements_test */,
          "radius",
          "load" /* scene_friction_test */},
      all{"name", "type", "joint", "coordinate", "body", "of"};
  return all.contains(k.name) || (f.name == "joint" && joint.contains(k.name)) ||
         (f.name == "law" && law.contains(k.name)) ||
         (f.name == "simulation" && run.contains(k.name));
}

/// Every key has its case, and every entry of the table a key.
TEST(SceneOptionTable, NamesKeysAndHasItsCases) {
  std::set<std::string> known, tried;
  for (const Family* f : scene_families())
    for (const Table& t : f->tables)
      for (const Key& k : t.keys) {
        known.insert(f->name + "." + k.name);
        known.insert(f->name + "." + t.value + "." + k.name);
      }
  for (const Option& o : options())
    EXPECT_TRUE(known.contains(fmt::format("{}{}{}.{}", o.family, o.kind.empty() ? "" : ".", o.kind,
                                           o.key.empty() ? "name" : o.key)))
        << o.family << " " << o.kind << " " << o.key;
  for (const auto& list : {cases(), settings(), couplings()})
    for (const Case& c : list) tried.insert(c.family + "." + c.kind + "." + c.key);
  const std::set<std::string> families{"simulation", "joint", "coupling", "law", "load"};
  for (const Family* f : scene_families())
    for (const Table& t : f->tables)
      for (const Key& k : t.keys)
        if (families.contains(f->name) && !is_frame(*f, k)) {
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
