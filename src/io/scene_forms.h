#pragma once

#include <utility>

#include "io/scene_keys.h"

/// Words to write the description of the format with.
namespace trammel::io::forms {

inline Form of_kind(Form::Kind kind) {
  Form f;
  f.kind = kind;
  return f;
}
inline Form flag() { return of_kind(Form::Kind::flag); }
inline Form color() { return of_kind(Form::Kind::color); }
inline Form name() { return of_kind(Form::Kind::name); }
inline Form force_formula() { return of_kind(Form::Kind::force); }
inline Form profile_formula() { return of_kind(Form::Kind::profile); }
inline Form direction() { return of_kind(Form::Kind::direction); }
/// In whose texts braces are not filled in: they belong to no element.
inline Form literal(Form f) {
  f.literal = true;
  return f;
}
inline Form text(std::vector<std::string> choices = {}) {
  Form f = of_kind(Form::Kind::text);
  f.choices = std::move(choices);
  return f;
}
inline Form name_of(Refers refers) {
  Form f = of_kind(Form::Kind::text);
  f.refers = refers;
  return f;
}
inline Form integer(std::vector<std::string> choices) {
  Form f = of_kind(Form::Kind::integer);
  f.choices = std::move(choices);
  return f;
}
inline Form measured(Form::Kind kind, const units::Dimension& dimension, Of of) {
  Form f = of_kind(kind);
  f.dimension = dimension;
  f.of = of;
  return f;
}
inline Form quantity(const units::Dimension& d) {
  return measured(Form::Kind::quantity, d, Of::fixed);
}
/// A quantity of this dimension by how a body moves.
inline Form motion(const units::Dimension& d) { return measured(Form::Kind::motion, d, Of::fixed); }
/// The same by the coordinates of a system; of no dimension: any.
inline Form placing(const units::Dimension& d) {
  return measured(Form::Kind::placing, d, Of::fixed);
}
inline Form placing() { return measured(Form::Kind::placing, {}, Of::any); }
inline Form quantity(Of of) { return measured(Form::Kind::quantity, {}, of); }
inline Form signal(const units::Dimension& d) { return measured(Form::Kind::signal, d, Of::fixed); }
inline Form signal(Of of) { return measured(Form::Kind::signal, {}, of); }
inline Form drive(const units::Dimension& d) { return measured(Form::Kind::drive, d, Of::fixed); }
/// A quantity of any dimension or a formula; the value of a parameter.
inline Form parameter_value() { return measured(Form::Kind::parameter, {}, Of::any); }
inline Form list(Form each, std::vector<std::size_t> counts = {}) {
  Form f = of_kind(Form::Kind::list);
  f.counts = std::move(counts);
  f.each = {std::move(each)};
  return f;
}
inline Form vector(const units::Dimension& d) { return list(quantity(d), {3}); }
inline Form map(Form each) {
  Form f = of_kind(Form::Kind::map);
  f.each = {std::move(each)};
  return f;
}
inline Form table(const Family& family) {
  Form f = of_kind(Form::Kind::table);
  f.family = &family;
  return f;
}
inline Form tables(const Family& family) { return list(table(family)); }
inline Form above(double least, Form f) {
  f.above = least;
  return f;
}
inline Form up_to(double most, Form f) {
  f.most = most;
  return f;
}
inline Form or_infinite(Form f) {
  f.infinite = true;
  return f;
}

inline const std::string kNeeded{kRequired};
inline Key name_key(const char* what) {
  return {"name", name(), kNeeded, std::string("of the ") + what};
}

/// A family of named elements.
inline Family named(const char* name, const char* doc, std::vector<Table> tables) {
  Family f{name, doc, std::move(tables)};
  f.element = true;
  return f;
}

/// A formula of channels, or a number.
inline Form measured() { return of_kind(Form::Kind::measured); }

/// The keys of one list and then those of another.
inline std::vector<Key> joined(std::vector<Key> first, const std::vector<Key>& then) {
  first.insert(first.end(), then.begin(), then.end());
  return first;
}

}  // namespace trammel::io::forms

namespace trammel::io {

const Family& parameter_family();
const Family& orientation_family();
const Family& frame_family();
const Family& track_family();
const Family& start_family();
const Family& plan_family();
const Family& profile_family();
const Family& cant_family();
const Family& twist_family();
const Family& curve_family();
const Family& coupling_family();
const Family& lift_family();
const Family& data_family();
const Family& simulation_family();
const Family& body_family();
const Family& shape_family();
const Family& system_family();
/// Keys that bodies and objects of systems share.
std::vector<Key> mass_keys();
std::vector<Key> look_keys();
const Family& scenery_family();
/// The sizes of a cylinder or a capsule, and of a cone.
const Family& round_family();
const Family& cone_family();
const Family& material_family();
const Family& contact_family();
const Family& touching_family();
const Family& obstacle_family();
const Family& pair_family(bool touching);  // of bodies that touch, or never do
const Family& joint_family();
const Family& law_family();
const Family& load_family();
const Family& bushing_family();
const Family& input_family();
const Family& sensor_family();
const Family& sensor_event_family();
const Family& controller_family();
const Family& controller_state_family();
const Family& probe_family();
const Family& plot_family();

namespace forms {
/// The same, or a table of it with its range.
inline Form parameter() {
  Form f = parameter_value();
  f.family = &parameter_family();
  return f;
}
}  // namespace forms

}  // namespace trammel::io
