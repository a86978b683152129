// Mistakes in inputs, sensors, controllers and probes: the place, the rule, the nearest name.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "io/scene.h"
#include "sim/simulation.h"

namespace trammel::io::scene_control_wrong_test {
namespace {

const std::string kCart = R"(format = 1
[simulation]
gravity = 0
[parameters]
k = "3 N/m"
[[body]]
name = "cart"
mass = "2 kg"
sphere = "10 cm"
[[joint]]
name = "slide"
type = "prismatic"
b = "cart"
at = [0, 0, 0]
)";

std::string said(const std::string& text) {
  const auto result = load_scene_text(kCart + text, "x.toml");
  const auto* problems = std::get_if<SceneProblems>(&result);
  if (!problems) return "nothing";
  std::string out;
  for (const SceneProblem& p : *problems) out += to_text(p) + "\n";
  return out;
}

using Mistakes = std::vector<std::pair<std::string, std::string>>;

/// Each is told, and nothing else is.
void expect_told(const Mistakes& mistakes, const std::string& with = "") {
  for (const auto& [text, says] : mistakes) {
    const std::string all = said(with + text);
    EXPECT_NE(all.find(says), std::string::npos) << says << "\n" << all << text;
    EXPECT_EQ(std::count(all.begin(), all.end(), '\n'), 1) << all << text;
  }
}

const std::string kRam =
    "[[law]]\nname = \"ram\"\ntype = \"actuator\"\njoint = \"slide\"\nforce = \"push\"\n";

TEST(ControlMistakes, KeysThatDriveInputs) {
  const std::string bare = "[[input]]\nname = \"push\"\nunit = \"N\"\n";
  const std::string range = "from = -2\nto = 2\n", push = bare + range;
  expect_told({
      {push + "keys = [\"W\"]\n",
       "x.toml:20:9: input.push.keys[0]: keys of letters are written "
       "small: \"w\""},
      {push + "keys = [\"ArowUp\"]\n", "there is no key \"ArowUp\"; did you mean 'ArrowUp'?"},
      {push + "keys = [\"Escape\"]\n", "there is no key \"Escape\"; a key is one letter"},
      {push + "keys = [\"\"]\n", "there is no key \"\""},
      {push + "keys = [\"a\", \"b\", \"c\"]\n", "found 3 values, a list of 1 or 2 x"},
      {push + "keys = [\"a\", \"a\"]\n", "the key \"a\" is of input 'push' already"},
      {push + "keys = [\"a\"]\n[[input]]\nname = \"pull\"\nrate = 1\nkeys = [\"z\", \"a\"]\n",
       "input.pull.keys[1]: the key \"a\" is of input 'push' already"},
      {push + "keys = [\"a\"]\nrate = 0\n", "0: keys move it by more than 0 a second"},
      {push + "keys = [\"a\"]\nrate = \"3 N\"\n",
       "3 N is a force, a quantity in kg m/s^3 is needed"},
      {bare + "keys = [\"a\"]\n",
       "how fast do keys move it? It needs a 'rate', or 'from' and 'to'"},
      {bare + "keys = [\"a\"]\nfrom = -1\n", "input.push.keys: how fast do keys move it?"},
      {bare + "keys = [\"a\"]\nfrom = 0\nto = 0\n", "input.push.keys: nothing can move it"},
      {bare + "axis = 1\nfrom = 0\nto = 0\n", "input.push.axis: nothing can move it"},
      {push + "rate = 2\n", "'rate'"},
      {push + "returns = false\n", "'returns'"},
      {bare + "axis = 1\nto = 2\n", "it needs 'from' and 'to'"},
      {bare + "axis = 1\nfrom = \"-inf\"\nto = 2\n", "it needs 'from' and 'to'"},
      {push + "axis = 77\n", "input.push.axis: '77' is not known here; known: 0, 1"},
  });
}

TEST(ControlMistakes, WhatWouldBeIgnored) {
  const std::string pid =
      "[[controller]]\nname = \"push\"\ntype = \"pid\"\nperiod = 0.01\nmeasure = "
      "\"slide.travel\"\ntarget = \"1 m\"\nkp = \"2 N/m\"\nunit = \"N\"\n";
  expect_told({
      {pid + "filter = 0.1\n" + kRam, "controller.push.filter: 'filter' is for 'kd', which is not"},
      {pid + "rate = \"slide.travel.rate\"\n" + kRam, "'rate' is for 'kd', which is not given"},
      {pid + "limits = [-5, 5]\nrest = 50\nrate_limit = 1\n" + kRam,
       "controller.push.rest: it rests at 50, outside its limits, -5 to 5"},
      {"[[input]]\nname = \"e\"\n", "'e' is a word"},
      {"[[input]]\nname = \"level\"\n[[controller]]\nname = \"push\"\ntype = "
       "\"formula\"\nperiod = 0.01\noutput = \"level\"\nunit = \"N\"\nstates = {level = {next = "
       "\"level\"}}\n" +
           kRam,
       "'level' is an input, too"},
      {"[[controller]]\nname = \"slide\"\ntype = \"formula\"\nperiod = 0.01\noutputs = {travel = "
       "\"1 [N]\"}\nunit = \"N\"\n",
       "'slide.travel' is a channel already"},
  });
}

TEST(ControlMistakes, OfInputs) {
  const std::string input = "[[input]]\nname = \"push\"\n";
  const std::string law = "[[law]]\nname = \"ram\"\ntype = \"actuator\"\njoint = \"slide\"\n";
  expect_told({
      {input + law + "force = \"psuh\"\n",
       "x.toml:21:10: law.ram.force: unknown name 'psuh'; did you mean 'push'?"},
      {input + law + "force = {formula = \"2*Pusch\"}\n",
       "law.ram.force.formula: unknown name 'Pusch'; did you mean 'push'?"},
      {input + law + "force = \"pull\"\n", "x.toml:21:10: law.ram.force: unknown name 'pull'"},
      {input + "rest = \"2 m\"\n" + kRam,
       "x.toml:22:10: law.ram.force: the result is a length [m], a force [N] is needed"},
      {input + "rest = 2\nfrom = 3\n",
       "x.toml:17:8: input.push.rest: input 'push' rests at 2, outside its range, 3 to inf"},
      {input + "from = 3\nto = 1\nrest = 3\n",
       "x.toml:17:8: input.push.from: the range of input 'push' is from 3 to 1"},
      {input + "unit = \"N\"\nrest = \"2 m\"\n",
       "x.toml:18:8: input.push.rest: 2 m is a length, a force is needed"},
      {input + "unit = \"Newton\"\n", "x.toml:17:8: input.push.unit: unknown unit 'Newton'"},
      {input + "unit = \"N\"\n" + input, "the name 'push' is taken by another input"},
      {input + "value = 3\n", "x.toml:17:1: input.push.value: unknown key 'value'"},
      {"[[input]]\nname = \"k\"\n", "x.toml:16:8: input.k.name: 'k' is a parameter, too"},
      {"[[input]]\nname = \"t\"\n", "'t' stands for the time in formulas"},
      {"[[input]]\nname = \"pi\"\n", "'pi' is a word of the language of expressions"},
      {"[[input]]\nname = \"speed\"\nunit = \"m/s\"\n[[law]]\nname = \"d\"\ntype = "
       "\"driven\"\njoint = \"slide\"\ndisplacement = {formula = \"speed*1 [s]\"}\n",
       "an input is held between its changes and jumps there"},
      {"[[input]]\nname = \"speed\"\nunit = \"m/s\"\n[[law]]\nname = \"d\"\ntype = "
       "\"driven\"\njoint = \"slide\"\nvelocity = \"2*speed\"\n",
       "a formula of inputs has no integral: name an input alone, or let a motor follow the "
       "formula"},
  });
}

TEST(ControlMistakes, OfSensors) {
  const std::string sensor = "[[sensor]]\nname = \"s\"\n";
  expect_told({
      {sensor + "formula = \"slide.travl\"\n",
       "x.toml:17:11: sensor.s.formula: there is no channel 'slide.travl'; did you mean "
       "'slide.travel'?"},
      {sensor + "formula = \"slide.travel + slide.travel.rate\"\n",
       "x.toml:17:11: sensor.s.formula: 'slide.travel' is a length [m], 'slide.travel.rate' is a "
       "speed [m/s]: they cannot be added"},
      {sensor + "formula = \"slide.travel +\"\n",
       "x.toml:17:26: sensor.s.formula: a number, a name or '(' is expected, not the end"},
      {sensor + "formula = \"sine(slide.travel)\"\n", "unknown function 'sine'; did you mean"},
      {sensor + "formula = \"slide.travel\"\nunit = \"s\"\n",
       "x.toml:17:11: sensor.s.formula: the result is a length [m], a time [s] is needed"},
      {sensor + "formula = \"slide.travel\"\nunit = \"meters\"\n", "sensor.s.unit: "},
      {sensor + "formula = \"a + 1 m\"\n[[sensor]]\nname = \"a\"\nformula = \"2*s\"\n",
       "'s' depends on itself: s -> a -> s"},
      {sensor + "formula = \"slide.travel\"\nevents = [{at = \"2 s\"}]\n",
       "sensor.s.events[0].at: the result is a time [s], a length [m] is needed"},
      {sensor + "formula = \"slide.travel\"\nevents = [{at = 2, direction = \"up\"}]\n",
       "x.toml:18:32: sensor.s.events[0].direction: 'up' is not known here"},
      {sensor + "formula = 1\n" + sensor + "formula = 2\n",
       "the name 's' is taken by another sensor"},
      {sensor + "formula = \"`slide-1.travel`\"\n", "there is no channel 'slide-1.travel'"},
      {"[[sensor]]\nname = \"time\"\nformula = 1\n", "'time' is a channel already"},
      {sensor + "formula = \"\"\n", "a formula is needed, or a number"},
      {sensor, "'formula' is missing"},
  });
}

TEST(ControlMistakes, OfControllers) {
  const std::string head = "[[controller]]\nname = \"push\"\nunit = \"N\"\ntype = \"pid\"\n",
                    pid = head + "measure = \"slide.travel\"\ntarget = \"1 m\"\n",
                    sampled = pid + "period = \"1 ms\"\n";
  expect_told({
      {pid + "kp = 3\nperiod = 0\n", "x.toml:22:10: controller.push.period: 0 s must be greater"},
      {pid + "kp = 3\nperiod = 1e-9\n",
       "controller.push.period: a period of 1e-09 s is less than a thousandth of the step"},
      {pid + "kp = 3\n", "'period' is missing"},
      {sampled, "a pid controller needs a gain: kp, ki or kd"},
      {sampled + "kp = \"3 N s/m\"\n", "controller.push.kp: 'kp' in "},
      {sampled + "kp = \"k\"\nki = \"2*k\"\n", "controller.push.ki: 'ki' in N/m"},
      {sampled + "kp = 3\nlimits = [2, -2]\n",
       "x.toml:23:10: controller.push.limits: the least output, 2, is not below the greatest, -2"},
      {sampled + "kp = 3\nlimits = [\"-2 m\", \"2 N\"]\n",
       "controller.push.limits[0]: -2 m is a length, a force is needed"},
      {sampled + "kp = 3\nrate_limit = \"2 N\"\n",
       "controller.push.rate_limit: 2 N is a force, a quantity in"},
      {sampled + "kp = 3\nrate_limit = 0\n", "a limit of the rate is greater than 0"},
      {sampled + "kd = 3\ntarget_rate = 1\n", "'target_rate' goes with rate"},
      {sampled + "kd = 3\nrate = \"slide.travel\"\n",
       "controller.push.rate: the result is a length [m], a speed [m/s] is needed"},
      {sampled + "kd = 3\nfilter = \"-1 ms\"\n", "a time constant is not negative"},
      {sampled + "kp = 3\nfeedforward = \"1 m\"\n",
       "controller.push.feedforward: the result is a length [m], a force [N] is needed"},
      {head + "period = 1\nkp = 3\nmeasure = \"slide.travel\"\ntarget = \"1 s\"\n",
       "controller.push.target: the result is a time [s], a length [m] is needed"},
      {head + "period = 1\nkp = 3\nmeasure = \"slide.angle\"\ntarget = 1\n",
       "controller.push.measure: there is no channel 'slide.angle'; known: slide.reaction.fx"},
      {sampled + "kp = 3\n[[input]]\nname = \"push\"\n", "the name 'push' is taken by another"},
      {"[[controller]]\nname = \"c\"\ntype = \"pdi\"\n", "'pdi' is no type of controller; did you"},
      {"[[controller]]\nname = \"c\"\ntype = \"formula\"\nperiod = 1\n",
       "one of output, outputs is needed"},
      {"[[controller]]\nname = \"c\"\ntype = \"formula\"\nperiod = 1\noutput = \"n\"\nstates = {n "
       "= {start = 1}}\n",
       "'next' is missing"},
      {"[[controller]]\nname = \"c\"\ntype = \"formula\"\nperiod = 1\noutput = \"n\"\nstates = {n "
       "= {start = 1, next = \"m\"}}\n",
       "there is no channel 'm'"},
      {"[[controller]]\nname = \"c\"\ntype = \"formula\"\nperiod = 1\noutput = \"k*1 "
       "[m/N]\"\nstates = {k = {next = 1}}\n",
       "'k' is a parameter, too"},
      {"[[controller]]\nname = \"c\"\ntype = \"formula\"\nperiod = 1\noutput = 1\nstates = {n = "
       "{start = \"1 m\", next = \"n*n\"}}\n",
       "the result is an area [m^2], a length [m] is needed"},
      {"[[controller]]\nname = \"c\"\ntype = \"formula\"\nperiod = 1\noutput = 1\nkp = 3\n",
       "'kp' does not go with formula: it belongs to pid"},
  });
  expect_told({{"[[law]]\nname = \"r\"\ntype = \"actuator\"\njoint = \"slide\"\nforce = \"puhs\"\n",
                "law.r.force: "}},
              sampled + "kp = 3\n");
}

TEST(ControlMistakes, OfProbes) {
  const std::string probe = "[[probe]]\nname = \"p\"\nbody = \"cart\"\n";
  expect_told({
      {probe + "axes = \"crat\"\n",
       "x.toml:18:8: probe.p.axes: there is no body 'crat'; did you mean 'cart'?"},
      {probe + "relative_to = \"slide\"\n", "probe.p.relative_to: there is no body 'slide'"},
  });
}

std::string thrown(auto&& f) {
  try {
    f();
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "nothing";
}

TEST(ControlMistakes, OfPrograms) {
  const auto result =
      load_scene_text(kCart +
                          "[[input]]\nname = \"push\"\nfrom = -1\nto = 1\n[[controller]]\nname = "
                          "\"c\"\ntype = \"formula\"\nperiod = 1\noutput = \"push\"\n",
                      "x.toml");
  const auto& scene = std::get<LoadedScene>(result);
  sim::Simulation sim(scene.built, scene.scene.settings);
  EXPECT_EQ(thrown([&] { sim.set_input("puhs", 1); }),
            "there is no input 'puhs'; did you mean 'push'?");
  EXPECT_EQ(thrown([&] { sim.set_input("push", 2); }),
            "input 'push' is given 2, outside its range, -1 to 1");
  EXPECT_EQ(thrown([&] { sim.set_input("push", std::nan("")); }), "input 'push' is given nan");
  EXPECT_EQ(thrown([&] { sim.set_input("c", 1); }), "'c' is given by a controller");
  EXPECT_EQ(thrown([&] {
              sim.set_input(model::InputHandle{0, 12345}, 1);
            }),
            "this is no handle of an input of this mechanism");
  EXPECT_EQ(thrown([&] { static_cast<void>(sim.input("pus")); }),
            "there is no input 'pus'; did you mean 'push'?");
  sim::Settings settings = scene.scene.settings;
  settings.controllers.push_back(settings.controllers[0]);
  settings.controllers.back().name = "d";
  EXPECT_NE(thrown([&] {
              sim::Simulation(scene.built, settings);
            }).find("input 'c' is given by 'c' already"),
            std::string::npos);
  settings.controllers.clear();
  EXPECT_EQ(thrown([&] { sim::Simulation(scene.built, settings); }),
            "controller.c: no controller gives the input 'c'");
}

}  // namespace
}  // namespace trammel::io::scene_control_wrong_test
