#include <csignal>
#include <string>
#include <vector>

#include "cli/command.h"

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error of its write
  const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
  return trammel::cli::program(arguments);
}
