// A stone that turns its spin round, beside its equations of motion written out by hand.
#include <Eigen/Dense>
#include <cmath>

#include "order_support.h"

namespace trammel::acceptance::rattleback_test {
namespace {

constexpr double kMass = 1, kLow = 0.01, kG = 9.81;  // kLow: of its centre of mass below the middle
const Vec3 kRadii(0.2, 0.03, 0.02);

Mat3 inertia() {
  Mat3 out = Vec3(2e-4, 1.6e-3, 1.7e-3).asDiagonal();
  out(0, 1) = out(1, 0) = -2e-5;
  return out;
}

/// Its angular velocity and which way is down, in its own axes.
struct Stone {
  Vec3 w, down;
};

/// An ellipsoid that rolls without slip on a plane: v + w x r = 0, r from the centre of mass to
/// where it touches, and so I w' + w x I w = r x m (v' + w x v - g down), the derivatives of v and
/// r in its axes (after Kane and Levinson 1982).
Stone rate_of(const Stone& s) {
  const Vec3 stretched = kRadii.cwiseProduct(s.down);
  const double h = stretched.norm();
  const Vec3 p = kRadii.cwiseProduct(stretched) / h, r = p + Vec3(0, 0, kLow);
  const Vec3 down_rate = s.down.cross(s.w);
  const Vec3 r_rate = (kRadii.cwiseAbs2().cwiseProduct(down_rate) - p * p.dot(down_rate)) / h;
  const Vec3 v = -s.w.cross(r);
  const Mat3 I = inertia();
  const Mat3 about = I + kMass * (r.squaredNorm() * Mat3::Identity() - r * r.transpose());
  const Vec3 force = kMass * (-s.w.cross(r_rate) + s.w.cross(v) - kG * s.down);
  return {about.inverse() * (r.cross(force) - s.w.cross(I * s.w)), down_rate};
}

Stone moved(const Stone& s, const Stone& rate, double h) {
  return {s.w + h * rate.w, s.down + h * rate.down};
}

/// Runge and Kutta's method of order 4.
Stone after(Stone s, double h) {
  const Stone a = rate_of(s), b = rate_of(moved(s, a, h / 2)), c = rate_of(moved(s, b, h / 2)),
              d = rate_of(moved(s, c, h));
  s.w += h / 6 * (a.w + 2 * b.w + 2 * c.w + d.w);
  s.down = (s.down + h / 6 * (a.down + 2 * b.down + 2 * c.down + d.down)).normalized();
  return s;
}

constexpr const char* kScene = R"(
[[contact]]
friction = 1
[[obstacle]]
half_space = [0, 0, 1]
[[body]]
name = "stone"
mass = 1
inertia = [2e-4, 1.6e-3, 1.7e-3, -2e-5, 0, 0]
com = [0, 0, -0.01]
position = [0, 0, 0.02]
velocity = [0, -0.01, 0]
angular_velocity = [1, 0, -5]
contact = [{ellipsoid = [0.2, 0.03, 0.02]}]
)";

constexpr double kEvery = 5e-4;  // [s]
constexpr int kSpins = 12000;    // in 6 s

/// About the vertical, at all these times.
std::vector<double> spins_by_hand() {
  std::vector<double> out;
  Stone s{{1, 0, -5}, {0, 0, -1}};
  for (int i = 0; i <= kSpins; ++i) {
    out.push_back(-s.w.dot(s.down));
    for (int k = 0; k < 4; ++k) s = after(s, kEvery / 4);
  }
  return out;
}

/// How far its spin is from that by hand, at most.
double off_by_hand(const std::vector<double>& by_hand, const char* formulation, double step) {
  Simulation sim =
      simulation(simulation_of(kSpins * kEvery, fmt::format("{}", step), formulation) + kScene);
  double out = 0;
  while (!sim.finished() && sim.advance()) {
    const auto at = static_cast<std::size_t>(std::lround(sim.state().t / kEvery));
    out = std::max(out, std::abs(velocity(sim, "stone").second.z() - by_hand[at]));
  }
  EXPECT_EQ(sim.failure(), "");
  EXPECT_TRUE(sim.warnings().empty()) << sim.warnings()[0].text;
  EXPECT_LT(sim.summary().energy_residual, 1e-6 * sim.summary().energy_scale);
  return out;
}

TEST(Rattleback, TurnsItsSpinRoundAsItsEquationsSay) {
  const std::vector<double> by_hand = spins_by_hand();
  EXPECT_GT(by_hand.back(), 1);  // it began with -5 rad/s
  EXPECT_LT(off_by_hand(by_hand, "acceleration", 1e-3), 1e-5);
  const double coarse = off_by_hand(by_hand, "velocity", 1e-3),
               fine = off_by_hand(by_hand, "velocity", 0.5e-3);
  EXPECT_LT(coarse, 0.3);  // the phase of its rocking, 17 turns a second
  EXPECT_LT(fine, coarse / 3.5);
}

}  // namespace
}  // namespace trammel::acceptance::rattleback_test
