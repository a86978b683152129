// Every shipped scene over its whole duration agrees, or its file says why it does not.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
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

/// 'systems_train' of scenes/systems/train.toml.
std::string name_of(const testing::TestParamInfo<fs::path>& scene) {
  fs::path of = fs::relative(scene.param, TRAMMEL_SOURCE_DIR "/scenes").replace_extension();
  std::string name = of.string();
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}

}  // namespace

class FullVerifyCommand : public testing::TestWithParam<fs::path> {};

/// A scene a test: each has a time and a verdict of its own, and they run beside each other.
TEST_P(FullVerifyCommand, AgreesOverTheWholeDurationOrSaysWhy) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const std::vector<std::string> arguments{"verify", GetParam().string(), "--full"};
  const int code = program(arguments);
  std::fflush(stdout);
  const std::string err = testing::internal::GetCapturedStderr(),
                    out = testing::internal::GetCapturedStdout();
  EXPECT_EQ(code == kDone, !excused(GetParam())) << "ends with " << code << "\n" << out << err;
}
INSTANTIATE_TEST_SUITE_P(Scenes, FullVerifyCommand, testing::ValuesIn(shipped()), name_of);

TEST(FullVerifyCommands, FindTheShippedScenes) { EXPECT_GT(shipped().size(), 60u); }

}  // namespace trammel::cli::verify_scenes_test
