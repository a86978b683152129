#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "cli/command.h"

namespace trammel::cli {

/// Holds what became of commands of the program in a process of their own.
struct Ended {
  int code = -1;   // of the exit; -1: a signal
  int signal = 0;  // SIGXCPU: it did not come to an end
  std::string out, err;
};

inline std::string contents_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Calls `action` in a child whose stdout and stderr are kept. The bound is on CPU time: how busy
/// the machine is must not matter.
inline Ended in_child(const std::filesystem::path& folder, rlim_t cpu_seconds,
                      const std::function<int()>& action) {
  const std::string out = (folder / "child.out").string(), err = (folder / "child.err").string();
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    const rlimit cpu{cpu_seconds, cpu_seconds + 1};
    setrlimit(RLIMIT_CPU, &cpu);
    if (!std::freopen(out.c_str(), "w", stdout) || !std::freopen(err.c_str(), "w", stderr))
      _exit(99);
    std::signal(SIGXFSZ, SIG_IGN);
    const int code = action();
    std::fflush(nullptr);
    _exit(code);
  }
  int status = 0;
  waitpid(child, &status, 0);
  Ended ended{-1, 0, contents_of(out), contents_of(err)};
  if (WIFEXITED(status)) ended.code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) ended.signal = WTERMSIG(status);
  return ended;
}

/// A folder of the test's own, in which it is.
class Forked : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "trammel_forked_XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    before_ = std::filesystem::current_path();
    std::filesystem::current_path(folder_);
  }
  void TearDown() override {
    std::filesystem::current_path(before_);
    std::filesystem::remove_all(folder_);
  }
  Ended trammel(const std::vector<std::string>& arguments, rlim_t cpu_seconds = 20) const {
    return in_child(folder_, cpu_seconds, [&] { return program(arguments); });
  }

  std::filesystem::path folder_, before_;
};

/// Numbers that are the same everywhere.
class Dice {
 public:
  explicit Dice(unsigned seed) : engine_(seed) {}
  std::size_t below(std::size_t n) { return n ? engine_() % n : 0; }
  template <class T>
  const T& of(const std::vector<T>& list) {
    return list[below(list.size())];
  }

 private:
  std::mt19937 engine_;
};

}  // namespace trammel::cli
