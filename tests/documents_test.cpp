// What the documents promise: scenes load, links lead somewhere, the program is the one that is
// built against the installed library, a joint is added by one line.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "io/scene.h"
#include "support.h"

namespace trammel::acceptance::documents_test {
namespace {

namespace fs = std::filesystem;
const fs::path kRoot = TRAMMEL_SOURCE_DIR;

std::string text_of(const fs::path& file) {
  std::ifstream in(file);
  EXPECT_TRUE(in) << file;
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

/// The fenced blocks of a language.
std::vector<std::string> blocks(const std::string& page, const std::string& language) {
  std::vector<std::string> out;
  const std::string fence = "```" + language + "\n";
  for (std::size_t at = page.find(fence); at != std::string::npos; at = page.find(fence, at)) {
    at += fence.size();
    out.push_back(page.substr(at, page.find("```", at) - at));
  }
  return out;
}

/// A page without its fenced blocks: what looks like a link in a program is none.
std::string without_blocks(const std::string& page) {
  std::istringstream lines(page);
  std::string out;
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    const bool fence = line.starts_with("```");
    if (!inside && !fence) out += line + "\n";
    inside ^= fence;
  }
  return out;
}

std::vector<fs::path> pages() {
  std::vector<fs::path> out;
  for (const auto& entry : fs::directory_iterator(kRoot))
    if (entry.path().extension() == ".md") out.push_back(entry.path());
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / "docs"))
    if (entry.path().extension() == ".md") out.push_back(entry.path());
  return out;
}

TEST(Readme, ScenesLoadAndRun) {
  const auto scenes = blocks(text_of(kRoot / "README.md"), "toml");
  ASSERT_FALSE(scenes.empty());
  for (const std::string& text : scenes) {
    const auto loaded = io::load_scene_text(text, "README.md");
    if (const auto* problems = std::get_if<io::SceneProblems>(&loaded)) {
      for (const io::SceneProblem& p : *problems) ADD_FAILURE() << to_text(p);
      continue;
    }
    const auto& [scene, built] = std::get<io::LoadedScene>(loaded);
    Simulation sim(built, scene.settings);
    for (int i = 0; i < 100; ++i) ASSERT_TRUE(sim.advance()) << sim.failure();
    EXPECT_LE(sim.summary().max_gap, 1e-11);  // the tolerance of position rows, and rounding
  }
}

TEST(Readme, ProgramIsTheOneBuiltAgainstTheInstalledLibrary) {
  const auto programs = blocks(text_of(kRoot / "README.md"), "cpp");
  ASSERT_EQ(programs.size(), 1u);
  EXPECT_EQ(programs[0], text_of(kRoot / "tests/install/main.cpp"));
}

TEST(Documents, LinksLeadToFiles) {
  const std::regex link(R"(\]\(([^)#\s]+)[^)]*\))");
  int checked = 0;
  for (const fs::path& page : pages()) {
    const std::string text = without_blocks(text_of(page));
    for (std::sregex_iterator it(text.begin(), text.end(), link), end; it != end; ++it) {
      const std::string target = (*it)[1];
      if (target.find("://") != std::string::npos) continue;
      ++checked;
      EXPECT_TRUE(fs::exists(page.parent_path() / target)) << page << " links to " << target;
    }
  }
  EXPECT_GT(checked, 10);
}

/// Output of a command; its exit code follows.
std::pair<std::string, int> output_of(const std::string& command) {
  std::string out;
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  std::array<char, 4096> part;
  while (const std::size_t n = std::fread(part.data(), 1, part.size(), pipe))
    out.append(part.data(), n);
  return {out, pclose(pipe)};
}

TEST(SlowDocuments, AJointOrAFunctionIsAddedByTheOneFileThatThePageSays) {
  const fs::path build = fs::read_symlink("/proc/self/exe").parent_path().parent_path();
  const auto [out, code] = output_of(fmt::format("/usr/bin/python3 '{}' '{}' '{}'",
                                                 (kRoot / "tests/adding_a_joint.py").string(),
                                                 kRoot.string(), build.string()));
  EXPECT_EQ(code, 0) << out;
}

}  // namespace
}  // namespace trammel::acceptance::documents_test
