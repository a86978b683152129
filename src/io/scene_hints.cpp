#include "io/scene_hints.h"

#include <fmt/format.h>

#include <algorithm>

namespace trammel::io {

namespace {

constexpr Hint kHints[] = {
    // elements
    {"hinge", "scene", "[[joint]] with type = \"revolute\"", "joint", "revolute", ""},
    {"slider", "scene", "[[joint]] with type = \"prismatic\"", "joint", "prismatic", ""},
    {"weld", "scene", "[[joint]] with type = \"fixed\"", "joint", "fixed", ""},
    {"link", "scene", "[[body]]", "body", "", ""},
    {"geom", "scene", "[[body.contact]], or [[body.shape]] for looking alone", "body", "",
     "contact"},
    {"site", "scene", "[[probe]]", "probe", "", ""},
    {"marker", "scene", "[[probe]]", "probe", "", ""},
    {"actuator", "scene", "[[law]] with type = \"motor\", \"driven\" or \"actuator\"", "law",
     "motor", ""},
    {"motor", "scene", "[[law]] with type = \"motor\"", "law", "motor", ""},
    {"spring", "scene", "[[law]] with type = \"spring\"", "law", "spring", ""},
    {"damper", "scene", "[[law]] with type = \"spring\" and a damping", "law", "spring", "damping"},
    {"limit", "scene", "[[law]] with type = \"limit\"", "law", "limit", ""},
    {"friction", "scene", "[[contact]] for surfaces, [[law]] with type = \"friction\" for joints",
     "contact", "", "friction"},
    {"force", "scene", "[[load]] with type = \"force\"", "load", "force", ""},
    {"torque", "scene", "[[load]] with type = \"torque\"", "load", "torque", ""},
    {"gear", "scene", "[[coupling]] with type = \"gear\"", "coupling", "gear", ""},
    {"transmission", "scene", "[[coupling]] with type = \"gear\"", "coupling", "gear", ""},
    {"tendon", "scene", "[[law]] between two points (a, b), or [[coupling]]", "law", "limit", "b"},
    {"constraint", "scene", "[[joint]], [[coupling]] or [[law]]", "joint", "", ""},
    {"world", "scene", "[simulation]; what is fixed in the world are [[obstacle]] and [[scenery]]",
     "obstacle", "", ""},
    {"ground", "scene", "[[obstacle]] with half_space = [0, 0, 1]", "obstacle", "", "half_space"},
    {"floor", "scene", "[[obstacle]] with half_space = [0, 0, 1]", "obstacle", "", "half_space"},
    {"option", "scene", "[simulation]", "simulation", "", ""},
    {"settings", "scene", "[simulation]", "simulation", "", ""},
    {"solver", "scene", "[simulation] with formulation and method", "simulation", "",
     "formulation"},
    {"gravity", "scene", "gravity in [simulation]", "simulation", "", "gravity"},
    {"variables", "scene", "[parameters]", "scene", "", "parameters"},
    {"include", "scene", "[[part]] with file", "part", "", "file"},
    {"output", "scene", "[[sensor]] or [[plot]]; all channels are recorded", "plot", "", ""},
    // simulation
    {"dt", "simulation", "step", "simulation", "", "step"},
    {"timestep", "simulation", "step", "simulation", "", "step"},
    {"h", "simulation", "step", "simulation", "", "step"},
    {"end_time", "simulation", "duration", "simulation", "", "duration"},
    {"t_end", "simulation", "duration", "simulation", "", "duration"},
    {"stop_time", "simulation", "duration", "simulation", "", "duration"},
    {"integrator", "simulation", "formulation, and method or difference", "simulation", "",
     "formulation"},
    {"rtol", "simulation", "accuracy, of formulation = \"acceleration\"", "simulation", "",
     "accuracy"},
    {"output_interval", "simulation", "output_step", "simulation", "", "output_step"},
    // bodies
    {"pos", "body", "position", "body", "rigid", "position"},
    {"xyz", "body", "position", "body", "rigid", "position"},
    {"rot", "body", "orientation", "body", "rigid", "orientation"},
    {"quat", "body", "orientation = [w, x, y, z]", "body", "rigid", "orientation"},
    {"rpy", "body", "orientation = {axis = ..., angle = ...}", "body", "rigid", "orientation"},
    {"euler", "body", "orientation = {axis = ..., angle = ...}", "body", "rigid", "orientation"},
    {"linear_velocity", "body", "velocity", "body", "rigid", "velocity"},
    {"omega", "body", "angular_velocity", "body", "rigid", "angular_velocity"},
    {"rpm", "body", "angular_velocity; rpm is a unit: \"3000 rpm\"", "body", "rigid",
     "angular_velocity"},
    {"inertia_tensor", "body", "inertia = [Ixx, Iyy, Izz, Ixy, Ixz, Iyz]", "body", "rigid",
     "inertia"},
    {"diaginertia", "body", "inertia = [Ixx, Iyy, Izz]", "body", "rigid", "inertia"},
    {"cog", "body", "com", "body", "rigid", "com"},
    {"center_of_mass", "body", "com", "body", "rigid", "com"},
    {"size", "body", "box, with its whole edges, or sphere, cylinder, solids", "body", "rigid",
     "box"},
    {"radius", "body", "sphere, cylinder = {radius, length} or ellipsoid", "body", "rigid",
     "sphere"},
    {"radii", "body", "ellipsoid, its three radii", "body", "rigid", "ellipsoid"},
    {"semi_axes", "body", "ellipsoid, its three radii", "body", "rigid", "ellipsoid"},
    {"ellipse", "body", "ellipsoid, its three radii", "body", "rigid", "ellipsoid"},
    {"spheroid", "body", "ellipsoid, its three radii", "body", "rigid", "ellipsoid"},
    {"geometry", "body", "box, sphere, cylinder or solids", "body", "rigid", "box"},
    {"visual", "body", "[[body.shape]]", "body", "rigid", "shape"},
    {"collision", "body", "[[body.contact]]", "body", "rigid", "contact"},
    {"friction", "body", "friction in [[contact]]", "contact", "", "friction"},
    {"mu", "body", "friction in [[contact]]", "contact", "", "friction"},
    {"restitution", "body", "restitution in [[contact]]", "contact", "", "restitution"},
    {"fixed", "body", "[[joint]] with type = \"fixed\"", "joint", "fixed", ""},
    // joints
    {"parent", "joint", "a; left out, it is the ground", "joint", "", "a"},
    {"child", "joint", "b", "joint", "", "b"},
    {"body1", "joint", "a; left out, it is the ground", "joint", "", "a"},
    {"body2", "joint", "b", "joint", "", "b"},
    {"body_a", "joint", "a; left out, it is the ground", "joint", "", "a"},
    {"body_b", "joint", "b", "joint", "", "b"},
    {"pos", "joint", "at", "joint", "", "at"},
    {"position", "joint", "at", "joint", "", "at"},
    {"origin", "joint", "at", "joint", "", "at"},
    {"anchor", "joint", "at", "joint", "", "at"},
    {"direction", "joint", "axis", "joint", "", "axis"},
    {"damping", "joint", "[[law]] with type = \"spring\" and a damping, on this joint", "law",
     "spring", "damping"},
    {"stiffness", "joint", "[[law]] with type = \"spring\", on this joint", "law", "spring",
     "stiffness"},
    {"friction", "joint", "[[law]] with type = \"friction\" or \"load-friction\", on this joint",
     "law", "friction", ""},
    {"range", "joint", "[[law]] with type = \"limit\", on this joint", "law", "limit", "from"},
    {"limit", "joint", "[[law]] with type = \"limit\", on this joint", "law", "limit", "from"},
    {"lower", "joint", "from in a [[law]] with type = \"limit\", on this joint", "law", "limit",
     "from"},
    {"upper", "joint", "to in a [[law]] with type = \"limit\", on this joint", "law", "limit",
     "to"},
    {"motor", "joint", "[[law]] with type = \"motor\", on this joint", "law", "motor", ""},
    {"actuator", "joint", "[[law]] with type = \"motor\" or \"actuator\", on this joint", "law",
     "actuator", ""},
    {"torque", "joint", "[[law]] with type = \"actuator\", on this joint", "law", "actuator",
     "force"},
    {"velocity", "joint", "rate, at the start; kept up by a [[law]] of type \"driven\"", "joint",
     "", "rate"},
    {"angle", "joint", "start", "joint", "", "start"},
    {"gear_ratio", "joint", "[[coupling]] with type = \"gear\"", "coupling", "gear", "teeth"},
    {"mimic", "joint", "[[coupling]] with type = \"linear\"", "coupling", "linear", ""},
    // types
    {"hinge", "joint.type", "\"revolute\"", "joint", "revolute", ""},
    {"continuous", "joint.type", "\"revolute\"", "joint", "revolute", ""},
    {"pin", "joint.type", "\"revolute\"", "joint", "revolute", ""},
    {"slider", "joint.type", "\"prismatic\"", "joint", "prismatic", ""},
    {"translational", "joint.type", "\"prismatic\"", "joint", "prismatic", ""},
    {"ball", "joint.type", "\"spherical\"", "joint", "spherical", ""},
    {"weld", "joint.type", "\"fixed\"", "joint", "fixed", ""},
    {"rigid", "joint.type", "\"fixed\"", "joint", "fixed", ""},
    {"floating", "joint.type", "\"free\"", "joint", "free", ""},
    {"cardan", "joint.type", "\"universal\"", "joint", "universal", ""},
    {"hooke", "joint.type", "\"universal\"", "joint", "universal", ""},
    {"damper", "law.type", "\"spring\" with a damping", "law", "spring", "damping"},
    {"stop", "law.type", "\"limit\"", "law", "limit", ""},
    {"servo", "law.type", "\"driven\", or a [[controller]]", "law", "driven", ""},
    {"velocity", "law.type", "\"motor\"", "law", "motor", ""},
    {"force", "law.type", "\"actuator\"", "law", "actuator", ""},
    {"torque", "law.type", "\"actuator\"", "law", "actuator", ""},
    {"pd", "law.type", "\"spring\", or a [[controller]] with type = \"pid\"", "controller", "pid",
     ""},
    {"prescribed", "law.type", "\"driven\"", "law", "driven", ""},
    // laws
    {"k", "law", "stiffness", "law", "spring", "stiffness"},
    {"c", "law", "damping", "law", "spring", "damping"},
    {"damping_coefficient", "law", "damping", "law", "spring", "damping"},
    {"rest_length", "law", "rest", "law", "spring", "rest"},
    {"free_length", "law", "rest", "law", "spring", "rest"},
    {"lower", "law", "from", "law", "limit", "from"},
    {"upper", "law", "to", "law", "limit", "to"},
    {"max_force", "law", "force_max", "law", "motor", "force_max"},
    {"speed", "law", "velocity", "law", "motor", "velocity"},
    {"torque", "law", "force: of an angle it is a torque [N m]", "law", "actuator", "force"},
    // contact
    {"mu", "contact", "friction", "contact", "", "friction"},
    {"friction_coefficient", "contact", "friction", "contact", "", "friction"},
    {"static_friction", "contact", "friction, one coefficient at rest and in slip", "contact", "",
     "friction"},
    {"dynamic_friction", "contact", "friction, one coefficient at rest and in slip", "contact", "",
     "friction"},
    {"kinetic_friction", "contact", "friction, one coefficient at rest and in slip", "contact", "",
     "friction"},
    {"mu_s", "contact", "friction, one coefficient at rest and in slip", "contact", "", "friction"},
    {"bounce", "contact", "restitution", "contact", "", "restitution"},
    {"cor", "contact", "restitution", "contact", "", "restitution"},
};

/// Small letters without - and _.
std::string folded(std::string_view word) {
  std::string out;
  for (const char c : word)
    if (c != '_' && c != '-') out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

}  // namespace

std::span<const Hint> hints() { return kHints; }

std::string hint_for(std::string_view word, std::string_view where) {
  const std::string wanted = folded(word);
  const auto it = std::find_if(std::begin(kHints), std::end(kHints), [&](const Hint& h) {
    return h.where == where && folded(h.word) == wanted;
  });
  return it == std::end(kHints) ? "" : "; write " + std::string(it->says);
}

namespace {

std::string written_in(std::string_view where) {
  if (where == "scene") return "an element";
  if (where == "simulation") return "`[simulation]`";
  const auto dot = where.find('.');
  if (dot == where.npos) return fmt::format("`[[{}]]`", where);
  return fmt::format("`{}` of a {}", where.substr(dot + 1), where.substr(0, dot));
}

}  // namespace

std::string hint_reference() {
  std::string out = "| word | in | here |\n|---|---|---|\n";
  const auto alike = [](const Hint& a, const Hint& b) {
    return a.where == b.where && a.says == b.says;
  };
  for (const Hint& h : hints()) {
    const Hint& first = *std::find_if(hints().begin(), hints().end(),
                                      [&](const Hint& other) { return alike(h, other); });
    if (&first != &h) continue;
    std::string words;
    for (const Hint& other : hints())
      if (alike(h, other)) words += fmt::format("{}`{}`", words.empty() ? "" : ", ", other.word);
    out += fmt::format("| {} | {} | {} |\n", words, written_in(h.where), h.says);
  }
  return out;
}

}  // namespace trammel::io
