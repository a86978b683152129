#include "plot/thin.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace trammel::plot {

namespace {

// Consecutive points of one pixel column.
struct Column {
  std::size_t first, least, greatest, last;
};

class Thinned {
 public:
  Thinned(const Line& line, const Axis& x, const Axis& y) : line_(line), x_(x), y_(y) {}

  std::vector<Polyline> runs() {
    const std::size_t n = std::min(line_.x.size(), line_.y.size());
    for (std::size_t i = 0; i < n; ++i) {
      const Point p = at(i);
      if (std::isfinite(p.x) && std::isfinite(p.y))
        add(i, p);
      else
        lift();
    }
    lift();
    return std::move(out_);
  }

 private:
  Point at(std::size_t i) const { return {x_.pixel(line_.x[i]), y_.pixel(line_.y[i])}; }

  void add(std::size_t i, Point p) {
    const double column = std::floor(p.x);
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

  // Keeps the points of the column in their order.
  void finish() {
    if (!open_) return;
    std::array<std::size_t, 4> keep = {run_.first, run_.least, run_.greatest, run_.last};
    std::ranges::sort(keep);
    for (std::size_t k = 0; k < keep.size(); ++k)
      if (k == 0 || keep[k] != keep[k - 1]) stretch_.push_back(at(keep[k]));
    open_ = false;
  }

  // Ends a stretch; a lone point is drawn as a small cross, a dot to the eye.
  void lift() {
    finish();
    if (stretch_.size() == 1) {
      const Point p = stretch_[0];
      out_.push_back({{p.x - 1.5, p.y}, {p.x + 1.5, p.y}});
      out_.push_back({{p.x, p.y - 1.5}, {p.x, p.y + 1.5}});
    } else if (!stretch_.empty()) {
      out_.push_back(std::move(stretch_));
    }
    stretch_.clear();
  }

  const Line& line_;
  const Axis &x_, &y_;
  std::vector<Polyline> out_;
  Polyline stretch_;
  Column run_ = {};
  double column_ = 0;
  bool open_ = false;
};

}  // namespace

std::vector<Polyline> thin(const Line& line, const Axis& x, const Axis& y) {
  return Thinned(line, x, y).runs();
}

}  // namespace trammel::plot
