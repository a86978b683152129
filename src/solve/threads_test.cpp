// The factor, its solves and the products: the same bits on any number of threads.
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <numeric>

#include "math/parallel.h"
#include "solve/direct.h"
#include "solve/product.h"
#include "solve/reroot.h"
#include "solve/symbolic.h"
#include "solve/tasks.h"
#include "solve/test_graphs.h"

namespace trammel::solve::threads_test {
namespace {

using test::at;
using test::Problem;

struct Threads {
  explicit Threads(int n) { parallel::set_threads(n); }
  ~Threads() { parallel::set_threads(1); }
};

Problem islands(int n, int links) {
  Problem p;
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < links; ++i) {
      const int b = p.body({i + .5, 2. * k, 0});
      p.ball(i ? b - 1 : -1, b, Vec3(i, 2 * k, 0));
    }
  return p;
}

Problem net(int n) {
  Problem p;
  for (int i = 0; i < n * n; ++i) p.body(Vec3(i / n, i % n, 0));
  for (int i = 0; i < n * n; ++i) {
    const Vec3 c = p.centre[at(i)];
    if (i % n + 1 < n) p.ball(i, i + 1, c + Vec3(0, .5, .1));
    if (i + n < n * n) p.ball(i, i + n, c + Vec3(.5, 0, -.1));
  }
  for (auto& c : p.compliance) c = 1e-2;
  return p;
}

/// A net some of whose bodies are hubs, with arms of three links.
Problem hubs() {
  Problem p = net(12);
  for (const int hub : {0, 77, 143})
    for (int i = 0; i < 200; ++i) {
      int from = hub;
      for (int k = 0; k < 3; ++k) {
        const Vec3 x = p.centre[at(from)] + p.vec3();
        const int b = p.body(x + p.vec3());
        p.ball(from, b, x);
        from = b;
      }
    }
  return p;
}

/// All that the solver makes of a problem.
struct Made {
  std::vector<double> x, y, f, u, r, D;
  double pivot, residual;
  bool operator==(const Made& o) const {
    const auto same = [](const std::vector<double>& a, const std::vector<double>& b) {
      return a.size() == b.size() &&
             std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
    };
    return same(x, o.x) && same(y, o.y) && same(f, o.f) && same(u, o.u) && same(r, o.r) &&
           same(D, o.D) && pivot == o.pivot && residual == o.residual;
  }
};

Made make(const Problem& p, int threads, double task_flops, bool lanes) {
  const Threads guard(threads);
  Problem random;
  const auto rows = at(p.graph.n_rows), unknowns = at(p.graph.n_u);
  const VecX given = random.vector(p.graph.n_rows);
  Made m{std::vector<double>(rows),
         std::vector<double>(rows),
         std::vector<double>(unknowns),
         std::vector<double>(unknowns),
         std::vector<double>(rows),
         {},
         0,
         0};
  Direct direct(p.graph, {.lanes = lanes, .task_flops = task_flops});
  EXPECT_TRUE(direct.factor(p.system()));
  m.residual = direct.solve(given.data(), m.x.data()).residual;
  m.y.assign(given.begin(), given.end());
  direct.solve_factored(m.y.data());
  m.pivot = direct.least_pivot();
  m.D.assign(direct.diagonal().begin(), direct.diagonal().end());
  add_transpose(p.graph, p.J.data(), m.x.data(), m.f.data());
  apply_inverse_mass(p.graph, p.inv_mass.data(), m.f.data(), m.u.data());
  multiply(p.graph, p.J.data(), m.u.data(), m.r.data());
  return m;
}

constexpr double kTask = DirectOptions{}.task_flops, kSmall = 2000;
constexpr int kDegree = DirectOptions{}.hub_degree;

std::size_t tasks(const Problem& p, double task_flops) {
  return analyse(p.graph, kDegree, task_flops, false).tasks.size();
}

void expect_same_bits(const Problem& p, const char* what, double task_flops = kTask) {
  EXPECT_GT(tasks(p, task_flops), 2u) << what;
  for (const bool lanes : {true, false}) {
    const Made one = make(p, 1, task_flops, lanes);
    for (const int threads : {2, 3, 8})
      for (int k = 0; k < 3; ++k)
        EXPECT_TRUE(make(p, threads, task_flops, lanes) == one) << what << ", " << threads;
  }
}

TEST(Threads, GiveTheSameBits) {
  expect_same_bits(islands(1000, 10), "islands");
  expect_same_bits(test::chain(3334), "chain");
  expect_same_bits(test::windows(40), "40 windows", kSmall);
  expect_same_bits(test::windows(700), "700 windows");
  expect_same_bits(test::star(3000), "star");
  expect_same_bits(net(24), "net");
  expect_same_bits(hubs(), "net with hubs");
}

TEST(Threads, SolveWhatIsAskedInTasksOfAnySize) {
  for (const double task_flops : {100., kSmall, 10 * kSmall})
    for (const Problem& p : {test::chain(300), test::windows(60), test::star(300), net(10)}) {
      EXPECT_GT(tasks(p, 100), 2u);
      Direct direct(p.graph, {.task_flops = task_flops});
      ASSERT_TRUE(direct.factor(p.system()));
      Problem random;
      const VecX x = random.vector(p.graph.n_rows);
      VecX given(x.size()), product(x.size());
      direct.apply(x.data(), given.data());
      VecX found = given;
      direct.solve_factored(found.data());
      direct.apply(found.data(), product.data());
      // rounding of one pass, S being ill-conditioned and its redundant rows regularised
      EXPECT_LE((product - given).cwiseAbs().maxCoeff(), 1e-9 * given.cwiseAbs().maxCoeff());
    }
}

TEST(Threads, NameTheSameRowThatFails) {
  auto p = test::chain(3334);
  for (const int row : {9000, 600, 5000})
    p.J[at(p.graph.ends[at(p.graph.groups[at(row / 3)].end)].J + 2)] =
        std::numeric_limits<double>::quiet_NaN();
  Direct direct(p.graph);
  EXPECT_FALSE(direct.factor(p.system()));
  const int row = direct.failed_row();
  EXPECT_GE(row, 0);
  for (const int threads : {2, 8}) {
    const Threads guard(threads);
    EXPECT_FALSE(direct.factor(p.system()));
    EXPECT_EQ(direct.failed_row(), row);
  }
}

/// The cost of the longest way through the tasks, of the whole.
double longest_share(const Problem& p) {
  const Symbolic s = analyse(p.graph, kDegree, kTask, false);
  std::vector<double> way(s.tasks.size());
  for (std::size_t t = 0; t < way.size(); ++t) {
    const auto& task = s.tasks[t];
    for (int c = task.child; c < task.child + task.n_children; ++c)
      way[t] = std::max(way[t], way[at(s.children[at(c)])]);
    way[t] += static_cast<double>(s.columns[at(task.last)].value - s.columns[at(task.first)].value);
  }
  return way.back() / static_cast<double>(s.columns.back().value);
}

TEST(Threads, FindWorkToShare) {  // numbers of the factor, that no two threads can share
  EXPECT_LE(longest_share(islands(1000, 10)), .06);
  EXPECT_LE(longest_share(test::chain(3334)), .51);
  EXPECT_LE(longest_share(test::windows(700)), .52);
  EXPECT_LE(longest_share(test::star(3000)), .25);
}

TEST(Threads, CostNoFill) {
  for (const Problem& p : {test::chain(3334), test::windows(700), test::star(3000), net(20)}) {
    const Symbolic whole = analyse(p.graph, kDegree, 1e18);
    const Symbolic shared = analyse(p.graph, kDegree, kTask);
    EXPECT_EQ(whole.tasks.size(), 1u);
    EXPECT_GT(shared.tasks.size(), 1u);
    EXPECT_LE(shared.flops, 1.021 * whole.flops);
    EXPECT_LE(static_cast<double>(shared.columns.back().value),
              1.01 * static_cast<double>(whole.columns.back().value));
  }
}

TEST(Tasks, HoldEveryColumnOnceAndWaitForTheirs) {
  Problem random;
  for (int n = 1; n < 200; n += 7) {
    std::vector<int> parent;
    for (int k = 0; k < n; ++k) {
      const int up = k + 1 + static_cast<int>(random.uniform(0, 6));
      parent.push_back(up < n ? up : -1);
    }
    const Tasks t = split_tree(parent, std::vector<double>(at(n), 1.), 5);
    std::vector<int> task_of(at(n), -1), up(t.tasks.size(), -1);
    int next = 0;
    for (std::size_t i = 0; i < t.tasks.size(); ++i) {
      EXPECT_EQ(t.tasks[i].first, next);
      next = t.tasks[i].last;
      for (int k = t.tasks[i].first; k < next; ++k)
        task_of[at(t.order[at(k)])] = static_cast<int>(i);
      for (int c = 0; c < t.tasks[i].n_children; ++c)
        up[at(t.children[at(t.tasks[i].child + c)])] = static_cast<int>(i);
    }
    EXPECT_EQ(next, n);
    for (std::size_t i = 0; i + 1 < up.size(); ++i) EXPECT_GT(up[i], static_cast<int>(i));
    for (int k = 0; k < n; ++k) {  // what a column gives to is in its task or above it
      ASSERT_GE(task_of[at(k)], 0);
      int to = task_of[at(k)];
      while (parent[at(k)] >= 0 && to >= 0 && to != task_of[at(parent[at(k)])]) to = up[at(to)];
      EXPECT_GE(to, 0);
    }
  }
}

}  // namespace
}  // namespace trammel::solve::threads_test
