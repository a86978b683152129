#include "cli/conduct.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "cli/chart.h"
#include "cli/command.h"
#include "cli/given_inputs.h"
#include "cli/log.h"
#include "cli/run_folder.h"
#include "cli/text_file.h"
#include "io/checkpoint_file.h"
#include "io/whole_file.h"
#include "plot/figure.h"
#include "units/printable.h"

namespace trammel::cli {

namespace fs = std::filesystem;

void warn(const std::vector<sim::Warning>& warnings) {
  for (const sim::Warning& w : warnings)
    log::warning(fmt::format("{} {}", name_of(w.kind), sim::sentence(w)));
}

int distrust(const std::vector<sim::Warning>& warnings, const Way& way, const std::string& scene) {
  std::string kinds;
  for (const sim::Warning& w : warnings)
    if (w.grave) kinds += fmt::format("{}{}", kinds.empty() ? "" : ", ", name_of(w.kind));
  const std::string text = fmt::format(
      "the results in {} are not to be trusted: {}; 'trammel verify {}' compares them "
      "with other formulations and steps",
      way.folder, kinds, scene);
  if (way.accept) {
    log::warning(text);
    return kDone;
  }
  log::error(text + "; --accept-inaccuracy goes on with them");
  return kNumbers;
}

namespace {

void name_method(const form::Settings& s, RunReport& report) {
  if (s.formulation == form::Settings::Formulation::acceleration) {
    const RungeKutta method(s.method, 0);
    report.formulation = "acceleration";
    report.scheme = name_of(s.method);
    report.order = method.order();
    report.accuracy = method.estimates_error() ? s.accuracy.length : 0;
    return;
  }
  if (s.formulation == form::Settings::Formulation::energy) {
    report.formulation = "energy";
    report.scheme = form::name_of(s.difference);
    report.order = form::order_of(s.difference);
    return;
  }
  report.scheme = s.scheme == form::Settings::Scheme::rattle ? "rattle" : "baumgarte";
  report.order = report.scheme == "rattle" ? s.order : 1;
}

void fill(const Prepared& p, const std::vector<io::Override>& overrides, RunReport& report) {
  const io::Scene& scene = p.loaded.scene;
  report.scene = scene.builder.name;
  report.title = scene.title;
  report.file = scene.file;
  name_method(scene.settings.form, report);
  report.step = scene.settings.step;
  report.duration = scene.settings.duration;
  report.counts = count_parts(p.loaded.built);
  report.notes = notes(p.loaded.built, p.loaded.scene.settings.form);
  report.start = p.loaded.built.start;
  for (const io::Override& o : overrides) report.overrides.push_back(o.path + "=" + o.value);
}

void draw_plots(const Prepared& p, const fs::path& folder, RunReport& report) {
  if (p.loaded.scene.settings.plots.empty()) return;
  const io::ResultsReader results((folder / kResultsName).string());
  for (sim::PlotSpec plot : p.loaded.scene.settings.plots) {
    if (plot.title.empty()) plot.title = p.loaded.scene.title;
    const std::string name = plot.name + ".svg";
    write_text((folder / name).string(), plot::render(make_chart(plot, results)));
    report.outputs.push_back(name);
  }
}

std::string resume_hint(const std::string& folder) {
  try {
    io::read_checkpoints(folder);
    return fmt::format("; to go on: trammel resume {}", folder);
  } catch (const io::CheckpointError&) {
    return "; there is no checkpoint to go on from";
  }
}

int finish(const RunReport& report, const Way& way) {
  warn(report.warnings);
  const std::string kept = fmt::format("{} frames up to t = {:.6g} s are kept in {}", report.frames,
                                       report.summary.simulated, report.folder);
  if (report.status == "failed") {
    log::error(fmt::format("the numbers went bad at {}; {}", report.failure, kept));
    return kNumbers;
  }
  if (report.status == "inaccurate") return distrust(report.warnings, way, report.file);
  if (report.status == "done") return kDone;
  log::warning(fmt::format("interrupted; {}{}", kept, resume_hint(report.folder)));
  return kInterrupted;
}

void write_outputs(const Prepared& p, const Way& way, RunReport& report) {
  const fs::path folder = way.folder;
  report.outputs = {kResultsName, kSummaryName, "scene.toml"};
  write_text((folder / "scene.toml").string(), p.loaded.scene.text);
  std::error_code error;
  if (fs::exists(folder / kInputsName, error)) report.outputs.emplace_back(kInputsName);
  if (way.plots) draw_plots(p, folder, report);
  write_text((folder / kSummaryName).string(), summary_json(report));
  write_digests(folder, report.outputs);
}

}  // namespace

int conduct(const Prepared& p, const Way& way, const Conducted& go) {
  RunReport report;
  fill(p, way.overrides, report);
  report.folder = way.folder;
  std::unique_ptr<Recording> recording;
  const auto stopped = [&](const std::exception& e) {
    recording.reset();  // what can be brought into the file is
    log::error(fmt::format("{}; {}{}", e.what(), kept_in(way.folder), resume_hint(way.folder)));
    return kInput;
  };
  try {
    go(recording, report);
    write_outputs(p, way, report);
    if (report.ended()) recording->complete();
  } catch (const io::ResultsError& e) {
    return stopped(e);
  } catch (const io::CheckpointError& e) {
    return stopped(e);
  } catch (const InputError& e) {
    return stopped(e);
  } catch (const io::FileError& e) {
    return stopped(e);
  }
  if (way.json)
    fmt::print("{}", summary_json(report));
  else if (!way.quiet)
    fmt::print("{}", units::printable(summary_text(report)));
  return finish(report, way);
}

void check_room(const Prepared& p, const std::string& path) {
  constexpr double kMost = 20e9;  // bytes
  const Room room = room_for(p);
  const fs::path folder = path;
  std::error_code error;
  fs::path there = folder.lexically_normal();
  while (!there.empty() && !fs::exists(there, error) && there != there.parent_path())
    there = there.parent_path();
  const fs::space_info disk = fs::space(there.empty() ? fs::path(".") : there, error);
  const double free = error ? INFINITY : static_cast<double>(disk.available);
  if (room.bytes <= std::min(kMost, free)) return;
  throw InputError(fmt::format(
      "the results would take {} ({:.0f} frames){}: raise simulation.output_step, or begin all the "
      "same with --any-size",
      bytes_text(room.bytes), room.frames,
      room.bytes > free ? fmt::format(", and {} has {} free", folder.string(), bytes_text(free))
                        : ""));
}

}  // namespace trammel::cli
