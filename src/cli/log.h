#pragma once

#include <fmt/core.h>

#include <string>
#include <utility>

/// Messages of the program besides its data, on stderr.
namespace trammel::cli::log {

void info(const std::string& text);
void warning(const std::string& text);
void error(const std::string& text);

}  // namespace trammel::cli::log
