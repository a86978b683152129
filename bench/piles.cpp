// Piles of boxes and balls: what a step costs over how deep things are in each other, and how still
// they come to lie.
#include <fmt/core.h>

#include <algorithm>

#include "beside.h"

namespace trammel::bench {

namespace {

constexpr double kStep = 1. / 240;   // [s]
constexpr double kCap = 300;         // CPU seconds of stepping a run
constexpr double kStill = 1e-3;      // speeds of less count as none [m/s]
constexpr double kNoOverlap = 1e-6;  // overlaps of less do [m]

struct Runner {
  const char *program, *solver;
  int most = 1 << 30;
};

// ODE's world and MuJoCo take time and memory as the square of N and more
constexpr Runner kRunners[] = {{"trammel", "sweeps-5"},
                               {"trammel", "sweeps-10"},
                               {"trammel", "sweeps-20"},
                               {"trammel", "sweeps-50"},
                               {"trammel", "rattle-2", 1000},
                               {"ode", "quick5"},
                               {"ode", "quick10"},
                               {"ode", "quick20"},
                               {"ode", "quick50"},
                               {"ode", "world", 100},
                               {"bullet", "si5"},
                               {"bullet", "si10"},
                               {"bullet", "si20"},
                               {"bullet", "si50"},
                               {"mujoco", "euler", 100},
                               {"mujoco", "euler-stiff", 100}};

bool trammels(const Figure& f) { return f.engine.starts_with("trammel"); }

/// Lies as deep and as still as another, or nearly.
bool as_good(const Figure& a, const Figure& b) {
  return a.depth <= std::max(b.depth, kNoOverlap) && a.speed <= std::max(b.speed, kStill);
}

void print(std::vector<Figure>& figures, Report& report) {
  const double best = best_peer(figures);
  for (Figure& f : figures) {
    f.beside = f.us_per_step() / best;
    report.keep(f);
    if (!f.failed.empty()) {
      report.note(fmt::format("{:<15} {:<12} {}", f.engine, f.solver, f.failed));
      if (trammels(f)) report.fault("Trammel's own run has failed");
      continue;
    }
    report.note(fmt::format(
        "{:<15} {:<12} {:>9.3f} {:>9.3f} {:>8.3f} {:>9.0f} {:>9.1e} {:>9.1e} {:>9.1e}{}", f.engine,
        f.solver, 1e-3 * f.us_per_step(), 1e-3 * f.late, f.us_per_step() / f.n, f.contacts, f.depth,
        f.depth_most, f.speed, f.truncated ? " cut off" : ""));
  }
}

/// Each peer's run beside the fastest of Trammel's that is as good.
void compare(const std::vector<Figure>& figures, Report& report) {
  for (const Figure& peer : figures) {
    if (trammels(peer) || !peer.failed.empty()) continue;
    const Figure* mine = nullptr;
    for (const Figure& f : figures)
      if (trammels(f) && f.failed.empty() && as_good(f, peer) &&
          (!mine || f.us_per_step() < mine->us_per_step()))
        mine = &f;
    const std::string what = fmt::format("beside {} {}", peer.engine, peer.solver);
    report.note(mine ? fmt::format("{:<28} {:<12} {:.2f}, at rest {:.2f}", what, mine->solver,
                                   mine->us_per_step() / peer.us_per_step(), mine->late / peer.late)
                     : what + ": none of Trammel's lies as still");
  }
}

void measure(const char* scene, int n, double seconds, Options options, Report& report) {
  options.cap = std::max(options.cap, kCap);
  std::vector<Job> jobs;
  for (const Runner& r : kRunners)
    if (n <= r.most) jobs.push_back({r.program, {scene, n, kStep, seconds, r.solver, kCap}});
  report.note(fmt::format("\n{}, N = {}, {} s at 1/240 s; overlaps and speeds in the last third",
                          scene, n, seconds));
  report.note(fmt::format("{:<15} {:<12} {:>9} {:>9} {:>8} {:>9} {:>9} {:>9} {:>9}", "engine",
                          "solver", "ms/step", "late", "us/body", "touching", "mean [m]",
                          "most [m]", "rms [m/s]"));
  std::vector<Figure> figures = run_in_turn(jobs, options);
  print(figures, report);
  compare(figures, report);
}

}  // namespace

void bench_piles(const Options& options, Report& report) {
  measure("pile", 100, 3, options, report);
  measure("pile", 1000, 3, options, report);
}

/// Minutes of CPU time.
void bench_heaps(const Options& options, Report& report) {
  measure("pile", 10000, 1.5, options, report);
  measure("balls", 10000, 1.5, options, report);
}

}  // namespace trammel::bench
