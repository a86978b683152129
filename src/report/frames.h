#pragma once

#include <array>
#include <functional>
#include <string_view>
#include <vector>

#include "io/results.h"
#include "report/packed.h"

namespace trammel::report {

/// The list that pages show, and which of its columns: a place and a force among them.
inline constexpr std::string_view kShownList = "/contacts/points";
inline constexpr std::array<std::string_view, 7> kShownColumns{"x",  "y",  "z",  "fx",
                                                               "fy", "fz", "gap"};

/// Which frames and series of results come into a page.
struct Selection {
  std::size_t every = 1;            // each so-many-th frame, and the last
  std::vector<std::size_t> series;  // by number
  std::vector<std::size_t> left_out;
  std::size_t rows = 0;  // of kShownList a frame, those that push hardest
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

/// Adds rows of the list, as many a frame as the selection says: the columns of the first over all
/// frames, then of the next; what is not there is not a number.
void add_rows(const io::ResultsReader& results, const Selection& selection, Arrays& arrays);

/// Adds the time, then each series of the selection: channel after channel, each over all frames.
void add_frames(const io::ResultsReader& results, const Selection& selection, Arrays& arrays);

}  // namespace trammel::report
