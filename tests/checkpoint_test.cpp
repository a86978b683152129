// A simulation taken to bytes and up again in another one goes on bit for bit: its state, its
// accounts, what it counts, what is recorded of it.
#include "sim/checkpoint.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <random>

#include "io/scene.h"
#include "sim/recorder.h"
#include "support.h"
#include "systems.h"

namespace trammel::acceptance::checkpoint_test {
namespace {

struct Case {
  std::string name, scene;  // a file of scenes/, or a text
  std::vector<io::Override> overrides = {};
  long steps = 3000;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

io::LoadedScene loaded(const Case& c) {
  const bool text = c.scene.find('\n') != std::string::npos;
  auto out = text ? io::load_scene_text(c.scene, c.name, c.overrides)
                  : io::load_scene(TRAMMEL_SOURCE_DIR "/scenes/" + c.scene, c.overrides);
  if (const auto* problems = std::get_if<io::SceneProblems>(&out))
    throw std::runtime_error(io::to_text(problems->front()));
  return std::get<io::LoadedScene>(std::move(out));
}

/// All numbers of a frame.
std::vector<double> frame(const sim::Simulation& sim) {
  sim::Recorder recorder(sim);
  recorder.begin_frame();
  std::vector<double> out;
  for (std::size_t i = 0; i < recorder.quantities().size(); ++i) {
    const std::vector<double>& row = recorder.frame(i);
    out.insert(out.end(), row.begin(), row.end());
  }
  return out;
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

/// Names of the fields of the state that differ.
std::string differing(const model::State& a, const model::State& b) {
  std::string out;
  model::State::each(a, [&](const char* name, const auto& x) {
    model::State::each(b, [&](const char* other, const auto& y) {
      if constexpr (std::is_same_v<decltype(x), decltype(y)>)
        if (std::string(name) == other && !(x == y)) out += std::string(" ") + name;
    });
  });
  return out;
}

// A stack that sticks on a slope, and a ball that bounces on it.
const char kStack[] = R"toml(format = 1
simulation = {duration = "4 s", step = "5 ms", gravity = [2, 0, -9.6]}
contact = [{friction = 0.6, restitution = 0.5, rolling_friction = "1 mm"}]
obstacle = [{name = "floor", half_space = [0, 0, 1]}]
defaults = {body = {contact = "solids"}}
[[repeat]]
count = 6
body = [{name = "box{i}", mass = "2 kg", box = ["1 m", "1 m", "0.4 m"], position = [0, 0, "0.2 m + i*0.4*1 m"]}]
[[body]]
name = "ball"
mass = "1 kg"
sphere = "20 cm"
position = ["0.1 m", 0, "3 m"]
)toml";

const char kGears[] = R"toml(format = 1
[simulation]
duration = "4 s"
[[body]]
name = "pinion"
mass = "2 kg"
cylinder = {radius = "10 cm", length = "5 cm"}
[[body]]
name = "wheel"
mass = "9 kg"
cylinder = {radius = "25 cm", length = "5 cm"}
position = ["35 cm", 0, 0]
[[body]]
name = "rack"
mass = "3 kg"
box = ["1 m", "5 cm", "5 cm"]
position = [0, "-50 cm", 0]
[[joint]]
name = "first"
type = "revolute"
b = "pinion"
at = [0, 0, 0]
axis = [0, 0, 1]
[[joint]]
name = "second"
type = "revolute"
b = "wheel"
at = ["35 cm", 0, 0]
axis = [0, 0, 1]
[[joint]]
name = "way"
type = "prismatic"
b = "rack"
at = [0, "-50 cm", 0]
axis = [1, 0, 0]
[[coupling]]
name = "mesh"
type = "gear"
of = ["first.angle", "second.angle"]
teeth = [20, 50]
limits = ["-3 N m", "3 N m"]
[[coupling]]
name = "drive"
type = "rack"
of = ["way.travel", "first.angle"]
radius = "10 cm"
[[law]]
name = "motor"
type = "motor"
joint = "second"
coordinate = "angle"
velocity = {time = [0, 1, 1.0005, 3], value = [0, 30, -10, 20]}
force_min = "-8 N m"
force_max = "8 N m"
[[law]]
name = "spring"
type = "spring"
joint = "way"
coordinate = "travel"
stiffness = "400 N/m"
damping = "3 N s/m"
)toml";

const char kFalling[] = R"toml(format = 1
[simulation]
duration = "3 s"
[[body]]
name = "ball"
mass = "2 kg"
sphere = "5 cm"
velocity = ["1 m/s", 0, "2 m/s"]
[[body]]
name = "bob"
mass = "1 kg"
sphere = "5 cm"
position = [0, "30 cm", 0]
velocity = ["1 m/s", 0, "2 m/s"]
[[joint]]
name = "table"
rows = ["up = Az.D"]
b = "ball"
at = [0, 0, 0]
unilateral = ["up"]
restitution = 0.6
[[joint]]
name = "string"
type = "distance"
a = "ball"
b = "bob"
frame_a = {position = [0, 0, 0]}
frame_b = {position = [0, 0, 0]}
[[load]]
name = "air"
type = "drag"
body = "bob"
linear = "0.5 N s/m"
quadratic = "0.2 N s^2/m^2"
[[load]]
name = "wind"
type = "force"
body = "bob"
force = [{formula = "3*sin(7*t)"}, 0, 0]
)toml";

const char kStrained[] = R"toml(format = 1
[simulation]
duration = "1 s"
[[body]]
name = "bar"
kind = "affine"
density = "1200 kg/m^3"
box = ["50 cm", "10 cm", "10 cm"]
stiffness = "20 MPa"
position = ["25 cm", 0, 0]
[[joint]]
name = "hook"
type = "spherical"
b = "bar"
at = [0, 0, 0]
)toml";

/// The scene in the acceleration formulation, on a grid of its own: a step of it is a part of, or
/// many of, the method's.
Case by_forces(const std::string& name, const std::string& scene, const std::string& step,
               const std::string& method, long steps, std::vector<io::Override> overrides = {}) {
  overrides.push_back({"simulation.formulation", "acceleration"});
  overrides.push_back({"simulation.method", method});
  overrides.push_back({"simulation.step", step});
  return {name + "_by_forces", scene, std::move(overrides), steps};
}

/// By the energy formulation, with joints that hold.
Case by_energy(const std::string& name, const std::string& scene) {
  return {name + "_by_energy",
          scene,
          {{"simulation.formulation", "energy"}, {"simulation.joint_stiffness", "inf"}},
          400};
}

/// Three of each of systems::many, so many of which touch.
std::string some_systems(int touching, double above = 0) {
  return "format = 1\n" + systems::many(3, touching, above);
}

std::vector<Case> cases() {
  return {
      {"pendulum", "pendulum.toml"},
      {"fourbar", "fourbar.toml", {}, 4000},  // through singular configurations
      {"gyroscope", "gyroscope.toml"},
      {"composed", "gyroscope.toml", {{"simulation.order", "4"}}, 1000},
      {"baumgarte", "fourbar.toml", {{"simulation.scheme", "baumgarte"}}, 2000},
      {"arm", "robot_arm.toml", {}, 7000},  // drives, motors at their bounds
      {"turntable", "turntable.toml", {}, 9000},
      {"wagon", "stn02_wagon.toml", {}, 12000},
      {"derails", "stn02_wagon.toml", {{"joint.front.limits.lateral", "[-1e3, 1e3]"}}, 12000},
      {"gears", kGears, {}, 4000},
      {"soft", "soft_links.toml", {}, 600},
      {"stack", kStack, {}, 400},
      {"sequential", "gallery/five_balls.toml", {}, 1500},
      {"field", "gallery/field.toml", {}, 1500},
      {"strained", kStrained, {}, 600},
      {"systems", some_systems(3), {}, 1500},
      by_forces("systems", some_systems(3), "5 ms", "dp8", 300),
      by_energy("systems", some_systems(3, 0.002)),
      {"hoop", "systems/hoop.toml", {}, 1000},
      by_forces("hoop", "systems/hoop.toml", "10 ms", "dp8", 300),
      by_energy("strained", kStrained),
      by_energy("gyroscope", "gyroscope.toml"),
      by_energy("fourbar", "fourbar.toml"),
      {"falling", kFalling},
      by_forces("fourbar", "fourbar.toml", "10 ms", "dp8", 400),  // through singular configurations
      by_forces("arm", "robot_arm.toml", "10 ms", "dp5", 700),
      by_forces("turntable", "turntable.toml", "20 ms", "dp8", 450),
      by_forces("wagon", "stn02_wagon.toml", "25 ms", "dp8", 480),
      by_forces("slips", "stn02_wagon.toml", "25 ms", "dp8", 1500,
                {{"joint.front.limits.lateral", "[-1e3, 1e3]"}}),
      by_forces("gears", kGears, "4 ms", "dp8", 1000),
      by_forces("falling", kFalling, "3 ms", "rk4", 1000),
      by_forces("bouncing", kFalling, "20 ms", "dp8", 150)};
}

class Moved : public testing::TestWithParam<Case> {};

// At moments of chance the run goes on in a fresh simulation.
TEST_P(Moved, GoesOnBitForBit) {
  const io::LoadedScene scene = loaded(GetParam());
  Simulation whole(scene.built, scene.scene.settings);
  auto parts = std::make_unique<Simulation>(scene.built, scene.scene.settings);
  std::mt19937 chance(7);
  std::uniform_int_distribution<int> wait(1, 60);
  const long steps = std::min(GetParam().steps, whole.steps_total());
  for (long k = 0, next = 1, last = -1; k < steps; ++k) {
    ASSERT_EQ(whole.advance(), parts->advance()) << whole.failure();
    ASSERT_EQ(model::hash(whole.state()), model::hash(parts->state()))
        << "step " << k << ":" << differing(whole.state(), parts->state());
    // forces of contacts are not kept: they are there again after a step
    const bool anew = k == last + 1 && whole.model().contacts.any();
    if (anew) {
      ASSERT_TRUE(same_bits(frame(whole), frame(*parts))) << "step " << k;
    }
    if (k < next) continue;
    last = k;
    next = k + wait(chance);
    const std::string bytes = sim::to_bytes(*parts);
    parts = std::make_unique<Simulation>(scene.built, scene.scene.settings);
    sim::from_bytes(bytes, *parts);
    ASSERT_EQ(sim::to_bytes(*parts), bytes);
    if (whole.model().contacts.any()) continue;
    ASSERT_TRUE(same_bits(frame(whole), frame(*parts))) << "step " << k;
  }
  EXPECT_EQ(sim::to_bytes(whole), sim::to_bytes(*parts));  // accounts and counts included
}

INSTANTIATE_TEST_SUITE_P(Checkpoint, Moved, testing::ValuesIn(cases()),
                         [](const auto& c) { return c.param.name; });

sim::Settings chain_settings() { return settings(10, 1e-3); }

// The child makes all anew from the bytes; the parent goes on with what it has.
void expect_same_in_another_process(const sim::Settings& run, int before, int after) {
  const model::Built mechanism = built(chain(20));
  Simulation sim(mechanism, run);
  for (int k = 0; k < before; ++k) ASSERT_TRUE(sim.advance());
  const std::string bytes = sim::to_bytes(sim);
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    Simulation other(built(chain(20)), run);
    sim::from_bytes(bytes, other);
    for (int k = 0; k < after; ++k) other.advance();
    const std::uint64_t hash = model::hash(other.state());
    _exit(write(ends[1], &hash, sizeof hash) == sizeof hash ? 0 : 1);
  }
  for (int k = 0; k < after; ++k) ASSERT_TRUE(sim.advance());
  std::uint64_t hash = 0;
  ASSERT_EQ(read(ends[0], &hash, sizeof hash), static_cast<ssize_t>(sizeof hash));
  waitpid(child, nullptr, 0);
  EXPECT_EQ(hash, model::hash(sim.state()));
}

TEST(Checkpoint, ChainGoesOnInAnotherProcess) {
  expect_same_in_another_process(chain_settings(), 137, 500);
}

// Within what it takes in one go, and with many of its steps in one of the grid.
TEST(Checkpoint, ChainGoesOnInAnotherProcessByForces) {
  sim::Settings run = chain_settings();
  run.form.formulation = form::Settings::Formulation::acceleration;
  expect_same_in_another_process(run, 137, 100);
  run.step = 0.2;
  expect_same_in_another_process(run, 3, 4);
}

TEST(Checkpoint, OfAnotherMechanismIsRefused) {
  Simulation three(built(chain(3)), chain_settings()), four(built(chain(4)), chain_settings());
  three.advance();
  const std::string bytes = sim::to_bytes(three);
  EXPECT_THROW(sim::from_bytes(bytes, four), sim::CheckpointError);
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    Simulation fresh(three.built(), chain_settings());
    EXPECT_THROW(sim::from_bytes(bytes.substr(0, n), fresh), sim::CheckpointError) << n;
  }
  Simulation fresh(three.built(), chain_settings());
  EXPECT_THROW(sim::from_bytes(bytes + "x", fresh), sim::CheckpointError);
}

// A longer duration is no other run.
TEST(Checkpoint, TakesAnotherDuration) {
  const model::Built mechanism = built(chain(3));
  Simulation whole(mechanism, settings(0.4, 1e-3)), half(mechanism, settings(0.2, 1e-3));
  run(whole);
  run(half);
  Simulation more(mechanism, settings(0.4, 1e-3));
  sim::from_bytes(sim::to_bytes(half), more);
  EXPECT_EQ(more.steps_made(), 200);
  run(more);
  EXPECT_EQ(sim::to_bytes(more), sim::to_bytes(whole));
}

}  // namespace
}  // namespace trammel::acceptance::checkpoint_test
