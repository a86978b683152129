// All formulations tend to the same motion: vehicles on lines, whole runs.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

#include "io/scene.h"
#include "verify/refinement.h"
#include "verify/verify.h"

namespace trammel::acceptance::verify_lines_test {
namespace {

const std::string kScenes = TRAMMEL_SOURCE_DIR "/scenes/";

std::string text_of(const std::string& scene) {
  std::ifstream in(kScenes + scene);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

/// Puts `to` in the place of what reaches from `first` to the next `last`, both included.
void replace(std::string& text, const std::string& first, const std::string& last,
             const std::string& to) {
  const auto begin = text.find(first), end = text.find(last, begin);
  if (begin == std::string::npos || end == std::string::npos)
    throw std::runtime_error("not in the scene: " + first);
  text.replace(begin, end + last.size() - begin, to);
}

verify::Report compared(const std::string& text) {
  auto parsed = io::parse_scene(text, "scene");
  if (auto* problems = std::get_if<io::SceneProblems>(&parsed))
    throw std::runtime_error(io::to_text(problems->front()));
  auto& scene = std::get<io::Scene>(parsed);
  auto built = scene.builder.build();
  if (auto* problems = std::get_if<std::vector<Problem>>(&built))
    throw std::runtime_error(problems->front().path + ": " + problems->front().text);
  return verify::verify(std::get<model::Built>(built), scene.settings,
                        {.choose_horizon = false, .work = 0});
}

/// Limits of the two formulations, at 50 common times from start to end.
void expect_limits_within(const verify::Report& report, double length) {
  for (const std::string& finding : report.findings) ADD_FAILURE() << finding;
  ASSERT_EQ(report.series.size(), 2u);
  ASSERT_EQ(report.pairs.size(), 1u);
  const verify::Pair& pair = report.pairs[0];
  EXPECT_EQ(pair.until, report.grid.count);
  EXPECT_LE(pair.greatest.length, length);
  EXPECT_GT(pair.greatest.length, 0);
  EXPECT_LE(pair.greatest.angle, length);
  EXPECT_NEAR(report.series[0].order, 2, 0.1);
}

/// The wagon over 200 m at 72 km/h, through Bloss ramps of curvature and cant into a curve of
/// 400 m and out of it: there is no kink, and nothing is projected.
std::string through_bloss_ramps() {
  std::string text = text_of("stn02_wagon.toml");
  replace(text, "plan = [", "\n]",
          "plan = [{line = 60}, {bloss = 50}, {arc = 40, radius = 400}, "
          "{bloss = 50}, {line = 60}]");
  replace(text, "profile = [", "\n]", "profile = [{grade = 0, length = 260}]");
  replace(text, "cant = [", "\n]",
          "cant = [{constant = 60}, {bloss = 50}, {constant = 40, right = \"100 mm\"}, "
          "{bloss = 50}, {constant = 60}]");
  replace(text, "duration = ", "\"95 s\"", "duration = \"10 s\"");
  for (const std::string s : {"27 m", "34.1 m", "19.9 m"})
    replace(text, "s = \"" + s, "\"}", "s = \"" + s + "\", speed = \"72 km/h\"}");
  replace(text, "velocity = {time", "}", "velocity = \"72 km/h\"");
  return text;
}

TEST(SlowVerifyLines, TheWagonThroughBlossRamps) {
  expect_limits_within(compared(through_bloss_ramps()), 1e-6);
}

/// By energy too, with joints that hold; its bogies of some kind.
verify::Report in_three_ways(const std::string& bogies) {
  std::string text = through_bloss_ramps();
  for (const std::string bogie : {"front_bogie", "rear_bogie"})
    replace(text, "name = \"" + bogie + "\"", "\n", "name = \"" + bogie + "\"\n" + bogies);
  replace(text, "[simulation]", "\n",
          "[simulation]\nformulation = \"energy\"\njoint_stiffness = \"inf\"\n");
  return compared(text);
}

/// The order that the mean differences of places between the three runs show. By energy steps do
/// not end where one piece of the track follows another: what that costs is of order h^2 too, and
/// hangs on where in a step it happens; so the greatest differences of single times say less.
double order_of_places(const verify::Series& s) {
  std::array<double, 2> sum{};
  for (std::size_t level = 0; level < 2; ++level)
    for (std::size_t i = 0; i < s.runs[level].X.size(); ++i)
      sum[level] += (s.runs[level].X[i].p - s.runs[level + 1].X[i].p).squaredNorm();
  const auto step = [&](std::size_t level) { return s.runs[level].step; };
  return verify::order_of_differences(std::sqrt(sum[0]), std::sqrt(sum[1]), step(0), step(1),
                                      step(2));
}

void expect_three_limits_within(const verify::Report& report, double length) {
  for (const std::string& finding : report.findings) ADD_FAILURE() << finding;
  ASSERT_EQ(report.series.size(), 3u);
  ASSERT_EQ(report.pairs.size(), 3u);
  for (const verify::Pair& pair : report.pairs) {
    EXPECT_EQ(pair.until, report.grid.count);
    EXPECT_LE(pair.greatest.length, length);
    EXPECT_GT(pair.greatest.length, 0);
    EXPECT_LE(pair.greatest.angle, length);
  }
  EXPECT_NEAR(report.series[0].order, 2, 0.1);
  EXPECT_NEAR(order_of_places(report.series[2]), 2, 0.25);
  EXPECT_NEAR(report.series[2].stiffness_order, 1, 0.05);  // of the motor, which is smoothed
}

TEST(SlowVerifyLines, BogiesThatAreHeldInShapeRunAsRigidOnes) {
  const verify::Report rigid = in_three_ways(""),
                       affine = in_three_ways("kind = \"affine\"\nstiffness = \"inf\"\n");
  expect_three_limits_within(rigid, 1e-6);
  expect_three_limits_within(affine, 1e-6);
  const auto &a = rigid.series[1].limit, &b = affine.series[1].limit;  // car, front, rear
  ASSERT_EQ(a.size(), b.size());
  const verify::Distance apart = verify::apart(a.data(), b.data(), a.size());
  EXPECT_LE(apart.length, 1e-6);
  EXPECT_LE(apart.angle, 1e-6);
  EXPECT_GT(apart.length, 0);
}

/// Bogies of rubber: 60 rad/s, and 3 cm a metre under the load.
TEST(SlowVerifyLines, ElasticBogies) {
  expect_three_limits_within(in_three_ways("kind = \"affine\"\nstiffness = \"2 MPa\"\n"
                                           "volume = \"0.6 m^3\"\nstrain_limit = 1\n"),
                             1e-6);
}

TEST(SlowVerifyLines, TheWagonOverTheWholeLineWithItsKinks) {
  expect_limits_within(compared(text_of("stn02_wagon.toml")), 1e-6);
}

/// The leading bogie's lateral row carries 1 kN: it yields in the first ramp, recovers, yields
/// again and derails; the last 0.4 s the wagon hangs off the track. Impulses switch at the end of a
/// step.
TEST(SlowVerifyLines, TheWagonDerails) {
  std::string text = text_of("stn02_wagon.toml");
  replace(text, "b = \"front_bogie\"", "\n",
          "b = \"front_bogie\"\nlimits = {lateral = [-1000, 1000]}\n"
          "derail = {lateral = \"50 mm\"}\n");
  replace(text, "duration = ", "\"95 s\"", "duration = \"38.2 s\"");
  const verify::Report report = compared(text);
  for (const std::string& finding : report.findings) ADD_FAILURE() << finding;
  ASSERT_EQ(report.pairs.size(), 1u);
  EXPECT_LE(report.pairs[0].greatest.length, 1e-4);
  EXPECT_LE(report.pairs[0].greatest.angle, 1e-5);
}

TEST(SlowVerifyLines, TheTurntable) {
  expect_limits_within(compared(text_of("turntable.toml")), 1e-9);
}

}  // namespace
}  // namespace trammel::acceptance::verify_lines_test
