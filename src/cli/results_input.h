#pragma once

#include <string>

#include "io/results.h"

namespace trammel::cli {

/// Results by their folder or their file; throws InputError where there are none.
std::string results_file(const std::string& path);
io::ResultsReader open_results(const std::string& path);

/// Whether a path is one of results rather than of a scene.
bool is_results(const std::string& path);

}  // namespace trammel::cli
