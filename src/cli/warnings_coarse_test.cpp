// What a run says of motions that its steps do not follow, beside the same in steps that do.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "cli/test_warnings.h"

namespace trammel::cli::warnings_coarse_test {
namespace {

using namespace test;

constexpr double kCart = 1e-6, kBob = 1, kOwn = 1e-9, kAskew = 1e-3;  // [kg], [kg m^2], [m]

/// A bob on a rod of 1 m that hangs, a millimetre askew, from a cart of a millionth of its mass,
/// which swings above it some 500 times a second.
std::string light_cart() {
  return fmt::format(R"(
[[body]]
name = "cart"
mass = {0}
inertia = [1e-6, 1e-6, 1e-6]
position = [{3}, 0, 0]
[[body]]
name = "bob"
mass = {1}
inertia = [{2}, {2}, {2}]
position = [0, 0, {4}]
[[joint]]
name = "rail"
type = "prismatic"
b = "cart"
at = [{3}, 0, 0]
axis = [1, 0, 0]
[[joint]]
name = "pivot"
type = "revolute"
a = "cart"
b = "bob"
at = [{3}, 0, 0]
axis = [0, 1, 0]
)",
                     kCart, kBob, kOwn, kAskew, -std::sqrt(1 - kAskew * kAskew));
}

/// The same by its angle alone: as nothing pushes along the rail,
/// (mu cos^2 a + M sin^2 a + I) a'' + (M - mu) sin a cos a a'^2 + M g sin a = 0.
class CartByAngle {
 public:
  double cart() const { return (kCart * kAskew - kBob * std::sin(a_)) / (kCart + kBob); }
  void advance(double h) {
    const double a1 = slope(a_, w_), w2 = w_ + h / 2 * a1, a2 = slope(a_ + h / 2 * w_, w2),
                 w3 = w_ + h / 2 * a2, a3 = slope(a_ + h / 2 * w2, w3), w4 = w_ + h * a3,
                 a4 = slope(a_ + h * w3, w4);
    a_ += h / 6 * (w_ + 2 * w2 + 2 * w3 + w4);
    w_ += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }

 private:
  static double slope(double a, double w) {
    constexpr double mu = kCart * kBob / (kCart + kBob);
    const double s = std::sin(a), c = std::cos(a);
    return -(kBob * 9.81 * s + (kBob - mu) * s * c * w * w) / (mu * c * c + kBob * s * s + kOwn);
  }
  double a_ = -std::asin(kAskew), w_ = 0;
};

// Right where the steps follow it, told where they do not.
TEST(Warnings, ALightCartOverAHeavyBob) {
  std::array<double, 2> error{};
  for (std::size_t k = 0; k < 2; ++k) {
    const Prepared p = prepared(simulation("10 ms", k == 0 ? "40 us" : "20 us") + light_cart());
    CartByAngle exact;
    while (!p.simulation->finished() && p.simulation->advance()) {
      for (int i = 0; i < 10; ++i) exact.advance(p.simulation->settings().step / 10);
      error[k] = std::max(error[k], std::abs(p.simulation->state().q[0] - exact.cart()));
    }
    EXPECT_EQ(p.simulation->failure(), "");
    EXPECT_EQ(kinds(p.simulation->warnings()), "") << k;
  }
  EXPECT_LE(error[1], 1e-5);  // truncation, of 1 mm
  EXPECT_NEAR(std::log2(error[0] / error[1]), 2, 0.1);
  const sim::Warning told =
      only("unresolved vibration", warnings(simulation("0.1 s", "0.2 ms") + light_cart()));
  EXPECT_EQ(told.subject, "cart");
  EXPECT_TRUE(has(told.text, "goes to and fro")) << told.text;
  for (const char* step : {"0.2 ms", "1 ms", "10 ms"})
    EXPECT_TRUE(only("energy residual", warnings(simulation("0.1 s", step) + light_cart())).grave)
        << step;
}

/// Onto a stop in steps in which it sinks in by much of what it fell: led out against gravity, it
/// has gained the energy of that way.
TEST(Warnings, PositionCorrections) {
  const auto falls = [](const char* step) {  // too slowly for a blow, in steps of 30 ms
    return simulation("0.3 s", step, "gravity = [9.81, 0, 0]") +
           "[[body]]\nname = \"block\"\nmass = 1\nsphere = 0.1\n[[joint]]\nname = \"slide\"\ntype "
           "= "
           "\"prismatic\"\nb = \"block\"\nframe_a = {}\nframe_b = {}\n[[law]]\nname = "
           "\"stop\"\njoint "
           "= \"slide\"\ntype = \"limit\"\nto = 0.01\n";
  };
  const sim::Warning w = only("position corrections", warnings(falls("30 ms")));
  EXPECT_FALSE(w.grave);
  // from rest by g t^2/2 to 0.06 s, and back to the stop
  EXPECT_NEAR(w.value, 9.81 * (9.81 * 0.06 * 0.06 / 2 - 0.01), 1e-9);
  EXPECT_DOUBLE_EQ(w.t_first, 0.06);
  EXPECT_EQ(kinds(warnings(falls("1 ms"))), "");
}

std::string pushed(const std::string& force) {
  return fmt::format(R"(
[[body]]
name = "block"
mass = 1
sphere = 0.1
[[load]]
name = "push"
type = "force"
body = "block"
force = [{{formula = "{}"}}, 0, 0]
)",
                     force);
}

TEST(Warnings, UnresolvedLoad) {
  const auto scene = [](const char* force) {
    return simulation("0.2 s", "1.3 ms", "gravity = 0") + pushed(force);
  };
  const std::string why = failure(scene("1/(0.1 - t)"));
  EXPECT_TRUE(has(why, "'push'") && has(why, "pole at t = 0.1 s")) << why;
  EXPECT_EQ(only("unresolved load", warnings(scene("1 [N]*exp(-((t - 0.1005 [s])/(6e-5 [s]))^2)")))
                .subject,
            "push");
  for (const char* followed :
       {"1/(0.3 - t)", "if(t > 0, 20, 0)", "20*sign(sin(50*t))", "1 [N]*floor(t/0.01 [s])"})
    EXPECT_EQ(kinds(warnings(scene(followed))), "") << followed;
}

// A frequency of the steps' own looks like rest, or like a slow motion.
TEST(Warnings, UnresolvedDrive) {
  const auto body = [](const char* motion) {
    return simulation("1 s", "10 ms", "gravity = 0") +
           fmt::format(
               "[[body]]\nname = \"base\"\nkind = \"prescribed\"\ndisplacement = [{{formula = "
               "\"{}\"}}, 0, 0]\n[[body]]\nname = \"m\"\nmass = 1\nsphere = 0.1\n[[joint]]\nname = "
               "\"g\"\ntype = \"prismatic\"\na = \"base\"\nb = \"m\"\nat = [0, 0, 0]\n",
               motion);
  };
  const sim::Warning w =
      only("unresolved drive", warnings(body("0.1*cos(628.3185307179586*t) - 0.1")));
  EXPECT_TRUE(w.grave);
  EXPECT_EQ(w.subject, "base");
  EXPECT_NEAR(w.value, 0.2, 1e-6);
  EXPECT_EQ(only("unresolved drive", warnings(body("0.01*cos(633*t) - 0.01"))).subject, "base");
  EXPECT_EQ(only("unresolved drive", warnings(simulation("1 s", "10 ms", "gravity = 0") +
                                              slider("type = \"motor\"\nvelocity = {formula = "
                                                     "\"1 [m/s]*sin(628.3185307179586*t)\"}",
                                                     "")))
                .subject,
            "it");
  // from one end of a step to the other, at rest at both: fast, but no leap
  EXPECT_EQ(only("unresolved drive", warnings(body("0.05 + 0.05*tanh((t - 0.105)/0.001)"))).subject,
            "base");
  // a function that never changes: its rounding is no motion
  EXPECT_EQ(kinds(warnings(simulation("1 s", "10 ms", "gravity = 0") +
                           slider("type = \"motor\"\nvelocity = {formula = "
                                  "\"0.37 [m/s]*(sin(7*t)^2 + cos(7*t)^2)\"}",
                                  ""))),
            "");
  for (const char* followed :
       {"0.1*cos(60*t) - 0.1", "0.1*abs(t - 0.4321) - 0.04321", "0.01*abs(sin(3*t))"})
    EXPECT_EQ(kinds(warnings(body(followed))), "") << followed;
}

// By impulses an impact falls at the end of its step: what is thrown back is late by what it sank
// in.
/// A block that rattles between two stops, up to 64 times in 8 ms.
TEST(Warnings, LateImpacts) {
  const auto rattles = [](const char* settings, const char* step, const char* restitution) {
    return simulation("48 ms", step, settings) +
           slider(fmt::format("type = \"limit\"\nfrom = \"-1 mm\"\nto = \"1 mm\"\n"
                              "restitution = {}",
                              restitution),
                  "velocity = [40, 0, 0]");
  };
  const sim::Warning w = only("late impacts", warnings(rattles("gravity = 0", "8 ms", "0.98")));
  EXPECT_EQ(w.subject, "it");
  EXPECT_FALSE(w.grave);
  EXPECT_GT(w.value, w.limit);
  EXPECT_EQ(kinds(warnings(rattles("gravity = 0", "0.1 ms", "0.98"))), "");
  EXPECT_EQ(kinds(warnings(rattles("gravity = 0", "8 ms", "0"))), "");
  EXPECT_EQ(kinds(warnings(rattles("gravity = 0\nformulation = \"acceleration\"", "8 ms", "0.98"))),
            "");
}

/// Six cars on a line that take up their slack one by one.
std::string slack_train() {
  std::string out = simulation("1 s", "1 ms", "") + R"(
[[track]]
name = "line"
plan = [{line = 1000}]
[[load]]
name = "pull"
type = "force"
body = "car0"
force = [1e5, 0, 0]
[[repeat]]
count = 6
[[repeat.body]]
name = "car{i}"
mass = 5e4
box = [10, 3, 3]
on_track = {track = "line", s = "200 m - i*12 m"}
[[repeat.joint]]
name = "rails{i}"
type = "track"
track = "line"
b = "car{i}"
)";
  for (int i = 0; i < 5; ++i)
    out += fmt::format(
        "[[coupling]]\nname = \"gap{0}\"\ntype = \"linear\"\nof = [\"rails{0}.s\", "
        "\"rails{1}.s\"]\n"
        "coefficients = [1, -1]\n[[law]]\nname = \"hook{0}\"\ntype = \"limit\"\njoint = "
        "\"gap{0}\"\n"
        "from = 0\nto = 0.05\n",
        i, i + 1);
  return out;
}

// Rows that landed are at their stops to 1e-9 m: less is no sinking, far from the origin either.
TEST(Warnings, NoSinkingOfLessThanANanometre) { EXPECT_EQ(kinds(warnings(slack_train())), ""); }

// By energy soft joints begin without load: what hangs at rest swings to twice its weight.
TEST(Warnings, BreakOfASoftJoint) {
  const auto hanging = [](const char* settings, const char* strength) {
    return simulation("0.1 s", "1 ms", settings) +
           fmt::format(
               "[[body]]\nname = \"w\"\nmass = \"40 t\"\nsphere = 1\n[[joint]]\nname = "
               "\"hook\"\ntype = \"fixed\"\nb = \"w\"\nat = [0, 0, 1]\nstrength = "
               "\"{}\"\n",
               strength);
  };
  const char *soft = "formulation = \"energy\"",
             *holds = "formulation = \"energy\"\njoint_stiffness = \"inf\"";
  const sim::Warning w = only("break of a soft joint", warnings(hanging(soft, "600 kN")));
  EXPECT_EQ(w.subject, "hook");
  EXPECT_GT(w.value, w.limit);
  EXPECT_EQ(kinds(warnings(hanging(holds, "600 kN"))), "");
  EXPECT_EQ(kinds(warnings(hanging("", "600 kN"))), "");
  EXPECT_EQ(kinds(warnings(hanging(holds, "300 kN"))), "");  // it breaks, as it should
}

/// A thin stone with radii of 50, 20 and 1 cm rocks on a floor without friction: where it touches
/// goes from end to end of it in 20 ms.
std::string stone(const char* step) {
  return simulation("1 s", step) + R"(
[[contact]]
friction = 0
[[obstacle]]
half_space = [0, 0, 1]
[[body]]
name = "stone"
mass = 1
contact = "solids"
orientation = {axis = [0, 1, 0], angle = "10 deg"}
ellipsoid = [0.5, 0.2, 0.01]
position = [0, 0, "sqrt((0.5*sin(10[deg]))^2 + (0.01*cos(10[deg]))^2)*1[m]"]
)";
}

TEST(Warnings, CoarseRolling) {
  const sim::Warning w = only("coarse rolling", warnings(stone("20 ms")));
  EXPECT_TRUE(w.grave);
  EXPECT_NE(w.text.find("goes far over a shape"), std::string::npos);
  EXPECT_EQ(kinds(warnings(stone("1 ms"))), "");
}

// A normal of a floor does not turn, though a disc that wobbles comes to touch it elsewhere than
// where it was nearest.
TEST(Warnings, NoCoarseImpactsOnAFloor) {
  EXPECT_EQ(kinds(warnings(simulation("0.3 s", "1 ms") + R"(
[[obstacle]]
half_space = [0, 0, 1]
[[body]]
name = "disc"
mass = 0.4
cylinder = {radius = 0.04, length = 0.002, axis = [0, 0, 1]}
contact = "solids"
orientation = {axis = [1, 0, 0], angle = "5 deg"}
position = [0, 0, "(0.04*sin(5[deg]) + 0.001*cos(5[deg]))*1[m] + 1[um]"]
angular_velocity = [0, 9.2, 0.8]
)")),
            "");
}

}  // namespace
}  // namespace trammel::cli::warnings_coarse_test
