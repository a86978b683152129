#pragma once

#include <functional>
#include <vector>

#include "io/results.h"
#include "report/packed.h"

namespace trammel::report {

/// Which frames and series of results come into a page.
struct Selection {
  std::size_t every = 1;            // each so-many-th frame, and the last
  std::vector<std::size_t> series;  // by number
  std::vector<std::size_t> left_out;
  std::size_t contacts = 0;  // points of contact a frame, those that push hardest
  bool operator==(const Selection&) const = default;
};

/// The frames that are kept of `frames`.
std::vector<std::size_t> kept_frames(std::size_t frames, std::size_t every);

/// Calls f(place among those kept, row) for the rows of kept frames, which are read in blocks
/// where they are close.
void each_row(const io::ResultsReader& results, std::size_t series,
              const std::vector<std::size_t>& kept,
              const std::function<void(std::size_t, const double*)>& f);

/// The most that fits into `numbers`, as far as can be said before compression. Where few frames
/// would be left the largest series that no picture needs are left out.
Selection select(const io::ResultsReader& results, double numbers);

/// Adds points of contact, as many a frame as the selection says: x, y, z, fx, fy, fz, gap of the
/// first over all frames, then of the next; what is not there is not a number.
void add_contacts(const io::ResultsReader& results, const Selection& selection, Arrays& arrays);

/// Adds the time, then each series of the selection: channel after channel, each over all frames.
void add_frames(const io::ResultsReader& results, const Selection& selection, Arrays& arrays);

}  // namespace trammel::report
