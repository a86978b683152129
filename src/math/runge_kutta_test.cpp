#include "math/runge_kutta.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "math/runge_kutta_tables.h"

namespace trammel::runge_kutta_test {
namespace {

constexpr std::array kMethods{RungeKuttaMethod::rk4, RungeKuttaMethod::dp5, RungeKuttaMethod::dp8};

/// (sin t, cos t, exp(sin t)), coupled and not autonomous.
struct Waves final : Ode {
  long slopes = 0;
  bool slope(double t, const double* y, double* dy) override {
    ++slopes;
    dy[0] = y[1];
    dy[1] = -y[0];
    dy[2] = y[2] * std::cos(t) + y[0] - std::sin(t);
    return true;
  }
};
std::array<double, 3> exact(double t) { return {std::sin(t), std::cos(t), std::exp(std::sin(t))}; }

RungeKutta at_start(RungeKuttaMethod method, Ode& ode, double t = 0) {
  RungeKutta rk(method, 3);
  rk.set_tolerance(std::vector<double>(3, INFINITY), std::vector<double>(3, 0.0));
  rk.begin(t);
  const auto y = exact(t);
  std::copy(y.begin(), y.end(), rk.y());
  ode.slope(t, rk.y(), rk.dy());
  return rk;
}

double off(const double* y, double t) {
  const auto to = exact(t);
  double most = 0;
  for (std::size_t i = 0; i < 3; ++i) most = std::max(most, std::abs(y[i] - to[i]));
  return most;
}

/// Error at t = 12 with n steps.
double end_error(RungeKuttaMethod method, int n) {
  Waves waves;
  RungeKutta rk = at_start(method, waves);
  for (int k = 0; k < n; ++k) {
    EXPECT_TRUE(rk.attempt(waves, 12. / n, 12. * (k + 1) / n).ok);
    rk.take();
  }
  return off(rk.y(), 12);
}

/// Greatest error of the interpolant over one step of h from t = 0.7.
double dense_error(RungeKuttaMethod method, double h) {
  Waves waves;
  RungeKutta rk = at_start(method, waves, 0.7);
  EXPECT_TRUE(rk.attempt(waves, h, 0.7 + h).ok);
  EXPECT_TRUE(rk.prepare_dense(waves));
  double most = 0;
  for (int k = 0; k <= 20; ++k) {
    std::array<double, 3> y{};
    rk.interpolate(k / 20., y.data());
    most = std::max(most, off(y.data(), 0.7 + k / 20. * h));
  }
  return most;
}

TEST(RungeKutta, StepsAreOfTheirOrders) {
  constexpr std::array kSteps{100, 60, 40};
  for (std::size_t i = 0; i < kMethods.size(); ++i) {
    const double coarse = end_error(kMethods[i], kSteps[i]),
                 fine = end_error(kMethods[i], 2 * kSteps[i]);
    const double order = RungeKutta(kMethods[i], 1).order();
    // truncation: what higher powers leave
    EXPECT_NEAR(std::log2(coarse / fine), order, 0.5) << coarse << " " << fine;
    EXPECT_GT(fine, 1e-13) << "rounding";
  }
}

TEST(RungeKutta, DenseOutputIsOfItsOrder) {
  constexpr std::array kH{0.1, 0.2, 0.2};
  constexpr std::array kOrders{3, 4, 7};
  for (std::size_t i = 0; i < kMethods.size(); ++i) {
    const double coarse = dense_error(kMethods[i], kH[i]),
                 fine = dense_error(kMethods[i], kH[i] / 2);
    EXPECT_NEAR(std::log2(coarse / fine), kOrders[i] + 1, 0.6) << coarse << " " << fine;
    EXPECT_GT(fine, 1e-13) << "rounding";
  }
}

TEST(RungeKutta, TheInterpolantMeetsBothEnds) {
  for (const RungeKuttaMethod method : kMethods) {
    Waves waves;
    RungeKutta rk = at_start(method, waves, 0.7);
    ASSERT_TRUE(rk.attempt(waves, 0.3, 1).ok && rk.prepare_dense(waves));
    std::array<double, 3> y{};
    rk.interpolate(0, y.data());
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(y[i], rk.y()[i]);
    rk.interpolate(1, y.data());
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(y[i], rk.next()[i], 1e-15);  // rounding
  }
}

TEST(RungeKutta, RowsOfCoefficientsSumToTheirAbscissae) {
  for (const RungeKutta::Tableau* T : {&classical_4(), &dormand_prince_5(), &dormand_prince_8()}) {
    for (std::size_t i = 0; i < T->a.size(); ++i) {
      double sum = 0;
      for (const auto& term : T->a[i]) sum += term.a;
      EXPECT_NEAR(sum, T->c[i], 1e-14) << i;  // rounding of terms up to 60
    }
    for (const auto row : {T->error, T->error_low}) {
      double sum = 0;
      for (const auto& term : row) sum += term.a;
      EXPECT_NEAR(sum, 0, 1e-14);
    }
    // the interpolant of a constant slope is straight
    for (const auto row : T->dense) {
      double sum = 0;
      for (const auto& term : row) sum += term.a;
      EXPECT_NEAR(sum, 0, 1e-12);  // terms up to 500
    }
  }
}

/// Integrates to t = 3 with error control; slopes taken in `waves`.
double controlled(RungeKuttaMethod method, double tolerance, Waves& waves) {
  RungeKutta rk = at_start(method, waves);
  rk.set_tolerance(std::vector<double>(3, tolerance), std::vector<double>(3, 0.0));
  double h = rk.first_step(waves, 3);
  for (int k = 0; k < 1000 && rk.t() < 3; ++k) {
    const double step = std::min(h, 3 - rk.t());
    const auto tried = rk.attempt(waves, step, step < h ? 3 : rk.t() + step);
    const bool taken = tried.ok && tried.error <= 1;
    if (taken) rk.take();
    h = rk.next_step(step, tried.error, taken);
  }
  EXPECT_EQ(rk.t(), 3);
  return off(rk.y(), 3);
}

TEST(RungeKutta, TheErrorFollowsTheTolerance) {
  for (const RungeKuttaMethod method : {RungeKuttaMethod::dp5, RungeKuttaMethod::dp8})
    for (const double tolerance : {1e-5, 1e-8, 1e-11}) {
      Waves waves;
      const double error = controlled(method, tolerance, waves);
      // of the model: errors of steps add up, some ten of them
      EXPECT_LE(error, 20 * tolerance);
      EXPECT_GE(error, 1e-4 * tolerance);
      EXPECT_LE(waves.slopes, method == RungeKuttaMethod::dp5 ? 3000 : 400);
    }
}

/// Leaves the circle a^2 + b^2 = 1 no further than rounding.
struct OnCircle final : Ode {
  bool slope(double, const double* y, double* dy) override {
    dy[0] = y[1];
    dy[1] = -y[0];
    return true;
  }
  bool settle(double t, double* y, double* dy) override {
    const double r = std::hypot(y[0], y[1]);
    y[0] /= r;
    y[1] /= r;
    return slope(t, y, dy);
  }
};

TEST(RungeKutta, SettlingKeepsTheOrder) {
  constexpr std::array kSteps{24, 12, 6};
  for (std::size_t m = 0; m < kMethods.size(); ++m) {
    std::array<double, 2> error{};
    for (std::size_t k = 0; k < 2; ++k) {
      OnCircle circle;
      RungeKutta rk(kMethods[m], 2);
      rk.set_tolerance({INFINITY, INFINITY}, {0, 0});
      rk.y()[1] = 1;
      circle.slope(0, rk.y(), rk.dy());
      const int n = kSteps[m] << k;
      for (int i = 0; i < n; ++i) {
        ASSERT_TRUE(rk.attempt(circle, 4. / n, 4. * (i + 1) / n).ok);
        rk.take();
      }
      EXPECT_NEAR(std::hypot(rk.y()[0], rk.y()[1]), 1, 1e-15);
      error[k] = std::hypot(rk.y()[0] - std::sin(4.), rk.y()[1] - std::cos(4.));
    }
    // a half more at most: even orders gain one on a circle
    EXPECT_GE(std::log2(error[0] / error[1]), RungeKutta(kMethods[m], 1).order() - 0.3);
  }
}

/// f has no value beyond t = 1.
struct Ends final : Ode {
  bool slope(double t, const double*, double* dy) override {
    dy[0] = 1;
    return t <= 1;
  }
};

TEST(RungeKutta, AStepBeyondWhereSlopesHaveValuesIsNotMade) {
  for (const RungeKuttaMethod method : kMethods) {
    Ends ends;
    RungeKutta rk(method, 1);
    rk.set_tolerance({1}, {0});
    rk.dy()[0] = 1;
    EXPECT_FALSE(rk.attempt(ends, 1.5, 1.5).ok);
    EXPECT_TRUE(rk.attempt(ends, 1, 1).ok);
  }
}

}  // namespace
}  // namespace trammel::runge_kutta_test
