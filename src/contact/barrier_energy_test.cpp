#include "contact/barrier_energy.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace trammel::contact::barrier {
namespace {

using Rng = std::mt19937_64;

Vec3 any(Rng& rng) {
  std::uniform_real_distribution<double> one(-1, 1);
  return {one(rng), one(rng), one(rng)};
}

Four any_four(Rng& rng) { return {any(rng), any(rng), any(rng), any(rng)}; }

Four moved(Four x, int k, double by) {
  x[static_cast<std::size_t>(k / 3)][k % 3] += by;
  return x;
}

/// Derivative of f by all twelve numbers, by central differences.
template <class F>
auto difference(const Four& x, double h, const F& f) {
  std::array<decltype(f(x)), 12> out;
  for (int k = 0; k < 12; ++k)
    out[static_cast<std::size_t>(k)] = (f(moved(x, k, h)) - f(moved(x, k, -h))) / (2 * h);
  return out;
}

/// The distance by brute force: the least of a fine grid, refined about its best.
double least_by_search(const Four& x, bool edges) {
  const auto point = [&](double a, double b) {
    if (edges) return Vec3(x[0] + a * (x[1] - x[0]) - x[2] - b * (x[3] - x[2]));
    const double out = std::max(0., (a + b - 1) / 2), u = std::clamp(a - out, 0., 1.),
                 v = std::clamp(b - out, 0., 1.);
    return Vec3(x[0] - x[1] - u * (x[2] - x[1]) - v * (x[3] - x[1]));
  };
  double best = 1e300, a0 = 0.5, b0 = 0.5, width = 0.5;
  for (int level = 0; level < 120; ++level, width *= 0.85) {
    double a1 = a0, b1 = b0;
    for (int i = -10; i <= 10; ++i)
      for (int j = -10; j <= 10; ++j) {
        const double a = std::clamp(a0 + width * i / 10, 0., 1.),
                     b = std::clamp(b0 + width * j / 10, 0., 1.);
        const double D = point(a, b).squaredNorm();
        if (D < best) best = D, a1 = a, b1 = b;
      }
    a0 = a1, b0 = b1;
  }
  return best;
}

/// Tolerance: what the search leaves.
TEST(BarrierDistance, IsTheLeast) {
  Rng rng(1);
  for (int k = 0; k < 300; ++k) {
    const Four x = any_four(rng);
    EXPECT_NEAR(point_triangle(x).D, least_by_search(x, false), 1e-9) << k;
    EXPECT_NEAR(edge_edge(x).D, least_by_search(x, true), 1e-9) << k;
  }
}

TEST(BarrierDistance, OfParallelEdges) {
  const Four x{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0.5, 0, 0.2), Vec3(2, 0, 0.2)};
  EXPECT_NEAR(edge_edge(x).D, 0.04, 1e-15);
  const Four apart{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(2, 0, 0), Vec3(3, 0, 0)};
  EXPECT_NEAR(edge_edge(apart).D, 1, 1e-15);
}

/// All regions come up; tolerance: rounding of the differences.
TEST(BarrierDistance, DerivativesAreThoseOfDifferences) {
  Rng rng(2);
  std::array<int, 6> seen{};
  for (int k = 0; k < 400; ++k) {
    const Four x = any_four(rng);
    for (const bool edges : {false, true}) {
      const auto closest = [&](const Four& y) { return edges ? edge_edge(y) : point_triangle(y); };
      const Closest c = closest(x);
      ++seen[static_cast<std::size_t>(c.free + 3 * edges)];
      const auto g = difference(x, 1e-6, [&](const Four& y) { return closest(y).D; });
      const auto H =
          difference(x, 1e-6, [&](const Four& y) { return Vec12(gradient(closest(y))); });
      const Mat12 mine = hessian(c);
      double least = 1;  // regions may change within the difference
      for (int i = 0; i < 12; ++i)
        least = std::min(least, closest(moved(x, i, 1e-6)).free == c.free ? 1. : 0.);
      if (least == 0) continue;
      for (int i = 0; i < 12; ++i) {
        EXPECT_NEAR(gradient(c)[i], g[static_cast<std::size_t>(i)], 1e-8);
        EXPECT_LT((mine.col(i) - H[static_cast<std::size_t>(i)]).cwiseAbs().maxCoeff(),
                  1e-5 * (1 + mine.cwiseAbs().maxCoeff()));
      }
    }
  }
  for (const int n : seen) EXPECT_GT(n, 10);
}

TEST(BarrierFunction, BarrierAndFrictionAndTheirSlopes) {
  const double h = 1e-6;
  for (const double x : {1e-4, 0.01, 0.3, 0.9, 0.999}) {
    const double step = h * x;
    const Function b = barrier(2 * x, 2), up = barrier(2 * (x + step), 2),
                   down = barrier(2 * (x - step), 2);
    EXPECT_NEAR(b.d, (up.f - down.f) / (4 * step), 1e-6 * (1e-6 + std::abs(b.d)) + 1e-9);
    EXPECT_NEAR(b.dd, (up.d - down.d) / (4 * step), 1e-6 * std::abs(b.dd));
    EXPECT_LT(b.d, 0);
    EXPECT_GT(4 * 2 * x * b.dd + 2 * b.d, 0);  // convex in the distance
  }
  EXPECT_EQ(barrier(2, 2).f, 0);
  EXPECT_TRUE(std::isinf(barrier(0, 2).f));
  for (const double y : {0.1, 0.2, 0.9, 1.5}) {
    const Function f = friction(y, 1), up = friction(y + h, 1), down = friction(y - h, 1);
    EXPECT_NEAR(f.d, (up.f - down.f) / (2 * h), 1e-9);
    EXPECT_NEAR(f.dd, (up.d - down.d) / (2 * h), 1e-8);
  }
  EXPECT_EQ(friction(3, 1).d, 1);
  EXPECT_NEAR(friction(1, 1).f, friction(1 + 1e-15, 1).f, 1e-14);
}

/// A pair at a distance of some tenth of where the barrier begins; edges at a given angle.
Four close_pair(Rng& rng, bool edges, double angle) {
  Four x = any_four(rng);
  if (edges && angle > 0) {
    const Vec3 u = x[1] - x[0];
    x[3] = x[2] + u + angle * u.norm() * any(rng);
  }
  const Closest c = edges ? edge_edge(x) : point_triangle(x);
  const Vec3 shift = (0.05 / std::sqrt(c.D) - 1) * c.r;  // r becomes 0.05 long
  const double side = edges ? c.w[0] + c.w[1] : c.w[0];
  x[0] += side * shift;
  if (edges) x[1] += side * shift;
  return x;
}

Mat12 sum_of(const std::vector<RankOne>& terms) {
  Mat12 H = Mat12::Zero();
  for (const RankOne& t : terms) H += t.factor * t.v * t.v.transpose();
  return H;
}

void expect_derivatives(const Four& x, bool edges) {
  const Stiffness k{0.04, 3,
                    edges ? parallel_below((x[1] - x[0]).norm(), (x[3] - x[2]).norm()) : 0};
  const PairEnergy p = pair_energy(x, edges, k);
  EXPECT_DOUBLE_EQ(p.value, pair_value(x, edges, k));
  const double h = 1e-7;
  for (int i = 0; i < 12; ++i)
    if (pair_energy(moved(x, i, h), edges, k).at.free != p.at.free ||
        pair_energy(moved(x, i, -h), edges, k).at.free != p.at.free)
      return;
  const auto g = difference(x, h, [&](const Four& y) { return pair_value(y, edges, k); });
  const auto H = difference(x, h, [&](const Four& y) { return pair_energy(y, edges, k).gradient; });
  std::vector<RankOne> whole, positive;
  add_curvature(x, edges, k, p, true, whole);
  add_curvature(x, edges, k, p, false, positive);
  const Mat12 mine = sum_of(whole);
  const double size = mine.cwiseAbs().maxCoeff(), slope = p.gradient.cwiseAbs().maxCoeff();
  for (int i = 0; i < 12; ++i) {
    EXPECT_NEAR(p.gradient[i], g[static_cast<std::size_t>(i)], 1e-5 * slope + 1e-7);
    EXPECT_LT((mine.col(i) - H[static_cast<std::size_t>(i)]).cwiseAbs().maxCoeff(),
              1e-5 * size + 1e-5);
  }
  for (const RankOne& t : positive) EXPECT_GT(t.factor, 0);
}

/// Tolerance: truncation of the differences.
TEST(BarrierEnergy, DerivativesAreThoseOfDifferences) {
  Rng rng(3);
  for (int k = 0; k < 200; ++k) {
    expect_derivatives(close_pair(rng, false, 0), false);
    expect_derivatives(close_pair(rng, true, 0), true);
    expect_derivatives(close_pair(rng, true, 0.02), true);
  }
}

TEST(BarrierEnergy, NoneBeyondWhereItBegins) {
  const Four x{Vec3(0.2, 0.2, 0.2), Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)};
  EXPECT_EQ(pair_value(x, false, {0.04, 1}), 0);
  EXPECT_GT(pair_value(x, false, {0.0401, 1}), 0);
  std::vector<RankOne> out;
  add_curvature(x, false, {0.04, 1}, pair_energy(x, false, {0.04, 1}), true, out);
  EXPECT_TRUE(out.empty());
}

}  // namespace
}  // namespace trammel::contact::barrier
