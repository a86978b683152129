#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/given_inputs.h"
#include "cli/progress.h"
#include "cli/run_report.h"
#include "cli/scene_input.h"
#include "io/checkpoint_file.h"
#include "io/results.h"

namespace trammel::cli {

/// The record of a run besides the simulation.
struct Logbook {
  std::uint64_t frames = 0, events = 0;                    // in the results
  double last = -std::numeric_limits<double>::infinity();  // time of the last frame [s]
  double wall = 0, waited = 0;  // it took, and waited for the clock or its driver besides [s]
  std::vector<EventCount> counts;
  std::vector<double> s;  // where the joints along tracks were last [m]
  std::vector<Run> runs;  // and how far they have come
};

/// Contents of a checkpoint.
struct Stored {
  std::vector<io::Override> overrides;
  Logbook log;
  std::string simulation;  // see sim::to_bytes
  InputsMark inputs;
};
Stored stored_of(std::string_view bytes);

/// Returns the hash by which a checkpoint knows its scene.
std::uint64_t scene_hash(const std::string& text, const std::vector<io::Override>& overrides);

/// A simulation on its way into a folder: steps, frames, events, checkpoints, progress.
class Recording {
 public:
  /// From the start, into a folder without results.
  Recording(Prepared& prepared, const std::vector<io::Override>& overrides,
            const std::string& folder, bool quiet);
  /// Goes on from a checkpoint, whose frames and events `before` has.
  Recording(Prepared& prepared, const std::vector<io::Override>& overrides,
            const std::string& folder, bool quiet, Stored stored, const io::ResultsReader& before);

  /// Inputs are those of a recording, which is in the folder.
  void replay(Replay replay) { replay_.emplace(std::move(replay)); }
  /// Inputs are recorded in the folder, behind what is there of them.
  void log_inputs(InputsMark behind = {});

  /// To its end, or until it is interrupted.
  void run(RunReport& report);
  /// The folder has all that there will be.
  void complete();

  // the same step by step
  void begin();
  bool advance();  // one step; false: it failed, or is over
  void finish(RunReport& report);
  /// Ends it by hand: it is then finished.
  void stop();
  /// It waited for so long, for the clock or for who drives it [s].
  void waited(double seconds);
  /// Closes the results before its end; another recording goes on from what was stored.
  void leave();
  /// All that it goes on from, as in a checkpoint.
  std::string stored();
  bool checkpoint_due() const;
  void checkpoint(bool durable);
  /// What happened since the last call, as in the results.
  std::vector<io::Event> take_news() { return std::exchange(news_, {}); }
  bool by_itself = true;    // steps make checkpoints when they are due
  bool keeps_news = false;  // for take_news()

 private:
  void frame();
  void take_events();
  io::Ending end(RunReport& report);
  void measure_runs(double h);
  void write_event(const io::Event& event);

  using Clock = std::chrono::steady_clock;
  sim::Simulation& sim_;
  form::Meter& meter_;
  sim::Recorder& recorder_;
  std::vector<io::Override> overrides_;
  std::uint64_t scene_;
  io::CheckpointWriter checkpoints_;
  Logbook log_;
  io::ResultsWriter writer_;
  ProgressBar progress_;
  io::Checkpoint written_;   // the last one
  Clock::time_point since_;  // the last checkpoint
  std::optional<Replay> replay_;
  std::optional<InputsLog> inputs_;
  std::string folder_;
  std::vector<io::Event> news_;
};

}  // namespace trammel::cli
