#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "cli/command.h"
#include "cli/log.h"
#include "cli/results_input.h"
#include "cli/run_folder.h"
#include "io/json.h"
#include "io/recover.h"

namespace trammel::cli {

namespace {

std::string said(const std::string& file, const io::Recovery& r) {
  const std::string holds =
      fmt::format("{} frames up to t = {:.6g} s and {} events", r.frames, r.until, r.events);
  if (r.was_good) return fmt::format("{} is whole and was left as it is: {}", file, holds);
  if (r.kept.empty()) return fmt::format("{}: saved {}, all that there was", file, holds);
  const std::string gaps = r.lost.empty() ? "" : fmt::format("; lost among them: {}", r.lost);
  return fmt::format("{}: saved {}{}; the damaged file is {}", file, holds, gaps, r.kept);
}

int recover_results(const std::string& path, bool json) {
  const std::string file = results_file(path);
  std::filesystem::path folder = std::filesystem::path(file).parent_path();
  if (folder.empty()) folder = ".";
  const FolderLock lock(folder);
  const io::Recovery r = io::recover(file);
  log::info(said(file, r));
  if (json)
    fmt::print("{}", io::Json()
                         .begin('{')
                         .field("file", file)
                         .field("was_good", r.was_good)
                         .field("frames", r.frames)
                         .field("until_s", r.until)
                         .field("events", r.events)
                         .field("damaged", r.kept)
                         .field("lost", r.lost)
                         .end()
                         .text());
  return kDone;
}

}  // namespace

void add_recover(CLI::App& program, Action& action) {
  CLI::App* c = program.add_subcommand(
      "recover", "Make results readable by every tool after a kill, or with part of them lost");
  const auto path = std::make_shared<std::string>();
  const auto json = std::make_shared<bool>(false);
  c->add_option("RESULTS", *path, "A folder of results or its results.h5")->required();
  c->add_flag("--json", *json, "What was saved as JSON on stdout");
  c->footer(
      "Examples:\n"
      "  trammel recover out/stn02_wagon\n"
      "  trammel recover out/pendulum/results.h5 --json\n"
      "What can be read goes into a new file, which then replaces the old one. Trammel itself "
      "reads "
      "the\n"
      "results of a killed run as they are, and 'trammel resume DIR' goes on with it.");
  c->callback([&action, path, json] { action = [=] { return recover_results(*path, *json); }; });
}

}  // namespace trammel::cli
