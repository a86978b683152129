// What presses steadily on stops and one-sided rows by the energy formulation reads its steady
// force: soft joints do not vibrate against it, and impulses of impacts pass through them.
#include <fmt/format.h>

#include "io/scene.h"
#include "track_support.h"

namespace trammel::acceptance::energy_pressed_test {
namespace {

constexpr double kSettled = 0.05;  // after an impact or a jump, forces are steady [s]
constexpr double kPull = 100e3;    // of the locomotive [N]

Simulation simulation(const std::string& text) {
  auto loaded = io::load_scene_text("format = 1\n" + text, "test.toml");
  if (const auto* problems = std::get_if<io::SceneProblems>(&loaded))
    throw std::runtime_error(to_text(problems->front()));
  auto& [scene, built] = std::get<io::LoadedScene>(loaded);
  return {std::move(built), scene.settings};
}

std::string settings_text(double duration, double step, const char* difference) {
  return fmt::format(
      "[simulation]\nduration = {}\nstep = {}\nformulation = \"energy\"\ndifference = \"{}\"\n",
      duration, step, difference);
}

/// Three cars of 50 t with their couplers 2 cm loose, the first of which pulls.
std::string train() {
  std::string out = "[[track]]\nname = \"line\"\nplan = [{line = \"1 km\"}]\n";
  for (int i = 0; i < 3; ++i)
    out += fmt::format(
        "[[body]]\nname = \"car{0}\"\nmass = \"50 t\"\nbox = [10, 3, 3]\non_track = {{track = "
        "\"line\", s = {1}}}\nposition = [0, 0, 1.5]\n[[joint]]\nname = \"rails{0}\"\ntype = "
        "\"track\"\ntrack = \"line\"\nb = \"car{0}\"\nframe_b = {{position = [0, 0, -1.5]}}\n",
        i, 200 - 12 * i);
  for (int i = 0; i < 2; ++i)
    out += fmt::format(
        "[[coupling]]\nname = \"gap{0}\"\ntype = \"linear\"\nof = [\"rails{0}.s\", "
        "\"rails{1}.s\"]\ncoefficients = [1, -1]\n[[law]]\nname = \"hook{0}\"\ntype = "
        "\"limit\"\njoint = \"gap{0}\"\nfrom = 0\nto = 0.02\ntensile_strength = 100e3\n",
        i, i + 1);
  return out + fmt::format(
                   "[[load]]\nname = \"pull\"\ntype = \"force\"\nbody = \"car0\"\nforce = [{}, 0, "
                   "0]\n",
                   kPull);
}

struct Force {
  double t, value;
};

/// The force of the first row of that name, or of the row of a law, after every step.
double force_of(const sim::Simulation& sim, const std::string& name) {
  const model::Model& m = sim.model();
  for (const model::LawOnRow& l : m.laws)
    if (l.name == name) return sim.formulation().row_forces()[static_cast<std::size_t>(l.row)];
  for (std::size_t i = 0; i < m.rows.size(); ++i)
    if (m.rows[i].name == name) return sim.formulation().row_forces()[i];
  throw std::runtime_error("no row " + name);
}

/// The steps by which forces are to be the same.
const std::vector<double>& steps() {
  static const std::vector<double> all{4e-3, 1e-3, 0.25e-3};
  return all;
}

TEST(EnergyPressed, CouplersCarryTheirPullAfterTheirImpacts) {
  for (const char* difference : {"bdf1", "bdf2"})
    for (const double h : steps()) {
      SCOPED_TRACE(fmt::format("{}, {} s", difference, h));
      Simulation sim = simulation(settings_text(1.2, h, difference) + train());
      std::vector<Force> forces;
      double last = 0;
      run(sim, [&] {
        forces.push_back({sim.state().t, std::abs(force_of(sim, "hook0"))});
        for (const form::Event& e : sim.take_events()) {
          EXPECT_EQ(e.kind, form::EventKind::impact) << e.text;
          last = std::max(last, e.t);
        }
      });
      EXPECT_GT(last, 0.2);
      EXPECT_LT(last, 0.8);
      constexpr double kWant = kPull * 2 / 3;
      for (const Force& f : forces) {
        if (!(f.t > last + kSettled)) continue;
        ASSERT_NEAR(f.value, kWant, 0.01 * kWant) << f.t;
      }
    }
}

/// A body of 40 t runs into a curve, where its one-sided row begins to press on it.
TEST(EnergyPressed, OneSidedRowsAreSteadyBehindAJumpOfCurvature) {
  constexpr double kMass = 40e3, kSpeed = 20, kRadius = 6700;
  const std::string curve = fmt::format(
      "[[track]]\nname = \"line\"\nplan = [{{line = 40}}, {{arc = 100, radius = {}}}]\n[[body]]\n"
      "name = \"w\"\nmass = {}\nbox = [4, 2, 1]\non_track = {{track = \"line\", s = 20, speed = "
      "{}}}\nposition = [0, 0, 1]\n[[joint]]\nname = \"rail\"\ntype = \"track\"\ntrack = "
      "\"line\"\nb = \"w\"\nunilateral = [\"lateral\"]\nframe_b = {{position = [0, 0, -1]}}\n",
      kRadius, kMass, kSpeed);
  const double want = kMass * kSpeed * kSpeed / kRadius;
  for (const double h : steps()) {
    SCOPED_TRACE(h);
    Simulation sim = simulation(settings_text(2, h, "bdf2") + curve);
    run(sim, [&] {
      const double t = sim.state().t;
      if (!(t > 1 + kSettled)) return;
      ASSERT_NEAR(force_of(sim, "lateral"), want, 0.01 * want) << t;
    });
  }
}

/// 40 t that swing on their hook, which is a spring; beside them what rests on a stop.
TEST(EnergyPressed, JointsOfOtherPartsStaySprings) {
  const std::string hanging =
      "[[body]]\nname = \"w\"\nmass = 40e3\nsphere = 1\n[[joint]]\nname = \"hook\"\ntype = "
      "\"fixed\"\nb = \"w\"\nat = [0, 0, 1]\n";
  const std::string resting =
      "[[body]]\nname = \"r\"\nmass = 10\nsphere = 1\nposition = [5, 0, 0]\n[[joint]]\nname = "
      "\"guide\"\ntype = \"prismatic\"\nb = \"r\"\nat = [5, 0, 0]\naxis = [0, 0, 1]\n[[law]]\n"
      "name = \"floor\"\ntype = \"limit\"\njoint = \"guide\"\nfrom = 0\n";
  const auto lowest = [&](const std::string& more) {
    Simulation sim = simulation(settings_text(0.5, 1e-3, "bdf2") + hanging + more);
    double out = 0;
    run(sim, [&] {
      if (sim.state().t > 0.4) out = std::min(out, pose(sim, "w").p.z());
    });
    return out;
  };
  // undamped to twice the sag, but for what a step of bdf1 at the start takes; critically damped to
  // it
  const double sag = 40e3 * kG / 1e9;
  EXPECT_LT(lowest(""), -1.85 * sag);
  EXPECT_LT(lowest(resting), -1.85 * sag);
}

}  // namespace
}  // namespace trammel::acceptance::energy_pressed_test
