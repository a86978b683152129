#pragma once

#include <string>

#include "io/results.h"
#include "report/frames.h"
#include "report/packed.h"
#include "report/report.h"
#include "report/scene.h"

namespace trammel::report {

/// The header of a page's data as JSON. Adds the points of tracks and meshes to the arrays.
std::string header(const io::ResultsReader& results, const Shown& scene, const Selection& selection,
                   const Options& options, Arrays& arrays);

}  // namespace trammel::report
