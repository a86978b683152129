#pragma once

namespace trammel::cli {

/// While it lives, the first SIGINT or SIGTERM is only noted; a second one ends the program at
/// once.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
  static bool interrupted();
};

}  // namespace trammel::cli
