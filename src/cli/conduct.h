#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cli/recording.h"
#include "cli/run_report.h"
#include "cli/scene_input.h"

namespace trammel::cli {

/// Holds what is the same for a run from its start and one that goes on.
struct Way {
  std::string folder;
  std::vector<io::Override> overrides;
  bool json = false, quiet = false, plots = true, accept = false;
};

void warn(const std::vector<sim::Warning>& warnings);
/// Says that numbers are not to be trusted, and what to do about it. Returns the exit code.
int distrust(const std::vector<sim::Warning>& warnings, const Way& way, const std::string& scene);

/// Makes a recording of the run and takes it to its end.
using Conducted = std::function<void(std::unique_ptr<Recording>&, RunReport&)>;
/// The run itself and all that it leaves. Returns the exit code.
int conduct(const Prepared& p, const Way& way, const Conducted& go);

/// Refuses results that nobody meant, or that the disk has no room for.
void check_room(const Prepared& p, const std::string& folder);

}  // namespace trammel::cli
