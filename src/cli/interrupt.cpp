#include "cli/interrupt.h"

#include <csignal>

namespace trammel::cli {

namespace {

volatile std::sig_atomic_t noted = 0;

void note(int) { noted = 1; }

/// nohup and some service managers start programs with SIGHUP ignored, which then stays so.
bool is_ignored(int signal) {
  struct sigaction now {};
  return sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
}

void handle(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  if (!is_ignored(SIGHUP)) sigaction(SIGHUP, &action, nullptr);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  noted = 0;
  handle(note);
}
InterruptGuard::~InterruptGuard() { handle(SIG_DFL); }
bool InterruptGuard::interrupted() { return noted != 0; }

}  // namespace trammel::cli
