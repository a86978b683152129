// The scenes to drive, driven by recordings: their aims can be reached, and their scores say so.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include "cli/given_inputs.h"
#include "io/scene.h"
#include "sim/instruments.h"

namespace trammel::cli::drive_scenes_test {

/// What sensors of a scene show at the end of a drive.
class Driven {
 public:
  explicit Driven(const std::string& name) {
    auto all = io::load_scene(fmt::format("{}/scenes/drive/{}.toml", TRAMMEL_SOURCE_DIR, name));
    if (const auto* wrong = std::get_if<io::SceneProblems>(&all))
      throw std::runtime_error(to_text(wrong->front()));
    scene_ = std::move(std::get<io::LoadedScene>(all));
  }
  void drive(const std::string& lines) {
    sim::Simulation sim(scene_.built, scene_.scene.settings);
    const auto columns = input_columns(sim.model());
    auto recording = io::parse_inputs(io::inputs_head(columns) + lines, "drive", columns);
    ASSERT_TRUE(std::holds_alternative<io::InputRecording>(recording))
        << to_text(std::get<io::SceneProblems>(recording).front());
    give(sim, std::get<io::InputRecording>(std::move(recording)));
  }
  /// By the recording beside the scene.
  void drive_as_recorded(const std::string& name) {
    sim::Simulation sim(scene_.built, scene_.scene.settings);
    auto recording =
        read_inputs(fmt::format("{}/scenes/drive/{}.csv", TRAMMEL_SOURCE_DIR, name), sim.model());
    ASSERT_TRUE(std::holds_alternative<ReadInputs>(recording))
        << to_text(std::get<io::SceneProblems>(recording).front());
    give(sim, std::get<ReadInputs>(std::move(recording)).recording);
  }
  void give(sim::Simulation& sim, io::InputRecording recording) {
    Replay replay(std::move(recording), {}, sim);
    while (!sim.finished() && replay.give(sim)) ASSERT_TRUE(sim.advance()) << sim.failure();
    ended_by = sim.ended_by();
    sim.instruments()->look();
    for (std::size_t i = 0; i < scene_.scene.settings.sensors.size(); ++i)
      at_end[scene_.scene.settings.sensors[i].name] = sim.instruments()->sensor(i);
  }
  const io::Scene& scene() const { return scene_.scene; }
  std::string ended_by;
  std::map<std::string, double> at_end;

 private:
  io::LoadedScene scene_;
};

TEST(SlowDriveScenes, TheWagonStopsAtTheSignal) {
  Driven wagon("wagon");
  wagon.drive("0,1,0\n30,0,0\n67,0,0.8\n");
  EXPECT_NE(wagon.ended_by.find("the wagon stands"), std::string::npos) << wagon.ended_by;
  EXPECT_NEAR(wagon.at_end["to_signal"], 2.26, 0.2);
  EXPECT_NEAR(wagon.at_end["score"], 77.4, 2);
}

TEST(SlowDriveScenes, AWagonThatPassesTheSignalHasNoPoints) {
  Driven wagon("wagon");
  wagon.drive("0,1,0\n30,0,0\n68,0,0.8\n");
  EXPECT_LT(wagon.at_end["to_signal"], 0);
  EXPECT_EQ(wagon.at_end["score"], 0);
}

/// From 0 up to v within 8 s, and down again T later.
double ramp(double t, double v, double T) {
  return v * (std::clamp(t / 8, 0., 1.) - std::clamp((t - T) / 8, 0., 1.));
}

TEST(SlowDriveScenes, TheCraneSetsItsLoadOnTheMark) {
  const double slew = 3 * std::numbers::pi / 180, angle = std::atan2(18, 9);
  const double way = std::hypot(9, 18) - 12;
  std::string lines;
  for (int i = 0; i <= 140; ++i) {
    const double t = 0.4 * i;
    lines += fmt::format("{},{},{},0\n", t, ramp(t, slew, angle / slew), ramp(t, 0.4, way / 0.4));
  }
  lines += "80,0,0,0.5\n110,0,0,0\n";
  Driven crane("tower_crane");
  crane.drive(lines);
  EXPECT_NE(crane.ended_by.find("the load stands"), std::string::npos) << crane.ended_by;
  EXPECT_LT(crane.at_end["off"], 0.3);
  EXPECT_GT(crane.at_end["score"], 90);
}

TEST(SlowDriveScenes, RecordingsThatAreShippedReachTheAims) {
  for (const char* name : {"tower_crane", "wagon"}) {
    Driven driven(name);
    driven.drive_as_recorded(name);
    EXPECT_NE(driven.ended_by.find("stands"), std::string::npos) << driven.ended_by;
    EXPECT_GT(driven.at_end["score"], 90) << name;
  }
}

TEST(DriveScenes, CanBeDrivenByHand) {
  for (const char* name : {"tower_crane", "wagon"}) {
    const Driven driven(name);
    for (const io::InputControl& c : driven.scene().controls) EXPECT_FALSE(c.keys.empty()) << name;
    std::set<std::string> shown;
    for (const sim::SensorSpec& s : driven.scene().settings.sensors)
      if (s.display) shown.insert(s.name);
    EXPECT_EQ(shown.size(), 3u) << name;
    EXPECT_TRUE(shown.contains("score")) << name;
  }
}

}  // namespace trammel::cli::drive_scenes_test
