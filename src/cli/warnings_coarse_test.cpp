// What a run says of motions that its steps do not follow, beside the same in steps that do.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "cli/scene_input.h"

namespace trammel::cli::warnings_coarse_test {
namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

Prepared prepared(const std::string& text) {
  auto out = prepare_text("format = 1\n" + text, "s.toml", {});
  if (const auto* problems = std::get_if<io::SceneProblems>(&out))
    throw std::runtime_error(io::to_text(problems->front()));
  return std::move(std::get<Prepared>(out));
}

std::vector<sim::Warning> warnings(const std::string& text) {
  const Prepared p = prepared(text);
  while (!p.simulation->finished() && p.simulation->advance()) continue;
  EXPECT_EQ(p.simulation->failure(), "");
  return p.simulation->warnings();
}

/// The kinds, each with ! where it is grave.
std::string kinds(const std::vector<sim::Warning>& all) {
  std::string out;
  for (const sim::Warning& w : all)
    out += (out.empty() ? "" : ", ") + w.kind + (w.grave ? "!" : "");
  return out;
}

/// Only the warning of that kind.
sim::Warning only(const std::string& kind, const std::vector<sim::Warning>& all) {
  for (const sim::Warning& w : all)
    if (w.kind == kind) return w;
  ADD_FAILURE() << "no " << kind << " in: " << kinds(all);
  return {};
}

std::string simulation(const std::string& duration, const std::string& step,
                       const std::string& more = "") {
  return fmt::format("[simulation]\nduration = \"{}\"\nstep = \"{}\"\n{}\n", duration, step, more);
}

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
  const auto falls = [](const char* step) {
    return simulation("0.3 s", step, "gravity = [9.81, 0, 0]") +
           "[[body]]\nname = \"block\"\nmass = 1\nsphere = 0.1\n[[joint]]\nname = \"slide\"\ntype "
           "= "
           "\"prismatic\"\nb = \"block\"\nframe_a = {}\nframe_b = {}\n[[law]]\nname = "
           "\"stop\"\njoint "
           "= \"slide\"\ntype = \"limit\"\nto = 0.05\n";
  };
  const sim::Warning w = only("position corrections", warnings(falls("30 ms")));
  EXPECT_FALSE(w.grave);
  // from rest by g t^2/2 to 0.12 s, and back to the stop
  EXPECT_NEAR(w.value, 9.81 * (9.81 * 0.12 * 0.12 / 2 - 0.05), 1e-9);
  EXPECT_DOUBLE_EQ(w.t_first, 0.12);
  EXPECT_EQ(kinds(warnings(falls("1 ms"))), "");
}

}  // namespace
}  // namespace trammel::cli::warnings_coarse_test
