// The programs of docs/cpp-guide.md are these files, and print what it says.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

int guide_build();
int guide_scene();
int guide_control();
int guide_dynamics();
int guide_linearise();
int guide_parameters();
int guide_force();
int guide_state();
int guide_results();
int guide_verify();
int guide_law();

namespace trammel::guide_test {
namespace {

const std::filesystem::path kRoot = TRAMMEL_SOURCE_DIR;

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  EXPECT_TRUE(in) << file;
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The fenced block of a language that begins at or after `from`, which moves behind it.
std::string next_block(const std::string& page, const std::string& language, std::size_t& from) {
  const std::string fence = "```" + language + "\n";
  const std::size_t begin = page.find(fence, from);
  if (begin == std::string::npos) return "there is none";
  from = page.find("```\n", begin + fence.size());
  return page.substr(begin + fence.size(), from - begin - fence.size());
}

TEST(Guide, ProgramsAreThoseOfThePageAndPrintWhatItSays) {
  const struct {
    const char* name;
    int (*run)();
  } programs[] = {{"build", guide_build},
                  {"scene", guide_scene},
                  {"control", guide_control},
                  {"dynamics", guide_dynamics},
                  {"linearise", guide_linearise},
                  {"parameters", guide_parameters},
                  {"force", guide_force},
                  {"state", guide_state},
                  {"results", guide_results},
                  {"verify", guide_verify},
                  {"law", guide_law}};
  const std::string page = text_of(kRoot / "docs/cpp-guide.md");
  std::size_t from = 0;
  for (const auto& [name, run] : programs) {
    SCOPED_TRACE(name);
    EXPECT_EQ(next_block(page, "cpp", from),
              text_of(kRoot / "tests/guide" / (std::string(name) + ".cpp")));
    testing::internal::CaptureStdout();
    const int code = run();
    EXPECT_EQ(next_block(page, "text", from), testing::internal::GetCapturedStdout());
    EXPECT_EQ(code, 0);
  }
  EXPECT_EQ(page.find("```cpp\n", from), std::string::npos) << "a program that no file is";
}

}  // namespace
}  // namespace trammel::guide_test
