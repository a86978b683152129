#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "geom/basic.h"
#include "geom/chain.h"
#include "joint/table.h"
#include "model/builder.h"
#include "model/ledger.h"
#include "sim/simulation.h"
#include "support.h"
#include "track/track.h"

/// What the tests of the track joint share: scenes of bodies on one track, and runs of them.
namespace trammel::acceptance {

constexpr double kG = 9.81;  // [m/s^2]

inline model::TrackSpec track_of(geom::CurvePtr curve, track::Twist twist = {}) {
  return {"track", "", std::make_shared<track::Track>("track", std::move(curve), std::move(twist))};
}

inline geom::CurvePtr line(double length, const Pose& start = {}) {
  return std::make_shared<geom::Line>(start, length);
}
inline geom::CurvePtr arc(double curvature, double length, const Pose& start = {}) {
  return std::make_shared<geom::Arc>(start, curvature, length);
}

/// Curves end to end, each from the end pose of the one before: (curvature, length) each.
inline geom::CurvePtr arcs(const std::vector<std::pair<double, double>>& list, Pose start = {}) {
  geom::ChainSpec spec;
  for (const auto& [k, length] : list) {
    spec.members.push_back(k == 0 ? line(length, start) : arc(k, length, start));
    start = geom::end_pose(*spec.members.back());
  }
  return std::make_shared<geom::Chain>(spec);
}

/// A point that slides along a track while its body turns as it likes.
inline std::shared_ptr<const joint::Table> point_on_track() {
  const std::vector<std::string> rows{"lateral = Cy.E", "vertical = Cz.E"}, terms{"E x Cx"},
      coordinates{"s = s", "lateral = Cy.E", "vertical = Cz.E"};
  auto parsed = joint::make_table("point-on-track", rows, terms, coordinates);
  return std::make_shared<joint::Table>(std::move(parsed.table));
}

inline Mat3 about(const Vec3& axis, double angle) {
  return Eigen::AngleAxisd(angle, axis).toRotationMatrix();
}

/// A body at s on "track"; its frame is the track's there.
inline model::BodySpec on_track(std::string name, double mass, double s, double speed,
                                std::array<double, 6> inertia = {1, 1, 1, 0, 0, 0}) {
  model::BodySpec body;
  body.name = std::move(name);
  body.mass = mass;
  body.inertia = inertia;
  body.on_track = model::OnTrack{"track", s, speed};
  return body;
}

/// The track joint (or any other joint along "track") of that body, its frame the body's.
inline model::JointSpec running(const std::string& body,
                                std::shared_ptr<const joint::Table> table = nullptr) {
  model::JointSpec j;
  j.name = body + ".track";
  j.b = body;
  j.track = "track";
  j.frame_b = Pose{};
  if (table)
    j.table = std::move(table);
  else
    j.type = "track";
  return j;
}

inline model::LawSpec motor(const std::string& joint, double lo, double hi, Signal speed) {
  model::LawSpec law;
  law.name = joint + ".motor";
  law.type = "motor";
  law.joint = joint;
  law.coordinate = "s";
  law.numbers = {{"force_min", lo}, {"force_max", hi}};
  law.drive = Drive{Drive::Level::velocity, std::move(speed)};
  return law;
}

/// A run and what can be read from it; bodies, joints along tracks and rows by their number.
class Ride {
 public:
  Ride(const model::Builder& builder, double step, double duration, form::Settings form = {})
      : sim(built(builder), settings(duration, step, form)) {}

  /// Steps up to t [s] (on the grid).
  void to(double t) {
    while (!sim.finished() && sim.state().t < t - sim.settings().step / 2 && sim.advance()) keep();
    keep();
    if (!sim.failure().empty()) throw std::runtime_error(sim.failure());
  }
  void to_end() { to(1e300); }

  Vec3 p(int body = 0) const {
    return vec3(sim.state().q.data() + 7 * body);
  }  // of the mass centre
  Mat3 R(int body = 0) const {
    const double* q = sim.state().q.data() + 7 * body + 3;
    return Quat(q[0], q[1], q[2], q[3]).toRotationMatrix();
  }
  Vec3 v(int body = 0) const { return vec3(velocities() + 6 * body); }
  Vec3 w(int body = 0) const { return vec3(velocities() + 6 * body + 3); }
  double s(int arc = 0) const { return sim.state().s[static_cast<std::size_t>(arc)]; }
  double g(int row) const { return sim.formulation().now().g[static_cast<std::size_t>(row)]; }
  double force(int row) const {
    return sim.formulation().row_forces()[static_cast<std::size_t>(row)];
  }
  double ledger(int slot) const { return sim.state().ledger[static_cast<std::size_t>(slot)]; }
  bool on(int joint = 0) const { return sim.state().on[static_cast<std::size_t>(joint)] != 0; }
  double t() const { return sim.state().t; }

  std::vector<form::Event> all(const std::string& kind) const {
    std::vector<form::Event> out;
    for (const form::Event& e : events)
      if (name_of(e.kind) == kind) out.push_back(e);
    return out;
  }

  Simulation sim;
  std::vector<form::Event> events;

 private:
  const double* velocities() const { return sim.formulation().velocities().data(); }
  void keep() {
    for (form::Event& e : sim.take_events()) events.push_back(std::move(e));
  }
};

}  // namespace trammel::acceptance
