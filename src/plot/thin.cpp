#include "plot/thin.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

namespace trammel::plot {

namespace {

struct Point {
  double x, y;  // px
};

// Consecutive points of one pixel column.
struct Column {
  std::size_t first, least, greatest, last;
};

class Path {
 public:
  Path(const Line& line, const Axis& x, const Axis& y) : line_(line), x_(x), y_(y) {}

  std::string data() {
    const std::size_t n = std::min(line_.x.size(), line_.y.size());
    for (std::size_t i = 0; i < n; ++i) {
      if (std::isfinite(line_.x[i]) && std::isfinite(line_.y[i]))
        add(i);
      else
        lift();
    }
    lift();
    return fmt::to_string(out_);
  }

 private:
  Point at(std::size_t i) const { return {x_.pixel(line_.x[i]), y_.pixel(line_.y[i])}; }

  void add(std::size_t i) {
    const double column = std::floor(at(i).x);
    if (open_ && column == column_) {
      if (line_.y[i] < line_.y[run_.least]) run_.least = i;
      if (line_.y[i] > line_.y[run_.greatest]) run_.greatest = i;
      run_.last = i;
      return;
    }
    finish();
    run_ = {i, i, i, i};
    column_ = column;
    open_ = true;
  }

  // Writes the points of the column in their order.
  void finish() {
    if (!open_) return;
    std::array<std::size_t, 4> keep = {run_.first, run_.least, run_.greatest, run_.last};
    std::ranges::sort(keep);
    for (std::size_t k = 0; k < keep.size(); ++k)
      if (k == 0 || keep[k] != keep[k - 1]) write(at(keep[k]));
    open_ = false;
  }

  void write(Point p) {
    fmt::format_to(std::back_inserter(out_), "{}{:.2f},{:.2f}", points_ == 0 ? "M" : " ", p.x, p.y);
    ++points_;
    last_ = p;
  }

  // Ends a stretch; a lone point is drawn as a small cross, a dot to the eye.
  void lift() {
    finish();
    if (points_ == 1)
      fmt::format_to(std::back_inserter(out_), "h1.5h-3M{0:.2f},{1:.2f}v1.5v-3", last_.x, last_.y);
    points_ = 0;
  }

  const Line& line_;
  const Axis &x_, &y_;
  fmt::memory_buffer out_;
  Column run_ = {};
  double column_ = 0;
  bool open_ = false;
  Point last_ = {};
  std::size_t points_ = 0;  // of the stretch
};

}  // namespace

std::string path_data(const Line& line, const Axis& x, const Axis& y) {
  return Path(line, x, y).data();
}

}  // namespace trammel::plot
