// Formulas in scenes as forces, motions and cams: mechanisms with known answers.
#include <fmt/core.h>

#include <tuple>

#include "io/scene.h"
#include "support.h"

namespace trammel::acceptance::formula_test {
namespace {

void record(const std::string& name, double value) {
  ::testing::Test::RecordProperty(name, fmt::format("{:.3g}", value));
}

/// A scene and its run; what is wrong with it fails the test.
Simulation simulation(const std::string& text) {
  auto loaded = io::load_scene_text(text, "test.toml");
  if (const auto* problems = std::get_if<io::SceneProblems>(&loaded)) {
    std::string all;
    for (const io::SceneProblem& p : *problems) all += to_text(p) + "\n";
    throw std::runtime_error(all);
  }
  auto& [scene, built] = std::get<io::LoadedScene>(loaded);
  return {std::move(built), scene.settings};
}

std::string settings_text(double duration, double step, const std::string& more = "") {
  return fmt::format(
      "format = 1\n[simulation]\nduration = {:.17g}\nstep = {:.17g}\ngravity = 0\n{}\n", duration,
      step, more);
}

/// A body of so many kilograms, x along, that slides along x from another one's frame.
std::string sliding(const char* name, double mass, double x, double v, const char* from) {
  return fmt::format(
      "[[body]]\nname = \"{0}\"\nmass = {1}\ninertia = [1, 1, 1]\nposition = [{2}, 0, 0]\nvelocity "
      "= [{3}, 0, 0]\n[[joint]]\nname = \"{0}_slide\"\ntype = \"prismatic\"\na = \"{4}\"\nb = "
      "\"{0}\"\nframe_a = {{}}\nframe_b = {{}}\n",
      name, mass, x, v, from);
}

std::string law_text(const char* joint, const std::string& keys) {
  return fmt::format("[[law]]\nname = \"on_{0}\"\njoint = \"{0}\"\n{1}\n", joint, keys);
}

// ---- a mass of 1 kg on a spring of 100 N/m, x0 = 1 m, v0 = 1 m/s, 20 s

double exact(double c, double t) {
  const double d = c / 2, w = std::sqrt(100 - d * d);
  return std::exp(-d * t) * (std::cos(w * t) + (1 + d) / w * std::sin(w * t));
}

/// Error after the run and the worst of it, by the amplitude.
std::pair<double, double> oscillator(const std::string& function, double c, double h,
                                     const std::string& more = "") {
  Simulation sim = simulation(settings_text(20, h, more) + sliding("m", 1, 1, 1, "ground") +
                              law_text("m_slide", "type = \"spring\"\n" + function));
  double end = 0, worst = 0;
  run(sim, [&] {
    end = std::abs(pose(sim, "m").p.x() - exact(c, sim.state().t)) / std::hypot(1, 0.1);
    worst = std::max(worst, end);
  });
  return {end, worst};
}

TEST(FormulaForce, OscillatorKeepsItsPhaseFor20Seconds) {
  for (const auto& [h, most] : {std::pair(1e-3, 8.2e-4), std::pair(4e-3, 1.3e-2)}) {
    const auto [end, worst] = oscillator("function = \"-100*x\"", 0, h);
    record(fmt::format("undamped_end_{:g}", h), end);
    record(fmt::format("undamped_worst_{:g}", h), worst);
    EXPECT_LE(end, most);                                            // truncation
    EXPECT_LE(worst, 1.01 * 100 * h * h * 10 * 20 / 24);             // (w h)^2 w t / 24
    const auto linear = oscillator("stiffness = 100", 0, h).second;  // the same scheme
    EXPECT_NEAR(worst, linear, 1e-9);                                // rounding of 20 000 steps
  }
}

TEST(FormulaForce, DampedOscillatorIsOfOrderTwo) {
  double e[2], *out = e;
  for (const auto& [h, most] : {std::pair(1e-3, 3.1e-5), std::pair(4e-3, 4.9e-4)}) {
    const auto [end, worst] = oscillator("function = \"-100*x - 2*v\"", 2, h);
    record(fmt::format("damped_worst_{:g}", h), worst);
    EXPECT_LE(worst, most);  // truncation
    *out++ = worst;
    EXPECT_NEAR(worst, oscillator("stiffness = 100\ndamping = 2", 2, h).second, 1e-9);  // rounding
  }
  EXPECT_NEAR(std::log2(e[1] / e[0]) / 2, 2, 0.1);
}

TEST(FormulaForce, ConstantsUnitsAndDataMeanTheSame) {
  const std::string head =
      "[parameters]\nk = \"0.1 N/mm\"\nc = \"2 N s/m\"\n[[data]]\nname = \"pull\"\nx = [-10, 10]\n"
      "x_unit = \"m\"\ny = [1, -1]\ny_unit = \"kN\"";
  const double plain = oscillator("function = \"-100*x - 2*v\"", 2, 4e-3).second;
  for (const char* f : {"-k*x - c*v", "table(x, pull) - c*v", "spline(x, pull) - 2 [N s/m]*v"})
    EXPECT_NEAR(oscillator(fmt::format("function = \"{}\"", f), 2, 4e-3, head).second, plain, 1e-9)
        << f;  // rounding
}

/// Position after 0.5 s of 1 kg let go 1 mm from the rest of a spring and damper.
double after_half_a_second(const std::string& keys) {
  Simulation sim = simulation(settings_text(0.5, 1e-3) + sliding("m", 1, 1e-3, 0, "ground") +
                              law_text("m_slide", "type = \"spring\"\n" + keys));
  run(sim);
  EXPECT_EQ(sim.summary().fallbacks, 0);
  return pose(sim, "m").p.x();
}

// h^2 k S from 0.1 to 1e6, h c S from 0 to 100: explicit, rows with compliance, rigid.
TEST(FormulaForce, StiffLinearOnesAreTheStiffLinearSpring) {
  for (const double k : {1e5, 1e7, 1e10, 1e12})
    for (const double c : {0., 1e2, 1e5}) {
      SCOPED_TRACE(fmt::format("k = {:g}, c = {:g}", k, c));
      const double linear =
          after_half_a_second(fmt::format("stiffness = {:.17g}\ndamping = {:.17g}", k, c));
      const double formula =
          after_half_a_second(fmt::format("function = \"-{:.17g}*x - {:.17g}*v\"", k, c));
      EXPECT_NEAR(formula, linear, 1e-12);  // rounding, and the solver's tolerance
    }
}

// ---- two masses of 100 kg and a spring between them; the first is accelerated by sin(W t)

constexpr double kOmega = 10 * M_PI;

/// Error of the second mass after 1 s [m].
double driven_error(const std::string& drive, const std::string& spring, double h) {
  Simulation sim =
      simulation(settings_text(1, h, "[parameters]\nw = 31.41592653589793") +
                 sliding("one", 100, 0, 0, "ground") + sliding("two", 100, 1, 0, "one") +
                 law_text("one_slide", "type = \"driven\"\n" + drive) +
                 law_text("two_slide", "type = \"spring\"\n" + spring));
  const double w2 = 10, W2 = kOmega * kOmega, w = std::sqrt(w2);
  const double A = w2 / (W2 * (W2 - w2)), B = -kOmega / (w * (W2 - w2));
  double end = 0;
  run(sim, [&] {
    const double t = sim.state().t;
    const double x2 = 1 + t / kOmega + A * std::sin(kOmega * t) + B * std::sin(w * t);
    end = std::abs(pose(sim, "two").p.x() - x2);
  });
  return end;
}

TEST(FormulaForce, DrivenOscillatorFollowsItsExactMotion) {
  const std::string formula = "displacement = {formula = \"t/w - sin(w*t)/w^2\"}",
                    spring = "function = \"-1000*(x - 1 [m])\"";
  std::string time = "0", value = "0";
  for (int i = 1; i <= 20000; ++i) {
    time += fmt::format(", {:.17g}", i * 5e-5);
    value += fmt::format(", {:.17g}", std::sin(kOmega * i * 5e-5));
  }
  const std::string knots = "acceleration = {time = [" + time + "], value = [" + value + "]}";
  // Truncation. Between knots the acceleration is (W 5e-5 s)^2/12 too small, which shifts the mass
  // back by 6.5e-9 m in 1 s, whatever the step: it ends at every knot.
  for (const auto& [name, drive, most, least] :
       {std::tuple("knots", knots, 7e-9, 7e-9), {"formula", formula, 1.4e-8, 3.5e-9}}) {
    const double coarse = driven_error(drive, spring, 1e-3),
                 fine = driven_error(drive, spring, 5e-4);
    record(fmt::format("driven_{}_1ms", name), coarse);
    record(fmt::format("driven_{}_0.5ms", name), fine);
    EXPECT_LE(coarse, most);
    EXPECT_LE(fine, least);
    const double linear = driven_error(drive, "stiffness = 1000\nrest = 1", 1e-3);
    EXPECT_NEAR(coarse, linear, 1e-12);  // rounding
  }
}

// ---- cams

/// A wheel at 2 rad/s lifts a follower of 2 kg by a formula of its angle.
TEST(FormulaCam, FollowerMovesAsTheFormulaSays) {
  const std::string wheel =
      "[[body]]\nname = \"wheel\"\nmass = 1\nsphere = 1\nangular_velocity = [2, 0, 0]\n[[joint]]\n"
      "name = \"axle\"\ntype = \"revolute\"\nb = \"wheel\"\nat = [0, 0, 0]\n";
  Simulation sim = simulation(
      settings_text(6, 1e-3, "[parameters]\nlift = \"50 mm\"") + wheel +
      sliding("rod", 2, 0, 0, "ground") + law_text("axle", "type = \"driven\"\nvelocity = 2") +
      "[[coupling]]\nname = \"cam\"\ntype = \"cam\"\nof = [\"rod_slide.travel\", "
      "\"axle.angle\"]\nprofile = {formula = \"lift*(1 - cos(x))\"}\n");
  const model::Model& m = sim.model();
  const auto row = static_cast<std::size_t>(m.couplings.at(0).row);
  double off = 0, push = 0;
  run(sim, [&] {
    const double t = sim.state().t;
    off = std::max(off, std::abs(pose(sim, "rod").p.x() - 0.05 * (1 - std::cos(2 * t))));
    const double force = 2 * 0.05 * 4 * std::cos(2 * (t - 0.5e-3));  // m x'', in mid-step
    push = std::max(push, std::abs(sim.formulation().row_forces()[row] - force));
  });
  record("cam_force", push);
  EXPECT_LE(off, 1e-10);  // tolerance of the row
  EXPECT_LE(push, 1e-6);  // truncation: of the order of (2 h)^2 of 0.4 N
}

}  // namespace
}  // namespace trammel::acceptance::formula_test
