// Bodies whose points run along a track, and joints that agree at the start and contradict each
// other later: along a bend, by drives that part, by a rod that jams.
#include <fmt/core.h>

#include "model/guidance.h"
#include "scene_support.h"
#include "support.h"

namespace trammel::acceptance::track_points_test {
namespace {

struct Method {
  const char *name, *settings;
};
void PrintTo(const Method& m, std::ostream* out) { *out << m.name; }
const Method kMethods[] = {
    {"Impulses", "step = 0.002"},
    {"Forces", "step = 0.01\nformulation = \"acceleration\""},
    {"EnergyRows", "step = 0.002\nformulation = \"energy\"\njoint_stiffness = \"inf\""},
    {"EnergySoft", "step = 0.002\nformulation = \"energy\""}};

/// A rigid wagon over a line of a left bend between Bloss ramps, on two joints 14 m apart.
std::string wagon(const std::string& settings, const char* front, const char* rear,
                  const char* cant) {
  const bool flat = std::string(cant) == "0 mm";
  const std::string ramps = flat ? ""
                                 : fmt::format(
                                       "cant = [{{constant = 40}}, {{bloss = 30}}, {{constant = "
                                       "50, right = \"{0}\"}}, {{bloss = "
                                       "30}}, "
                                       "{{constant = 40}}]",
                                       cant);
  return fmt::format(
      "format = 1\n[simulation]\nduration = 6\noutput_step = 0.1\n{0}\n[[track]]\nname = "
      "\"line\"\nplan = [{{line = 40}}, {{bloss = 30}}, {{arc = 50, radius = 300}}, {{bloss = "
      "30}}, "
      "{{line = 40}}]\n{1}\n[[body]]\nname = \"w\"\nmass = \"40 t\"\nbox = [20, 3, 3]\nposition = "
      "[0, 0, 1.5]\non_track = {{track = \"line\", s = 15, speed = 20}}\n[[joint]]\nname = "
      "\"front\"\ntype = \"{2}\"\ntrack = \"line\"\nb = \"w\"\nframe_b = {{position = [7, 0, "
      "-1.5]}}\n[[joint]]\nname = \"rear\"\ntype = \"{3}\"\ntrack = \"line\"\nb = \"w\"\nframe_b = "
      "{{position = [-7, 0, -1.5]}}\n",
      settings, ramps, front, rear);
}

/// Where the wagon stands with its front point at s, from the line alone.
Pose on_chord(const track::Track& line, double s) {
  const geom::CurvePoint front = line.at(s);
  double lo = s - 14.5, hi = s - 13.5;
  while (hi - lo > 1e-13) {
    const double middle = (lo + hi) / 2;
    ((line.at(middle).p - front.p).norm() > 14 ? lo : hi) = middle;
  }
  Pose X;
  X.R.col(0) = (front.p - line.at(lo).p).normalized();
  X.R.col(1) = front.C.col(2).cross(X.R.col(0)).normalized();  // stays in the plane of the rails
  X.R.col(2) = X.R.col(0).cross(X.R.col(1));
  X.p = front.p - X.R * Vec3(7, 0, -1.5);
  return X;
}

class TrackPoints : public testing::TestWithParam<Method> {};

TEST_P(TrackPoints, ARigidWagonStandsOnItsChord) {
  for (const char* cant : {"0 mm", "120 mm"}) {
    Simulation sim =
        simulation(wagon(GetParam().settings, "point-on-track-roll", "point-on-track", cant));
    const track::Track& line = *sim.model().tracks.front().track;
    const bool soft = std::string(GetParam().name) == "EnergySoft";
    double off = 0, turned = 0, chord = 0;
    const geom::CurvePoint arc = line.at(80);
    const Vec3 centre = arc.p + 300 * Vec3(-std::sin(std::atan2(arc.C(1, 0), arc.C(0, 0))),
                                           std::cos(std::atan2(arc.C(1, 0), arc.C(0, 0))), 0);
    run(sim, [&] {
      if (sim.steps_made() % 20 != 0) return;
      const double s = coordinate(sim, "front", "s");
      const Pose want = on_chord(line, s), got = pose(sim, "w");
      off = std::max(off, (want.p - got.p).norm());
      turned = std::max(turned, (want.R - got.R).norm());
      if (std::string(cant) == "0 mm" && s > 85 && s < 119) {
        Vec3 level = got.p - centre;
        level.z() = 0;
        chord = std::max(chord, std::abs(level.norm() - std::sqrt(300. * 300 - 49)));
      }
    });
    EXPECT_TRUE(sim.failure().empty()) << sim.failure();
    EXPECT_GT(coordinate(sim, "front", "s"), 130);
    EXPECT_LE(off, soft ? 5e-4 : 1e-9) << cant;  // springs of 1 GN/m, or rounding
    EXPECT_LE(turned, soft ? 5e-4 : 1e-9) << cant;
    EXPECT_LE(chord, soft ? 5e-4 : 1e-9);
    const bool exact = !std::string(GetParam().name).starts_with("Energy");
    EXPECT_LE(sim.summary().momentum_residual_rel, exact ? 1e-9 : 1e-5);  // or truncation
  }
}

/// What stops a run, and when.
std::pair<std::string, double> stopped(const std::string& text) {
  Simulation sim = simulation(text);
  while (sim.advance() && !sim.finished()) {
  }
  return {sim.failure(), sim.state().t};
}

bool names(const std::string& text, const char* a, const char* b) {
  return text.find(fmt::format("'{}'", a)) != std::string::npos &&
         text.find(fmt::format("'{}'", b)) != std::string::npos;
}

TEST_P(TrackPoints, OnTwoWholeTrackJointsItStopsWhereTheBendBegins) {
  const auto [why, t] = stopped(wagon(GetParam().settings, "track", "track", "100 mm"));
  EXPECT_TRUE(names(why, "front", "rear")) << why;
  EXPECT_NEAR(t, (40 - 22) / 20., 0.011) << why;
}

/// A border within the straight is none that matters.
TEST_P(TrackPoints, OnTwoStraightPiecesTheyRunOnToTheBend) {
  std::string text = wagon(GetParam().settings, "track", "track", "0 mm");
  text.replace(text.find("{line = 40}"), 11, "{line = 30}, {line = 10}");
  const auto [why, t] = stopped(text);
  EXPECT_TRUE(names(why, "front", "rear")) << why;
  EXPECT_NEAR(t, (40 - 22) / 20., 0.011) << why;
}

TEST_P(TrackPoints, TwoRollsContradictEachOtherInARampOfTheCant) {
  const auto [why, t] =
      stopped(wagon(GetParam().settings, "point-on-track-roll", "point-on-track-roll", "100 mm"));
  EXPECT_TRUE(names(why, "front", "rear")) << why;
  EXPECT_NEAR(t, (40 - 22) / 20., 0.011) << why;
}

/// A bend that begins where a closed track does is seen from the straight before its end; where the
/// straight goes on there is none.
TEST(Guidance, GoesOnBeyondTheBorderOfAClosedTrack) {
  const double bend = M_PI * 300, length = 2 * bend + 200;
  for (const double line : {0., 50.}) {  // with which the track begins
    std::string text = wagon("step = 0.002", "track", "track", "0 mm");
    const std::size_t plan = text.find("plan ="), end = text.find("[[body]]");
    const std::string begin = line > 0 ? fmt::format("{{line = {}}}, ", line) : "";
    text.replace(plan, end - plan,
                 fmt::format("closed = true\nplan = [{0}{{arc = {1:.17g}, radius = 300}}, {{line = "
                             "100}}, {{arc = {1:.17g}, radius = 300}}, {{line = {2}}}]\n",
                             begin, bend, 100 - line));
    text.replace(text.find("s = 15"), 6, fmt::format("s = {:.17g}", length - 30));
    const Simulation sim = simulation(text);
    const auto tight = model::tight_guidances(sim.formulation().kinematics(),
                                              sim.formulation().specs(), sim.state());
    ASSERT_EQ(tight.size(), 1u);
    const double front = length - 23;
    EXPECT_EQ(tight[0].first_conflict(front, length + line - 1, 0.5), law::kInf);
    EXPECT_NEAR(tight[0].first_conflict(front, length + line + 20, 0.5), length + line, 2.5);
  }
}

TEST_P(TrackPoints, DrivesThatPartStopTheRun) {
  std::string text = fmt::format(
      "format = 1\n[simulation]\nduration = 1\noutput_step = 0.02\n{}\n[[body]]\nname = "
      "\"m\"\nmass = 3\nsphere = 0.2\nvelocity = [1, 0, 0]\n",
      GetParam().settings);
  for (const char* name : {"j", "k"})
    text += fmt::format(
        "[[joint]]\nname = \"{0}\"\ntype = \"prismatic\"\nb = \"m\"\nframe_a = {{}}\nframe_b = "
        "{{}}\n[[law]]\nname = \"drive_{0}\"\ntype = \"driven\"\njoint = \"{0}\"\ndisplacement = "
        "{{time = [0, 0.5, 1], value = [0, 0.5, {1}]}}\n",
        name, *name == 'j' ? 1.0 : 0.7);
  const auto [why, t] = stopped(text);
  EXPECT_TRUE(names(why, "j", "k")) << why;
  EXPECT_NEAR(t, 0.5, 0.021) << why;
}

TEST_P(TrackPoints, ARodThatJamsASlideStopsTheRun) {
  const auto [why, t] = stopped(fmt::format(
      "format = 1\n[simulation]\nduration = 1\noutput_step = 0.02\n{}\n[[body]]\nname = "
      "\"m\"\nmass = 3\nsphere = 0.2\nvelocity = [1, 0, 0]\n[[joint]]\nname = \"slide\"\ntype = "
      "\"prismatic\"\nb = \"m\"\nframe_a = {{}}\nframe_b = {{}}\n[[joint]]\nname = \"rod\"\ntype = "
      "\"distance\"\nb = \"m\"\nframe_a = {{position = [0, 2, 0]}}\nframe_b = {{}}\n",
      GetParam().settings));
  EXPECT_TRUE(names(why, "slide", "rod")) << why;
  EXPECT_LE(t, 0.05) << why;
}

INSTANTIATE_TEST_SUITE_P(All, TrackPoints, testing::ValuesIn(kMethods),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace trammel::acceptance::track_points_test
