// Limits, motors and friction together: what acts does not depend on the order of bodies and rows.
#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "support.h"

namespace trammel::acceptance::active_set_test {
namespace {

constexpr int kLinks = 8;

/// A chain of hinged links in a plane, every hinge with a motor, friction and limits; bodies,
/// joints and laws added in the order that `seed` makes of them (0: as they come).
model::Builder arm(unsigned seed) {
  std::vector<int> order(kLinks);
  std::iota(order.begin(), order.end(), 0);
  std::mt19937 engine(seed);
  const auto shuffle = [&] {
    if (seed) std::shuffle(order.begin(), order.end(), engine);
  };
  model::Builder b;
  shuffle();
  for (const int i : order)
    b.add_body(box("link" + std::to_string(i), {1, 0.05, 0.05}, 2, {Vec3(i + 0.5, 0, 0)}));
  shuffle();
  for (const int i : order)
    b.add_joint(joint("hinge" + std::to_string(i), "revolute",
                      i ? "link" + std::to_string(i - 1) : "ground", "link" + std::to_string(i),
                      frame(Vec3(i, 0, 0), Vec3::UnitY())));
  std::vector<model::LawSpec> laws;
  for (int i = 0; i < kLinks; ++i) {
    const std::string n = std::to_string(i), on = "hinge" + n;
    laws.push_back(law("limit" + n, "limit", on, "angle",
                       {{"from", -0.2 - 0.05 * i}, {"to", 0.1 + 0.03 * i}, {"restitution", 0.2}}));
    laws.push_back(law("rub" + n, "friction", on, "angle", {{"force", 1. + i % 3}}));
    laws.push_back(
        law("motor" + n, "motor", on, "angle", {{"force_min", -12. + i}, {"force_max", 12. - i}}));
    laws.back().drive =
        Drive{Drive::Level::velocity, Signal::function([i](double t) {
                const double w = 2 + 0.3 * i;
                return Jet{std::sin(w * t), w * std::cos(w * t), -w * w * std::sin(w * t)};
              })};
  }
  if (seed) std::shuffle(laws.begin(), laws.end(), engine);
  for (model::LawSpec& l : laws) b.add_law(std::move(l));
  return b;
}

struct End {
  std::vector<Vec3> at;
  long impacts = 0;
};
End end_of(unsigned seed) {
  Simulation sim(built(arm(seed)), settings(1, 1e-3));
  run(sim);
  End out;
  for (int i = 0; i < kLinks; ++i) out.at.push_back(pose(sim, "link" + std::to_string(i)).p);
  out.impacts = sim.summary().events;
  EXPECT_LE(sim.summary().max_gap, 1e-10);
  EXPECT_LE(sim.summary().merit, 1e-6);
  EXPECT_LE(sim.summary().momentum_residual_rel, 1e-9);
  return out;
}

TEST(SlowActiveSet, ResultsDoNotDependOnTheOrderOfRows) {
  const End first = end_of(0);
  EXPECT_GT(first.impacts, 5);
  double worst = 0;
  for (unsigned seed = 1; seed <= 6; ++seed) {
    const End other = end_of(seed);
    for (int i = 0; i < kLinks; ++i) {
      const auto k = static_cast<std::size_t>(i);
      worst = std::max(worst, (other.at[k] - first.at[k]).norm());
    }
    EXPECT_EQ(other.impacts, first.impacts) << seed;
  }
  RecordProperty("worst", fmt::format("{:.3g}", worst));
  EXPECT_LE(worst, 1e-7);  // rounding of 1e-12 in a step, grown by impacts over 1000 steps
}

}  // namespace
}  // namespace trammel::acceptance::active_set_test
