#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <string>
#include <vector>

#include "cli/command.h"

namespace {

/// Opens those of stdin, stdout and stderr that are closed: else the next file that is opened
/// becomes one of them, and words for the terminal land in results. Reading finds an end, writing
/// goes on to fail, as it does on a closed stdout.
bool fill_closed() {
  for (int id = STDIN_FILENO; id <= STDERR_FILENO; ++id) {
    if (fcntl(id, F_GETFD) != -1) continue;
    // the lowest that is free; for words (stderr) there is nobody to hear, for data it is an error
    if (::open("/dev/null", id == STDERR_FILENO ? O_WRONLY : O_RDONLY) != id) return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (!fill_closed()) return trammel::cli::kInput;
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error of its write
  const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
  return trammel::cli::program(arguments);
}
