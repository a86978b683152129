#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "plot/drawing.h"

namespace trammel::plot {

/// Pixels that are painted on. What one call paints is one layer: where parts of it lie over each
/// other, nothing shows through twice.
class Canvas {
 public:
  Canvas(std::size_t width, std::size_t height, const std::string& background);
  std::size_t width() const { return width_; }
  std::size_t height() const { return height_; }
  const std::vector<std::uint8_t>& rgb() const { return rgb_; }  // by rows

  void stroke(const Stroke& stroke, double scale);
  void fill(const Area& area, double scale);
  /// A grey picture, as of a letter: its coverage from 0 to 255, by rows.
  void stamp(const unsigned char* grey, int columns, int rows, int pitch, int left, int top,
             const std::string& colour);

 private:
  struct Box {
    long left, top, right, bottom;  // the last ones are outside
  };
  Box clipped(double left, double top, double right, double bottom) const;
  void cover(std::size_t at, double part);
  void capsule(Point a, Point b, double width);
  void polygon(const Polyline& outline);
  void paint(const std::string& colour, double opacity);

  std::size_t width_, height_;
  std::vector<std::uint8_t> rgb_;
  std::vector<float> covered_;        // of the layer
  std::vector<std::size_t> touched_;  // where it is not zero
};

/// The parts of a line that dashes leave.
std::vector<Polyline> dashed(const Polyline& run, const std::vector<double>& dash);

}  // namespace trammel::plot
