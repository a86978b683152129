#pragma once

#include <span>

#include "io/scene_walk.h"

namespace trammel::io {

/// Writes overrides into a parsed scene; the description then checks them like everything else.
void apply(std::span<const Override> overrides, toml::table& root, Findings& findings);

}  // namespace trammel::io
