#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "math/types.h"
#include "model/builder.h"

/// The benchmarks: groups of scenarios, each measured a few times in process CPU time.
namespace trammel::bench {

/// What is said of one scenario: a line of the table, and of the JSON file.
struct Figure {
  std::string scenario, solver;
  int n = 1;                      // links, vehicles, rows
  double dt = 0, simulated = 0;   // [s]
  long steps = 0;                 // or calls, where nothing moves in time
  double seconds = 0;             // CPU, median of the repetitions
  double spread = 0;              // (slowest - fastest)/median
  double drift = 0;               // worst gap of a joint [m]
  double energy = 0;              // worst imbalance, relative
  Vec3 final_pos = Vec3::Zero();  // of the last body [m]
  long peak_rss_kb = 0;
};

struct Options {
  int repetitions = 3;
  std::filesystem::path scenes;  // the folder
};

using Emit = std::function<void(const Figure&)>;

double cpu_seconds();  // of this process
/// Peak memory is counted from here on.
void reset_peak();
long peak_rss_kb();
/// Fills seconds and spread of the figure from one time a repetition.
void take_median(std::vector<double> seconds, Figure& out);

/// The mechanism, or a message and exit: a benchmark's model has no mistakes.
model::Built built(const model::Builder& builder);

void bench_chain(const Options& options, const Emit& emit);
void bench_wagon(const Options& options, const Emit& emit);
void bench_track(const Options& options, const Emit& emit);
void bench_rows(const Options& options, const Emit& emit);

}  // namespace trammel::bench
