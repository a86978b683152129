#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "plot/axis.h"
#include "plot/figure.h"
#include "plot/marks.h"
#include "plot/text.h"
#include "plot/thin.h"

namespace trammel::plot {

namespace {

// Sizes in px.
constexpr double kText = 12, kTickText = 11, kTitleText = 15;
constexpr double kRow = 18;     // of labels and legends
constexpr double kLane = 15;    // of mark texts
constexpr double kMargin = 16;  // around everything
constexpr double kPanelGap = 12;
constexpr double kSpace = 14;  // between names in the legend
constexpr double kKey = 18;    // the stroke in the legend
constexpr int kMaxLanes = 5;
constexpr std::size_t kMostNames = 24;  // in a legend

// Okabe and Ito's colours, told apart by the colour-blind too, without the yellow that is lost on
// white; after them the same with dashes.
constexpr const char* kColours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                    "#56b4e9", "#e69f00", "#444444"};
constexpr const char* kDashes[] = {"", "6 3", "2 3", "8 3 2 3"};

constexpr const char* kStyle =
    "text{fill:#333;font-size:12px}.t{font-size:15px;font-weight:600;fill:#222}"
    ".k{font-size:11px;fill:#666}.y{font-weight:600}.m{font-size:11px;fill:#555}"
    ".g{stroke:#e8e8e8;fill:none}.z{stroke:#bdbdbd;fill:none}.f{stroke:#999;fill:none}"
    ".s{stroke:#888;stroke-dasharray:3 3;fill:none}"
    ".l{fill:none;stroke-width:1.5;stroke-linejoin:round;stroke-linecap:round}";

struct LegendEntry {
  std::string name;
  std::size_t line;  // whose stroke stands before it; npos: none
  double left = 0;
  int row = 0;
};

struct PanelLayout {
  Axis y;
  std::vector<LegendEntry> legend;
  double header = 0;  // where its label's row begins
  double top = 0, bottom = 0;
};

struct Layout {
  Axis x;
  std::vector<PlacedMark> marks;
  std::vector<PanelLayout> panels;
  double left = 0, right = 0, height = 0;
};

using Out = std::back_insert_iterator<fmt::memory_buffer>;

bool drawable(const Line& line, std::size_t i) {
  return std::isfinite(line.x[i]) && std::isfinite(line.y[i]);
}

Range range_of(const Panel& panel, bool of_x) {
  Range range;
  for (const Line& line : panel.lines)
    for (std::size_t i = 0; i < std::min(line.x.size(), line.y.size()); ++i)
      if (drawable(line, i)) range.add(of_x ? line.x[i] : line.y[i]);
  return range;
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
    const Axis y = make_axis(range_of(panel, false), panel.y, figure.panel_height, 0, 40, 0.06);
    for (const std::string& text : y.texts) width = std::max(width, text_width(text, kTickText));
  }
  return width;
}

Layout lay_out(const Figure& figure) {
  Layout out;
  out.left = std::ceil(kMargin + y_text_width(figure) + 8);
  out.right = figure.width - kMargin - 8;
  Range x;
  for (const Panel& panel : figure.panels) {
    const Range range = range_of(panel, true);
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
    p.y = make_axis(range_of(panel, false), panel.y, 0, figure.panel_height, 40, 0.06);
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

std::string stroke(std::size_t line) {
  const std::size_t colours = std::size(kColours);
  const char* dash = kDashes[line / colours % std::size(kDashes)];
  return fmt::format(R"(stroke="{}"{})", kColours[line % colours],
                     *dash ? fmt::format(R"( stroke-dasharray="{}")", dash) : "");
}

void draw_grid(Out out, const Layout& layout, const PanelLayout& p) {
  const auto row = [&](double y) { return std::round(p.y.pixel(y)) + 0.5; };
  fmt::format_to(out, R"(<path class="g" d=")");
  for (const double x : layout.x.ticks)
    fmt::format_to(out, "M{},{}V{}", std::round(layout.x.pixel(x)) + 0.5, p.top, p.bottom);
  for (const double y : p.y.ticks)
    fmt::format_to(out, "M{},{}H{}", layout.left, row(y), layout.right);
  fmt::format_to(out, "\"/>\n");
  if (p.y.lo < 0 && p.y.hi > 0)
    fmt::format_to(out, "<path class=\"z\" d=\"M{},{}H{}\"/>\n", layout.left, row(0), layout.right);
  fmt::format_to(out, "<path class=\"f\" d=\"M{0},{1}V{2}H{3}\"/>\n", layout.left + 0.5, p.top,
                 p.bottom + 0.5, layout.right);
  for (std::size_t i = 0; i < p.y.ticks.size(); ++i)
    fmt::format_to(out, "<text class=\"k\" x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n",
                   layout.left - 7, p.y.pixel(p.y.ticks[i]) + 4, p.y.texts[i]);
}

void draw_header(Out out, const Layout& layout, const PanelLayout& p) {
  if (!p.y.title.empty())
    fmt::format_to(out, "<text class=\"y\" x=\"{}\" y=\"{}\">{}</text>\n", layout.left,
                   p.header + 12, escape(p.y.title));
  for (const LegendEntry& e : p.legend) {
    const double y = p.header + kRow * e.row + 12;
    const bool keyed = e.line != std::string::npos;
    if (keyed)
      fmt::format_to(out, "<path class=\"l\" {} d=\"M{:.1f},{:.1f}h{}\"/>\n", stroke(e.line),
                     e.left, y - 4, kKey);
    fmt::format_to(out, "<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
                   e.left + (keyed ? kKey + 6 : 0), y, escape(e.name));
  }
}

void draw_lines(Out out, const Layout& layout, const PanelLayout& p, const Panel& panel) {
  bool empty = true;
  for (std::size_t i = 0; i < panel.lines.size(); ++i) {
    const std::string data = path_data(panel.lines[i], layout.x, p.y);
    if (!data.empty()) fmt::format_to(out, "<path class=\"l\" {} d=\"{}\"/>\n", stroke(i), data);
    empty = empty && data.empty();
  }
  if (empty)
    fmt::format_to(out, "<text class=\"k\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
                   (layout.left + layout.right) / 2, (p.top + p.bottom) / 2 + 4,
                   panel.lines.empty() ? "no lines" : "no finite numbers to show");
}

void draw_marks(Out out, const Layout& layout) {
  for (const PlacedMark& mark : layout.marks) {
    fmt::format_to(out, "<path class=\"s\" d=\"");
    for (std::size_t i = 0; i < layout.panels.size(); ++i) {
      const PanelLayout& p = layout.panels[i];
      const double stem = i == 0 ? kLane * (mark.lane + 1) - 4 : 0;
      fmt::format_to(out, "M{:.1f},{:.1f}V{}", mark.x, p.top - std::max(0.0, stem), p.bottom);
    }
    fmt::format_to(out, "\"/>\n");
    if (mark.lane >= 0 && !layout.panels.empty())
      fmt::format_to(out, "<text class=\"m\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", mark.left,
                     layout.panels[0].top - kLane * mark.lane - 4, escape(mark.text));
  }
}

void draw_x_axis(Out out, const Layout& layout) {
  const double y = layout.panels.back().bottom + 16;
  for (std::size_t i = 0; i < layout.x.ticks.size(); ++i)
    fmt::format_to(out,
                   "<text class=\"k\" x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
                   layout.x.pixel(layout.x.ticks[i]), y, layout.x.texts[i]);
  if (!layout.x.title.empty())
    fmt::format_to(out, "<text class=\"y\" x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n",
                   layout.right, y + kRow, escape(layout.x.title));
}

}  // namespace

std::string render(const Figure& figure) {
  const Layout layout = lay_out(figure);
  fmt::memory_buffer buffer;
  const Out out(buffer);
  fmt::format_to(out,
                 "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
                 "viewBox=\"0 0 {0} {1}\" "
                 "font-family=\"system-ui,'Segoe UI',Roboto,'Helvetica Neue',Arial,'DejaVu "
                 "Sans',sans-serif\">\n"
                 "<title>{2}</title>\n<style>{3}</style>\n<rect width=\"100%\" height=\"100%\" "
                 "fill=\"#fff\"/>\n",
                 figure.width, layout.height, escape(figure.title), kStyle);
  if (!figure.title.empty())
    fmt::format_to(out, "<text class=\"t\" x=\"{}\" y=\"{}\">{}</text>\n", layout.left,
                   kMargin + kTitleText - 2,
                   escape(shorten(figure.title, 1.08 * kTitleText, layout.right - layout.left)));
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    draw_grid(out, layout, layout.panels[i]);
    draw_header(out, layout, layout.panels[i]);
  }
  draw_marks(out, layout);
  for (std::size_t i = 0; i < figure.panels.size(); ++i)
    draw_lines(out, layout, layout.panels[i], figure.panels[i]);
  if (figure.panels.empty())
    fmt::format_to(out, "<text x=\"{}\" y=\"{}\">nothing to plot</text>\n", layout.left,
                   layout.height - kMargin);
  else
    draw_x_axis(out, layout);
  fmt::format_to(out, "</svg>\n");
  return fmt::to_string(buffer);
}

}  // namespace trammel::plot
