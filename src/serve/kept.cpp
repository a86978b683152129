#include "serve/kept.h"

#include <algorithm>
#include <limits>

namespace trammel::serve {

KeptFrames::KeptFrames(const std::vector<io::Series>& series, std::size_t most_numbers) {
  for (const io::Series& s : series) {
    widths_.push_back(s.width());
    width_ += s.width();
  }
  most_ = std::max<std::size_t>(16, most_numbers / std::max<std::size_t>(1, width_));
}

double KeptFrames::last() const {
  return time_.empty() ? -std::numeric_limits<double>::infinity() : time_.back();
}

void KeptFrames::add(double t, std::span<const float> row) {
  if (time_.size() >= most_) thin();
  time_.push_back(t);
  rows_.insert(rows_.end(), row.begin(), row.end());
}

void KeptFrames::cut(double t) {
  const auto end = std::upper_bound(time_.begin(), time_.end(), t);
  time_.erase(end, time_.end());
  rows_.resize(time_.size() * width_);
}

void KeptFrames::clear() {
  time_.clear();
  rows_.clear();
  every_ = 1;
}

/// The last eighth stays: it is what one looks at.
void KeptFrames::thin() {
  const std::size_t old = time_.size() - time_.size() / 8;
  std::size_t to = 0;
  const auto move = [&](std::size_t from) {
    time_[to] = time_[from];
    const auto row = rows_.begin() + static_cast<long>(from * width_);
    std::copy(row, row + static_cast<long>(width_), rows_.begin() + static_cast<long>(to * width_));
    ++to;
  };
  for (std::size_t i = 0; i < old; i += 2) move(i);
  for (std::size_t i = old; i < time_.size(); ++i) move(i);
  time_.resize(to);
  rows_.resize(to * width_);
  every_ *= 2;
}

void KeptFrames::pack(report::Arrays& arrays) const {
  arrays.add(std::span<const double>(time_));
  std::size_t first = 0;
  std::vector<float> values;
  for (const std::size_t width : widths_) {
    values.resize(width * time_.size());
    for (std::size_t c = 0; c < width; ++c)
      for (std::size_t i = 0; i < time_.size(); ++i)
        values[c * time_.size() + i] = rows_[i * width_ + first + c];
    arrays.add(std::span<const float>(values));
    first += width;
  }
}

}  // namespace trammel::serve
