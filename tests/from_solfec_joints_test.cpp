// Points and directions that are fixed, links: docs/from-solfec.md, FIX_POINT to PUT_RIGID_LINK.
#include "from_solfec.h"

namespace trammel::acceptance::from_solfec_joints_test {
namespace {

using namespace from_solfec;

class Joints : public EveryWay {};
INSTANTIATE_TEST_SUITE_P(FromSolfec, Joints, every_way(), name_of);

/// rad/s, of the bar at its lowest; by the energy of a box, not of a thin rod.
const double kBarSpeed =
    std::sqrt(2 * 9.8 * 0.25 * (1 - std::cos(M_PI / 6)) / (1.01 / 12 + 0.25 * 0.25));

/// The greatest of values at even steps, by the parabola through it and its neighbours.
double top(const std::vector<double>& y) {
  const auto at = std::max_element(y.begin() + 1, y.end() - 1);
  const double slope = (at[1] - at[-1]) / 2, bend = at[1] - 2 * at[0] + at[-1];
  return at[0] - slope * slope / (2 * bend);
}

TEST_P(Joints, PinnedBarHasTheSpeedOfItsEnergy) {
  SceneRun bar("pinned bar", GetParam());
  double drift = 0;
  std::vector<double> speed;
  bar.each([&](double) {
    speed.push_back(std::abs(bar.now().angular_velocity("bar").y()));
    const Pose X = bar.now().pose("bar");
    for (const double y : {0.05, -0.05})
      drift = std::max(drift, (X.p + X.R * Vec3(0, y, 0.25) - Vec3(0, y, 0.75)).norm());
  });
  const double most = top(speed);
  record("speed", most - kBarSpeed);
  record("drift", drift);
  EXPECT_NEAR(kBarSpeed, 2.115649, 5e-7);
  // truncation, of second order; Solfec-1.0: 2.115652
  EXPECT_NEAR(most, kBarSpeed, GetParam().within(5e-6));
  EXPECT_LE(drift, 2e-12);  // twice the tolerance of rows; Solfec-1.0: 1.4e-7
}

TEST(FromSolfec, PinnedBarInOrderFour) {
  for (const char* step : {"4e-3", "1e-3"}) {
    SceneRun bar("pinned bar", Way{}, {{"simulation.order", "4"}, {"simulation.step", step}});
    std::vector<double> speed;
    bar.each([&](double) { speed.push_back(std::abs(bar.now().angular_velocity("bar").y())); });
    record(step, top(speed) - kBarSpeed);
    EXPECT_NEAR(top(speed), kBarSpeed, 1e-7);
    EXPECT_LE(bar.sim().summary().energy_residual_rel(), 1e-8);  // truncation
  }
}

TEST_P(Joints, PinBreaksAtItsStrength) {
  // a share of what each of the two carries at rest: m g / 2 = 49 mN
  SceneRun bar("pinned bar", GetParam(), {{"joint.left.strength", "40 mN"}});
  bar.to_end();
  EXPECT_FALSE(bar.holds("left"));
}

TEST_P(Joints, FourAnchorsCarryAQuarterEach) {
  SceneRun cube("four anchors", GetParam(), {{"simulation.duration", "0.1"}});
  const model::Rank& rank = cube.start().rank;  // what the run says of it
  EXPECT_EQ(rank.surplus(), 12 - 6);
  ASSERT_EQ(rank.loops.size(), 1u);
  EXPECT_GE(rank.loops[0].joints.size(), 4u);  // and what keeps the shape of an affine body
  cube.to_end();
  for (const char* anchor : {"a", "b", "c", "d"}) {
    // rounding of rows that depend on each other; by energy over the squared step
    const double rounding = GetParam().formulation == "energy" ? 1e-3 : 1e-6;
    EXPECT_LE((cube.now().reaction(anchor).force - Vec3(0, 0, 2.5)).norm(), rounding) << anchor;
  }
}

TEST_P(Joints, BlockSlidesDownThePlane) {
  SceneRun block("block on a ramp", GetParam());
  block.to_end();
  const double way = 9.81 * 0.5 / 2;  // g sin 30 t^2/2, down the ramp
  const Vec3 want = way * Vec3(std::cos(M_PI / 6), 0, -0.5);
  // by energy the first step is of first order
  EXPECT_LE((block.place("block") - want).norm(), GetParam().formulation == "energy" ? 5e-6 : 1e-8);
}

TEST_P(Joints, BeadComesOutOfItsSlotAsACosh) {
  SceneRun bead("bead on a disc", GetParam());
  double off = 0;
  bead.each([&](double t) {
    off = std::max(off, std::abs(bead.place("bead").norm() - 0.3 * std::cosh(2 * t)));
  });
  record("off", off);
  EXPECT_LE(off, GetParam().within(2e-6));  // truncation
}

/// Half periods between passes of the lowest place, by cubic interpolation over a step.
struct Swings {
  double period = 0, length = 0, energy = 0;
};
Swings swings(const Way& way, const std::string& duration, const Keys& keys) {
  Keys all = keys;
  all["simulation.duration"] = duration;
  SceneRun link("rigid link", way, all);
  const double g = M_PI * M_PI;
  Swings out;
  double t0 = 0, x0 = 1, v0 = 0, first = -1, last = -1;
  int passes = 0;
  link.each([&](double t) {
    const Vec3 p = link.place("bob") - Vec3(0, 0, 1), v = link.now().velocity("bob");
    if (x0 * p.x() < 0) {
      const double h = t - t0;
      double s = x0 / (x0 - p.x());
      for (int k = 0; k < 5; ++k) {  // Newton on the cubic
        const double a = h * v0 - (p.x() - x0), b = -h * v.x() + (p.x() - x0);
        const double q = (1 - s) * x0 + s * p.x() + s * (1 - s) * ((1 - s) * a + s * b);
        const double d = p.x() - x0 + (1 - 2 * s) * ((1 - s) * a + s * b) + s * (1 - s) * (b - a);
        s -= q / d;
      }
      last = t0 + s * h;
      if (first < 0) first = last;
      ++passes;
    }
    out.length = std::max(out.length, std::abs(p.norm() - 1));
    out.energy = std::max(out.energy, std::abs(v.squaredNorm() / 2 + g * p.z()));
    t0 = t, x0 = p.x(), v0 = v.x();
  });
  out.period = 2 * (last - first) / (passes - 1);
  return out;
}

constexpr double kPeriod = 2.360681198;

TEST_P(Joints, LinkHasThePeriodOfThePendulum) {
  const Swings s = swings(GetParam(), "24", {});
  record("period", s.period - kPeriod);
  record("length", s.length);
  record("energy", s.energy);
  // truncation at 1 ms; Solfec-1.0: 6.65e-7 s, 3.7e-5 J of 9.87, 6e-11 m
  EXPECT_NEAR(s.period, kPeriod, GetParam().within(5.1 * 6.65e-7));
  EXPECT_LE(s.energy, GetParam().within(3.7e-5));
  EXPECT_LE(s.length, 1e-11);
}

TEST(FromSolfec, PeriodOfTheLinkIsThatOfSecondOrderAndBetterByFarInOrderFour) {
  // Solfec-1.0 by Gauss-Seidel: period at 4, 2, 1, 0.5 ms
  const std::pair<double, double> theirs[] = {
      {4e-3, 1.07e-5}, {2e-3, 2.66e-6}, {1e-3, 6.65e-7}, {0.5e-3, 1.66e-7}};
  for (const auto& [h, error] : theirs) {
    Keys step{{"simulation.step", fmt::format("{}", h)}};
    EXPECT_LE(std::abs(swings({}, "24", step).period - kPeriod), 5.1 * error) << h;
    step["simulation.order"] = "4";
    const double off = swings({}, "24", step).period - kPeriod;
    record(fmt::format("order4_{:g}", h * 1e3), off);
    EXPECT_LE(std::abs(off), error / 100) << h;
  }
}

TEST(SlowFromSolfec, LinkKeepsItsLengthForAHundredSwings) {
  const Swings s = swings({}, "236.1", {});
  record("length", s.length);
  EXPECT_LE(s.length, 1e-11);
  EXPECT_LE(s.energy, 3.7e-5);
}

/// When the link of a bob that hangs (or stands on it) breaks; never: -1. m g = 10 N, at rest.
double breaks(const Way& way, double z, const char* strength, const char* value) {
  Keys keys{{"simulation.duration", "0.05"},
            {"simulation.gravity", "10"},
            {"body.bob.position", fmt::format("[0, 0, {}]", z)},
            {std::string("law.link.") + strength, value}};
  SceneRun link("rigid link", way, keys);
  double when = -1;
  link.each([&](double t) {
    if (when < 0 && !link.holds("link")) when = t;
  });
  return when;
}

TEST_P(Joints, TensionBreaksByTensileStrengthAndCompressionByCompressive) {
  const Way way = GetParam();
  const double hanging = 0, standing = 2;  // its other end is at 1 m
  EXPECT_GT(breaks(way, hanging, "tensile_strength", "5 N"), 0);
  EXPECT_LT(breaks(way, hanging, "tensile_strength", "15 N"), 0);
  EXPECT_LT(breaks(way, hanging, "compressive_strength", "5 N"), 0);
  EXPECT_GT(breaks(way, standing, "compressive_strength", "5 N"), 0);
  EXPECT_LT(breaks(way, standing, "compressive_strength", "15 N"), 0);
  EXPECT_LT(breaks(way, standing, "tensile_strength", "5 N"), 0);
}

}  // namespace
}  // namespace trammel::acceptance::from_solfec_joints_test
