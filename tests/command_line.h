#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace trammel::acceptance {

inline const std::string kScenes = TRAMMEL_SOURCE_DIR "/scenes/";

/// The program as built, or another in its place (./dev mutate).
inline const std::string kProgram =
    std::getenv("TRAMMEL_PROGRAM") ? std::getenv("TRAMMEL_PROGRAM") : TRAMMEL_PROGRAM;

/// The program as a user's shell has it, in a folder of its own.
class CommandLine : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "trammel_XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  /// The exit code of `trammel ARGUMENTS`, run in the folder.
  int trammel(const std::string& arguments, const std::string& before = "") const {
    const std::string line = "cd " + folder_.string() + " && " + before + " '" + kProgram + "' " +
                             arguments + " >stdout 2>stderr";
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
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  std::filesystem::path folder_;
};

}  // namespace trammel::acceptance
