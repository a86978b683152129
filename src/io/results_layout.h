#pragma once

#include <vector>

#include "io/results.h"
#include "sim/recorder.h"

/// How a run lies in its results.
namespace trammel::io {

std::vector<Series> series_of(const sim::Recorder& recorder);
std::vector<Constants> constants_of(const model::Built& built);

}  // namespace trammel::io
