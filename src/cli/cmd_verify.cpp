#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>

#include "cli/command.h"
#include "cli/progress.h"
#include "cli/scene_input.h"
#include "cli/text_file.h"
#include "cli/verify_report.h"
#include "report/report.h"
#include "units/printable.h"

namespace trammel::cli {

namespace {

namespace fs = std::filesystem;

/// The share of a budget that the plan takes on a machine that does a unit of work in a nanosecond.
constexpr double kPartOfBudget = 0.3;

struct VerifyArguments {
  std::string scene, folder, horizon, twin;
  std::vector<std::string> sets;
  double budget = 0;  // [s]; 0: none
  bool full = false, json = false;
};

/// The budget of the wall clock, and how far it is.
verify::Watch watch_of(const VerifyArguments& a, const std::shared_ptr<Tasks>& tasks) {
  verify::Watch out;
  if (a.budget > 0) out.over = [tasks, most = a.budget] { return tasks->wall() >= most; };
  out.show = [tasks](const std::string& what, double part) { tasks->show(what, part); };
  return out;
}

void write_report(const std::string& folder, const verify::Report& report, const std::string& title,
                  const std::string& json) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw InputError(fmt::format("{} cannot be made: {}", folder, error.message()));
  write_text((fs::path(folder) / "verify.json").string(), json);
  write_text((fs::path(folder) / "verify.svg").string(), verify_picture(report, title));
}

/// The motion that was checked, and how the ways of solving tend to it.
void write_page(const std::string& folder, const std::string& json) {
  report::Options options;
  options.verify = json;
  const fs::path place(folder);
  const io::ResultsReader results((place / "verify.h5").string());
  write_text((place / "verify.html").string(), report::make(results, options).html);
}

/// A folder that is gone with this object.
class Scratch {
 public:
  Scratch() {
    std::string name = (fs::temp_directory_path() / "trammel_verify_XXXXXX").string();
    if (!mkdtemp(name.data()))
      throw InputError(fmt::format("{} cannot be made: {}", name, std::strerror(errno)));
    path_ = name;
  }
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// The results that the check is made on stay in `folder`, if any.
void check_alone(const Prepared& prepared, const std::vector<io::Override>& overrides,
                 const std::string& folder, const verify::Options& options,
                 verify::Report& report) {
  const Scratch scratch;
  const fs::path place = folder.empty() ? scratch.path() : fs::path(folder);
  std::error_code error;
  fs::create_directories(place, error);
  const fs::path file = place / "verify.h5";
  fs::remove(file, error);
  try {
    const io::LoadedScene& loaded = prepared.loaded;
    verify::check_results(loaded.built, loaded.scene.settings, results_header(prepared, overrides),
                          file.string(), report, options);
  } catch (const io::ResultsError& e) {
    throw InputError(e.what());
  }
}

/// The scene to compare with; nothing: there is none, or it has problems, which were told.
std::optional<Prepared> twin_of(const VerifyArguments& a) {
  if (a.twin.empty()) return {};
  auto prepared = prepare(a.twin, {});
  if (auto* good = std::get_if<Prepared>(&prepared)) return std::move(*good);
  print_problems(std::get<io::SceneProblems>(prepared), a.json);
  return {};
}

verify::Report compared(const io::LoadedScene& loaded, const sim::Settings& settings,
                        const verify::Options& options, const std::optional<Prepared>& twin) {
  if (!twin) return verify::verify(loaded.built, settings, options);
  try {
    const io::LoadedScene& other = twin->loaded;
    return verify::verify(loaded.built, settings, options,
                          {&other.built, other.scene.settings.form});
  } catch (const std::invalid_argument& e) {
    throw InputError(fmt::format("--twin: {}", e.what()));
  }
}

Exit exit_of(verify::Verdict verdict) {
  switch (verdict) {
    case verify::Verdict::agrees:
      return kDone;
    case verify::Verdict::not_resolved:
      return kUnresolved;
    case verify::Verdict::unfinished:
      return kUnfinished;
    case verify::Verdict::disagrees:
    case verify::Verdict::ill_posed:
      break;
  }
  return kDisagrees;
}

int verify_scene(const VerifyArguments& a) {
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
  const auto tasks = std::make_shared<Tasks>(a.json);
  options.watch = watch_of(a, tasks);
  if (a.budget > 0) options.work = std::min(options.work, kPartOfBudget * a.budget * 1e9);
  const std::optional<Prepared> twin = twin_of(a);
  if (!a.twin.empty() && !twin) return kInput;
  verify::Report report = compared(loaded, settings, options, twin);
  check_alone(std::get<Prepared>(prepared), overrides, a.folder, options, report);
  tasks->clear();
  const std::string& name = loaded.scene.builder.name;
  const std::string title = loaded.scene.title.empty() ? name : loaded.scene.title;
  const std::string json = verify_json(report, name, settings.duration);
  if (!a.folder.empty()) {
    write_report(a.folder, report, title, json);
    write_page(a.folder, json);
  }
  fmt::print("{}", a.json
                       ? json
                       : units::printable(verify_text(report, title, settings.duration, a.budget)));
  return exit_of(report.verdict());
}

}  // namespace

void add_verify(CLI::App& program, Action& action) {
  CLI::App* c = program.add_subcommand(
      "verify", "Solve a scene in several ways, refine each, and compare what they tend to");
  const auto a = std::make_shared<VerifyArguments>();
  c->add_option("SCENE", a->scene, "The scene, a TOML file")->required();
  c->add_option("-o,--output", a->folder,
                "Folder for verify.html, verify.json, verify.svg and verify.h5")
      ->type_name("DIR");
  CLI::Option* horizon =
      c->add_option("--horizon", a->horizon, "How long to compare (what takes about half a minute)")
          ->type_name("TIME");
  c->add_flag("--full", a->full, "Compare over the whole duration of the scene")->excludes(horizon);
  c->add_option(
       "--twin", a->twin,
       "Another scene of the same mechanism, made of other bodies or joints: what both call "
       "by the same names has to move alike")
      ->type_name("SCENE");
  c->add_option("--budget", a->budget, "Seconds after which to stop with what was found so far")
      ->type_name("SECONDS")
      ->check(CLI::PositiveNumber);
  c->add_option("--set", a->sets, "Change a value of the scene, as often as needed")
      ->type_name("PATH=VALUE")
      ->expected(1)
      ->take_all();
  c->add_flag("--json", a->json, "As JSON on stdout");
  c->footer(
      "The exit code is 0 if all ways agree within what their refinement explains and the results\n"
      "alone show no error; 6 if they do, but one is not resolved from some time on; 5 if a "
      "budget\n"
      "was over before that was known; else 1.\n"
      "Examples:\n"
      "  trammel verify scenes/fourbar.toml\n"
      "  trammel verify scenes/robot_arm.toml --horizon \"2 s\" -o out/verify");
  c->callback([&action, a] { action = [a] { return verify_scene(*a); }; });
}

}  // namespace trammel::cli
