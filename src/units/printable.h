#pragma once

#include <string>
#include <string_view>

namespace trammel::units {

/// A text from a file as a terminal, a picture or a table may have it: control characters, which
/// could move the cursor or end a line, are written as \x1b; line ends and tabs stay.
std::string printable(std::string_view text);

}  // namespace trammel::units
