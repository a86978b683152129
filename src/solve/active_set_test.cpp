#include "solve/active_set.h"

#include <gtest/gtest.h>

#include <limits>

#include "solve/test_graphs.h"

namespace trammel::solve::active_set_test {
namespace {

using test::at;
using test::Problem;

constexpr double kInf = std::numeric_limits<double>::infinity();

struct Box {
  VecX q, lo, hi, x;
  std::vector<signed char> set;
  explicit Box(int n)
      : q(VecX::Zero(n)), lo(VecX::Constant(n, -kInf)), hi(-lo), x(q), set(at(n), 0) {}
  BoxProblem problem() const {
    const auto span = [](const VecX& v) { return std::span(v.data(), at(int(v.size()))); };
    return {span(q), span(lo), span(hi)};
  }
  BoxReport solve(ActiveSet& solver, const Problem& p, bool current = false) {
    return solver.solve(p.system(), problem(), {x.data(), set.size()}, set, current);
  }
};

/// Random bounds: equalities, one-sided, two-sided, fixed.
Box random_box(Problem& p) {
  const int n = p.graph.n_rows;
  Box box(n);
  box.q = p.vector(n);
  for (int i = 0; i < n; ++i) {
    const int kind = static_cast<int>(p.uniform(0, 4));
    if (kind > 0) box.lo[i] = p.uniform(-.3, .1);
    if (kind > 1) box.hi[i] = box.lo[i] + p.uniform(0, .3);
    if (kind > 2 && p.uniform() > 0) box.hi[i] = box.lo[i];
  }
  return box;
}

void expect_complementary(const MatX& S, const Box& box, double tolerance) {
  const VecX w = S * box.x + box.q;
  for (int i = 0; i < w.size(); ++i) {
    EXPECT_GE(box.x[i], box.lo[i]);
    EXPECT_LE(box.x[i], box.hi[i]);
    if (box.lo[i] == box.hi[i]) continue;
    if (box.x[i] > box.lo[i]) {
      EXPECT_LE(w[i], tolerance) << i;
    }
    if (box.x[i] < box.hi[i]) {
      EXPECT_GE(w[i], -tolerance) << i;
    }
  }
}

/// Every choice of sides is tried with dense algebra; the P-matrix has one that fits.
VecX enumerate(const MatX& S, const Box& box) {
  const int n = static_cast<int>(box.q.size());
  for (int code = 0, all = static_cast<int>(std::pow(3, n)); code < all; ++code) {
    Box t = box;
    MatX A = S;
    VecX r = -box.q;
    bool fits = true;
    for (int i = 0, c = code; i < n; ++i, c /= 3) {
      const double bound = c % 3 == 1 ? box.lo[i] : box.hi[i];
      if (c % 3 == 0) continue;
      fits &= std::isfinite(bound);
      A.row(i).setZero();
      A(i, i) = 1, r[i] = bound;
    }
    if (!fits) continue;
    t.x = A.partialPivLu().solve(r);
    const VecX w = S * t.x + box.q;
    for (int i = 0, c = code; i < n; ++i, c /= 3) {
      if (c % 3 == 0) fits &= t.x[i] >= box.lo[i] && t.x[i] <= box.hi[i];
      if (box.lo[i] == box.hi[i]) continue;
      if (c % 3 == 1) fits &= w[i] >= 0;
      if (c % 3 == 2) fits &= w[i] <= 0;
    }
    if (fits) return t.x;
  }
  ADD_FAILURE() << "no choice fits";
  return box.q;
}

TEST(ActiveSet, AgreesWithEnumeration) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    Problem p;
    p.random.seed(seed);
    for (int i = 0; i < 3; ++i) p.body(p.vec3());
    p.group(2, {0, 1});
    p.group(3, {1, 2});
    p.group(1, {0, 1, 2});
    Box box = random_box(p);
    Direct direct(p.graph);
    ActiveSet solver(direct);
    const auto report = box.solve(solver, p);
    EXPECT_TRUE(report.converged);
    EXPECT_LE(report.merit, 1e-9);
    EXPECT_LE((box.x - enumerate(p.dense_S(), box)).cwiseAbs().maxCoeff(), 1e-8) << seed;
  }
}

TEST(ActiveSet, SolvesLargerProblems) {
  int most = 0;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    auto p = seed % 2 ? test::chain(60) : test::star(60);
    p.random.seed(seed);
    for (int i = 0; i < 20; ++i) p.group(2, {2 * i, 2 * i + 1});
    for (auto& a : p.active) a = p.uniform() > -.9;
    Box box = random_box(p);
    Direct direct(p.graph);
    ActiveSet solver(direct);
    const auto report = box.solve(solver, p);
    EXPECT_TRUE(report.converged) << seed;
    most = std::max(most, report.iterations);
    for (int i = 0; i < box.x.size(); ++i)
      if (!p.active[at(i)]) {
        EXPECT_EQ(box.x[i], 0);
        box.q[i] = box.lo[i] = 0, box.hi[i] = kInf;  // as if it were not there
      }
    expect_complementary(p.dense_S(), box, 1e-8);
  }
  EXPECT_LE(most, 40);
}

TEST(ActiveSet, CostsOneSolveWithoutBounds) {
  auto p = test::chain(30);
  Box box(p.graph.n_rows);
  box.q = p.vector(p.graph.n_rows);
  Direct direct(p.graph);
  ActiveSet solver(direct);
  auto report = box.solve(solver, p);
  EXPECT_EQ(report.iterations, 1);
  EXPECT_EQ(report.factorisations, 1);
  const VecX r = -box.q;
  VecX x(r.size());
  direct.solve(r.data(), x.data());
  EXPECT_EQ(box.x, x);
  report = box.solve(solver, p, true);
  EXPECT_EQ(report.factorisations, 0);
  EXPECT_EQ(box.x, x);
}

TEST(ActiveSet, WarmStartKeepsOneIterationAndItsFactor) {
  auto p = test::chain(60);
  Box box = random_box(p);
  Direct direct(p.graph);
  ActiveSet solver(direct);
  EXPECT_GT(box.solve(solver, p).iterations, 1);
  const VecX x = box.x;
  box.q *= 1 + 1e-9;
  auto report = box.solve(solver, p, true);
  EXPECT_EQ(report.iterations, 1);
  EXPECT_EQ(report.factorisations, 0);
  EXPECT_LE((box.x - x).norm(), 1e-6 * x.norm());
  report = box.solve(solver, p);
  EXPECT_EQ(report.iterations, 1);
  EXPECT_EQ(report.factorisations, 1);
}

/// A box of 2 kg on four corners, dropped at v: forces that stop it, shared.
struct Table {
  Problem p;
  explicit Table(double x) {
    const int b = p.graph.add_block(6, MassForm::split);
    p.inv_mass = {.5, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    p.centre.emplace_back(x, 0, 0);
    const Vec3 up = Vec3::UnitZ(), none = Vec3::Zero();
    for (const double i : {-1., 1.})
      for (const double j : {-1., 1.}) p.joint(-1, b, {i, j, -1}, {&up, 1}, {&none, 1});
  }
};

TEST(ActiveSet, SharesRedundantContacts) {
  for (const double x : {0., .5, 1., 3.}) {  // the centre above the feet, at their edge, beyond
    const Table t(x);
    Box box(4);
    box.q.setConstant(-1);
    box.lo.setZero();
    Direct direct(t.p.graph);
    ActiveSet solver(direct);
    const auto report = box.solve(solver, t.p);
    EXPECT_TRUE(report.converged);
    expect_complementary(t.p.dense_S(), box, 1e-9);
    EXPECT_NEAR(box.x[0], box.x[1], 1e-3);  // rounding / eps
    EXPECT_NEAR(box.x[2], box.x[3], 1e-3);
    if (x <= 1) {
      EXPECT_NEAR(box.x.sum(), 2, 1e-8);
    }
  }
}

TEST(ActiveSet, StandsStillOnDegenerateProblems) {  // w = 0 at bounds that just hold
  auto p = test::chain(20);
  Box box(60);
  box.x = p.vector(60);
  for (int i = 0; i < 60; ++i) (i % 2 ? box.lo : box.hi)[i] = box.x[i];
  const VecX exact = box.x;
  box.q = -p.dense_S() * exact;
  Direct direct(p.graph);
  ActiveSet solver(direct);
  const auto report = box.solve(solver, p);
  EXPECT_TRUE(report.converged);
  EXPECT_LE(report.iterations, 3);
  EXPECT_LE((box.x - exact).norm(), 1e-6);
}

TEST(ActiveSet, EndsWhereAllChangesAtOnceWouldCycle) {
  // Curtis, Han, Robinson 2015, example of a cycle of the plain primal-dual method, x <= 0
  Mat3 H;
  H << 4, 5, -5, 5, 9, -5, -5, -5, 7;
  const Mat3 L = H.llt().matrixL();
  Problem p;
  p.graph.add_block(3, MassForm::dense);
  p.inv_mass = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  p.group(3, {0});
  for (int i = 0; i < 9; ++i) p.J[at(i)] = L(i / 3, i % 3);
  for (int start = 0; start < 8; ++start) {
    Box box(3);
    box.q = Vec3(2, 1, -3);
    box.hi.setZero();
    for (int i = 0; i < 3; ++i) box.set[at(i)] = static_cast<signed char>(start >> i & 1);
    Direct direct(p.graph);
    ActiveSet solver(direct);
    const auto report = box.solve(solver, p);
    EXPECT_TRUE(report.converged) << start;
    EXPECT_LE(report.iterations, 20);
    expect_complementary(p.dense_S(), box, 1e-9);
  }
}

TEST(ActiveSet, AnswersTheSameWhateverTheOrderOfRows) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    Problem a, b;
    for (auto* p : {&a, &b})
      for (int i = 0; i < 20; ++i) p->body(Vec3(i, 0, 0));
    for (int i = 0; i < 19; ++i) a.ball(i, i + 1, Vec3(i + .5, .1, 0));
    for (int i = 18; i >= 0; --i) b.ball(i, i + 1, Vec3(i + .5, .1, 0));
    a.random.seed(seed);
    Box x = random_box(a), y(57);
    for (int i = 0; i < 19; ++i) {
      y.q.segment(3 * i, 3) = x.q.segment(3 * (18 - i), 3);
      y.lo.segment(3 * i, 3) = x.lo.segment(3 * (18 - i), 3);
      y.hi.segment(3 * i, 3) = x.hi.segment(3 * (18 - i), 3);
    }
    Direct d(a.graph), e(b.graph);
    ActiveSet s(d), t(e);
    EXPECT_TRUE(x.solve(s, a).converged && y.solve(t, b).converged);
    for (int i = 0; i < 19; ++i)
      EXPECT_LE((y.x.segment(3 * i, 3) - x.x.segment(3 * (18 - i), 3)).norm(), 1e-9 * x.x.norm());
  }
}

TEST(ActiveSet, SaysWhereNumbersAreBad) {
  auto p = test::chain(5);
  p.J[7] = kInf;
  Box box(15);
  box.lo.setZero();
  Direct direct(p.graph);
  ActiveSet solver(direct);
  EXPECT_FALSE(box.solve(solver, p).converged);
  EXPECT_EQ(direct.failed_row(), 1);
  p.J[7] = 0;
  box.q[3] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(box.solve(solver, p).converged);
}

}  // namespace
}  // namespace trammel::solve::active_set_test
