#pragma once

#include <string>

namespace CLI {
class App;
}

/// What `view` and `play` have in common on the command line.
namespace trammel::cli {

void add_port(CLI::App& command, unsigned short& port);
/// The address on stdout, or on stderr where stdout is for other data, and what to do with it.
void say_address(const std::string& address, bool elsewhere);

}  // namespace trammel::cli
