// Starts and rates of coordinates, and those to be brought into equilibrium: what specs give of
// them.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "math/index.h"
#include "model/build_rows.h"
#include "units/nearest.h"

namespace trammel::model {

namespace {

std::string name_of(const Draft& d, int joint, const joint::Coordinate& c) {
  return d.model.joints[at(joint)].name + "." + c.name;
}

/// The free coordinate that a name stands for, the only one where it is empty; none: complained.
const joint::Coordinate* free_coordinate(Draft& d, int joint, const std::string& wanted,
                                         const std::string& path) {
  const Joint& j = d.model.joints[at(joint)];
  const std::vector<joint::Coordinate>& all = j.table->coordinates;
  const std::vector<std::string> known = names(all);
  const auto complain = [&](std::string text) { d.complain(path, std::move(text)); };
  if (all.empty()) {
    complain(fmt::format("joint '{}' leaves no coordinate free: a {} joint has none", j.name,
                         j.table->name));
  } else if (wanted.empty() && all.size() > 1) {
    complain(fmt::format("joint '{}' has {} free coordinates: say which, as in {{{} = ...}} ({})",
                         j.name, all.size(), known.front(), fmt::join(known, ", ")));
  } else if (wanted.empty()) {
    return &all.front();
  } else if (const joint::Coordinate* c = j.table->coordinate(wanted)) {
    return c;
  } else {
    complain(fmt::format("joint '{}' has no free coordinate '{}'{}", j.name, wanted,
                         units::did_you_mean(wanted, known)));
  }
  return nullptr;
}

Given& entry(Draft& d, int joint, const joint::Coordinate& c) {
  for (Given& g : d.given)
    if (g.joint == joint && g.coordinate.name == c.name) return g;
  Given& fresh = d.given.emplace_back();
  fresh.joint = joint;
  fresh.coordinate = c;
  fresh.name = name_of(d, joint, c);
  fresh.path = fresh.rate_path = d.model.joints[at(joint)].path;
  return fresh;
}

void give(Draft& d, int joint, const CoordinateStart& s, bool rate) {
  const std::string path =
      s.path.empty() ? d.model.joints[at(joint)].path + (rate ? ".rate" : ".start") : s.path;
  const joint::Coordinate* c = free_coordinate(d, joint, s.coordinate, path);
  if (!c) return;
  Given& g = entry(d, joint, *c);
  (rate ? g.rate_path : g.path) = path;
  std::optional<double>& value = rate ? g.rate : g.value;
  const auto complain = [&](const char* text) {
    d.complain(path, fmt::format("the {} of '{}' {}", rate ? "rate" : "start", g.name, text));
  };
  if (value) complain("is given twice");
  if (!std::isfinite(s.value)) complain("is not finite");
  value = s.value;
  const Joint& j = d.model.joints[at(joint)];
  if (rate || j.track < 0 || !c->row.on_curve()) return;
  const double length = d.model.tracks[at(j.track)].track->length();
  const bool arc_length = c->row.features() == joint::kProjection && c->row.products() == 0;
  if (arc_length && !(s.value >= 0 && s.value <= length))
    d.complain(path, fmt::format("s = {} m is off the track '{}' of {:.6g} m", s.value,
                                 d.model.tracks[at(j.track)].name, length));
}

/// The joint of a coordinate to be balanced; -1: complained.
int joint_of(Draft& d, const CoordinateSpec& s, const std::string& path) {
  std::vector<std::string> known;
  for (std::size_t j = 0; j < d.model.joints.size(); ++j) {
    const Joint& joint = d.model.joints[j];
    if (joint.coupling >= 0) continue;
    if (joint.name == s.joint) return static_cast<int>(j);
    known.push_back(joint.name);
  }
  d.complain(path,
             fmt::format("there is no joint '{}'{}", s.joint, units::did_you_mean(s.joint, known)));
  return -1;
}

void balance(Draft& d, const CoordinateSpec& s, const std::string& path) {
  const int joint = joint_of(d, s, path);
  const joint::Coordinate* c = joint < 0 ? nullptr : free_coordinate(d, joint, s.coordinate, path);
  if (!c) return;
  Given& g = entry(d, joint, *c);
  if (g.balanced) d.complain(path, fmt::format("'{}' is named twice", g.name));
  if (g.rate)
    d.complain(path,
               fmt::format("'{}' is given a rate: in static equilibrium it is at rest", g.name));
  g.balanced = true;
}

}  // namespace

void add_given(Draft& d, int joint, const JointSpec& spec) {
  for (const CoordinateStart& s : spec.start) give(d, joint, s, false);
  for (const CoordinateStart& s : spec.rate) give(d, joint, s, true);
}

void Draft::add_equilibrium(const EquilibriumSpec& spec) {
  if (spec.of.empty()) return;
  for (const CoordinateSpec& s : spec.of) balance(*this, s, s.path.empty() ? spec.path : s.path);
  if (!problems.empty()) return;
  for (std::size_t j = 0; j < model.joints.size(); ++j)
    if (model.joints[j].coupling < 0)
      for (const joint::Coordinate& c : model.joints[j].table->coordinates)
        entry(*this, static_cast<int>(j), c);
}

}  // namespace trammel::model
