// The contact problem of a heap of boxes: what a sweep costs a point, and what is left of the
// errors after so many; what Newton costs.
#include <fmt/core.h>

#include <algorithm>

#include "bench.h"
#include "constraint/piles/test_heap.h"
#include "process.h"

namespace trammel::bench {

namespace {

using Method = constraint::piles::ContactOptions::Method;

constraint::piles::ContactEffort once(constraint::piles::ContactSystem& system,
                                      const constraint::piles::test::Heap& heap,
                                      const constraint::piles::ContactOptions& options) {
  std::vector<double> v = heap.v, p = heap.p;
  return system.solve(heap.targets, v, p, options);
}

/// The least CPU time of some runs [s].
template <class F>
double least_time(const Options& options, const F& f) {
  double least = 1e9;
  for (int i = 0; i < std::max(3, options.repetitions); ++i) {
    const double before = cpu_seconds();
    f();
    least = std::min(least, cpu_seconds() - before);
  }
  return least;
}

void measure(const char* name, const constraint::piles::test::Heap& heap, const Options& options,
             Report& report) {
  constexpr int kFew = 10, kMany = 60;
  const int points = static_cast<int>(heap.points.size());
  constraint::piles::ContactSystem system;
  system.build(heap.bodies, heap.points);
  const auto sweeps = [&](int n) {
    return least_time(options, [&] { once(system, heap, {0, n, 0, Method::sweeps}); });
  };
  const double few = sweeps(kFew), many = sweeps(kMany);
  const double made = least_time(options, [&] { system.build(heap.bodies, heap.points); });
  const double a_sweep = (many - few) / (kMany - kFew), per_point = 1e9 / points;
  std::string left;
  for (const int n : {1, 10, 100, 1000})
    left += fmt::format(" {:.1e}", once(system, heap, {0, n, 0, Method::sweeps}).merit);
  report.note(fmt::format("{:<14} {:>7} {:>8} {:>9.1f} {:>9.1f} {:>9.1f}  {}", name,
                          heap.bodies.size() - 1, points, made * per_point, a_sweep * per_point,
                          (few - kFew * a_sweep) * per_point, left));
  Figure figure{name, "sweep", points};
  figure.steps = 1, figure.seconds = a_sweep;
  figure.error = once(system, heap, {0, 100, 0, Method::sweeps}).merit;
  report.keep(figure);
}

void measure_newton(const char* name, const constraint::piles::test::Heap& heap,
                    const Options& options, Report& report) {
  constraint::piles::ContactSystem system;
  system.build(heap.bodies, heap.points);
  constraint::piles::ContactEffort effort;
  const double seconds = least_time(options, [&] {
    effort = once(system, heap, {1e-10, 200, 200, Method::newton});
  });
  report.note(fmt::format("{:<14} {:>7} {:>8} {:>9} {:>9.2f} {:>9.1e}", name,
                          heap.bodies.size() - 1, heap.points.size(), effort.newton, 1e3 * seconds,
                          effort.merit));
  Figure figure{name, "newton", static_cast<int>(heap.points.size())};
  figure.steps = 1, figure.seconds = seconds, figure.iterations = effort.newton;
  figure.error = effort.merit;
  report.keep(figure);
}

}  // namespace

void bench_contact(const Options& options, Report& report) {
  using constraint::piles::test::pile;
  report.note(
      "boxes in layers, mu 0.5, falling at 1 m/s; ns a point, errors [m/s] left after sweeps");
  report.note(fmt::format("{:<14} {:>7} {:>8} {:>9} {:>9} {:>9}   1, 10, 100, 1000 sweeps",
                          "sweeps", "bodies", "points", "build", "sweep", "the rest"));
  measure("pile 100", pile(5, 4, 0.5, 1), options, report);
  measure("pile 1000", pile(10, 10, 0.5, 1), options, report);
  measure("pile 10000", pile(20, 25, 0.5, 1), options, report);
  report.note(fmt::format("{:<14} {:>7} {:>8} {:>9} {:>9} {:>9}", "newton", "bodies", "points",
                          "iterations", "ms", "error"));
  measure_newton("box", constraint::piles::test::stack({1}), options, report);
  measure_newton("stack", constraint::piles::test::stack(std::vector<double>(20, 1.)), options,
                 report);
  measure_newton("heavy on light", constraint::piles::test::stack({1, 1, 1, 1e6}), options, report);
  measure_newton("pile 27", pile(3, 3, 0.5, 1), options, report);
  measure_newton("pile 64", pile(4, 4, 0.5, 1), options, report);
  measure_newton("pile 216", pile(6, 6, 0.5, 1), options, report);
}

}  // namespace trammel::bench
