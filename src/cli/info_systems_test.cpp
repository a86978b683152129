// What the program says of systems: of their equations, and of runs that end with them.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "cli/command.h"

namespace trammel::cli::info_systems_test {

namespace {

std::string path(const std::string& name) { return testing::TempDir() + "info_systems_" + name; }

std::string scene(const std::string& text, const std::string& name) {
  std::ofstream(path(name)) << text;
  return path(name);
}

/// On stdout.
std::string said(const std::vector<std::string>& arguments, int code = kDone) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  EXPECT_EQ(program(arguments), code);
  std::fflush(stdout);
  const std::string errors = testing::internal::GetCapturedStderr();
  EXPECT_EQ(errors.empty(), code == kDone) << errors;
  return testing::internal::GetCapturedStdout();
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

/// y is level, by a part or a turn of 90 deg, and sines of these are rounded.
TEST(InfoSystems, CyclicCoordinatesMayBeTurned) {
  const auto shown = [&](const std::string& part, const std::string& key, const std::string& more) {
    return said({"info", scene("format = 1\n" + part + "[[" + key + "]]\nname = \"s\"\n[[" + key +
                                   ".coordinate]]\nname = \"x\"\nunit = \"m\"\n[[" + key +
                                   ".coordinate]]\nname = \"y\"\nunit = \"m\"\n" + more,
                               "turned.toml")});
  };
  const std::string object = "name = \"o\"\nposition = [\"x\", 0, \"y\"]\nmass = 2\n",
                    quarter = "axis = [0, 1, 0], angle = \"90 deg\"}";
  for (const std::string& text :
       {shown("[[part]]\nname = \"p\"\norientation = {" + quarter + "\n", "part.system",
              "[[part.system.object]]\n" + object),
        shown("", "system",
              "[[system.object]]\nname = \"frame\"\nturns = [{" + quarter +
                  "]\n[[system.object]]\non = \"frame\"\n" + object)}) {
    EXPECT_TRUE(has(text, "y [m], cyclic")) << text;
    EXPECT_FALSE(has(text, "x [m], cyclic")) << text;
    EXPECT_FALSE(has(text, "e-1")) << text;
  }
}

/// The event that ends a run has the coordinate as its subject.
TEST(InfoSystems, FailuresAreOfTheCoordinate) {
  const std::string slide = scene(
      "format = 1\nsimulation = {duration = \"1 s\", gravity = 0}\n[[system]]\nname = \"s\"\n"
      "[[system.coordinate]]\nname = \"x\"\nunit = \"m\"\nvalue = 1\nrate = -1\n"
      "[[system.object]]\nname = \"o\"\nposition = [\"1 [1/m]*x^2\", 0, 0]\nmass = 2\n",
      "slide.toml");
  said({"run", slide, "-o", path("out"), "--force", "--quiet"}, kNumbers);
  const std::string info = said({"info", path("out")});
  EXPECT_TRUE(has(info, "failure 's.x': t = ")) << info;
}

}  // namespace trammel::cli::info_systems_test
