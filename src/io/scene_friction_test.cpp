// Friction that follows the load of a joint, against answers on paper, and what it is not put on.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "io/scene.h"
#include "sim/present.h"
#include "sim/simulation.h"
#include "sim/size.h"

namespace trammel::io::scene_friction_test {
namespace {

constexpr double kG = 9.81;

std::string all_of(const SceneProblems& problems) {
  std::string out;
  for (const SceneProblem& p : problems) out += to_text(p) + "\n";
  return out;
}

LoadedScene loaded(const std::string& text) {
  auto result = load_scene_text("format = 1\n" + text, "x.toml");
  if (auto* problems = std::get_if<SceneProblems>(&result))
    throw std::runtime_error(all_of(*problems) + text);
  return std::move(std::get<LoadedScene>(result));
}

std::string run_for(double seconds, double step, const char* more = "") {
  return fmt::format("[simulation]\nduration = {}\nstep = {}\n{}", seconds, step, more);
}

/// A run to its end.
class Ran {
 public:
  explicit Ran(const std::string& text)
      : scene_(loaded(text)), run_(scene_.built, scene_.scene.settings) {
    while (!run_.finished() && run_.advance()) {
    }
    EXPECT_EQ(run_.failure(), "");
  }
  double coordinate(const char* name) const { return of("/joints/coordinates", name); }
  double rate(const char* name) const { return of("/joints/rates", name); }
  double of(const char* dataset, const char* item) const {
    return sim::Present(run_).of(dataset, item)[0];
  }

 private:
  LoadedScene scene_;
  sim::Simulation run_;
};

std::string body(const char* more = "") {
  return fmt::format("[[body]]\nname = \"b\"\nmass = 2\nbox = [0.1, 0.1, 0.1]\n{}", more);
}
std::string rub(const std::string& keys) {
  return "[[law]]\nname = \"rub\"\ntype = \"load-friction\"\n" + keys;
}

/// A block on a slide that falls by an angle.
std::string incline(double angle, const std::string& keys, double rate = 0) {
  return run_for(1, 1e-3) + body() +
         fmt::format(
             "[[joint]]\nname = \"slide\"\ntype = \"prismatic\"\nb = \"b\"\nat = [0, 0, 0]\n"
             "orientation = {{axis = [0, 1, 0], angle = {}}}\nrate = {}\n",
             angle, rate) +
         rub("joint = \"slide\"\n" + keys);
}

TEST(LoadFriction, ABlockSticksBelowItsAngleAndSlidesAboveIt) {
  EXPECT_NEAR(Ran(incline(std::atan(0.3 * 0.999), "mu = 0.3\n")).coordinate("slide.travel"), 0,
              1e-12);
  const double a = std::atan(0.3 * 1.001);
  const Ran slides(incline(a, "mu = 0.3\n"));
  const double g = kG * (std::sin(a) - 0.3 * std::cos(a));
  EXPECT_NEAR(slides.coordinate("slide.travel"), g / 2, 1e-12);  // constant: RATTLE is exact
  EXPECT_NEAR(slides.of("/laws/force", "rub"), -0.3 * 2 * kG * std::cos(a), 1e-9);
  EXPECT_NEAR(slides.of("/ledger/work", "rub"), -0.3 * 2 * kG * std::cos(a) * g / 2, 1e-12);
}

TEST(LoadFriction, ABlockThatIsPushedUpStopsAndStays) {
  // up at 2 m/s against g (sin + mu cos), static enough to hold
  const double a = 0.25, mu = 0.3, g = kG * (std::sin(a) + mu * std::cos(a));
  const Ran up(incline(a, "mu = 0.3\n", -2));
  // it stops within a step, whose mean force is not quite that of sliding: v h / 2
  EXPECT_NEAR(up.coordinate("slide.travel"), -2. * 2 / (2 * g), 2 * g * 1e-6);
  EXPECT_NEAR(up.rate("slide.travel"), 0, 1e-12);
}

TEST(LoadFriction, AStaticCoefficientHoldsMore) {
  const std::string keys = "mu = 0.2\nstatic_mu = 0.4\n";
  EXPECT_NEAR(Ran(incline(std::atan(0.39), keys)).coordinate("slide.travel"), 0, 1e-12);
  const double a = std::atan(0.41), g = kG * (std::sin(a) - 0.2 * std::cos(a));
  // the first half step still has the static one
  EXPECT_NEAR(Ran(incline(a, keys)).coordinate("slide.travel"), g / 2, 2e-3);
}

TEST(LoadFriction, ABearingStopsAFlywheelUnderItsWeight) {
  const double I = 0.2, mu = 0.2, r = 0.05, m = 10, w = 10, torque = mu * r * m * kG;
  const std::string wheel =
      "[[body]]\nname = \"b\"\nmass = 10\ninertia = [0.2, 0.1, 0.1]\n"
      "[[joint]]\nname = \"axle\"\ntype = \"revolute\"\nb = \"b\"\nat = [0, 0, 0]\nrate = 10\n" +
      rub("joint = \"axle\"\nmu = 0.2\nradius = 0.05\n");
  const double rest = I * w / torque;  // 2.0387 s
  EXPECT_NEAR(Ran(run_for(1, 1e-3) + wheel).rate("axle.angle"), w - torque / I, 1e-10);
  const Ran stopped(run_for(rest + 0.5, 1e-3) + wheel);
  EXPECT_NEAR(stopped.coordinate("axle.angle"), I * w * w / (2 * torque), torque / I * 1e-6);
  EXPECT_NEAR(stopped.rate("axle.angle"), 0, 1e-12);
  EXPECT_NEAR(stopped.of("/ledger/work", "rub"), -0.5 * I * w * w, 1e-10);
}

TEST(LoadFriction, AScrewHoldsItselfBelowItsAngle) {
  const auto nut = [](double share) {
    return run_for(0.5, 1e-3) +
           "[[body]]\nname = \"b\"\nmass = 1\ncylinder = {radius = 0.02, length = 0.02}\n"
           "[[joint]]\nname = \"spindle\"\ntype = \"cylindrical\"\nb = \"b\"\nat = [0, 0, 0]\naxis "
           "= "
           "[0, 0, 1]\n[[coupling]]\nname = \"thread\"\ntype = \"screw\"\nof = "
           "[\"spindle.travel\", "
           "\"spindle.angle\"]\n" +
           fmt::format("pitch = {}\n", 2 * std::numbers::pi * 0.01 * 0.1 * share) +
           rub("joint = \"spindle\"\ncoordinate = \"angle\"\nload = \"thread\"\nmu = 0.1\nradius = "
               "0.01\n");
  };
  EXPECT_NEAR(Ran(nut(0.99)).coordinate("spindle.travel"), 0, 1e-12);
  // steeper it runs down: F p/2pi - mu r F = I a/(p/2pi), F = m (g - a)
  const double lead = 0.01 * 0.1 * 1.01, I = 0.5 * 0.0004;
  const double down = (lead - 0.001) * kG / (I / lead + (lead - 0.001));
  EXPECT_NEAR(Ran(nut(1.01)).coordinate("spindle.travel"), -down * 0.125, 1e-12);
}

TEST(LoadFriction, ALeverWedgesOnItsPost) {
  // pushed down beside the post by P at x: it jams where 2 mu x / length exceeds 1
  const auto arm = [](double x) {
    return run_for(0.5, 1e-3, "gravity = 0\n") + body() +
           "[[joint]]\nname = \"post\"\ntype = \"prismatic\"\nb = \"b\"\nat = [0, 0, 0]\naxis = "
           "[0, "
           "0, 1]\n" +
           rub("joint = \"post\"\nmu = 0.25\nlength = 0.2\n") +
           fmt::format(
               "[[load]]\nname = \"push\"\ntype = \"force\"\nbody = \"b\"\npoint = [{}, 0, "
               "0]\nforce = [0, 0, -30]\n",
               x);
  };
  EXPECT_NEAR(Ran(arm(0.401)).coordinate("post.travel"), 0, 1e-12);
  EXPECT_NEAR(Ran(arm(0.1)).coordinate("post.travel"), -0.5 * 30 / 2 * (1 - 0.25) * 0.25, 1e-10);
  // without a length torques press on nothing
  std::string bare = arm(0.401);
  bare.erase(bare.find("length = 0.2\n"), 13);
  EXPECT_NEAR(Ran(bare).coordinate("post.travel"), -0.5 * 30 / 2 * 0.25, 1e-10);
}

TEST(LoadFriction, AGuideIsPressedAtBothItsEnds) {
  // 20 N across, 0.15 m above its middle: 10 +- 3/0.2 N at the ends, 25 and -5
  const Ran pushed(run_for(0.5, 1e-3, "gravity = 0\n") + body() +
                   "[[joint]]\nname = \"post\"\ntype = \"prismatic\"\nb = \"b\"\n"
                   "at = [0, 0, 0]\naxis = [0, 0, 1]\n" +
                   rub("joint = \"post\"\nmu = 0.25\nlength = 0.2\n") +
                   "[[load]]\nname = \"push\"\ntype = \"force\"\nbody = \"b\"\n"
                   "point = [0, 0, 0.15]\nforce = [20, 0, -30]\n");
  EXPECT_NEAR(pushed.coordinate("post.travel"), -0.5 * (30 - 0.25 * 30) / 2 * 0.25, 1e-10);
}

/// A pendulum whose pin rubs by the force on it, which hangs on angle and speed: beside a plain
/// Runge-Kutta method on a'' = -g/l sin a - mu r |N| sign(a')/(m l^2), N from the same motion.
double swung(double h) {
  const std::string text =
      run_for(0.6, h) +
      "[[body]]\nname = \"b\"\nmass = 2\ninertia = [1e-2, 1e-2, 1e-2]\n"
      "[[joint]]\nname = \"pin\"\ntype = \"revolute\"\nb = \"b\"\nframe_a = {axis = [0, 1, 0]}\n"
      "frame_b = {position = [0, 0, 0.5], axis = [0, 1, 0]}\nstart = 1\n" +
      rub("joint = \"pin\"\nmu = 0.3\nradius = 0.1\nstatic_mu = 0.5\nstribeck_speed = 2\n");
  return Ran(text).coordinate("pin.angle");
}

double swung_on_paper() {
  const double m = 2, l = 0.5, I = 1e-2 + m * l * l;
  double a = 1, w = 0;
  const auto slope = [&](double angle, double rate) {
    // N hangs on the acceleration, which hangs on N: a fixed point
    double acc = -m * kG * l * std::sin(angle) / I;
    for (int k = 0; k < 60; ++k) {
      const double along = m * (l * rate * rate + kG * std::cos(angle)),
                   across = m * (l * acc + kG * std::sin(angle));
      const double mu = 0.3 + 0.2 * std::exp(-rate * rate / 4);
      const double side = rate > 0 ? 1 : -1;  // it falls from 1 rad at once
      acc = (-m * kG * l * std::sin(angle) - side * mu * 0.1 * std::hypot(along, across)) / I;
    }
    return acc;
  };
  const int n = 4000;
  const double h = 0.6 / n;
  for (int k = 0; k < n; ++k) {
    const double a1 = slope(a, w), w2 = w + h / 2 * a1, a2 = slope(a + h / 2 * w, w2),
                 w3 = w + h / 2 * a2, a3 = slope(a + h / 2 * w2, w3), w4 = w + h * a3,
                 a4 = slope(a + h * w3, w4);
    a += h / 6 * (w + 2 * w2 + 2 * w3 + w4);
    w += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  return a;
}

TEST(LoadFriction, IsOfSecondOrderWhileItSlidesStribecksCoefficientIncluded) {
  const double want = swung_on_paper();
  const double e1 = std::abs(swung(1e-3) - want), e2 = std::abs(swung(5e-4) - want);
  EXPECT_LE(e2, 1e-6);
  EXPECT_NEAR(std::log2(e1 / e2), 2, 0.1);
}

std::string by_energy(std::string text, const char* more) {
  const std::string key = "[simulation]\n";
  text.insert(text.find(key) + key.size(), std::string("formulation = \"energy\"\n") + more);
  return text;
}

TEST(LoadFriction, EnergyTendsToTheSame) {
  const double a = std::atan(0.4), g = kG * (std::sin(a) - 0.2 * std::cos(a));
  for (const char* stiffness : {"joint_stiffness = \"inf\"\n", "joint_stiffness = 1e9\n"}) {
    const auto more = [&](const char* difference) {
      return fmt::format("{}difference = \"{}\"\n", stiffness, difference);
    };
    // a constant force by bdf1 is g/2 (1 + h), by bdf2 with one first step of bdf1 g/2 to h^2
    const Ran first(by_energy(incline(a, "mu = 0.2\n"), more("bdf1").c_str()));
    EXPECT_NEAR(first.coordinate("slide.travel"), g / 2 * (1 + 1e-3), 1e-7);
    EXPECT_NEAR(first.of("/laws/force", "rub"), -0.2 * 2 * kG * std::cos(a), 1e-5);
    const Ran second(by_energy(incline(a, "mu = 0.2\n"), more("bdf2").c_str()));
    EXPECT_NEAR(second.coordinate("slide.travel"), g / 2, 1e-5);
    const Ran sticks(by_energy(incline(a, "mu = 0.401\n"), more("bdf2").c_str()));
    EXPECT_NEAR(sticks.coordinate("slide.travel"), 0, 1e-9);
  }
}

TEST(LoadFriction, IsRefusedByEnergyWhereItIsGreaterAtRestAndByMidpoint) {
  const LoadedScene s = loaded(incline(0.3, "mu = 0.3\nstatic_mu = 0.4\n"));
  for (const auto& [difference, says] :
       {std::pair(form::Settings::Difference::bdf2, "has one coefficient of friction"),
        std::pair(form::Settings::Difference::midpoint, "by midpoint does not hold rates")}) {
    sim::Settings settings = s.scene.settings;
    settings.form.formulation = form::Settings::Formulation::energy;
    settings.form.difference = difference;
    const std::vector<Problem> problems = sim::refused(s.built, settings);
    ASSERT_FALSE(problems.empty());
    EXPECT_EQ(problems.back().path, "law.rub");
    EXPECT_NE(problems.back().text.find(says), std::string::npos) << problems.back().text;
  }
}

TEST(LoadFriction, MistakesAreToldWithTheirPlace) {
  const std::string slide =
      body() + "[[joint]]\nname = \"slide\"\ntype = \"prismatic\"\nb = \"b\"\nat = [0, 0, 0]\n";
  const std::string hinge =
      body() + "[[joint]]\nname = \"hinge\"\ntype = \"revolute\"\nb = \"b\"\nat = [0, 0, 0]\n";
  const std::string on_slide = "joint = \"slide\"\nmu = 0.1\n",
                    on_hinge = "joint = \"hinge\"\nmu = 0.1\nradius = 0.1\n";
  const std::pair<std::string, const char*> list[] = {
      {slide + rub("joint = \"slide\"\n"), "law.rub: 'mu' is missing"},
      {slide + rub("joint = \"slide\"\nmu = -1\n"), "'mu' of law 'rub' is -1"},
      {slide + rub("joint = \"slide\"\nmy = 1\n"), "did you mean 'mu'?"},
      {slide + rub("joint = \"slid\"\nmu = 1\n"), "did you mean 'slide'?"},
      {slide + rub("joint = \"slide\"\nmu = \"1 N\"\n"), "'1 N' is"},
      {slide + rub(on_slide + "radius = 0.1\n"), "friction along it has no lever"},
      {slide + rub(on_slide + "static_mu = 0.05\n"), "static_mu 0.05 is below mu 0.1"},
      {slide + rub(on_slide + "stribeck_speed = 1\n"), "'static_mu', which is not given"},
      {slide + rub(on_slide + "stribeck_speed = \"1 rad/s\"\nstatic_mu = 1\n"), "'1 rad/s' is"},
      {slide + rub(on_slide + "force = 5\n"), "'force' does not go with load-friction"},
      {slide + rub(on_slide + "load = \"slide\"\n"), "is no coupling of a coordinate"},
      {slide + rub("joint = \"slide\"\ncoordinate = \"Ay.D\"\nmu = 1\n"), "is a row of joint"},
      {slide + rub(on_slide) +
           "[[law]]\nname = \"soft\"\ntype = \"spring\"\njoint = \"slide\"\ncoordinate = "
           "\"Ay.D\"\nstiffness = 1e5\n",
       "is under law 'soft', which gives its force"},
      {hinge + rub("joint = \"hinge\"\nmu = 0.1\n"), "needs the 'radius'"},
      {hinge + rub(on_hinge + "length = 0.1\n"), "do not turn against each other"},
      {body() + "[[joint]]\nname = \"f\"\ntype = \"free\"\nb = \"b\"\nat = [0, 0, 0]\n" +
           rub("joint = \"f\"\ncoordinate = \"x\"\nmu = 1\n"),
       "has no reaction that presses on anything"},
      {body("position = [1, 0, 0]\n") + rub("b = \"b\"\nmu = 1\n"), "has no reaction"},
      {body() + "[[joint]]\nname = \"o\"\ntype = \"orientation\"\nb = \"b\"\nat = [0, 0, 0]\n" +
           rub("joint = \"o\"\ncoordinate = \"x\"\nmu = 1\n"),
       "has no reaction"},
  };
  for (const auto& [text, says] : list) {
    auto result = load_scene_text("format = 1\n" + text, "x.toml");
    const auto* problems = std::get_if<SceneProblems>(&result);
    const std::string said = problems ? all_of(*problems) : "nothing";
    EXPECT_NE(said.find(says), std::string::npos) << says << "\n" << said << text;
  }
}

}  // namespace
}  // namespace trammel::io::scene_friction_test
