// Reactions where a joint goes from one piece of its track to the next anywhere within a step of
// the grid, its very end included: the part that is left of the step may be as short as rounding.
#include <fmt/core.h>

#include <algorithm>

#include "scene_support.h"
#include "support.h"

namespace trammel::acceptance::track_reactions_test {
namespace {

constexpr double kStep = 1e-3, kSpeed = 25;
constexpr int kPassing = 1900;  // the step in which the front joint leaves the ramp

/// A wagon of 40 t whose front joint leaves a ramp of cant at 60 m, `share` of a step before the
/// end of step kPassing. Its twist kinks there.
std::string wagon(const char* formulation, double share, const std::string& joints) {
  return fmt::format(R"(
format = 1
[simulation]
duration = "{} s"
step = "1 ms"
formulation = "{}"
[[track]]
name = "line"
plan = [{{line = "14 m"}}, {{clothoid = "46 m"}}, {{arc = "120 m", radius = "500 m"}}]
cant = [{{constant = "14 m"}}, {{linear = "46 m"}}, {{constant = "120 m", right = "100 mm"}}]
[[body]]
name = "wagon"
mass = "40 t"
box = ["14 m", "2.8 m", "2.6 m"]
position = [0, 0, "1.8 m"]
on_track = {{track = "line", s = {:.17g}, speed = "25 m/s"}}
[[joint]]
name = "front"
type = "point-on-track-roll"
track = "line"
b = "wagon"
frame_b = {{position = ["5 m", 0, "-1.8 m"]}}
{}
[[joint]]
name = "rear"
type = "point-on-track"
track = "line"
b = "wagon"
frame_b = {{position = ["-5 m", 0, "-1.8 m"]}}
[[law]]
name = "engine"
type = "motor"
joint = "front"
coordinate = "s"
velocity = "25 m/s"
)",
                     (kPassing + 3) * kStep, formulation, 55 - kSpeed * (kPassing - share) * kStep,
                     joints);
}

/// The reactions of both joints after each of the steps from kPassing - 1 on.
std::vector<model::Reaction> reactions(const char* formulation, double share) {
  Simulation sim = simulation(wagon(formulation, share, ""));
  std::vector<model::Reaction> out;
  while (!sim.finished() && sim.advance())
    if (sim.steps_made() >= kPassing - 1)
      for (const std::size_t joint : {0U, 1U}) out.push_back(sim.formulation().reaction(joint));
  EXPECT_EQ(sim.failure(), "");
  return out;
}

class TrackReactions : public testing::TestWithParam<double> {};

/// The mean over the step in which the joint passes lies between those of the steps beside it.
TEST_P(TrackReactions, LieBetweenThoseBesideThem) {
  const std::vector<model::Reaction> r = reactions("velocity", GetParam());
  ASSERT_GE(r.size(), 6U);
  for (const std::size_t joint : {0U, 1U}) {
    const model::Reaction &before = r[joint], &in = r[2 + joint], &after = r[4 + joint];
    const double force = 0.01 * before.force.norm(), torque = 0.01 * before.force.norm();
    for (int i = 0; i < 3; ++i) {
      const auto [low, high] = std::minmax(before.force[i], after.force[i]);
      EXPECT_GE(in.force[i], low - force) << joint << ' ' << i;
      EXPECT_LE(in.force[i], high + force) << joint << ' ' << i;
      const auto [least, most] = std::minmax(before.torque[i], after.torque[i]);
      EXPECT_GE(in.torque[i], least - torque) << joint << ' ' << i;
      EXPECT_LE(in.torque[i], most + torque) << joint << ' ' << i;
    }
  }
}

/// A part of a step breaks nothing by the rounding of its impulses.
TEST_P(TrackReactions, BreakNothingThatCarriesThem) {
  Simulation sim = simulation(wagon("velocity", GetParam(), "strength = 600e3"));
  while (!sim.finished() && sim.advance()) {
  }
  EXPECT_EQ(sim.failure(), "");
  for (const form::Event& e : sim.take_events())
    EXPECT_NE(e.kind, form::EventKind::breaking) << e.text;
}

INSTANTIATE_TEST_SUITE_P(Shares, TrackReactions,
                         testing::Values(-1e-3, -1e-6, 0, 2e-7, 1e-6, 1e-5, 1e-3, 0.1, 0.5, 0.9,
                                         1 - 1e-5));

}  // namespace
}  // namespace trammel::acceptance::track_reactions_test
