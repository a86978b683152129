#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cli/conduct.h"
#include "serve/live.h"

namespace trammel::cli {

struct PlayOptions {
  std::string scene, folder;  // folder empty: out/<scene's stem>
  bool force = false, json = false, quiet = false, plots = true, accept = false;
  unsigned short port = 0;
  double speed = 1;
  int threads = 0;
  std::vector<io::Override> overrides;
};

/// `trammel play`: the scene at the pace of the wall clock, driven from a page.
int play_scene(const PlayOptions& options);

/// A run that pages watch and one of them drives, from step to step (docs/live.md).
class Play {
 public:
  Play(Prepared& prepared, const Way& way, double speed, serve::Live& live)
      : p_(prepared), way_(way), live_(live), speed_(speed) {}
  /// To its end; `recording` may become another one on the way, where the run is taken back.
  void run(std::unique_ptr<Recording>& recording, RunReport& report);

 private:
  using Clock = std::chrono::steady_clock;
  /// What one can go back to.
  struct Mark {
    double t = 0;  // [s]
    std::string stored;
  };

  sim::Simulation& sim() const { return *p_.simulation; }
  bool over() const;
  void tick();
  void idle();
  bool make_step();
  void step_until(double t, long most);
  void keep_pace(double t);
  void wait_for_next();
  void wait(double most);  // [s]
  void obey();
  void obey(const serve::Command& command);
  void rewind(const serve::Command& command);
  void take_back(const Mark& mark);
  void set_going(bool going, const std::string& message = "");
  void anchor();
  void remember();
  void show();
  void tell();
  serve::Status status() const;
  std::vector<double> inputs() const;

  Prepared& p_;
  const Way& way_;
  serve::Live& live_;
  std::unique_ptr<Recording>* recording_ = nullptr;
  double speed_;  // [s/s]; 0: as fast as it can
  bool going_ = false;
  long steps_ = 0;  // to be made in a pause
  std::string message_ = "waits for a page";
  std::map<std::string, double> pending_;  // inputs for the next step
  std::vector<Mark> marks_;
  Clock::time_point since_, frame_ = Clock::now();  // of the pace; of the last look at the clock
  double t_since_ = 0;
  Clock::time_point measured_ = Clock::now(), late_until_ = Clock::now();
  double t_measured_ = 0, pace_ = 0, shown_ = -1e300;
};

}  // namespace trammel::cli
