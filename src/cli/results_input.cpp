#include "cli/results_input.h"

#include <fmt/core.h>

#include <filesystem>

#include "cli/command.h"
#include "io/whole_file.h"

namespace trammel::cli {

namespace fs = std::filesystem;

std::string results_file(const std::string& path) {
  std::error_code error;
  const fs::path inside = fs::path(path) / "results.h5";
  if (fs::is_directory(path, error)) {
    if (!fs::exists(inside, error))
      throw InputError(fmt::format("{} holds no results.h5: 'trammel run' makes one", path));
    return inside.string();
  }
  if (!fs::exists(path, error)) throw InputError(fmt::format("there is no {}", path));
  if (!fs::is_regular_file(path, error))
    throw InputError(fmt::format("{} is no regular file: results are read from one", path));
  return path;
}

io::ResultsReader open_results(const std::string& path) {
  return io::ResultsReader(results_file(path));
}

std::string text_beside(const std::string& results, std::string_view name) {
  std::error_code error;
  const fs::path file = fs::path(results) / name;
  return fs::exists(file, error) ? io::read_whole(file.string(), 1 << 24) : "";
}

bool is_results(const std::string& path) {
  std::error_code error;
  return fs::is_directory(path, error) || fs::path(path).extension() == ".h5";
}

}  // namespace trammel::cli
