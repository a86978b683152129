#include "solve/cone.h"

#include <gtest/gtest.h>

#include <limits>

#include "math/rotation.h"
#include "solve/active_set.h"
#include "solve/mixing.h"
#include "solve/test_graphs.h"

namespace trammel::solve::cone_test {
namespace {

using test::at;
using test::Problem;

constexpr double kInf = std::numeric_limits<double>::infinity();

/// Bodies in a row, each of which touches the next at a point between them, and the last one the
/// ground, with two directions of sliding, at the ground with one.
struct Contacts {
  Problem p;
  std::vector<Cone> cones;
  VecX q, lo, hi, x;
  std::vector<signed char> set;

  Contacts(unsigned seed, int bodies, double mu) {
    p.random.seed(seed);
    for (int i = 0; i < bodies; ++i) p.body(Vec3(i, 0, 0) + 0.3 * p.vec3());
    for (int i = 0; i < bodies; ++i) touch(i, mu * p.uniform(0.3, 1));
    const int n = p.graph.n_rows;
    q = 0.5 * p.vector(n);
    lo = VecX::Constant(n, -kInf);
    hi = VecX::Constant(n, kInf);
    x = VecX::Zero(n);
    set.assign(at(n), 0);
    for (const Cone& c : cones) {
      lo[c.normal] = 0;
      q[c.normal] -= 0.5;  // most of them press
    }
  }
  void touch(int i, double mu) {
    const bool last = i + 1 == int(p.centre.size());
    const int row = p.graph.n_rows;
    const Mat3 R = exp_matrix(3 * p.vec3());
    const Vec3 f[3] = {R.col(0), R.col(1), R.col(2)};
    const Vec3 none[3] = {Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
    const auto m = last ? 2u : 3u;
    p.joint(last ? -1 : i + 1, i, Vec3(i + 0.5, 0, 0), {f, m}, {none, m});
    cones.push_back({row, {row + 1, last ? row + 1 : row + 2}, last ? 1 : 2, mu});
  }
  BoxReport solve() {
    Direct direct(p.graph);
    ActiveSet solver(direct);
    const auto span = [](const VecX& v) { return std::span(v.data(), at(int(v.size()))); };
    return solver.solve(p.system(), {span(q), span(lo), span(hi), cones}, {x.data(), set.size()},
                        set);
  }
};

/// Coulomb's law, said of each contact by itself.
void expect_coulomb(const Contacts& c, int& stuck, int& slid, int& open) {
  constexpr double kRounding = 1e-9;
  const VecX w = c.p.dense_S() * c.x + c.q;
  for (const Cone& cone : c.cones) {
    const double n = c.x[cone.normal], w_n = w[cone.normal];
    EXPECT_GE(n, 0);
    EXPECT_GE(w_n, -kRounding);
    EXPECT_LE(n * w_n, kRounding);
    Tangent t = Tangent::Zero(), w_t = t;
    for (int k = 0; k < cone.n; ++k) {
      t[k] = c.x[cone.tangent[at(k)]];
      w_t[k] = w[cone.tangent[at(k)]];
    }
    EXPECT_LE(t.norm(), cone.mu * n + kRounding);
    if (n == 0)
      ++open;
    else if (w_t.norm() <= kRounding)
      ++stuck;
    else {  // what slides has the greatest force, against its rate
      ++slid;
      EXPECT_NEAR(t.norm(), cone.mu * n, kRounding);
      EXPECT_NEAR(t.dot(w_t), -t.norm() * w_t.norm(), kRounding);
    }
  }
}

TEST(Cones, RandomContactsObeyCoulomb) {
  int stuck = 0, slid = 0, open = 0, unsolved = 0;
  for (unsigned seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    Contacts c(seed, 2 + static_cast<int>(seed % 9), seed % 2 ? 0.4 : 1);
    const BoxReport report = c.solve();
    unsolved += !report.converged;
    if (report.converged) expect_coulomb(c, stuck, slid, open);
  }
  EXPECT_GT(stuck, 100);
  EXPECT_GT(slid, 100);
  EXPECT_GT(open, 50);
  EXPECT_EQ(unsolved, 0) << stuck << " " << slid << " " << open;
}

TEST(Cones, TheNearestInADisc) {
  EXPECT_EQ(nearest_in_disc({3, 4}, 5), Tangent(3, 4));
  EXPECT_EQ(nearest_in_disc({3, 4}, 10), Tangent(3, 4));
  EXPECT_LT((nearest_in_disc({3, 4}, 1) - Tangent(0.6, 0.8)).norm(), 1e-15);
  EXPECT_EQ(nearest_in_disc({3, 4}, 0), Tangent(0, 0));
  EXPECT_EQ(off_cone({0, 0}, {0, 0}, 2, 0), 0);
  EXPECT_NEAR(off_cone({1, 0}, {0, 0}, 2, 0.5), 1, 1e-15);      // outside by 0.5
  EXPECT_NEAR(off_cone({-1, 0}, {7, 0}, 2, 1), 0, 1e-15);       // slides
  EXPECT_NEAR(off_cone({0.5, 0}, {0.1, 0}, 2, 1), 0.1, 1e-15);  // should stick
}

TEST(Mixing, FindsTheFixedPointOfAMapThatDoesNotContract) {
  Problem p;
  p.random.seed(3);
  const int n = 4;
  MatX A(n, n);
  for (int i = 0; i < n; ++i) A.col(i) = 3 * p.vector(n);
  const VecX b = p.vector(n), exact = (MatX::Identity(n, n) - A).partialPivLu().solve(b);
  VecX x = VecX::Zero(n);
  Mixing mixing;
  for (int k = 0; k < n + 1; ++k) x = mixing.next(x, A * x + b);
  EXPECT_LT((x - exact).norm(), 1e-10 * (1 + exact.norm()));
  mixing.forget();
  EXPECT_EQ(mixing.next(x, b), b);
}

}  // namespace
}  // namespace trammel::solve::cone_test
