// What slides off the end of a box: where it tips over the edge and where it leaves it are moments
// within a step.
#include <fmt/format.h>

#include <array>

#include "order_support.h"

namespace trammel::acceptance::contact_parting_test {
namespace {

constexpr double kG = 9.81, kLength = 0.2, kHeight = 0.06, kFrom = -0.3, kSpeed = 1.5;

/// Place, height and pitch of a brick beside the edge of the box, and their rates.
using Brick = std::array<double, 6>;

/// How far its middle is past the edge, along its face.
double past(const Brick& y) { return y[0] * std::cos(y[2]) - y[1] * std::sin(y[2]); }

/// Its rates while it slides over the edge: one force on its face, there, with friction against.
Brick slides_over(const Brick& y, double mu) {
  const double I = (kLength * kLength + kHeight * kHeight) / 12, c = std::cos(y[2]),
               s = std::sin(y[2]), arm = past(y) + mu * kHeight / 2;
  const double along = y[3] * c - y[4] * s, up = y[0] * s + y[1] * c;
  const double N = (kG * c - 2 * y[5] * along + y[5] * y[5] * up) / (1 + past(y) * arm / I);
  return {y[3], y[4], y[5], N * (s - mu * c), N * (c + mu * s) - kG, N * arm / I};
}

Brick along(const Brick& y, double h, const Brick& rate) {
  Brick out = y;
  for (std::size_t i = 0; i < y.size(); ++i) out[i] += h * rate[i];
  return out;
}

/// One step of Runge and Kutta's.
Brick after(const Brick& y, double h, double mu) {
  const Brick a = slides_over(y, mu), b = slides_over(along(y, h / 2, a), mu),
              c = slides_over(along(y, h / 2, b), mu), d = slides_over(along(y, h, c), mu);
  return along(along(along(along(y, h / 6, a), h / 3, b), h / 3, c), h / 6, d);
}

/// Where the brick is at `end`: it slides flat until its load stands at the edge, then over that
/// until its end has come there, then it falls.
Brick brick_at(double end, double mu) {
  const double tips = -mu * kHeight / 2;
  const double v = std::sqrt(kSpeed * kSpeed - 2 * mu * kG * (tips - kFrom));
  double t = 2 * (tips - kFrom) / (kSpeed + v);
  Brick y{tips, kHeight / 2, 0, v, 0, 0};
  constexpr double kStep = 1e-4;
  while (past(after(y, kStep, mu)) < kLength / 2) y = after(y, kStep, mu), t += kStep;
  double h = kStep;
  for (double part = kStep / 2; part > 1e-16; part /= 2)
    if (past(after(y, h - part, mu)) > kLength / 2) h -= part;
  y = after(y, h, mu);
  const double left = end - t - h;
  return {y[0] + left * y[3], y[1] + left * (y[4] - kG * left / 2),
          y[2] + left * y[5], y[3],
          y[4] - kG * left,   y[5]};
}

std::string brick_on_box(double mu, const Vec3& velocity, const Vec3& spin) {
  return fmt::format(
      R"toml(
[[contact]]
friction = {}
[[obstacle]]
box = [1, 1, 0.5]
position = [-0.5, 0, -0.25]
[[body]]
name = "it"
mass = 1
contact = "solids"
box = [{}, 0.1, {}]
position = [{}, 0.05, {}]
velocity = [{}, {}, {}]
angular_velocity = [{}, {}, {}]
)toml",
      mu, kLength, kHeight, kFrom, kHeight / 2, velocity.x(), velocity.y(), velocity.z(), spin.x(),
      spin.y(), spin.z());
}

Pose pose_after(double duration, double ms, const std::string& scene) {
  const std::string step = fmt::format("\"{} ms\"", ms);
  Simulation sim = simulation(simulation_of(duration, step, "velocity") + scene);
  while (!sim.finished() && sim.advance()) continue;
  EXPECT_EQ(sim.failure(), "");
  EXPECT_TRUE(sim.warnings().empty()) << sim.warnings()[0].text;
  return pose(sim, "it");
}

TEST(ContactParting, ABrickLeavesTheEdgeOfABoxWhereItEnds) {
  for (const double mu : {0., 0.1, 0.2}) {
    const Brick wanted = brick_at(0.6, mu);
    for (const double ms : {3., 2., 1.5, 1., 0.7, 0.5, 0.3}) {
      const Pose got = pose_after(0.6, ms, brick_on_box(mu, {kSpeed, 0, 0}, Vec3::Zero()));
      const double pitch = std::atan2(-got.R(2, 0), got.R(0, 0));
      const double bound = 5e-5 * ms * ms + 1e-5;  // what a step divided twice leaves
      EXPECT_NEAR(got.p.x(), wanted[0], bound) << mu << " " << ms;
      EXPECT_NEAR(got.p.z(), wanted[1], bound) << mu << " " << ms;
      EXPECT_NEAR(pitch, wanted[2], 2 * bound) << mu << " " << ms;
      EXPECT_NEAR(got.p.y(), 0.05, 1e-9) << mu << " " << ms;
    }
  }
}

/// How far the brick is at the end from where a run in fine steps has it: place, and axes.
std::pair<double, double> off(const std::string& scene, double ms, const Pose& wanted) {
  const Pose got = pose_after(0.6, ms, scene);
  return {(got.p - wanted.p).norm(), (got.R - wanted.R).norm()};
}

TEST(ContactParting, ABrickThatTurnsAsItLeavesConverges) {
  const std::string scene = brick_on_box(0, {kSpeed, 0, 0}, {0, 0, 2});
  const Pose wanted = pose_after(0.6, 0.1, scene);
  for (const double ms : {2., 1.5, 1., 0.6, 0.5, 0.3}) {
    const auto [place, axes] = off(scene, ms, wanted);
    EXPECT_LT(place, 3e-5 * ms * ms + 1e-5) << ms;
    EXPECT_LT(axes, 3e-4 * ms * ms + 1e-4) << ms;
  }
}

/// Its two corners go past the edge within a step, which are taken as one: of order one.
TEST(ContactParting, ABrickThatLeavesAllButSquareConverges) {
  const std::string scene = brick_on_box(0.2, {kSpeed, 0.1, 0}, Vec3::Zero());
  const Pose wanted = pose_after(0.6, 0.1, scene);
  for (const double ms : {2., 1.5, 1., 0.6, 0.5, 0.3}) {
    const auto [place, axes] = off(scene, ms, wanted);
    EXPECT_LT(place, 2e-4 * ms) << ms;
    EXPECT_LT(axes, 2.5e-3 * ms) << ms;
  }
}

}  // namespace
}  // namespace trammel::acceptance::contact_parting_test
