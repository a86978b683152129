// Loads that are formulas of a body's motion, and motors whose force is limited by one: against
// answers on paper, in every formulation that takes them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "io/scene.h"
#include "sim/present.h"
#include "sim/simulation.h"

namespace trammel::io::scene_motion_test {
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

std::string run(const std::string& formulation, double seconds, double step,
                const std::string& more = "") {
  const std::string exact =
      formulation == "energy" ? "joint_stiffness = \"inf\"\ndifference = \"bdf2\"\n" : "";
  return fmt::format("[simulation]\nformulation = \"{}\"\nduration = {}\nstep = {}\n{}{}",
                     formulation, seconds, step, exact, more);
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
  std::vector<double> of(const char* dataset, const char* item) const {
    const auto all = sim::Present(run_).of(dataset, item);
    return {all.begin(), all.end()};
  }
  Vec3 velocity(const char* body) const {
    const auto v = of("/bodies/velocity", body);
    return {v[0], v[1], v[2]};
  }

 private:
  LoadedScene scene_;
  sim::Simulation run_;
};

class MovesInEveryFormulation : public testing::TestWithParam<const char*> {
 protected:
  static double within(double tolerance) {
    return (std::string(GetParam()) == "energy" ? 12 : 1) * tolerance;
  }
};

TEST_P(MovesInEveryFormulation, ABallFallsAtItsTerminalVelocity) {
  // v = vt tanh(g t / vt), vt^2 = m g / c
  const std::string ball =
      "[parameters]\nc = \"0.05 kg/m\"\n[[body]]\nname = \"ball\"\nmass = 1\nsphere = 0.1\n"
      "[[load]]\nname = \"air\"\ntype = \"formula\"\nbody = \"ball\"\n"
      "force = [\"-c*abs(vx)*vx\", 0, \"-c*abs(vz)*vz\"]\n";
  const double vt = std::sqrt(kG / 0.05);
  EXPECT_NEAR(Ran(run(GetParam(), 1, 2e-3) + ball).velocity("ball").z(), -vt * std::tanh(kG / vt),
              within(5e-6));
  const Ran falls(run(GetParam(), 20, 1e-2) + ball);
  EXPECT_NEAR(falls.velocity("ball").z(), -vt, 1e-6);
}

/// A wing held upright, with lift by the square of its speed and a drag of a share of it.
std::string wing(double share, double vx, double vz) {
  return fmt::format(
      "[parameters]\nk = \"6 kg/m\"\n[[body]]\nname = \"wing\"\nmass = 100\ninertia = [10, 20, "
      "30]\n"
      "velocity = [{1}, 0, {2}]\n[[joint]]\nname = \"upright\"\ntype = \"orientation\"\nb = "
      "\"wing\"\nat = [0, 0, 0]\n[[load]]\nname = \"air\"\ntype = \"formula\"\nbody = "
      "\"wing\"\naxes "
      "= \"body\"\nforce = [\"-k*sqrt(vx^2 + vz^2)*(vz + {0}*vx)\", 0, \"k*sqrt(vx^2 + vz^2)*(vx - "
      "{0}*vz)\"]\n",
      share, vx, vz);
}

TEST_P(MovesInEveryFormulation, AWingGlidesAtTheRatioOfLiftToDrag) {
  const double share = 0.1, v2 = 100 * kG / 6 / std::sqrt(1 + share * share), v = std::sqrt(v2),
               down = std::atan(share);
  const Ran glide(run(GetParam(), 2, 1e-2) + wing(share, v * std::cos(down), -v * std::sin(down)));
  const Vec3 u = glide.velocity("wing");
  EXPECT_NEAR(u.x() / -u.z(), 10, 1e-6);  // it starts in its glide, which is steady
  EXPECT_NEAR(u.norm(), v, 1e-6);
}

TEST_P(MovesInEveryFormulation, APhugoidHasLanchestersPeriod) {
  // T = sqrt(2) pi V / g: a quarter later the excess of speed is gone
  const double v = std::sqrt(100 * kG / 6), T = std::numbers::sqrt2 * std::numbers::pi * v / kG,
               e = 0.01;
  const Ran quarter(run(GetParam(), T / 4, 5e-3) + wing(0, v + e, 0));
  EXPECT_NEAR(quarter.velocity("wing").x() - v, 0,
              3e-3 * e + within(1e-6));  // e^2/V and truncation
  const Ran half(run(GetParam(), T / 2, 5e-3) + wing(0, v + e, 0));
  EXPECT_NEAR(half.velocity("wing").x() - v, -e, 3e-3 * e + within(1e-6));
}

TEST_P(MovesInEveryFormulation, ACarCornersByItsUndersteerGradient) {
  // two axles with lateral forces C times their slip, steered by d in front
  const double m = 1200, a = 1.1, b = 1.5, Cf = 6e4, Cr = 7e4, d = 0.02, L = a + b;
  const std::string car =
      "[parameters]\nCf = \"60 kN\"\nCr = \"70 kN\"\nsteer = 0.02\nV = \"20 m/s\"\n[[body]]\nname "
      "= "
      "\"car\"\nmass = 1200\ninertia = [500, 1500, 1800]\nvelocity = [20, 0, 0]\n[[joint]]\nname = "
      "\"road\"\ntype = \"planar\"\nb = \"car\"\nat = [0, 0, 0]\naxis = [0, 0, 1]\n"
      "[[load]]\nname = \"front\"\ntype = \"formula\"\nbody = \"car\"\naxes = \"body\"\npoint = "
      "[1.1, "
      "0, 0]\nforce = [0, \"Cf*(steer - vy/max(vx, 1 m/s))\", 0]\n"
      "[[load]]\nname = \"rear\"\ntype = \"formula\"\nbody = \"car\"\naxes = \"body\"\npoint = "
      "[-1.5, "
      "0, 0]\nforce = [\"4000 [N s/m]*(V - vx)\", \"-Cr*vy/max(vx, 1 m/s)\", 0]\n";
  const Ran corner(run(GetParam(), 4, 5e-3) + car);
  const double r = corner.of("/bodies/angular_velocity", "car")[2];
  const auto q = corner.of("/bodies/orientation", "car");
  const double yaw = 2 * std::atan2(q[3], q[0]);
  const Vec3 u = corner.velocity("car");
  const double vx = std::cos(yaw) * u.x() + std::sin(yaw) * u.y();
  EXPECT_NEAR(r, d / (L / vx + m * vx / L * (b / Cf - a / Cr)), 2e-6);
  EXPECT_GT(r, 0.09);
}

TEST_P(MovesInEveryFormulation, AFormulaKnowsPlacesAnglesAndTorques) {
  // a spring of its own: to a place by force, to an angle by torque; 2 kg at 1 m, turned by 0.1
  const std::string text =
      "[[body]]\nname = \"b\"\nmass = 2\ninertia = [0.5, 0.5, 0.5]\nposition = [0, 1, "
      "0]\norientation = {axis = [1, 0, 0], angle = 0.1}\n[[load]]\nname = \"l\"\ntype = "
      "\"formula\"\nbody = \"b\"\nforce = [0, \"-32 [N/m]*y\", 0]\ntorque = [\"-2 [N m]*roll - 0.2 "
      "[N m s]*wx\", 0, 0]\n";
  const Ran at(run(GetParam(), 0.5, 5e-4, "gravity = 0\n") + text);
  EXPECT_NEAR(at.of("/bodies/position", "b")[1], std::cos(4 * 0.5), within(2e-6));
  const double dc = 0.2, wd = std::sqrt(4 - dc * dc);
  const auto q = at.of("/bodies/orientation", "b");
  EXPECT_NEAR(2 * std::atan2(q[1], q[0]),
              0.1 * std::exp(-dc * 0.5) * (std::cos(wd * 0.5) + dc / wd * std::sin(wd * 0.5)),
              within(1e-7));
}

TEST_P(MovesInEveryFormulation, TwoCoupledOscillatorsHaveTwoFrequencies) {
  // a spring on the difference of two coordinates: what an anti-roll bar is
  const auto pair = [&](double v, double w) {
    std::string out = run(GetParam(), 1, 1e-3, "gravity = 0\n");
    for (const auto& [name, rate] : {std::pair("p", v), std::pair("q", w)})
      out += fmt::format(
          "[[body]]\nname = \"{0}\"\nmass = 2\nbox = [0.1, 0.1, 0.1]\n[[joint]]\nname = "
          "\"{0}_slide\"\ntype = \"prismatic\"\nb = \"{0}\"\nframe_a = {{}}\nframe_b = {{}}\nrate "
          "= {1}\n[[law]]\nname = \"{0}_spring\"\ntype = \"spring\"\njoint = "
          "\"{0}_slide\"\nstiffness = 50\n",
          name, rate);
    out +=
        "[[coupling]]\nname = \"between\"\ntype = \"linear\"\nof = [\"p_slide.travel\", "
        "\"q_slide.travel\"]\ncoefficients = [1, -1]\n[[law]]\nname = \"bar\"\ntype = "
        "\"spring\"\njoint = \"between\"\nfunction = \"-30 [N/m]*x\"\n";
    return Ran(out).of("/joints/coordinates", "p_slide.travel")[0];
  };
  EXPECT_NEAR(pair(0.1, 0.1), 0.1 / 5 * std::sin(5), within(2e-6));
  const double w = std::sqrt(25 + 2 * 30 / 2.);
  EXPECT_NEAR(pair(0.1, -0.1), 0.1 / w * std::sin(w), within(3e-6));
}

INSTANTIATE_TEST_SUITE_P(Motion, MovesInEveryFormulation,
                         testing::Values("velocity", "acceleration", "energy"));

class AtItsLimit : public testing::TestWithParam<const char*> {};

std::string car(const char* limit) {
  return fmt::format(
      "[[body]]\nname = \"car\"\nmass = 1000\nbox = [4, 2, 1]\n[[joint]]\nname = \"road\"\ntype = "
      "\"prismatic\"\nb = \"car\"\nat = [0, 0, 0]\nrate = \"5 m/s\"\n[[law]]\nname = "
      "\"engine\"\ntype = \"motor\"\njoint = \"road\"\nvelocity = \"30 m/s\"\nforce_limit = "
      "\"{}\"\n",
      limit);
}

TEST_P(AtItsLimit, ACarOfConstantPowerGainsItAsEnergy) {
  // v^2 = v0^2 + 2 P t / m until the speed asked for, then it is held
  const std::string text = car("50 kW/max(abs(v), 1 m/s)");
  const Ran early(run(GetParam(), 4, 1e-2, "gravity = 0\n") + text);
  EXPECT_NEAR(early.velocity("car").x(), std::sqrt(25 + 2 * 50 * 4), 1e-4);  // truncation
  EXPECT_NEAR(early.of("/ledger/work", "engine")[0], 50e3 * 4, 3);           // W s
  const Ran late(run(GetParam(), 10, 1e-2, "gravity = 0\n") + text);
  EXPECT_NEAR(late.velocity("car").x(), 30, 1e-9);
  EXPECT_NEAR(late.of("/joints/coordinates", "road.travel")[0], (27000 - 125) / 150. + 1.25 * 30,
              1e-3);
}

TEST_P(AtItsLimit, ItIsOfSecondOrder) {
  const auto error = [&](double h) {
    const Ran r(run(GetParam(), 4, h, "gravity = 0\n") + car("50 kW/max(abs(v), 1 m/s)"));
    return std::abs(r.velocity("car").x() - std::sqrt(425.));
  };
  const double coarse = error(4e-2), fine = error(2e-2);
  // by forces rounding
  EXPECT_TRUE(coarse / fine >= 3.5 || fine <= 1e-12) << coarse << " " << fine;
  EXPECT_LE(fine, 1e-3);
}

TEST_P(AtItsLimit, ALimitBelowZeroGivesNoForce) {
  const Ran r(run(GetParam(), 1, 1e-2, "gravity = 0\n") + car("-5 N - t*1 N/s"));
  EXPECT_NEAR(r.velocity("car").x(), 5, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Motion, AtItsLimit, testing::Values("velocity", "acceleration"));

TEST(Motion, MistakesAreToldWithTheirPlace) {
  const std::string body = "[[body]]\nname = \"b\"\nmass = 2\nsphere = 0.1\n";
  const std::string load = body + "[[load]]\nname = \"l\"\ntype = \"formula\"\nbody = \"b\"\n";
  const std::pair<std::string, const char*> list[] = {
      {load, "one of force, torque is needed"},
      {load + "force = [\"vq*1 [N s/m]\", 0, 0]\n", "vq"},
      {load + "force = [\"3 [kg]*vx\", 0, 0]\n", "load.l.force[0]"},
      {load + "force = [\"5 N m\", 0, 0]\n", "load.l.force[0]"},
      {load + "force = [0, 0]\n", "found 2 values"},
      {load + "force = 5\n", "found the number 5"},
      {load + "force = [0, 0, {time = [0], value = [1]}]\n", "load.l.force[2]"},
      {load + "force = [\"1 [N]*vx/vx\", 0, 0]\n", "is no number at rest"},
      {load + "torque = [0, 0, 0]\nquadratic = 3\n", "'quadratic' does not go with formula"},
      {"[parameters]\ny = \"1 m\"\n" + load + "force = [\"1 [N/m]*y\", 0, 0]\n",
       "'y' is a parameter, and the motion of the body has a quantity of that name"},
      {"[[load]]\nname = \"l\"\ntype = \"formula\"\nbody = \"ground\"\nforce = [0, 0, 0]\n",
       "it is the ground"},
      {"[simulation]\nformulation = \"energy\"\n" + car("5 N"),
       "has no use for 'force_limit': a bound that follows the motion"},
      {car("5 N m"), "law.engine.force_limit"},
      {car("5 N*y"), "y"},
      {body + "[[load]]\nname = \"l\"\ntype = \"force\"\nbody = \"b\"\nforce = [\"-3*vx\", 0, 0]\n",
       "load.l.force[0]"},
  };
  for (const auto& [text, says] : list) {
    auto result = load_scene_text("format = 1\n" + text, "x.toml");
    const auto* problems = std::get_if<SceneProblems>(&result);
    const std::string said = problems ? all_of(*problems) : "nothing";
    EXPECT_NE(said.find(says), std::string::npos) << says << "\n" << said << text;
  }
}

}  // namespace
}  // namespace trammel::io::scene_motion_test
