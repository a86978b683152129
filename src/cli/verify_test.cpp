// The command `verify`: exit codes, what it prints and what it leaves.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "cli/command.h"

namespace trammel::cli::verify_test {

namespace {

namespace fs = std::filesystem;

struct Said {
  int code;
  std::string out, err;
};

Said verify(const std::string& scene, std::vector<std::string> more) {
  std::vector<std::string> all{"verify", TRAMMEL_SOURCE_DIR "/scenes/" + scene + ".toml"};
  all.insert(all.end(), more.begin(), more.end());
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  Said said{program(all), "", ""};
  std::fflush(stdout);
  said.err = testing::internal::GetCapturedStderr();
  said.out = testing::internal::GetCapturedStdout();
  return said;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string contents(const fs::path& file) {
  std::ostringstream out;
  out << std::ifstream(file).rdbuf();
  return out.str();
}

}  // namespace

TEST(VerifyCommand, AgreesOnAMotorAndAChainOfDrives) {
  const Said arm = verify("robot_arm", {"--horizon", "2 s"});
  EXPECT_EQ(arm.code, kDone) << arm.out << arm.err;
  EXPECT_TRUE(has(arm.out, "horizon    2 s of 2 s, 50 times")) << arm.out;
  EXPECT_TRUE(has(arm.out, "not compared: velocity, rattle, order 4: ")) << arm.out;
  EXPECT_TRUE(has(arm.out, "\nagrees to ")) << arm.out;
}

TEST(VerifyCommand, AgreesOnEveryShippedScene) {
  int n = 0;
  for (const auto& entry : fs::directory_iterator(TRAMMEL_SOURCE_DIR "/scenes")) {
    if (entry.path().extension() != ".toml") continue;
    const Said said = verify(entry.path().stem().string(), {"--horizon", "0.3 s"});
    EXPECT_EQ(said.code, kDone) << entry.path() << "\n" << said.out << said.err;
    EXPECT_TRUE(has(said.out, "from the results alone, ")) << said.out;
    EXPECT_TRUE(has(said.out, "linear momentum of a body ")) << said.out;
    ++n;
  }
  EXPECT_GE(n, 7);
}

/// In coordinates and as rigid bodies with joints, by all three formulations.
TEST(VerifyCommand, AgreesOnSystemsAndTheirTwins) {
  const fs::path folder = TRAMMEL_SOURCE_DIR "/scenes/systems";
  int n = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".toml") continue;
    const std::string name = entry.path().stem().string();
    const fs::path twin =
        name == "arm" ? folder / "../robot_arm.toml" : folder / "twins" / entry.path().filename();
    const char* horizon = name == "arm" ? "0.7 s" : "0.3 s";  // its drives wait for half a second
    const Said said = verify("systems/" + name, {"--twin", twin.string(), "--horizon", horizon});
    EXPECT_EQ(said.code, kDone) << name << "\n" << said.out << said.err;
    for (const char* part : {"twin, velocity, rattle, order 2", "twin, acceleration, dp8",
                             "\n  energy, bdf2, rows", "\nagrees to "})
      EXPECT_TRUE(has(said.out, part)) << name << " " << part << "\n" << said.out;
    const std::string agrees = "\nagrees to ";
    const std::size_t at = said.out.find(agrees);
    ASSERT_NE(at, said.out.npos) << name;
    EXPECT_LE(std::stod(said.out.substr(at + agrees.size())), 1e-6) << name;  // [m]
    ++n;
  }
  EXPECT_GE(n, 9);
  const Said other = verify("systems/top", {"--twin", (folder / "twins/hoop.toml").string()});
  EXPECT_EQ(other.code, kInput);
  EXPECT_TRUE(has(other.err, "--twin: no body of the one is a body of the other")) << other.err;
}

/// The same places in coordinates that are others, as behind a pole: the angles do not count.
TEST(VerifyCommand, ComparesPlacesAndNoCoordinates) {
  const std::string twin = testing::TempDir() + "behind_the_pole.toml";
  std::string text = contents(TRAMMEL_SOURCE_DIR "/scenes/systems/spherical_pendulum.toml");
  const auto replace = [&](const std::string& what, const std::string& by) {
    const std::size_t at = text.find(what);
    ASSERT_NE(at, text.npos) << what;
    text.replace(at, what.size(), by);
  };
  replace("\"50 deg\"", "\"230 deg\"");
  replace("\"-40 deg\"", "\"220 deg\"");
  replace("angle = \"b\"}", "angle = \"b\"}, {axis = [0, 0, 1], angle = \"180 deg\"}");
  std::ofstream(twin) << text;
  const Said said = verify("systems/spherical_pendulum", {"--twin", twin, "--horizon", "0.3 s"});
  EXPECT_EQ(said.code, kDone) << said.out << said.err;
}

TEST(VerifyCommand, ComparesSoftJointsOfBodiesThatStrain) {
  const Said said = verify("soft_links", {"--horizon", "0.3 s"});
  EXPECT_EQ(said.code, kDone) << said.out << said.err;
  EXPECT_FALSE(has(said.out, "not compared: ")) << said.out;
  for (const char* part :
       {"velocity, rattle, order 4 ", "acceleration, dp8 ", "energy, bdf2, rows ",
        "angular momentum of an affine body", "not checked: 'upper', 'middle': how stiff"})
    EXPECT_TRUE(has(said.out, part)) << part << "\n" << said.out;
  const std::string stiffness =
      "energy, bdf2, soft joints: as stiff as the scene says, 4 and 16 times: order ";
  ASSERT_TRUE(has(said.out, stiffness)) << said.out;
  const double order = std::stod(said.out.substr(said.out.find(stiffness) + stiffness.size()));
  EXPECT_NEAR(order, 1, 0.1) << said.out;
}

/// What is not resolved contradicts nobody: it has a verdict and an exit code of its own, and the
/// others' agreement is told all the same.
TEST(VerifyCommand, SaysWhatIsNotResolved) {
  // swings in some 25 ms
  const Said said = verify("hardening_spring", {"--horizon", "0.5 s", "--set", "parameters.k=5e4",
                                                "--set", "simulation.step=\"1.25 ms\""});
  EXPECT_EQ(said.code, kUnresolved) << said.out << said.err;
  EXPECT_TRUE(has(said.out, "\nnot resolved: velocity, rattle, order 2 from t = ")) << said.out;
  EXPECT_TRUE(has(said.out, " in all that is resolved\n")) << said.out;
  EXPECT_TRUE(has(said.out, "\nthis run: off by more than 1 % of the size or 0.01 rad from t = "))
      << said.out;
  EXPECT_FALSE(has(said.out, "DISAGREES")) << said.out;
  const Said json = verify("hardening_spring", {"--horizon", "0.5 s", "--set", "parameters.k=5e4",
                                                "--set", "simulation.step=\"1.25 ms\"", "--json"});
  EXPECT_EQ(json.code, kUnresolved);
  for (const char* part :
       {"\"status\": \"not resolved\"", "\"resolved_until\": 0.",
        "\"series\": \"velocity, rattle, order 2\"", "\"from\": 0.", "\"this_run\": {"})
    EXPECT_TRUE(has(json.out, part)) << part << "\n" << json.out;
}

TEST(VerifyCommand, LeavesJsonAndAPicture) {
  std::string pattern = (fs::temp_directory_path() / "trammel_verify_XXXXXX").string();
  const fs::path folder = fs::path(mkdtemp(pattern.data())) / "new" / "folder";
  const Said said = verify("pendulum", {"--horizon", "0.5 s", "-o", folder.string(), "--json"});
  EXPECT_EQ(said.code, kDone) << said.out << said.err;
  EXPECT_EQ(contents(folder / "verify.json"), said.out);
  for (const char* part :
       {"\"status\": \"agrees\"", "\"observed_order\": 2.0", "\"nominal_order\": 4",
        "\"chaotic_beyond\": null", "\"a\": \"velocity, rattle, order 2\""})
    EXPECT_TRUE(has(said.out, part)) << part << "\n" << said.out;
  EXPECT_TRUE(has(contents(folder / "verify.svg"), "</svg>"));
  EXPECT_TRUE(has(said.out, "\"what\": \"points of a joint\"")) << said.out;
  EXPECT_GT(fs::file_size(folder / "verify.h5"), 1000u);
  EXPECT_TRUE(has(contents(folder / "verify.html"), "<script id=\"run\""));
  EXPECT_TRUE(has(said.out, "\"levels\": [")) << said.out;
  fs::remove_all(folder.parent_path().parent_path());
}

TEST(VerifyCommand, TellsWhenBodiesHaveMet) {
  std::string pattern = (fs::temp_directory_path() / "trammel_verify_XXXXXX").string();
  const fs::path folder = mkdtemp(pattern.data()), scene = folder / "bounce.toml";
  std::ofstream(scene) << "format = 1\n[simulation]\nduration = 1\nstep = \"1 ms\"\n"
                          "[[contact]]\nrestitution = 0.5\n"
                          "[[obstacle]]\nhalf_space = [0, 0, 1]\n"
                          "[[body]]\nname = \"ball\"\nmass = 2\nsphere = \"10 cm\"\n"
                          "contact = \"solids\"\nposition = [0, 0, 0.6]\n";
  const auto of = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all{"verify", scene.string()};
    all.insert(all.end(), more.begin(), more.end());
    testing::internal::CaptureStdout();
    const int code = program(all);
    std::fflush(stdout);
    return Said{code, testing::internal::GetCapturedStdout(), ""};
  };
  const Said text = of({}), json = of({"--json"});
  EXPECT_EQ(text.code, kDone) << text.out;
  for (const char* part :  // sqrt(2 * 0.5 m / g) = 0.319275 s, and as long for the flight after it
       {"impacts, by the finest runs:\n", "  ball, ground ", " 0.319275 ", " 0.638551 ",
        "from the first impact on, t = 0.31"})
    EXPECT_TRUE(has(text.out, part)) << part << "\n" << text.out;
  for (const char* part : {"\"impacts\": [", "\"bodies\": \"ball, ground\"", "\"known_to\": "})
    EXPECT_TRUE(has(json.out, part)) << part << "\n" << json.out;
  fs::remove_all(folder);
}

TEST(VerifyCommand, StopsAtItsBudget) {
  const Said said = verify("stn02_wagon", {"--full", "--budget", "0.05"});
  EXPECT_EQ(said.code, kUnfinished) << said.out << said.err;
  EXPECT_TRUE(has(said.out, "not finished within the budget of 0.05 s, cut in ")) << said.out;
  EXPECT_TRUE(has(said.out, "so far:\n")) << said.out;
  EXPECT_FALSE(has(said.out, "agrees to ")) << said.out;
  EXPECT_FALSE(has(said.out, "DISAGREES")) << said.out;
  const Said json = verify("stn02_wagon", {"--full", "--budget", "0.05", "--json"});
  EXPECT_EQ(json.code, kUnfinished);
  EXPECT_TRUE(has(json.out, "\"status\": \"unfinished\"")) << json.out;
  EXPECT_EQ(verify("pendulum", {"--budget", "-1"}).code, kInput);
}

TEST(VerifyCommand, RefusesWhatItCannotUse) {
  EXPECT_EQ(verify("nowhere", {}).code, kInput);
  const Said unit = verify("pendulum", {"--horizon", "2 kg"});
  EXPECT_EQ(unit.code, kInput);
  EXPECT_TRUE(has(unit.err, "simulation.duration")) << unit.err;
  EXPECT_EQ(verify("pendulum", {"--horizon", "1 s", "--full"}).code, kInput);
}

}  // namespace trammel::cli::verify_test
