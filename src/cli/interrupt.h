#pragma once

namespace trammel::cli {

/// While it lives, the first SIGINT, SIGTERM or SIGHUP (the terminal was closed) is only noted; a
/// second one ends the program at once. SIGHUP stays ignored where it was, as under nohup.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
  static bool interrupted();
};

}  // namespace trammel::cli
