#pragma once

#include <string>
#include <string_view>

#include "io/results.h"

namespace trammel::cli {

/// Results by their folder or their file; throws InputError where there are none.
std::string results_file(const std::string& path);
io::ResultsReader open_results(const std::string& path);

/// Whether a path is one of results rather than of a scene.
bool is_results(const std::string& path);

/// A text file in a folder of results; empty where there is none: of a run that is under way, or
/// was killed, or where the path is no folder.
std::string text_beside(const std::string& results, std::string_view name);

}  // namespace trammel::cli
