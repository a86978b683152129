// The program as a user's shell has it.
#include "command_line.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace trammel::acceptance::command_line_test {

namespace fs = std::filesystem;

/// Closed descriptors are not those of the files that are opened next: words for them land nowhere.
TEST_F(CommandLine, ClosedDescriptorsAreNoFilesOfTheRun) {
  const std::string run = "cd " + folder_.string() + " && '" TRAMMEL_PROGRAM "' ",
                    pendulum = "run " + kScenes + "pendulum.toml --duration '0.1 s' --force -o r";
  const auto code = [&](const std::string& arguments) {
    const int status = std::system((run + arguments).c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  };
  ASSERT_EQ(trammel(pendulum + " --quiet"), 0) << read("stderr");
  ASSERT_EQ(trammel("export r"), 0);
  const std::string table = read("stdout");
  for (const char* closed : {"2>&-", "<&- 2>&-", "<&- >stdout 2>&-", "<&-", "<&- >&- 2>&-"}) {
    SCOPED_TRACE(closed);
    EXPECT_EQ(code(pendulum + " --quiet " + closed), 0);
    ASSERT_EQ(trammel("export r"), 0) << read("stderr");
    EXPECT_EQ(read("stdout"), table);
  }
  EXPECT_EQ(code("export r >&- 2>stderr"), 2);
  EXPECT_NE(read("stderr").find("Bad file descriptor"), std::string::npos) << read("stderr");
  EXPECT_EQ(code("export nothing >&- 2>&-"), 2);
}

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
  for (const char* signal : {"INT", "TERM"}) {  // --foreground: else it comes twice, and kills
    const std::string wait =
        std::string("timeout --foreground --preserve-status -s ") + signal + " 2";
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

/// Balls that fall on a floor at as many instants of one step.
std::string fallers(int n) {
  std::string out =
      "format = 1\n[simulation]\nduration = \"10 ms\"\nstep = \"10 ms\"\ngravity = 0\n"
      "[[contact]]\nfriction = 0\n[[obstacle]]\nhalf_space = [0, 0, 1]\n";
  for (int i = 0; i < n; ++i)
    out += fmt::format(
        "[[body]]\nname = \"b{}\"\nmass = 1\nsphere = 0.1\nposition = [{}, 0, {}]\n"
        "velocity = [0, 0, -1]\ncontact = \"solids\"\n",
        i, i, 0.1012 + 5e-4 * i);
  return out;
}

TEST_F(CommandLine, CountsImpactsThatAreLate) {
  const auto said = [&](int n) {
    std::ofstream(folder_ / "s.toml") << fallers(n);
    EXPECT_EQ(trammel("run s.toml -o r --force"), 0) << read("stderr");
    return read("stdout") + read("r/summary.json");
  };
  for (const auto& [n, parts] :
       {std::pair<int, std::vector<const char*>>{
            1, {"-0.5 J by impacts\n", "\"impacts\": 1,", "\"late_impacts\": 0,"}},
        {10, {"; 10 of 10 impacts at the end of their step, up to 0.04 of an", "s\": 10,"}}}) {
    const std::string text = said(n);
    for (const char* part : parts) EXPECT_NE(text.find(part), std::string::npos) << part << text;
  }
}

TEST_F(CommandLine, DrawsNoBarIntoAPipe) {
  EXPECT_EQ(trammel("run " + kScenes + "gyroscope.toml -o r"), 0);
  EXPECT_EQ(read("stderr").find('\r'), std::string::npos);
  EXPECT_NE(read("stdout").find("degrees of freedom"), std::string::npos);
}

}  // namespace trammel::acceptance::command_line_test
