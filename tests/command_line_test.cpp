// The program as a user's shell has it.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace fs = std::filesystem;

namespace {

const std::string kScenes = TRAMMEL_SOURCE_DIR "/scenes/";

class CommandLine : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "trammel_XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  void TearDown() override { fs::remove_all(folder_); }

  /// The exit code of `trammel ARGUMENTS`, run in the folder.
  int trammel(const std::string& arguments, const std::string& before = "") const {
    const std::string line = "cd " + folder_.string() + " && " + before +
                             " '" TRAMMEL_PROGRAM "' " + arguments + " >stdout 2>stderr";
    const int status = std::system(line.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  std::string read(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(folder_ / name).rdbuf();
    return text.str();
  }
  bool is_json(const std::string& name) const {
    const std::string line =
        "/usr/bin/python3 -m json.tool " + (folder_ / name).string() + " >/dev/null";
    return std::system(line.c_str()) == 0;
  }
  fs::path folder_;
};

}  // namespace

TEST_F(CommandLine, RunsIntoOutByDefault) {
  EXPECT_EQ(trammel("run " + kScenes + "pendulum.toml --duration 0.1 --json"), 0) << read("stderr");
  EXPECT_TRUE(is_json("stdout"));
  EXPECT_TRUE(is_json("out/pendulum/summary.json"));
}

TEST_F(CommandLine, EveryJsonIsJson) {
  ASSERT_EQ(trammel("run " + kScenes + "turntable.toml -o r --duration 0.1 --quiet"), 0);
  for (const char* arguments : {"info r --json", "info joints --json", "info laws --json",
                                "info units --json", "export r -c rails.s --json",
                                "plot r -y rails.s --json", "make chain --n 2 --json", "schema"}) {
    EXPECT_EQ(trammel(arguments), 0) << arguments;
    EXPECT_TRUE(is_json("stdout")) << arguments;
  }
  EXPECT_EQ(trammel("check " + kScenes + "turntable.toml --json"), 0);
  EXPECT_TRUE(is_json("stdout"));
  EXPECT_EQ(trammel("check none.toml --json"), 2);
  EXPECT_TRUE(is_json("stdout"));
}

TEST_F(CommandLine, KeepsResultsWhenInterrupted) {
  for (const char* signal : {"INT", "TERM"}) {
    const std::string wait = std::string("timeout --preserve-status -s ") + signal + " 1";
    EXPECT_EQ(
        trammel("run " + kScenes +
                    "pendulum.toml -o r --force --duration 100000 --set simulation.output_step=1",
                wait),
        130);
    EXPECT_NE(read("stderr").find("interrupted; "), std::string::npos) << read("stderr");
    EXPECT_EQ(trammel("export r -c bob.position.z"), 0);
    EXPECT_GT(fs::file_size(folder_ / "stdout"), 100u);
    EXPECT_NE(read("r/summary.json").find("\"status\": \"interrupted\""), std::string::npos);
  }
}

TEST_F(CommandLine, DrawsNoBarIntoAPipe) {
  EXPECT_EQ(trammel("run " + kScenes + "gyroscope.toml -o r"), 0);
  EXPECT_EQ(read("stderr").find('\r'), std::string::npos);
  EXPECT_NE(read("stdout").find("degrees of freedom"), std::string::npos);
}
