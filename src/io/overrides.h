#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/scene.h"

/// What a command line changed of a scene, as a text that results keep: `path=value`, one a line;
/// line ends and backslashes within are written as \n, \r and \\.
namespace trammel::io {

std::string to_text(const std::vector<Override>& overrides);
std::vector<Override> overrides_from(std::string_view text);

}  // namespace trammel::io
