#pragma once

#include <string>

#include "io/results.h"

namespace trammel::io {

/// The outcome for a results file.
struct Recovery {
  bool was_good = false;  // every HDF5 tool opens it, and it was left as it is
  std::size_t frames = 0, events = 0;
  double until = 0;  // time of the last frame [s]
  std::string kept;  // where the damaged file is, if numbers in it could not be read
  std::string lost;  // what is missing among the frames that were saved, in words; empty: nothing
};

/// An attribute of the root of results with gaps: what is lost. Rows that are lost are NaN, frames
/// whose time is lost are left out.
inline const std::string kLost = "lost";

/// Makes results readable by every HDF5 tool again, after a kill or with part of the file lost. The
/// file is replaced by one with all that is as it was written, or left alone: throws ResultsError
/// where nothing can be saved.
Recovery recover(const std::string& path);

}  // namespace trammel::io
