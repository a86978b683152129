#include "io/fuzzed.h"

#include <gtest/gtest.h>

#include "io/scene_keys.h"

namespace trammel::io::fuzzed_test {
namespace {

/// Every key of the format, and what else a scene is made of.
std::vector<std::string> words() {
  std::vector<std::string> out{"\"",  "'''",      "\"\"\"",      "[",    "]",       "[[",
                               "]]",  "{",        "}",           "=",    "\n",      ",",
                               ".",   "#",        "1",           "0",    "-1e300",  "\"inf\"",
                               "nan", "\"5 mm\"", "\"3 deg/s\"", "true", "\\u00e9", "Ax.D"};
  for (const Family* f : scene_families())
    for (const Table& t : f->tables)
      for (const Key& k : t.keys) out.push_back(k.name + " = ");
  return out;
}

TEST(FuzzedScenes, AreReadOrComplainedOf) {
  std::vector<std::string> seeds = units::corpus(TRAMMEL_SOURCE_DIR "/src/io/corpus");
  for (std::string& scene : units::corpus(TRAMMEL_SOURCE_DIR "/scenes"))
    if (scene.size() < 5000) seeds.push_back(std::move(scene));
  units::replay(seeds, words(), 6'000, fuzzed::any_text);
}

}  // namespace
}  // namespace trammel::io::fuzzed_test
