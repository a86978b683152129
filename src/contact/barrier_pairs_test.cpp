#include "contact/barrier_pairs.h"

#include <gtest/gtest.h>

#include <random>

#include "contact/test_intersect.h"
#include "contact/test_ring.h"
#include "math/parallel.h"
#include "math/rotation.h"

namespace trammel::contact::barrier {
namespace {

using Rng = std::mt19937_64;

Vec3 some(Rng& rng, double size) {
  std::uniform_real_distribution<double> one(-size, size);
  return {one(rng), one(rng), one(rng)};
}

Path some_path(Rng& rng, bool turns) {
  Path p;
  p.p = some(rng, 1);
  p.dp = some(rng, 1);
  p.A = exp_matrix(some(rng, 3));
  p.dA = 0.1 * p.A * some(rng, 1) * some(rng, 1).transpose();
  if (turns) p.w = some(rng, 0.7);
  return p;
}

TEST(BarrierPath, SpeedAndBendAreThoseOfThePath) {
  Rng rng(4);
  const double h = 1e-4;
  for (int k = 0; k < 50; ++k) {
    const Path p = some_path(rng, true);
    const Vec3 x = some(rng, 1);
    for (const double s : {0.1, 0.5, 0.9}) {
      EXPECT_LT((p.speed(s, x) - (p.at(s + h, x) - p.at(s - h, x)) / (2 * h)).norm(), 1e-6);
      const Vec3 bend = (p.at(s + h, x) - 2 * p.at(s, x) + p.at(s - h, x)) / (h * h);
      EXPECT_LT(bend.norm(), p.bend(x.norm()) + 1e-6);
      EXPECT_LT((p.at(s).p + p.at(s).A * x - p.at(s, x)).norm(), 1e-15);
    }
  }
}

/// A pair keeps a tenth of its distance on the way that is said to be free, and can hardly go on
/// where it is not.
void expect_free(Rng& rng, int split, bool turns, int& stopped) {
  const Path a = some_path(rng, turns), b = some_path(rng, turns);
  std::array<Vec3, 4> x{some(rng, 0.3), some(rng, 0.3), some(rng, 0.3), some(rng, 0.3)};
  Moving m{&a, &b, {&x[0], &x[1], &x[2], &x[3]}, split, 0};
  double reach = 0;
  for (const Vec3& c : x) reach = std::max(reach, c.norm());
  m.bend = a.bend(reach) + b.bend(reach);
  const auto distance = [&](double s) {
    Four at;
    for (int i = 0; i < 4; ++i)
      at[static_cast<std::size_t>(i)] = (i < split ? a : b).at(s, x[static_cast<std::size_t>(i)]);
    return std::sqrt(split == 2 ? edge_edge(at).D : point_triangle(at).D);
  };
  const double way = free_way(m), start = distance(0);
  for (int k = 0; k <= 200; ++k) EXPECT_GE(distance(way * k / 200), 0.1 * start);
  if (way == 1) return;
  ++stopped;
  EXPECT_LT(distance(way), 0.1901 * start);
}

TEST(BarrierPath, FreeWayKeepsATenthOfTheDistance) {
  Rng rng(5);
  int stopped = 0;
  for (int k = 0; k < 3000; ++k)
    for (const int split : {1, 2}) expect_free(rng, split, k % 2 == 0, stopped);
  EXPECT_GT(stopped, 50);
}

/// A thin plate hit by a fast corner: stopped before it, however fast.
TEST(BarrierPath, NothingPassesThroughAPlate) {
  const Surface plate = box_surface({1, 1, 1e-3}), ball = box_surface({0.1, 0.1, 0.1});
  for (const double far : {1., 1e3, 1e6}) {
    Mover fixed{&plate, {}}, fast{&ball, {}};
    fast.path.p = {0, 0, 0.5};
    fast.path.dp = {0, 0, -far};
    fast.path.A = exp_matrix(Vec3(0.3, 0.2, 0.1));
    const std::vector<Mover> all{fixed, fast};
    const auto found = find_candidates(
        all, [](int, int) { return true; }, 1e-3);
    const double way = free_way(find_hits(all, found, 1e300));
    EXPECT_GT(way * far, 0.3);
    EXPECT_LT(way * far, 0.45);
  }
}

std::vector<Mover> cloud(Rng& rng, const Surface& s, int n) {
  std::vector<Mover> out;
  for (int i = 0; i < n; ++i) {
    out.push_back({&s, some_path(rng, true)});
    out.back().path.dp *= 0.1;
    out.back().path.p *= 0.6;
  }
  return out;
}

bool same(const Candidate& a, const Candidate& b) {
  return a.a == b.a && a.b == b.b && a.split == b.split && a.corner == b.corner;
}

/// Against all pairs, at many moments of the way.
TEST(BarrierPairs, NoneIsMissed) {
  Rng rng(6);
  const Surface s = box_surface({0.5, 0.3, 0.2});
  const double margin = 0.05;
  int near = 0;
  for (int trial = 0; trial < 5; ++trial) {
    const std::vector<Mover> all = cloud(rng, s, 8);
    const auto may = [](int a, int b) { return a + b != 3; };
    const auto found = find_candidates(all, may, margin);
    EXPECT_LT(found.size(), 8 * 7 / 2 * (2 * 8 * 12 + 18 * 18) / 2);
    const auto expect = [&](const Candidate& c) {
      for (int k = 0; k <= 10; ++k) {
        const Four x = places(all, c, 0.1 * k);
        if (std::sqrt((c.split == 2 ? edge_edge(x) : point_triangle(x)).D) > margin) continue;
        ++near;
        EXPECT_TRUE(std::any_of(found.begin(), found.end(),
                                [&](const Candidate& f) { return same(f, c); }));
        return;
      }
    };
    for (int a = 0; a < 8; ++a)
      for (int b = 0; b < 8; ++b) {
        if (a == b || a + b == 3) continue;
        for (int p = 0; p < 8; ++p)
          for (const auto& t : s.triangles) expect({a, b, 1, {p, t[0], t[1], t[2]}});
        for (const auto& e : s.edges)
          for (const auto& f : s.edges)
            if (a < b) expect({a, b, 2, {e[0], e[1], f[0], f[1]}});
      }
  }
  EXPECT_GT(near, 50);  // some there are, whatever the order in which compilers draw them
}

TEST(BarrierPairs, AreTheSameForAnyNumberOfThreads) {
  Rng rng(7);
  const Surface s = test::ring_surface(0.4, 0.1, 12, 6);
  const std::vector<Mover> all = cloud(rng, s, 9);
  const auto any = [](int, int) { return true; };
  const auto one = find_candidates(all, any, 0.01);
  const double way = free_way(find_hits(all, one, 1e300));
  parallel::set_threads(4);
  const auto four = find_candidates(all, any, 0.01);
  const double way_of_four = free_way(find_hits(all, four, 1e300));
  parallel::set_threads(1);
  ASSERT_EQ(one.size(), four.size());
  for (std::size_t i = 0; i < one.size(); ++i) EXPECT_TRUE(same(one[i], four[i]));
  EXPECT_EQ(way, way_of_four);
}

TEST(BarrierSurface, ClosedWithAllEdgesOnce) {
  const Surface box = box_surface({1, 2, 3}), ring = test::ring_surface(1, 0.2, 16, 8);
  EXPECT_EQ(box.triangles.size(), 12u);
  EXPECT_EQ(box.edges.size(), 18u);
  EXPECT_EQ(ring.corners.size() + ring.triangles.size(), ring.edges.size());  // Euler: 0
  EXPECT_TRUE(body::faults(test::ring_mesh(1, 0.2, 16, 8)).empty());
  EXPECT_NEAR(box.reach, std::sqrt(14.) / 2, 1e-15);
}

TEST(CutsOfSurfaces, SeenAndNotSeen) {
  const Surface box = box_surface({1, 1, 1}), ring = test::ring_surface(1, 0.2, 16, 8);
  const Mat3 turn = exp_matrix(Vec3(0.3, 0.2, 0.1)), up = exp_matrix(Vec3(1.5, 0, 0));
  const auto two = [](const test::Placed& a, const test::Placed& b) {
    return test::cuts(std::vector<test::Placed>{a, b});
  };
  const test::Placed one = test::placed(box, Vec3::Zero(), Mat3::Identity());
  EXPECT_EQ(two(one, test::placed(box, {0, 0, 1.0001}, Mat3::Identity())), 0);
  EXPECT_GT(two(one, test::placed(box, {0.3, 0.2, 0.95}, turn)), 0);
  const test::Placed link = test::placed(ring, Vec3::Zero(), Mat3::Identity());
  EXPECT_EQ(two(link, test::placed(ring, {1, 0, 0}, up)), 0);
  EXPECT_GT(two(link, test::placed(ring, {0.1, 0, 0}, up)), 0);
}

}  // namespace
}  // namespace trammel::contact::barrier
