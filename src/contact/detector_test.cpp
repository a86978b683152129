#include "contact/detector.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "contact/try.h"
#include "math/parallel.h"

namespace trammel::contact::detector_test {
namespace {

using Kind = Shape::Kind;

constexpr double kRounding = 1e-14;  // of sizes about 1

TEST(Detector, BallsMeetOnTheLineOfTheirMiddles) {
  const Shape ball{.kind = Kind::sphere, .size = {0.5, 0, 0}};
  const auto points = points_of(ball, {}, ball, {Vec3(0.6, 0.8, 0), Mat3::Identity()}, 0.1);
  ASSERT_EQ(points.size(), 1U);
  EXPECT_NEAR(points[0].gap, 0, kRounding);
  EXPECT_LT((points[0].n - Vec3(0.6, 0.8, 0)).norm(), kRounding);
  EXPECT_LT((points[0].p_A - Vec3(0.3, 0.4, 0)).norm(), kRounding);
}

TEST(Detector, ABoxOnTheGroundHasFourPoints) {
  const Shape ground{.kind = Kind::half_space}, box{.kind = Kind::box, .size = {1, 2, 0.5}};
  const auto points = points_of(ground, {}, box, {Vec3(3, 4, 0.24), Mat3::Identity()}, 0.1);
  ASSERT_EQ(points.size(), 4U);
  Vec3 sum = Vec3::Zero();
  for (const Point& p : points) {
    EXPECT_NEAR(p.gap, -0.01, kRounding);
    EXPECT_EQ(p.n, Vec3(0, 0, 1));
    EXPECT_NEAR(p.p_A.z(), 0, kRounding);
    EXPECT_NEAR(p.p_B.z(), -0.01, kRounding);
    EXPECT_NEAR(std::abs(p.p_B.x() - 3), 0.5, kRounding);
    EXPECT_NEAR(std::abs(p.p_B.y() - 4), 1, kRounding);
    sum += p.p_B;
  }
  EXPECT_LT((sum / 4 - Vec3(3, 4, -0.01)).norm(), kRounding);
}

TEST(Detector, APlanePushesToTheSideWhereAShapeIs) {
  const Shape plane{.kind = Kind::plane}, ball{.kind = Kind::sphere, .size = {0.5, 0, 0}};
  for (const double side : {1.0, -1.0}) {
    const auto points = points_of(plane, {}, ball, {Vec3(0, 0, 0.4 * side), Mat3::Identity()}, 0);
    ASSERT_EQ(points.size(), 1U);
    EXPECT_NEAR(points[0].gap, -0.1, kRounding);
    EXPECT_EQ(points[0].n, Vec3(0, 0, side));
  }
}

TEST(Detector, BoxesOneOnTheOtherShareAPolygon) {
  const Shape big{.kind = Kind::box, .size = {2, 2, 1}},
      small{.kind = Kind::box, .size = {1, 1, 1}};
  const auto inside = points_of(big, {}, small, {Vec3(0.2, 0, 1), Mat3::Identity()}, 0.01);
  ASSERT_EQ(inside.size(), 4U);
  for (const Point& p : inside) {
    EXPECT_NEAR(p.gap, 0, kRounding);
    EXPECT_EQ(p.n, Vec3(0, 0, 1));
  }
  const Mat3 eighth = Eigen::AngleAxisd(std::numbers::pi / 4, Vec3::UnitZ()).toRotationMatrix();
  const Shape cube{.kind = Kind::box, .size = {1, 1, 1}};
  EXPECT_EQ(points_of(cube, {}, cube, {Vec3(0, 0, 1.005), eighth}, 0.01).size(), 8U);
  EXPECT_EQ(points_of(cube, {}, cube, {Vec3(0, 0, 1), Mat3::Identity()}, 0.01).size(), 4U);
  EXPECT_EQ(points_of(cube, {}, cube, {Vec3(0.5, 0.5, 1), Mat3::Identity()}, 0.01).size(), 4U);
}

TEST(Detector, EdgesThatCrossMeetInOnePoint) {
  const Shape cube{.kind = Kind::box, .size = {1, 1, 1}};
  const Mat3 up = Eigen::AngleAxisd(std::numbers::pi / 4, Vec3::UnitX()).toRotationMatrix();
  const Mat3 down = Eigen::AngleAxisd(std::numbers::pi / 4, Vec3::UnitY()).toRotationMatrix();
  const double apart = std::sqrt(2.0) + 0.01;
  const auto points =
      points_of(cube, {Vec3::Zero(), up}, cube, {Vec3(0.1, 0.2, apart), down}, 0.02);
  ASSERT_EQ(points.size(), 1U);
  EXPECT_NEAR(points[0].gap, 0.01, kRounding);
  EXPECT_LT((points[0].n - Vec3::UnitZ()).norm(), kRounding);
  EXPECT_LT((points[0].p_A - Vec3(0.1, 0, std::sqrt(0.5))).norm(), kRounding);
}

TEST(Detector, ACapsuleThatLiesHasTwoPoints) {
  const Shape capsule{.kind = Kind::capsule, .size = {0.2, 1, 0}};
  const Mat3 lying = Eigen::AngleAxisd(std::numbers::pi / 2, Vec3::UnitY()).toRotationMatrix();
  const Pose X{Vec3(0, 0, 0.19), lying};
  const auto on_ground = points_of(Shape{.kind = Kind::half_space}, {}, capsule, X, 0.01);
  ASSERT_EQ(on_ground.size(), 2U);
  const Shape slab{.kind = Kind::box, .size = {4, 4, 1}};
  const auto on_slab = points_of(slab, {Vec3(0, 0, -0.5), Mat3::Identity()}, capsule, X, 0.01);
  ASSERT_EQ(on_slab.size(), 2U);
  for (const auto* points : {&on_ground, &on_slab})
    for (const Point& p : *points) {
      EXPECT_NEAR(p.gap, -0.01, kRounding);
      EXPECT_NEAR(std::abs(p.p_B.x()), 0.5, kRounding);
      EXPECT_NEAR(p.p_B.z(), -0.01, kRounding);
    }
  const auto crossed = points_of(capsule, {}, capsule, {Vec3(0, 0.39, 0), lying}, 0.02);
  ASSERT_EQ(crossed.size(), 1U);
  EXPECT_NEAR(crossed[0].gap, -0.01, kRounding);
  const auto beside = points_of(capsule, {}, capsule, {Vec3(0, 0.41, 0.3), Mat3::Identity()}, 0.02);
  ASSERT_EQ(beside.size(), 2U);
  for (const Point& p : beside) EXPECT_NEAR(p.gap, 0.01, kRounding);
}

/// Points surround the disc on which a cylinder stands; on its side it has two.
TEST(Detector, ACylinderStandsOnItsRimAndLiesOnItsSide) {
  const Shape cylinder{.kind = Kind::cylinder, .size = {0.3, 1, 0}};
  const Shape slab{.kind = Kind::box, .size = {4, 4, 1}}, ground{.kind = Kind::half_space};
  const Mat3 lying = Eigen::AngleAxisd(std::numbers::pi / 2, Vec3::UnitY()).toRotationMatrix();
  const Pose below{Vec3(0, 0, -0.5), Mat3::Identity()},
      upright{Vec3(1, 0, 0.499), Mat3::Identity()};
  for (const auto& points : {points_of(ground, {}, cylinder, upright, 0.01),
                             points_of(slab, below, cylinder, upright, 0.01)}) {
    ASSERT_EQ(points.size(), 8U);
    Vec3 sum = Vec3::Zero();
    for (const Point& p : points) {
      EXPECT_NEAR(p.gap, -0.001, kRounding);
      EXPECT_NEAR((p.p_B - Vec3(1, 0, -0.001)).norm(), 0.3, kRounding);
      sum += p.p_B / 8;
    }
    EXPECT_LT((sum - Vec3(1, 0, -0.001)).norm(), kRounding);
  }
  const Pose on_side{Vec3(0, 0, 0.299), lying};
  for (const auto& points : {points_of(ground, {}, cylinder, on_side, 0.01),
                             points_of(slab, below, cylinder, on_side, 0.01)}) {
    ASSERT_EQ(points.size(), 2U);
    for (const Point& p : points) EXPECT_LT((p.n - Vec3::UnitZ()).norm(), kRounding);
    EXPECT_NEAR((points[0].p_B - points[1].p_B).norm(), 1, kRounding);
  }
}

TEST(Detector, ColoursMeetWhereTheyShareOne) {
  const Shape ball{.kind = Kind::sphere, .size = {0.5, 0, 0}};
  const std::vector<Pose> X(3);
  const std::vector<double> margin(2, 0.0);
  std::vector<Point> out;
  for (int a = 0; a < 8; ++a)
    for (int b = 0; b < 8; ++b) {
      const auto color_a = static_cast<Colors>(a), color_b = static_cast<Colors>(b);
      Detector detector({{1, {}, ball}, {2, {}, ball}},
                        PairRule({kWhite, color_a, color_b}, {}, {}));
      detector.find(X, margin, out);
      bool share = false;
      for (const int bit : {1, 2, 4}) share = share || ((a & bit) != 0 && (b & bit) != 0);
      EXPECT_EQ(out.size(), share ? 1U : 0U) << a << " " << b;
    }
}

TEST(PairRule, KeepsApartWhatItIsTold) {
  const PairRule rule({}, {1, 0, 0, 1}, {{2, 1}, {4, 5}});
  EXPECT_FALSE(rule.may_meet(1, 2));
  EXPECT_FALSE(rule.may_meet(2, 1));
  EXPECT_FALSE(rule.may_meet(5, 4));
  EXPECT_FALSE(rule.may_meet(0, 3));
  EXPECT_FALSE(rule.may_meet(2, 2));
  EXPECT_TRUE(rule.may_meet(0, 1));
  EXPECT_TRUE(rule.may_meet(2, 4));
  EXPECT_TRUE(rule.may_meet(7, 9));
}

TEST(Detector, SeveralShapesOfAnObjectDoNotMeet) {
  const Shape ball{.kind = Kind::sphere, .size = {0.5, 0, 0}};
  Detector detector({{1, {}, ball}, {1, {}, ball}, {2, {}, ball}}, {});
  std::vector<Point> out;
  detector.find(std::vector<Pose>(3), std::vector<double>(3, 0.0), out);
  ASSERT_EQ(out.size(), 2U);
  EXPECT_EQ(out[0].A, 0);
  EXPECT_EQ(out[1].A, 1);
  EXPECT_EQ(out[1].B, 2);
}

/// All pairs against all, whatever their sizes; the same points for any number of threads.
TEST(Detector, FindsAllThatIsThere) {
  Dice dice(21);
  std::vector<Placed> placed;
  std::vector<Pose> X;
  for (int i = 0; i < 300; ++i) {
    const double size = std::exp(dice.between(-4, 1));
    const Vec3 edges(size, size * dice.between(0.3, 1), size * dice.between(0.3, 1));
    placed.push_back({i, {}, {.kind = Kind::box, .size = edges}});
    X.push_back({dice.vector(2), dice.rotation()});
  }
  placed.push_back({300, {}, {.kind = Kind::half_space}});
  X.push_back({Vec3(0, 0, -1), Mat3::Identity()});
  const std::vector<double> margin(placed.size(), 0.01);
  std::vector<Point> out, again;
  Detector detector(placed, {});
  detector.find(X, margin, out);
  std::size_t k = 0;
  for (std::size_t i = 0; i < placed.size(); ++i)
    for (std::size_t j = i + 1; j < placed.size(); ++j) {
      Detector pair({{1, {}, placed[i].shape}, {2, {}, placed[j].shape}}, {});
      std::vector<Point> own;
      pair.find(std::vector<Pose>{{}, X[i], X[j]}, std::vector<double>(2, 0.01), own);
      for (const Point& p : own) {
        ASSERT_LT(k, out.size());
        EXPECT_EQ(out[k].A, static_cast<int>(i));
        EXPECT_EQ(out[k].B, static_cast<int>(j));
        EXPECT_EQ(out[k].feature, p.feature);
        EXPECT_EQ(out[k++].p_A, p.p_A);
      }
    }
  EXPECT_EQ(k, out.size());
  EXPECT_GT(detector.candidates(), 1024);  // so many that threads take parts
  parallel::set_threads(3);
  detector.find(X, margin, again);
  parallel::set_threads(1);
  ASSERT_EQ(again.size(), out.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    EXPECT_EQ(again[i].feature, out[i].feature);
    EXPECT_EQ(again[i].p_B, out[i].p_B);
  }
}

/// Boxes of one object that adjoin, in front of a third: only what comes out of their common solid
/// counts, wherever all of it stands.
TEST(Detector, NothingCountsAtSeams) {
  Dice dice(11);
  const Shape box{.kind = Kind::box, .size = {1, 1, 1}},
      small{.kind = Kind::box, .size = {0.2, 0.2, 0.2}};
  const auto at = [](double x, double y, double z) {
    return Pose{Vec3(x, y, z), Mat3::Identity()};
  };
  const auto normals = [&](double step, const Pose& of_small) {
    const Pose X{dice.vector(3), dice.rotation()};
    Detector detector(
        {{1, at(-0.5, 0, -0.5), box}, {1, at(0.5, 0.2, -0.5 + step), box}, {2, {}, small}}, {});
    std::vector<Point> out;
    detector.find(std::vector<Pose>{{}, X, X * of_small}, std::vector<double>{0.02, 0.02, 0.02},
                  out);
    std::vector<Vec3> n;
    for (const Point& p : out) n.push_back(X.R.transpose() * p.n);
    return n;
  };
  for (const double deep : {0., 1e-8, 1e-5})
    for (const double ahead : {-0.01, -1e-6, 1e-12, 1e-9, 1e-4})
      for (const Vec3& n : normals(0, at(-0.1 + ahead, 0.1, 0.1 - deep)))
        EXPECT_GT(n.z(), 0.99) << deep << " " << ahead;
  const auto up = normals(0.1, at(-0.11, 0.1, 0.1));  // a step up is a wall
  EXPECT_TRUE(std::any_of(up.begin(), up.end(), [](const Vec3& n) { return n.x() < -0.99; }));
}

TEST(Detector, RefusesPairsThatItCannotFind) {
  const Shape plane{.kind = Kind::plane};
  EXPECT_THROW(Detector({{1, {}, plane}, {2, {}, plane}}, {}), std::invalid_argument);
  EXPECT_NO_THROW(Detector({{1, {}, plane}, {2, {}, plane}}, PairRule({}, {0, 1, 1}, {})));
}

}  // namespace
}  // namespace trammel::contact::detector_test
