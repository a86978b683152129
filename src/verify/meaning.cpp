#include "verify/meaning.h"

#include <algorithm>
#include <cmath>

namespace trammel::verify {

namespace {

using Motions = std::vector<Motion>;

Vec3 across(const Vec3& v, const Vec3& axis) { return v - v.dot(axis) * axis; }

// Conditions, each adding to what is off.

void points_meet(const Frames& f, Offence& o) {
  o.gap = std::max(o.gap, f.D().norm());
  o.speed = std::max(o.speed, f.speed().norm());
}
void point_on_line(const Frames& f, Offence& o) {
  o.gap = std::max(o.gap, across(f.D(), f.a.x()).norm());
  o.speed = std::max(o.speed, across(f.speed(), f.a.x()).norm());
}
void point_on_plane(const Frames& f, Offence& o) {
  o.gap = std::max(o.gap, std::abs(f.D().dot(f.a.x())));
  o.speed = std::max(o.speed, std::abs(f.speed().dot(f.a.x())));
}
void axes_parallel(const Frames& f, Offence& o) {
  o.angle = std::max(o.angle, std::atan2(f.a.x().cross(f.b.x()).norm(), f.a.x().dot(f.b.x())));
  o.spin = std::max(o.spin, across(f.spin(), f.a.x()).norm());
}
void axes_perpendicular(const Frames& f, Offence& o) {
  o.angle = std::max(o.angle, std::abs(std::asin(std::clamp(f.a.x().dot(f.b.y()), -1.0, 1.0))));
  o.spin = std::max(o.spin, std::abs(f.spin().dot(f.a.x().cross(f.b.y()))));
}
void same_orientation(const Frames& f, Offence& o) {
  const double chord = (f.a.R - f.b.R).norm() / (2 * std::sqrt(2.0));  // sin(angle/2)
  o.angle = std::max(o.angle, 2 * std::asin(std::min(1.0, chord)));
  o.spin = std::max(o.spin, f.spin().norm());
}
void stays_apart(const Frames& f, Offence& o) {
  o.gap = std::abs(f.D().norm() - f.distance);
  o.speed = std::abs(f.speed().dot(f.D().normalized()));
}

/// From B's origin to where a ball, or a disc about B's y, touches the plane through A's origin.
Vec3 ball_contact(const Frames& f) { return -f.D().dot(f.a.x()) * f.a.x(); }
Vec3 disc_contact(const Frames& f) {
  const double side = f.D().dot(f.a.x()) < 0 ? -1 : 1;
  return -side * f.distance * across(f.a.x(), f.b.y()).normalized();
}
using Place = Vec3 (*)(const Frames&);
/// The touching point is in the plane, and its material stands still there.
template <Place touches>
void rolls(const Frames& f, Offence& o) {
  const Vec3 r = touches(f);
  o.gap = std::abs((f.D() + r).dot(f.a.x()));
  o.speed = (f.speed() + f.spin().cross(r)).norm();
}
void lies_on_plane(const Frames& f, Offence& o) {  // a ball
  o.gap = std::abs(ball_contact(f).norm() - f.distance);
}

template <void (*... conditions)(const Frames&, Offence&)>
Offence all(const Frames& f) {
  Offence out;
  (conditions(f, out), ...);
  return out;
}

Offence knife(const Frames& f) {
  Offence out;
  point_on_plane(f, out);
  out.speed = std::max(out.speed, std::abs(f.speed().dot(f.b.y())));
  return out;
}
/// Where the line lies is not known here; but what is held along it moves along its own x.
Offence along(const Frames& f) {
  Offence out;
  // of the material of A that B's origin is at: `a` is the track's body there
  out.speed = across(f.speed(), f.b.x()).norm();
  return out;
}

// Free motions.

void slides(const Vec3& v, Motions& out) { out.push_back({v, Vec3::Zero()}); }
void turns(const Vec3& w, Motions& out) { out.push_back({Vec3::Zero(), w}); }
void slides_any(const Frames& f, Motions& out) {
  for (const Vec3& e : {f.a.x(), f.a.y(), f.a.z()}) slides(e, out);
}
void turns_any(const Frames& f, Motions& out) {
  for (const Vec3& e : {f.a.x(), f.a.y(), f.a.z()}) turns(e, out);
}
void slides_x(const Frames& f, Motions& out) { slides(f.a.x(), out); }
void slides_yz(const Frames& f, Motions& out) {
  slides(f.a.y(), out);
  slides(f.a.z(), out);
}
void turns_x(const Frames& f, Motions& out) { turns(f.a.x(), out); }
void turns_cross(const Frames& f, Motions& out) {  // as a Cardan joint's cross lets it
  turns(f.a.x(), out);
  turns(f.b.y(), out);
}
void on_sphere(const Frames& f, Motions& out) {
  const Vec3 d = f.D().normalized();
  slides(d.unitOrthogonal(), out);
  slides(d.cross(d.unitOrthogonal()), out);
}
template <Place touches>
void turns_about(const Frames& f, Motions& out) {
  const Vec3 r = touches(f);
  for (const Vec3& e : {f.a.x(), f.a.y(), f.a.z()}) out.push_back({r.cross(e), e});
}
void along_edge(const Frames& f, Motions& out) { slides(f.a.x().cross(f.b.y()).normalized(), out); }

template <void (*... motions)(const Frames&, Motions&)>
Motions may(const Frames& f) {
  Motions out;
  (motions(f, out), ...);
  return out;
}

/// Torque of a unit force on the angle of e in the plane of `first` and `second`.
Vec3 turning(const Vec3& e, const Vec3& first, const Vec3& second) {
  const double c = e.dot(first), s = e.dot(second);
  return (c * e.cross(second) - s * e.cross(first)) / (c * c + s * s);
}

}  // namespace

const std::vector<Meaning>& meanings() {
  static const std::vector<Meaning> kAll{
      {"free", all<>, may<slides_any, turns_any>},
      {"spherical", all<points_meet>, may<turns_any>},
      {"revolute", all<points_meet, axes_parallel>, may<turns_x>},
      {"universal", all<points_meet, axes_perpendicular>, may<turns_cross>},
      {"prismatic", all<point_on_line, same_orientation>, may<slides_x>},
      {"cylindrical", all<point_on_line, axes_parallel>, may<slides_x, turns_x>},
      {"planar", all<point_on_plane, axes_parallel>, may<slides_yz, turns_x>},
      {"fixed", all<points_meet, same_orientation>, may<>},
      {"point-on-line", all<point_on_line>, may<slides_x, turns_any>},
      {"point-on-plane", all<point_on_plane>, may<slides_yz, turns_any>},
      {"parallel", all<axes_parallel>, may<slides_any, turns_x>},
      {"perpendicular", all<axes_perpendicular>, may<slides_any, turns_cross>},
      {"orientation", all<same_orientation>, may<slides_any>},
      {"distance", all<stays_apart>, may<on_sphere, turns_any>},
      {"rolling-ball", all<rolls<ball_contact>, lies_on_plane>, may<turns_about<ball_contact>>},
      {"rolling-disc", all<rolls<disc_contact>>, may<turns_about<disc_contact>>},
      {"knife-edge", knife, may<along_edge, turns_any>},
      {"track", along, nullptr},
      {"point-on-track", all<>, nullptr, Meaning::Guides::point},
      {"point-on-track-roll", all<>, nullptr, Meaning::Guides::point_and_roll},
  };
  return kAll;
}

const Meaning* find_meaning(std::string_view type) {
  for (const Meaning& m : meanings())
    if (m.type == type) return &m;
  return nullptr;
}

std::optional<Motion> unit_wrench(std::string_view name, const Frames& f) {
  const Vec3 zero = Vec3::Zero();
  if (name == "travel" || name == "x") return Motion{f.a.x(), zero};
  if (name == "y") return Motion{f.a.y(), zero};
  if (name == "z") return Motion{f.a.z(), zero};
  if (name == "angle" || name == "roll" || name == "first")
    return Motion{zero, turning(f.b.y(), f.a.y(), f.a.z())};
  if (name == "pitch") return Motion{zero, turning(f.b.z(), f.a.z(), f.a.x())};
  if (name == "yaw") return Motion{zero, turning(f.b.x(), f.a.x(), f.a.y())};
  if (name == "second") return Motion{zero, f.b.y()};
  if (name == "lean") return Motion{zero, f.b.y().cross(f.a.x())};
  return std::nullopt;
}

}  // namespace trammel::verify
