#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "serve/server.h"

namespace trammel::serve {

/// What a page asks for (docs/live.md).
struct Command {
  enum class Kind : unsigned char {
    input,
    pause,
    go,
    step,
    speed,
    rewind,
    stop,
    take,
    // not in words of a page:
    came,  // the first page that may drive
    gone   // the page that drove
  } kind = Kind::pause;
  double value = 0;       // of the input, the speed, the time, the number of steps
  std::string name = {};  // of the input
  PageId page = 0;        // who asks
};

/// The command, or what is wrong with the text.
std::variant<Command, std::string> parse_command(std::string_view text);

}  // namespace trammel::serve
