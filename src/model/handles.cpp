#include "model/handles.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "math/index.h"
#include "units/nearest.h"

namespace trammel::model {

namespace {

[[noreturn]] void unknown(std::string_view what, std::string_view name,
                          const std::vector<std::string>& known) {
  throw std::invalid_argument(
      fmt::format("there is no {} '{}'{}", what, name, units::did_you_mean(name, known)));
}

[[noreturn]] void bad_handle(std::string_view what, std::uint32_t generation) {
  throw std::invalid_argument(
      generation == 0
          ? fmt::format("the handle of a {} is null: it stands for nothing", what)
          : fmt::format("the handle of a {} belongs to another mechanism than this one", what));
}

/// The handle by which the builder's list says `index`.
template <class H>
H handle_to(const std::vector<int>& list, int index, std::uint32_t generation) {
  const auto it = std::find(list.begin(), list.end(), index);
  if (index < 0 || it == list.end()) return {};
  return {static_cast<std::uint32_t>(it - list.begin()), generation};
}

template <class V>
std::vector<std::string> names_of_all(const V& items, const std::vector<int>& which) {
  std::vector<std::string> out;
  for (const int i : which) out.push_back(items[at(i)].name);
  return out;
}

std::vector<std::string> names_of(const Model& m, const std::vector<CoordinateHandle>& list) {
  std::vector<std::string> out;
  for (const CoordinateHandle& h : list) out.push_back(name_of(m, h));
  return out;
}

}  // namespace

BodyHandle body_named(const Model& m, std::string_view name) {
  const auto out = handle_to<BodyHandle>(m.object_of, m.find_object(name), m.generation);
  if (!out) unknown("body", name, names_of_all(m.objects, m.object_of));
  return out;
}

BodyHandle body_handle(const Model& m, int object) {
  return handle_to<BodyHandle>(m.object_of, object, m.generation);
}

JointHandle joint_named(const Model& m, std::string_view name) {
  const int i = m.find_joint(name);
  if (i >= 0) return {static_cast<std::uint32_t>(i), m.generation};
  std::vector<std::string> known;
  for (const Joint& j : m.joints) known.push_back(j.name);
  unknown("joint", name, known);
}

LawHandle law_named(const Model& m, std::string_view name) {
  const auto out = handle_to<LawHandle>(m.law_of, m.find_law(name), m.generation);
  if (!out) unknown("law", name, names_of_all(m.laws, m.law_of));
  return out;
}

InputHandle input_named(const Model& m, std::string_view name) {
  const int i = m.find_input(name);
  if (i >= 0) return {static_cast<std::uint32_t>(i), m.generation};
  std::vector<std::string> known;
  for (const Input& input : m.inputs) known.push_back(input.name);
  unknown("input", name, known);
}

CoordinateHandle coordinate_of(const Model& m, JointHandle handle, std::string_view name) {
  const int j = checked(m, handle);
  const std::vector<joint::Coordinate>& list = m.joints[at(j)].table->coordinates;
  const auto it = std::find_if(list.begin(), list.end(), [&](auto& c) { return c.name == name; });
  if (it != list.end())
    return {handle.index, static_cast<std::uint32_t>(it - list.begin()), m.generation};
  std::vector<std::string> known;
  for (const joint::Coordinate& c : list) known.push_back(c.name);
  unknown(fmt::format("coordinate of joint '{}' named", m.joints[at(j)].name), name, known);
}

CoordinateHandle coordinate_named(const Model& m, std::string_view name) {
  for (std::size_t j = 0; j < m.joints.size(); ++j) {
    const Joint& joint = m.joints[j];
    const JointHandle handle{static_cast<std::uint32_t>(j), m.generation};
    if (joint.name == name && joint.table->coordinates.size() == 1)
      return coordinate_of(m, handle, joint.table->coordinates.front().name);
    if (!name.starts_with(joint.name + ".")) continue;
    const std::string_view rest = name.substr(joint.name.size() + 1);
    for (const joint::Coordinate& c : joint.table->coordinates)
      if (c.name == rest) return coordinate_of(m, handle, rest);
  }
  unknown("coordinate", name, names_of(m, all_coordinates(m)));
}

ParamHandle param_named(const Model& m, std::string_view name) {
  const int i = m.find_param(name);
  if (i < 0) unknown("parameter", name, param_names(m));
  return {static_cast<std::uint32_t>(i), m.generation};
}

int checked(const Model& m, BodyHandle handle) {
  const int i = m.object(handle);
  if (i < 0 || !handle) bad_handle("body", handle.generation);
  return i;
}
int checked(const Model& m, JointHandle handle) {
  const int i = m.joint(handle);
  if (i < 0 || !handle) bad_handle("joint", handle.generation);
  return i;
}
int checked(const Model& m, LawHandle handle) {
  const int i = m.law(handle);
  if (i < 0 || !handle) bad_handle("law", handle.generation);
  return i;
}
int checked(const Model& m, ParamHandle handle) {
  if (!handle || handle.generation != m.generation) bad_handle("parameter", handle.generation);
  return static_cast<int>(handle.index);
}
const joint::Coordinate& checked(const Model& m, CoordinateHandle handle) {
  if (!handle || handle.generation != m.generation || handle.joint >= m.joints.size())
    bad_handle("coordinate", handle.generation == m.generation ? 1 : handle.generation);
  const auto& list = m.joints[handle.joint].table->coordinates;
  if (handle.coordinate >= list.size()) bad_handle("coordinate", 1);
  return list[handle.coordinate];
}

std::string name_of(const Model& m, CoordinateHandle handle) {
  const joint::Coordinate& c = checked(m, handle);
  return m.joints[handle.joint].name + "." + c.name;
}

std::vector<CoordinateHandle> all_coordinates(const Model& m) {
  std::vector<CoordinateHandle> out;
  for (std::uint32_t j = 0; j < m.joints.size(); ++j)
    for (std::uint32_t c = 0; c < m.joints[j].table->coordinates.size(); ++c)
      out.push_back({j, c, m.generation});
  return out;
}

std::vector<std::string> param_names(const Model& m) {
  std::vector<std::string> out;
  for (const ParamBlock& block : m.param_blocks) {
    out.resize(static_cast<std::size_t>(block.first));
    for (const std::string_view name : *block.names)
      out.push_back(fmt::format("{}.{}", block.owner, name));
  }
  return out;
}

}  // namespace trammel::model
