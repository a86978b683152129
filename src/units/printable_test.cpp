#include "units/printable.h"

#include <gtest/gtest.h>

namespace trammel::units::printable_test {
namespace {

TEST(Printable, ControlCharactersAreWrittenOut) {
  EXPECT_EQ(printable("a\x1b[31mred\x1b[0m"), "a\\x1b[31mred\\x1b[0m");
  EXPECT_EQ(printable(std::string("\0\r\b\x7f", 4)), "\\x00\\x0d\\x08\\x7f");
  EXPECT_EQ(printable("\xc2\x9b"
                      "2J"),
            "\\x9b2J");  // the one-character CSI
}

TEST(Printable, TheRestStays) {
  for (const char* text : {"", "line\n\tnext", "Schönefeld → 90°, \xc2\xa0x"})
    EXPECT_EQ(printable(text), text);
}

}  // namespace
}  // namespace trammel::units::printable_test
