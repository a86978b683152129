#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "io/results.h"

/// A run as one page that a browser opens from disk: the viewer (viewer/) with the scene and its
/// results inside.
namespace trammel::report {

struct Options {
  double most_bytes = 10e6;  // of the page; above it frames are left out, evenly
  std::string summary = {};  // summary.json of the run, for its table; empty: none
  std::string verify = {};   // what `trammel verify --json` says of its scene; empty: nothing
};

/// What came into a page.
struct Report {
  std::string html;
  std::size_t frames = 0, frames_of_run = 0;  // in the page, and in the results
  std::vector<std::string> left_out;          // paths of series that are not in the page
  std::string no_shapes;  // why there are neither shapes of bodies nor tracks; empty: there are
};

Report make(const io::ResultsReader& results, const Options& options);

/// The page with what it is to do beside its run (viewer/src/movie), as JSON.
std::string with_order(std::string html, std::string_view order);

/// The viewer without a run: it takes one from a WebSocket (docs/live.md).
std::string live_page(std::string_view socket);

}  // namespace trammel::report
