// What moves as it is told to: docs/from-solfec.md, SET_DISPLACEMENT, SET_VELOCITY,
// SET_ACCELERATION, signals, drag.
#include "from_solfec.h"

namespace trammel::acceptance::from_solfec_drives_test {
namespace {

using namespace from_solfec;

class Drives : public EveryWay {};
INSTANTIATE_TEST_SUITE_P(FromSolfec, Drives, every_way(), name_of);

/// Greatest distance of the block from x(t) where it is driven by `signal`, "velocity = ...".
template <class F>
double off_from(const Way& way, const std::string& signal, F&& x, const Keys& keys = {},
                const std::string& data = "") {
  std::string text = text_of("one direction");
  const std::size_t at = text.find("displacement");
  text = text.substr(0, at) + signal + "\n" + data;
  Keys all = way.keys(text);
  all.insert(keys.begin(), keys.end());
  SceneRun block(text, all);
  double off = 0;
  block.each([&](double t) { off = std::max(off, std::abs(block.place("block").x() - x(t))); });
  record("off", off);
  return off;
}

constexpr double kHeld = 1e-11;  // m: tolerance of rows and rounding

double wave(double t) { return 1 - std::cos(2 * M_PI * t); }

/// A series of f with knots every ms until 2 s.
template <class F>
std::string series(F&& f, double dt = 1e-3) {
  std::string t, x;
  for (int i = 0; i * dt <= 2 + dt / 2; ++i) {
    t += fmt::format("{}{}", i ? ", " : "", i * dt);
    x += fmt::format("{}{}", i ? ", " : "", f(i * dt));
  }
  return "{time = [" + t + "], value = [" + x + "]}";
}

TEST_P(Drives, DisplacementByAnExpressionIsExact) {
  for (const char* step : {"0.01", "0.0025"})
    EXPECT_LE(off_from(GetParam(), "displacement = {formula = \"1 m - 1 m*cos(2*pi*t/1 s)\"}", wave,
                       {{"simulation.step", step}}),
              kHeld);
}

TEST_P(Drives, DisplacementByATableIsTheTable) {
  // at the knots it is exact: Solfec-1.0 is off by 3.6e-3 and 1.6e-3
  for (const char* step : {"0.01", "0.0025"})
    EXPECT_LE(off_from(GetParam(), "displacement = " + series(wave), wave,
                       {{"simulation.step", step}, {"simulation.duration", "1"}}),
              step == std::string("0.01") ? kHeld : 5e-6);  // straight between knots: w^2 h^2 / 8
}

TEST_P(Drives, VelocityByATableIsIntegratedExactly) {
  const double w = 2 * M_PI, sum = 1e-3 / 2 / std::tan(w * 1e-3 / 2);  // of the trapezoidal rule
  const auto of_table = [&](double t) { return w * sum * (1 - std::cos(w * t)); };
  EXPECT_LE(
      off_from(GetParam(), "velocity = " + series([&](double t) { return w * std::sin(w * t); }),
               of_table, {{"simulation.step", "0.01"}, {"simulation.duration", "1"}}),
      kHeld);
  // and Solfec-1.0's is off by 6.6e-4
  EXPECT_LE(std::abs(1 - w * sum), 4e-6);
}

TEST_P(Drives, VelocityThatDoesNotStartFromRestLeavesNothingBehind) {
  EXPECT_LE(off_from(GetParam(), "velocity = \"1 m/s\"", [](double t) { return t; },
                     {{"simulation.step", "0.01"}}),
            kHeld);  // Solfec-1.0: h v/2 = 5e-3
}

TEST_P(Drives, SeriesStaysAtItsLastKnot) {
  EXPECT_LE(off_from(GetParam(), "displacement = {time = [0, 1], value = [0, 1]}",
                     [](double t) { return std::min(t, 1.); }),
            kHeld);  // Solfec-1.0 ends at 1.999
}

TEST_P(Drives, TwoKnotsOfAnAccelerationAreHalfTSquared) {
  EXPECT_LE(off_from(GetParam(), "acceleration = {time = [0, 2], value = [1, 1]}",
                     [](double t) { return t * t / 2; }),
            kHeld);  // Solfec-1.0: t
  EXPECT_LE(off_from(GetParam(), "acceleration = {time = [0, 2], value = [0, 2]}",
                     [](double t) { return t * t * t / 6; }),
            kHeld);
}

TEST_P(Drives, SeriesWithANameServesManyLaws) {
  const std::string data = "[[data]]\nname = \"ramp\"\nx = [0, 1, 2]\ny = [0, 2, 0]\n";
  const auto way = [](double t) { return t < 1 ? t * t : 2 * t - 1 - (t - 1) * (t - 1); };
  EXPECT_LE(off_from(GetParam(), "velocity = {formula = \"table(t, ramp)\"}", way, {}, data),
            kHeld);
  EXPECT_LE(off_from(
                GetParam(), "displacement = {formula = \"table(t, ramp)\"}",
                [](double t) { return t < 1 ? 2 * t : 4 - 2 * t; }, {}, data),
            kHeld);
}

TEST_P(Drives, VelocityAndAccelerationMayBeExpressions) {
  const double w = 2 * M_PI;
  EXPECT_LE(off_from(GetParam(), "velocity = {formula = \"2*pi*sin(2*pi*t/1 s)\"}", wave,
                     {{"simulation.step", "0.01"}}),
            kHeld);
  EXPECT_LE(off_from(GetParam(), "acceleration = {formula = \"39.47841760435743*cos(2*pi*t/1 s)\"}",
                     wave, {{"simulation.step", "0.01"}}),
            kHeld);
  EXPECT_LE(off_from(GetParam(), "velocity = {formula = \"if(t < 0.7153 s, 1, -1)\"}",
                     [](double t) { return std::min(t, 2 * 0.7153 - t); }),
            kHeld);
  EXPECT_LE(
      off_from(GetParam(), "acceleration = {formula = \"1*sin(2*pi*t/1 s)\"}\nstart_velocity = 1",
               [&](double t) { return t + t / w - std::sin(w * t) / (w * w); }),
      kHeld);
}

TEST_P(Drives, ThreeDirectionsMakeACircle) {
  SceneRun block("three directions", GetParam());
  const Vec3 a = Vec3(1, -1, 0).normalized(), b = Vec3(1, 1, -2).normalized();
  double off = 0;
  block.each([&](double t) {
    const Pose X = block.now().pose("block");
    const Vec3 tip = X.p + X.R * Vec3(0.1, 0.1, 0.1), start(0.1, 0.1, 0.1);
    const double w = 2 * M_PI * t;
    off = std::max(off, (tip - start - 0.2 * (std::sin(w) * a + (1 - std::cos(w)) * b)).norm());
  });
  record("off", off);
  EXPECT_LE(off, kHeld);
}

TEST(FromSolfec, ProjectileWithDragFliesAsFarAsOnPaper) {
  const std::string text =
      "format = 1\n[simulation]\nduration = 1.976\nstep = \"1.976/1024\"\ngravity = 9.81456\n"
      "[[body]]\nname = \"ball\"\nmass = 0.45359237\nsphere = 0.05\nvelocity = [2.54, 0, 12.7]\n"
      "[[load]]\nname = \"air\"\ntype = \"drag\"\nbody = \"ball\"\nlinear = 0.45359237\n";
  for (const auto& [formulation, most] :
       {std::pair("velocity", 2e-4), std::pair("acceleration", 1e-8), std::pair("energy", 2e-3)}) {
    SceneRun ball(text, Way{formulation}.keys(text));
    ball.to_end();
    const double x = ball.place("ball").x() / 0.0254;  // inch
    record(formulation, x - 86.1377);
    EXPECT_NEAR(x, 100 * (1 - std::exp(-1.976)), most);  // Solfec-1.0: 86.081 of 86.1377
  }
}

}  // namespace
}  // namespace trammel::acceptance::from_solfec_drives_test
