#include "plot/sketch.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "math/rotation.h"

namespace trammel::plot {

namespace {

constexpr int kSides = 40;        // of round solids
constexpr double kPiece = 0.015;  // lines are seen or hidden by pieces so long
constexpr double kSkin = 0.012;   // solids hide what is deeper in them than this
constexpr double kTau = 2 * std::numbers::pi;

using Outline = std::vector<std::pair<double, double>>;

Outline circle(double radius, int sides) {
  Outline out;
  for (int i = 0; i < sides; ++i)
    out.emplace_back(radius * std::cos(kTau * i / sides), radius * std::sin(kTau * i / sides));
  return out;
}

/// The convex part between two outlines, anticlockwise in y and z, at x = -h and h. The second may
/// be one point.
SketchSolid::Part between(const Pose& at, const Outline& first, const Outline& second, double h) {
  SketchSolid::Part out;
  const std::size_t n = first.size();
  const auto corner = [&](const Outline& of, std::size_t i, double x) -> Vec3 {
    const auto& [y, z] = of[i % of.size()];
    return at.p + at.R * Vec3(x, y, z);
  };
  const auto face = [&](const Vec3& normal, const Vec3& on) {
    const Vec3 unit = normal.normalized();
    out.faces.emplace_back(unit, unit.dot(on));
  };
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 a = corner(first, i, -h), b = corner(first, i + 1, -h), c = corner(second, i, h);
    face((b - a).cross(c - a), a);
    out.corners.push_back(a);
    if (second.size() > 1 || i == 0) out.corners.push_back(c);
  }
  face(-at.R.col(0), corner(first, 0, -h));
  if (second.size() > 1) face(at.R.col(0), corner(second, 0, h));
  return out;
}

std::vector<Vec3> ring(const Pose& at, double x, double radius) {
  std::vector<Vec3> out;
  for (int i = 0; i <= kSides; ++i)
    out.push_back(at.p + at.R * Vec3(x, radius * std::cos(kTau * i / kSides),
                                     radius * std::sin(kTau * i / kSides)));
  return out;
}

/// The convex outline of points, by their angles (Andrew's chain).
Polyline hull(std::vector<Point> points) {
  // Rounded: which of two that lie one over the other comes first is no matter of the last bit.
  for (Point& p : points) p = {std::round(p.x * 1e4) / 1e4, std::round(p.y * 1e4) / 1e4};
  std::ranges::sort(points,
                    [](Point a, Point b) { return a.x < b.x || (a.x == b.x && a.y < b.y); });
  const auto left = [](Point a, Point b, Point c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
  };
  Polyline out;
  for (int pass = 0; pass < 2; ++pass) {
    const std::size_t start = out.size();
    for (const Point& p : points) {
      while (out.size() >= start + 2 && left(out[out.size() - 2], out.back(), p) <= 1e-6)
        out.pop_back();
      out.push_back(p);
    }
    out.pop_back();
    std::ranges::reverse(points);
  }
  return out;
}

}  // namespace

/// From the picture's axes to pixels.
struct Sketch::View {
  Mat3 axes;
  double scale = 1, x = 0, y = 0;
  Point operator()(const Vec3& p) const {
    const Vec3 seen = axes * p;
    return {x + scale * seen.x(), y - scale * seen.y()};
  }
};

Sketch::Sketch(double azimuth, double elevation) {
  const Vec3 to(std::cos(elevation) * std::cos(azimuth), std::cos(elevation) * std::sin(azimuth),
                std::sin(elevation));
  const Vec3 right = Vec3::UnitZ().cross(to).normalized();
  view_ << right.transpose(), to.cross(right).transpose(), to.transpose();
}

void Sketch::box(const Pose& at, const Vec3& size) {
  const double y = size.y() / 2, z = size.z() / 2;
  prism(at, {{-y, -z}, {y, -z}, {y, z}, {-y, z}}, size.x());
}

void Sketch::prism(const Pose& given, const Outline& outline, double length) {
  const Pose at = in(given);
  SketchSolid out;
  out.parts.push_back(between(at, outline, outline, length / 2));
  const auto corner = [&](std::size_t i, double side) -> Vec3 {
    const auto& [y, z] = outline[i % outline.size()];
    return at.p + at.R * Vec3(side * length / 2, y, z);
  };
  for (std::size_t i = 0; i < outline.size(); ++i) {
    for (const double side : {-1.0, 1.0})
      out.lines.push_back({corner(i, side), corner(i + 1, side)});
    out.lines.push_back({corner(i, -1), corner(i, 1)});
  }
  add(std::move(out));
}

// The rims, and the two lines where the surface turns away from the viewer.
void Sketch::add_round(SketchSolid& solid, const Pose& at, double radius, double length) const {
  for (const double side : {-1.0, 1.0}) solid.lines.push_back(ring(at, side * length / 2, radius));
  const Vec3 to = at.R.transpose() * view_.row(2).transpose();
  if (std::hypot(to.y(), to.z()) < 1e-3) return;
  const double angle = std::atan2(to.z(), to.y()) + kTau / 4;
  for (const double side : {0.0, kTau / 2}) {
    const Vec3 out(0, radius * std::cos(angle + side), radius * std::sin(angle + side));
    const Vec3 half(length / 2, 0, 0);
    solid.lines.push_back({at.p + at.R * (out - half), at.p + at.R * (out + half)});
  }
}

void Sketch::cylinder(const Pose& given, double radius, double length, double bore) {
  const Pose at = in(given);
  SketchSolid out;
  add_round(out, at, radius, length);
  if (bore <= 0) {
    const Outline outline = circle(radius, kSides);
    out.parts.push_back(between(at, outline, outline, length / 2));
    return add(std::move(out));
  }
  add_round(out, at, bore, length);
  const Outline outside = circle(radius, kSides), inside = circle(bore, kSides);
  for (std::size_t i = 0; i < outside.size(); ++i) {
    const std::size_t k = (i + 1) % outside.size();
    const Outline wedge{inside[i], outside[i], outside[k], inside[k]};
    out.parts.push_back(between(at, wedge, wedge, length / 2));
  }
  add(std::move(out));
}

void Sketch::ball(const Vec3& given, double radius) {
  const Vec3 middle = in(given);
  SketchSolid out;
  SketchSolid::Part part;
  // Faces along many directions touch the ball a little within it.
  for (int i = 0; i < 400; ++i) {
    const double z = 1 - (i + 0.5) / 200, a = i * 2.399963;  // the golden angle
    const double r = std::sqrt(1 - z * z);
    const Vec3 n(r * std::cos(a), r * std::sin(a), z);
    part.faces.emplace_back(n, n.dot(middle) + radius * 0.995);
  }
  Mat3 facing;
  facing << view_.row(2).transpose(), view_.row(0).transpose(), view_.row(1).transpose();
  const std::vector<Vec3> rim = ring({middle, facing}, 0, radius);
  part.corners.assign(rim.begin(), rim.end() - 1);
  out.lines.push_back(rim);
  out.lines.push_back(ring({middle, axes_}, 0, radius));  // about x, so that one sees it turn
  out.parts.push_back(std::move(part));
  add(std::move(out));
}

void Sketch::cone(const Pose& given, double radius, double height) {
  const Pose at = in(given)*Pose{{height / 2, 0, 0}};
  SketchSolid out;
  out.parts.push_back(between(at, circle(radius, kSides), {{0, 0}}, height / 2));
  out.lines.push_back(ring(at, -height / 2, radius));
  const Vec3 to = at.R.transpose() * view_.row(2).transpose(), tip(height / 2, 0, 0);
  // n = (r, h cos a, h sin a) is across the view where the surface turns away.
  const double across = std::hypot(to.y(), to.z()) * height, c = -radius * to.x() / across;
  if (std::abs(c) < 1)
    for (const double side : {-1.0, 1.0}) {
      const double a = std::atan2(to.z(), to.y()) + side * std::acos(c);
      out.lines.push_back({at.p + at.R * tip, at.p + at.R * Vec3(-height / 2, radius * std::cos(a),
                                                                 radius * std::sin(a))});
    }
  add(std::move(out));
}

void Sketch::line(const std::vector<Vec3>& points, double width) {
  std::vector<Vec3> placed;
  for (const Vec3& p : points) placed.push_back(in(p));
  strands_.push_back({std::move(placed), finish_, width});
}

void Sketch::arrow(const Vec3& from, const Vec3& to, const std::string& text, const Pen& pen,
                   bool both_ends) {
  arrows_.push_back({{in(from), in(to)}, text, pen, both_ends});
}

void Sketch::turn(const Vec3& middle, const Vec3& axis, const Vec3& from, double angle,
                  const std::string& text, const Pen& pen) {
  Arrow out{{}, text, pen, true};
  const int pieces = std::max(8, static_cast<int>(std::abs(angle) * 16));
  for (int i = 0; i <= pieces; ++i)
    out.points.push_back(
        in(middle + exp_matrix(axis.normalized() * (angle * i / pieces)) * (from - middle)));
  arrows_.push_back(std::move(out));
}

void Sketch::mark(const Vec3& at, double radius, const std::string& colour) {
  dots_.push_back({in(at), radius, colour});
}

void Sketch::text(const Vec3& at, const Point& shift, const std::string& text,
                  const std::string& colour) {
  words_.push_back({in(at), shift, text, colour});
}

// Whether the way from a point to the viewer goes through a solid for more than its skin.
bool Sketch::hidden(const Vec3& x) const {
  const Vec3 to = view_.row(2).transpose();
  for (const Solid& body : solids_)
    for (const SketchSolid::Part& part : body.solid.parts) {
      double enter = 0, leave = std::numeric_limits<double>::infinity();
      for (const auto& [n, c] : part.faces) {
        const double speed = n.dot(to), room = c - kSkin / 4 - n.dot(x);
        if (std::abs(speed) < 1e-9) {
          if (room < 0) leave = -1;
        } else if (speed > 0) {
          leave = std::min(leave, room / speed);
        } else {
          enter = std::max(enter, room / speed);
        }
        if (leave < enter) break;
      }
      if (leave - enter > kSkin) return true;
    }
  return false;
}

// The farther ones first, pale, so that nearer ones cover them.
void Sketch::draw_fills(Drawing& out, const View& view) const {
  struct Fill {
    double depth;
    Area area;
  };
  std::vector<Fill> fills;
  for (const Solid& body : solids_)
    for (const SketchSolid::Part& part : body.solid.parts) {
      Vec3 middle = Vec3::Zero();
      std::vector<Point> points;
      for (const Vec3& corner : part.corners) {
        middle += corner / static_cast<double>(part.corners.size());
        points.push_back(view(corner));
      }
      // Rounded, so that equal ones stay in their order.
      const double depth = std::round((view_ * middle).z() * 1e6);
      fills.push_back({depth, {hull(std::move(points)), body.finish.fill}});
    }
  std::ranges::stable_sort(fills, {}, &Fill::depth);
  for (Fill& fill : fills) out.items.emplace_back(std::move(fill.area));
}

void Sketch::draw_lines(Drawing& out, const View& view) const {
  struct Looks {
    Finish finish;
    double width;
    Stroke seen, hidden;
  };
  std::vector<Looks> looks;
  const auto looks_of = [&](const Finish& finish, double width) -> Looks& {
    for (Looks& l : looks)
      if (l.finish.line == finish.line && l.width == width) return l;
    return looks.emplace_back(
        Looks{finish, width, {{}, {finish.line, width}}, {{}, {finish.hidden, 0.6, {2, 2.5}}}});
  };
  const auto follow = [&](const std::vector<Vec3>& points, Looks& to) {
    Polyline run{view(points[0])};
    bool was = false, begun = false;
    const auto end = [&] {
      if (run.size() > 1) (was ? to.hidden : to.seen).runs.push_back(run);
    };
    for (std::size_t i = 1; i < points.size(); ++i) {
      const Vec3 a = points[i - 1], b = points[i];
      const int pieces = std::max(1, static_cast<int>((b - a).norm() / kPiece));
      for (int k = 0; k < pieces; ++k) {
        const bool now = hidden(a + (b - a) * ((k + 0.5) / pieces));
        if (begun && now != was) {
          const Point border = view(a + (b - a) * (static_cast<double>(k) / pieces));
          run.push_back(border);
          end();
          run = {border};
        }
        was = now;
        begun = true;
      }
      run.push_back(view(b));
    }
    end();
  };
  for (const Solid& body : solids_)
    for (const auto& line : body.solid.lines) follow(line, looks_of(body.finish, 1.4));
  for (const Strand& strand : strands_)
    follow(strand.points, looks_of(strand.finish, strand.width));
  for (Looks& l : looks)
    if (!l.hidden.runs.empty()) out.items.emplace_back(std::move(l.hidden));
  for (Looks& l : looks)
    if (!l.seen.runs.empty()) out.items.emplace_back(std::move(l.seen));
}

namespace {

constexpr double kHead = 8;  // px

/// A head at the end of a line, which is shortened to where the head begins.
Area head(Polyline& line, const std::string& colour) {
  const Point tip = line.back();
  while (line.size() > 2 &&
         std::hypot(line[line.size() - 2].x - tip.x, line[line.size() - 2].y - tip.y) < kHead)
    line.erase(line.end() - 2);
  Point& from = line[line.size() - 2];
  const double length = std::max(1e-9, std::hypot(tip.x - from.x, tip.y - from.y));
  const double dx = (tip.x - from.x) / length, dy = (tip.y - from.y) / length;
  const Point base{tip.x - kHead * dx, tip.y - kHead * dy};
  line.back() = {tip.x - 0.7 * kHead * dx, tip.y - 0.7 * kHead * dy};
  constexpr double kHalf = 0.42 * kHead;
  return {
      {tip, {base.x - kHalf * dy, base.y + kHalf * dx}, {base.x + kHalf * dy, base.y - kHalf * dx}},
      colour};
}

}  // namespace

void Sketch::draw_arrows(Drawing& out, const View& view) const {
  for (const Arrow& arrow : arrows_) {
    Polyline line;
    for (const Vec3& p : arrow.points) line.push_back(view(p));
    // The text stands beyond the tip of a straight arrow, outside the middle of a bent one.
    const bool bent = line.size() > 2;
    const Point first = line.front(), last = line.back();
    const Point tip = bent ? line[line.size() / 2] : last;
    const Point from = bent ? Point{(first.x + last.x) / 2, (first.y + last.y) / 2} : first;
    const double length = std::max(1e-9, std::hypot(tip.x - from.x, tip.y - from.y));
    const double dx = (tip.x - from.x) / length, dy = (tip.y - from.y) / length;
    std::vector<Area> heads{head(line, arrow.pen.colour)};
    if (arrow.both_ends) {
      std::ranges::reverse(line);
      heads.push_back(head(line, arrow.pen.colour));
    }
    out.items.emplace_back(Stroke{{line}, arrow.pen});
    for (Area& area : heads) out.items.emplace_back(std::move(area));
    if (arrow.text.empty()) continue;
    const Anchor anchor = dx > 0.5 ? Anchor::start : dx < -0.5 ? Anchor::end : Anchor::middle;
    out.items.emplace_back(Text{
        {tip.x + 5 * dx, tip.y + 4 + 9 * dy}, arrow.text, 12, arrow.pen.colour, anchor, false});
  }
  for (const Dot& dot : dots_) {
    Area area{{}, dot.colour};
    const Point at = view(dot.at);
    for (const auto& [x, y] : circle(dot.radius, 16)) area.outline.push_back({at.x + x, at.y + y});
    out.items.emplace_back(std::move(area));
  }
  for (const Word& word : words_) {
    const Point at = view(word.at);
    out.items.emplace_back(Text{
        {at.x + word.shift.x, at.y + word.shift.y}, word.text, 12, word.colour, Anchor::middle});
  }
}

Drawing Sketch::draw(double width, double height, double top, double bottom) const {
  constexpr double kEdge = 24;  // px for texts at the sides
  View view{view_};
  double left = 1e9, right = -1e9, low = 1e9, high = -1e9;
  const auto take = [&](const Vec3& p) {
    const Vec3 seen = view_ * p;
    left = std::min(left, seen.x()), right = std::max(right, seen.x());
    low = std::min(low, seen.y()), high = std::max(high, seen.y());
  };
  for (const Solid& body : solids_)
    for (const auto& line : body.solid.lines) std::ranges::for_each(line, take);
  for (const Strand& strand : strands_) std::ranges::for_each(strand.points, take);
  for (const Arrow& arrow : arrows_) std::ranges::for_each(arrow.points, take);
  const double room_x = width - 2 * kEdge, room_y = height - top - bottom;
  view.scale = std::min(room_x / (right - left), room_y / (high - low));
  view.x = width / 2 - view.scale * (left + right) / 2;
  view.y = top + room_y / 2 + view.scale * (low + high) / 2;
  Drawing out{width, height, ""};
  draw_fills(out, view);
  draw_lines(out, view);
  draw_arrows(out, view);
  return out;
}

}  // namespace trammel::plot
