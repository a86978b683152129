#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "cli/command.h"
#include "cli/info.h"
#include "cli/log.h"
#include "cli/results_input.h"
#include "cli/run_folder.h"
#include "cli/scene_input.h"
#include "units/printable.h"

namespace trammel::cli {

namespace {

struct InfoArguments {
  std::string subject;
  InfoOptions options;
};

int info(const InfoArguments& a) {
  const bool json = a.options.json;
  if (a.options.channels || a.options.events) {
    if (!is_results(a.subject))
      throw InputError("--channels and --events go with results, not with " + a.subject);
  }
  if (a.options.latex && is_results(a.subject))
    throw InputError("--latex goes with a scene, not with results");
  if (a.subject == "joints") {
    fmt::print("{}", info_joints(json));
  } else if (a.subject == "laws") {
    fmt::print("{}", info_laws(json));
  } else if (a.subject == "units") {
    fmt::print("{}", info_units(json));
  } else if (is_results(a.subject)) {
    if (std::filesystem::is_directory(a.subject))
      for (const std::string& text : changed_files(a.subject)) log::warning(text);
    fmt::print("{}", units::printable(info_results(open_results(a.subject), a.options)));
  } else {
    const auto prepared = prepare(a.subject, {});
    if (const auto* problems = std::get_if<io::SceneProblems>(&prepared)) {
      print_problems(*problems, json);
      return kInput;
    }
    const Prepared& scene = std::get<Prepared>(prepared);
    if (!a.options.latex) {
      fmt::print("{}", units::printable(info_scene(scene, json)));
      return kDone;
    }
    const std::string equations = info_systems(scene.loaded.built, true);
    if (equations.empty())
      throw InputError("--latex writes the equations of systems in generalised coordinates: " +
                       a.subject + " has none");
    fmt::print("{}", equations);
  }
  return kDone;
}

}  // namespace

void add_info(CLI::App& program, Action& action) {
  CLI::App* c = program.add_subcommand("info", "What is in a scene, in results, and what there is");
  const auto a = std::make_shared<InfoArguments>();
  c->add_option("SUBJECT", a->subject, "A scene, results, or one of the lists: joints, laws, units")
      ->required();
  CLI::Option* channels = c->add_flag("--channels", a->options.channels,
                                      "Of results: every channel with its unit, one a line");
  CLI::Option* events = c->add_flag("--events", a->options.events, "Of results: every event");
  c->add_flag("--latex", a->options.latex,
              "Of a scene: the equations of its systems in generalised coordinates, in LaTeX");
  c->add_flag("--json", a->options.json, "All of it as JSON on stdout")
      ->excludes(channels)
      ->excludes(events);
  c->footer(
      "Examples:\n"
      "  trammel info scenes/fourbar.toml\n"
      "  trammel info out/fourbar --channels\n"
      "  trammel info joints");
  c->callback([&action, a] { action = [a] { return info(*a); }; });
}

}  // namespace trammel::cli
