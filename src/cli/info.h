#pragma once

#include <string>

#include "cli/scene_input.h"
#include "io/json.h"
#include "io/results.h"

/// The texts of `trammel info`.
namespace trammel::cli {

struct InfoOptions {
  bool json = false, channels = false, events = false, latex = false;
};

std::string info_scene(const Prepared& prepared, bool json);
/// The equations of the scene's systems in generalised coordinates; empty: it has none.
std::string info_systems(const model::Built& built, bool as_latex);
/// The same as a list.
void info_systems(const model::Built& built, io::Json& json);
std::string info_results(const io::ResultsReader& results, const InfoOptions& options);

/// Straight from the tables the program works with.
std::string info_joints(bool json);
std::string info_laws(bool json);
std::string info_units(bool json);

}  // namespace trammel::cli
