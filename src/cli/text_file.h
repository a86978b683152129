#pragma once

#include <string>

namespace trammel::cli {

/// Writes a file whole; throws InputError if it cannot be.
void write_text(const std::string& path, const std::string& text);

}  // namespace trammel::cli
