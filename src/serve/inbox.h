#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>
#include <vector>

#include "serve/command.h"

namespace trammel::serve {

/// Commands on their way from the server's thread to that of the run.
class Inbox {
 public:
  /// False: too many wait.
  bool put(Command command) {
    const std::lock_guard lock(mutex_);
    if (all_.size() >= kMostCommands) return false;
    all_.push_back(std::move(command));
    some_ = true;
    there_.notify_one();
    return true;
  }
  std::vector<Command> take() {
    const std::lock_guard lock(mutex_);
    some_ = false;
    return std::exchange(all_, {});
  }
  bool some() const { return some_; }
  void wait(double seconds) {
    std::unique_lock lock(mutex_);
    there_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return !all_.empty(); });
  }

 private:
  static constexpr std::size_t kMostCommands = 10000;
  std::mutex mutex_;
  std::condition_variable there_;
  std::vector<Command> all_;
  std::atomic<bool> some_ = false;
};

}  // namespace trammel::serve
