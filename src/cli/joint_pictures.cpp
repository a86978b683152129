#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>

#include "cli/pictures.h"
#include "joint/table.h"
#include "math/rotation.h"
#include "plot/sketch.h"

namespace trammel::cli {

// A name of its own, as files compile together.
namespace joint_drawings {

namespace {

const plot::Finish kA{"#555555", "#a8a8a8", "#efefef"}, kB{"#0072b2", "#7fb5d6", "#deedf6"},
    kCross{"#333333", "#a8a8a8", "#d4d4d4"};
const plot::Pen kNamed{"#d55e00", 1.9}, kOther{"#e69f00", 1.9}, kAxesA{"#222222", 1.1},
    kAxesB{"#004b77", 1.1};
const Vec3 kX = Vec3::UnitX(), kY = Vec3::UnitY(), kZ = Vec3::UnitZ();
const Vec3 kO = Vec3::Zero();  // {} would leave it as memory was
constexpr double kDegree = std::numbers::pi / 180;

Mat3 turned(const Vec3& axis, double degrees) { return exp_matrix(axis * degrees * kDegree); }
/// Local x along y, or along z.
const Mat3 kAlongY = turned(Vec3::UnitZ(), 90), kAlongZ = turned(Vec3::UnitY(), -90);

/// One joint: solids of both bodies in the axes of A, and the motions that it leaves.
class Drawn {
 public:
  Drawn() : sketch(-52 * kDegree, 22 * kDegree) {}

  plot::Sketch sketch;
  std::vector<std::array<Vec3, 2>> motions;

  /// A's x upwards: joints on a plane, whose normal it is.
  void stand() {
    Mat3 axes;
    axes << kZ, kX, kY;
    sketch.place(axes);
  }
  void a() { sketch.finish(kA); }
  void b() { sketch.finish(kB); }

  void axes(const Pose& at, double length, const plot::Pen& pen, const char* names) {
    for (int i = 0; i < 3; ++i)
      if (names[i] != ' ')
        sketch.arrow(at.p, at.p + length * at.R.col(i), std::string(1, names[i]), pen, false);
  }

  /// A way along `direction` that the joint leaves, drawn at a place; without a name: no
  /// coordinate.
  void slide(const Vec3& direction, const Vec3& at, const std::string& name, double half = 0.42) {
    sketch.arrow(at - half * direction, at + half * direction, name, name.empty() ? kOther : kNamed,
                 true);
    motions.push_back({direction, Vec3::Zero()});
  }
  /// A turn about `axis`, drawn about a place, from `first` degrees from `from` on.
  void turn(const Vec3& axis, const Vec3& at, const Vec3& from, double radius, double first,
            double sweep, const std::string& name) {
    sketch.turn(at, axis, at + radius * (turned(axis, first) * from), sweep * kDegree, name,
                name.empty() ? kOther : kNamed);
    motions.push_back({Vec3::Zero(), axis});
  }

  void plate() {
    a();
    sketch.box({{-0.06, 0, 0}}, {0.12, 2.3, 2.3});
  }
};

void draw_free(Drawn& d) {
  d.a();
  d.sketch.box({{0, 0, -0.2}}, {0.7, 0.7, 0.4});
  d.axes({kO}, 0.7, kAxesA, "xyz");
  d.b();
  const Vec3 at(0.7, 1.0, 1.0);
  d.sketch.box({at, turned(kZ, 12)}, {0.6, 0.6, 0.5});
  d.slide(kX, at + 0.75 * kX, "x", 0.3);
  d.slide(kY, at + 0.75 * kY, "y", 0.3);
  d.slide(kZ, at + 0.75 * kZ, "z", 0.3);
  d.turn(kX, at, kZ, 0.95, 12, 54, "roll");
  d.turn(kY, at, kX, 1.2, -66, 48, "pitch");
  d.turn(kZ, at, kX, 0.95, -70, 54, "yaw");
}

void draw_spherical(Drawn& d) {
  d.a();
  d.sketch.box({{0, 0, -1.1}}, {1.0, 1.0, 0.16});
  d.sketch.cylinder({{0, 0, -0.62}, kAlongZ}, 0.11, 0.85);
  d.sketch.ball(Vec3::Zero(), 0.3);
  d.b();
  const Mat3 tilt = turned(kX, 18);
  d.sketch.cylinder({kO, tilt * turned(kY, 0)}, 0.46, 0.3, 0.29);
  d.sketch.cylinder({tilt * Vec3(0, 1.05, 0), tilt * kAlongY}, 0.12, 1.2);
  d.axes({kO}, 0.95, kAxesA, "xyz");
  d.turn(kX, kO, kZ, 0.8, 12, 60, "roll");
  d.turn(kY, kO, kX, 0.8, -75, 60, "pitch");
  d.turn(kZ, kO, kX, 0.95, -75, 60, "yaw");
}

void draw_revolute(Drawn& d) {
  d.a();
  d.sketch.box({{0, 0, -0.95}}, {1.8, 0.9, 0.14});
  for (const double side : {-1.0, 1.0}) d.sketch.box({{0.7 * side, 0, -0.34}}, {0.14, 0.5, 1.08});
  d.sketch.cylinder({kO}, 0.13, 1.8);
  d.b();
  const Mat3 R = turned(kX, 28);
  d.sketch.cylinder({kO}, 0.32, 0.7, 0.13);
  d.sketch.box({R * Vec3(0, 0.95, 0), R}, {0.4, 1.3, 0.2});
  d.axes({kO}, 1.35, kAxesA, "xyz");
  d.axes({kO, R}, 1.1, kAxesB, " yz");
  d.turn(kX, 1.12 * kX, kY, 0.42, 0, 130, "angle");
}

void draw_universal(Drawn& d) {
  d.a();
  for (const double side : {-1.0, 1.0}) d.sketch.box({{0.62 * side, 0, -0.22}}, {0.1, 0.4, 0.8});
  d.sketch.box({{0, 0, -0.67}}, {1.34, 0.4, 0.1});
  d.sketch.cylinder({{0, 0, -1.05}, kAlongZ}, 0.16, 0.66);
  d.sketch.finish(kCross);
  d.sketch.cylinder({kO}, 0.1, 1.34);
  d.sketch.cylinder({kO, kAlongY}, 0.1, 1.34);
  d.b();
  for (const double side : {-1.0, 1.0}) d.sketch.box({{0, 0.62 * side, 0.22}}, {0.4, 0.1, 0.8});
  d.sketch.box({{0, 0, 0.67}}, {0.4, 1.34, 0.1});
  d.sketch.cylinder({{0, 0, 1.05}, kAlongZ}, 0.16, 0.66);
  d.axes({kO}, 1.45, kAxesA, "x  ");
  d.axes({kO}, 1.45, kAxesB, " y ");
  d.turn(kX, 1.02 * kX, kZ, 0.4, -150, 120, "first");
  d.turn(kY, 1.02 * kY, kZ, 0.4, -60, 130, "second");
}

void draw_prismatic(Drawn& d) {
  d.a();
  d.sketch.box({kO}, {2.6, 0.36, 0.36});
  d.b();
  d.sketch.box({{0.1, 0, 0}}, {0.8, 0.7, 0.7});
  d.axes({kO}, 1.1, kAxesA, " yz");
  d.axes({kO}, 1.75, kAxesA, "x  ");
  d.slide(kX, {0.1, -0.6, -0.45}, "travel", 0.5);
}

void draw_cylindrical(Drawn& d) {
  d.a();
  d.sketch.cylinder({kO}, 0.18, 2.6);
  d.b();
  d.sketch.cylinder({{0.1, 0, 0}}, 0.42, 0.8, 0.18);
  d.axes({kO}, 1.1, kAxesA, " yz");
  d.axes({kO}, 1.75, kAxesA, "x  ");
  d.slide(kX, {0.1, -0.55, -0.35}, "travel", 0.5);
  d.turn(kX, 0.85 * kX, kY, 0.5, 10, 120, "angle");
}

void draw_planar(Drawn& d) {
  d.stand();
  d.plate();
  d.b();
  d.sketch.cylinder({{0.17, 0, 0}}, 0.5, 0.34);
  d.axes({kO}, 0.95, kAxesA, "x  ");
  d.axes({kO}, 1.05, kAxesA, " yz");
  d.slide(kY, {0, 0.35, -0.78}, "y", 0.3);
  d.slide(kZ, {0, -0.8, -0.3}, "z", 0.3);
  d.turn(kX, 0.62 * kX, kY, 0.42, 10, 150, "angle");
}

void draw_fixed(Drawn& d) {
  d.a();
  d.sketch.box({{0, 0, -0.5}}, {1.0, 1.0, 1.0});
  d.b();
  d.sketch.box({{0, 0, 0.3}}, {0.7, 0.7, 0.6});
  d.axes({kO}, 1.0, kAxesA, "xyz");
}

void draw_point_on_line(Drawn& d) {
  d.a();
  d.sketch.cylinder({kO}, 0.06, 2.6);
  for (const double side : {-1.0, 1.0}) d.sketch.box({{1.3 * side, 0, -0.15}}, {0.12, 0.4, 0.7});
  d.b();
  d.sketch.ball(Vec3::Zero(), 0.17);
  const Mat3 R = turned(kX, -15) * turned(kY, 12);
  d.sketch.cylinder({R * Vec3(0, 0, 0.42), R * kAlongZ}, 0.06, 0.6);
  d.sketch.box({R * Vec3(0, 0, 0.95), R}, {0.6, 0.5, 0.45});
  d.axes({kO}, 0.75, kAxesA, " y ");
  d.axes({kO}, 1.75, kAxesA, "x  ");
  d.slide(kX, {-0.1, -0.25, -0.2}, "travel", 0.5);
  d.turn(kX, kO, kZ, 0.6, 15, 60, "");
  d.turn(kY, kO, kX, 0.6, -80, 60, "");
  d.turn(kZ, kO, kX, 0.6, -80, 60, "");
}

void draw_point_on_plane(Drawn& d) {
  d.stand();
  d.plate();
  d.b();
  const Mat3 R = turned(kY, 14);
  d.sketch.cone({R * Vec3(0.55, 0, 0), R * turned(kZ, 180)}, 0.26, 0.55);
  d.sketch.cylinder({R * Vec3(0.85, 0, 0), R}, 0.26, 0.6);
  d.axes({kO}, 1.5, kAxesA, "x  ");
  d.axes({kO}, 1.05, kAxesA, " yz");
  d.slide(kY, {0, 0.2, -0.6}, "y", 0.3);
  d.slide(kZ, {0, -0.8, -0.2}, "z", 0.3);
  d.turn(kX, 1.32 * kX, kY, 0.36, 10, 150, "");
  d.turn(kY, kO, kX, 0.75, 45, 45, "");
  d.turn(kZ, kO, kX, 0.75, 35, 45, "");
}

/// Ways along all axes, at a body that is held in its direction only.
void three_ways(Drawn& d, const Vec3& at, double off) {
  d.slide(kX, at + off * kX, "x", 0.3);
  d.slide(kY, at + off * kY, "y", 0.3);
  d.slide(kZ, at + off * kZ, "z", 0.3);
}

void draw_parallel(Drawn& d) {
  d.a();
  d.sketch.cylinder({kO}, 0.22, 1.2);
  d.axes({kO}, 1.2, kAxesA, "xyz");
  d.b();
  const Vec3 at(0.6, 1.2, 0.9);
  d.sketch.cylinder({at}, 0.22, 1.2);
  d.axes({at, turned(kX, 30)}, 0.9, kAxesB, "x  ");
  d.turn(kX, at + 0.62 * kX, kY, 0.36, -170, 120, "angle");
  d.slide(kX, at + Vec3(0, -0.1, 0.4), "x", 0.35);
  d.slide(kY, at + 0.72 * kY, "y", 0.32);
  d.slide(kZ, at + Vec3(-0.35, 0, 0.62), "z", 0.3);
}

void draw_perpendicular(Drawn& d) {
  d.a();
  d.sketch.cylinder({kO}, 0.2, 1.3);
  d.axes({kO}, 1.2, kAxesA, "x  ");
  d.b();
  const Vec3 at(0.4, 0.7, 1.1);
  d.sketch.cylinder({at, kAlongY}, 0.2, 1.3);
  d.axes({at}, 1.2, kAxesB, " y ");
  three_ways(d, at, 0.62);
  d.turn(kX, 0.62 * kX, kY, 0.36, 20, 140, "");
  d.turn(kY, at + 0.72 * kY, kX, 0.36, 30, -140, "");
}

void draw_orientation(Drawn& d) {
  d.a();
  d.sketch.box({kO}, {0.7, 0.5, 0.4});
  d.axes({kO}, 0.95, kAxesA, "xyz");
  d.b();
  const Vec3 at(0.6, 1.3, 1.0);
  d.sketch.box({at}, {0.7, 0.5, 0.4});
  three_ways(d, at, 0.75);
}

void draw_distance(Drawn& d) {
  d.a();
  d.sketch.box({{0, 0, -0.35}}, {0.8, 0.8, 0.5});
  d.sketch.ball(Vec3::Zero(), 0.1);
  d.b();
  const Vec3 at(0.9, 0.7, 1.0);
  d.sketch.ball(at, 0.1);
  d.sketch.box({at + Vec3(0.1, 0.35, 0.2), turned(kZ, 20)}, {0.5, 0.5, 0.5});
  d.sketch.finish(kCross);
  d.sketch.line({Vec3::Zero(), at}, 1.2);
  d.sketch.text(0.5 * at, {-10, -4}, "D", "#333333");
  d.axes({kO}, 0.8, kAxesA, "xyz");
  const Vec3 out = at.normalized(), side = kZ.cross(out).normalized(), up = out.cross(side);
  d.sketch.turn(kO, up, turned(up, -16) * at, 32 * kDegree, "", kOther);
  d.sketch.turn(kO, side, turned(side, -16) * at, 32 * kDegree, "", kOther);
  d.motions.push_back({side, Vec3::Zero()});
  d.motions.push_back({up, Vec3::Zero()});
  const Vec3 body = at + Vec3(0.1, 0.35, 0.2);
  d.turn(kX, body + 0.4 * kX, kY, 0.3, 10, 130, "");
  d.turn(kY, body + 0.45 * kY, kX, 0.3, 30, -130, "");
  d.turn(kZ, body + 0.4 * kZ, kX, 0.3, 200, 130, "");
}

void draw_rolling_ball(Drawn& d) {
  d.stand();
  d.plate();
  d.b();
  d.sketch.ball({0.5, 0, 0}, 0.5);
  d.axes({kO}, 1.4, kAxesA, "x  ");
  d.axes({kO}, 1.05, kAxesA, " yz");
  d.slide(kY, {0, 0.3, -0.78}, "y", 0.3);
  d.slide(kZ, {0, -0.8, -0.3}, "z", 0.3);
  d.turn(kX, 1.12 * kX, kY, 0.34, 10, 150, "");
}

void draw_rolling_disc(Drawn& d) {
  d.stand();
  d.plate();
  d.b();
  const Mat3 lean = turned(kZ, -14);
  d.sketch.cylinder({lean * Vec3(0.6, 0, 0), lean * kAlongY}, 0.6, 0.1);
  d.axes({kO}, 1.6, kAxesA, "x  ");
  d.axes({kO}, 1.1, kAxesA, " yz");
  d.axes({lean * Vec3(0.6, 0, 0), lean}, 0.6, kAxesB, " y ");
  d.turn(kZ, kO, kX, 1.4, -38, 38, "lean");
  d.slide(kZ, {0, -0.5, 0.3}, "z", 0.35);
  d.turn(kX, 1.4 * kX, kY, 0.3, 10, 150, "");
}

void draw_knife_edge(Drawn& d) {
  d.stand();
  d.plate();
  d.b();
  // A wedge along z, its edge down: the outline of the prism lies in x, y.
  const Mat3 R = turned(kX, -35);
  Mat3 along;
  along << kZ, kX, kY;
  d.sketch.prism({kO, R * along}, {{0, 0}, {0.5, -0.07}, {0.5, 0.07}}, 1.1);
  d.sketch.cylinder({{0.62, 0, 0}}, 0.1, 0.24);
  d.axes({kO}, 1.2, kAxesA, "xyz");
  d.axes({kO, R}, 0.6, kAxesB, " y ");
  d.slide(R * kZ, R * Vec3(0, 0.35, 0.1), "along Bz", 0.35);
  d.turn(kX, 0.85 * kX, kY, 0.34, 10, 150, "");
  d.turn(kY, kO, kX, 0.95, 28, 36, "");
  d.turn(kZ, kO, kX, 0.95, -64, 36, "");
}

/// A stretch of a curved track, in the plane x, y of its middle; rails, sleepers, the line between.
struct Way {
  static constexpr double kRadius = 3.2, kGauge = 0.62;
  static Pose at(double s, double y = 0) {
    const Mat3 R = exp_matrix(kZ * (s / kRadius));
    const Vec3 middle = kRadius * kY;
    return {middle + R * Vec3(0, y - kRadius, 0), R};
  }
  static void draw(Drawn& d) {
    const auto line = [&](double y, double width) {
      std::vector<Vec3> points;
      for (int i = -30; i <= 30; ++i) points.push_back(at(0.05 * i, y).p);
      d.sketch.line(points, width);
    };
    d.a();
    for (int i = -6; i <= 6; ++i) d.sketch.line({at(0.24 * i, -0.45).p, at(0.24 * i, 0.45).p}, 0.9);
    line(-kGauge / 2, 1.8);
    line(kGauge / 2, 1.8);
    line(0, 0.7);
  }
};

void ways_along(Drawn& d) {
  d.sketch.turn(Way::kRadius * kY, kZ, Way::at(0.55, -0.62).p, 0.8 / Way::kRadius, "s", kNamed);
  d.motions.push_back({kX, Vec3::Zero()});
}

void draw_track(Drawn& d) {
  Way::draw(d);
  d.b();
  d.sketch.box({{0, 0, 0.3}}, {1.0, 0.56, 0.36});
  d.axes({kO}, 1.0, kAxesA, "xyz");
  ways_along(d);
}

void draw_point_on(Drawn& d, bool roll) {
  Way::draw(d);
  d.b();
  d.sketch.ball({0, 0, 0}, 0.09);
  const Mat3 R = roll ? turned(kY, -12) : turned(kX, 12) * turned(kY, -12);
  d.sketch.cylinder({R * Vec3(0, 0, 0.24), R * kAlongZ}, 0.05, 0.4);
  d.sketch.box({R * Vec3(0, 0, 0.62), R}, {0.8, 0.5, 0.36});
  d.axes({kO}, 1.0, kAxesA, "xyz");
  ways_along(d);
  const Vec3 up = 0.62 * kZ;
  if (!roll) d.turn(kX, up + 0.5 * kX, kY, 0.36, 10, 130, "roll");
  d.turn(kY, up, kX, 0.72, -150, 90, "pitch");
  d.turn(kZ, up, kX, 0.8, -100, 70, "yaw");
}

void draw_point_on_track(Drawn& d) { draw_point_on(d, false); }
void draw_point_on_track_roll(Drawn& d) { draw_point_on(d, true); }

struct Entry {
  const char* joint;
  void (*draw)(Drawn&);
};

constexpr Entry kEntries[] = {
    {"free", draw_free},
    {"spherical", draw_spherical},
    {"revolute", draw_revolute},
    {"universal", draw_universal},
    {"prismatic", draw_prismatic},
    {"cylindrical", draw_cylindrical},
    {"planar", draw_planar},
    {"fixed", draw_fixed},
    {"point-on-line", draw_point_on_line},
    {"point-on-plane", draw_point_on_plane},
    {"parallel", draw_parallel},
    {"perpendicular", draw_perpendicular},
    {"orientation", draw_orientation},
    {"distance", draw_distance},
    {"rolling-ball", draw_rolling_ball},
    {"rolling-disc", draw_rolling_disc},
    {"knife-edge", draw_knife_edge},
    {"track", draw_track},
    {"point-on-track", draw_point_on_track},
    {"point-on-track-roll", draw_point_on_track_roll},
};

std::string names_of(const joint::Table& table) {
  std::string out;
  for (const joint::Coordinate& c : table.coordinates) out += (out.empty() ? "" : ", ") + c.name;
  return out.empty() ? "holds everything" : out;
}

JointPicture finished(const Drawn& drawn, const joint::Table& table) {
  constexpr double kWidth = 260, kHeight = 230;
  plot::Drawing drawing = drawn.sketch.draw(kWidth, kHeight, 44, 36);
  drawing.title = fmt::format("The joint {}: {}", table.name, names_of(table));
  drawing.items.emplace_back(
      plot::Text{{kWidth / 2, 20}, table.name, 13, "#222222", plot::Anchor::middle, true});
  drawing.items.emplace_back(
      plot::Text{{kWidth / 2, kHeight - 9}, names_of(table), 11, "#555555", plot::Anchor::middle});
  JointPicture out{table.name, plot::to_svg(drawing), MatX(6, drawn.motions.size())};
  for (std::size_t i = 0; i < drawn.motions.size(); ++i)
    out.motions.col(static_cast<Eigen::Index>(i)) << drawn.motions[i][0], drawn.motions[i][1];
  return out;
}

}  // namespace

}  // namespace joint_drawings

std::vector<JointPicture> joint_pictures() {
  using namespace joint_drawings;
  std::vector<JointPicture> out;
  for (const joint::Table& table : joint::tables()) {
    out.push_back({table.name, "", {}});
    for (const Entry& entry : kEntries) {
      if (table.name != entry.joint) continue;
      Drawn drawn;
      entry.draw(drawn);
      out.back() = finished(drawn, table);
    }
  }
  return out;
}

std::vector<Picture> document_pictures() {
  std::vector<Picture> out = curve_pictures();
  for (JointPicture& picture : joint_pictures())
    out.push_back({"joints/" + picture.joint + ".svg", std::move(picture.svg)});
  return out;
}

}  // namespace trammel::cli
