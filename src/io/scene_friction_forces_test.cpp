// Friction that follows the load of a joint, by forces: beside answers on paper, beside a plain
// method in long double, and beside impulses.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <utility>

#include "io/scene.h"
#include "sim/present.h"
#include "sim/simulation.h"

namespace trammel::io::scene_friction_forces_test {
namespace {

constexpr double kG = 9.81;

LoadedScene loaded(const std::string& text) {
  auto result = load_scene_text("format = 1\n" + text, "x.toml");
  if (auto* problems = std::get_if<SceneProblems>(&result)) {
    std::string all;
    for (const SceneProblem& p : *problems) all += to_text(p) + "\n";
    throw std::runtime_error(all + text);
  }
  return std::move(std::get<LoadedScene>(result));
}

std::string forces(double seconds, double step, const char* more = "") {
  return fmt::format("[simulation]\nformulation = \"acceleration\"\nduration = {}\nstep = {}\n{}",
                     seconds, step, more);
}
std::string impulses(double seconds, double step, const char* more = "") {
  return fmt::format("[simulation]\nduration = {}\nstep = {}\n{}", seconds, step, more);
}

/// A run to its end, or to where it stops.
class Ran {
 public:
  explicit Ran(const std::string& text) : Ran(loaded(text)) {}
  explicit Ran(LoadedScene scene)
      : scene_(std::move(scene)), run_(scene_.built, scene_.scene.settings) {
    while (!run_.finished() && run_.advance()) {
    }
  }
  const std::string& failure() const { return run_.failure(); }
  double coordinate(const char* name) const { return of("/joints/coordinates", name); }
  double rate(const char* name) const { return of("/joints/rates", name); }
  double of(const char* dataset, const char* item) const {
    EXPECT_EQ(failure(), "");
    return sim::Present(run_).of(dataset, item)[0];
  }

 private:
  LoadedScene scene_;
  sim::Simulation run_;
};

std::string rub(const std::string& keys) {
  return "[[law]]\nname = \"rub\"\ntype = \"load-friction\"\n" + keys;
}
constexpr const char* kBody = "[[body]]\nname = \"b\"\nmass = 2\nbox = [0.1, 0.1, 0.1]\n";

/// A block on a slide that falls by an angle.
std::string incline(double angle, const std::string& keys, double rate = 0) {
  return forces(1, 0.1) + kBody +
         fmt::format(
             "[[joint]]\nname = \"slide\"\ntype = \"prismatic\"\nb = \"b\"\nat = [0, 0, 0]\n"
             "orientation = {{axis = [0, 1, 0], angle = {}}}\nrate = {}\n",
             angle, rate) +
         rub("joint = \"slide\"\n" + keys);
}

TEST(LoadFrictionByForces, ABlockSticksBelowItsAngleAndSlidesAboveIt) {
  const std::string keys = "mu = 0.2\nstatic_mu = 0.4\n";
  EXPECT_NEAR(Ran(incline(std::atan(0.4 * 0.999), keys)).coordinate("slide.travel"), 0, 1e-15);
  const double a = std::atan(0.4 * 1.001), g = kG * (std::sin(a) - 0.2 * std::cos(a));
  const Ran slides(incline(a, keys));
  EXPECT_NEAR(slides.coordinate("slide.travel"), g / 2, 1e-12);
  EXPECT_NEAR(slides.of("/laws/force", "rub"), -0.2 * 2 * kG * std::cos(a), 1e-12);
  EXPECT_NEAR(slides.of("/ledger/work", "rub"), -0.2 * 2 * kG * std::cos(a) * g / 2, 1e-12);
}

TEST(LoadFrictionByForces, ABlockThatIsPushedUpStopsAndStaysOrSlidesBack) {
  for (const double hold : {0.3, 0.2}) {  // tan 0.25 = 0.255
    const double a = 0.25, up = kG * (std::sin(a) + 0.2 * std::cos(a)),
                 back = kG * (std::sin(a) - 0.2 * std::cos(a)), stops = 2 / up;
    const Ran run(incline(a, fmt::format("mu = 0.2\nstatic_mu = {}\n", hold), -2));
    const double slid = hold > 0.255 ? 0 : back / 2 * (1 - stops) * (1 - stops);
    EXPECT_NEAR(run.coordinate("slide.travel"), -2. * 2 / (2 * up) + slid, 1e-10);
  }
}

TEST(LoadFrictionByForces, ABearingStopsAFlywheelUnderItsWeight) {
  const double I = 0.2, w = 10, torque = 0.2 * 0.05 * 10 * kG, rest = I * w / torque;
  const Ran stopped(
      forces(rest + 0.5, 0.1) +
      "[[body]]\nname = \"b\"\nmass = 10\ninertia = [0.2, 0.1, 0.1]\n"
      "[[joint]]\nname = \"axle\"\ntype = \"revolute\"\nb = \"b\"\nat = [0, 0, 0]\nrate = 10\n" +
      rub("joint = \"axle\"\nmu = 0.2\nradius = 0.05\n"));
  EXPECT_NEAR(stopped.coordinate("axle.angle"), I * w * w / (2 * torque), 1e-9);
  EXPECT_NEAR(stopped.rate("axle.angle"), 0, 1e-12);
  EXPECT_NEAR(stopped.of("/ledger/work", "rub"), -0.5 * I * w * w, 1e-9);
}

TEST(LoadFrictionByForces, ABlockSlipsWhenWhatPressesItIsNoLongerEnough) {
  // pressed on a wall by 100 N - 50 N/s t: held to 0.5 * N = m g, then x'' = g - 0.4 N/m
  const std::string text =
      forces(1.8, 0.1) + kBody +
      "[[joint]]\nname = \"wall\"\ntype = \"prismatic\"\nb = \"b\"\nat = [0, 0, 0]\n"
      "axis = [0, 0, 1]\n" +
      rub("joint = \"wall\"\nmu = 0.4\nstatic_mu = 0.5\n") +
      "[[load]]\nname = \"press\"\ntype = \"force\"\nbody = \"b\"\n"
      "force = [{formula = \"100 N - 50 N/s*t\"}, 0, 0]\n";
  const double m = 2, slips = (100 - m * kG / 0.5) / 50, T = 1.8 - slips, N = m * kG / 0.5;
  const double way = (kG - 0.4 * N / m) * T * T / 2 + 0.4 * 50 / m * T * T * T / 6;
  EXPECT_NEAR(Ran(text).coordinate("wall.travel"), -way, 1e-9);
}

/// A body whose centre is e beside its post, pushed down by 30 N at c: the guide, of 0.2 m, takes
/// |30 (c - e) + f e|, f the friction: f = 2.5/m |...|.
std::string lever(double e, double c, double mu = 0.25) {
  return forces(0.5, 0.1, "gravity = 0\n") +
         fmt::format(
             "[[body]]\nname = \"b\"\nmass = 2\nbox = [0.1, 0.1, 0.1]\n"
             "position = [{}, 0, 0]\n",
             e) +
         "[[joint]]\nname = \"post\"\ntype = \"prismatic\"\nb = \"b\"\nat = [0, 0, 0]\n"
         "axis = [0, 0, 1]\n" +
         rub(fmt::format("joint = \"post\"\nmu = {}\nlength = 0.2\n", mu)) +
         fmt::format(
             "[[load]]\nname = \"push\"\ntype = \"force\"\nbody = \"b\"\n"
             "point = [{}, 0, 0]\nforce = [0, 0, -30]\n",
             c - e);
}

TEST(LoadFrictionByForces, FrictionThatMakesItsOwnLoadIsSolvedForExactly) {
  // f = 2.5 (30 * 0.1 + f e): by 0.5, and by 0.95 of itself
  EXPECT_NEAR(Ran(lever(0.2, 0.3)).coordinate("post.travel"), -0.5 * (30 - 15) / 2 * 0.25, 1e-11);
  const double f = 2.5 * 30 * 0.01 / (1 - 0.95);
  EXPECT_NEAR(Ran(lever(0.38, 0.39)).coordinate("post.travel"), -0.5 * (30 - f) / 2 * 0.25, 1e-11);
  // where it takes load off f = 2.5 |-30 * 0.15 + f e| has two solutions, 5 N and 45 N
  EXPECT_NEAR(Ran(lever(0.5, 0.35)).coordinate("post.travel"), -0.5 * (30 - 5) / 2 * 0.25, 1e-11);
}

TEST(LoadFrictionByForces, WhereItHasNoSolutionTheRunStopsAndSaysWhere) {
  std::string moving = lever(0.5, 0.6);
  moving.insert(moving.find("axis = [0, 0, 1]\n"), "rate = -1\n");
  const Ran run(moving);
  EXPECT_NE(run.failure().find("friction of law 'rub' on joint 'post' has no solution"),
            std::string::npos)
      << run.failure();
}

/// A pendulum whose pin rubs by the force on it, in long double by Runge and Kutta's method.
double swung_on_paper() {
  using Real = long double;
  const Real m = 2, l = 0.5L, I = 1e-2L + m * l * l, g = 9.81L;
  const auto slope = [&](Real angle, Real rate) {
    Real acc = -m * g * l * std::sin(angle) / I;  // N hangs on it, and it on N
    for (int k = 0; k < 40; ++k) {
      const Real along = m * (l * rate * rate + g * std::cos(angle)),
                 across = m * (l * acc + g * std::sin(angle)),
                 mu = 0.3L + 0.2L * std::exp(-rate * rate / 4);
      const Real torque = mu * 0.1L * std::sqrt(along * along + across * across);
      acc = (-m * g * l * std::sin(angle) + torque) / I;  // it swings back
    }
    return acc;
  };
  const int n = 20000;
  const Real h = 0.6L / n;
  Real a = 1, w = -1;
  for (int k = 0; k < n; ++k) {
    const Real a1 = slope(a, w), w2 = w + h / 2 * a1, a2 = slope(a + h / 2 * w, w2),
               w3 = w + h / 2 * a2, a3 = slope(a + h / 2 * w2, w3), w4 = w + h * a3,
               a4 = slope(a + h * w3, w4);
    a += h / 6 * (w + 2 * w2 + 2 * w3 + w4);
    w += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  return static_cast<double>(a);
}

std::string swing(double h, const char* method) {
  return forces(0.6, h, method) +
         "[[body]]\nname = \"b\"\nmass = 2\ninertia = [1e-2, 1e-2, 1e-2]\n"
         "[[joint]]\nname = \"pin\"\ntype = \"revolute\"\nb = \"b\"\n"
         "frame_a = {axis = [0, 1, 0]}\n"
         "frame_b = {position = [0, 0, 0.5], axis = [0, 1, 0]}\nstart = 1\nrate = -1\n" +
         rub("joint = \"pin\"\nmu = 0.3\nradius = 0.1\nstatic_mu = 0.5\nstribeck_speed = 2\n");
}
/// By steps of one length.
double swung(double h, const char* method) {
  LoadedScene scene = loaded(swing(h, method));
  scene.scene.settings.form.accuracy = {INFINITY, INFINITY, INFINITY, INFINITY, INFINITY};
  return Ran(std::move(scene)).coordinate("pin.angle");
}

TEST(LoadFrictionByForces, MethodsKeepTheirOrdersWhileItSlides) {
  const double want = swung_on_paper();
  const auto expect_order = [&](double h, const char* method, double order, double within) {
    const double e1 = std::abs(swung(h, method) - want), e2 = std::abs(swung(h / 2, method) - want);
    EXPECT_NEAR(std::log2(e1 / e2), order, within) << e1 << " " << e2 << " " << method;
  };
  expect_order(0.05, "method = \"rk4\"\n", 4, 0.3);
  expect_order(0.015, "method = \"dp5\"\n", 5, 0.4);
  expect_order(0.1, "method = \"dp8\"\n", 8, 1.5);
  EXPECT_NEAR(Ran(swing(0.1, "accuracy = 1e-11\n")).coordinate("pin.angle"), want, 1e-11);
}

/// A table on a vertical slide, and a block that slides on it; the table falls on a stop.
TEST(LoadFrictionByForces, AnImpactRubsByItsImpulse) {
  const auto falls = [](const std::string& run) {
    return run +
           "[[body]]\nname = \"table\"\nmass = 5\nbox = [1, 1, 0.1]\n"
           "[[body]]\nname = \"b\"\nmass = 2\nbox = [0.1, 0.1, 0.1]\n"
           "[[joint]]\nname = \"lift\"\ntype = \"prismatic\"\nb = \"table\"\nat = [0, 0, 0]\n"
           "axis = [0, 0, 1]\n"
           "[[joint]]\nname = \"slide\"\ntype = \"prismatic\"\na = \"table\"\nb = \"b\"\n"
           "at = [0, 0, 0]\naxis = [1, 0, 0]\nrate = 3\n"
           "[[law]]\nname = \"floor\"\ntype = \"limit\"\njoint = \"lift\"\nfrom = -0.5\n" +
           rub("joint = \"slide\"\nmu = 0.3\n");
  };
  // free of load for 0.319 s, then it loses mu v of its speed at once, and mu g a second
  const double lands = std::sqrt(2 * 0.5 / kG), v = 3 - 0.3 * kG * lands, T = 0.7 - lands;
  EXPECT_NEAR(Ran(falls(forces(lands - 1e-3, 0.05))).rate("slide.travel"), 3, 1e-12);
  EXPECT_NEAR(Ran(falls(forces(0.7, 0.1))).rate("slide.travel"), v - 0.3 * kG * T, 1e-9);
  EXPECT_NEAR(Ran(falls(forces(0.7, 0.1))).coordinate("slide.travel"),
              3 * lands + v * T - 0.3 * kG * T * T / 2, 1e-9);
  EXPECT_NEAR(Ran(falls(impulses(0.7, 1e-3))).rate("slide.travel"), v - 0.3 * kG * T, 2e-2);
}

/// Four bars in a loop whose pins all rub: planar, so that redundant rows share their loads.
TEST(LoadFrictionByForces, ALoopOfRubbingPinsMovesAsByImpulses) {
  const auto bars = [](const std::string& run) {
    std::string text = run;
    const auto bar = [&](const char* name, double x, double z, double angle, double length) {
      text += fmt::format(
          "[[body]]\nname = \"{}\"\nmass = 1\nbox = [{}, 0.05, 0.05]\nposition = [{}, 0, {}]\n"
          "orientation = {{axis = [0, 1, 0], angle = {}}}\n",
          name, length, x, z, angle);
    };
    bar("crank", 0, 0.25, 1.5707963267948966, 0.5);
    bar("rod", 0.5, 0.75, -0.4636476090008061, 1.118033988749895);
    bar("rocker", 1, 0.5, 1.5707963267948966, 1);
    const auto pin = [&](const char* name, const char* a, const char* b, double x, double z) {
      text += fmt::format(
          "[[joint]]\nname = \"{0}\"\ntype = \"revolute\"\n{1}b = \"{2}\"\n"
          "at = [{3}, 0, {4}]\naxis = [0, 1, 0]\n{5}"
          "[[law]]\nname = \"rub_{0}\"\ntype = \"load-friction\"\njoint = \"{0}\"\n"
          "mu = 0.2\nradius = 0.02\n",
          name, *a ? fmt::format("a = \"{}\"\n", a) : std::string(), b, x, z,
          *name == 'p' ? "rate = 3\n" : "");
    };
    pin("p", "", "crank", 0, 0);
    pin("q", "crank", "rod", 0, 0.5);
    pin("r", "rod", "rocker", 1, 1);
    pin("s", "", "rocker", 1, 0);
    return text;
  };
  const auto at = [&](const std::string& run) { return Ran(bars(run)).coordinate("p.angle"); };
  const double by_forces = at(forces(0.6, 0.1)), coarse = at(impulses(0.6, 2e-3)),
               fine = at(impulses(0.6, 1e-3));
  EXPECT_GT(std::abs(by_forces), 0.1);
  EXPECT_NEAR(fine + (fine - coarse) / 3, by_forces, 1e-5);  // of order 4
  EXPECT_NEAR(std::log2((coarse - by_forces) / (fine - by_forces)), 2, 0.1);
}

}  // namespace
}  // namespace trammel::io::scene_friction_forces_test
