// What is said of small mechanisms beside large ones.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cli/test_warnings.h"

namespace trammel::cli::warnings_sizes_test {
namespace {

using namespace test;

/// A plate on a spring that strikes a stop, of a size [m] and half as quick as it is large.
std::string plate(double size) {
  return fmt::format(
      "[[body]]\nname = \"plate\"\nmass = {0}\nbox = [{1}, {2}, {3}]\n[[joint]]\nname = \"slide\"\n"
      "type = \"prismatic\"\nb = \"plate\"\nat = [0, 0, 0]\naxis = [1, 0, 0]\nrate = {4}\n"
      "[[law]]\nname = \"beam\"\ntype = \"spring\"\njoint = \"slide\"\nstiffness = {5}\n"
      "[[law]]\nname = \"stop\"\ntype = \"limit\"\njoint = \"slide\"\nto = {6}\n",
      1e3 * size * size * size / 8, size, size / 2, size / 4, 100 * size, 1e6 * size * size * size,
      2e-3 * size);
}

constexpr const char* kPendulum =
    "[[body]]\nname = \"bob\"\nmass = 1\nbox = [0.1, 0.1, 0.1]\nposition = [2, 0, 0]\n[[joint]]\n"
    "name = \"hinge\"\ntype = \"revolute\"\nb = \"bob\"\nat = [3, 0, 0]\naxis = [0, 1, 0]\n";

std::string run(const std::string& formulation, const std::string& what) {
  const std::string more = "formulation = \"" + formulation + "\"\n";
  return kinds(warnings(simulation("2 ms", "2 us", more) + what));
}

/// Micrometres beside metres are told; each alone is not, and a thousandth beside the whole
/// neither.
TEST(WarningsSizes, MicrometresBesideMetres) {
  for (const std::string way : {"velocity", "acceleration", "energy"}) {
    const std::string large = run(way, kPendulum);
    EXPECT_EQ(run(way, plate(1e-4) + kPendulum),
              large + (large.empty() ? "" : ", ") + "mixed sizes")
        << way;
    EXPECT_EQ(run(way, plate(1e-4)).find("mixed sizes"), std::string::npos) << way;
    EXPECT_EQ(run(way, plate(1e-3) + kPendulum).find("mixed sizes"), std::string::npos) << way;
  }
}

/// What is a millionth of the other is not to be trusted; what is named is the small one.
TEST(WarningsSizes, AreGraveBeyondAMillion) {
  const std::string scene = simulation("20 us", "2 us", "") + plate(1e-6) + kPendulum;
  const sim::Warning w = only("mixed sizes", warnings(scene));
  EXPECT_TRUE(w.grave);
  EXPECT_EQ(w.subject, "plate");
  EXPECT_TRUE(has(w.text, "count as none")) << w.text;
  EXPECT_TRUE(has(w.remedy, "in a scene of its own")) << w.remedy;
}

/// What nothing holds is not decided about.
TEST(WarningsSizes, WhatIsFreeHasNone) {
  const std::string dust =
      "[[body]]\nname = \"dust\"\nmass = 1e-9\nbox = [1e-6, 1e-6, 1e-6]\nposition = [6, 0, 0]\n";
  EXPECT_EQ(run("velocity", dust + kPendulum), "");
}

}  // namespace
}  // namespace trammel::cli::warnings_sizes_test
