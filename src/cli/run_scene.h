#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/run_report.h"

namespace trammel::cli {

struct RunOptions {
  std::string scene, folder;  // folder empty: out/<scene's stem>
  bool force = false, json = false, quiet = false, plots = true;
  int threads = 0;  // 0: as many as there are cores
  std::vector<io::Override> overrides;
};

/// `trammel run`: the scene into a folder of results.
int run_scene(const RunOptions& options);

}  // namespace trammel::cli
