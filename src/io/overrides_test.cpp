#include "io/overrides.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace trammel::io {
namespace {

TEST(Overrides, AreReadBackWhateverIsInThem) {
  const std::vector<Override> all{{"parameters.L", "2"},
                                  {"title", "\"\"\"two\nlines\r\n\"\"\""},
                                  {"body.a.file", "'C:\\new\\rod = 1.stl'"},
                                  {"body.b.com", ""}};
  const std::string text = to_text(all);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 3);
  const std::vector<Override> back = overrides_from(text);
  ASSERT_EQ(back.size(), all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(back[i].path, all[i].path);
    EXPECT_EQ(back[i].value, all[i].value);
  }
  EXPECT_TRUE(overrides_from("").empty());
}

}  // namespace
}  // namespace trammel::io
