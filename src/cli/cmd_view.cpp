#include <fmt/format.h>
#include <sys/stat.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <thread>

#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/live_address.h"
#include "cli/log.h"
#include "cli/results_input.h"
#include "cli/run_folder.h"
#include "serve/live.h"

namespace trammel::cli {

namespace {

using Clock = std::chrono::steady_clock;
using serve::Status;

constexpr auto kBetween = std::chrono::milliseconds(100);  // of looks at a file that grows
constexpr std::size_t kBlock = 1 << 19;                    // numbers read at once
constexpr double kPatience = 3;  // for the summary, which is written after the results [s]

double since(Clock::time_point then) {
  return std::chrono::duration<double>(Clock::now() - then).count();
}

/// The file that has the name now: a run that begins anew makes another one.
std::optional<ino_t> number_of(const std::string& file) {
  struct stat found {};
  if (::stat(file.c_str(), &found) != 0) return {};
  return found.st_ino;
}

Status::State state_of(io::Ending ending) {
  switch (ending) {
    case io::Ending::open:
      return Status::State::running;
    case io::Ending::done:
    case io::Ending::inaccurate:
      return Status::State::finished;
    case io::Ending::failed:
      return Status::State::failed;
    default:
      return Status::State::stopped;
  }
}

/// Results that may grow, or give way to others, on their way to pages.
class Watched {
 public:
  Watched(const std::string& path, unsigned short port)
      : path_(path),
        file_(results_file(path)),
        number_(number_of(file_)),
        results_(std::make_unique<io::ResultsReader>(file_)),
        live_(shown(), port) {}
  const std::string& address() const { return live_.address(); }

  void look() {
    if (const auto now = number_of(file_); now && now != number_) return open_again(now);
    if (told_end_) return;
    results_->refresh();
    pass_frames();
    pass_events();
    status();
    if (results_->finished()) end();
  }

 private:
  serve::Shown shown() const {
    return {.header = results_->header(), .series = results_->series()};
  }

  void open_again(std::optional<ino_t> number) {
    results_ = std::make_unique<io::ResultsReader>(file_);
    number_ = number;
    frames_ = events_ = 0;
    told_end_ = false;
    ended_.reset();
    live_.replace(shown());
  }

  void pass_frames() {
    std::size_t width = 1;
    for (const io::Series& s : results_->series()) width += s.width();
    const std::size_t most = std::max<std::size_t>(1, kBlock / width);
    while (frames_ < results_->frames() && !InterruptGuard::interrupted())
      pass_block(std::min(most, results_->frames() - frames_));
  }

  void pass_block(std::size_t count) {
    std::vector<double> times = results_->read(results_->find("time"), frames_, count);
    std::size_t width = 0, first = 0;
    for (const io::Series& s : results_->series()) width += s.width();
    std::vector<float> rows(width * count);
    for (std::size_t i = 0; i < results_->series().size(); ++i) {
      const std::size_t own = results_->series()[i].width();
      const std::vector<double> block = results_->read_rows(i, frames_, count);
      for (std::size_t f = 0; f < count; ++f)
        for (std::size_t c = 0; c < own; ++c)
          rows[f * width + first + c] = static_cast<float>(block[f * own + c]);
      first += own;
    }
    frames_ += count;
    last_ = times.back();
    live_.frames(std::move(times), std::move(rows));
  }

  void pass_events() {
    std::vector<io::Event> all = results_->events();
    if (all.size() <= events_) return;
    all.erase(all.begin(), all.begin() + static_cast<long>(events_));
    events_ += all.size();
    live_.events(std::move(all));
  }

  void status() {
    if (since(measured_) > 1) {
      pace_ = (last_ - last_measured_) / since(measured_);
      last_measured_ = last_;
      measured_ = Clock::now();
    }
    const bool running = !results_->finished();
    live_.status({.state = state_of(results_->ending()),
                  .t = last_,
                  .speed = 0,
                  .pace = running ? pace_ : 0});
  }

  void end() {
    if (!ended_) ended_ = Clock::now();
    const std::string summary = text_beside(path_, kSummaryName);
    if (summary.empty() && path_ != file_ && since(*ended_) < kPatience) return;
    live_.end(results_->ending(), summary);
    told_end_ = true;
  }

  std::string path_, file_;
  std::optional<ino_t> number_;
  std::unique_ptr<io::ResultsReader> results_;
  serve::Live live_;
  std::size_t frames_ = 0, events_ = 0;  // passed on
  double last_ = 0, last_measured_ = 0, pace_ = 0;
  Clock::time_point measured_ = Clock::now();
  std::optional<Clock::time_point> ended_;
  bool told_end_ = false;
};

struct ViewArguments {
  std::string results;
  unsigned short port = 0;
};

int view(const ViewArguments& a) {
  const InterruptGuard guard;
  Watched watched(a.results, a.port);
  watched.look();
  say_address(watched.address(), false);
  while (!InterruptGuard::interrupted()) {
    std::this_thread::sleep_for(kBetween);
    watched.look();
  }
  return kDone;
}

}  // namespace

void add_view(CLI::App& program, Action& action) {
  CLI::App* c =
      program.add_subcommand("view", "Show results in a browser, while they grow or afterwards");
  const auto a = std::make_shared<ViewArguments>();
  c->add_option("RESULTS", a->results, "A folder of results or its results.h5")->required();
  add_port(*c, a->port);
  c->footer(
      "Examples:\n"
      "  trammel view out/stn02_wagon\n"
      "  trammel view out/stn02_wagon --port 8765\n"
      "It prints an address for a browser on this machine and serves until Ctrl-C. From "
      "elsewhere:\n"
      "  ssh -L 8765:127.0.0.1:8765 HOST trammel view DIR --port 8765");
  c->callback([&action, a] { action = [a] { return view(*a); }; });
}

}  // namespace trammel::cli
