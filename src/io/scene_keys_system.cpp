// Systems in generalised coordinates.
#include "io/scene_forms.h"

namespace trammel::io {

using namespace forms;
using namespace units;

namespace {

Family of_systems(const char* name, const char* doc, std::vector<Table> tables) {
  return {name, doc, std::move(tables)};
}

Table coordinate_table(const char* unit, const Dimension& x, const char* zero, const char* still) {
  return {"unit",
          unit,
          {name_key("coordinate"),
           {"unit", text(), kNeeded, "an angle, or a length"},
           {"value", quantity(x), zero, "at the start"},
           {"rate", quantity(x / kTime), still, "at the start"}},
          {}};
}

const Family& coordinate_family() {
  static const Family f = [] {
    Family all = of_systems("system.coordinate",
                            "A coordinate. It is a joint, too, by the name \"system.coordinate\", "
                            "on which laws, sensors and couplings can be.",
                            {coordinate_table("rad", kAngle, "0 rad", "0 rad/s"),
                             coordinate_table("m", kLength, "0 m", "0 m/s")});
    all.element = true;
    return all;
  }();
  return f;
}

const Family& system_turn_family() {
  static const Family f =
      of_systems("system.turns", "A turn about an axis, in the axes left by the turns before it.",
                 {{"",
                   "",
                   {{"axis", direction(), kNeeded, ""}, {"angle", placing(kAngle), kNeeded, ""}},
                   {}}});
  return f;
}

const Family& system_track_family() {
  static const Family f =
      of_systems("system.on_track", "A place on a track.",
                 {{"",
                   "",
                   {{"track", name_of(Refers::track), kNeeded, "its name"},
                    {"s", placing(kLength), kNeeded, "arc length from the track's start"}},
                   {}}});
  return f;
}

std::vector<Key> place_keys() {
  return {{"on", name_of(Refers::words), "",
           "an object of the system that stands above, in whose frame this one is given; else the "
           "world"},
          {"on_track", table(system_track_family()), "",
           "a place on a track that stands there; all below is in the track's frame at that place"},
          {"position", list(placing(kLength), {3}), "[0, 0, 0]", "of its frame"},
          {"euler", list(placing(kAngle), {3}), "",
           "turns of its frame: about z, then about the new x, then about the new z"},
          {"turns", tables(system_turn_family()), "", "or others, the first one outermost"},
          {"orientation", table(orientation_family()), "",
           "of its frame; with turns after them, in the axes that they leave"},
          {"orientation", list(quantity(kRatio), {4}), "", "or as a unit quaternion w, x, y, z"}};
}

const Family& object_family() {
  static const Family f = [] {
    std::vector<Rule> rules{
        at_most_one({"euler", "turns"}),
        at_most_one({"mass", "density"}),
        at_most_one({"inertia", "box", "sphere", "cylinder", "ellipsoid", "mesh", "solids"}),
        at_most_one({"com", "mesh"}),
        at_most_one({"com", "solids"}),
        needs({"com", "mass", "density"}),
        needs({"inertia", "mass", "density"}),
        needs({"density", "box", "sphere", "cylinder", "ellipsoid", "mesh", "solids"})};
    for (const char* solid : {"box", "sphere", "cylinder", "ellipsoid", "mesh"})
      rules.push_back(needs({solid, "mass", "density"}));
    Family all = of_systems(
        "system.object",
        "An object of a system: a body by the name \"system.object\", whose place is a function of "
        "the coordinates. A mass without inertia or solid is that of a point; an object without "
        "any mass only carries what is attached to it.",
        {{"", "",
          joined(joined(joined({name_key("object")}, place_keys()), mass_keys()), look_keys()),
          std::move(rules)}});
    all.element = true;
    return all;
  }();
  return f;
}

const Family& system_force_family() {
  static const Family f = of_systems(
      "system.force", "A generalised force along a coordinate. Several on one add up.",
      {{"",
        "",
        {{"coordinate", text(), kNeeded, "its name in the system"},
         {"force", placing(), kNeeded,
          "a force or torque: a formula of the time t, of the coordinates, of their rates "
          "(\"angle.rate\") and of inputs"}},
        {}}});
  return f;
}

}  // namespace

const Family& system_family() {
  static const Family f = named(
      "system",
      "Objects whose places are functions of a few coordinates, for which Lagrange's equations are "
      "derived (systems.md).",
      {{"",
        "",
        {name_key("system"),
         {"coordinate", tables(coordinate_family()), kNeeded, "one at least"},
         {"let", map(placing()), "", "names for formulas of the coordinates and of each other"},
         {"potential", placing(kEnergy), "", "a formula of the coordinates; gravity has its own"},
         {"evaluator", text({"interpreted", "machine_code"}), "interpreted",
          "of its formulas: machine code, made by the machine's C compiler before the run, is "
          "about twice "
          "as fast; the results are the same"},
         {"dissipation", placing(kPower), "",
          "Rayleigh's function, a formula of the rates (\"angle.rate\") and of the coordinates: "
          "the "
          "force on each is minus its derivative by the rate"},
         {"force", tables(system_force_family()), "", ""},
         {"object", tables(object_family()), kNeeded, "one at least"}},
        {}}});
  return f;
}

}  // namespace trammel::io
