#include "cli/run_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "cli/chart.h"
#include "cli/interrupt.h"
#include "cli/log.h"
#include "cli/progress.h"
#include "cli/text_file.h"
#include "io/results.h"
#include "plot/figure.h"
#include "version.h"

namespace trammel::cli {

namespace {

namespace fs = std::filesystem;
constexpr char kResultsName[] = "results.h5";

/// An empty place for the results: refused where there are some already.
void make_folder(const fs::path& folder, bool force) {
  std::error_code error;
  const fs::path results = folder / kResultsName;
  if (fs::exists(results, error) && !force)
    throw InputError(
        fmt::format("{} holds results already: --force replaces them, -o DIR puts the new "
                    "ones elsewhere",
                    folder.string()));
  fs::create_directories(folder, error);
  if (error)
    throw InputError(fmt::format("{} cannot be made: {}", folder.string(), error.message()));
  if (fs::remove(results, error); error)
    throw InputError(fmt::format("{} cannot be replaced: {}", results.string(), error.message()));
}

io::Header header(const Prepared& p, const RunOptions& options) {
  io::Header out{p.loaded.scene.text, p.loaded.scene.file, kVersion, "velocity", {}};
  std::string overrides;
  for (const io::Override& o : options.overrides)
    overrides += fmt::format("{}{}={}", overrides.empty() ? "" : "\n", o.path, o.value);
  out.attributes = {{"name", p.loaded.scene.builder.name},
                    {"title", p.loaded.scene.title},
                    {"overrides", overrides}};
  return out;
}

/// How far the joints along tracks have come; across the seam of a closed track too.
class Odometer {
 public:
  explicit Odometer(const sim::Simulation& sim) : sim_(&sim), s_(sim.state().s) {
    for (const model::Joint& j : sim.model().joints)
      if (j.arc >= 0) runs_.push_back({j.name, 0, 0});
  }
  void look() {
    std::size_t i = 0;
    for (const model::Joint& j : sim_->model().joints) {
      if (j.arc < 0) continue;
      const auto arc = static_cast<std::size_t>(j.arc);
      const double s = sim_->state().s[arc];
      const double length = sim_->model().tracks[static_cast<std::size_t>(j.track)].track->length();
      double way = std::abs(s - s_[arc]);
      if (way > length / 2) way = length - way;
      s_[arc] = s;
      runs_[i].distance += way;
      runs_[i].top_speed = std::max(runs_[i].top_speed, way / sim_->settings().step);
      ++i;
    }
  }
  const std::vector<Run>& runs() const { return runs_; }

 private:
  const sim::Simulation* sim_;
  std::vector<double> s_;
  std::vector<Run> runs_;
};

/// The loop: steps, frames, events, progress.
class Recording {
 public:
  Recording(Prepared& prepared, const RunOptions& options, const fs::path& folder)
      : sim_(*prepared.simulation),
        recorder_(*prepared.recorder),
        writer_((folder / kResultsName).string(), header(prepared, options), prepared.series),
        progress_(prepared.loaded.scene.settings.duration, options.quiet),
        odometer_(sim_) {}

  void run(RunReport& report) {
    const InterruptGuard guard;
    take_events(report);
    frame();
    long k = 0;
    while (!sim_.finished() && !InterruptGuard::interrupted() && sim_.advance()) {
      odometer_.look();
      take_events(report);
      if (++k % sim_.output_every() == 0) frame();
      progress_.show(sim_.summary().simulated);
    }
    take_events(report);
    if (sim_.failure().empty() && last_ < sim_.state().t) frame();
    writer_.close();
    report.wall = progress_.wall();
    report.frames = frames_;
    report.runs = odometer_.runs();
    report.failure = sim_.failure();
    report.status = !report.failure.empty() ? "failed" : sim_.finished() ? "done" : "interrupted";
  }

 private:
  void frame() {
    last_ = sim_.state().t;
    ++frames_;
    writer_.append_frame(last_);
    recorder_.begin_frame();
    for (std::size_t i = 0; i < recorder_.quantities().size(); ++i)
      writer_.append(i, recorder_.frame(i));
  }
  void take_events(RunReport& report) {
    for (const form::Event& e : sim_.take_events()) {
      writer_.append_event({e.t, e.kind, e.subject, e.text, e.value, e.unit});
      add(e, report.events);
      if (e.kind != "derail" && e.kind != "open end") continue;
      progress_.clear();
      log::warning(fmt::format("t = {:.4f} s: joint '{}' {}: it lets go", e.t, e.subject,
                               e.kind == "derail" ? "derails" : e.text));
    }
  }

  sim::Simulation& sim_;
  sim::Recorder& recorder_;
  io::ResultsWriter writer_;
  ProgressBar progress_;
  Odometer odometer_;
  double last_ = 0;
  long frames_ = 0;
};

void fill(const Prepared& p, const RunOptions& options, RunReport& report) {
  const io::Scene& scene = p.loaded.scene;
  report.scene = scene.builder.name;
  report.title = scene.title;
  report.file = scene.file;
  report.scheme =
      scene.settings.form.scheme == form::Settings::Scheme::rattle ? "rattle" : "baumgarte";
  report.order = report.scheme == "rattle" ? scene.settings.form.order : 1;
  report.step = scene.settings.step;
  report.duration = scene.settings.duration;
  report.counts = count_parts(p.loaded.built);
  report.notes = notes(p.loaded.built);
  report.start = p.loaded.built.start;
  for (const io::Override& o : options.overrides)
    report.overrides.push_back(o.path + "=" + o.value);
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

int finish(const RunReport& report) {
  const std::string kept = fmt::format("{} frames up to t = {:.6g} s are kept in {}", report.frames,
                                       report.summary.simulated, report.folder);
  if (report.status == "failed") {
    log::error(fmt::format("the numbers went bad at {}; {}", report.failure, kept));
    return kNumbers;
  }
  if (report.status == "done") return kDone;
  log::warning(fmt::format("interrupted; {}", kept));
  return kInterrupted;
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
  make_folder(folder, options.force);

  RunReport report;
  fill(p, options, report);
  report.folder = folder.string();
  for (const std::string& note : report.notes) log::info("note: " + note);
  Recording(p, options, folder).run(report);
  report.summary = p.simulation->summary();
  report.state_hash = model::hash(p.simulation->state());
  report.outputs = {kResultsName, "summary.json", "scene.toml"};
  write_text((folder / "scene.toml").string(), p.loaded.scene.text);
  if (options.plots) draw_plots(p, folder, report);
  write_text((folder / "summary.json").string(), summary_json(report));
  if (options.json)
    fmt::print("{}", summary_json(report));
  else if (!options.quiet)
    fmt::print("{}", summary_text(report));
  std::fflush(stdout);
  return finish(report);
}

}  // namespace trammel::cli
