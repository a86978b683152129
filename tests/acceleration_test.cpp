// The acceleration formulation: observed orders, errors against kept references, drift.
#include <fmt/format.h>

#include "form/acceleration.h"
#include "support.h"

namespace trammel::acceptance {
namespace {

using form::Acceleration;
const Vec3 kChainAt2(-7.13711850455, 0, -5.76611045024);  // independent 80-bit integration

form::Settings with(RungeKuttaMethod method, double accuracy) {
  form::Settings s;
  s.method = method;
  s.accuracy = {accuracy, accuracy, accuracy, accuracy, accuracy};
  return s;
}

/// Where `body` is at T, in n calls of step().
Vec3 end(const model::Built& b, const std::string& body, double T, int n,
         const form::Settings& settings, Acceleration::Counts* counts = nullptr) {
  Acceleration form(*b.model, b.params, settings);
  model::State state = b.state;
  EXPECT_TRUE(form.load(state));
  form::StepReport report;
  for (int k = 0; k < n; ++k) {
    form.step({}, state, T / n, report);
    EXPECT_EQ(report.status, form::Status::ok) << report.reason;
    if (report.status != form::Status::ok) break;
  }
  if (counts) *counts = form.counts();
  return form.now().place[static_cast<std::size_t>(b.model->find_object(body))].p;
}

TEST(Acceleration, Try) {
  const model::Built b = built(chain(10));
  for (const auto method : {RungeKuttaMethod::rk4, RungeKuttaMethod::dp5, RungeKuttaMethod::dp8})
    for (const int n : {100, 200, 400, 800})
      fmt::print("{} {} {:.3g}\n", static_cast<int>(method), n,
                 (end(b, "link9", 2, n, with(method, INFINITY)) - kChainAt2).norm());
  for (const auto method : {RungeKuttaMethod::dp5, RungeKuttaMethod::dp8})
    for (const double a : {1e-3,1e-4,1e-5,1e-6, 1e-7,1e-8,1e-9, 1e-10, 1e-11, 1e-12,1e-13}) {
      Acceleration::Counts c;
      const auto t0 = std::clock();
      const double e = (end(b, "link9", 2, 1, with(method, a), &c) - kChainAt2).norm();
      fmt::print("{} {:g} {:.3g} steps {} rejected {} slopes {} {:.3f} ms\n", static_cast<int>(method), a, e, c.steps,
                 c.rejected, c.slopes, 1e3 * double(std::clock() - t0) / CLOCKS_PER_SEC);
    }
}

}  // namespace
}  // namespace trammel::acceptance
