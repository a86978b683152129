#include "geom/alignment.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "geom/curve_check.h"
#include "geom/real_line.h"

namespace trammel::geom::alignment_test {
namespace {

// Station, position [m], heading [rad] and grade, computed independently from the rounded tables.
constexpr double kStations[][6] = {
    {50, 452317.158236, 4539421.088728, 5, 0.349924146, 0},
    {400, 452645.945141, 4539541.085261, 5, 0.351808113, 0},
    {450, 452692.576465, 4539559.116943, 5, 0.392200846, 0},
    {500, 452738.283041, 4539579.374982, 4.951620, 0.442200846, -0.004399143},
    {600, 452826.375819, 4539626.611957, 4.030020, 0.542200846, -0.01},
    {650, 452868.596608, 4539653.389567, 3.530020, 0.581824060, -0.01},
    {700, 452910.329860, 4539680.927459, 3.030020, 0.583388646, -0.01},
    {750, 452952.337784, 4539708.040683, 2.530020, 0.553557946, -0.01},
    {800, 452995.510046, 4539733.252487, 2.078437, 0.503557946, -0.005600728},
    {900, 453085.143694, 4539777.532416, 2, 0.433956946, 0},
    {1100, 453266.621299, 4539861.591055, 2, 0.428337374, 0},
    {1150, 453312.610333, 4539881.191807, 2, 0.367098779, 0},
    {1250, 453408.500062, 4539909.156663, 2.187947, 0.200432113, 0.008670806},
    {1350, 453507.687108, 4539921.066014, 3.183549, 0.053081148, 0.01},
    {1450, 453607.579092, 4539925.710505, 4, 0.045919613, 0}};

TEST(Alignment, RealLineReachesItsEndAndItsStations) {
  const AlignmentSpec spec = real_line();
  ASSERT_TRUE(check(spec).empty());
  const Alignment line(spec);
  constexpr double kMillimetre = 1e-3;
  const Vec3 end(453616.164575, 4539926.104922, 4.0);
  EXPECT_LT((end_pose(line).p - end).norm(), kMillimetre);
  EXPECT_NEAR(line.station(line.length(), line.pieces() - 1).sigma, 1458.59457, 1e-4);
  for (const auto& row : kStations) {
    const CurvePoint at = line.at(line.arc_length_at(row[0]));
    EXPECT_LT((at.p - Vec3(row[1], row[2], row[3])).norm(), kMillimetre) << row[0];
    EXPECT_NEAR(std::atan2(at.C(1, 0), at.C(0, 0)), row[4], 2e-7) << row[0];  // summed roundings
    EXPECT_NEAR(at.C(2, 0) / at.C(2, 2), row[5], 3e-8) << row[0];
  }
  expect_continuous(line, 2e-9);  // rounding of coordinates of 4.5e6 m
}

TEST(Alignment, PiecesOfTheRealLineAreThoseOfPlanAndProfile) {
  AlignmentSpec spec = real_line();
  const Alignment line(spec);
  ASSERT_EQ(line.pieces(), 23u);  // one break of the profile, 1029.3721, is 7e-5 m off the plan's
  std::size_t jumps = 0;
  for (std::size_t i = 0; i < line.pieces(); ++i) {
    EXPECT_NE(line.jump(i), Jump::kink);
    jumps += line.jump(i) == Jump::curvature;
    EXPECT_EQ(line.piece_at(line.piece_start(i)), i);
    EXPECT_EQ(line.piece_at(line.piece_start(i) + 1e-7), i);
  }
  EXPECT_EQ(jumps, 8u);  // begin and end of four vertical arcs; transitions hide the plan's
  spec.profile.reset();
  EXPECT_EQ(Alignment(spec).pieces(), 14u);
  EXPECT_NEAR(Alignment(spec).length(), 1458.59457, 1e-5);
}

// Every shape on every kind of profile, with curvatures of both signs.
TEST(Alignment, ConsistentForEveryShapeOnEveryProfile) {
  for (int i = 0; i <= static_cast<int>(Shape::viennese); ++i)
    for (const auto vertical :
         {ProfileShape::grade, ProfileShape::circle, ProfileShape::parabola}) {
      const Shape shape{static_cast<unsigned char>(i)};
      PlanElement e{.shape = shape, .length = 80, .k0 = -1 / 200.0, .k1 = 1 / 300.0};
      if (shape == Shape::viennese) e.gravity_height = 1.8, e.cant_change = 0.2;
      const Alignment line(
          {.plan = {.start = {1, 2, 0.7}, .elements = {e}},
           .profile = ProfileSpec{.height = 3, .elements = {{vertical, 80, 0.1, -0.08}}}});
      SCOPED_TRACE(i);
      expect_consistent(line, 10, 2e-9);
      for (const double s : {0.3, 20.0, 61.0, 79.0}) {
        const std::size_t piece = line.piece_at(s);
        const Station at = line.station(s, piece);
        EXPECT_NEAR(line.arc_length_at(at.sigma), s, 1e-12 * 80);
        const auto d1 = [&](double r) { return line.station(r, piece).d1; };
        const auto sigma = [&](double r) { return line.station(r, piece).sigma; };
        EXPECT_NEAR(slope<double>(sigma, s, 0.05), at.d1, 1e-11);
        EXPECT_NEAR(slope<double>(d1, s, 0.05), at.d2, 1e-11);
      }
    }
}

TEST(Alignment, JumpsAreClassified) {
  const Alignment line({.plan = {.elements = {{.length = 50},
                                              {.length = 50, .k0 = 1 / 300.0},
                                              {Shape::linear, 40, 1 / 300.0, -1 / 300.0},
                                              {Shape::helmert, 40, -1 / 300.0, 0},
                                              {.length = 50}}},
                        .profile = ProfileSpec{.elements = {{ProfileShape::grade, 70, 0.01},
                                                            {ProfileShape::grade, 500, 0.02}},
                                               .max_kink = 0.02}});
  const std::vector<Jump> jumps = {Jump::none, Jump::curvature, Jump::kink, Jump::none,
                                   Jump::none, Jump::none,      Jump::none};
  ASSERT_EQ(line.pieces(), jumps.size());
  for (std::size_t i = 0; i < jumps.size(); ++i) EXPECT_EQ(line.jump(i), jumps[i]) << i;
  expect_continuous(line);
}

TEST(Alignment, SaysHowMuchTheProfileLacks) {
  AlignmentSpec spec{.plan = {.elements = {{.length = 100}, {.length = -1}}},
                     .profile = ProfileSpec{.elements = {{ProfileShape::grade, 60, 0}}}};
  EXPECT_EQ(check(spec).at(0).path, "plan[1].length");
  spec.plan.elements[1].length = 20;
  EXPECT_EQ(check(spec).at(0).path, "profile");
  EXPECT_NE(check(spec).at(0).text.find("60.000000 m short"), std::string::npos);
  spec.profile->elements[0].length = 119.9995;
  EXPECT_TRUE(check(spec).empty());
}

}  // namespace
}  // namespace trammel::geom::alignment_test
