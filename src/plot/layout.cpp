#include "plot/layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "plot/text.h"

namespace trammel::plot {

namespace {

constexpr double kPanelGap = 12;
constexpr double kSpace = 14;       // between names in the legend
constexpr double kLeastPanel = 60;  // px
constexpr int kMaxLanes = 5;
constexpr std::size_t kMostNames = 42;  // in a legend

Range range_of(const Figure& figure, const Panel& panel, bool of_x) {
  Range range;
  for (const Line& line : panel.lines)
    for (std::size_t i = 0; i < std::min(line.x.size(), line.y.size()); ++i)
      if (std::isfinite(line.x[i]) && std::isfinite(line.y[i]) && (!figure.log_y || line.y[i] > 0))
        range.add(of_x ? line.x[i] : line.y[i]);
  return range;
}

Axis y_axis(const Figure& figure, const Panel& panel, double height) {
  const auto make = figure.log_y ? make_log_axis : make_axis;
  return make(range_of(figure, panel, false), panel.y, height, 0, 40, 0.06);
}

std::vector<LegendEntry> legend_of(const Panel& panel) {
  std::vector<LegendEntry> out;
  for (std::size_t i = 0; i < panel.lines.size(); ++i)
    if (!panel.lines[i].name.empty()) out.push_back({panel.lines[i].name, i});
  if (out.size() <= kMostNames) return out;
  const std::size_t rest = out.size() - kMostNames;
  out.resize(kMostNames);
  out.push_back({fmt::format("and {} more", rest), std::string::npos});
  return out;
}

double legend_width(const LegendEntry& e) {
  return (e.line == std::string::npos ? 0 : kKey + 6) + text_width(e.name, kText);
}

// Beside the panel's label at its right end if there is room in one row, else in columns below it.
// Returns the number of rows of label and legend together.
int place_legend(std::vector<LegendEntry>& legend, double left, double right, double label) {
  const int below = label > 0 ? 1 : 0;
  if (legend.empty()) return below;
  double total = -kSpace, widest = 0;
  for (LegendEntry& e : legend) {
    e.name = shorten(e.name, kText, right - left - kKey - kSpace);
    total += legend_width(e) + kSpace;
    widest = std::max(widest, legend_width(e) + kSpace);
  }
  if (left + label + 2 * kSpace + total <= right) {
    double at = right - total;
    for (LegendEntry& e : legend) at = (e.left = at) + legend_width(e) + kSpace;
    return 1;
  }
  const int columns = std::max(1, static_cast<int>((right - left + kSpace) / widest));
  int i = 0;
  for (LegendEntry& e : legend) {
    e.left = left + widest * (i % columns);
    e.row = below + i++ / columns;
  }
  return legend.back().row + 1;
}

// Widest text beside a y axis; the axes are made for it before their place is known.
double y_text_width(const Figure& figure) {
  double width = 0;
  for (const Panel& panel : figure.panels) {
    const Axis y = y_axis(figure, panel, figure.panel_height);
    for (const std::string& text : y.texts) width = std::max(width, text_width(text, kTickText));
  }
  return width;
}

Layout lay_out_panels(const Figure& figure) {
  Layout out;
  out.left = std::ceil(kMargin + y_text_width(figure) + 8);
  out.right = figure.width - kMargin - 8;
  Range x;
  for (const Panel& panel : figure.panels) {
    const Range range = range_of(figure, panel, true);
    if (range.empty()) continue;
    x.add(range.lo);
    x.add(range.hi);
  }
  out.x = make_axis(x, figure.x, out.left, out.right, 90, 0);
  out.marks = place_marks(figure.marks, out.x, kTickText, kMaxLanes);
  int lanes = 0;
  for (const PlacedMark& mark : out.marks) lanes = std::max(lanes, mark.lane + 1);
  double at = kMargin + (figure.title.empty() ? 0 : kTitleText + 13);
  for (const Panel& panel : figure.panels) {
    PanelLayout p;
    p.y = y_axis(figure, panel, figure.panel_height);
    p.legend = legend_of(panel);
    p.header = at;
    const double label = p.y.title.empty() ? 0 : 1.08 * text_width(p.y.title, kText);  // it is bold
    at += kRow * place_legend(p.legend, out.left, out.right, label);
    at += 4 + (out.panels.empty() ? lanes * kLane : 0);
    p.top = std::round(at);
    p.bottom = p.top + figure.panel_height;
    p.y.from = p.bottom;
    p.y.to = p.top;
    at = p.bottom + kPanelGap;
    out.panels.push_back(std::move(p));
  }
  out.height = std::ceil(at - kPanelGap + kRow + (out.x.title.empty() ? 0 : kRow) + kMargin);
  return out;
}

double panels_of(const Figure& figure) { return static_cast<double>(figure.panels.size()); }

// What is not panels does not hang on their height, but for the texts beside y axes.
double around_panels(const Figure& figure) {
  return lay_out_panels(figure).height - panels_of(figure) * figure.panel_height;
}

}  // namespace

double least_height(const Figure& figure) {
  return std::ceil(around_panels(figure) + kLeastPanel * panels_of(figure));
}

Layout lay_out(const Figure& figure) {
  if (figure.height <= 0 || figure.panels.empty()) return lay_out_panels(figure);
  Figure fitted = figure;
  for (int pass = 0; pass < 2; ++pass)
    fitted.panel_height =
        std::max(1.0, std::floor((figure.height - around_panels(fitted)) / panels_of(figure)));
  Layout out = lay_out_panels(fitted);
  out.height = figure.height;
  return out;
}

}  // namespace trammel::plot
