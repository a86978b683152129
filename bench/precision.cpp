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
  const Series all[] = {{"trammel", "rattle-2", {2e-2, 8e-3, 4e-3, 2e-3, 1e-3, 5e-4, 2e-4, 1e-4}},
                        {"trammel", "rattle-4", {4e-2, 2e-2, 1e-2, 5e-3, 2.5e-3, 1.25e-3}},
                        {"trammel", "dp5-1e-3", {0.1}},
                        {"trammel", "dp5-1e-5", {0.1}},
                        {"trammel", "dp5-1e-7", {0.1}},
                        {"trammel", "dp5-1e-9", {0.1}},
                        {"trammel", "dp8-1e-3", {0.1}},
                        {"trammel", "dp8-1e-5", {0.1}},
                        {"trammel", "dp8-1e-7", {0.1}},
                        {"trammel", "dp8-1e-9", {0.1}},
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

/// It chooses its steps by an accuracy.
bool adaptive(const Figure& f) { return f.solver.starts_with("rkm") || f.solver.starts_with("dp"); }

/// The same method at several steps or accuracies.
std::string method(const Figure& f) {
  return f.engine + " " + (adaptive(f) ? f.solver.substr(0, 3) : f.solver);
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

std::string shown(double x, int width, std::string_view format) {
  return fmt::format("{:>{}}", std::isfinite(x) ? fmt::format(fmt::runtime(format), x) : "-",
                     width);
}

void print_runs(std::span<const Figure> figures, Report& report) {
  report.note("\nchain, N = 10, 2 s: error of the last link against CPU time");
  report.note(fmt::format("{:<28}{:>10}{:>8}{:>11}{:>10}{:>10}{:>10}", "method", "step [ms]",
                          "steps", "CPU [ms]", "error [m]", "drift", "energy"));
  for (const Figure& f : figures) {
    const bool chosen = adaptive(f);
    std::string text = fmt::format("{:<28}", f.engine + " " + f.solver);
    if (f.failed.empty())
      text += fmt::format("{}{:>8}{:11.2f}{:10.1e}{:10.1e}{:10.1e}",
                          shown(chosen ? kNone : 1e3 * f.dt, 10, "{:g}"), f.steps, 1e3 * f.seconds,
                          f.error, f.drift, f.energy);
    else
      text += f.failed;
    report.note(text);
  }
}

/// The least of some methods' times for an error; NaN: none of them reaches it.
double least(double error, bool peers, std::span<const Figure> figures) {
  double best = kNone;
  for (const Figure& f : figures)
    if (f.engine.starts_with("trammel") != peers)
      best = std::fmin(best, time_for(error, method(f), figures));
  return best;
}

void sum_up(std::span<const Figure> figures, Report& report) {
  constexpr double kErrors[] = {1e-2, 1e-4, 1e-6, 1e-8};
  const auto row = [&](const std::string& name, auto&& value) {
    std::string text = fmt::format("{:<28}", name);
    for (const double e : kErrors) text += shown(value(e), 10, "{:.2f}");
    report.note(text);
  };
  std::string head = fmt::format("\n{:<28}", "CPU [ms] for an error of");
  for (const double e : kErrors) head += fmt::format("{:>10}", fmt::format("{:.0e} m", e));
  report.note(head);
  std::string last;
  for (const Figure& f : figures) {
    if (method(f) == last) continue;
    last = method(f);
    row(last, [&](double e) { return 1e3 * time_for(e, last, figures); });
  }
  row("Trammel beside best peer",
      [&](double e) { return least(e, false, figures) / least(e, true, figures); });
}

}  // namespace

void bench_precision(const Options& options, Report& report) {
  const std::vector<Figure> figures = run_in_turn(jobs(), options);
  for (const Figure& f : figures) report.keep(f);
  print_runs(figures, report);
  sum_up(figures, report);
}

}  // namespace trammel::bench
