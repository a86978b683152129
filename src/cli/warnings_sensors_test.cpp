// What a run says of sensors and limits of force that are no numbers, and which law or load made a
// step fail.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cli/test_warnings.h"

namespace trammel::cli::warnings_sensors_test {
namespace {

using namespace test;

const std::string kFree = "[simulation]\nduration = \"0.2 s\"\ngravity = 0\n";

std::string moving(const std::string& law) { return slider(law, "velocity = [1, 0, 0]"); }
const std::string kSpring = "type = \"spring\"\nstiffness = 1\n";

TEST(Warnings, SensorsWithoutANumber) {
  const std::string sensor = "[[sensor]]\nname = \"s\"\nformula = ";
  const auto bad =
      warnings(kFree + moving(kSpring) + sensor + "\"sqrt(0.1 - slide.travel/1 m)\"\n");
  EXPECT_EQ(kinds(bad), "no number!");
  const sim::Warning w = only("no number", bad);
  EXPECT_EQ(w.subject, "s");
  EXPECT_NEAR(w.t_first, 0.1, 2e-3);
  EXPECT_EQ(kinds(warnings(kFree + moving(kSpring) + sensor +
                           "\"sqrt(max(0, 0.1 - slide.travel/1 m))\"\n")),
            "");
  EXPECT_EQ(kinds(warnings(kFree + moving(kSpring) + sensor + "\"1/t\"\n")), "no number!");
}

std::string motor(const std::string& limit) {
  return "type = \"motor\"\nvelocity = 0\nforce_limit = \"" + limit + "\"\n";
}

TEST(Warnings, LimitsOfForceThatAreNoNumber) {
  const auto bad = warnings(kFree + moving(motor("1 N*sqrt(0.1 - t/1 s)")));
  EXPECT_EQ(kinds(bad), "no number!");
  EXPECT_EQ(only("no number", bad).subject, "it");
  EXPECT_EQ(kinds(warnings(kFree + moving(motor("1 N*sqrt(max(0, 0.1 - t/1 s))")))), "");
}

TEST(Failures, NameTheLawOrLoadWhoseForceIsNoNumber) {
  const std::string load =
      "[[load]]\nname = \"wind\"\ntype = \"formula\"\nbody = \"block\"\nforce = [\"1 N*sqrt(0.1 - "
      "t/1 s)\", 0, 0]\n";
  for (const char* by : {"velocity", "acceleration", "energy"}) {
    const std::string form = kFree + "formulation = \"" + by + "\"\n";
    const std::string law =
        failure(form + moving("type = \"spring\"\nfunction = \"-1 N*sqrt(0.1 - x/1 m)\"\n"));
    EXPECT_TRUE(has(law, "law 'it'") && has(law, "no number")) << by << ": " << law;
    const std::string pushed = failure(form + moving(kSpring) + load);
    EXPECT_TRUE(has(pushed, "load 'wind'") && has(pushed, "nan")) << by << ": " << pushed;
  }
}

}  // namespace
}  // namespace trammel::cli::warnings_sensors_test
