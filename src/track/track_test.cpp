#include "track/track.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "geom/alignment.h"
#include "geom/basic.h"
#include "geom/chain.h"
#include "geom/curve_check.h"
#include "geom/real_line.h"

namespace trammel::track::track_test {
namespace {

using geom::Alignment;
using geom::AlignmentSpec;
using geom::CurvePoint;
using geom::Jump;
using geom::ProfileShape;
using geom::ProfileSpec;
using geom::Shape;
using std::numbers::pi;

// Straight, transition, left curve; up onto a grade; cant ramps shifted against the plan.
AlignmentSpec line_spec() {
  return {.plan = {.elements = {{.length = 50},
                                {Shape::linear, 60, 0, 1 / 300.0},
                                {.length = 50, .k0 = 1 / 300.0}}},
          .profile = ProfileSpec{.elements = {{ProfileShape::grade, 30, -0.05},
                                              {ProfileShape::circle, 60, -0.05, 0.1},
                                              {ProfileShape::parabola, 70, 0.1, 0.02}}}};
}

std::shared_ptr<Alignment> railway() { return std::make_shared<Alignment>(line_spec()); }

TEST(Track, ConsistentWithEveryTwistOnARailway) {
  for (const Shape shape : {Shape::constant, Shape::linear, Shape::bloss, Shape::cosine,
                            Shape::sine, Shape::helmert, Shape::viennese}) {
    SCOPED_TRACE(static_cast<int>(shape));
    const Track track("main", railway(),
                      Twist(CantSpec{.elements = {{.length = 45},
                                                  {shape, 75, 0, 0, 0, 0.12},
                                                  {.length = 40, .right0 = 0.12}}}));
    expect_consistent(track, 10, 3e-9);
    expect_continuous(track);
  }
}

TEST(Track, ConsistentOnOtherCurves) {
  const Twist rolling(TwistSpec{.elements = {{Shape::bloss, 60, -1, 5}}});
  const auto helix = std::make_shared<geom::Helix>(
      geom::HelixSpec{.radius = 5, .pitch = 6, .turns = 1.5, .up = true});
  expect_consistent(Track("coil", helix, rolling), 2);
  expect_consistent(Track("bar", std::make_shared<geom::Line>(Pose{}, 20), rolling), 2);
  const auto hill = railway();
  const auto chain = std::make_shared<geom::Chain>(
      geom::ChainSpec{.members = {hill, std::make_shared<geom::Line>(end_pose(*hill), 20)}});
  expect_consistent(Track("chain", chain, Twist(TwistSpec{.elements = {{Shape::sine, 180, 0, 1}}})),
                    10, 3e-9);
}

// Left and right rail's raise [m] at the start and end of the transitions of the real line, outer
// rail high; between them it stays.
CantSpec real_cant(const AlignmentSpec& line) {
  CantSpec out;
  double left = 0, right = 0;
  for (const auto& e : line.plan.elements) {
    const double sharp = e.shape == Shape::constant ? e.k0 : e.k1;
    const double high = sharp == 0 ? 0 : (std::abs(sharp) > 1.1e-3 ? 0.05 : 0.06);
    const double l1 = sharp < 0 ? high : 0, r1 = sharp > 0 ? high : 0;
    out.elements.push_back({e.shape, e.length, left, l1, right, r1});
    left = l1, right = r1;
  }
  return out;
}

TEST(Track, RealLineIsBankedByItsCant) {
  const AlignmentSpec spec = geom::real_line();
  const CantSpec cant = real_cant(spec);
  ASSERT_TRUE(check(cant).empty());
  const auto line = std::make_shared<Alignment>(spec);
  const Twist twist(cant);
  ASSERT_TRUE(check(*line, twist).empty());
  const Track track("main", line, twist);
  constexpr double kRaise[][3] = {{400, 0, 0.018415},  {450, 0, 0.06},       {650, 0, 0.016782},
                                  {750, 0.06, 0},      {853.1, 0.054751, 0}, {1000, 0, 0},
                                  {1100, 0.016762, 0}, {1200, 0.05, 0},      {1350, 0.018923, 0}};
  for (const auto& [sigma, left, right] : kRaise) {
    const Mat3 C = track.at(track.arc_length_at(sigma)).C;
    const Mat3 level = line->at(line->arc_length_at(sigma)).C;
    EXPECT_NEAR(level.col(2).dot(C.col(1)) * 1.5, left - right, 6e-7)
        << sigma;  // half a digit of the table
  }
  for (std::size_t i = 0; i < track.pieces(); ++i) EXPECT_NE(track.jump(i), Jump::kink);
  expect_continuous(track, 2e-9);
}

// On a straight the Darboux vector is w' T, on the Frenet helix (tau + w') T + kappa (sin w y +
// cos w z).
TEST(Track, TwistAddsToTorsion) {
  const double rate = 0.03, w0 = 0.3;
  const Twist twist(TwistSpec{.elements = {{Shape::linear, 100, w0, w0 + 100 * rate}}});
  const auto helix = std::make_shared<geom::Helix>(geom::HelixSpec{.radius = 5, .pitch = 6});
  const Track track("coil", helix, twist);
  const CurvePoint at = track.at(7);
  const double w = w0 + 7 * rate, k = helix->curvature();
  EXPECT_NEAR(at.C.col(0).dot(at.Omega), helix->torsion() + rate, 1e-15);
  EXPECT_NEAR(at.C.col(1).dot(at.Omega), k * std::sin(w), 1e-15);
  EXPECT_NEAR(at.C.col(2).dot(at.Omega), k * std::cos(w), 1e-15);
}

TEST(Track, PositiveTwistLiftsTheLeft) {
  const Track track("bar", std::make_shared<geom::Line>(Pose{}, 10), Twist(0.1));
  EXPECT_NEAR(track.at(3).C(2, 1), std::sin(0.1), 1e-16);
  EXPECT_EQ(track.pieces(), 1u);
}

TEST(Track, PiecesAndJumpsAreThoseOfCurveAndTwist) {
  const Track track("main", railway(),
                    Twist(CantSpec{.elements = {{.length = 50 + 1e-7},
                                                {Shape::linear, 30, 0, 0.06, 0, 0},
                                                {Shape::cosine, 30, 0.06, 0, 0, 0},
                                                {.length = 20},
                                                {.length = 100, .left0 = 0.03}},
                                   .max_step = 0.1}));
  // stations 30 (profile), 50 (plan, cant), 80 (cant), 90 (profile), 110 (plan, cant), 130 (cant)
  const std::vector<Jump> jumps = {Jump::none,      Jump::curvature, Jump::curvature,
                                   Jump::curvature, Jump::curvature, Jump::none,
                                   Jump::kink};
  ASSERT_EQ(track.pieces(), jumps.size());
  for (std::size_t i = 0; i < jumps.size(); ++i) EXPECT_EQ(track.jump(i), jumps[i]) << i;
  EXPECT_EQ(track.piece_at(track.arc_length_at(85)), 3u);
  EXPECT_NEAR(track.station(track.piece_start(6), 6).sigma, 130, 1e-6);
}

TEST(Track, ClosedRingJumpsWhereItsTwistDoes) {
  const auto ring = std::make_shared<geom::Chain>(geom::ChainSpec{
      .members = {std::make_shared<geom::Arc>(Pose{}, 0.1, 20 * pi)}, .closed = true});
  EXPECT_EQ(Track("ring", ring).jump(0), Jump::none);
  const Twist once_round(TwistSpec{.elements = {{Shape::linear, 20 * pi, 0, 2 * pi}}});
  EXPECT_EQ(Track("ring", ring, once_round).jump(0), Jump::none);
  const Twist half_round(TwistSpec{.elements = {{Shape::linear, 20 * pi, 0, pi}}});
  EXPECT_EQ(Track("ring", ring, half_round).jump(0), Jump::kink);
  EXPECT_TRUE(Track("ring", ring).closed());
}

TEST(Track, SaysHowMuchTheCantLacks) {
  const auto line = railway();
  const Twist brief(CantSpec{.elements = {{.length = 100}}});
  ASSERT_EQ(check(*line, brief).size(), 1u);
  EXPECT_NE(check(*line, brief)[0].text.find("60.000000 m short"), std::string::npos);
  EXPECT_TRUE(check(*line, Twist(CantSpec{.elements = {{.length = 159.9995}}})).empty());
  EXPECT_TRUE(check(*line, Twist(0.1)).empty());
}

}  // namespace
}  // namespace trammel::track::track_test
