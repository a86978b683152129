#include "cli/child.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <filesystem>

#include "cli/command.h"

namespace trammel::cli {
namespace {

class AnotherProgram : public testing::Test {
 protected:
  std::string log() const {
    const std::string name = fmt::format("trammel_child_test_{}.log", getpid());
    return (std::filesystem::temp_directory_path() / name).string();
  }
  void TearDown() override { std::filesystem::remove(log()); }
};

TEST_F(AnotherProgram, ReadsWhatItIsGivenAndLeavesItsWords) {
  Child cat({found_program({"no such program", "cat"})}, log(), Child::Stdin::pipe);
  EXPECT_TRUE(cat.write("what it reads\n"));
  EXPECT_FALSE(cat.ended());
  EXPECT_EQ(cat.wait(), 0);
  EXPECT_TRUE(cat.ended());
  EXPECT_EQ(cat.last_words(), "what it reads");
  EXPECT_EQ(cat.last_words(5), "...reads");
}

TEST_F(AnotherProgram, TellsItsCodeAndThatItReadsNoMore) {
  Child gone({found_program({"sh"}), "-c", "exit 3"}, log(), Child::Stdin::pipe);
  EXPECT_EQ(gone.wait(), 3);
  Child closed({found_program({"sh"}), "-c", "exec <&-; kill -9 $$"}, log(), Child::Stdin::pipe);
  EXPECT_FALSE(closed.write(std::string(1 << 20, 'x')));
  EXPECT_EQ(closed.wait(), 128 + SIGKILL);
  EXPECT_EQ(Child({"/no/such/program"}, log()).wait(), 127);
  EXPECT_THROW(Child({"/bin/true"}, "/no/such/folder/log"), InputError);
}

/// With all that it started.
TEST_F(AnotherProgram, EndsWithItsObject) {
  pid_t started = 0;
  {
    Child shell({found_program({"sh"}), "-c", "sleep 600 & echo $!; wait"}, log());
    while (shell.last_words().empty()) usleep(1000);
    started = std::stoi(shell.last_words());
    EXPECT_EQ(kill(started, 0), 0);
  }
  // It is nobody's child here: it may take a moment until init has seen its end.
  while (kill(started, 0) == 0 && std::filesystem::exists(fmt::format("/proc/{}/exe", started)))
    usleep(1000);
  SUCCEED();
}

}  // namespace
}  // namespace trammel::cli
