#include "cli/play.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/live_address.h"
#include "cli/log.h"
#include "cli/results_input.h"
#include "cli/run_folder.h"
#include "math/parallel.h"
#include "sim/checkpoint.h"

namespace trammel::cli {

namespace {

namespace fs = std::filesystem;
using serve::Command;
using serve::Status;

constexpr double kFrame = 1. / 60;  // of the wall clock between frames [s]
constexpr double kIdle = 0.1;       // between looks in a pause [s]
constexpr double kMostLate = 0.1;   // what is caught up; above it the run falls behind [s]
constexpr double kMeasured = 0.5;   // over which the pace is measured [s]
constexpr double kGoodbye = 3;      // for pages to take the end [s]
constexpr std::size_t kMostMarks = 100, kMostStored = 256u << 20;  // [bytes]

std::chrono::nanoseconds seconds(double s) {
  return std::chrono::nanoseconds(static_cast<std::int64_t>(1e9 * s));
}
template <class Time>
double between(Time a, Time b) {
  return std::chrono::duration<double>(b - a).count();
}

}  // namespace

bool Play::over() const {
  return sim().finished() || !sim().failure().empty() || InterruptGuard::interrupted();
}

void Play::run(std::unique_ptr<Recording>& recording, RunReport& report) {
  recording_ = &recording;
  recording = std::make_unique<Recording>(p_, way_.overrides, way_.folder, true);
  recording->log_inputs();
  recording->by_itself = false;
  recording->keeps_news = true;
  recording->begin();
  remember();
  show();
  while (!over()) {
    obey();
    if (over()) break;
    going_ || steps_ > 0 ? tick() : idle();
    tell();
  }
  show();
  recording->finish(report);
  live_.events(recording->take_news());
  live_.status(status());
}

/// What is to be done until now, then a frame, then the wait for the next.
void Play::tick() {
  frame_ = Clock::now();
  if (!going_)
    step_until(std::numeric_limits<double>::infinity(), steps_);
  else
    keep_pace(speed_ == 0 ? std::numeric_limits<double>::infinity()
                          : t_since_ + speed_ * between(since_, frame_));
  show();
  if (going_ && speed_ > 0) wait_for_next();
}

void Play::keep_pace(double t) {
  step_until(t, std::numeric_limits<long>::max());
  if (speed_ == 0 || t - sim().state().t < kMostLate * speed_) return;
  late_until_ = Clock::now() + seconds(1);
  anchor();
}

/// For as long as a frame lasts, and while nobody asks for anything.
void Play::step_until(double t, long most) {
  const double half = 0.5 * sim().settings().step;
  for (long k = 0; k < most && sim().state().t + half < t && !over(); ++k) {
    if (!make_step()) break;
    if (!going_) --steps_;
    if (live_.asked() || between(frame_, Clock::now()) > kFrame) break;
  }
}

bool Play::make_step() {
  for (const auto& [name, value] : pending_) sim().set_input(name, value);
  pending_.clear();
  Recording& recording = **recording_;
  if (!recording.advance()) return false;
  if (recording.checkpoint_due()) {
    recording.checkpoint(false);
    remember();
  }
  return true;
}

void Play::wait_for_next() {
  const auto next = frame_ + seconds(kFrame);
  for (double left = between(Clock::now(), next); left > 0 && going_ && !over();
       left = between(Clock::now(), next)) {
    wait(left);
    obey();
  }
}

void Play::idle() {
  show();
  wait(kIdle);
}

/// None of the run's wall time.
void Play::wait(double most) {
  const auto from = Clock::now();
  live_.wait(most);
  (*recording_)->waited(between(from, Clock::now()));
}

void Play::obey() {
  for (const Command& command : live_.take()) obey(command);
}

void Play::obey(const Command& c) {
  switch (c.kind) {
    case Command::Kind::came:
    case Command::Kind::go:
      return set_going(true);
    case Command::Kind::gone:
      return set_going(false, "the page that drove has gone");
    case Command::Kind::pause:
      return set_going(false);
    case Command::Kind::input:
      pending_[c.name] = c.value;
      return;
    case Command::Kind::step:
      if (going_) return live_.refuse(c.page, "step: only in a pause");
      steps_ += static_cast<long>(c.value);
      return;
    case Command::Kind::speed:
      speed_ = c.value;
      return anchor();
    case Command::Kind::rewind:
      return rewind(c);
    case Command::Kind::stop:
      if (!over()) (*recording_)->stop();
      return;
    case Command::Kind::take:
      return;  // the server's
  }
}

void Play::set_going(bool going, const std::string& message) {
  going_ = going;
  steps_ = 0;
  message_ = message;
  pace_ = 0;
  anchor();
}

/// The pace counts from here.
void Play::anchor() {
  since_ = measured_ = Clock::now();
  t_since_ = t_measured_ = sim().state().t;
}

void Play::rewind(const Command& c) {
  const double t = c.value + 0.5 * sim().settings().step;
  const auto after =
      std::find_if(marks_.begin(), marks_.end(), [&](const Mark& m) { return m.t > t; });
  if (after == marks_.begin())
    return live_.refuse(c.page, fmt::format("rewind {}: there is no checkpoint so early", c.value));
  if (over()) return;
  marks_.erase(after, marks_.end());
  take_back(marks_.back());
}

/// Results, checkpoints on the disk and the recording of the inputs end there, too.
void Play::take_back(const Mark& mark) {
  std::unique_ptr<Recording>& recording = *recording_;
  recording->leave();
  recording.reset();
  Stored stored = stored_of(mark.stored);
  p_.simulation = std::make_unique<sim::Simulation>(p_.loaded.built, p_.loaded.scene.settings);
  p_.recorder = std::make_unique<sim::Recorder>(*p_.simulation);
  sim::from_bytes(stored.simulation, *p_.simulation);
  io::remove_checkpoints(way_.folder);  // they are of what is not to be
  const io::ResultsReader before((fs::path(way_.folder) / kResultsName).string());
  const InputsMark inputs = stored.inputs;
  recording =
      std::make_unique<Recording>(p_, way_.overrides, way_.folder, true, std::move(stored), before);
  recording->log_inputs(inputs);
  recording->by_itself = false;
  recording->keeps_news = true;
  recording->begin();
  recording->checkpoint(false);
  pending_.clear();
  shown_ = -1e300;
  live_.back(mark.t);
  set_going(false, fmt::format("back at {:.6g} s", mark.t));
}

/// Where there are many, or they take much memory, each second one of the older half goes.
void Play::remember() {
  marks_.push_back({sim().state().t, (*recording_)->stored()});
  std::size_t bytes = 0;
  for (const Mark& m : marks_) bytes += m.stored.size();
  if (marks_.size() <= kMostMarks && bytes <= kMostStored) return;
  const std::size_t older = marks_.size() / 4;
  for (std::size_t i = 1; i <= older && i + 1 < marks_.size(); ++i)
    marks_.erase(marks_.begin() + static_cast<long>(i));
}

void Play::show() {
  const double t = sim().state().t;
  if (t == shown_) return;
  shown_ = t;
  sim::Recorder& recorder = *p_.recorder;
  recorder.begin_frame();
  std::vector<float> row;
  for (std::size_t i = 0; i < recorder.quantities().size(); ++i)
    for (const double x : recorder.frame(i)) row.push_back(static_cast<float>(x));
  live_.frames({t}, std::move(row));
}

void Play::tell() {
  if (auto news = (*recording_)->take_news(); !news.empty()) live_.events(std::move(news));
  const auto now = Clock::now();
  if (const double wall = between(measured_, now); going_ && wall > kMeasured) {
    pace_ = (sim().state().t - t_measured_) / wall;
    t_measured_ = sim().state().t;
    measured_ = now;
  }
  live_.status(status());
}

std::vector<double> Play::inputs() const {
  std::vector<double> out;
  const model::Model& m = sim().model();
  for (std::size_t i = 0; i < m.inputs.size(); ++i) {
    if (m.inputs[i].controlled) continue;
    const auto next = pending_.find(m.inputs[i].name);
    out.push_back(next == pending_.end() ? sim().inputs()[i].x : next->second);
  }
  return out;
}

Status Play::status() const {
  Status out{.state = going_ ? Status::State::running : Status::State::paused,
             .t = sim().state().t,
             .speed = speed_,
             .pace = pace_,
             .late = Clock::now() < late_until_,
             .inputs = inputs(),
             .message = message_};
  for (const Mark& m : marks_) out.checkpoints.push_back(m.t);
  const bool by_hand = sim().ended_by() == kStoppedByHand;
  if (!sim().failure().empty()) {
    out.state = Status::State::failed;
    out.message = sim().failure();
  } else if (by_hand || InterruptGuard::interrupted()) {
    out.state = Status::State::stopped;
  } else if (sim().finished()) {
    out.state = Status::State::finished;
    out.message = sim().ended_by();
  }
  return out;
}

namespace {

serve::Shown shown_of(const Prepared& p, const std::vector<io::Override>& overrides) {
  serve::Shown out{
      .mode = serve::Shown::Mode::play, .header = results_header(p, overrides), .series = p.series};
  out.step = p.loaded.scene.settings.step;
  out.end = p.simulation->end();
  for (const model::Input& i : p.simulation->model().inputs)
    if (!i.controlled) out.inputs.push_back(i);
  out.controls = p.loaded.scene.controls;
  return out;
}

io::Ending ending_of(const std::string& status) {
  if (status == "done") return io::Ending::done;
  if (status == "inaccurate") return io::Ending::inaccurate;
  return status == "failed" ? io::Ending::failed : io::Ending::interrupted;
}

}  // namespace

int play_scene(const PlayOptions& options) {
  parallel::set_threads(options.threads);
  auto prepared = prepare(options.scene, options.overrides);
  if (const auto* problems = std::get_if<io::SceneProblems>(&prepared)) {
    print_problems(*problems, options.json);
    return kInput;
  }
  Prepared& p = std::get<Prepared>(prepared);
  const fs::path folder = options.folder.empty() ? fs::path("out") / fs::path(options.scene).stem()
                                                 : fs::path(options.folder);
  check_room(p, folder.string());
  serve::Live live(shown_of(p, options.overrides), options.port);
  const FolderLock lock = make_folder(folder, options.force);
  const Way way{folder.string(), options.overrides, options.json,
                options.quiet,   options.plots,     options.accept};
  for (const std::string& note : notes(p.loaded.built, p.loaded.scene.settings.form))
    log::info("note: " + note);
  const InterruptGuard guard;
  say_address(live.address(), options.json);
  std::string status;
  const int code = conduct(p, way, [&](std::unique_ptr<Recording>& recording, RunReport& report) {
    Play(p, way, options.speed, live).run(recording, report);
    status = report.status;
  });
  live.end(ending_of(status), text_beside(folder.string(), kSummaryName));
  live.drain(kGoodbye);
  return code;
}

}  // namespace trammel::cli
