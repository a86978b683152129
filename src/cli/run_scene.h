#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/run_report.h"

namespace trammel::cli {

struct RunOptions {
  std::string scene, folder;  // folder empty: out/<scene's stem>
  std::string inputs = {};    // file of their recording; empty: they rest
  bool force = false, json = false, quiet = false, plots = true;
  bool accept = false;    // what is not accurate
  bool any_size = false;  // of the results
  int threads = 0;        // 0: as many as there are cores
  std::vector<io::Override> overrides;
};

/// `trammel run`: the scene into a folder of results.
int run_scene(const RunOptions& options);

struct ResumeOptions {
  std::string folder, until;  // until empty: the duration of the scene
  bool json = false, quiet = false, plots = true;
  bool accept = false;  // what is not accurate
};

/// `trammel resume`: goes on with a run that was cut short.
int resume_run(const ResumeOptions& options);

}  // namespace trammel::cli
