// Every shipped scene over its whole duration agrees, or its file says why it does not.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "cli/command.h"

namespace trammel::cli::verify_scenes_test {
namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& file) {
  std::ostringstream out;
  out << std::ifstream(file).rdbuf();
  return out.str();
}

std::vector<fs::path> shipped() {
  std::vector<fs::path> out;
  for (const auto& entry : fs::recursive_directory_iterator(TRAMMEL_SOURCE_DIR "/scenes"))
    if (entry.path().extension() == ".toml") out.push_back(entry.path());
  std::sort(out.begin(), out.end());
  return out;
}

/// Scenes whose cross-check says more than that all agrees have a comment that begins so.
bool excused(const fs::path& scene) {
  return contents(scene).find("\n# `trammel verify --full`: ") != std::string::npos;
}

}  // namespace

TEST(FullVerifyCommand, EveryShippedSceneOverItsWholeDuration) {
  const std::vector<fs::path> scenes = shipped();
  EXPECT_GT(scenes.size(), 60u);
  for (const fs::path& scene : scenes) {
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const std::vector<std::string> arguments{"verify", scene.string(), "--full"};
    const int code = program(arguments);
    std::fflush(stdout);
    const std::string err = testing::internal::GetCapturedStderr(),
                      out = testing::internal::GetCapturedStdout();
    EXPECT_EQ(code == kDone, !excused(scene)) << scene << " ends with " << code << "\n"
                                              << out << err;
  }
}

}  // namespace trammel::cli::verify_scenes_test
