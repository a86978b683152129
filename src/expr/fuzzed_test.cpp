#include "expr/fuzzed.h"

#include <gtest/gtest.h>

namespace trammel::expr::fuzzed_test {
namespace {

TEST(FuzzedExpressions, AreReadOrComplainedOf) {
  const std::vector<std::string> words{
      "x",   "t",      "y",     "cam",    "f(",       "table(", "spline'(", "if(",  "piecewise(",
      "min", "clamp(", "sin(",  "sqrt(",  "atan2(",   "^",      "^-2",      "^0.5", "*",
      "/",   "+",      "-",     "(",      ")",        ",",      "<",        "==",   "and ",
      "or ", "not ",   "[mm]",  "[N]",    "[degC]",   "1e308",  "0",        "1/0",  "pi",
      "e",   "floor(", "sign(", "step(",  "\xC2\xB5", "'",      "'12",      "1024", "smoothstep(",
      "_",   "x.y",    "tau",   "hypot(", "cbrt(",    "log(",   "acosh("};
  units::replay(units::corpus(TRAMMEL_SOURCE_DIR "/src/expr/corpus"), words, 6'000,
                fuzzed::any_text);
}

}  // namespace
}  // namespace trammel::expr::fuzzed_test
