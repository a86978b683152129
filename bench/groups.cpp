// The groups of scenes that all engines know.
#include <fmt/core.h>

#include <cmath>

#include "beside.h"

namespace trammel::bench {

namespace {

constexpr double kStep = 1e-3;  // [s]

/// One engine with one solver, and the largest N of a group that it is asked for.
struct Runner {
  const char *program, *solver;
  int most = 1 << 30;
};

struct Size {
  int n;
  double seconds;
};

void side_by_side(const char* scene, std::span<const Size> sizes, std::span<const Runner> runners,
                  const Options& options, Report& report) {
  for (const auto& [n, seconds] : sizes) {
    std::vector<Job> jobs;
    for (const Runner& r : runners)
      if (n <= r.most) jobs.push_back({r.program, {scene, n, kStep, seconds, r.solver}});
    report.beside(fmt::format("{}, N = {}, {} s at 1 ms", scene, n, seconds),
                  run_in_turn(jobs, options));
  }
}

}  // namespace

void bench_chain(const Options& options, Report& report) {
  constexpr Size kSizes[] = {{1, 5}, {10, 5}, {100, 5}, {1000, 1}, {10000, 0.1}, {100000, 0.01}};
  // dWorldStep and MuJoCo take N^3: at 1000 links one step of theirs takes more than a second;
  // btMultiBody takes memory as N^2, 7 GB at 10 000 links
  constexpr Runner kRunners[] = {{"trammel", "rattle-2"},
                                 {"trammel", "rattle-4", 1000},
                                 {"trammel", "baumgarte", 1000},
                                 {"ode", "world", 100},
                                 {"ode", "quick50"},
                                 {"bullet", "si50", 10000},
                                 {"bullet", "mb", 10000},
                                 {"mujoco", "euler", 100},
                                 {"mujoco", "rk4", 100},
                                 {"simbody", "see"},
                                 {"simbody", "see2", 1000},
                                 {"simbody", "rkm-1e-5", 1000}};
  side_by_side("chain", kSizes, kRunners, options, report);
}

/// Bytes a link. No peer does a step of this in minutes; theirs are in the chain's lines.
void bench_memory(const Options& options, Report& report) {
  constexpr Size kSizes[] = {{1000000, kStep}};
  constexpr Runner kRunners[] = {{"trammel", "rattle-2"}, {"hand", "rattle-2"}};
  Options once = options;
  once.repetitions = 1;
  side_by_side("chain", kSizes, kRunners, once, report);
}

void bench_fourbar(const Options& options, Report& report) {
  constexpr Size kSizes[] = {{2, 10}, {40, 10}};
  // Simbody's error-controlled methods lose the branch in the singular configurations: not asked
  constexpr Runner kRunners[] = {
      {"trammel", "rattle-2"}, {"trammel", "rattle-4"},   {"ode", "world"},
      {"ode", "quick50"},      {"bullet", "si50"},        {"mujoco", "euler"},
      {"mujoco", "rk4"},       {"mujoco", "euler-stiff"}, {"mujoco", "rk4-stiff"},
      {"simbody", "see"},      {"simbody", "see2"}};
  side_by_side("fourbar", kSizes, kRunners, options, report);
}

void bench_slider(const Options& options, Report& report) {
  constexpr Size kSizes[] = {{100, 2}, {1000, 2}};
  constexpr Runner kRunners[] = {
      {"trammel", "rattle-2"}, {"trammel", "rattle-4"}, {"ode", "world"},       {"ode", "quick50"},
      {"bullet", "si50"},      {"bullet", "mb"},        {"mujoco", "euler"},    {"mujoco", "rk4"},
      {"simbody", "see"},      {"simbody", "see2"},     {"simbody", "rkm-1e-5"}};
  side_by_side("slider", kSizes, kRunners, options, report);
}

void bench_hand(const Options& options, Report& report) {
  constexpr Size kSizes[] = {{1, 5}, {10, 2}, {100, 1}, {1000, 1}, {10000, 0.1}, {100000, 0.01}};
  constexpr double kSame = 1e-9;  // [m]: rounding, grown in the chain's motion
  for (const auto& [n, seconds] : kSizes) {
    const Case wanted{"chain", n, kStep, seconds, "rattle-2"};
    const auto figures = run_in_turn({{"trammel", wanted}, {"hand", wanted}}, options);
    report.beside(fmt::format("chain by hand, N = {}, {} s at 1 ms", n, seconds), figures);
    if (!figures[0].failed.empty() || !figures[1].failed.empty()) continue;
    report.note(fmt::format("the engine takes {:.2f} times as long",
                            figures[0].us_per_step() / figures[1].us_per_step()));
    const double apart = (figures[0].final_pos - figures[1].final_pos).norm();
    if (!(apart <= kSame)) report.fault(fmt::format("the last links are {:.1e} m apart", apart));
  }
}

}  // namespace trammel::bench
