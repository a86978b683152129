// The wagon's scene from its file to its end, as a user runs it: loop over time, events and
// accounts included, results and pictures not.
#include <fmt/core.h>

#include <cstdlib>

#include "bench.h"
#include "io/scene.h"
#include "process.h"
#include "sim/simulation.h"

namespace trammel::bench {

namespace {

io::LoadedScene load(const std::string& file) {
  auto loaded = io::load_scene(file);
  if (const auto* problems = std::get_if<io::SceneProblems>(&loaded)) {
    for (const io::SceneProblem& p : *problems) fmt::print(stderr, "{}\n", to_text(p));
    std::exit(2);
  }
  return std::get<io::LoadedScene>(std::move(loaded));
}

double run_once(const io::LoadedScene& wagon, Figure& figure) {
  sim::Simulation sim(wagon.built, wagon.scene.settings);
  const double before = cpu_seconds();
  while (!sim.finished() && sim.advance()) {
  }
  const double seconds = cpu_seconds() - before;
  if (!sim.failure().empty()) fmt::print(stderr, "wagon: {}\n", sim.failure());
  const sim::Summary& s = sim.summary();
  figure.simulated = s.simulated;
  figure.steps = s.steps;
  figure.drift = s.max_gap;
  figure.energy = s.energy_residual_rel();
  figure.final_pos = sim.formulation().now().T_WO.back().p;
  return seconds;
}

}  // namespace

void bench_wagon(const Options& options, Report& report) {
  reset_peak();
  const io::LoadedScene wagon = load((options.scenes / "stn02_wagon.toml").string());
  Figure f{"stn02_wagon", "rattle-2", 1, wagon.scene.settings.step};
  std::vector<double> seconds;
  for (int i = 0; i < options.repetitions; ++i) seconds.push_back(run_once(wagon, f));
  take_median(std::move(seconds), f);
  f.peak_rss_kb = peak_rss_kb();
  report.line(f);
}

}  // namespace trammel::bench
