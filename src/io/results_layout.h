#pragma once

#include <vector>

#include "io/results.h"
#include "sim/recorder.h"

/// How a run lies in its results.
namespace trammel::io {

std::vector<Series> series_of(const sim::Recorder& recorder);
std::vector<Rows> lists_of(const sim::Recorder& recorder);
/// With the lines of tracks as points, if they are wanted.
std::vector<Constants> constants_of(const model::Built& built, bool lines = false);

}  // namespace trammel::io
