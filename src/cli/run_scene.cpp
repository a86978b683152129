#include "cli/run_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>

#include "cli/conduct.h"
#include "cli/log.h"
#include "cli/recording.h"
#include "cli/run_folder.h"
#include "cli/text_file.h"
#include "io/recover.h"
#include "io/results.h"
#include "io/whole_file.h"
#include "sim/checkpoint.h"
#include "version.h"

namespace trammel::cli {

namespace {

namespace fs = std::filesystem;

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
    Stored stored = stored_of(c.contents);
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

/// The recording that a run has followed so far, or that was made of it: it goes on with what
/// stands behind. Nothing: it has none.
std::optional<Replay> inputs_of(const std::string& folder, const InputsMark& mark,
                                const sim::Simulation& simulation) {
  if (mark.bytes == 0) return {};
  const std::string file = (fs::path(folder) / kInputsName).string();
  auto read = read_inputs(file, simulation.model());
  if (const auto* problems = std::get_if<io::SceneProblems>(&read))
    throw InputError(to_text(problems->front()));
  ReadInputs& inputs = std::get<ReadInputs>(read);
  const std::string_view text = inputs.text;
  if (text.size() < mark.bytes || mark_of(text.substr(0, mark.bytes)).digest != mark.digest)
    throw InputError(
        fmt::format("{} is not what the run had up to its checkpoint: it cannot go on", file));
  return Replay(std::move(inputs.recording), mark_of(text), simulation);
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

int run_scene(const RunOptions& options) {
  auto prepared = prepare(options.scene, options.overrides);
  if (const auto* problems = std::get_if<io::SceneProblems>(&prepared)) {
    print_problems(*problems, options.json);
    return kInput;
  }
  Prepared& p = std::get<Prepared>(prepared);
  std::optional<ReadInputs> inputs;
  if (!options.inputs.empty()) {
    auto read = read_inputs(options.inputs, p.simulation->model());
    if (const auto* problems = std::get_if<io::SceneProblems>(&read)) {
      print_problems(*problems, options.json);
      return kInput;
    }
    inputs = std::move(std::get<ReadInputs>(read));
  }
  const fs::path folder = options.folder.empty() ? fs::path("out") / fs::path(options.scene).stem()
                                                 : fs::path(options.folder);
  if (!options.any_size) check_room(p, folder.string());
  const FolderLock lock = make_folder(folder, options.force);
  const Way way{folder.string(), options.overrides, options.json,
                options.quiet,   options.plots,     options.accept};
  for (const std::string& note : notes(p.loaded.built, p.loaded.scene.settings.form))
    log::info("note: " + note);
  return conduct(p, way, [&](std::unique_ptr<Recording>& recording, RunReport& report) {
    recording = std::make_unique<Recording>(p, way.overrides, way.folder, way.quiet);
    if (inputs) {
      write_text((folder / kInputsName).string(), inputs->text);
      recording->replay({std::move(inputs->recording), mark_of(inputs->text), *p.simulation});
    }
    recording->run(report);
  });
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
  std::optional<Replay> inputs = inputs_of(options.folder, found.stored.inputs, *p.simulation);
  return conduct(p, way, [&](std::unique_ptr<Recording>& recording, RunReport& report) {
    recording = std::make_unique<Recording>(p, way.overrides, way.folder, way.quiet,
                                            std::move(found.stored), results);
    if (inputs) recording->replay(std::move(*inputs));
    recording->run(report);
  });
}

}  // namespace trammel::cli
