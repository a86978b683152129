// What is noted of a scene before it runs.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cli/test_warnings.h"

namespace trammel::cli::notes_test {
namespace {

/// A body on hinges about axes, with more of the scene; what is noted of it.
std::vector<std::string> noted(const std::vector<std::string>& axes, const std::string& more = "") {
  std::string scene =
      test::simulation("1 s", "1 ms") + "[[body]]\nname = \"b\"\nmass = 1\nsphere = 0.1\n";
  for (std::size_t i = 0; i < axes.size(); ++i)
    scene += fmt::format(
        "[[joint]]\nname = \"hinge{}\"\ntype = \"revolute\"\nb = \"b\"\nat = [0.1, 0, 0]\naxis = "
        "{}\n",
        i, axes[i]);
  const Prepared p = test::prepared(scene + more);
  return notes(p.simulation->built(), p.simulation->settings().form);
}

bool still(const std::vector<std::string>& all) {
  return std::ranges::any_of(
      all, [](const std::string& note) { return test::has(note, "nothing can move"); });
}

TEST(Notes, SayThatNothingCanMove) {
  EXPECT_TRUE(still(noted({"[0, 1, 0]", "[1, 0, 0]"})));
  EXPECT_FALSE(still(noted({"[0, 1, 0]"})));
  EXPECT_FALSE(still(noted({})));
  EXPECT_FALSE(still(noted({"[0, 1, 0]"},
                           "[[law]]\nname = \"drive\"\ntype = \"driven\"\njoint = \"hinge0\"\n"
                           "velocity = 1\n")));
}

bool says(const std::string& more, const std::string& what) {
  return std::ranges::any_of(noted({}, more),
                             [&](const std::string& note) { return test::has(note, what); });
}

TEST(Notes, SayWhichNumbersOfContactMoveNothing) {
  const std::string touching =
                        "[[body]]\nname = \"c\"\nmass = 1\nsphere = 0.1\nposition = [1, 0, "
                        "1]\ncontact = \"solids\"\n",
                    belt =
                        "[[obstacle]]\nname = \"belt\"\nhalf_space = [0, 0, "
                        "1]\nsurface_velocity = ",
                    rubs = "[[contact]]\nfriction = 0.5\n";
  EXPECT_TRUE(says(touching + belt + "[1, 0, 0]\n", "no [[contact]] gives it friction"));
  EXPECT_FALSE(says(touching + rubs + belt + "[1, 0, 0]\n", "moves nothing"));
  EXPECT_TRUE(says(touching + rubs + belt + "[0, 0, 1]\n", "along its normal"));
  EXPECT_TRUE(
      says(touching + belt + "[0, 0, 0]\n[[contact]]\nfriction = 30\n", "a friction of 30"));
  EXPECT_FALSE(says(touching + belt + "[0, 0, 0]\n" + rubs, "a friction of"));
}

}  // namespace
}  // namespace trammel::cli::notes_test
