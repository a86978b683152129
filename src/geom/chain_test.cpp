#include "geom/chain.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "geom/alignment.h"
#include "geom/basic.h"
#include "geom/curve_check.h"

namespace trammel::geom::chain_test {
namespace {

using std::numbers::pi;

CurvePtr line(const Pose& start, double length) { return std::make_shared<Line>(start, length); }
CurvePtr arc(const Pose& start, double k, double length) {
  return std::make_shared<Arc>(start, k, length);
}

// Two straights of 10 m and two half circles of radius 5 m.
std::vector<CurvePtr> stadium() {
  std::vector<CurvePtr> out{line({}, 10)};
  out.push_back(arc(end_pose(*out.back()), 0.2, 5 * pi));
  out.push_back(line(end_pose(*out.back()), 10));
  out.push_back(arc(end_pose(*out.back()), 0.2, 5 * pi));
  return out;
}

bool says(const std::vector<Problem>& problems, const std::string& path, const std::string& text) {
  for (const Problem& p : problems)
    if (p.path == path && p.text.find(text) != std::string::npos) return true;
  return false;
}

TEST(Chain, ClosedRoundGoesOn) {
  const ChainSpec spec{.members = stadium(), .closed = true};
  ASSERT_TRUE(check(spec).empty());
  const Chain round(spec);
  EXPECT_NEAR(round.length(), 20 + 10 * pi, 1e-14);
  EXPECT_TRUE(round.closed());
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(round.jump(i), Jump::curvature);
  EXPECT_LT((round.at(-3).p - round.at(round.length() - 3).p).norm(), 1e-14);
  EXPECT_EQ(round.piece_at(-3), 3u);
  EXPECT_EQ(round.piece_at(round.length() + 12), 1u);
  expect_consistent(round, 1);
  expect_continuous(round);
}

TEST(Chain, GapsAndKinksAreNamed) {
  std::vector<CurvePtr> members = stadium();
  members[2] = line({Vec3(10, 10.5, 0), Quat(0, 0, 0, 1).toRotationMatrix()}, 10);
  const auto problems = check(ChainSpec{.members = members});
  EXPECT_TRUE(says(problems, "[2]", "the end of [1] are 0.5 m apart"));
  EXPECT_TRUE(says(problems, "[3]", "the end of [2] are 0.5 m apart"));
  EXPECT_EQ(problems.size(), 2u);
  members = {
      line({}, 10),
      line({Vec3(10, 0, 0), Quat(std::cos(0.05), 0, 0, std::sin(0.05)).toRotationMatrix()}, 5)};
  EXPECT_TRUE(says(check(ChainSpec{.members = members}), "[1]", "kink of 0.1 rad"));
  EXPECT_TRUE(
      says(check(ChainSpec{.members = {line({}, 10)}, .closed = true}), "[0]", "10 m apart"));
  const ChainSpec allowed{.members = members, .max_kink = 0.11};
  EXPECT_TRUE(check(allowed).empty());
  EXPECT_EQ(Chain(allowed).jump(1), Jump::kink);
  EXPECT_TRUE(says(check(ChainSpec{}), "", "no members"));
  EXPECT_TRUE(says(check(ChainSpec{.members = {line({}, 0)}}), "[0]", "length 0 m"));
}

TEST(Chain, MembersKeepTheirPiecesAndStations) {
  const Pose level{Vec3::Zero(), Mat3::Identity()};
  const auto hill = std::make_shared<Alignment>(
      AlignmentSpec{.plan = {.elements = {{.length = 30}, {Shape::linear, 30, 0, 0.01}}},
                    .profile = ProfileSpec{.elements = {{ProfileShape::parabola, 60, 0, 0.2}}}});
  const Chain chain(
      {.members = {line({Vec3(-10, 0, 0), level.R}, 10), hill, line(end_pose(*hill), 5)}});
  ASSERT_EQ(chain.pieces(), 4u);
  EXPECT_EQ(chain.jump(1), Jump::curvature);  // the vertical curve begins
  EXPECT_EQ(chain.jump(2), Jump::none);
  EXPECT_EQ(chain.jump(3), Jump::curvature);
  EXPECT_NEAR(chain.station(chain.length(), 3).sigma, 75, 1e-13);
  for (const double sigma : {3.0, 25.0, 55.0, 72.0}) {
    const double s = chain.arc_length_at(sigma);
    EXPECT_NEAR(chain.station(s, chain.piece_at(s)).sigma, sigma, 1e-13);
  }
  expect_consistent(chain, 10, 2e-9);
  expect_continuous(chain);
}

}  // namespace
}  // namespace trammel::geom::chain_test
