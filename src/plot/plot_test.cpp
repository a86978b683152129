#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>

#include "plot/axis.h"
#include "plot/figure.h"
#include "plot/marks.h"
#include "plot/text.h"
#include "plot/thin.h"

namespace trammel::plot::plot_test {
namespace {

// Tags are closed in order, entities are known, and text holds no raw markup.
bool well_formed(const std::string& xml) {
  std::vector<std::string> open;
  for (std::size_t at = 0; at < xml.size();) {
    if (xml[at] == '&') {
      const std::string entity = xml.substr(at, xml.find(';', at) - at + 1);
      if (!std::set<std::string>{"&amp;", "&lt;", "&gt;", "&quot;"}.contains(entity)) return false;
    }
    if (xml[at] == '>') return false;
    if (xml[at] != '<') {
      ++at;
      continue;
    }
    const std::size_t end = xml.find('>', at);
    if (end == std::string::npos) return false;
    const std::string tag = xml.substr(at + 1, end - at - 1);
    if (tag.find('<') != std::string::npos) return false;
    if (std::count(tag.begin(), tag.end(), '"') % 2) return false;
    const std::string name =
        tag.substr(tag[0] == '/', tag.find_first_of(" /", 1) - (tag[0] == '/'));
    if (tag[0] == '/') {
      if (open.empty() || open.back() != tag.substr(1)) return false;
      open.pop_back();
    } else if (tag.back() != '/') {
      open.push_back(name);
    }
    at = end + 1;
  }
  return open.empty();
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++n;
  return n;
}

std::vector<double> numbers(std::size_t n, double step) {
  std::vector<double> out(n);
  for (std::size_t i = 0; i < n; ++i) out[i] = step * static_cast<double>(i);
  return out;
}

Figure simple(const std::vector<double>& y) {
  return {"title", {"time", "s"}, {{{"speed", "m/s"}, {{"car.v", numbers(y.size(), 1), y}}}}, {}};
}

TEST(Render, IsWellFormedWhateverTheTexts) {
  const std::string bad = "<a href=\"x\">&amp; \x01\xff\xc3 ]]> ö '";
  Figure figure{bad, {bad, bad}, {{{bad, bad}, {{bad, {0, 1}, {2, 3}}}}}, {{0.5, bad}}};
  const std::string svg = render(figure);
  EXPECT_TRUE(well_formed(svg)) << svg;
  EXPECT_NE(svg.find("&lt;a href=&quot;x&quot;&gt;&amp;amp; \ufffd\ufffd ]]&gt; ö '"),
            std::string::npos);
  EXPECT_FALSE(well_formed("<a><b></a></b>"));  // the check itself
  EXPECT_FALSE(well_formed("<a>&nbsp;</a>"));
}

TEST(Render, ShowsTitlesUnitsAndNames) {
  const std::string svg = render(simple({1, 2, 3}));
  for (const char* text : {">title<", ">speed [m/s]<", ">time [s]<", ">car.v<", ">1.0<", ">3.0<"})
    EXPECT_NE(svg.find(text), std::string::npos) << text;
}

TEST(Render, SaysWhenThereIsNothing) {
  EXPECT_NE(render({}).find("nothing to plot"), std::string::npos);
  EXPECT_NE(render(simple({})).find("no finite numbers to show"), std::string::npos);
  EXPECT_NE(render(simple({NAN, NAN, INFINITY})).find("no finite numbers to show"),
            std::string::npos);
  Figure none = simple({});
  none.panels[0].lines.clear();
  EXPECT_NE(render(none).find("no lines"), std::string::npos);
  for (const Figure& f : {Figure{}, simple({}), simple({NAN}), none}) {
    EXPECT_TRUE(well_formed(render(f)));
    EXPECT_EQ(render(f).find("nan"), std::string::npos);
  }
}

TEST(Render, SurvivesExtremeNumbers) {
  for (const std::vector<double>& y : {std::vector<double>{1e308, -1e308},
                                       {1e-320, 0},
                                       {0, 0},
                                       {5},
                                       {1e308, 1e308},
                                       {1, 1 + 1e-15},
                                       {-1e-300, 1e-300},
                                       {INFINITY, 1, 2}}) {
    const std::string svg = render(simple(y));
    EXPECT_TRUE(well_formed(svg));
    EXPECT_EQ(svg.find("nan"), std::string::npos) << svg;
    EXPECT_EQ(svg.find("inf"), std::string::npos) << svg;
  }
}

TEST(Render, AMillionPointsStaySmall) {
  std::mt19937 random(1);
  std::vector<double> y(1000000);
  for (double& v : y) v = std::uniform_real_distribution(-1.0, 1.0)(random);
  EXPECT_LT(render(simple(y)).size(), 60000u);
}

// As SVG has them.
std::string path_data(const Line& line, const Axis& x, const Axis& y) {
  std::string out;
  for (const Polyline& run : thin(line, x, y))
    for (const Point& p : run)
      out += fmt::format("{}{:.2f},{:.2f}", &p == run.data() ? 'M' : ' ', p.x, p.y);
  return out;
}

Axis pixels(double lo, double hi) { return {0, hi - lo, lo, hi, {}, {}, {}}; }

TEST(Thin, KeepsExtremesAndEnds) {
  Line line{"", numbers(100001, 1e-3), std::vector<double>(100001, 0.0)};  // 1000 points a pixel
  line.y[0] = 3;
  line.y[50123] = 77;
  line.y[50124] = -55;
  line.y[100000] = 9;
  const std::string path = path_data(line, pixels(0, 100), pixels(0, 1));
  EXPECT_LT(count(path, ","), 4u * 101u + 1u);
  EXPECT_TRUE(path.starts_with("M0.00,3.00")) << path.substr(0, 40);
  EXPECT_TRUE(path.ends_with(" 100.00,9.00"));
  const auto peak = path.find("50.12,77.00 50.12,-55.00");  // in the order of time
  EXPECT_NE(peak, std::string::npos);
}

TEST(Thin, FewPointsAreAllKept) {
  const Line line{"", {0, 1, 2}, {5, 6, 7}};
  EXPECT_EQ(path_data(line, pixels(0, 100), pixels(0, 1)), "M0.00,5.00 1.00,6.00 2.00,7.00");
}

TEST(Thin, GapsSplitTheLine) {
  const Line line{"", {0, 1, 2, 3, 4, 5}, {1, 1, NAN, 1, INFINITY, 1}};
  const std::string path = path_data(line, pixels(0, 100), pixels(0, 1));
  EXPECT_EQ(count(path, "M0.00,1.00 1.00,1.00M1.50,1.00 4.50,1.00M3.00,-0.50 3.00,2.50"), 1u)
      << path;
  EXPECT_NE(path.find("M3.50,1.00 6.50,1.00M5.00,"), std::string::npos);  // lone points are seen
}

TEST(Axis, TicksAreRoundFewAndInside) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> mantissa(1, 10), exponent(-12, 12), where(-2, 2);
  for (int i = 0; i < 2000; ++i) {
    const double span = mantissa(random) * std::pow(10, exponent(random)),
                 lo = where(random) * span;
    const Axis axis = make_axis({lo, lo + span}, {}, 0, 800, 90, 0);
    ASSERT_GE(axis.ticks.size(), 3u);
    ASSERT_LE(axis.ticks.size(), 10u);
    const double step = axis.ticks[1] - axis.ticks[0];
    const double digit = step / std::pow(10, std::floor(std::log10(step) + 1e-6));
    ASSERT_TRUE(std::abs(digit - 1) < 1e-3 || std::abs(digit - 2) < 1e-3 ||
                std::abs(digit - 5) < 1e-3)
        << step;
    for (const double t : axis.ticks) {
      ASSERT_GE(t, lo - 1e-6 * span);
      ASSERT_LE(t, lo + span + 1e-6 * span);
    }
    ASSERT_EQ(std::set<std::string>(axis.texts.begin(), axis.texts.end()).size(),
              axis.ticks.size());
  }
}

std::string shown(double lo, double hi, const Label& label) {
  const Axis axis = make_axis({lo, hi}, label, 0, 360, 90, 0);
  return fmt::format("{}: {} .. {}", axis.title, axis.texts.front(), axis.texts.back());
}

TEST(Axis, NumbersAreReadable) {
  EXPECT_EQ(shown(0, 2, {"x", "m"}), "x [m]: 0.0 .. 2.0");
  EXPECT_EQ(shown(-40000, 40000, {"x", "m"}), "x [m]: \u221240\u2009000 .. 40\u2009000");
  EXPECT_EQ(shown(0, 4e5, {"force", "N"}), "force [kN]: 0 .. 400");
  EXPECT_EQ(shown(0, 4e6, {"stiffness", "N/m"}), "stiffness [MN/m]: 0 .. 4");
  EXPECT_EQ(shown(0, 4e-5, {"gap", "m"}), "gap [\u00b5m]: 0 .. 40");
  EXPECT_EQ(shown(0, 4e-5, {"area", "m^2"}), "area [10\u207b\u2076 m^2]: 0 .. 40");
  EXPECT_EQ(shown(0, 4e15, {"", ""}), "[10\u00b9\u2075]: 0 .. 4");
  EXPECT_EQ(shown(-4e15, 0, {"", ""}), "[10\u00b9\u2075]: \u22124 .. 0");
  EXPECT_EQ(shown(25000 - 1e-3, 25000 + 1e-3, {"x", "m"}),
            "x \u2212 25000 m [mm]: \u22121.0 .. 1.0");
}

std::string ticks(double lo, double hi) {
  const Axis axis = make_log_axis({lo, hi}, {"x", "m"}, 0, 200, 40, 0);
  return fmt::format("{}", fmt::join(axis.texts, " "));
}

TEST(Axis, PowersOfTen) {
  EXPECT_EQ(ticks(1, 1e4), "1 10 100 1000 10\u2009000");
  EXPECT_EQ(ticks(1e-12, 1),
            "10\u207b\u00b9\u00b2 10\u207b\u2079 10\u207b\u2076 10\u207b\u00b3 10\u2070");
  EXPECT_EQ(ticks(0.02, 1), "0.02 0.05 0.1 0.2 0.5 1");
  EXPECT_EQ(ticks(2e-7, 1e-6), "2\u00b710\u207b\u2077 5\u00b710\u207b\u2077 10\u207b\u2076");
  const Axis axis = make_log_axis({1, 100}, {}, 0, 200, 40, 0);
  EXPECT_NEAR(axis.pixel(10), 100, 1e-9);
  EXPECT_FALSE(std::isfinite(axis.pixel(0)));
  EXPECT_FALSE(std::isfinite(axis.pixel(-1)));
  const Axis narrow = make_log_axis({10, 12}, {}, 0, 200, 40, 0.06);
  EXPECT_TRUE(narrow.log);
  EXPECT_GE(narrow.ticks.size(), 3u);
  for (const double x : {5e-324, 1e-310, 1e-300, 1e-5, 1e300, 1.7e308})
    for (const Range range : {Range{5e-324, x}, Range{x, x}, Range{x, 1.7e308}})
      EXPECT_LE(make_log_axis(range, {}, 0, 100, 40, 0.06).texts.size(), 10u) << x;
}

TEST(Render, PowersLeaveOutWhatIsNotPositive) {
  Figure figure = simple({1, -5, 100, 1000, 0, 10});
  figure.log_y = true;
  const Drawing drawing = draw(figure);
  std::size_t runs = 0;
  for (const auto& item : drawing.items)
    if (const auto* stroke = std::get_if<Stroke>(&item); stroke && stroke->pen.width == 1.5)
      runs += stroke->runs.size();
  EXPECT_EQ(runs, 1u + 2u + 1u + 2u);  // the legend, a cross, a stretch, a cross
  figure.panels[0].lines[0].y = {-1, 0, NAN};
  EXPECT_NE(render(figure).find("no positive numbers to show"), std::string::npos);
  EXPECT_TRUE(well_formed(render(figure)));
}

TEST(Render, FitsIntoASize) {
  Figure figure = simple({1, 2, 3});
  figure.panels.resize(3, figure.panels[0]);
  figure.width = 500;
  figure.height = 400;
  const Drawing drawing = draw(figure);
  EXPECT_EQ(drawing.height, 400);
  double lowest = 0;
  for (const auto& item : drawing.items)
    if (const auto* text = std::get_if<Text>(&item)) lowest = std::max(lowest, text->at.y);
  EXPECT_LT(lowest, 400);
  EXPECT_GT(lowest, 370);
  EXPECT_GT(least_height(figure), 250);
  EXPECT_LT(least_height(figure), 400);
}

TEST(Render, LinesAreToldApart) {
  Figure figure = simple({1, 2});
  figure.panels[0].lines.resize(kColourCount * kDashCount, figure.panels[0].lines[0]);
  std::set<std::string> looks;
  for (const auto& item : draw(figure).items)
    if (const auto* stroke = std::get_if<Stroke>(&item); stroke && stroke->pen.width == 1.5)
      looks.insert(fmt::format("{} {}", stroke->pen.colour, fmt::join(stroke->pen.dash, ",")));
  EXPECT_EQ(looks.size(), static_cast<std::size_t>(kColourCount * kDashCount));
}

TEST(Axis, ConstantsGetARange) {
  const Axis five = make_axis({5, 5}, {}, 0, 100, 40, 0.06);
  EXPECT_LT(five.lo, 5);
  EXPECT_GT(five.hi, 5);
  EXPECT_EQ(five.pixel(5), 50);
  const Axis zero = make_axis({0, 0}, {}, 0, 100, 40, 0.06);
  EXPECT_EQ(zero.pixel(0), 50);
  const Axis noise = make_axis({1, 1 + 4e-16}, {}, 0, 100, 40, 0.06);  // rounding is not a signal
  EXPECT_NEAR(noise.hi - noise.lo, 0.2, 1e-12);
  for (const double x : {5e-324, 1e-310, 1e-300, 1e-290, 1e300, 1.7e308})  // no power of ten fails
    for (const Range range : {Range{0, x}, Range{-x, x}, Range{x, x}})
      EXPECT_GE(make_axis(range, {}, 0, 100, 40, 0.06).texts.size(), 1u) << x;
}

TEST(Marks, TextsOverlapNothing) {
  std::mt19937 random(5);
  const Axis axis = make_axis({0, 10}, {}, 0, 800, 90, 0);
  int shown_texts = 0, all = 0;
  for (int trial = 0; trial < 300; ++trial) {
    std::vector<Mark> marks(random() % 14);
    for (Mark& m : marks)
      m = {std::uniform_real_distribution(-1.0, 11.0)(random), std::string(1 + random() % 30, 'e')};
    const std::vector<PlacedMark> placed = place_marks(marks, axis, 11, 5);
    for (const PlacedMark& a : placed) {
      all += 1;
      shown_texts += a.lane >= 0;
      if (a.lane < 0) continue;
      ASSERT_GE(a.left + a.width, 0);
      ASSERT_LE(a.left + a.width, 800);
      for (const PlacedMark& b : placed) {
        if (&a == &b || b.lane < 0) continue;
        const bool beside = a.left + a.width < b.left || b.left + b.width < a.left;
        ASSERT_TRUE(a.lane != b.lane || beside);
        ASSERT_FALSE(b.lane > a.lane && b.x > a.left && b.x < a.left + a.width);
      }
    }
  }
  EXPECT_GT(shown_texts, 0.8 * all);  // and yet most are there
}

TEST(Text, IsCutToItsRoom) {
  const std::string text = "überlange Beschreibung eines Vorgangs";
  const std::string cut = shorten(text, 12, 100);
  EXPECT_LE(text_width(cut, 12), 100);
  EXPECT_TRUE(cut.ends_with("\u2026"));
  EXPECT_TRUE(text.starts_with(cut.substr(0, cut.size() - 3)));
  EXPECT_EQ(shorten(text, 12, 1000), text);
  EXPECT_EQ(shorten("\u00fc\u00fc\u00fc", 12, 16), "\u2026");
}

}  // namespace
}  // namespace trammel::plot::plot_test
