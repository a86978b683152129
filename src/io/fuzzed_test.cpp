#include "io/fuzzed.h"

#include <gtest/gtest.h>

namespace trammel::io::fuzzed_test {
namespace {

TEST(FuzzedScenes, AreReadOrComplainedOf) {
  std::vector<std::string> seeds = units::corpus(TRAMMEL_SOURCE_DIR "/src/io/corpus");
  for (std::string& scene : units::corpus(TRAMMEL_SOURCE_DIR "/scenes"))
    if (scene.size() < 5000) seeds.push_back(std::move(scene));
  units::replay(seeds, fuzzed::words(), 6'000, fuzzed::any_text);
}

}  // namespace
}  // namespace trammel::io::fuzzed_test
