#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "io/scene.h"

namespace trammel::io {

constexpr std::size_t kMostBytes = 64u << 20;  // of a scene
constexpr std::size_t kDeepest = 32;           // brackets within brackets, or names in a dotted key

struct TextProblem {
  Place place;
  std::string text;
};

/// Returns what keeps a text from being given to the TOML parser: its size, bytes that are not
/// UTF-8, control characters and those other than ASCII outside strings and comments, brackets that
/// do not match, and nesting without end.
std::optional<TextProblem> check_text(std::string_view text);

/// Where byte `n` of the value of a string stands, whose quotes begin at `quote`; there, where no
/// string stands.
Place place_in_string(std::string_view text, Place quote, std::size_t n);

}  // namespace trammel::io
