#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "io/scene_forms.h"
#include "joint/table.h"
#include "law/law.h"
#include "law/load.h"

namespace trammel::io {

using namespace forms;
using namespace units;

namespace {

Family element(const char* name, const char* doc, std::vector<Table> tables) {
  Family f{name, doc, std::move(tables)};
  f.element = true;
  return f;
}
Family plain(const char* name, const char* doc, std::vector<Table> tables) {
  return {name, doc, std::move(tables)};
}

std::vector<std::string> joint_types() {
  std::vector<std::string> out;
  for (const joint::Table& t : joint::tables()) out.push_back(t.name);
  return out;
}

}  // namespace

namespace {

const Family& derail_family() {
  static const Family f =
      plain("joint.derail", "Displacements at which a joint lets go of its track.",
            {{"",
              "",
              {
                  {"lateral", quantity(kLength), "", ""},
                  {"vertical", quantity(kLength), "", ""},
                  {"roll", quantity(kAngle), "", ""},
                  {"pitch", quantity(kAngle), "", ""},
                  {"yaw", quantity(kAngle), "", ""},
              },
              {}}});
  return f;
}

/// Where the frames of a joint are.
std::vector<Key> frame_keys() {
  return {
      {"a", name_of(Refers::body), "ground", "body of frame A"},
      {"b", name_of(Refers::body), kNeeded, "body of frame B"},
      {"at", vector(kLength), "",
       "place of both frames in the world, at the start: coordinate 0 is there"},
      {"axis", direction(), "[1, 0, 0]", "of the joint: x of the frames at `at`"},
      {"normal", direction(), "", "y of the frames; else horizontal where it can be"},
      {"orientation", table(orientation_family()), "", "of the frames, instead of axis and normal"},
      {"frame_a", table(frame_family()), "",
       "frame on a, in its body frame; of a joint along a track: where the track lies"},
      {"frame_b", table(frame_family()), "", "frame on b, in its body frame"}};
}
std::vector<Rule> frame_rules() {
  return {at_most_one({"at", "frame_a"}),
          at_most_one({"at", "frame_b"}),
          needs({"axis", "at"}),
          needs({"normal", "at"}),
          needs({"orientation", "at"}),
          at_most_one({"orientation", "axis"}),
          at_most_one({"orientation", "normal"})};
}

}  // namespace

const Family& joint_family() {
  static const Family f = [] {
    const std::vector<Key> own{
        {"track", name_of(Refers::track), "", "of joints along a track"},
        {"s", quantity(kLength), "", "about where on the track; else the nearest point"},
        {"start", quantity(Of::x), "",
         "of its only free coordinate, from which the poses of bodies follow"},
        {"start", map(quantity(Of::x)), "", "or of some, by their names"},
        {"rate", quantity(Of::rate), "",
         "of its only free coordinate at the start, from which velocities follow"},
        {"rate", map(quantity(Of::rate)), "", "or of some, by their names"},
        {"limits", map(list(or_infinite(quantity(Of::force)), {2})), "",
         "least and greatest force (torque) by row; reached, the row yields"},
        {"unilateral", list(text()), "",
         "rows that hold in one direction only: the coordinate may rise"},
        {"value", map(quantity(Of::x)), "", "where a row is held, by row; else zero"},
        {"erp", up_to(1, quantity(kRatio)), "",
         "share of the displacement taken back in a step after a row yielded"},
        {"restitution", up_to(1, quantity(kRatio)), "", "of the unilateral rows"},
        {"derail", table(derail_family()), "", "of joints along a track: when they let go"},
        {"strength", quantity(kForce), "", "greatest force of its reaction; beyond it breaks"},
        {"torque_strength", quantity(kTorque), "",
         "greatest torque of its reaction; beyond it breaks"},
    };
    const std::vector<Key> common = joined(frame_keys(), own);
    std::vector<Rule> rules = frame_rules();
    rules.insert(rules.end(), {needs({"restitution", "unilateral"}), needs({"erp", "limits"})});
    Table by_type{"type", "",
                  joined({name_key("joint"),
                          {"type", text(joint_types()), kNeeded, "see the list of joints"}},
                         common),
                  rules};
    Table by_rows{
        "rows", "",
        joined({name_key("joint"),
                {"rows", list(text()), kNeeded,
                 "a joint of your own: rows like \"Ax.D\" or \"lateral = Ay.D\""},
                {"terms", list(text()), "", "closure residuals, for energies"},
                {"coordinates", list(text()), "", "free coordinates, like \"travel = Ax.D\""}},
               common),
        rules};
    return element("joint", "", {by_type, by_rows});
  }();
  return f;
}

namespace {

Form parameter_form(const law::Parameter& p) {
  if (p.name == "unilateral") return flag();
  Form f = quantity(kRatio);
  switch (p.quantity) {
    case law::Quantity::x:
      f = quantity(Of::x);
      break;
    case law::Quantity::force:
      f = quantity(Of::force);
      break;
    case law::Quantity::force_per_x:
      f = quantity(Of::force_per_x);
      break;
    case law::Quantity::force_per_v:
      f = quantity(Of::force_per_rate);
      break;
    case law::Quantity::speed:
      f = quantity(Of::rate);
      break;
    case law::Quantity::length:
      f = quantity(kLength);
      break;
    case law::Quantity::ratio:
      break;
  }
  f.infinite = std::isinf(p.fallback);
  return f;
}

/// The function of a law that looks how its coordinate moves limits a force, either way.
Form function_form(const law::Type& type) {
  Form f = force_formula();
  if (type.follow) f.least = 0;
  return f;
}

Key parameter_key(const law::Parameter& p) {
  std::string fallback = std::isnan(p.fallback) ? kNeeded : fmt::format("{}", p.fallback);
  if (p.name == "unilateral") fallback = "false";
  return {std::string(p.name), parameter_form(p), fallback, std::string(p.doc)};
}

/// The keys of a drive, about the coordinate x or a quantity of its own.
std::vector<Key> drive_keys() {
  return {
      {"displacement", signal(Of::x), "", "to be followed"},
      {"velocity", signal(Of::rate), "", "to be followed"},
      {"acceleration", signal(Of::rate2), "", "to be followed"},
      {"start", quantity(Of::x), "0", "displacement at time 0, with a velocity or acceleration"},
      {"start_velocity", quantity(Of::rate), "0", "velocity at time 0, with an acceleration"}};
}
/// Of a law that acts between two points instead of on a joint.
std::vector<Key> end_keys() {
  return {
      {"a", name_of(Refers::body), "", "instead of a joint: the body of one end; else the ground"},
      {"b", name_of(Refers::body), "", "the body of the other end; the law is on their distance"},
      {"point_a", vector(kLength), "", "end on a, in the body frame; else its origin"},
      {"point_b", vector(kLength), "", "end on b, likewise"},
      {"at_a", vector(kLength), "", "instead of point_a: where in the world, at the start"},
      {"at_b", vector(kLength), "", "instead of point_b, likewise"},
      {"direction", direction(), "",
       "of the world at the start: the law is on the way from the end on a to that on b along it, "
       "not on their distance; an end of which nothing is said is where the other one is"},
      {"turns_with", text({"a", "b"}), "a", "whose body the direction turns with"},
      {"start_length", quantity(kLength), "",
       "of the distance at the start, from which the poses of bodies follow"},
      {"start_rate", quantity(kSpeed), "", "of its rate at the start, likewise velocities"}};
}

std::vector<Rule> drive_rules() {
  return {one({"displacement", "velocity", "acceleration"}),
          needs({"start", "velocity", "acceleration"}), needs({"start_velocity", "acceleration"})};
}

}  // namespace

const Family& law_family() {
  static const Family f = [] {
    Family g = element("law",
                       "A law on one coordinate of a joint, or on the distance of two points; the "
                       "dimensions of its numbers follow from that coordinate (metre or radian).",
                       {});
    for (const law::Type* type : law::types()) {
      Table t{"type",
              std::string(type->name),
              {name_key("law"),
               {"type", text(), kNeeded, "the kind of law"},
               {"joint", name_of(Refers::joint), "", "its name"},
               {"coordinate", text(), "",
                "a free coordinate or row of the joint by name, or a row as text; may be left out "
                "where the joint has just one"}},
              {}};
      t.keys = joined(t.keys, end_keys());
      for (const law::Parameter& p : type->parameters) t.keys.push_back(parameter_key(p));
      t.keys.push_back({"tensile_strength", quantity(Of::force), "",
                        "greatest force that draws the coordinate down; beyond the joint breaks"});
      t.keys.push_back({"compressive_strength", quantity(Of::force), "",
                        "greatest force that pushes it up; beyond the joint breaks"});
      if (!type->function.name.empty())
        t.keys.push_back({std::string(type->function.name), function_form(*type), "",
                          std::string(type->function.doc)});
      if (type->follows_load)
        t.keys.push_back({"load", name_of(Refers::joint), "",
                          "the coupling whose reaction it follows, as that of a screw; else the "
                          "joint's own"});
      if (type->takes_force)
        t.keys.push_back({"force", signal(Of::force), kNeeded,
                          "positive pushes the coordinate up, or the ends apart"});
      if (type->velocity_only) {
        t.keys.push_back({"velocity", signal(Of::rate), kNeeded, "to be reached"});
      } else if (type->takes_drive) {
        t.keys = joined(t.keys, drive_keys());
        t.rules = drive_rules();
      }
      t.rules.insert(
          t.rules.begin(),
          {one({"joint", "b"}), at_most_one({"joint", "a"}), at_most_one({"coordinate", "b"}),
           at_most_one({"point_a", "at_a"}), at_most_one({"point_b", "at_b"}), needs({"a", "b"}),
           needs({"at_a", "b"}), needs({"start_length", "b"}), needs({"start_rate", "b"}),
           needs({"direction", "b"}), needs({"turns_with", "direction"}), needs({"at_b", "b"}),
           needs({"point_a", "b"}), needs({"point_b", "b"})});
      g.tables.push_back(std::move(t));
    }
    g.on_coordinate = true;
    return g;
  }();
  return f;
}

namespace {

struct Vec3Key {
  const char* name;
  Dimension dimension;
  const char* doc;
};

/// The keys of one type of load, as it describes itself.
Table load_table(const law::LoadType& type) {
  Table t{"type",
          std::string(type.name),
          {name_key("load"),
           {"type", text(), kNeeded, "the kind of load"},
           {"body", name_of(Refers::body), kNeeded, "its name"}},
          {}};
  if (!type.signals.key.empty() || type.takes_functions)
    t.keys.push_back({"axes", text({"world", "body"}), "world", "that the numbers are along"});
  if (type.at_point)
    t.keys.push_back({"point", vector(kLength), "[0, 0, 0]", "where it acts, in the body frame"});
  if (!type.signals.key.empty())
    t.keys.push_back(
        {std::string(type.signals.key), list(signal(type.signals.dimension), {3}), kNeeded, ""});
  if (type.takes_functions) {
    t.keys.push_back({"force", list(motion(kForce), {3}), "",
                      "components by the motion of the point: x, y, z; vx, vy, vz; wx, wy, wz; "
                      "roll, pitch, yaw; t"});
    t.keys.push_back({"torque", list(motion(kTorque), {3}), "", "likewise, on the body"});
    t.rules = {any({"force", "torque"})};
  }
  for (const law::LoadNumber& n : type.numbers)
    t.keys.push_back({std::string(n.name), quantity(n.dimension),
                      std::isnan(n.fallback) ? kNeeded : fmt::format("{}", n.fallback),
                      std::string(n.doc)});
  return t;
}

}  // namespace

const Family& bushing_family() {
  static const Family f = [] {
    const Vec3Key k[] = {{"stiffness", kForce / kLength, "along x, y, z of frame A"},
                         {"damping", kForce / kSpeed, "likewise"},
                         {"angular_stiffness", kTorque / kAngle, "by roll, pitch and yaw"},
                         {"angular_damping", kTorque * kTime / kAngle, "by their rates"}};
    std::vector<Key> keys = joined(
        joined({name_key("bushing")}, frame_keys()),
        {{"start", map(quantity(Of::x)), "", "coordinates from which the poses of bodies follow"},
         {"rate", map(quantity(Of::rate)), "", "rates at the start, likewise velocities"}});
    for (const Vec3Key& each : k)
      keys.push_back({each.name, vector(each.dimension), "[0, 0, 0]", each.doc});
    Family g =
        element("bushing", "Springs and dampers along the axes between two frames, and about them.",
                {{"", "", std::move(keys), frame_rules()}});
    g.on_coordinate = true;
    return g;
  }();
  return f;
}

const Family& load_family() {
  static const Family f = [] {
    Family g = element("load", "", {});
    for (const law::LoadType* type : law::load_types()) g.tables.push_back(load_table(*type));
    return g;
  }();
  return f;
}

const Family& orientation_family() {
  static const Family f =
      plain("orientation", "A turn, by axis and angle or by the directions that axes point to.",
            {{"angle",
              "",
              {{"angle", quantity(kAngle), kNeeded, "about the axis, by the right hand"},
               {"axis", direction(), kNeeded, ""}},
              {}},
             {"x_axis",
              "",
              {{"x_axis", direction(), kNeeded, "where x points to"},
               {"z_axis", direction(), kNeeded, "where z points to, as nearly as x allows"}},
              {}}});
  return f;
}

const Family& frame_family() {
  static const Family f =
      plain("joint.frame", "A frame of a joint on a body.",
            {{"",
              "",
              {
                  {"position", vector(kLength), "[0, 0, 0]", "in the body frame"},
                  {"axis", direction(), "[1, 0, 0]", "x of the frame, the joint's axis"},
                  {"normal", direction(), "",
                   "y of the frame; else horizontal in the body's axes where it can be"},
                  {"orientation", table(orientation_family()), "", "instead of axis and normal"},
              },
              {at_most_one({"orientation", "axis"}), at_most_one({"orientation", "normal"})}}});
  return f;
}

const Family& signal_family() {
  static const Family f = plain(
      "signal",
      "A quantity that varies with time: straight between knots and held outside them, or a "
      "formula.",
      {{"time",
        "",
        {
            {"time", list(quantity(kTime)), kNeeded,
             "of the knots, rising; two at one time make a step"},
            {"value", list(quantity(Of::x)), kNeeded, "at the knots"},
        },
        {}},
       {"formula",
        "",
        {{"formula", text(), kNeeded,
          "an expression in the time t (expressions.md); steps end where it jumps or kinks; plain "
          "numbers are in SI"}},
        {}}});
  return f;
}

const Family& drive_family() {
  static const Family f =
      plain("drive", "What a prescribed motion follows: a signal, or one of these.",
            {{"", "", drive_keys(), drive_rules()}});
  return f;
}

std::vector<const Family*> scene_families() {
  std::vector<const Family*> out;
  const auto visit = [&](const auto& self, const Family& f) -> void {
    if (std::find(out.begin(), out.end(), &f) != out.end()) return;
    out.push_back(&f);
    for (const Table& t : f.tables)
      for (const Key& k : t.keys)
        for (const Form* form = &k.form; form;
             form = form->each.empty() ? nullptr : &form->each[0]) {
          if (form->family) self(self, *form->family);
          if (form->kind == Form::Kind::drive) self(self, drive_family());
          if (form->kind == Form::Kind::signal) self(self, signal_family());
        }
  };
  visit(visit, scene_family());
  return out;
}

const Key* Table::key(std::string_view name) const {
  const auto it =
      std::find_if(keys.begin(), keys.end(), [&](const Key& k) { return k.name == name; });
  return it == keys.end() ? nullptr : &*it;
}

Dimension dimension_of(Of of, const Dimension& x) {
  // Torque is N m, not N m/rad: what drives a coordinate without a length is an energy by number.
  const Dimension force = kTorque / Dimension{.m = x.m};
  switch (of) {
    case Of::fixed:
    case Of::any:
    case Of::x:
      return x;
    case Of::rate:
      return x / kTime;
    case Of::rate2:
      return x / kTime.pow(2);
    case Of::force:
      return force;
    case Of::force_per_x:
      return force / x;
    case Of::force_per_rate:
      return force / (x / kTime);
  }
  return x;
}

}  // namespace trammel::io
