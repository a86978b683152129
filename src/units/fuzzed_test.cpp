#include "units/fuzzed.h"

#include <gtest/gtest.h>

namespace trammel::units::fuzzed_test {
namespace {

TEST(FuzzedUnits, AreReadOrComplainedOf) {
  std::vector<std::string> words{"^", "/", "(", ")", " ", "*", ".", "1e308", "1e-320", "-", "2"};
  for (const std::string_view name : unit_names()) words.emplace_back(name);
  replay(corpus(TRAMMEL_SOURCE_DIR "/src/units/corpus"), words, 6'000, fuzzed::any_text);
}

// What it rests on can fail.
TEST(FuzzedUnits, AFaultIsFoundAndShown) {
  const auto no_metre = [](std::string_view text) { require(text != "3 m", "no metre"); };
  EXPECT_NO_THROW(replay({"3 s"}, {"s"}, 10, no_metre));
  EXPECT_THROW(replay({"3 s", "3 m"}, {"s"}, 0, no_metre), std::runtime_error);
  EXPECT_THROW(replay({"3 s"}, {"m"}, 10'000, no_metre), std::runtime_error);
}

}  // namespace
}  // namespace trammel::units::fuzzed_test
