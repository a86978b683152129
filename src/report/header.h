#pragma once

#include <string>
#include <string_view>

#include "io/json.h"
#include "io/results.h"
#include "report/frames.h"
#include "report/packed.h"
#include "report/report.h"
#include "report/scene.h"

namespace trammel::report {

/// What a header says besides the scene: of results, or of a run under way.
struct Content {
  const io::Header& header;
  const std::vector<io::Series>& series;
  std::vector<io::Event> events;
  io::Ending ending = io::Ending::open;
  std::size_t frames = 0;  // of the run
  std::string live = {};   // JSON (docs/live.md); empty: nothing
};
Content content_of(const io::ResultsReader& results);

/// The table of that path among the constants of results; null: it is not there.
const io::Constants* table_of(const io::Header& header, std::string_view path);

/// An event as the header has it.
void event(io::Json& out, const io::Event& event);

/// The header of a page's data as JSON. Adds the points of tracks and meshes to the arrays.
std::string header(const Content& content, const Shown& scene, const Selection& selection,
                   const Options& options, Arrays& arrays);

}  // namespace trammel::report
