#pragma once

#include "cli/text_table.h"
#include "io/json.h"
#include "sim/peak_list.h"

/// The peaks of a run in its summary (docs/results.md, "Peaks").
namespace trammel::cli {

/// Returns the lines of the largest ones: of forces by their ratio, an element each once.
TextTable greatest_values(const sim::PeakList& peaks);
TextTable greatest_impulses(const sim::PeakList& peaks);
/// Adds all that are listed, as fields of an object.
void json_peaks(const sim::PeakList& peaks, io::Json& json);

}  // namespace trammel::cli
