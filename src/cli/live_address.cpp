#include "cli/live_address.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>

#include "cli/log.h"

namespace trammel::cli {

void add_port(CLI::App& command, unsigned short& port) {
  command.add_option("--port", port, "Of 127.0.0.1 (any that is free)")
      ->type_name("N")
      ->check(CLI::Range(1, 65535));
}

void say_address(const std::string& address, bool elsewhere) {
  std::FILE* out = elsewhere ? stderr : stdout;
  fmt::print(out, "{}\n", address);
  std::fflush(out);  // who reads it from a pipe waits for it
  log::info("open it in a browser; Ctrl-C ends");
}

}  // namespace trammel::cli
