#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "cli/command.h"
#include "cli/log.h"
#include "cli/results_input.h"
#include "cli/run_folder.h"
#include "cli/text_file.h"
#include "io/json.h"
#include "report/report.h"

namespace trammel::cli {

namespace {

namespace fs = std::filesystem;

struct ReportArguments {
  std::string results, output;
  double megabytes = 10;
  bool json = false;
};

std::string thinned(const report::Report& made, double megabytes) {
  std::string out;
  if (made.frames < made.frames_of_run)
    out = fmt::format("{} of {} frames, so that it takes no more than {:g} MB", made.frames,
                      made.frames_of_run, megabytes);
  if (!made.left_out.empty())
    out += fmt::format("{}left out: {}", out.empty() ? "" : "; ", fmt::join(made.left_out, ", "));
  return out;
}

void say(const ReportArguments& a, const report::Report& made, const std::string& output) {
  if (a.json)
    fmt::print("{}", io::Json()
                         .begin('{')
                         .field("output", output)
                         .field("bytes", made.html.size())
                         .field("frames", made.frames)
                         .field("frames_of_run", made.frames_of_run)
                         .field("left_out", made.left_out)
                         .end()
                         .text());
  if (!made.no_shapes.empty())
    log::warning(fmt::format(
        "the page shows neither shapes nor tracks, its scene cannot be read: {}", made.no_shapes));
  if (const std::string text = thinned(made, a.megabytes); !text.empty())
    log::info("the page has " + text);
  log::info(fmt::format("report: {} ({:.1f} MB); open it in a browser", output,
                        static_cast<double>(made.html.size()) / 1e6));
}

int report_results(const ReportArguments& a) {
  const io::ResultsReader results = open_results(a.results);
  const bool folder = fs::is_directory(a.results);
  report::Options options;
  options.most_bytes = a.megabytes * 1e6;
  if (folder) {
    for (const std::string& text : changed_files(a.results)) log::warning(text);
    options.summary = text_beside(a.results, kSummaryName);
    options.verify = text_beside(a.results, "verify.json");
  }
  const report::Report made = report::make(results, options);
  const std::string output = !a.output.empty() ? a.output
                             : folder          ? (fs::path(a.results) / kPageName).string()
                                               : std::string(kPageName);
  write_text(output, made.html);
  say(a, made, output);
  return kDone;
}

}  // namespace

void add_report(CLI::App& program, Action& action) {
  CLI::App* c = program.add_subcommand(
      "report", "One page of a run for any browser: moving picture, plots, events, energy");
  const auto a = std::make_shared<ReportArguments>();
  c->add_option("RESULTS", a->results, "A folder of results or its results.h5")->required();
  c->add_option("-o,--output", a->output, "The page (report.html in the folder)")
      ->type_name("FILE");
  c->add_option("--megabytes", a->megabytes,
                "At most so many (10): frames are left out evenly above it, which the page shows")
      ->type_name("N")
      ->check(CLI::Range(1.0, 1000.0));
  c->add_flag("--json", a->json, "What was written as JSON on stdout");
  c->footer(
      "Examples:\n"
      "  trammel report out/pendulum\n"
      "  trammel report out/stn02_wagon -o wagon.html --megabytes 30\n"
      "The page holds viewer, scene and results: it opens from disk and asks no other host for\n"
      "anything.");
  c->callback([&action, a] { action = [a] { return report_results(*a); }; });
}

}  // namespace trammel::cli
