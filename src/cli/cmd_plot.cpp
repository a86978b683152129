#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "cli/chart.h"
#include "cli/command.h"
#include "cli/log.h"
#include "cli/results_input.h"
#include "cli/text_file.h"
#include "io/json.h"
#include "plot/figure.h"

namespace trammel::cli {

namespace {

struct PlotArguments {
  std::string results, output;
  sim::PlotSpec plot;
  bool json = false;
};

std::string default_title(const io::ResultsReader& results) {
  const auto& attributes = results.header().attributes;
  const auto title = attributes.find("title");
  if (title != attributes.end() && !title->second.empty()) return title->second;
  const auto name = attributes.find("name");
  return name != attributes.end() ? name->second : "results";
}

int plot_results(const PlotArguments& a) {
  const io::ResultsReader results = open_results(a.results);
  sim::PlotSpec plot = a.plot;
  const std::vector<io::Channel> channels = results.channels();
  const std::vector<Problem> problems = check_chart(plot, channels);
  std::string all;
  for (const Problem& p : problems) all += (all.empty() ? "" : "; ") + p.text;
  if (!problems.empty()) throw InputError(all);
  if (plot.title.empty()) plot.title = default_title(results);
  const std::string svg = plot::render(make_chart(plot, results));
  if (a.output == "-") {
    fmt::print("{}", svg);
    return kDone;
  }
  write_text(a.output, svg);
  if (a.json)
    fmt::print("{}", io::Json()
                         .begin('{')
                         .field("output", a.output)
                         .field("title", plot.title)
                         .field("x", plot.x)
                         .field("y", plot.y)
                         .field("frames", results.frames())
                         .end()
                         .text());
  else
    log::info(fmt::format("plotted into {}", a.output));
  return kDone;
}

}  // namespace

void add_plot(CLI::App& program, Action& action) {
  CLI::App* c = program.add_subcommand("plot", "Any channel over time or over another one, as SVG");
  const auto a = std::make_shared<PlotArguments>();
  a->output = "plot.svg";
  c->add_option("RESULTS", a->results, "A folder of results or its results.h5")->required();
  c->add_option("-y", a->plot.y, "A panel: channels by commas; again for the next panel")
      ->type_name("A,B,...")
      ->expected(1)
      ->take_all()
      ->required();
  c->add_option("-x", a->plot.x, "Channel along x (time)")->type_name("CHANNEL");
  const CLI::Option* output =
      c->add_option("-o,--output", a->output, "The picture (plot.svg); - is stdout")
          ->type_name("FILE");
  c->add_option("--title", a->plot.title, "Over the picture (that of the scene)")
      ->type_name("TEXT");
  CLI::Option* json = c->add_flag("--json", a->json, "What was drawn as JSON on stdout");
  c->footer(
      "'trammel info RESULTS' lists the channels.\n"
      "Examples:\n"
      "  trammel plot out/pendulum -y pivot.angle -y energy.kinetic,energy.gravity -o angle.svg\n"
      "  trammel plot out/stn02_wagon -x front.s -y front.speed");
  c->callback([&action, a, output, json] {
    if (a->output == "-" && json->count() > 0 && output->count() > 0)
      throw CLI::ValidationError("--json", "says what was drawn on stdout, where -o - draws");
    action = [a] { return plot_results(*a); };
  });
}

}  // namespace trammel::cli
