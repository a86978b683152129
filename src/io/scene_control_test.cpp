// Inputs, sensors with events, and controllers of scenes, against answers on paper, in every
// formulation.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <stdexcept>

#include "io/scene.h"
#include "sim/checkpoint.h"
#include "sim/instruments.h"
#include "sim/present.h"
#include "sim/simulation.h"

namespace trammel::io::scene_control_test {
namespace {

LoadedScene loaded(const std::string& text) {
  auto result = load_scene_text("format = 1\n" + text, "x.toml");
  if (auto* problems = std::get_if<SceneProblems>(&result)) {
    std::string all;
    for (const SceneProblem& p : *problems) all += to_text(p) + "\n";
    throw std::runtime_error(all + text);
  }
  return std::move(std::get<LoadedScene>(result));
}

/// A cart of 2 kg on a slide along x.
const std::string kCart = R"(
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
const std::string kRam = R"(
[[law]]
name = "ram"
type = "actuator"
joint = "slide"
force = "push"
)";

std::string run(const std::string& formulation, double seconds = 1, double step = 1e-3) {
  const std::string exact =
      formulation == "energy" ? "joint_stiffness = \"inf\"\ndifference = \"bdf2\"\n" : "";
  return fmt::format(
      "[simulation]\nformulation = \"{}\"\ngravity = 0\nduration = {}\nstep = {}\n{}", formulation,
      seconds, step, exact);
}

struct Ran {
  explicit Ran(const std::string& text)
      : scene(loaded(text)), sim(scene.built, scene.scene.settings), now(sim) {}
  /// To its end; `set` before each step.
  Ran& go(const std::function<void(sim::Simulation&)>& set = {}) {
    while (!sim.finished()) {
      if (set) set(sim);
      if (!sim.advance()) break;
    }
    EXPECT_EQ(sim.failure(), "");
    return *this;
  }
  double travel() { return now.coordinate("slide.travel"); }
  double rate() { return now.rate("slide.travel"); }
  double sensor(const char* name) { return now.of("/sensors/value", name)[0]; }

  LoadedScene scene;
  sim::Simulation sim;
  sim::Present now;
};

class Controlled : public testing::TestWithParam<const char*> {
 protected:
  static std::string of(double seconds = 1, double step = 1e-3) {
    return run(GetParam(), seconds, step);
  }
  /// By energy, bdf2 begins with a step of first order, and so after each jump.
  static double within(double exact, double by_energy) {
    return std::string(GetParam()) == "energy" ? by_energy : exact;
  }
};

const std::string kPush = "[[input]]\nname = \"push\"\nunit = \"N\"\n";

void step_to_4(sim::Simulation& sim) {
  if (sim.state().t > 0.4999) sim.set_input("push", 4);
}

TEST_P(Controlled, AnInputIsAForce) {
  Ran r(of() + kCart + kRam + kPush);
  r.go(step_to_4);
  EXPECT_NEAR(r.rate(), 1, within(1e-12, 1e-9));
  EXPECT_NEAR(r.travel(), 0.25, within(1e-12, 2e-6));
  EXPECT_EQ(r.now.of("/inputs/value", "push")[0], 4);
  EXPECT_LT(r.sim.summary().energy_residual, within(1e-12, 1e-9));
}

TEST_P(Controlled, AnInputIsPartOfAFormula) {
  Ran r(of() + kCart + kPush +
        "[[load]]\nname = \"F\"\ntype = \"force\"\nbody = \"cart\"\nforce = "
        "[{formula = \"2*push*t/0.75 [s]\"}, \"0*push\", 0]\n");
  r.go(step_to_4);                               // 8 N t/0.75 s from 0.5 s to 1 s: 4 N s
  EXPECT_NEAR(r.rate(), 2, within(1e-6, 1e-2));  // truncation; of first order where it jumps
}

TEST_P(Controlled, AnInputIsTheNumberOfASpring) {
  Ran r(of() + kCart + "[[input]]\nname = \"valve\"\nrest = \"2 N s/m\"\n" +
        "[[law]]\nname = \"damper\"\ntype = \"spring\"\njoint = \"slide\"\nfunction = \"4 [N] - "
        "valve*v\"\n");
  r.go();                                                             // 2 v' = 4 - 2 v
  EXPECT_NEAR(r.rate(), 2 * (1 - std::exp(-1)), within(1e-6, 1e-5));  // truncation
}

TEST_P(Controlled, WhatIsDrivenFollowsAnInput) {
  Ran r(of() + kCart + "[[input]]\nname = \"speed\"\nrest = \"0.1 m/s\"\n" +
        "[[law]]\nname = \"drive\"\ntype = \"driven\"\njoint = \"slide\"\nvelocity = \"speed\"\n");
  r.go([](sim::Simulation& sim) {
    if (sim.state().t > 0.3999) sim.set_input("speed", -0.3);
  });
  EXPECT_NEAR(r.travel(), 0.04 - 0.18, 1e-12);
  EXPECT_NEAR(r.rate(), -0.3, 1e-12);
}

TEST_P(Controlled, AMotorFollowsAnInput) {
  Ran r(of() + kCart + "[[input]]\nname = \"speed\"\nunit = \"m/s\"\n" +
        "[[law]]\nname = \"drive\"\ntype = \"motor\"\njoint = \"slide\"\nvelocity = \"speed\"\n"
        "force_min = -4\nforce_max = 4\n");
  r.go([](sim::Simulation& sim) {
    if (sim.state().t > 0.2499) sim.set_input("speed", 1);
  });
  EXPECT_NEAR(r.rate(), 1, 1e-3);  // by energy it creeps at the speed of its smoothing
  EXPECT_NEAR(r.travel(), 0.25 + 0.25, 3e-3);
}

TEST_P(Controlled, ASensorFollowsFromChannels) {
  Ran r(of() + kCart + kRam + kPush + R"(
[parameters]
k = 3
[[sensor]]
name = "power"
formula = "ram.force*slide.travel.rate"
[[sensor]]
name = "twice"
formula = "k*power - power + 1 [W]"
)");
  r.go(step_to_4);
  EXPECT_NEAR(r.sensor("power"), 4, 1e-9);
  EXPECT_NEAR(r.sensor("twice"), 9, 1e-9);
  EXPECT_EQ(r.sim.instruments()->unit(0), "W");
}

/// x = t^2: it passes 0.25 m at 0.5 s, off the grid of 0.3 ms.
TEST_P(Controlled, AnEventIsLocated) {
  Ran r(of(1, 3e-4) + kCart + kRam + "[[input]]\nname = \"push\"\nrest = \"4 N\"\n" + R"(
[[sensor]]
name = "way"
formula = "slide.travel"
events = [{at = "25 cm", direction = "rising"}, {at = "30 cm", direction = "falling"}]
)");
  r.go();
  const auto events = r.sim.take_events();
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].kind, form::EventKind::crossing);
  EXPECT_EQ(events[0].text, "rises through 0.25 m");
  EXPECT_NEAR(events[0].t, 0.5, within(1e-9, 1e-6));
  EXPECT_NEAR(r.travel(), 1, within(1e-10, 1e-6));
  EXPECT_EQ(r.sim.ended_by(), "");
}

TEST_P(Controlled, AnEventEndsARun) {
  Ran r(of(1, 3e-4) + kCart + kRam + "[[input]]\nname = \"push\"\nrest = \"4 N\"\n" + R"(
[[sensor]]
name = "way"
formula = "slide.travel"
events = [{at = "25 cm", stop = true, text = "there"}]
)");
  r.go();
  EXPECT_NEAR(r.sim.state().t, 0.5, within(1e-9, 1e-6));
  EXPECT_NEAR(r.travel(), 0.25, 1e-9);
  EXPECT_EQ(r.sim.ended_by(), "'way': there: it rises through 0.25 m at t = 0.5 s");
  EXPECT_TRUE(r.sim.finished());
  EXPECT_EQ(r.sim.summary().simulated, r.sim.state().t);
}

/// A swing through zero and back: both ways are seen, each once.
TEST_P(Controlled, AnEventComesAgain) {
  Ran r(of(2) + kCart + R"(
[[law]]
name = "spring"
type = "spring"
joint = "slide"
stiffness = "78.95683520871486 N/m"
rest = "10 cm"
[[sensor]]
name = "x"
formula = "slide.travel"
events = [{at = "0.1"}]
)");
  r.go();  // 0.1 (1 - cos(tau t)): at 0.25 s, 0.75 s, ...
  const auto events = r.sim.take_events();
  ASSERT_EQ(events.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_NEAR(events[i].t, 0.25 + 0.5 * static_cast<double>(i), 3e-5);  // truncation
  EXPECT_EQ(events[1].text, "falls through 0.1 m");
}

std::string servo(const std::string& more) {
  return "[[controller]]\nname = \"push\"\nunit = \"N\"\ntype = \"pid\"\nmeasure = "
         "\"slide.travel\"\n" +
         more;
}

/// kp and kd are a spring and a damper, but for the delay of half a period.
TEST_P(Controlled, APdServoIsASpringAndADamper) {
  const double w0 = std::sqrt(50.), d = 2.5, w = std::sqrt(w0 * w0 - d * d), t = 0.7;
  const double want = 1 - std::exp(-d * t) * (std::cos(w * t) + d / w * std::sin(w * t));
  const auto error = [&](const char* period, const char* rate) {
    Ran r(of(0.7, within(1e-3, 2e-4)) + kCart + kRam +
          servo(fmt::format("target = 1\nkp = \"100 N/m\"\nkd = \"10 N s/m\"\nperiod = "
                            "\"{}\"\n{}",
                            period, rate)));
    return r.go().travel() - want;
  };
  for (const char* rate : {"", "rate = \"slide.travel.rate\"\n"}) {
    const double coarse = error("2 ms", rate), fine = error("1 ms", rate);
    EXPECT_LT(std::abs(fine), 6e-3);
    EXPECT_NEAR(coarse / fine, 2, 0.1);  // of first order in the period
  }
}

TEST_P(Controlled, AnIntegralTakesTheLastErrorAway) {
  const std::string load =
      "[[load]]\nname = \"pull\"\ntype = \"force\"\nbody = \"cart\"\nforce = [-5, 0, 0]\n";
  const std::string pd = "period = \"5 ms\"\ntarget = \"20 cm\"\nkp = 100\nkd = 30\n";
  EXPECT_NEAR(Ran(of(12, 5e-3) + kCart + kRam + load + servo(pd)).go().travel(), 0.2 - 0.05, 1e-6);
  EXPECT_NEAR(Ran(of(12, 5e-3) + kCart + kRam + load + servo(pd + "ki = 100\n")).go().travel(), 0.2,
              1e-6);
}

/// The greatest force until 0.05 m/s are left. Then e'' + 10 e' + 5 e = 0 from e' = -10 e: it
/// overshoots by 0.003 m/s, where an integral that had gone on would have 9.5 N too much.
TEST_P(Controlled, ASaturatedServoDoesNotWindUp) {
  double most = 0;
  Ran r(of(4) + kCart + kRam +
        "[[controller]]\nname = \"push\"\nunit = \"N\"\ntype = \"pid\"\nmeasure = "
        "\"slide.travel.rate\"\nperiod = \"1 ms\"\ntarget = 1\nkp = 20\nki = 10\nlimits = [-1, "
        "\"1 N\"]\n");
  r.go([&](sim::Simulation& sim) {
    most = std::max(most, r.rate());
    if (std::abs(sim.state().t - 1.5) < 1e-9) {
      EXPECT_NEAR(r.rate(), 0.75, within(1e-12, 1e-6));
      EXPECT_NEAR(r.travel(), 0.5625, within(1e-12, 1e-6));
    }
  });
  EXPECT_GT(most, 1.0015);
  EXPECT_LT(most, 1.0035);
}

/// The output of a sample is held: 0, 2 T, 4 T, ... until 1 N.
TEST_P(Controlled, ALimitOfTheRateIsARamp) {
  Ran r(of(0.4) + kCart + kRam +
        servo("period = \"10 ms\"\ntarget = 0\nkp = 0\nfeedforward = \"1 N\"\nrate_limit = \"5 "
              "N/s\"\n"));
  r.go();
  double impulse = 0;
  for (int k = 0; k < 40; ++k) impulse += std::min(0.05 * k, 1.) * 0.01;
  EXPECT_NEAR(r.rate(), impulse / 2, 1e-12);
}

/// Samples off the grid: the force is the time of the last sample.
TEST_P(Controlled, SamplesNeedNoGrid) {
  Ran r(of(1) + kCart + kRam +
        "[[controller]]\nname = \"push\"\nunit = \"N\"\ntype = \"formula\"\nperiod = \"1.7 "
        "ms\"\noutput = \"2 [N/s]*t\"\n");
  r.go();
  double impulse = 0;
  for (double t = 0; t < 1; t += 0.0017) impulse += 2 * t * std::min(0.0017, 1 - t);
  EXPECT_NEAR(r.rate(), impulse / 2, 1e-10);
}

TEST_P(Controlled, FormulasRemember) {
  Ran r(of(1) + kCart + R"(
[[controller]]
name = "count"
type = "formula"
period = "0.1 s"
states = {n = {next = "n + 1"}, sum = {start = "1 s", next = "sum + n*period"}}
outputs = {n = "n", sum = "sum/1 [s]"}
[[sensor]]
name = "both"
formula = "count.n + count.sum"
)");
  r.go();  // the sample at 1 s is the eleventh
  EXPECT_EQ(r.now.of("/inputs/value", "count.n")[0], 10);
  EXPECT_NEAR(r.now.of("/inputs/value", "count.sum")[0], 1 + 4.5, 1e-12);
  EXPECT_NEAR(r.sensor("both"), 15.5, 1e-12);
}

/// An outer loop gives the inner one its target; both act at once, in the order of the file.
TEST_P(Controlled, ControllersActOneAfterTheOther) {
  Ran r(of(6, 2e-3) + kCart + kRam + R"(
[[controller]]
name = "speed"
unit = "m/s"
type = "pid"
measure = "slide.travel"
target = "50 cm"
kp = "2 1/s"
period = "2 ms"
)" +
        "[[controller]]\nname = \"push\"\nunit = \"N\"\ntype = \"pid\"\nmeasure = "
        "\"slide.travel.rate\"\ntarget = \"speed\"\nkp = \"40 N s/m\"\nperiod = \"2 ms\"\n");
  r.go();
  EXPECT_NEAR(r.travel(), 0.5, 1e-4);
}

/// What is driven by a controller jumps at its samples, and its velocity with it.
TEST_P(Controlled, AControllerDrivesWhatIsHeld) {
  Ran r(of(1) + kCart + R"(
[[controller]]
name = "speed"
unit = "m/s"
type = "formula"
period = "0.25 s"
output = "if(t < 0.4 [s], 1, -1)*1 [m/s]"
[[law]]
name = "drive"
type = "driven"
joint = "slide"
velocity = "speed"
)");
  r.go();
  EXPECT_NEAR(r.travel(), 0.5 - 0.5, 1e-12);
  EXPECT_NEAR(r.rate(), -1, 1e-12);
}

/// A run that is resumed is the same to the bit.
TEST_P(Controlled, ACheckpointHasAllOfIt) {
  const std::string text = of(1) + kCart + kRam + kPush.substr(0, 0) +
                           servo(
                               "period = \"1.7 ms\"\ntarget = \"0.1*trim\"\nkp = 100\nki = "
                               "50\nkd = 8\nfilter = \"5 ms\"\nrate_limit = 300\n") +
                           R"(
[[input]]
name = "trim"
unit = "m"
[[sensor]]
name = "x"
formula = "slide.travel"
events = [{at = 0.05}]
)";
  const auto set = [](sim::Simulation& sim) {
    if (sim.state().t > 0.2999) sim.set_input("trim", 1);
  };
  Ran whole(text);
  whole.go(set);
  Ran first(text), second(text);
  while (first.sim.state().t < 0.6121) {
    set(first.sim);
    ASSERT_TRUE(first.sim.advance());
  }
  sim::from_bytes(sim::to_bytes(first.sim), second.sim);
  EXPECT_EQ(second.sim.input("trim"), 1);
  second.go(set);
  EXPECT_EQ(model::hash(second.sim.state()), model::hash(whole.sim.state()));
  EXPECT_GE(whole.sim.summary().events, 1);
  EXPECT_EQ(second.sim.summary().events, whole.sim.summary().events);
}

INSTANTIATE_TEST_SUITE_P(Formulations, Controlled,
                         testing::Values("velocity", "acceleration", "energy"));

TEST(Inputs, SayHowHandsMoveThem) {
  const LoadedScene all = loaded(kCart + kRam + R"(
[[input]]
name = "push"
from = "-3 kN"
to = "1 kN"
keys = ["s", "ArrowUp"]
returns = false
axis = 2
[[input]]
name = "slow"
unit = "deg"
keys = " "
rate = 90
[[input]]
name = "free"
[[controller]]
name = "given"
type = "formula"
period = 0.1
output = 1
[[sensor]]
name = "way"
formula = "slide.travel"
display = true
[[sensor]]
name = "half"
formula = "way/2"
)");
  const std::vector<InputControl>& c = all.scene.controls;
  ASSERT_EQ(c.size(), 3u);
  EXPECT_EQ(c[0].input, "push");
  EXPECT_EQ(c[0].keys, (std::vector<std::string>{"s", "ArrowUp"}));
  EXPECT_EQ(c[0].rate, 4000);  // the whole range in a second
  EXPECT_FALSE(c[0].returns);
  EXPECT_EQ(c[0].axis, 2);
  EXPECT_EQ(c[1].keys, (std::vector<std::string>{" "}));
  EXPECT_NEAR(c[1].rate, M_PI / 2, 1e-15);
  EXPECT_TRUE(c[1].returns);
  EXPECT_EQ(c[1].axis, -1);
  EXPECT_TRUE(c[2].keys.empty());
  EXPECT_EQ(c[2].rate, 1);
  EXPECT_TRUE(all.scene.settings.sensors[0].display);
  EXPECT_FALSE(all.scene.settings.sensors[1].display);
}

TEST(Probes, ShowTheMotionOfAPoint) {
  Ran r(run("velocity") + R"(
[[body]]
name = "table"
mass = "5 kg"
cylinder = {radius = "50 cm", length = "5 cm"}
angular_velocity = [0, 0, 2]
[[body]]
name = "arm"
mass = "1 kg"
sphere = "5 cm"
position = ["30 cm", 0, 0]
velocity = [0, 0.6, 0]
angular_velocity = [0, 0, 2]
[[joint]]
name = "pivot"
type = "revolute"
b = "table"
at = [0, 0, 0]
axis = [0, 0, 1]
[[joint]]
name = "bolt"
type = "fixed"
a = "table"
b = "arm"
at = ["30 cm", 0, 0]
[[probe]]
name = "tip"
body = "arm"
point = ["10 cm", 0, 0]
[[probe]]
name = "own"
body = "arm"
point = ["10 cm", 0, 0]
axes = "table"
[[probe]]
name = "seen"
body = "arm"
point = ["10 cm", 0, 0]
axes = "table"
relative_to = "table"
)");
  r.go();
  const double a = 2;  // rad at 1 s, 0.4 m out at 2 rad/s
  const auto is = [&](const char* quantity, const char* probe, const Vec3& want, double within) {
    const auto x = r.now.of(std::string("/probes/") + quantity, probe);
    EXPECT_NEAR((Vec3(x[0], x[1], x[2]) - want).norm(), 0, within) << quantity << " " << probe;
  };
  is("position", "tip", {0.4 * std::cos(a), 0.4 * std::sin(a), 0}, 1e-6);
  is("velocity", "tip", {-0.8 * std::sin(a), 0.8 * std::cos(a), 0}, 1e-6);
  const double b = a - 0.001;  // the mean over a step is that of its middle
  is("motion_acceleration", "tip", {-1.6 * std::cos(b), -1.6 * std::sin(b), 0}, 1e-5);
  is("angular_velocity", "tip", {0, 0, 2}, 1e-9);
  is("angles", "tip", {0, 0, a}, 1e-6);
  is("velocity", "own", {0, 0.8, 0}, 1e-6);
  is("motion_acceleration", "own", {-1.6, 0, 0}, 2e-3);  // the axes turn in half a step
  is("position", "seen", {0.4, 0, 0}, 1e-9);
  is("velocity", "seen", Vec3::Zero(), 1e-9);
  is("motion_acceleration", "seen", Vec3::Zero(), 1e-6);
  is("angular_velocity", "seen", Vec3::Zero(), 1e-9);
  is("angles", "seen", Vec3::Zero(), 1e-9);
}

TEST(Inputs, AreOfPartsToo) {
  Ran r(run("velocity") + R"(
[[input]]
name = "push"
unit = "N"
rest = 2
[[part]]
name = "left"
[[part.body]]
name = "cart"
mass = "2 kg"
sphere = "10 cm"
[[part.joint]]
name = "slide-1"
type = "prismatic"
b = "cart"
at = [0, 0, 0]
[[part.law]]
name = "ram"
type = "actuator"
joint = "slide-1"
force = "push + trim"
[[part.input]]
name = "trim"
rest = "2 N"
[[part.sensor]]
name = "x"
formula = "`slide-1.travel` + 0*cart.position.x"
)");
  r.go();
  EXPECT_NEAR(r.sensor("left.x"), 1, 1e-12);
  EXPECT_EQ(r.sim.input("left.trim"), 2);
}

// A wheel at one turn a second, which nothing but a sensor looks at: its angle counts.
TEST_P(Controlled, AnglesThatAreReadCountTheirTurns) {
  const std::string wheel = R"(
[[body]]
name = "wheel"
mass = "1 kg"
sphere = "10 cm"
[[joint]]
name = "axle"
type = "revolute"
b = "wheel"
at = [0, 0, 0]
rate = "1 rev/s"
[[sensor]]
name = "turns"
formula = "axle.angle"
events = [{at = "2 rev"}]
)";
  Ran r(run(GetParam(), 2.5, 1e-2) + wheel);
  r.go();
  const double error = GetParam() == std::string("energy") ? 3e-2 : 1e-6;  // truncation
  EXPECT_NEAR(r.sensor("turns"), 5 * M_PI, error);
  const auto events = r.sim.take_events();
  ASSERT_EQ(events.size(), 1u);
  EXPECT_NEAR(events[0].t, 2, error / 6);
}

// A cart at 1 m/s, and a sensor that is no number beyond 0.505 m.
TEST_P(Controlled, ASensorWithEventsThatIsNoNumberEndsTheRun) {
  const std::string sensor = R"toml(rate = "1 m/s"
[[sensor]]
name = "gap"
formula = "sqrt(0.505 - cart.position.x/1 [m])"
events = [{at = -1, stop = true}]
)toml";
  Ran r(of(1, 1e-2) + kCart + sensor);
  while (!r.sim.finished() && r.sim.advance()) {
  }
  EXPECT_EQ(r.sim.failure(),
            "t = 0.51 s: sensor 'gap' is no number: whether it passes -1 cannot be seen");
}

}  // namespace
}  // namespace trammel::io::scene_control_test
