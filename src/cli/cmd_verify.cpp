#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "cli/command.h"
#include "cli/scene_input.h"
#include "cli/text_file.h"
#include "cli/verify_report.h"

namespace trammel::cli {

namespace {

namespace fs = std::filesystem;

struct Arguments {
  std::string scene, folder, horizon;
  std::vector<std::string> sets;
  bool full = false, json = false;
};

void write_report(const std::string& folder, const verify::Report& report, const std::string& title,
                  const std::string& json) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw InputError(fmt::format("{} cannot be made: {}", folder, error.message()));
  write_text((fs::path(folder) / "verify.json").string(), json);
  write_text((fs::path(folder) / "verify.svg").string(), verify_picture(report, title));
}

int verify_scene(const Arguments& a) {
  std::vector<io::Override> overrides;
  for (const std::string& set : a.sets) overrides.push_back(parse_override(set));
  if (!a.horizon.empty()) overrides.push_back({"simulation.duration", a.horizon});
  const auto prepared = prepare(a.scene, overrides);
  if (const auto* problems = std::get_if<io::SceneProblems>(&prepared)) {
    print_problems(*problems, a.json);
    return kInput;
  }
  const io::LoadedScene& loaded = std::get<Prepared>(prepared).loaded;
  const sim::Settings& settings = loaded.scene.settings;
  verify::Options options;
  options.choose_horizon = !a.full && a.horizon.empty();
  const verify::Report report = verify::verify(loaded.built, settings, options);
  const std::string& name = loaded.scene.builder.name;
  const std::string title = loaded.scene.title.empty() ? name : loaded.scene.title;
  const std::string json = verify_json(report, name, settings.duration);
  if (!a.folder.empty()) write_report(a.folder, report, title, json);
  fmt::print("{}", a.json ? json : verify_text(report, title, settings.duration));
  return report.agrees() ? kDone : kDisagrees;
}

}  // namespace

void add_verify(CLI::App& program, Action& action) {
  CLI::App* c = program.add_subcommand(
      "verify", "Solve a scene in several ways, refine each, and compare what they tend to");
  const auto a = std::make_shared<Arguments>();
  c->add_option("SCENE", a->scene, "The scene, a TOML file")->required();
  c->add_option("-o,--output", a->folder, "Folder for verify.json and verify.svg")
      ->type_name("DIR");
  CLI::Option* horizon =
      c->add_option("--horizon", a->horizon, "How long to compare (what takes about a minute)")
          ->type_name("TIME");
  c->add_flag("--full", a->full, "Compare over the whole duration of the scene")->excludes(horizon);
  c->add_option("--set", a->sets, "Change a value of the scene, as often as needed")
      ->type_name("PATH=VALUE")
      ->expected(1)
      ->take_all();
  c->add_flag("--json", a->json, "As JSON on stdout");
  c->footer(
      "The exit code is 0 if all ways agree within what their refinement explains, else 1.\n"
      "Examples:\n"
      "  trammel verify scenes/fourbar.toml\n"
      "  trammel verify scenes/robot_arm.toml --horizon \"2 s\" -o out/verify");
  c->callback([&action, a] { action = [a] { return verify_scene(*a); }; });
}

}  // namespace trammel::cli
