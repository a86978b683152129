#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "serve/server.h"

namespace trammel::cli {

/// What a page says: a text or a picture, or that it is gone.
struct Letter {
  serve::PageId page = 0;
  std::string text = {}, picture = {};
  bool closed = false;
};

/// Letters on their way from the server's thread.
class Mail {
 public:
  void put(Letter letter) {
    const std::lock_guard lock(mutex_);
    all_.push_back(std::move(letter));
    there_.notify_one();
  }
  /// The next one; waits for it, at most so long [s].
  std::optional<Letter> take(double seconds) {
    std::unique_lock lock(mutex_);
    there_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return !all_.empty(); });
    if (all_.empty()) return {};
    Letter out = std::move(all_.front());
    all_.pop_front();
    return out;
  }

 private:
  std::mutex mutex_;
  std::condition_variable there_;
  std::deque<Letter> all_;
};

}  // namespace trammel::cli
