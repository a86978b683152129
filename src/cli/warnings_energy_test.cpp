// What a run by the energy formulation says of its joints, and what its remedies do.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cli/test_warnings.h"
#include "sim/judgement.h"

namespace trammel::cli::warnings_energy_test {
namespace {

using namespace test;

std::string energy(const std::string& more) { return "formulation = \"energy\"\n" + more; }

/// Four welded blocks of 0.3 m, a beam fixed at one end, the last of which has a mass [kg].
std::string beam(double mass, const std::string& more) {
  std::string out = simulation("0.3 s", "1 ms", energy(more));
  for (int i = 0; i < 4; ++i)
    out += fmt::format(
        "[[body]]\nname = \"block{0}\"\nmass = {1}\nbox = [0.3, 0.3, 0.3]\nposition = [{2}, 0, "
        "0]\n[[joint]]\nname = \"weld{0}\"\ntype = \"fixed\"\n{3}b = \"block{0}\"\nat = [{4}, 0, "
        "0]\n",
        i, i < 3 ? 100 : mass, 0.3 * i + 0.15, i > 0 ? fmt::format("a = \"block{}\"\n", i - 1) : "",
        0.3 * i);
  return out;
}

/// The text between quotes behind `mark`.
std::string quoted(const std::string& text, const std::string& mark) {
  const auto from = text.find(mark + "\"");
  if (from == std::string::npos) return "";
  const auto begin = from + mark.size() + 1;
  return text.substr(begin, text.find('"', begin) - begin);
}

/// 10 t bend the beam; what either remedy names does not.
TEST(WarningsEnergy, SoftJointsThatGiveWay) {
  const sim::Warning w = only("soft joints", warnings(beam(10e3, "")));
  EXPECT_EQ(w.subject, "weld0");
  EXPECT_FALSE(w.grave);
  EXPECT_GT(w.value, 2 * w.limit);
  EXPECT_TRUE(has(w.text, "gives way by")) << w.text;
  const std::string holds = quoted(w.remedy, "joint_stiffness = "),
                    stiffer = quoted(w.remedy, "at least ");
  EXPECT_EQ(holds, "inf");
  for (const std::string& stiffness : {holds, stiffer})
    EXPECT_EQ(kinds(warnings(beam(10e3, "joint_stiffness = \"" + stiffness + "\""))), "")
        << w.remedy;
}

/// The same beam under what it can carry (bdf2 damps its vibration, which is told), and a
/// coordinate on a spring of its own, which gives way as it is to.
TEST(WarningsEnergy, StiffEnoughJointsAreNotNamed) {
  EXPECT_EQ(kinds(warnings(beam(50, ""))), "numerical damping");
  EXPECT_EQ(kinds(warnings(simulation("0.3 s", "1 ms", energy("")) +
                           slider("type = \"spring\"\nstiffness = 1e3", "velocity = [1, 0, 0]"))),
            "");
}

}  // namespace
}  // namespace trammel::cli::warnings_energy_test
