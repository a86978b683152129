#include "units/nearest.h"

#include <gtest/gtest.h>

#include <vector>

namespace trammel::units::nearest_test {
namespace {

TEST(Nearest, FindsSlips) {
  const std::vector<std::string> known = {"mass", "inertia", "position", "velocity", "x"};
  EXPECT_EQ(nearest("mas", known), "mass");
  EXPECT_EQ(nearest("amss", known), "mass");  // a swap is one edit
  EXPECT_EQ(nearest("MASS", known), "mass");
  EXPECT_EQ(nearest("postion", known), "position");
  EXPECT_EQ(nearest("veloctiy", known), "velocity");
  EXPECT_EQ(nearest("interia", known), "inertia");
  EXPECT_EQ(nearest("X", known), "x");
}

TEST(Nearest, IsSilentWhereNothingIsNear) {
  const std::vector<std::string> known = {"mass", "x", ""};
  EXPECT_EQ(nearest("gravity", known), std::nullopt);
  EXPECT_EQ(nearest("y", known), std::nullopt);
  EXPECT_EQ(nearest("", known), std::nullopt);
  EXPECT_EQ(nearest(std::string(100000, 'm'), known), std::nullopt);
}

TEST(Nearest, PrefersTheFewestEdits) {
  EXPECT_EQ(nearest("spring", {"string", "springs", "spring"}), "spring");
  EXPECT_EQ(nearest("mn", {"mN", "MN"}), "mN");  // the same edits: the one of nearer case
}

TEST(Nearest, ComparesTheLastWordsOfPathsWhereNoWholeOneIsNear) {
  const std::vector<std::string> known = {"ground", "left.wheel", "left.hub", "wheal"};
  EXPECT_EQ(nearest("hub", known), "left.hub");
  EXPECT_EQ(nearest("hubb", known), "left.hub");
  EXPECT_EQ(nearest("wheel", known), "wheal");  // a whole one
  EXPECT_EQ(nearest("left.hud", known), "left.hub");
  EXPECT_EQ(nearest("right.hub", known), "left.hub");
  EXPECT_EQ(nearest("axle", known), std::nullopt);
}

/// What one thing has is not sought at another, and the end of a path is that path.
TEST(Nearest, KeepsToWhatANameIsOf) {
  const std::vector<std::string> known = {"p.s.travel", "p.phi.travel", "p.phi.momentum",
                                          "q.s.travel", "p.beta.angle", "p.beta.angle.rate"};
  EXPECT_EQ(nearest("phi.travel", known), "p.phi.travel");
  EXPECT_EQ(nearest("p.beta.travel", known), std::nullopt);
  EXPECT_EQ(nearest("p.beta.rate", known), "p.beta.angle.rate");
  EXPECT_EQ(nearest("p.phi.tarvel", known), "p.phi.travel");
  EXPECT_EQ(nearest("p.phj.travel", known), "p.phi.travel");  // nothing is of that one
  EXPECT_EQ(did_you_mean("p.beta.travel", known), "; known: p.beta.angle, p.beta.angle.rate");
}

TEST(Nearest, CompletesAComplaint) {
  EXPECT_EQ(did_you_mean("mas", {"mass", "inertia"}), "; did you mean 'mass'?");
  EXPECT_EQ(did_you_mean("gravity", {"mass", "inertia"}), "; known: mass, inertia");
  const std::string many = did_you_mean("gravity", std::vector<std::string>(50, "mass"));
  EXPECT_EQ(many.substr(0, 22), "; known: mass, mass, m");
  EXPECT_EQ(many.substr(many.size() - 24), "s, mass, ... (50 in all)");
  EXPECT_EQ(did_you_mean("gravity", std::vector<std::string>{}), "");
}

}  // namespace
}  // namespace trammel::units::nearest_test
