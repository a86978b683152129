#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/chart.h"
#include "cli/command.h"
#include "cli/log.h"
#include "cli/results_input.h"
#include "cli/text_file.h"
#include "io/csv.h"
#include "io/json.h"

namespace trammel::cli {

namespace {

struct ExportArguments {
  std::string results, output;
  std::vector<std::string> channels;
  bool json = false;
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

int export_results(const ExportArguments& a) {
  const io::ResultsReader results = open_results(a.results);
  const std::vector<std::string> wanted = names(a.channels);
  for (const std::string& name : wanted) results.find(name);  // before anything is written
  if (a.json && a.output.empty())
    fmt::print("{}", as_json(results, wanted));
  else if (a.json)
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

}  // namespace

void add_export(CLI::App& program, Action& action) {
  CLI::App* c = program.add_subcommand("export", "Results as comma-separated values");
  const auto a = std::make_shared<ExportArguments>();
  c->add_option("RESULTS", a->results, "A folder of results or its results.h5")->required();
  c->add_option("-c,--channels", a->channels, "Channels, by commas; else all")
      ->type_name("A,B,...")
      ->expected(1)
      ->take_all();
  c->add_option("-o,--output", a->output, "Into this file instead of stdout")->type_name("FILE");
  c->add_flag("--json", a->json, "As JSON instead: name, unit and values of each channel");
  c->footer(
      "'trammel info RESULTS' lists the channels.\n"
      "Examples:\n"
      "  trammel export out/pendulum -o pendulum.csv\n"
      "  trammel export out/pendulum --channels pivot.angle,energy.total");
  c->callback([&action, a] { action = [a] { return export_results(*a); }; });
}

}  // namespace trammel::cli
