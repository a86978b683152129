#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "plot/figure.h"

namespace trammel::plot {

/// Least and greatest of what is shown; empty until a finite number is added.
struct Range {
  double lo = 1, hi = 0;
  bool empty() const { return lo > hi; }
  void add(double x);
};

/// From data to pixels, with ticks at round numbers.
struct Axis {
  double lo = 0, hi = 1;      // data at the two ends
  double from = 0, to = 1;    // px at the two ends
  std::vector<double> ticks;  // data
  std::vector<std::string> texts;
  std::string title;  // with the unit, and the factor or offset taken out of the texts
  bool log = false;   // by powers: what is not positive has no finite place

  double pixel(double x) const {
    const double part = log ? (std::log10(x) - std::log10(lo)) / (std::log10(hi) - std::log10(lo))
                            : (x - lo) / (hi - lo);
    return from + part * (to - from);
  }
};

/// An axis over the range, widened by `margin` of it at both ends (constants get a range of their
/// own), with a tick every `spacing` px or so.
Axis make_axis(Range range, const Label& label, double from, double to, double spacing,
               double margin);

/// The same by powers of ten, over a range of positive numbers.
Axis make_log_axis(Range range, const Label& label, double from, double to, double spacing,
                   double margin);

}  // namespace trammel::plot
