// What the compiler must get right with the project's own flags (cmake/flags.cmake).
#include <gtest/gtest.h>

#include <cstring>

namespace trammel::acceptance::compiler_test {
namespace {

struct Four {
  double x[4];
};

[[gnu::noinline]] void copy_constant(double* out) {
  const Four half{{6, 6, 0, 0}};
  std::memcpy(out, &half, sizeof half);
}

/// g++ 12.2 with 256-bit moves copies {6, 6, 6, 6} (its bug 108599).
TEST(Compiler, CopiesConstantsWithTrailingZeros) {
  double x[4];
  copy_constant(x);
  EXPECT_EQ(x[0], 6);
  EXPECT_EQ(x[1], 6);
  EXPECT_EQ(x[2], 0);
  EXPECT_EQ(x[3], 0);
}

}  // namespace
}  // namespace trammel::acceptance::compiler_test
