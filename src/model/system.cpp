#include "model/system.h"

#include <fmt/core.h>

#include <stdexcept>

namespace trammel::model {

namespace {

/// A joint without rows whose coordinate is where a dial stands.
std::shared_ptr<const joint::Table> dial_table(bool is_angle) {
  const auto make = [](const char* name, const std::string& row) {
    return std::make_shared<const joint::Table>(joint::make_table(name, {}, {}, {&row, 1}).table);
  };
  static const auto kAngle = make("angle of a system", "angle = atan2(Az.By, Ay.By)");
  static const auto kLength = make("length of a system", "travel = Ax.D");
  return is_angle ? kAngle : kLength;
}

body::SystemObject dial(const std::string& system, const body::SystemCoordinate& c) {
  body::SystemObject out;
  out.name = dial_of(system, c.name);
  if (c.is_angle)
    out.turns = {{Vec3::UnitX(), c.x}};
  else
    out.position[0] = c.x;
  return out;
}

JointSpec dial_joint(const SystemSpec& spec, const body::SystemCoordinate& c) {
  JointSpec out;
  out.name = out.b = dial_of(spec.name, c.name);
  out.path = spec.path;
  out.table = dial_table(c.is_angle);
  out.frame_a = out.frame_b = Pose{};
  return out;
}

}  // namespace

std::string dial_of(const std::string& system, const std::string& coordinate) {
  return system + "." + coordinate;
}

std::vector<BodyHandle> add_system(Builder& builder, SystemSpec spec) {
  if (spec.path.empty()) spec.path = "system." + spec.name;
  const std::size_t n_objects = spec.of.objects.size();
  PoolSpec pool;
  pool.path = spec.path;
  pool.q = spec.q;
  pool.u = spec.u;
  spec.outlines.resize(n_objects);
  for (std::size_t i = 0; i < n_objects; ++i) spec.outlines[i].com = spec.of.objects[i].com;
  pool.outlines = std::move(spec.outlines);
  for (const body::SystemCoordinate& c : spec.of.coordinates) {
    spec.of.objects.push_back(dial(spec.name, c));
    builder.add_joint(dial_joint(spec, c));
    pool.outlines.emplace_back();
  }
  for (const body::SystemObject& o : spec.of.objects) pool.objects.push_back(o.name);
  try {
    const auto made = std::make_shared<const body::SystemPool>(std::move(spec.of));
    pool.params = made->parameters();
    pool.pool = made;
  } catch (const std::invalid_argument& e) {
    pool.wrong = fmt::format("system '{}': {}", spec.name, e.what());
  }
  std::vector<BodyHandle> out = builder.add_pool(std::move(pool));
  out.resize(n_objects);
  return out;
}

}  // namespace trammel::model
