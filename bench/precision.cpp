// Work and precision: the chain of 10 links after 2 s, its last link's error against CPU time, each
// engine at several steps or accuracies.
#include <fmt/core.h>

#include <cmath>

#include "beside.h"

namespace trammel::bench {

namespace {

struct Series {
  const char *program, *solver;
  std::vector<double> steps;  // [s]
};

std::vector<Job> jobs() {
  const std::vector<double> coarse = {1e-2, 1e-3, 1e-4};
  const Series all[] = {{"trammel", "rattle-2", {4e-3, 2e-3, 1e-3, 5e-4, 2e-4, 1e-4}},
                        {"trammel", "rattle-4", {2e-2, 1e-2, 5e-3, 2.5e-3, 1.25e-3}},
                        {"ode", "world", coarse},
                        {"ode", "quick50", coarse},
                        {"bullet", "si50", coarse},
                        {"bullet", "mb", coarse},
                        {"mujoco", "euler", coarse},
                        {"mujoco", "rk4", {2e-2, 1e-2, 5e-3, 2.5e-3, 1e-3}},
                        {"simbody", "see", coarse},
                        {"simbody", "see2", coarse},
                        {"simbody", "rkm-1e-3", {1e-2}},
                        {"simbody", "rkm-1e-5", {1e-2}},
                        {"simbody", "rkm-1e-7", {1e-2}},
                        {"simbody", "rkm-1e-9", {1e-2}}};
  std::vector<Job> out;
  for (const Series& s : all)
    for (const double dt : s.steps) out.push_back({s.program, {"chain", 10, dt, 2, s.solver}});
  return out;
}

/// The same method at several steps or accuracies.
std::string method(const Figure& f) {
  return f.engine + " " + (f.solver.starts_with("rkm") ? "rkm" : f.solver);
}

/// CPU time of a method for that error [s], between two of its runs by their logarithms; NaN
/// outside them.
double time_for(double error, std::string_view wanted, std::span<const Figure> figures) {
  for (std::size_t i = 1; i < figures.size(); ++i) {
    const Figure &a = figures[i - 1], &b = figures[i];
    if (method(a) != wanted || method(b) != wanted || !(a.error >= error && error >= b.error))
      continue;
    const double share = std::log(a.error / error) / std::log(a.error / b.error);
    return a.seconds * std::pow(b.seconds / a.seconds, share);
  }
  return kNone;
}

void sum_up(std::span<const Figure> figures, Report& report) {
  constexpr double kErrors[] = {1e-2, 1e-4, 1e-6, 1e-8};
  std::string text = fmt::format("\n{:<28}", "CPU [ms] for an error of");
  for (const double e : kErrors) text += fmt::format("{:>10}", fmt::format("{:.0e} m", e));
  report.note(text);
  std::string last;
  for (const Figure& f : figures) {
    if (method(f) == last) continue;
    last = method(f);
    text = fmt::format("{:<28}", last);
    for (const double e : kErrors) {
      const double t = time_for(e, last, figures);
      text += std::isfinite(t) ? fmt::format("{:10.2f}", 1e3 * t) : fmt::format("{:>10}", "-");
    }
    report.note(text);
  }
}

}  // namespace

void bench_precision(const Options& options, Report& report) {
  std::vector<Figure> figures = run_in_turn(jobs(), options);
  report.title("chain, N = 10, 2 s: step, CPU time and error of the last link");
  for (const Figure& f : figures) report.line(f);
  sum_up(figures, report);
}

}  // namespace trammel::bench
