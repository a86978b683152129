#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "cli/pictures.h"
#include "geom/basic.h"
#include "geom/plan.h"
#include "geom/shape.h"
#include "math/rotation.h"
#include "plot/axis.h"
#include "plot/sketch.h"

namespace trammel::cli {

// A name of its own, as files compile together.
namespace curve_drawings {

namespace {

constexpr const char *kGrey = "#9a9a9a", *kBlue = "#0072b2", *kOrange = "#d55e00",
                     *kDark = "#333333";

/// An element between a line and an arc, or what stands for these.
struct Element {
  const char* name;
  geom::Shape shape;
  double k0, k1;  // curvature [1/m]
};

constexpr double kCurved = 1.0 / 200, kBefore = 30, kLength = 100, kCant = 150;
constexpr Element kElements[] = {
    {"line", geom::Shape::constant, 0, 0},         {"arc", geom::Shape::constant, kCurved, kCurved},
    {"clothoid", geom::Shape::linear, 0, kCurved}, {"bloss", geom::Shape::bloss, 0, kCurved},
    {"cosine", geom::Shape::cosine, 0, kCurved},   {"sine", geom::Shape::sine, 0, kCurved},
    {"helmert", geom::Shape::helmert, 0, kCurved}, {"viennese", geom::Shape::viennese, 0, kCurved},
};

/// A quantity along the line: before the element, in it, after it.
struct Course {
  std::vector<double> x, y;
  std::size_t first = 0, last = 0;  // of the element
};

struct Frame {
  double left, right, top, bottom;  // px
};

geom::Plan plan_of(const Element& e) {
  geom::PlanSpec spec;
  const auto constant = [](double length, double k) {
    return geom::PlanElement{.shape = geom::Shape::constant, .length = length, .k0 = k, .k1 = k};
  };
  geom::PlanElement middle{.shape = e.shape, .length = kLength, .k0 = e.k0, .k1 = e.k1};
  if (e.shape == geom::Shape::viennese) {
    middle.gravity_height = 1.8;
    middle.cant_change = 0.1;
  }
  spec.elements = {constant(kBefore, e.k0), middle, constant(kBefore, e.k1)};
  return geom::Plan(spec);
}

/// f at x from 0 to 1.
double shape_at(geom::Shape shape, double x) {
  for (const geom::RampPiece& piece : geom::ramp_pieces(shape))
    if (x <= piece.x1) return geom::eval(piece.f, x).f;
  return 1;
}

struct Courses {
  Course plan, curvature, cant;
};

Courses follow(const Element& e) {
  const geom::Plan plan = plan_of(e);
  Courses out;
  const std::size_t pieces = plan.starts().size();
  for (std::size_t p = 0; p < pieces; ++p) {
    const double from = plan.starts()[p],
                 to = p + 1 < pieces ? plan.starts()[p + 1] : plan.length();
    const bool inner = p > 0 && p + 1 < pieces;
    for (int i = 0; i <= 60; ++i) {
      const double s = from + (to - from) * i / 60;
      geom::PlanPoint at{};
      plan.eval(s, p, at);
      const double part = std::clamp((s - kBefore) / kLength, 0.0, 1.0);
      const double f = e.k0 == e.k1 ? (e.k0 > 0) : shape_at(e.shape, part);
      const std::size_t n = out.plan.x.size();
      if (p == 1 && i == 0) out.plan.first = n;
      if (inner) out.plan.last = n;
      out.plan.x.push_back(at.x), out.plan.y.push_back(at.y);
      out.curvature.x.push_back(s), out.curvature.y.push_back(1e3 * at.k);
      out.cant.x.push_back(s), out.cant.y.push_back(kCant * f);
    }
  }
  for (Course* c : {&out.curvature, &out.cant}) c->first = out.plan.first, c->last = out.plan.last;
  return out;
}

void draw_course(plot::Drawing& out, const Course& c, const plot::Axis& x, const plot::Axis& y,
                 const char* colour) {
  const auto run = [&](std::size_t from, std::size_t to) {
    plot::Polyline line;
    for (std::size_t i = from; i <= to; ++i) line.push_back({x.pixel(c.x[i]), y.pixel(c.y[i])});
    return line;
  };
  out.items.emplace_back(
      plot::Stroke{{run(0, c.first), run(c.last, c.x.size() - 1)}, {kGrey, 1.3}});
  out.items.emplace_back(plot::Stroke{{run(c.first, c.last)}, {colour, 2.4}});
}

void draw_axes(plot::Drawing& out, const Frame& f, const plot::Axis& x, const plot::Axis& y,
               const std::string& title) {
  plot::Stroke grid{{}, {"#e8e8e8"}};
  for (std::size_t i = 0; i < x.ticks.size(); ++i) {
    const double tick = x.ticks[i];
    grid.runs.push_back({{x.pixel(tick), f.top}, {x.pixel(tick), f.bottom}});
    out.items.emplace_back(plot::Text{
        {x.pixel(tick), f.bottom + 14}, x.texts[i], 10, "#666666", plot::Anchor::middle});
  }
  for (std::size_t i = 0; i < y.ticks.size(); ++i) {
    grid.runs.push_back({{f.left, y.pixel(y.ticks[i])}, {f.right, y.pixel(y.ticks[i])}});
    out.items.emplace_back(plot::Text{
        {f.left - 5, y.pixel(y.ticks[i]) + 3.5}, y.texts[i], 10, "#666666", plot::Anchor::end});
  }
  out.items.emplace_back(std::move(grid));
  out.items.emplace_back(
      plot::Stroke{{{{f.left, f.top}, {f.left, f.bottom}, {f.right, f.bottom}}}, {"#999999"}});
  out.items.emplace_back(plot::Text{{f.left, f.top - 8}, title, 11, kDark});
}

Picture element_picture(const Element& e) {
  const Courses c = follow(e);
  plot::Drawing out{660, 184, fmt::format("The element {}: plan, curvature and cant", e.name)};
  const double top = 50, bottom = 146;
  out.items.emplace_back(plot::Text{{14, 20}, e.name, 13, "#222222", plot::Anchor::start, true});
  const auto panel = [&](const Course& course, plot::Range range, double left, double right,
                         const std::string& title, const char* colour, double to_x) {
    const Frame f{left, right, top, bottom};
    const plot::Axis x = plot::make_axis({0, to_x}, {}, left, right, 45, 0),
                     y = plot::make_axis(range, {}, bottom, top, 28, 0.08);
    draw_axes(out, f, x, y, title);
    draw_course(out, course, x, y, colour);
  };
  // The plan to scale: as many metres a pixel across as along.
  const double left = 40, right = 230, metres = 165;
  panel(c.plan, {-5, -5 + metres / (right - left) * (bottom - top) / 1.16}, left, right,
        "plan, y over x [m]", kBlue, metres);
  panel(c.curvature, {-0.5, 5.5}, 274, 440, "curvature [1/km]", kOrange, 160);
  panel(c.cant, {-10, 160}, 484, 646, "cant [mm]", kOrange, 160);
  for (const double end : {440.0, 646.0})
    out.items.emplace_back(
        plot::Text{{end, bottom + 29}, "station [m]", 10, "#666666", plot::Anchor::end});
  return {fmt::format("curves/{}.svg", e.name), plot::to_svg(out)};
}

/// A curve in space with its frames, and what it stands over.
Picture space_picture(const std::string& name, const geom::Curve& curve, const std::string& text) {
  plot::Sketch sketch(-60 * std::numbers::pi / 180, 24 * std::numbers::pi / 180);
  std::vector<Vec3> line, shadow;
  geom::CurvePoint at;
  double lowest = 1e9;
  for (int i = 0; i <= 200; ++i) {
    curve.eval(curve.length() * i / 200, 0, 0, at);
    line.push_back(at.p);
    lowest = std::min(lowest, at.p.z());
  }
  for (const Vec3& p : line) shadow.emplace_back(p.x(), p.y(), lowest - 0.25);
  sketch.finish({"#cfcfcf", "#cfcfcf", "#ffffff"});
  sketch.line(shadow, 1);
  for (std::size_t i = 0; i < line.size(); i += 20) sketch.line({line[i], shadow[i]}, 0.6);
  sketch.finish({kBlue, kBlue, "#ffffff"});
  sketch.line(line, 2.2);
  for (int i = 0; i <= 5; ++i) {
    curve.eval(curve.length() * i / 5, 0, 0, at);
    const char* names[] = {"x", "y", "z"};
    for (int k = 0; k < 3; ++k)
      sketch.arrow(at.p, at.p + 0.55 * at.C.col(k), i % 5 == 0 ? names[k] : "",
                   {k == 0 ? kOrange : "#222222", 1.2}, false);
  }
  plot::Drawing out = sketch.draw(320, 240, 44, 20);
  out.title = fmt::format("A curve in space: {}", text);
  out.items.emplace_back(plot::Text{{160, 20}, text, 13, "#222222", plot::Anchor::middle, true});
  return {fmt::format("curves/{}.svg", name), plot::to_svg(out)};
}

}  // namespace

}  // namespace curve_drawings

std::vector<Picture> curve_pictures() {
  using namespace curve_drawings;
  std::vector<Picture> out;
  for (const Element& e : kElements) out.push_back(element_picture(e));
  const geom::HelixSpec helix{.radius = 1.6, .pitch = 2, .turns = 1.4};
  out.push_back(space_picture("helix", geom::Helix(helix), "helix"));
  return out;
}

}  // namespace trammel::cli
