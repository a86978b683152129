#pragma once

#include <filesystem>
#include <memory>

#include "engine.h"
#include "model/builder.h"
#include "report.h"

/// The benchmarks: groups of scenarios, each measured a few times in process CPU time.
namespace trammel::bench {

struct Options {
  int repetitions = 3;  // of a process, engines taking turns; or of a run in this one
  double cap = 5;       // CPU seconds of stepping after which a peer's run is cut off
  bool peers = true;
  std::filesystem::path scenes;  // the folder
};

/// The mechanism, or a message and exit: a benchmark's model has no mistakes.
model::Built built(const model::Builder& builder);

/// Trammel's adapter. Solvers: rattle-2, rattle-4 (composed to order 4), baumgarte.
std::unique_ptr<Engine> make_trammel(const Scene& scene, const Case& wanted);
/// The chain by hand, rattle-2 only.
std::unique_ptr<Engine> make_hand(const Scene& scene, const Case& wanted);

// Groups in this process, Trammel alone.
void bench_wagon(const Options& options, Report& report);
void bench_track(const Options& options, Report& report);
void bench_rows(const Options& options, Report& report);
void bench_threads(const Options& options, Report& report);
void bench_affine(const Options& options, Report& report);
void bench_control(const Options& options, Report& report);
void bench_contact(const Options& options, Report& report);

// Groups of scenes that all engines know, side by side.
void bench_chain(const Options& options, Report& report);
void bench_memory(const Options& options, Report& report);
void bench_fourbar(const Options& options, Report& report);
void bench_slider(const Options& options, Report& report);
void bench_hand(const Options& options, Report& report);
void bench_precision(const Options& options, Report& report);
void bench_piles(const Options& options, Report& report);
void bench_heaps(const Options& options, Report& report);

}  // namespace trammel::bench
