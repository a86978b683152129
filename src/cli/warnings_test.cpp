// What a run says of its own accuracy: each kind of warning, beside a scene just short of it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cli/command.h"
#include "cli/test_warnings.h"
#include "io/results.h"
#include "sim/checkpoint.h"

namespace trammel::cli::warnings_test {

namespace fs = std::filesystem;

namespace {

using namespace test;

std::string swinging(double k) {
  return slider(fmt::format("type = \"spring\"\nstiffness = {}", k), "velocity = [1, 0, 0]");
}

/// Spins about its hinge, with a weak spring on the angle.
std::string rotor(double rate) {
  return fmt::format(R"(
[[body]]
name = "rotor"
mass = 1
sphere = 0.1
angular_velocity = [{}, 0, 0]
[[joint]]
name = "bearing"
type = "revolute"
b = "rotor"
at = [0, 0, 0]
axis = [1, 0, 0]
[[law]]
name = "weak"
type = "spring"
joint = "bearing"
stiffness = 1e-6
)",
                     rate);
}

std::string double_pendulum() {
  return R"(
[[body]]
name = "upper"
mass = 1
sphere = 0.1
position = [1, 0, 0]
[[body]]
name = "lower"
mass = 1
sphere = 0.1
position = [2, 0, 0]
[[joint]]
name = "top"
type = "revolute"
b = "upper"
at = [0, 0, 0]
axis = [0, 1, 0]
[[joint]]
name = "elbow"
type = "revolute"
a = "upper"
b = "lower"
at = [1, 0, 0]
axis = [0, 1, 0]
)";
}

/// A parallelogram of bars that hangs in its flattened pose, where it could branch, and swings.
std::string flattened() {
  std::string out;
  const auto bar = [&](const char* name, double length, double z, const char* motion) {
    out += fmt::format(
        "[[body]]\nname = \"{}\"\nmass = 1\nbox = [0.1, 0.1, {}]\nposition = [0, 0, {}]\n{}\n",
        name, length, z, motion);
  };
  const auto hinge = [&](const char* name, const char* a, const char* b, double z) {
    out += fmt::format(
        "[[joint]]\nname = \"{}\"\ntype = \"revolute\"\na = \"{}\"\nb = \"{}\"\nat = [0, 0, {}]\n"
        "axis = [0, 1, 0]\n",
        name, a, b, z);
  };
  bar("crank", 1, -0.5, "velocity = [-0.25, 0, 0]\nangular_velocity = [0, 0.5, 0]");
  bar("coupler", 2, -2, "velocity = [-0.5, 0, 0]");
  bar("rocker", 1, -2.5, "velocity = [-0.25, 0, 0]\nangular_velocity = [0, 0.5, 0]");
  hinge("first", "ground", "crank", 0);
  hinge("second", "crank", "coupler", -1);
  hinge("third", "coupler", "rocker", -3);
  hinge("fourth", "ground", "rocker", -2);
  return out;
}

}  // namespace

TEST(Warnings, EnergyResidual) {
  const auto bad = warnings(simulation("10 s", "100 ms") + double_pendulum());
  const sim::Warning w = only("energy residual", bad);
  EXPECT_TRUE(w.grave) << sim::sentence(w);
  EXPECT_TRUE(has(w.remedy, "use a step below ")) << w.remedy;
  EXPECT_LT(w.t_first, w.t_worst + 1e-9);
  EXPECT_EQ(kinds(warnings(simulation("10 s", "1 ms") + double_pendulum())), "");
}

// The loss of a small mechanism does not hide behind what a big one beside it has.
TEST(Warnings, EachMechanismByItself) {
  const std::string train = R"(
[[body]]
name = "train"
mass = 1e5
sphere = 1
position = [0, 50, 0]
velocity = [20, 0, 0]
)";
  const sim::Warning w =
      only("energy residual", warnings(simulation("5 s", "100 ms") + train + double_pendulum()));
  EXPECT_EQ(w.subject, "upper");
  EXPECT_TRUE(w.grave) << sim::sentence(w);
  EXPECT_EQ(kinds(warnings(simulation("5 s", "1 ms") + train + double_pendulum())), "");
}

// Nothing moves: what is left of energies is rounding, however far from the origin.
TEST(Warnings, NothingMoves) {
  for (const std::string place : {"[0, 0, 0]", "[1e5, 3e4, 1e5]"})
    EXPECT_EQ(
        kinds(warnings(simulation("0.2 s", "1 ms") +
                       slider("type = \"spring\"\nstiffness = 1e5", "position = " + place, place))),
        "");
}

// bdf1 of a pendulum: the integrator's account says what it takes.
TEST(Warnings, NumericalDamping) {
  const auto scene = [](const char* difference, const char* step) {
    return simulation("5 s", step,
                      fmt::format("formulation = \"energy\"\ndifference = \"{}\"", difference)) +
           double_pendulum();
  };
  const auto bad = warnings(scene("bdf1", "10 ms"));
  const sim::Warning w = only("numerical damping", bad);
  EXPECT_TRUE(w.grave);
  EXPECT_TRUE(has(w.remedy, "difference = \"bdf2\"")) << w.remedy;
  EXPECT_EQ(kinds(warnings(scene("bdf2", "2 ms"))), "");
}

/// Where a motion that is given kinks, it takes energy as an impact does: that is no damping of the
/// scheme.
TEST(Warnings, AKinkOfADriveIsNoDamping) {
  const std::string follows =
      "type = \"driven\"\ndisplacement = {time = [0, 0.2, 0.405, 1], value = [0, 0, 0.2, 0.2]}";
  for (const char* difference : {"bdf1", "bdf2", "midpoint"})
    EXPECT_EQ(kinds(warnings(simulation("1 s", "10 ms",
                                        fmt::format("gravity = 0\nformulation = \"energy\"\n"
                                                    "difference = \"{}\"",
                                                    difference)) +
                             slider(follows))),
              "")
        << difference;
}

/// midpoint damps nothing, and is stable whatever the step for linear forces only: stiff joints
/// that it does not resolve feed on the motion.
TEST(Warnings, NumericalGain) {
  const std::string midpoint = "formulation = \"energy\"\ndifference = \"midpoint\"";
  const auto gain =
      only("numerical gain", warnings(simulation("8 s", "5 ms", midpoint) + double_pendulum()));
  EXPECT_TRUE(gain.grave);
  EXPECT_TRUE(has(gain.text, "the scheme has put in")) << gain.text;
  const std::string soft = midpoint + "\njoint_stiffness = 1e4";
  EXPECT_EQ(kinds(warnings(simulation("8 s", "1 ms", soft) + double_pendulum())), "soft joints");
}

TEST(Warnings, FallbackSteps) {
  const auto w = only("fallback steps", warnings(simulation("5 s", "50 ms") + flattened()));
  EXPECT_GT(w.value, sim::kFallbackLimit);
  EXPECT_TRUE(has(w.text, "of 100 steps were made by the way of singular configurations"))
      << w.text;
  EXPECT_EQ(kinds(warnings(simulation("5 s", "10 ms") + flattened())), "");
}

TEST(Warnings, LargeTurns) {
  EXPECT_EQ(kinds(warnings(simulation("0.1 s", "1 ms") + rotor(990))), "");
  const sim::Warning w = only("large turns", warnings(simulation("0.1 s", "1 ms") + rotor(1100)));
  EXPECT_FALSE(w.grave);
  EXPECT_EQ(w.subject, "rotor");
  EXPECT_NEAR(w.value, 1.1, 1e-9);
  EXPECT_NEAR(w.t_first, 1e-3, 1e-12);
  EXPECT_TRUE(has(w.remedy, "use a step below 400 us")) << w.remedy;  // half a radian a step
  // more than half a turn a step: which way it was, and how often, cannot be told
  EXPECT_TRUE(only("large turns", warnings(simulation("0.1 s", "1 ms") + rotor(3300))).grave);
}

TEST(Warnings, UnresolvedVibration) {
  // step times angular frequency 3.2, and 0.9
  const sim::Warning w =
      only("unresolved vibration", warnings(simulation("1 s", "10 ms") + swinging(1e5)));
  EXPECT_EQ(w.subject, "it");
  EXPECT_NEAR(w.value, std::sqrt(1e5) * 0.01, 0.05);
  EXPECT_TRUE(has(w.remedy, "use a step below ")) << w.remedy;
  for (const sim::Warning& other : warnings(simulation("1 s", "10 ms") + swinging(8.1e3)))
    EXPECT_NE(other.kind, sim::WarningKind::unresolved_vibration) << sim::sentence(other);
}

// What no step can follow is not judged afterwards: the run stops there.
TEST(Warnings, ADriveThatTeleportsStopsTheRun) {
  const auto scene = [](const char* course) {
    return simulation("2.5 s", "1 ms") +
           slider(fmt::format("type = \"driven\"\ndisplacement = {{formula = \"{}\"}}", course));
  };
  const std::string why = failure(scene("0.1 [m]*floor(t/(1 [s]))"));
  EXPECT_TRUE(has(why, "'it'") && has(why, "jumps by 0.1 at t = 1 s")) << why;
  EXPECT_EQ(kinds(warnings(scene("0.1 [m]*(1 - cos(3*t))"))), "");
}

// Explicit steps too long for a damper blow up: the run stops where numbers end.
TEST(Warnings, WhatGrowsWithoutBoundStopsTheRun) {
  const std::string forces = "formulation = \"acceleration\"\nmethod = \"rk4\"\ngravity = 0";
  const std::string dragged = R"(
[[body]]
name = "ball"
mass = 1
sphere = 0.05
velocity = [10, 0, 0]
[[load]]
name = "thick"
type = "drag"
body = "ball"
linear = 100
)";
  const std::string soft = R"(
[[body]]
name = "soft"
kind = "affine"
density = 1000
box = [1, 0.1, 0.1]
stiffness = 1e6
angular_velocity = [0, 0, 30]
)";
  for (const auto& [scene, body] :
       {std::pair{simulation("20 s", "100 ms", forces) + dragged, "'ball'"},
        std::pair{simulation("2 s", "1 ms", forces) + soft, "'soft'"}}) {
    const Prepared p = prepared(scene);
    while (!p.simulation->finished() && p.simulation->advance()) continue;
    const std::string why = p.simulation->failure();
    EXPECT_TRUE(has(why, "without bound") && has(why, body) && has(why, "t = ")) << why;
    for (const double x : p.simulation->state().q) EXPECT_TRUE(std::isfinite(x));
    EXPECT_TRUE(std::isfinite(p.simulation->summary().energy_residual));
    EXPECT_TRUE(std::isfinite(p.simulation->summary().energy_scale));
  }
}

// A pendulum about a far pivot: turning about itself only is no motion of it, and at rest none is
// lost.
TEST(Warnings, StartVelocities) {
  const auto pendulum = [](const char* velocities) {
    return fmt::format(
        "{}[[body]]\nname = \"bob\"\nmass = 2\nsphere = 0.05\nposition = [1, 0, 0]\n{}\n[[joint]]\n"
        "name = \"pivot\"\ntype = \"revolute\"\nb = \"bob\"\nat = [0, 0, 0]\naxis = [0, 1, 0]\n",
        simulation("0.1 s", "1 ms", "gravity = 0"), velocities);
  };
  const sim::Warning w =
      only("start velocities", warnings(pendulum("angular_velocity = [0, 1, 0]")));
  EXPECT_TRUE(w.grave);
  EXPECT_EQ(w.subject, "bob");
  EXPECT_NEAR(w.value, 1 / (1 + 0.4 * 0.0025), 1e-12);  // all but I/(I + m r^2)
  // what a drive takes along was given nothing; another body's spin is none of it
  EXPECT_EQ(
      kinds(warnings(pendulum("") +
                     "[[law]]\nname = \"d\"\njoint = \"pivot\"\ntype = \"driven\"\nvelocity = 10\n"
                     "[[body]]\nname = \"wheel\"\nmass = 1\nsphere = 0.1\nposition = [3, 0, 0]\n"
                     "angular_velocity = [0, 0, 0.1]\n")),
      "");
  for (const char* fits : {"", "velocity = [0, 0, -1]\nangular_velocity = [0, 1, 0]"})
    EXPECT_EQ(kinds(warnings(pendulum(fits))), "") << fits;
}

/// A fast top on its tip: what each step loses is little, what all of them do turns its axis.
TEST(Warnings, MomentumResidual) {
  const auto top = [](const char* step) {
    return simulation("0.5 s", step, "formulation = \"acceleration\"\nmethod = \"rk4\"") + R"(
[[body]]
name = "top"
mass = 1
inertia = [0.001, 0.001, 0.002]
com = [0, 0, 0.1]
orientation = { axis = [0, 1, 0], angle = 0.5235987755982988 }
angular_velocity = [449.7633234399857, 0, 779.55950868163]
velocity = [0, 0.02732905512701933, 0]
[[joint]]
name = "tip"
type = "spherical"
b = "top"
at = [0, 0, 0]
)";
  };
  const sim::Warning w = only("momentum residual", warnings(top("1 ms")));
  EXPECT_EQ(w.subject, "top");
  EXPECT_GT(w.value, 5 * w.limit) << sim::sentence(w);
  // of the step of 1 ms, by the square root of the excess: at most two decimals are shown
  const std::string below = "use a step below ";
  ASSERT_TRUE(has(w.remedy, below)) << w.remedy;
  const double step = std::stod(w.remedy.substr(w.remedy.find(below) + below.size()));
  EXPECT_NEAR(step / (1e3 * std::sqrt(0.5 * w.limit / w.value)), 1, 0.2) << w.remedy;  // us
  EXPECT_EQ(kinds(warnings(top("0.1 ms"))), "");
}

// What no scene should show: judged from figures put in by hand.
TEST(Warnings, OfFiguresAlone) {
  const Prepared p = prepared(simulation("1 s", "1 ms") +
                              slider("type = \"limit\"\nto = \"1 m\"", "velocity = [1, 0, 0]"));
  const auto judged = [&](auto put) {
    sim::Watch watch(p.loaded.built, p.loaded.scene.settings);
    watch.seen.moved = 10;
    watch.seen.steps = 1000;
    put(watch.seen);
    return sim::judge(watch, p.simulation->model(), p.loaded.scene.settings);
  };
  const auto sunk = [&](double times) {
    return judged([&](sim::Observed& o) {
      o.sunk.see(times, sim::kSunkLimit, 0.3, 0);
      o.sunk_depth = 1e-3 * times;
      o.sunk_allowed = 1e-3;
    });
  };
  EXPECT_EQ(kinds(sunk(1.9)), "");
  const sim::Warning w = only("deep sinking", sunk(2.1));
  EXPECT_EQ(w.subject, "it");
  EXPECT_DOUBLE_EQ(w.t_first, 0.3);
  EXPECT_DOUBLE_EQ(w.value, 2.1e-3);
  const auto corrected = [&](double energy) {
    return kinds(judged([&](sim::Observed& o) { o.corrections.see(energy, 0.5); }));
  };
  EXPECT_EQ(corrected(0.9), "");
  EXPECT_EQ(corrected(1.1), "position corrections");
  const auto fallen_back = [&](long steps) {
    return kinds(judged([&](sim::Observed& o) { o.fallbacks = steps; }));
  };
  EXPECT_EQ(fallen_back(99), "");
  EXPECT_EQ(fallen_back(101), "fallback steps");
}

// (Over its whole duration soft_links.toml rightly tells of numerical damping.)
TEST(Warnings, ShippedScenesHaveNone) {
  for (const auto& entry : fs::directory_iterator(TRAMMEL_SOURCE_DIR "/scenes")) {
    if (entry.path().extension() != ".toml") continue;
    auto out = prepare(entry.path().string(), {});
    const Prepared p = std::move(std::get<Prepared>(out));
    const double most = std::min(p.simulation->end(), 1.0);
    while (p.simulation->state().t < most && p.simulation->advance()) continue;
    EXPECT_EQ(kinds(p.simulation->warnings()), "") << entry.path();
  }
}

// What was seen goes through checkpoints: the same warnings, bit for bit.
TEST(Warnings, GoThroughCheckpoints) {
  const std::string text = simulation("5 s", "100 ms") + double_pendulum();
  Prepared whole = prepared(text), first = prepared(text), second = prepared(text);
  while (!whole.simulation->finished()) ASSERT_TRUE(whole.simulation->advance());
  while (first.simulation->steps_made() < 37) ASSERT_TRUE(first.simulation->advance());
  sim::from_bytes(sim::to_bytes(*first.simulation), *second.simulation);
  while (!second.simulation->finished()) ASSERT_TRUE(second.simulation->advance());
  const auto a = whole.simulation->warnings(), b = second.simulation->warnings();
  EXPECT_FALSE(a.empty());
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].kind, b[i].kind);
    EXPECT_EQ(sim::sentence(a[i]), sim::sentence(b[i]));
    EXPECT_EQ(a[i].value, b[i].value);
    EXPECT_EQ(a[i].t_first, b[i].t_first);
  }
}

class Untrusted : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "trammel_warn_XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    std::ofstream(path("s.toml")) << "format = 1\n"
                                  << simulation("5 s", "100 ms") << double_pendulum();
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  struct Said {
    int code;
    std::string out, err;
  };
  static Said run(std::vector<std::string> arguments) {
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    Said said{program(arguments), "", ""};
    std::fflush(stdout);
    said.err = testing::internal::GetCapturedStderr();
    said.out = testing::internal::GetCapturedStdout();
    return said;
  }

  fs::path folder_;
};

TEST_F(Untrusted, RunEndsWithThreeAndSaysWhy) {
  const Said said = run({"run", path("s.toml"), "-o", path("r"), "--json"});
  EXPECT_EQ(said.code, kNumbers);
  EXPECT_TRUE(has(said.err, "warning: energy residual")) << said.err;
  EXPECT_TRUE(has(said.err, "trammel verify " + path("s.toml"))) << said.err;
  EXPECT_TRUE(has(said.err, "--accept-inaccuracy")) << said.err;
  std::ostringstream summary;
  summary << std::ifstream(path("r/summary.json")).rdbuf();
  for (const std::string& text : {said.out, summary.str()}) {
    EXPECT_TRUE(has(text, "\"status\": \"inaccurate\"")) << text;
    EXPECT_TRUE(has(text, "\"kind\": \"energy residual\"")) << text;
    EXPECT_TRUE(has(text, "\"grave\": true")) << text;
  }
  const io::ResultsReader results(path("r/results.h5"));
  EXPECT_EQ(results.ending(), io::Ending::inaccurate);
  EXPECT_EQ(results.events().back().kind, "warning");
  const Said info = run({"info", path("r")});
  EXPECT_TRUE(has(info.out, "not to be trusted")) << info.out;
  EXPECT_TRUE(has(info.out, "warning 'lower': energy residual")) << info.out;
}

TEST_F(Untrusted, AcceptedItEndsWithZero) {
  const Said said = run({"run", path("s.toml"), "-o", path("r"), "--accept-inaccuracy"});
  EXPECT_EQ(said.code, kDone);
  EXPECT_TRUE(has(said.err, "warning: energy residual")) << said.err;
  EXPECT_TRUE(has(said.out, "warnings\n  energy residual")) << said.out;
  // resume of what is finished judges as the run did
  EXPECT_EQ(run({"resume", path("r")}).code, kNumbers);
  EXPECT_EQ(run({"resume", path("r"), "--accept-inaccuracy"}).code, kDone);
  EXPECT_EQ(run({"resume", path("r"), "--until", "6 s"}).code, kNumbers);
}

// A step that does not divide the duration: the last one is shorter.
TEST_F(Untrusted, RunEndsAtItsDuration) {
  const Said said = run({"run", path("s.toml"), "-o", path("r"), "--step", "0.15", "--duration",
                         "0.2", "--output-step", "0.15", "--accept-inaccuracy"});
  ASSERT_EQ(said.code, kDone) << said.err;
  EXPECT_DOUBLE_EQ(io::ResultsReader(path("r/results.h5")).time().back(), 0.2);
  // and gets longer on the grid
  ASSERT_EQ(run({"resume", path("r"), "--until", "0.5", "--accept-inaccuracy"}).code, kDone);
  const std::vector<double> time = io::ResultsReader(path("r/results.h5")).time();
  ASSERT_EQ(time.size(), 6u);  // the first end among them
  EXPECT_DOUBLE_EQ(time[2], 0.2);
  EXPECT_DOUBLE_EQ(time[3], 0.3);
  EXPECT_DOUBLE_EQ(time[4], 0.45);
  EXPECT_DOUBLE_EQ(time[5], 0.5);
}

TEST_F(Untrusted, StepsBeyondReasonAreRefused) {
  const auto code = [&](const char* duration, const char* step) {
    return run({"run", path("s.toml"), "-o", path("r"), "--duration", duration, "--step", step})
        .code;
  };
  EXPECT_EQ(code("1e300", "1 ms"), kInput);
  EXPECT_EQ(code("1 s", "1e-300"), kInput);
  EXPECT_EQ(code("1e-10", "1 ms"), kInput);
  const Said said =
      run({"run", path("s.toml"), "-o", path("r"), "--duration", "1e10", "--step", "1 ms"});
  EXPECT_TRUE(has(said.err, "1e+10 s in steps of 0.001 s are 1e+13 steps; the most are 1e+12"))
      << said.err;
}

}  // namespace trammel::cli::warnings_test
