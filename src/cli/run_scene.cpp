#include "cli/run_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "cli/chart.h"
#include "cli/log.h"
#include "cli/recording.h"
#include "cli/run_folder.h"
#include "cli/text_file.h"
#include "io/recover.h"
#include "io/results.h"
#include "io/whole_file.h"
#include "plot/figure.h"
#include "sim/checkpoint.h"
#include "units/printable.h"
#include "version.h"

namespace trammel::cli {

namespace {

namespace fs = std::filesystem;

/// Holds what is the same for a run from its start and one that goes on.
struct Way {
  std::string folder;
  std::vector<io::Override> overrides;
  bool json = false, quiet = false, plots = true, accept = false;
};

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

void warn(const std::vector<sim::Warning>& warnings) {
  for (const sim::Warning& w : warnings)
    log::warning(fmt::format("{} {}", w.kind, sim::sentence(w)));
}

/// Says that numbers are not to be trusted, and what to do about it. Returns the exit code.
int distrust(const std::vector<sim::Warning>& warnings, const Way& way, const std::string& scene) {
  std::string kinds;
  for (const sim::Warning& w : warnings)
    if (w.grave) kinds += (kinds.empty() ? "" : ", ") + w.kind;
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
  if (way.plots) draw_plots(p, folder, report);
  write_text((folder / kSummaryName).string(), summary_json(report));
  write_digests(folder, report.outputs);
}

/// The run itself and all that it leaves; `begin` makes its Recording.
template <class Begin>
int conduct(const Prepared& p, const Way& way, Begin begin) {
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
    recording = begin();
    recording->run(report);
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

struct Found {
  io::Checkpoint checkpoint;
  Stored stored;
};

/// The latest checkpoint whose frames the results have.
Found find_checkpoint(const std::string& folder, const io::ResultsReader& results) {
  const io::Checkpoints all = io::read_checkpoints(folder);
  std::vector<std::string> complaints = all.complaints;
  const auto damage = [&](const io::CheckpointHeader& h) -> std::string {
    try {
      results.demand(h.frames);
    } catch (const io::ResultsError& e) {
      return e.what();
    }
    return {};
  };
  for (const io::Checkpoint& c : all.good) {
    Stored stored = stored_in(c);
    if (scene_hash(results.header().scene_text, stored.overrides) != c.header.scene) {
      complaints.push_back(
          fmt::format("{}: a checkpoint is of another scene than the results", folder));
    } else if (results.frames() < c.header.frames) {
      complaints.push_back(
          fmt::format("{}: the results have {} frames, fewer than the {} of a checkpoint", folder,
                      results.frames(), c.header.frames));
    } else if (const std::string wrong = damage(c.header); !wrong.empty()) {
      complaints.push_back(wrong);
    } else if (results.events().size() < c.header.events) {
      complaints.push_back(
          fmt::format("{}: the results have {} events, fewer than the {} of a checkpoint", folder,
                      results.events().size(), c.header.events));
    } else {
      for (const std::string& complaint : complaints) log::warning(complaint);
      return {c, std::move(stored)};
    }
  }
  throw InputError(fmt::format("{}", fmt::join(complaints, "\n")));
}

/// Results that this program can go on with.
io::ResultsReader own_results(const std::string& folder) {
  const fs::path file = fs::path(folder) / kResultsName;
  std::error_code error;
  if (!fs::exists(file, error))
    throw InputError(fmt::format("{} holds no {}: 'trammel run' makes one", folder, kResultsName));
  io::ResultsReader results = [&] {
    try {
      return io::ResultsReader(file.string());
    } catch (const io::ResultsError& e) {
      throw InputError(
          fmt::format("{}; 'trammel recover {}' saves what can be read of it", e.what(), folder));
    }
  }();
  if (results.header().version != kVersion)
    throw InputError(
        fmt::format("{}: Trammel {} has written it, this is Trammel {}: a run goes on only with "
                    "the version that began it",
                    file.string(), results.header().version, kVersion));
  const auto& attributes = results.header().attributes;
  if (const auto lost = attributes.find(io::kLost); lost != attributes.end())
    throw InputError(
        fmt::format("{}: it was damaged, and what was saved has gaps ({}): a run cannot go on from "
                    "it",
                    file.string(), lost->second));
  return results;
}

/// The run then ends at `until`; its frames stay as far apart as they were.
void end_at(const std::string& until, const Prepared& before,
            std::vector<io::Override>& overrides) {
  bool there = false;
  for (io::Override& o : overrides) {
    if (o.path != "simulation.duration") continue;
    o.value = until;
    there = true;
  }
  if (!there) overrides.push_back({"simulation.duration", until});
  const sim::Settings& s = before.loaded.scene.settings;
  if (s.output_step > 0) return;
  const double apart = static_cast<double>(before.simulation->output_every()) * s.step;
  overrides.push_back({"simulation.output_step", fmt::format("{:.17g}", apart)});
}

void check_series(const Prepared& p, const io::ResultsReader& results) {
  const auto same = [](const io::Series& a, const io::Series& b) {
    return a.path == b.path && a.items == b.items && a.columns == b.columns;
  };
  if (!std::equal(p.series.begin(), p.series.end(), results.series().begin(),
                  results.series().end(), same))
    throw InputError(results.path() + ": it has other series than this Trammel writes");
}

}  // namespace

namespace {

/// Refuses results that nobody meant, or that the disk has no room for.
void check_room(const Prepared& p, const fs::path& folder) {
  constexpr double kMost = 20e9;  // bytes
  const Room room = room_for(p);
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

}  // namespace

int run_scene(const RunOptions& options) {
  auto prepared = prepare(options.scene, options.overrides);
  if (const auto* problems = std::get_if<io::SceneProblems>(&prepared)) {
    print_problems(*problems, options.json);
    return kInput;
  }
  Prepared& p = std::get<Prepared>(prepared);
  const fs::path folder = options.folder.empty() ? fs::path("out") / fs::path(options.scene).stem()
                                                 : fs::path(options.folder);
  if (!options.any_size) check_room(p, folder);
  const FolderLock lock = make_folder(folder, options.force);
  const Way way{folder.string(), options.overrides, options.json,
                options.quiet,   options.plots,     options.accept};
  for (const std::string& note : notes(p.loaded.built, p.loaded.scene.settings.form))
    log::info("note: " + note);
  return conduct(
      p, way, [&] { return std::make_unique<Recording>(p, way.overrides, way.folder, way.quiet); });
}

int resume_run(const ResumeOptions& options) {
  const FolderLock lock(options.folder);
  const io::ResultsReader results = own_results(options.folder);
  Found found = find_checkpoint(options.folder, results);
  const std::string& text = results.header().scene_text;
  const std::string& file = results.header().scene_path;
  Way way{options.folder, found.stored.overrides, options.json,
          options.quiet,  options.plots,          options.accept};
  auto prepared = prepare_text(text, file, way.overrides);
  if (std::holds_alternative<Prepared>(prepared) && !options.until.empty()) {
    end_at(options.until, std::get<Prepared>(prepared), way.overrides);
    prepared = prepare_text(text, file, way.overrides);
  }
  if (const auto* problems = std::get_if<io::SceneProblems>(&prepared)) {
    print_problems(*problems, options.json);
    return kInput;
  }
  Prepared& p = std::get<Prepared>(prepared);
  check_series(p, results);
  sim::from_bytes(found.stored.simulation, *p.simulation);
  const double t = found.checkpoint.header.t;
  if (t > p.simulation->end() && !p.simulation->at_end())
    throw InputError(
        fmt::format("--until {}: the run is at t = {:.6g} s already", options.until, t));
  if (found.checkpoint.header.complete && p.simulation->finished()) {
    log::info(fmt::format("{}: the run is finished, at t = {:.6g} s", options.folder, t));
    const std::vector<sim::Warning> warnings = p.simulation->warnings();
    warn(warnings);
    return sim::any_grave(warnings) ? distrust(warnings, way, file) : kDone;
  }
  log::info(fmt::format("{}: goes on at t = {:.6g} s", options.folder, t));
  return conduct(p, way, [&] {
    return std::make_unique<Recording>(p, way.overrides, way.folder, way.quiet,
                                       std::move(found.stored), results);
  });
}

}  // namespace trammel::cli
