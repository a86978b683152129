#pragma once

#include <string>
#include <vector>

#include "model/builder.h"
#include "verify/series.h"

namespace trammel::verify {

/// Returns residuals of the energy ledger and the momentum balance of a series that are more than
/// truncation, the greatest of each run. They must fall as the steps do, by the order that the
/// motion shows; resolved: times at which the series is.
std::vector<std::string> imbalances(const Series& series, double size, long resolved);

/// Returns why a mechanism does not determine its forces though its motion depends on them: joints
/// that hold each other more than once and may break or yield. Empty: it does. At the start's pose.
std::vector<std::string> ill_posed(const model::Built& built);

}  // namespace trammel::verify
