#include <algorithm>
#include <cmath>
#include <iterator>

#include "plot/layout.h"
#include "plot/text.h"
#include "plot/thin.h"

namespace trammel::plot {

namespace {

// Okabe and Ito's colours, told apart by the colour-blind too, without the yellow that is lost on
// white; after them the same with dashes.
constexpr const char* kColours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                    "#56b4e9", "#e69f00", "#444444"};
static_assert(std::size(kColours) == kColourCount);

std::vector<double> dash_of(int number) {
  constexpr double kDots = 0.1;  // as long as the pen is wide, by its round ends
  static const std::vector<double> dashes[] = {
      {}, {7, 4}, {kDots, 3.5}, {9, 4, kDots, 4}, {14, 4}, {9, 3.5, kDots, 3.5, kDots, 3.5}};
  static_assert(std::size(dashes) == kDashCount);
  return dashes[number % kDashCount];
}

Pen pen_of(const Panel& panel, std::size_t line) {
  const int n = static_cast<int>(line), colour = panel.lines[line].colour,
            dash = panel.lines[line].dash;
  return {kColours[(colour < 0 ? n : colour) % kColourCount], 1.5,
          dash_of(dash < 0 ? n / kColourCount : dash)};
}

const Pen kGrid{"#e8e8e8"}, kZero{"#bdbdbd"}, kFrame{"#999999"}, kStem{"#888888", 1, {3, 3}};
constexpr const char *kGrey = "#666666", *kDark = "#333333";

class Picture {
 public:
  explicit Picture(const Figure& figure)
      : figure_(figure),
        layout_(lay_out(figure)),
        out_{figure.width, layout_.height, figure.title} {}

  Drawing draw() {
    title();
    for (std::size_t i = 0; i < figure_.panels.size(); ++i) {
      grid(layout_.panels[i]);
      header(layout_.panels[i], figure_.panels[i]);
    }
    marks();
    for (std::size_t i = 0; i < figure_.panels.size(); ++i)
      lines(layout_.panels[i], figure_.panels[i]);
    if (figure_.panels.empty())
      add(Text{{layout_.left, layout_.height - kMargin}, "nothing to plot"});
    else
      x_axis();
    return std::move(out_);
  }

 private:
  template <class Item>
  void add(Item item) {
    out_.items.push_back(std::move(item));
  }

  void title() {
    if (figure_.title.empty()) return;
    const double room = layout_.right - layout_.left;
    add(Text{{layout_.left, kMargin + kTitleText - 2},
             shorten(figure_.title, 1.08 * kTitleText, room),
             kTitleText,
             "#222222",
             Anchor::start,
             true});
  }

  void grid(const PanelLayout& p) {
    const auto row = [&](double y) -> Polyline {
      const double at = std::round(p.y.pixel(y)) + 0.5;
      return {{layout_.left, at}, {layout_.right, at}};
    };
    Stroke grid{{}, kGrid};
    for (const double x : layout_.x.ticks) {
      const double at = std::round(layout_.x.pixel(x)) + 0.5;
      grid.runs.push_back({{at, p.top}, {at, p.bottom}});
    }
    for (const double y : p.y.ticks) grid.runs.push_back(row(y));
    add(std::move(grid));
    if (!p.y.log && p.y.lo < 0 && p.y.hi > 0) add(Stroke{{row(0)}, kZero});
    add(Stroke{{{{layout_.left + 0.5, p.top},
                 {layout_.left + 0.5, p.bottom + 0.5},
                 {layout_.right, p.bottom + 0.5}}},
               kFrame});
    for (std::size_t i = 0; i < p.y.ticks.size(); ++i)
      add(Text{{layout_.left - 7, p.y.pixel(p.y.ticks[i]) + 4},
               p.y.texts[i],
               kTickText,
               kGrey,
               Anchor::end});
  }

  void header(const PanelLayout& p, const Panel& panel) {
    if (!p.y.title.empty())
      add(Text{{layout_.left, p.header + 12}, p.y.title, kText, kDark, Anchor::start, true});
    for (const LegendEntry& e : p.legend) {
      const double y = p.header + kRow * e.row + 12;
      const bool keyed = e.line != std::string::npos;
      if (keyed) add(Stroke{{{{e.left, y - 4}, {e.left + kKey, y - 4}}}, pen_of(panel, e.line)});
      add(Text{{e.left + (keyed ? kKey + 6 : 0), y}, e.name, kText, kDark});
    }
  }

  void lines(const PanelLayout& p, const Panel& panel) {
    bool empty = true;
    for (std::size_t i = 0; i < panel.lines.size(); ++i) {
      std::vector<Polyline> runs = thin(panel.lines[i], layout_.x, p.y);
      if (runs.empty()) continue;
      add(Stroke{std::move(runs), pen_of(panel, i)});
      empty = false;
    }
    const char* why = panel.lines.empty() ? "no lines"
                      : figure_.log_y     ? "no positive numbers to show"
                                          : "no finite numbers to show";
    if (empty)
      add(Text{{(layout_.left + layout_.right) / 2, (p.top + p.bottom) / 2 + 4},
               why,
               kTickText,
               kGrey,
               Anchor::middle});
  }

  void marks() {
    for (const PlacedMark& mark : layout_.marks) {
      Stroke stems{{}, kStem};
      for (std::size_t i = 0; i < layout_.panels.size(); ++i) {
        const PanelLayout& p = layout_.panels[i];
        const double stem = i == 0 ? kLane * (mark.lane + 1) - 4 : 0;
        stems.runs.push_back({{mark.x, p.top - std::max(0.0, stem)}, {mark.x, p.bottom}});
      }
      add(std::move(stems));
      if (mark.lane >= 0 && !layout_.panels.empty())
        add(Text{{mark.left, layout_.panels[0].top - kLane * mark.lane - 4},
                 mark.text,
                 kTickText,
                 "#555555"});
    }
  }

  void x_axis() {
    const double y = layout_.panels.back().bottom + 16;
    for (std::size_t i = 0; i < layout_.x.ticks.size(); ++i)
      add(Text{{layout_.x.pixel(layout_.x.ticks[i]), y},
               layout_.x.texts[i],
               kTickText,
               kGrey,
               Anchor::middle});
    if (!layout_.x.title.empty())
      add(Text{{layout_.right, y + kRow}, layout_.x.title, kText, kDark, Anchor::end, true});
  }

  const Figure& figure_;
  const Layout layout_;
  Drawing out_;
};

}  // namespace

Drawing draw(const Figure& figure) { return Picture(figure).draw(); }

std::string render(const Figure& figure) { return to_svg(draw(figure)); }

}  // namespace trammel::plot
