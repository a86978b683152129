#include "math/root.h"

#include <gtest/gtest.h>

#include <functional>

namespace trammel::root_test {
namespace {

struct Found {
  double x;
  int calls = 0;
};

Found find(const std::function<double(double)>& f, double a, double b, double tol) {
  Found out{};
  const auto counted = [&](double x) {
    ++out.calls;
    EXPECT_GE(x, a);
    EXPECT_LE(x, b);
    return f(x);
  };
  out.x = find_root(counted, a, b, f(a), f(b), tol);
  return out;
}

struct Case {
  const char* name;
  std::function<double(double)> f;
  double a, b, root;
};

const Case kCases[] = {
    {"line", [](double x) { return 3 * x - 1; }, 0, 1, 1. / 3},
    {"falling", [](double x) { return std::cos(x) - x; }, 0, 1, 0.7390851332151607},
    {"steep", [](double x) { return std::expm1(20 * (x - 0.9)); }, 0, 1, 0.9},
    {"flat", [](double x) { return std::pow(x - 0.3, 9); }, 0, 1, 0.3},
    {"step", [](double x) { return x < 0.123 ? -1.0 : 1.0; }, 0, 1, 0.123},
    {"far", [](double x) { return std::atan(x - 1e3); }, -1e6, 1e6, 1e3},
    {"lopsided", [](double x) { return x * x * x - 1e-6; }, 0, 1, 1e-2},
};

TEST(Root, IsFoundToTheToleranceAndNeverSlowerThanByHalving) {
  for (const Case& c : kCases)
    for (const double tol : {1e-3, 1e-8, 1e-12}) {
      SCOPED_TRACE(std::string(c.name) + " " + std::to_string(tol));
      const Found found = find(c.f, c.a, c.b, tol);
      const double rounding = 1e-16 * (c.b - c.a);
      EXPECT_NEAR(found.x, c.root, tol + rounding);
      EXPECT_LE(found.calls, std::ceil(std::log2((c.b - c.a) / (2 * tol))) + 2);
    }
}

TEST(Root, SmoothFunctionsTakeFewEvaluations) {
  for (const Case* c : {&kCases[0], &kCases[1]})
    EXPECT_LE(find(c->f, c->a, c->b, 1e-12).calls, 12) << c->name;  // halving takes 39
}

TEST(Root, AtAnEndOrBelowTheToleranceCostsNothing) {
  const auto line = [](double x) { return x; };
  EXPECT_EQ(find(line, 0, 1, 1e-9).x, 0);
  EXPECT_EQ(find(line, 0, 1, 1e-9).calls, 0);
  EXPECT_EQ(find(line, -1, 0, 1e-9).x, 0);
  EXPECT_NEAR(find(line, -1e-10, 1e-10, 1e-9).x, 0, 1e-9);
}

TEST(Root, JustAfterOneIsFoundHoweverNearItIs) {
  // what leaves zero at 0 and comes back at r: below zero between them
  for (const double r : {0.7, 1e-2, 1e-5, 1e-8}) {
    const auto back = [&](double x) { return x * (x - r); };
    EXPECT_NEAR(find_root_after(back, 0, 1, back(1), 1e-12), r, 1e-12) << r;
  }
  EXPECT_EQ(find_root_after([](double x) { return x + 1e-3; }, 0, 1, 1.001, 1e-12), 0);
}

}  // namespace
}  // namespace trammel::root_test
