#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "cli/command.h"
#include "cli/generate.h"
#include "io/results.h"
#include "io/scene.h"

namespace trammel::cli::program_test {

namespace fs = std::filesystem;

struct Said {
  int code;
  std::string out, err;
};

class Program : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "trammel_cli_XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  void TearDown() override { fs::remove_all(folder_); }

  static Said run(std::vector<std::string> arguments) {
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    Said said{program(arguments), "", ""};
    std::fflush(stdout);
    said.err = testing::internal::GetCapturedStderr();
    said.out = testing::internal::GetCapturedStdout();
    return said;
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string scene(const std::string& text, const std::string& name = "s.toml") const {
    std::ofstream(path(name)) << text;
    return path(name);
  }
  /// A short run of the pendulum into "p".
  Said pendulum(std::vector<std::string> more = {}) const {
    std::vector<std::string> all{
        "run", scene(pendulum_scene()), "-o", path("p"), "--duration", "0.2 s", "--quiet"};
    all.insert(all.end(), more.begin(), more.end());
    return run(all);
  }

  fs::path folder_;
};

std::string contents(const fs::path& file) {
  std::ostringstream out;
  out << std::ifstream(file).rdbuf();
  return out.str();
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_F(Program, WithoutArgumentsHelpsShortly) {
  const Said said = run({});
  EXPECT_EQ(said.code, kInput);
  EXPECT_EQ(said.out, "");
  EXPECT_TRUE(has(said.err, "usage: trammel COMMAND")) << said.err;
}

TEST_F(Program, HelpsAndNamesItsVersion) {
  EXPECT_TRUE(has(run({"--version"}).out, "trammel "));
  for (const char* command : {"run", "resume", "recover", "check", "channels", "info", "export",
                              "plot", "report", "movie", "view", "play", "make", "schema"}) {
    const Said said = run({command, "--help"});
    EXPECT_EQ(said.code, kDone) << command;
    EXPECT_TRUE(has(said.out, "Example")) << command << said.out;
  }
}

TEST_F(Program, SuggestsCommandsAndOptions) {
  const Said command = run({"rnu", "x.toml"});
  EXPECT_EQ(command.code, kInput);
  EXPECT_TRUE(has(command.err, "there is no command 'rnu'; did you mean 'run'?")) << command.err;
  const Said option = run({"run", "x.toml", "--durtion", "3"});
  EXPECT_EQ(option.code, kInput);
  EXPECT_TRUE(has(option.err, "there is no option --durtion; did you mean '--duration'?"))
      << option.err;
  const Said made = run({"make", "chian", "--n", "3"});
  EXPECT_EQ(made.code, kInput);
  EXPECT_TRUE(has(made.err, "did you mean 'chain'?")) << made.err;
  EXPECT_EQ(run({"run"}).code, kInput);
  EXPECT_EQ(run({"run", "a", "b"}).code, kInput);
  EXPECT_EQ(run({"run", "--step"}).code, kInput);
}

TEST_F(Program, RunLeavesResultsSummaryAndPlots) {
  const Said said = pendulum();
  EXPECT_EQ(said.code, kDone) << said.err;
  EXPECT_EQ(said.out, "");
  EXPECT_EQ(contents(path("p/scene.toml")), pendulum_scene());
  EXPECT_TRUE(has(contents(path("p/swing.svg")), "<svg"));
  const io::ResultsReader results(path("p/results.h5"));
  EXPECT_TRUE(results.finished());
  EXPECT_EQ(results.frames(), 21u);  // each 10 ms, both ends
  EXPECT_DOUBLE_EQ(results.time().back(), 0.2);
  // let go at the horizontal the rod turns by g t^2/(2 L) at first, here less 3e-4
  EXPECT_NEAR(results.read("bob.position.z").back(), -std::sin(0.5 * 9.81 / 1.001 * 0.04), 3e-4);
  EXPECT_EQ(results.header().attributes.at("overrides"), "simulation.duration=0.2 s");
}

TEST_F(Program, ReportIsAPageBesideTheResults) {
  pendulum();
  const Said said = run({"report", path("p")});
  EXPECT_EQ(said.code, kDone) << said.err;
  EXPECT_EQ(said.out, "");
  EXPECT_TRUE(has(said.err, "report.html")) << said.err;
  const std::string html = contents(path("p/report.html"));
  EXPECT_TRUE(has(html, "<script id=\"run\"")) << html.size();
  const Said json = run({"report", path("p/results.h5"), "-o", path("q.html"), "--json"});
  EXPECT_TRUE(has(json.out, "\"frames\": 21")) << json.out;
  EXPECT_TRUE(fs::exists(path("q.html")));
  EXPECT_EQ(run({"report", path("nowhere")}).code, kInput);
  EXPECT_EQ(run({"report", path("p"), "--megabytes", "0"}).code, kInput);
  EXPECT_EQ(run({"report", path("p"), "-o", path("no/such/r.html")}).code, kInput);
}

/// What other programs make of it is looked at by './dev viewer --browser'.
TEST_F(Program, ExportsTheMotion) {
  pendulum();
  const Said glb = run({"export", path("p"), "-o", path("p.glb")});
  EXPECT_EQ(glb.code, kDone) << glb.err;
  const std::string bytes = contents(path("p.glb"));
  EXPECT_EQ(bytes.substr(0, 4), "glTF");
  EXPECT_TRUE(has(bytes, "\"bob\""));
  EXPECT_TRUE(has(bytes, "\"rotation\""));
  // 0.2 s by 10 ms, at most 30 a second: each fourth, and the last
  EXPECT_TRUE(has(glb.err, "6 of 21 frames of 1 bodies")) << glb.err;
  const Said vtk = run({"export", path("p"), "--to", "vtk", "--fps", "1000", "-o", path("v")});
  EXPECT_EQ(vtk.code, kDone) << vtk.err;
  EXPECT_TRUE(fs::exists(path("v/frames/000020.vtp")));
  EXPECT_TRUE(has(contents(path("v/run.pvd")), "frames/000020.vtp"));
  EXPECT_EQ(run({"export", path("p"), "--to", "vtk", "--fps", "10", "-o", path("v")}).code, kDone);
  EXPECT_TRUE(fs::exists(path("v/frames/000002.vtp")));
  EXPECT_FALSE(fs::exists(path("v/frames/000003.vtp")));  // of the one before
}

TEST_F(Program, ExportRefusesWhatDoesNotGoTogether) {
  pendulum();
  const auto refused = [&](std::vector<std::string> more, const char* why) {
    more.insert(more.begin(), {"export", path("p")});
    const Said said = run(more);
    EXPECT_EQ(said.code, kInput) << why;
    EXPECT_TRUE(has(said.err, why)) << said.err;
  };
  refused({"--to", "glb"}, "gltf");
  refused({"--to", "gltf"}, "ends in .glb or .gltf");
  refused({"--to", "gltf", "-o", path("p.obj")}, "ends in .glb or .gltf");
  refused({"--to", "vtk"}, "needs -o FOLDER");
  refused({"--to", "vtk", "-c", "time", "-o", path("v")}, "the motion");
  refused({"--to", "csv", "--fps", "3"}, "is of gltf and vtk");
  refused({"--to", "csv", "--json"}, "two formats");
  refused({"--to", "csv", "-o", path("p.glb")}, ".glb is the ending of glTF");
  refused({"--to", "vtk", "-o", path("p/scene.toml")}, "cannot be made");
  EXPECT_FALSE(fs::exists(path("v")));
}

/// A film itself is made by './dev viewer --browser'.
TEST_F(Program, MovieRefusesWhatItCannotMake) {
  pendulum();
  const Said said = run({"movie", path("p"), "-o", path("no/film.avi"), "--from", "1 s"});
  EXPECT_EQ(said.code, kInput);
  for (const char* part : {"neither .mp4 nor .webm", "there is no folder", "no part of the run"})
    EXPECT_TRUE(has(said.err, part)) << said.err;
  EXPECT_TRUE(has(run({"movie", path("p"), "--to", "1 m"}).err, "--to 1 m: ")) << said.err;
  EXPECT_TRUE(has(run({"movie", path("p"), "--size", "13x15"}).err, "even numbers"));
  setenv("CHROMIUM", "/bin/false", 1);
  EXPECT_EQ(run({"movie", path("p"), "-o", path("film.mp4")}).code, kInput);
  unsetenv("CHROMIUM");
  EXPECT_FALSE(fs::exists(path("film.mp4")));
  EXPECT_FALSE(fs::exists(path("film.part.mp4")));
}

TEST_F(Program, RunSaysWhatItDid) {
  const Said said = run({"run", scene(pendulum_scene()), "-o", path("p"), "--duration", "0.2"});
  for (const char* part : {"1 body, 1 joint, 5 rows on 6 velocities: 1 degree of freedom",
                           "200 steps", "drift", "energy", "momentum", "results.h5", "swing.svg"})
    EXPECT_TRUE(has(said.out, part)) << part << "\n" << said.out;
}

TEST_F(Program, RunPrintsJson) {
  const Said said = pendulum({"--json"});
  EXPECT_EQ(said.code, kDone);
  for (const char* key : {"scene",
                          "version",
                          "formulation",
                          "body_count",
                          "steps",
                          "simulated_s",
                          "wall_s",
                          "speed_factor",
                          "max_drift_m",
                          "max_drift_rad",
                          "energy_residual_rel",
                          "numerical_damping_J",
                          "numerical_damping_rel",
                          "momentum_residual_rel",
                          "solver",
                          "iterations",
                          "merit",
                          "factorisations",
                          "newton_steps",
                          "parted_steps",
                          "fallbacks",
                          "threads",
                          "state_hash",
                          "events",
                          "outputs",
                          "extremes"})
    EXPECT_TRUE(has(said.out, fmt::format("\"{}\": ", key))) << key;
  EXPECT_EQ(said.out, contents(path("p/summary.json")));
}

TEST_F(Program, RunKeepsResultsUnlessForced) {
  pendulum();
  const auto before = fs::last_write_time(path("p/results.h5"));
  const Said said = pendulum();
  EXPECT_EQ(said.code, kInput);
  EXPECT_TRUE(has(said.err, "--force")) << said.err;
  EXPECT_EQ(fs::last_write_time(path("p/results.h5")), before);
  EXPECT_EQ(pendulum({"--force"}).code, kDone);
}

TEST_F(Program, RunWritesNothingForAWrongScene) {
  const Said said = run(
      {"run", scene("format = 1\n[[body]]\nname = \"b\"\nmas = 1\n"), "-o", path("p"), "--json"});
  EXPECT_EQ(said.code, kInput);
  EXPECT_TRUE(has(said.err, "s.toml:4:1: body.b.mas: ")) << said.err;
  EXPECT_TRUE(has(said.out, "\"line\": 4")) << said.out;
  EXPECT_FALSE(fs::exists(path("p")));
  EXPECT_EQ(run({"run", path("none.toml"), "-o", path("p")}).code, kInput);
  EXPECT_EQ(pendulum({"--set", "body.bob.mass=1 m"}).code, kInput);
  EXPECT_EQ(pendulum({"--set", "mass"}).code, kInput);
  EXPECT_FALSE(fs::exists(path("p")));
}

TEST_F(Program, RunChecksThePlotsFirst) {
  std::string text = pendulum_scene();
  text.replace(text.find("pivot.angle"), 11, "pivot.angel");
  const Said said = run({"run", scene(text), "-o", path("p")});
  EXPECT_EQ(said.code, kInput);
  EXPECT_TRUE(has(said.err, "there is no channel 'pivot.angel'; did you mean 'pivot.angle'?"))
      << said.err;
  EXPECT_TRUE(has(said.err, "s.toml:26:5: plot.swing.y")) << said.err;
  EXPECT_FALSE(fs::exists(path("p")));
}

TEST_F(Program, RunSaysWhereItCannotWrite) {
  scene("", "file");
  const Said said = run({"run", scene(pendulum_scene()), "-o", path("file/p")});
  EXPECT_EQ(said.code, kInput);
  EXPECT_TRUE(has(said.err, "cannot be made")) << said.err;
}

TEST_F(Program, RunEndsWhereNumbersGoBad) {
  std::string text = pendulum_scene();  // a force that grows beyond all numbers
  text +=
      "\n[[load]]\nname = \"storm\"\ntype = \"force\"\nbody = \"bob\"\n"
      "force = [0, 0, {time = [0, 0.1, 0.11], value = [0, 0, 1e308]}]\n";
  const Said said = run({"run", scene(text), "-o", path("p"), "--quiet", "--json"});
  EXPECT_EQ(said.code, kNumbers) << said.err;
  EXPECT_TRUE(has(said.out, "\"status\": \"failed\"")) << said.out;
  EXPECT_TRUE(has(said.err, "bob") || has(said.err, "pivot")) << said.err;
  const io::ResultsReader results(path("p/results.h5"));
  EXPECT_TRUE(results.finished());
  EXPECT_GE(results.frames(), 10u);
  for (const double z : results.read("bob.position.z")) EXPECT_TRUE(std::isfinite(z));
  const Said info = run({"info", path("p")});
  EXPECT_TRUE(has(info.out, "no: the numbers went bad")) << info.out;
  EXPECT_TRUE(has(info.out, "failure '")) << info.out;
  const Said json = run({"info", path("p"), "--json"});
  EXPECT_TRUE(has(json.out, "\"finished\": false")) << json.out;
  EXPECT_TRUE(has(json.out, "\"ending\": \"failed\"")) << json.out;
}

TEST_F(Program, SetChangesAndEqualsStayBitForBit) {
  const auto hash = [&](std::vector<std::string> more) {
    more.insert(more.end(), {"--force", "--json"});
    const std::string out = pendulum(more).out;
    return out.substr(out.find("state_hash"), 32);
  };
  EXPECT_EQ(hash({}), hash({}));
  EXPECT_EQ(hash({"--step", "1 ms"}), hash({}));
  EXPECT_NE(hash({"--set", "body.bob.sphere=\"6 cm\""}), hash({}));
  EXPECT_NE(hash({"--step", "2 ms"}), hash({}));
}

TEST_F(Program, CheckCountsAndNotes) {
  const Said said = run({"check", scene(pendulum_scene())});
  EXPECT_EQ(said.code, kDone);
  EXPECT_TRUE(has(said.out, "OK\n  1 body, 1 joint, 0 laws")) << said.out;
  const std::string rigid =
      "format = 1\n[[track]]\nname = \"t\"\nchain = [{line = 10, position = [0, 0, 0], axis = [1, "
      "0, 0]}]\n"
      "[[body]]\nname = \"b\"\nmass = 1\nsphere = 0.1\non_track = {track = \"t\", s = 5}\n"
      "[[joint]]\nname = \"j\"\ntype = \"track\"\ntrack = \"t\"\nb = \"b\"\nderail = {lateral = "
      "0.1}\n";
  EXPECT_TRUE(has(run({"check", scene(rigid)}).out, "joint 'j' has limits at which it derails"));
  EXPECT_FALSE(has(run({"check", scene(rigid + "limits = {lateral = [-5, 5]}\n")}).out, "derails"));
  EXPECT_EQ(run({"check", scene("format = 1\nx = 2\n")}).code, kInput);
}

/// Two track joints hold a rigid body by more rows than leave it free to run along a bend.
TEST_F(Program, CheckNotesWhatCannotFollowATrack) {
  const auto held = [&](const std::string& plan, const char* front, const char* rear) {
    std::string text = "format = 1\n[[track]]\nname = \"line\"\nplan = [" + plan +
                       "]\n[[body]]\nname = \"w\"\nmass = \"40 t\"\nbox = [20, 3, 3]\nposition = "
                       "[0, 0, 1.5]\non_track = {track = \"line\", s = 15}\n";
    for (const auto& [name, type, x] :
         {std::tuple{"front", front, "7"}, std::tuple{"rear", rear, "-7"}})
      text += fmt::format(
          "[[joint]]\nname = \"{}\"\ntype = \"{}\"\ntrack = \"line\"\nb = \"w\"\nframe_b = "
          "{{position = [{}, 0, -1.5]}}\n",
          name, type, x);
    const Said said = run({"check", scene(text)});
    EXPECT_EQ(said.code, kDone) << said.err;
    return said.out;
  };
  const std::string bend = "{line = 40}, {bloss = 30}, {arc = 50, radius = 300}",
                    note =
                        "'front' and 'rear' hold body 'w' by 10 rows, where 5 let it run along "
                        "track 'line'";
  const std::string said = held(bend, "track", "track");
  EXPECT_TRUE(has(said, note)) << said;
  EXPECT_TRUE(has(said, "seen at s = 40")) << said;  // where the bend begins, to 1/500 of the line
  EXPECT_FALSE(has(held(bend, "point-on-track-roll", "point-on-track"), note));
  EXPECT_FALSE(has(held("{line = 40}", "track", "track"), note));
}

TEST_F(Program, InfoShowsEquationsOfSystems) {
  const std::string slide = scene(
      "format = 1\nsimulation = {gravity = [0, 0, -10]}\n[[system]]\nname = \"s\"\n"
      "potential = \"4 [N/m]*x^2\"\n"
      "[[system.coordinate]]\nname = \"x\"\nunit = \"m\"\n"
      "[[system.coordinate]]\nname = \"y\"\nunit = \"m\"\n"
      "[[system.object]]\nname = \"o\"\nposition = [\"x\", \"y\", 0]\nmass = 2\n",
      "slide.toml");
  const std::string text = run({"info", slide}).out, json = run({"info", slide, "--json"}).out;
  EXPECT_TRUE(has(text, "y [m], cyclic")) << text;
  EXPECT_FALSE(has(text, "x [m], cyclic")) << text;
  EXPECT_TRUE(std::regex_search(
      json, std::regex("\"name\": \"y\",\\s+\"unit\": \"m\",\\s+\"cyclic\": true")))
      << json;
  EXPECT_TRUE(std::regex_search(json, std::regex("\"name\": \"x\",[^}]*\"cyclic\": false")))
      << json;
  for (const char* part : {"\"systems\": [", "\"V\": \"4*x^2\"", "\"2*y'' = Q(y)\""})
    EXPECT_TRUE(has(json, part)) << part << json;
  EXPECT_TRUE(has(run({"info", scene(pendulum_scene()), "--json"}).out, "\"systems\": []"));
}

TEST_F(Program, InfoShowsScenesResultsAndLists) {
  EXPECT_TRUE(has(run({"info", scene(pendulum_scene())}).out, "angle [rad]"));
  pendulum();
  const Said results = run({"info", path("p")});
  EXPECT_TRUE(has(results.out, "21 from 0 s to 0.2 s")) << results.out;
  EXPECT_TRUE(has(run({"info", path("p"), "--channels"}).out, "pivot.angle"));
  EXPECT_TRUE(has(run({"info", path("p/results.h5"), "--json"}).out, "\"frames\": 21"));
  EXPECT_TRUE(has(run({"info", "joints"}).out, "travel = Ax.D [m]"));
  EXPECT_EQ(run({"help"}).out, run({"--help"}).out);
  // which options exclude each other is listed by where they lie in memory
  const auto help = [](std::string text) {
    return std::regex_replace(text, std::regex("Excludes:.*"), "");
  };
  EXPECT_EQ(help(run({"help", "info"}).out), help(run({"info", "--help"}).out));
  const std::string soft = scene(
      "format = 1\n[[body]]\nname = \"jelly\"\nkind = \"affine\"\nmass = 1\nbox = [1, 1, 1]\n",
      "soft.toml");
  EXPECT_TRUE(has(run({"info", soft}).out, "affine")) << run({"info", soft}).err;
  EXPECT_TRUE(has(run({"info", soft, "--json"}).out, "\"kind\": \"affine\""));
  std::string meshed = "format = 1\n";
  for (const char* name : {"first", "second"})
    meshed += fmt::format(
        "[[body]]\nname = \"wheel_{0}\"\nmass = 1\nsphere = 0.1\n[[joint]]\nname = \"{0}\"\n"
        "type = \"revolute\"\nb = \"wheel_{0}\"\nframe_a = {{}}\nframe_b = {{}}\n",
        name);
  meshed +=
      "[[coupling]]\nname = \"mesh\"\ntype = \"gear\"\nof = [\"first.angle\", "
      "\"second.angle\"]\nteeth = [20, 50]\n";
  const std::string gears = run({"info", scene(meshed, "gears.toml")}).out;
  EXPECT_TRUE(std::regex_search(gears, std::regex("mesh +coupling +- +- +1 row"))) << gears;
  EXPECT_TRUE(std::regex_search(gears, std::regex("first +revolute +ground +wheel_first +5 rows")))
      << gears;
  EXPECT_TRUE(has(run({"info", path("gears.toml"), "--json"}).out, "\"name\": \"mesh\""));
  EXPECT_TRUE(has(run({"info", "laws"}).out, "stiffness"));
  EXPECT_TRUE(has(run({"info", "units"}).out, "permille"));
  EXPECT_EQ(run({"info", "joints", "--channels"}).code, kInput);
  EXPECT_EQ(run({"info", path("nothing")}).code, kInput);
}

TEST_F(Program, ExportsChannels) {
  pendulum();
  const Said said = run({"export", path("p"), "--channels", "pivot.angle,bob.velocity.z"});
  EXPECT_EQ(said.code, kDone);
  EXPECT_EQ(said.out.substr(0, said.out.find('\n')),
            "time [s],pivot.angle [rad],bob.velocity.z [m/s]");
  EXPECT_EQ(std::count(said.out.begin(), said.out.end(), '\n'), 22);
  EXPECT_EQ(run({"export", path("p"), "-o", path("all.csv")}).code, kDone);
  EXPECT_TRUE(has(contents(path("all.csv")), "energy.total [J]"));
  const Said wrong = run({"export", path("p"), "-c", "pivot.angel", "-o", path("wrong.csv")});
  EXPECT_EQ(wrong.code, kInput);
  EXPECT_TRUE(has(wrong.err, "did you mean 'pivot.angle'?")) << wrong.err;
  EXPECT_FALSE(fs::exists(path("wrong.csv")));
  EXPECT_EQ(run({"export", path("nothing")}).code, kInput);
}

TEST_F(Program, PlotsAnyChannel) {
  pendulum();
  const Said said = run({"plot", path("p"), "-y", "bob.position.x,bob.position.z", "-y",
                         "pivot.angle", "-o", path("a.svg"), "--title", "Mine"});
  EXPECT_EQ(said.code, kDone) << said.err;
  const std::string svg = contents(path("a.svg"));
  for (const char* part : {"Mine", "[rad]", "bob.position [m]", "time [s]"})
    EXPECT_TRUE(has(svg, part)) << part;
  const Said wrong = run({"plot", path("p"), "-y", "bob.position.w", "-o", path("b.svg")});
  EXPECT_EQ(wrong.code, kInput);
  EXPECT_TRUE(has(wrong.err, "did you mean 'bob.position.")) << wrong.err;
  EXPECT_FALSE(fs::exists(path("b.svg")));
  EXPECT_TRUE(has(run({"plot", path("p"), "-x", "pivot.angle", "-y", "pivot.rate", "-o", "-"}).err,
                  "pivot"));
}

TEST_F(Program, PlotsQuantitiesIntoPanelsByUnit) {
  pendulum();
  const Said said = run({"plot", path("p"), "pivot.angle", "bob.position.?", "energy.*", "-o",
                         path("a.svg"), "--json"});
  EXPECT_EQ(said.code, kDone) << said.err;
  const std::string svg = contents(path("a.svg"));
  for (const char* part : {">pivot.angle [rad]<", ">bob.position [m]<", ">bob.position.z<",
                           ">energy [", ">energy.kinetic<"})
    EXPECT_TRUE(has(svg, part)) << part;
  EXPECT_FALSE(has(svg, "bob.velocity"));
  EXPECT_TRUE(has(said.out, "\"channel\": \"bob.position.y\"")) << said.out;
  EXPECT_TRUE(has(said.out, "\"unit\": \"rad\"")) << said.out;
}

TEST_F(Program, ComparesRuns) {
  pendulum();
  ASSERT_EQ(run({"run", scene(pendulum_scene()), "-o", path("q"), "--duration", "0.3 s", "--set",
                 "simulation.step=\"2 ms\"", "--quiet"})
                .code,
            kDone);
  const Said said = run({"plot", path("p"), path("q/results.h5"), "pivot.angle",
                         "bob.velocity.x,bob.velocity.z", "-o", path("a.svg")});
  EXPECT_EQ(said.code, kDone) << said.err;
  const std::string svg = contents(path("a.svg"));
  for (const char* part : {">p<", ">q<", ">p: bob.velocity.x<", ">q: bob.velocity.z<"})
    EXPECT_TRUE(has(svg, part)) << part;
  const Said wrong =
      run({"plot", path("p"), path("q"), path("p"), "pivot.angel", "-o", path("b.svg")});
  EXPECT_EQ(wrong.code, kInput);
  EXPECT_TRUE(has(wrong.err, "is named twice")) << wrong.err;
  const Said both = run({"plot", path("p"), path("q"), "pivot.angel", "-x", "tme"});
  EXPECT_TRUE(has(both.err, "p: there is no channel 'pivot.angel'; did you mean 'pivot.angle'?"));
  EXPECT_TRUE(has(both.err, "q: there is no channel 'tme'; did you mean 'time'?")) << both.err;
}

TEST_F(Program, PlotsPngs) {
  pendulum();
  const std::string png = path("a.PNG");
  const Said said =
      run({"plot", path("p"), "pivot.*", "--size", "640x700", "--scale", "1.5", "-o", png});
  EXPECT_EQ(said.code, kDone) << said.err;
  const std::string bytes = contents(png);
  ASSERT_GT(bytes.size(), 10000u);
  EXPECT_EQ(bytes.substr(1, 3), "PNG");
  const auto number = [&](std::size_t at) {
    return static_cast<unsigned char>(bytes[at]) * 256 + static_cast<unsigned char>(bytes[at + 1]);
  };
  EXPECT_EQ(number(18), 960);
  EXPECT_EQ(number(22), 1050);
}

TEST_F(Program, RefusesWhatIsNoPlot) {
  pendulum();
  const std::string p = path("p"), svg = path("b.svg"), png = path("b.png");
  const std::pair<std::vector<std::string>, std::string> wrong[] = {
      {{p}, "name what to plot"},
      {{"pivot.angle", "bob"}, "no run is named: 'pivot.angle', 'bob' are no folder"},
      {{path("none"), "pivot.angle"}, "there is no " + path("none")},
      {{p, "bobs"}, "nor is there a folder 'bobs'"},
      {{p, "pvot.*"}, "'pvot.*' matches no channel; did you mean 'pivot.*'?"},
      {{p, "*.anglee"}, "'*.anglee' matches no channel; did you mean '*.angle'?"},
      {{p, "*.*", "-y", "bob.velocity.*", "-y", "bob.position.*"},
       "that one can tell apart: ask for fewer, or for --all"},
      {{p, "-y", "pivot.*"}, "they cannot share a panel"},
      {{p, "pivot.angle", "-x", "pivot.*"}, "there is no channel 'pivot.*'"},
      {{p, "pivot.angle", "-o", path("b.pdf")}, "a picture is a .svg or a .png"},
      {{p, "pivot.angle", "--scale", "2"}, "--scale goes with a .png"},
      {{p, "pivot.angle", "--font", "x.ttf"}, "--font goes with a .png"},
      {{p, "pivot.angle", "-o", png, "--font", path("x.ttf")}, "x.ttf is not there, or no font"},
      {{p, "pivot.angle", "--size", "12"}, "a size is as 1200x800"},
      {{p, "pivot.angle", "--size", "1200x-800"}, "a size is as 1200x800"},
      {{p, "pivot.angle", "--size", "100x99999"}, "a size is as 1200x800"},
      {{p, "pivot.*", "bob.*", "--size", "600x300"}, "with legends need a height of"},
      {{p, "pivot.angle", "-o", png, "--size", "20000x20000"}, "400 million pixels, 50 at most"},
      {{p, "pivot.angle", "-o", png, "--scale", "9"}, "--scale"},
  };
  for (const auto& [more, text] : wrong) {
    std::vector<std::string> arguments{"plot"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    if (std::ranges::find(more, "-o") == more.end()) arguments.insert(arguments.end(), {"-o", svg});
    const Said said = run(arguments);
    EXPECT_EQ(said.code, kInput) << text;
    EXPECT_TRUE(has(said.err, text)) << said.err;
    EXPECT_FALSE(fs::exists(svg) || fs::exists(png)) << text;
  }
  EXPECT_EQ(run({"plot", p, "*", "--all", "-o", svg}).code, kDone);
}

TEST_F(Program, PlotsPowersAndSaysWhatTheyLeaveOut) {
  pendulum();
  const Said said = run({"plot", path("p"), "energy.kinetic", "--log-y", "-o", path("a.svg")});
  EXPECT_EQ(said.code, kDone);
  EXPECT_TRUE(has(said.err, "--log-y leaves out 1 of ")) << said.err;
  EXPECT_TRUE(has(contents(path("a.svg")), ">0.1<"));
  EXPECT_TRUE(has(contents(path("a.svg")), ">1<"));
}

TEST_F(Program, MadeScenesCanBeRun) {
  for (const std::vector<std::string>& what :
       {std::vector<std::string>{"chain", "--n", "3"}, {"fourbar", "--n", "3"}, {"pendulum"}}) {
    std::vector<std::string> arguments{"make"};
    arguments.insert(arguments.end(), what.begin(), what.end());
    const Said said = run(arguments);
    EXPECT_EQ(said.code, kDone);
    const auto loaded = io::load_scene_text(said.out, what[0]);
    if (const auto* problems = std::get_if<io::SceneProblems>(&loaded))
      ADD_FAILURE() << io::to_text(problems->front());
    arguments.insert(arguments.end(), {"-o", path("m.toml")});
    EXPECT_EQ(run(arguments).code, kDone);
    EXPECT_EQ(contents(path("m.toml")), said.out);
    EXPECT_EQ(run({"check", path("m.toml")}).code, kDone);
  }
  EXPECT_EQ(run({"make", "chain"}).code, kInput);
  EXPECT_EQ(run({"make", "chain", "--n", "0"}).code, kInput);
  EXPECT_EQ(run({"make", "pendulum", "--n", "3"}).code, kInput);
}

TEST_F(Program, MakesABodyOfAMesh) {
  std::ofstream(path("wedge.obj")) << "v 0 0 0\nv 2 0 0\nv 0 3 0\nv 0 0 4\n"
                                      "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
  const Said said = run({"make", "body", path("wedge.obj"), "--unit", "1 cm", "--name", "wedge",
                         "--density", "2000 kg/m^3", "-o", path("m.toml")});
  EXPECT_EQ(said.code, kDone) << said.err;
  const auto loaded = io::load_scene(path("m.toml"));
  ASSERT_TRUE(std::holds_alternative<io::LoadedScene>(loaded));
  const model::Built& built = std::get<io::LoadedScene>(loaded).built;
  const int mass = built.model->find_param("body.wedge.mass");
  EXPECT_NEAR(built.params.values.at(static_cast<std::size_t>(mass)), 0.008, 1e-15);
  std::ofstream(path("open.obj")) << "v 0 0 0\nv 2 0 0\nv 0 3 0\nf 1 3 2\n";
  const Said open = run({"make", "body", path("open.obj"), "--unit", "1 cm"});
  EXPECT_EQ(open.code, kInput);
  EXPECT_TRUE(has(open.err, "open.obj:4:1: ")) << open.err;
  EXPECT_TRUE(has(open.err, "the surface is open there")) << open.err;
  const Said unit = run({"make", "body", path("wedge.obj"), "--unit", "1 kg"});
  EXPECT_EQ(unit.code, kInput);
  EXPECT_TRUE(has(unit.err, "kg")) << unit.err;
  EXPECT_EQ(run({"make", "body", path("wedge.obj")}).code, kInput);
  EXPECT_EQ(run({"make", "body", path("no.obj"), "--unit", "1 m"}).code, kInput);
}

TEST_F(Program, GivesSchemaAndCompletion) {
  EXPECT_EQ(run({"schema"}).out, io::json_schema() + "\n");
  const std::string completion = run({"completion", "bash"}).out;
  EXPECT_TRUE(has(completion, "--output-step")) << completion;
  EXPECT_TRUE(has(completion, "chain fourbar pendulum"));
  EXPECT_TRUE(has(completion, "resume) words=\"--help --until"));
}

}  // namespace trammel::cli::program_test
