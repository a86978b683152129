#include "plot/canvas.h"

#include <algorithm>
#include <cmath>

namespace trammel::plot {

namespace {

struct Rgb {
  double part[3];
};

// "#rrggbb".
Rgb rgb_of(const std::string& colour) {
  const unsigned long n = std::stoul(colour.substr(1), nullptr, 16);
  return {{static_cast<double>(n >> 16 & 255), static_cast<double>(n >> 8 & 255),
           static_cast<double>(n & 255)}};
}

double distance(Point p, Point a, Point b) {
  const double dx = b.x - a.x, dy = b.y - a.y, length2 = dx * dx + dy * dy;
  const double along = length2 > 0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / length2 : 0;
  const double t = std::clamp(along, 0.0, 1.0);
  return std::hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

Polyline scaled(const Polyline& run, double scale) {
  Polyline out = run;
  for (Point& p : out) p = {p.x * scale, p.y * scale};
  return out;
}

}  // namespace

std::vector<Polyline> dashed(const Polyline& run, const std::vector<double>& dash) {
  if (dash.empty() || run.empty()) return {run};
  std::vector<Polyline> out{{run[0]}};
  std::size_t part = 0;  // even ones are drawn
  double left = dash[0];
  for (std::size_t i = 1; i < run.size(); ++i) {
    Point at = run[i - 1];
    for (double rest = std::hypot(run[i].x - at.x, run[i].y - at.y); rest > 0;) {
      const double step = std::min(rest, left), share = step / rest;
      at = {at.x + share * (run[i].x - at.x), at.y + share * (run[i].y - at.y)};
      rest -= step;
      left -= step;
      if (part % 2 == 0) out.back().push_back(at);
      if (left > 0) continue;
      left = dash[++part % dash.size()];
      if (part % 2 == 0) out.push_back({at});
    }
  }
  return out;
}

Canvas::Canvas(std::size_t width, std::size_t height, const std::string& background)
    : width_(width), height_(height), rgb_(3 * width * height), covered_(width * height, 0.0F) {
  const Rgb colour = rgb_of(background);
  for (std::size_t i = 0; i < rgb_.size(); ++i)
    rgb_[i] = static_cast<std::uint8_t>(colour.part[i % 3]);
}

Canvas::Box Canvas::clipped(double left, double top, double right, double bottom) const {
  const auto within = [](double x, std::size_t most) {
    return static_cast<long>(std::clamp(std::floor(x), 0.0, static_cast<double>(most)));
  };
  return {within(left, width_), within(top, height_), within(right + 1, width_),
          within(bottom + 1, height_)};
}

void Canvas::cover(std::size_t at, double part) {
  if (part <= covered_[at]) return;
  if (covered_[at] == 0) touched_.push_back(at);
  covered_[at] = static_cast<float>(part);
}

// A thick line with round ends: what is nearer to it than half its width, edges being a pixel wide.
// Lines thinner than a pixel are paler instead.
void Canvas::capsule(Point a, Point b, double width) {
  const double strength = std::min(1.0, width), reach = std::max(1.0, width) / 2 + 0.5;
  const Box box = clipped(std::min(a.x, b.x) - reach, std::min(a.y, b.y) - reach,
                          std::max(a.x, b.x) + reach, std::max(a.y, b.y) + reach);
  const double dx = b.x - a.x, dy = b.y - a.y;
  for (long row = box.top; row < box.bottom; ++row) {
    const double y = static_cast<double>(row) + 0.5;
    Box here = box;
    if (std::abs(dy) > 1e-9) {  // of a long line only what it reaches in this row
      const double first = std::clamp((y - reach - a.y) / dy, 0.0, 1.0),
                   last = std::clamp((y + reach - a.y) / dy, 0.0, 1.0);
      const double x0 = a.x + first * dx, x1 = a.x + last * dx;
      here = clipped(std::min(x0, x1) - reach, 0, std::max(x0, x1) + reach, 0);
    }
    for (long column = here.left; column < here.right; ++column) {
      const double d = distance({static_cast<double>(column) + 0.5, y}, a, b);
      if (d < reach)
        cover(static_cast<std::size_t>(row) * width_ + static_cast<std::size_t>(column),
              strength * std::min(1.0, reach - d));
    }
  }
}

// By sixteen places in each pixel: 4 rows, and in each the spans inside by halves of crossings.
void Canvas::polygon(const Polyline& outline) {
  constexpr int kRows = 4;
  double top = 1e9, bottom = -1e9, left = 1e9, right = -1e9;
  for (const Point& p : outline) {
    top = std::min(top, p.y), bottom = std::max(bottom, p.y);
    left = std::min(left, p.x), right = std::max(right, p.x);
  }
  const Box box = clipped(left, top, right, bottom);
  std::vector<double> part, crossings;
  for (long row = box.top; row < box.bottom; ++row) {
    part.assign(static_cast<std::size_t>(std::max(0L, box.right - box.left)), 0.0);
    for (int k = 0; k < kRows; ++k) {
      const double y = static_cast<double>(row) + (k + 0.5) / kRows;
      crossings.clear();
      for (std::size_t i = 0; i < outline.size(); ++i) {
        const Point a = outline[i], b = outline[(i + 1) % outline.size()];
        if ((a.y <= y) != (b.y <= y))
          crossings.push_back(a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x));
      }
      std::ranges::sort(crossings);
      for (std::size_t i = 0; i + 1 < crossings.size(); i += 2)
        for (std::size_t c = 0; c < part.size(); ++c) {
          const double x = static_cast<double>(box.left) + static_cast<double>(c);
          const double inside = std::min(crossings[i + 1], x + 1) - std::max(crossings[i], x);
          part[c] += std::max(0.0, inside) / kRows;
        }
    }
    for (std::size_t c = 0; c < part.size(); ++c)
      cover(static_cast<std::size_t>(row) * width_ + static_cast<std::size_t>(box.left) + c,
            part[c]);
  }
}

void Canvas::paint(const std::string& colour, double opacity) {
  const Rgb over = rgb_of(colour);
  for (const std::size_t at : touched_) {
    const double part = std::min(1.0, static_cast<double>(covered_[at])) * opacity;
    for (std::size_t c = 0; c < 3; ++c) {
      std::uint8_t& value = rgb_[3 * at + c];
      value = static_cast<std::uint8_t>(std::lround(value + part * (over.part[c] - value)));
    }
    covered_[at] = 0;
  }
  touched_.clear();
}

void Canvas::stroke(const Stroke& stroke, double scale) {
  for (const Polyline& run : stroke.runs)
    for (const Polyline& part : dashed(run, stroke.pen.dash)) {
      const Polyline points = scaled(part, scale);
      for (std::size_t i = 1; i < points.size(); ++i)
        capsule(points[i - 1], points[i], stroke.pen.width * scale);
    }
  paint(stroke.pen.colour, 1);
}

void Canvas::fill(const Area& area, double scale) {
  polygon(scaled(area.outline, scale));
  paint(area.colour, area.opacity);
}

void Canvas::stamp(const unsigned char* grey, int columns, int rows, int pitch, int left, int top,
                   const std::string& colour) {
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      const int x = left + column, y = top + row;
      if (x < 0 || y < 0) continue;
      const auto at_x = static_cast<std::size_t>(x), at_y = static_cast<std::size_t>(y);
      if (at_x >= width_ || at_y >= height_) continue;
      cover(at_y * width_ + at_x, grey[row * pitch + column] / 255.0);
    }
  paint(colour, 1);
}

}  // namespace trammel::plot
