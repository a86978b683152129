#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "io/results.h"
#include "report/packed.h"

namespace trammel::serve {

/// The frames of a run in memory, in single numbers: what a page that comes later is given. Where
/// there are too many, each second one of all but the last is left out.
class KeptFrames {
 public:
  explicit KeptFrames(const std::vector<io::Series>& series, std::size_t most_numbers = 16u << 20);
  void add(double t, std::span<const float> row);
  /// Forgets the frames after t.
  void cut(double t);
  void clear();
  std::size_t width() const { return width_; }  // of a frame
  std::size_t size() const { return time_.size(); }
  double last() const;  // time of the last frame; -inf: there is none
  std::size_t every() const {
    return every_;
  }  // so many frames were there for one of the first ones
  /// Adds time and series as a page has them (report/frames.h).
  void pack(report::Arrays& arrays) const;

 private:
  void thin();
  std::vector<std::size_t> widths_;  // of the series
  std::size_t width_ = 0, most_ = 0, every_ = 1;
  std::vector<double> time_;
  std::vector<float> rows_;
};

}  // namespace trammel::serve
