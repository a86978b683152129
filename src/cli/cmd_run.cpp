#include <CLI/CLI.hpp>
#include <memory>

#include "cli/run_scene.h"
#include "math/parallel.h"

namespace trammel::cli {

namespace {

struct RunArguments {
  RunOptions options;
  std::vector<std::string> sets;
  std::string duration, step, output_step, checkpoint_interval, checkpoint_steps;
  bool no_plots = false;
};

void add_override(const char* path, const std::string& value, std::vector<io::Override>& out) {
  if (!value.empty()) out.push_back({path, value});
}

int run(const RunArguments& a) {
  RunOptions options = a.options;
  parallel::set_threads(options.threads);
  options.plots = !a.no_plots;
  for (const std::string& text : a.sets) options.overrides.push_back(parse_override(text));
  add_override("simulation.duration", a.duration, options.overrides);
  add_override("simulation.step", a.step, options.overrides);
  add_override("simulation.output_step", a.output_step, options.overrides);
  add_override("simulation.checkpoint_interval", a.checkpoint_interval, options.overrides);
  add_override("simulation.checkpoint_steps", a.checkpoint_steps, options.overrides);
  return run_scene(options);
}

}  // namespace

void add_run(CLI::App& program, Action& action) {
  CLI::App* c =
      program.add_subcommand("run", "Run a scene: results, summary and plots into a folder");
  const auto a = std::make_shared<RunArguments>();
  c->add_option("SCENE", a->options.scene, "The scene, a TOML file")->required();
  c->add_option("-o,--output", a->options.folder,
                "Folder of the results (out/<name of the scene file>)")
      ->type_name("DIR");
  c->add_flag("--force", a->options.force, "Replace the results that are there");
  c->add_option("--set", a->sets, "Change a value of the scene, as often as needed")
      ->type_name("PATH=VALUE")
      ->expected(1)
      ->take_all();
  c->add_option("--duration", a->duration, "Instead of simulation.duration")->type_name("TIME");
  c->add_option("--step", a->step, "Instead of simulation.step")->type_name("TIME");
  c->add_option("--output-step", a->output_step, "Instead of simulation.output_step")
      ->type_name("TIME");
  c->add_option("--checkpoint-interval", a->checkpoint_interval,
                "Instead of simulation.checkpoint_interval, of the wall clock")
      ->type_name("TIME");
  c->add_option("--checkpoint-steps", a->checkpoint_steps, "Instead of simulation.checkpoint_steps")
      ->type_name("N");
  c->add_option("--threads", a->options.threads,
                "Threads that share large steps (all cores); results do not depend on it")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  c->add_option("--inputs", a->options.inputs,
                "A recording of the inputs, as 'trammel play' leaves it (inputs.csv)")
      ->type_name("FILE");
  c->add_flag("--any-size", a->options.any_size,
              "Begin even if the results take more than 20 GB or than the disk has free");
  c->add_flag("--json", a->options.json, "Summary as JSON on stdout");
  c->add_flag("--accept-inaccuracy", a->options.accept,
              "End with 0 where the results are not to be trusted (3); the warnings stay");
  c->add_flag("--quiet", a->options.quiet, "No progress, no summary table");
  c->add_flag("--no-plots", a->no_plots, "Leave out the plots of the scene");
  c->footer(
      "Examples:\n"
      "  trammel run scenes/pendulum.toml\n"
      "  trammel run scenes/pendulum.toml -o /tmp/p --force --set body.bob.mass=\"3 kg\" --step "
      "\"0.5 ms\"\n"
      "  trammel run scenes/pendulum.toml --json --quiet | jq .energy_residual_rel\n"
      "  trammel run scenes/drive/wagon.toml --inputs out/wagon/inputs.csv -o out/again\n"
      "  trammel run scenes/stn02_wagon.toml --checkpoint-interval \"1 min\"\n"
      "The folder holds results.h5, summary.json, scene.toml, the plots and two checkpoints. "
      "Ctrl-C "
      "ends\n"
      "a run early and keeps its results (exit code 130); 'trammel resume DIR' goes on with it, as "
      "after\n"
      "a kill. A run says on stderr how far its numbers can be trusted; where they cannot, it ends "
      "with 3.");
  c->callback([&action, a] { action = [a] { return run(*a); }; });
}

}  // namespace trammel::cli
