#pragma once

#include <chrono>
#include <string>

namespace trammel::cli {

/// How far a run is.
struct Progress {
  double simulated = 0, duration = 1;  // [s]
  double wall = 0;                     // [s]
};
/// "[=====>    ]  52 %  t 4.9 s of 9.5 s  212x  2 s left", cut to `columns`.
std::string bar_line(const Progress& progress, int columns);
/// The same for a file: no bar.
std::string plain_line(const Progress& progress);

/// Shows on stderr how far a run is: a bar redrawn in place on a terminal, now and then a line
/// elsewhere.
class ProgressBar {
 public:
  /// wall: what earlier parts of the run took [s].
  ProgressBar(double duration, bool silent, double wall = 0);
  ~ProgressBar() { clear(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void show(double simulated);
  void clear();  // before anything else is written there
  double wall() const;
  /// The run waited for so long: that is none of its wall time.
  void leave_out(double waited) {
    start_ += std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(waited));
  }

 private:
  using Clock = std::chrono::steady_clock;
  double duration_;
  bool silent_, terminal_, drawn_ = false;
  Clock::time_point start_ = Clock::now(), next_;
};

/// The same of work that has many parts: what is being done, and how far that is.
class Tasks {
 public:
  explicit Tasks(bool silent);
  ~Tasks() { clear(); }
  Tasks(const Tasks&) = delete;
  Tasks& operator=(const Tasks&) = delete;

  void show(const std::string& what, double part);
  void clear();
  double wall() const;  // since the start [s]

 private:
  using Clock = std::chrono::steady_clock;
  bool silent_, terminal_, drawn_ = false;
  Clock::time_point start_ = Clock::now(), next_;
};

}  // namespace trammel::cli
