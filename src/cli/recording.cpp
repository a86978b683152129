#include "cli/recording.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "cli/interrupt.h"
#include "cli/log.h"
#include "cli/run_folder.h"
#include "io/results_layout.h"
#include "math/fnv.h"
#include "sim/checkpoint.h"
#include "version.h"

namespace trammel::sim {

template <>
struct Members<io::Override> {
  static void each(auto&& override, auto&& f) {
    auto& [path, value] = override;
    f(path, value);
  }
};

template <>
struct Members<cli::EventCount> {
  static void each(auto&& count, auto&& f) {
    auto& [kind, unit, n, sum] = count;
    f(kind, unit, n, sum);
  }
};

template <>
struct Members<cli::Run> {
  static void each(auto&& run, auto&& f) {
    auto& [joint, distance, top_speed] = run;
    f(joint, distance, top_speed);
  }
};

template <>
struct Members<cli::Logbook> {
  static void each(auto&& log, auto&& f) {
    auto& [frames, events, last, wall, waited, counts, s, runs] = log;
    f(frames, events, last, wall, waited, counts, s, runs);
  }
};

template <>
struct Members<cli::InputsMark> {
  static void each(auto&& mark, auto&& f) {
    auto& [bytes, digest] = mark;
    f(bytes, digest);
  }
};

template <>
struct Members<cli::Stored> {
  static void each(auto&& stored, auto&& f) {
    auto& [overrides, log, simulation, inputs] = stored;
    f(overrides, log, simulation, inputs);
  }
};

}  // namespace trammel::sim

namespace trammel::cli {

namespace {

std::string results_in(const std::string& folder) {
  return (std::filesystem::path(folder) / kResultsName).string();
}

Logbook first_page(const sim::Simulation& sim) {
  Logbook out;
  out.s = sim.state().s;
  for (const model::Joint& j : sim.model().joints)
    if (j.arc >= 0) out.runs.push_back({j.name, 0, 0});
  return out;
}

}  // namespace

Stored stored_of(std::string_view bytes) {
  Stored out;
  sim::ArchiveReader in(bytes);
  in(out);
  return out;
}

std::uint64_t scene_hash(const std::string& text, const std::vector<io::Override>& overrides) {
  Fnv fnv;
  const auto add = [&](const std::string& part) { fnv.add(part.c_str(), part.size() + 1); };
  add(text);
  for (const io::Override& o : overrides) {
    add(o.path);
    add(o.value);
  }
  return fnv.h;
}

Recording::Recording(Prepared& prepared, const std::vector<io::Override>& overrides,
                     const std::string& folder, bool quiet)
    : sim_(*prepared.simulation),
      meter_(*prepared.meter),
      recorder_(*prepared.recorder),
      overrides_(overrides),
      scene_(scene_hash(prepared.loaded.scene.text, overrides)),
      checkpoints_(folder),
      log_(first_page(sim_)),
      writer_(results_in(folder), results_header(prepared, overrides), prepared.series),
      progress_(prepared.loaded.scene.settings.duration, quiet),
      folder_(folder) {}

Recording::Recording(Prepared& prepared, const std::vector<io::Override>& overrides,
                     const std::string& folder, bool quiet, Stored stored,
                     const io::ResultsReader& before)
    : sim_(*prepared.simulation),
      meter_(*prepared.meter),
      recorder_(*prepared.recorder),
      overrides_(overrides),
      scene_(scene_hash(prepared.loaded.scene.text, overrides)),
      checkpoints_(folder),
      log_(std::move(stored.log)),
      writer_(io::ResultsWriter::continued(results_in(folder), results_header(prepared, overrides),
                                           before, log_.frames, log_.events)),
      progress_(prepared.loaded.scene.settings.duration, quiet, log_.wall),
      folder_(folder) {}

void Recording::log_inputs(InputsMark behind) { inputs_.emplace(folder_, sim_, behind); }

void Recording::run(RunReport& report) {
  const InterruptGuard guard;
  begin();
  while (!sim_.finished() && !InterruptGuard::interrupted() && advance()) continue;
  finish(report);
}

void Recording::begin() {
  meter_.over = [this] {
    progress_.show(sim_.summary().simulated);
    return InterruptGuard::interrupted();
  };
  take_events();
  if (log_.frames == 0) {
    frame();
    checkpoint(false);
  }
  since_ = Clock::now();
}

void Recording::leave() {
  meter_.over = nullptr;
  writer_.close(io::Ending::interrupted);
}

void Recording::stop() {
  if (inputs_) inputs_->stopped(sim_.state().t);
  sim_.stop(kStoppedByHand);
}

void Recording::waited(double seconds) {
  progress_.leave_out(seconds);
  log_.waited += seconds;
}

void Recording::finish(RunReport& report) {
  meter_.over = nullptr;
  take_events();
  const bool good = sim_.failure().empty();
  if (good) checkpoint(!sim_.finished());
  if (good && log_.last < sim_.state().t) frame();
  writer_.close(end(report));
  report.wall = progress_.wall();
  report.waited = log_.waited;
  report.frames = static_cast<long>(log_.frames);
  report.events = log_.counts;
  report.runs = log_.runs;
  report.summary = sim_.summary();
  report.peaks = sim_.peaks();
  report.state_hash = model::hash(sim_.state());
  report.touches = can_touch(sim_.model());
  report.contacts_work = sim_.state().ledger[model::kContacts];
  const sim::Touches& touches = sim_.touches();
  report.impacts = {touches.met, touches.late, touches.lateness.worst};
  report.impacts_work = sim_.state().ledger[model::kImpacts];
}

/// How the run ended, with what it says of itself behind the last event. Checkpoints do not count
/// these: a run that goes on says it anew.
io::Ending Recording::end(RunReport& report) {
  report.warnings = sim_.warnings();
  report.failure = sim_.failure();
  report.ended_by = sim_.ended_by();
  const double t = sim_.state().t;
  for (const sim::Warning& w : report.warnings)
    write_event({w.t_first, "warning", w.subject,
                 fmt::format("{}: {} ({}); {}", name_of(w.kind), w.text, sim::when(w), w.remedy),
                 w.value, w.unit});
  if (!report.failure.empty()) {
    const std::string& of = sim_.failed();
    write_event({t, "failure", of.empty() ? sim_.model().name : of, report.failure, 0, ""});
    report.status = "failed";
    return io::Ending::failed;
  }
  if (!sim_.finished()) {
    report.status = "interrupted";
    return io::Ending::interrupted;
  }
  const bool grave = sim::any_grave(report.warnings);
  report.status = grave ? "inaccurate" : "done";
  return grave ? io::Ending::inaccurate : io::Ending::done;
}

bool Recording::advance() {
  if (replay_ && !replay_->give(sim_)) return false;
  if (inputs_) inputs_->note(sim_);
  const double before = sim_.state().t;
  if (!sim_.advance()) return false;
  measure_runs(sim_.state().t - before);
  take_events();
  if (sim_.steps_made() % sim_.output_every() == 0) frame();
  progress_.show(sim_.summary().simulated);
  if (by_itself && checkpoint_due()) checkpoint(true);
  return true;
}

void Recording::frame() {
  log_.last = sim_.state().t;
  ++log_.frames;
  writer_.append_frame(log_.last);
  recorder_.begin_frame();
  for (std::size_t i = 0; i < recorder_.quantities().size(); ++i)
    writer_.append(i, recorder_.frame(i));
  for (std::size_t i = 0; i < recorder_.lists().size(); ++i)
    writer_.append_rows(i, recorder_.rows(i));
}

void Recording::take_events() {
  for (const form::Event& e : sim_.take_events()) {
    write_event({e.t, std::string(name_of(e.kind)), e.subject, e.text, e.value, e.unit});
    ++log_.events;
    add(e, log_.counts);
    if (e.kind != form::EventKind::derail && e.kind != form::EventKind::open_end) continue;
    progress_.clear();
    log::warning(fmt::format("t = {:.4f} s: joint '{}' {}: it lets go", e.t, e.subject,
                             e.kind == form::EventKind::derail ? "derails" : e.text));
  }
}

void Recording::write_event(const io::Event& event) {
  writer_.append_event(event);
  if (keeps_news) news_.push_back(event);
}

/// How far the joints along tracks have come in a step of h [s]; across the seam of a closed track
/// too.
void Recording::measure_runs(double h) {
  std::size_t i = 0;
  for (const model::Joint& j : sim_.mechanism().joints) {
    if (j.arc < 0) continue;
    const auto arc = static_cast<std::size_t>(j.arc);
    const double s = sim_.state().s[arc];
    const double length = sim_.model().tracks[static_cast<std::size_t>(j.track)].track->length();
    double way = std::abs(s - log_.s[arc]);
    if (way > length / 2) way = length - way;
    log_.s[arc] = s;
    log_.runs[i].distance += way;
    log_.runs[i].top_speed = std::max(log_.runs[i].top_speed, way / h);
    ++i;
  }
}

bool Recording::checkpoint_due() const {
  const sim::Settings& s = sim_.settings();
  if (std::fmod(static_cast<double>(sim_.steps_made()), s.checkpoint_steps) == 0) return true;
  return std::chrono::duration<double>(Clock::now() - since_).count() >= s.checkpoint_interval;
}

std::string Recording::stored() {
  log_.wall = progress_.wall();
  const InputsMark inputs = inputs_ ? inputs_->mark() : replay_ ? replay_->mark() : InputsMark{};
  sim::ArchiveWriter contents;
  contents(Stored{overrides_, log_, sim::to_bytes(sim_), inputs});
  return contents.take();
}

/// The results first: a checkpoint counts on frames that are in the file.
void Recording::checkpoint(bool durable) {
  writer_.flush();
  if (durable) writer_.sync();
  written_ = {{kVersion, io::build_id(), scene_, sim_.steps_made(), sim_.state().t, log_.frames,
               log_.events, 0},
              stored()};
  checkpoints_.write(written_, durable);
  since_ = Clock::now();
}

void Recording::complete() {
  written_.header.complete = 1;
  checkpoints_.write(written_, false);
}

}  // namespace trammel::cli
