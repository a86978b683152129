#include <CLI/CLI.hpp>
#include <memory>

#include "cli/command.h"
#include "cli/live_address.h"
#include "cli/log.h"
#include "cli/play.h"

namespace trammel::cli {

namespace {

struct PlayArguments {
  PlayOptions options;
  std::vector<std::string> sets;
  bool no_plots = false;
};

int play(const PlayArguments& a) {
  PlayOptions options = a.options;
  options.plots = !a.no_plots;
  for (const std::string& text : a.sets) options.overrides.push_back(parse_override(text));
  return play_scene(options);
}

/// As a page may ask for.
std::string wrong_speed(const std::string& text) {
  const auto parsed = serve::parse_command("speed " + text);
  const auto* wrong = std::get_if<std::string>(&parsed);
  return wrong ? *wrong : "";
}

}  // namespace

void add_play(CLI::App& program, Action& action) {
  CLI::App* c = program.add_subcommand(
      "play", "Run a scene at the pace of the clock and drive it from a browser");
  const auto a = std::make_shared<PlayArguments>();
  c->add_option("SCENE", a->options.scene, "The scene, a TOML file")->required();
  c->add_option("-o,--output", a->options.folder,
                "Folder of the results (out/<name of the scene file>)")
      ->type_name("DIR");
  c->add_flag("--force", a->options.force, "Replace the results that are there");
  c->add_option("--set", a->sets, "Change a value of the scene, as often as needed")
      ->type_name("PATH=VALUE")
      ->expected(1)
      ->take_all();
  c->add_option("--speed", a->options.speed,
                "Seconds simulated in one of the clock, 0.01 to 100 (1); 0: as fast as it can")
      ->type_name("X")
      ->check(CLI::Validator(wrong_speed, ""));
  add_port(*c, a->options.port);
  c->add_option("--threads", a->options.threads,
                "Threads that share large steps (all cores); results do not depend on it")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  c->add_flag("--json", a->options.json,
              "Summary as JSON on stdout; the address is on stderr then");
  c->add_flag("--accept-inaccuracy", a->options.accept,
              "End with 0 where the results are not to be trusted (3); the warnings stay");
  c->add_flag("--quiet", a->options.quiet, "No summary table");
  c->add_flag("--no-plots", a->no_plots, "Leave out the plots of the scene");
  c->footer(
      "Examples:\n"
      "  trammel play scenes/drive/tower_crane.toml\n"
      "  trammel play scenes/drive/wagon.toml -o out/drive --force --speed 2\n"
      "  trammel run scenes/drive/wagon.toml --inputs out/drive/inputs.csv -o out/again\n"
      "It prints an address for a browser on this machine; the run begins with the first page.\n"
      "The folder is that of a run, with inputs.csv besides, from which 'trammel run --inputs'\n"
      "makes the same results to the bit. Ctrl-C keeps them (exit code 130).");
  c->callback([&action, a] { action = [a] { return play(*a); }; });
}

}  // namespace trammel::cli
