#include "cli/interrupt.h"

#include <csignal>

namespace trammel::cli {

namespace {

volatile std::sig_atomic_t noted = 0;

void note(int) { noted = 1; }

void handle(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  noted = 0;
  handle(note);
}
InterruptGuard::~InterruptGuard() { handle(SIG_DFL); }
bool InterruptGuard::interrupted() { return noted != 0; }

}  // namespace trammel::cli
