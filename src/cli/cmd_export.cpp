#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>

#include "cli/chart.h"
#include "cli/command.h"
#include "cli/log.h"
#include "cli/results_input.h"
#include "cli/text_file.h"
#include "io/csv.h"
#include "io/json.h"
#include "io/whole_file.h"
#include "report/gltf.h"
#include "report/vtk.h"

namespace trammel::cli {

namespace {

struct ExportArguments {
  std::string results, output;
  std::string to;  // empty: csv, or by the ending of the output
  std::vector<std::string> channels;
  double fps = 30;
  bool json = false, points = false;
  std::string list;  // of rows, instead of channels: its path in results
};

std::vector<std::string> names(const std::vector<std::string>& lists) {
  std::vector<std::string> out;
  for (const std::string& list : lists)
    for (const std::string& name : panel_channels(list)) out.push_back(name);
  return out;
}

/// {"channels": [{name, unit, values}]}
std::string as_json(const io::ResultsReader& results, const std::vector<std::string>& wanted) {
  std::vector<io::Channel> channels;
  if (wanted.empty()) channels = results.channels();
  for (const std::string& name : wanted) channels.push_back(results.find(name));
  io::Json out;
  out.begin('{').field("frames", results.frames()).key("channels").begin('[');
  for (const io::Channel& c : channels)
    out.begin('{')
        .field("name", c.name)
        .field("unit", c.unit)
        .field("values", results.read(c))
        .end();
  return out.end().end().text();
}

int export_numbers(const ExportArguments& a, const io::ResultsReader& results) {
  const std::vector<std::string> wanted = names(a.channels);
  for (const std::string& name : wanted) results.find(name);  // before anything is written
  const bool json = a.to == "json";
  if (json && a.output.empty())
    fmt::print("{}", as_json(results, wanted));
  else if (json)
    write_text(a.output, as_json(results, wanted));
  else if (a.output.empty())
    io::write_csv(results, wanted, stdout);
  else
    io::write_csv(results, wanted, a.output);
  if (!a.output.empty())
    log::info(fmt::format("{} frames of {} channels in {}", results.frames(),
                          wanted.empty() ? results.channels().size() : wanted.size(), a.output));
  return kDone;
}

std::string name_of(const io::ResultsReader& results) {
  const auto& attributes = results.header().attributes;
  const auto it = attributes.find("name");
  return it == attributes.end() ? "run" : it->second;
}

void write_gltf(const ExportArguments& a, const report::Drawn& drawn, const std::string& name) {
  const std::string ending = std::filesystem::path(a.output).extension().string();
  const report::Gltf made = report::to_gltf(drawn, ending == ".glb", name);
  write_text(a.output, made.bytes);
  if (made.shear > 1e-6)
    log::warning(fmt::format(
        "glTF turns and stretches bodies along their axes: shear up to {:.3g} is not in it",
        made.shear));
}

void write_vtk_folder(const ExportArguments& a, const report::Drawn& drawn) {
  try {
    report::write_vtk(drawn, a.output);
  } catch (const io::FileError& e) {
    throw InputError(e.what());
  } catch (const std::filesystem::filesystem_error& e) {
    throw InputError(fmt::format("{} cannot be made: {}", a.output, e.code().message()));
  }
}

int export_motion(const ExportArguments& a, const io::ResultsReader& results) {
  const report::Drawn drawn = report::drawn(results, a.fps);
  if (drawn.time.empty()) throw InputError(a.results + " has no frame yet");
  if (!drawn.problem.empty())
    log::warning("neither shapes nor tracks, the scene cannot be read: " + drawn.problem);
  if (a.to == "gltf")
    write_gltf(a, drawn, name_of(results));
  else
    write_vtk_folder(a, drawn);
  log::info(fmt::format("{} of {} frames of {} bodies in {}{}", drawn.time.size(),
                        drawn.frames_of_run, drawn.bodies.size(), a.output,
                        a.to == "vtk" ? ": open run.pvd in ParaView" : ""));
  return kDone;
}

/// The rows of a list in all frames.
int export_list(const ExportArguments& a, const io::ResultsReader& results) {
  const auto& lists = results.header().lists;
  const auto it =
      std::find_if(lists.begin(), lists.end(), [&](const io::Rows& l) { return l.path == a.list; });
  if (it == lists.end())
    throw InputError(a.results + " has no points of contact: nothing in its scene can touch");
  const auto list = static_cast<std::size_t>(it - lists.begin());
  if (a.output.empty())
    io::write_list_csv(results, list, stdout);
  else
    io::write_list_csv(results, list, a.output);
  if (!a.output.empty())
    log::info(fmt::format("points of contact of {} frames in {}", results.frames(), a.output));
  return kDone;
}

int export_results(const ExportArguments& a) {
  const io::ResultsReader results = open_results(a.results);
  if (!a.list.empty()) return export_list(a, results);
  return a.to == "gltf" || a.to == "vtk" ? export_motion(a, results) : export_numbers(a, results);
}

/// What the options say together; throws CLI::ValidationError.
void settle(ExportArguments& a, bool fps) {
  const std::string ending = std::filesystem::path(a.output).extension().string();
  const bool gltf = ending == ".glb" || ending == ".gltf";
  if (a.json && !a.to.empty() && a.to != "json")
    throw CLI::ValidationError("--json", "and --to " + a.to + " are two formats");
  if (a.to.empty()) a.to = a.json ? "json" : gltf ? "gltf" : "csv";
  if (gltf && a.to != "gltf")
    throw CLI::ValidationError("--to " + a.to, ending + " is the ending of glTF");
  if (!a.list.empty() && (a.to != "csv" || !a.channels.empty()))
    throw CLI::ValidationError("--contacts", "is of csv, without channels");
  const bool motion = a.to == "gltf" || a.to == "vtk";
  if (a.to == "gltf" && !gltf)
    throw CLI::ValidationError("--to gltf", "needs -o FILE that ends in .glb or .gltf");
  if (a.to == "vtk" && a.output.empty()) throw CLI::ValidationError("--to vtk", "needs -o FOLDER");
  if (motion && !a.channels.empty())
    throw CLI::ValidationError("--channels", "are of csv and json: " + a.to + " has the motion");
  if (!motion && fps) throw CLI::ValidationError("--fps", "is of gltf and vtk");
}

}  // namespace

void add_export(CLI::App& program, Action& action) {
  CLI::App* c = program.add_subcommand(
      "export", "Results as CSV or JSON, the motion as glTF or for ParaView");
  const auto a = std::make_shared<ExportArguments>();
  c->add_option("RESULTS", a->results, "A folder of results or its results.h5")->required();
  c->add_option("--to", a->to, "csv (default), json, gltf or vtk")
      ->type_name("FORMAT")
      ->check(CLI::IsMember({"csv", "json", "gltf", "vtk"}));
  c->add_option("-c,--channels", a->channels, "Channels, by commas; else all (csv, json)")
      ->type_name("A,B,...")
      ->expected(1)
      ->take_all();
  c->add_option("-o,--output", a->output,
                "Into this file instead of stdout; .glb or .gltf; of vtk a folder")
      ->type_name("FILE");
  const CLI::Option* fps =
      c->add_option("--fps", a->fps, "Frames a second at the most (30; gltf, vtk)")
          ->check(CLI::Range(1e-6, 1e6));
  c->add_flag("--contacts", a->points, "Points of contact instead, a line each (csv)");
  c->add_flag("--json", a->json, "As --to json: name, unit and values of each");
  c->footer(
      "'trammel info RESULTS' lists the channels.\n"
      "Examples:\n"
      "  trammel export out/pendulum -o pendulum.csv\n"
      "  trammel export out/pendulum --channels pivot.angle,energy.total\n"
      "  trammel export out/stn02_wagon -o wagon.glb\n"
      "  trammel export out/stn02_wagon --to vtk -o out/wagon_vtk");
  c->callback([&action, a, fps] {
    if (a->points) a->list = "/contacts/points";
    settle(*a, fps->count() > 0);
    action = [a] { return export_results(*a); };
  });
}

}  // namespace trammel::cli
