#include "sim/settings.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>

#include "model/test_scene.h"
#include "sim/simulation.h"

namespace trammel::sim::settings_test {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

std::string refusal(const model::Built& built, const Settings& settings) {
  try {
    const Simulation sim(built, settings);
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "";
}

/// A run by numbers that are none is refused by name, for each of them.
TEST(Settings, NoRunGoesByNumbersThatAreNone) {
  const model::test::Result result = model::test::Scene().build();
  const auto& built = std::get<model::Built>(result);
  using Change = std::function<double&(Settings&)>;
  struct {
    const char* name;
    Change number;
    std::vector<double> wrong;
  } const cases[] = {
      {"duration", [](Settings& s) -> double& { return s.duration; }, {-1, 0, kNan, kInf}},
      {"step", [](Settings& s) -> double& { return s.step; }, {-1e-3, 0, kNan, kInf}},
      {"output_step", [](Settings& s) -> double& { return s.output_step; }, {-1, kNan, kInf}},
      {"checkpoint_interval",
       [](Settings& s) -> double& { return s.checkpoint_interval; },
       {-1, 0, kNan}},
      {"checkpoint_steps",
       [](Settings& s) -> double& { return s.checkpoint_steps; },
       {-1, 0, kNan}},
      {"tolerance",
       [](Settings& s) -> double& { return s.form.tolerance.value; },
       {-1e-9, 0, kNan, kInf}},
      {"erp", [](Settings& s) -> double& { return s.form.erp; }, {-1, kNan, kInf}},
      {"accuracy", [](Settings& s) -> double& { return s.form.accuracy.relative; }, {-1e-9, kNan}},
      {"joint_stiffness", [](Settings& s) -> double& { return s.form.joint_stiffness; }, {0, kNan}},
  };
  EXPECT_EQ(refusal(built, {}), "");
  for (const auto& c : cases)
    for (const double wrong : c.wrong) {
      Settings s;
      c.number(s) = wrong;
      EXPECT_NE(refusal(built, s).find(std::string("simulation.") + c.name), std::string::npos)
          << c.name << " " << wrong << ": " << refusal(built, s);
    }
}

TEST(Settings, AllThatIsWrongIsSaidAtOnce) {
  const model::test::Result result = model::test::Scene().build();
  Settings s;
  s.duration = -1;
  s.step = kNan;
  s.probes = {{"nose", "", "nobody"}, {"tail", "", "crank", {kNan, 0, 0}}};
  const std::string all = refusal(std::get<model::Built>(result), s);
  for (const char* part : {"simulation.duration: -1", "simulation.step: nan",
                           "probe.nose: there is no body 'nobody'", "probe.tail: its point"})
    EXPECT_NE(all.find(part), std::string::npos) << part << " in " << all;
  EXPECT_NE(refusal({}, {}), "");
}

}  // namespace
}  // namespace trammel::sim::settings_test
