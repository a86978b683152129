// Bodies: their masses, solids and starts.
#include "io/scene_forms.h"

namespace trammel::io {

using namespace forms;
using namespace units;

namespace {

Family of_bodies(const char* name, const char* doc, std::vector<Table> tables) {
  return {name, doc, std::move(tables)};
}

const Family& cylinder_family() {
  static const Family f = of_bodies("body.cylinder", "A uniform cylinder about its centre of mass.",
                                    {{"",
                                      "",
                                      {
                                          {"radius", quantity(kLength), kNeeded, ""},
                                          {"length", quantity(kLength), kNeeded, ""},
                                          {"axis", direction(), "[0, 0, 1]", "in the body frame"},
                                      },
                                      {}}});
  return f;
}

const Family& mesh_family() {
  static const Family f = of_bodies(
      "body.mesh", "A uniform solid within a closed surface, in the body frame.",
      {{"",
        "",
        {
            {"vertices", list(list(quantity(kRatio), {3})), kNeeded,
             "plain numbers, times the unit"},
            {"faces", list(list(quantity(kRatio))), kNeeded,
             "corners of polygons, by the numbers of their vertices from 0, counterclockwise "
             "seen from outside; 'trammel make body' writes both from an STL or OBJ file"},
            {"unit", above(0, quantity(kLength)), "1 m", "of the vertices"},
        },
        {}}});
  return f;
}

/// The sizes of a round solid.
Family round(const char* name, const char* doc, std::vector<Key> sizes) {
  std::vector<Key> keys = std::move(sizes);
  keys.push_back({"axis", direction(), "[0, 0, 1]", "in the axes of the solid"});
  return of_bodies(name, doc, {{"", "", std::move(keys), {}}});
}

Key size_key(const char* name, const char* doc) {
  return {name, above(0, quantity(kLength)), kNeeded, doc};
}

}  // namespace

const Family& round_family() {
  static const Family f =
      round("body.solids.cylinder", "A cylinder or a capsule.",
            {size_key("radius", ""), size_key("length",
                                              "of a capsule: between the middles of its "
                                              "round ends")});
  return f;
}

const Family& cone_family() {
  static const Family f =
      round("body.solids.cone", "A cone, or what is left of one below a cut.",
            {size_key("radius", "where the axis comes in"),
             {"top", quantity(kLength), "0 m", "radius where the axis goes out"},
             size_key("length", "")});
  return f;
}

namespace {

const Family& tube_family() {
  static const Family f = round(
      "body.solids.tube", "A cylinder with a bore.",
      {size_key("radius", "outside"), size_key("bore", "its radius"), size_key("length", "")});
  return f;
}

/// A solid among several: its shape, its mass and where it is.
const Family& solids_family() {
  static const Family f = [] {
    const std::vector<Key> placed{
        {"mass", quantity(kMass), "", ""},
        {"density", quantity(kDensity), "", "instead of the mass; else that of the body"},
        {"hole", flag(), "false",
         "it is taken away from what is around it, at the density found there"},
        {"position", vector(kLength), "[0, 0, 0]", "of its middle in the body frame"},
        {"orientation", table(orientation_family()), "", "of its axes"},
        {"orientation", list(quantity(kRatio), {4}), "", "or as a unit quaternion w, x, y, z"}};
    const auto shape = [&](const char* name, Form form, const char* doc) {
      return Table{name,
                   "",
                   joined({{name, std::move(form), kNeeded, doc}}, placed),
                   {at_most_one({"mass", "density"})}};
    };
    const auto thin = [](const char* name, Form form, const char* doc) {
      return Table{name,
                   "",
                   {{name, std::move(form), kNeeded, doc}, {"mass", quantity(kMass), kNeeded, ""}},
                   {}};
    };
    return of_bodies(
        "body.solids", "One of several solids that make a body. Where two overlap both count.",
        {shape("box", vector(kLength), "edges"), shape("sphere", quantity(kLength), "its radius"),
         shape("cylinder", table(round_family()), ""), shape("tube", table(tube_family()), ""),
         shape("cone", table(cone_family()), "its middle is half way up"),
         shape("capsule", table(round_family()), ""),
         shape("ellipsoid", vector(kLength), "its radii along its axes"),
         thin("rod", list(vector(kLength), {2}), "its two ends in the body frame; it is thin"),
         thin("point", vector(kLength), "where a mass without size is, in the body frame")});
  }();
  return f;
}

/// A mesh of a shape for looking.
const Family& shape_mesh_family() {
  static const Family f = of_bodies(
      "body.shape.mesh", "A surface, closed or not, seen from both sides.",
      {{"",
        "",
        {
            {"file", name_of(Refers::words), "",
             "OBJ or STL, at most 8 MB, from the folder of this scene; results keep it"},
            {"vertices", list(list(quantity(kRatio), {3})), "", "plain numbers, times the unit"},
            {"faces", list(list(quantity(kRatio))), "",
             "corners of polygons, by the numbers of their vertices from 0"},
            {"unit", above(0, quantity(kLength)), "1 m", "of the numbers, in the file too"},
        },
        {one({"file", "vertices"}), at_most_one({"file", "faces"}),
         needs({"vertices", "faces"})}}});
  return f;
}

/// The tables of shapes for looking; of scenery with a name.
std::vector<Table> shape_tables(const std::vector<Key>& first, const char* frame) {
  const std::vector<Key> looks{{"color", color(), "", "else that of the body"},
                               {"text", name_of(Refers::words), "", "what it is"}};
  const std::vector<Key> placed = joined(
      {{"position", vector(kLength), "[0, 0, 0]", std::string("of its middle in ") + frame},
       {"orientation", table(orientation_family()), "", "of its axes"},
       {"orientation", list(quantity(kRatio), {4}), "", "or as a unit quaternion w, x, y, z"}},
      looks);
  const auto shape = [&](const char* name, Form form, const char* doc) {
    return Table{
        name, "", joined(joined({{name, std::move(form), kNeeded, doc}}, first), placed), {}};
  };
  Table mesh = shape("mesh", table(shape_mesh_family()), "");
  mesh.keys.insert(mesh.keys.begin() + 1,
                   {"mesh", name_of(Refers::words), "", "or its file, in metres"});
  Table rod = {"rod",
               "",
               joined(joined({{"rod", list(vector(kLength), {2}), kNeeded,
                               std::string("its two ends in ") + frame},
                              {"radius", above(0, quantity(kLength)), "", "else it is thin"}},
                             first),
                      looks),
               {}};
  Table point = {
      "point",
      "",
      joined(
          joined({{"point", vector(kLength), kNeeded, std::string("a dot, in ") + frame}}, first),
          looks),
      {}};
  return {shape("box", vector(kLength), "edges"),
          shape("sphere", above(0, quantity(kLength)), "its radius"),
          shape("cylinder", table(round_family()), ""),
          shape("tube", table(tube_family()), ""),
          shape("cone", table(cone_family()), "its middle is half way up"),
          shape("capsule", table(round_family()), ""),
          shape("ellipsoid", vector(kLength), "its radii along its axes"),
          std::move(rod),
          std::move(point),
          std::move(mesh)};
}

const Family& on_track_family() {
  static const Family f =
      of_bodies("body.on_track", "A start on a track, moving along it.",
                {{"",
                  "",
                  {
                      {"track", name_of(Refers::track), kNeeded, "its name"},
                      {"s", quantity(kLength), "0 m", "arc length from the track's start"},
                      {"speed", quantity(kSpeed), "0 m/s",
                       "along the track; velocity and rotation follow from it"},
                      {"reversed", flag(), "false", "facing the other way"},
                  },
                  {}}});
  return f;
}

const Family& turn_family() {
  static const Family f = of_bodies(
      "body.turns", "A turn about an axis, in the axes left by the turns listed before it.",
      {{"",
        "",
        {
            {"axis", direction(), kNeeded, ""},
            {"angle", drive(kAngle), kNeeded, ""},
        },
        {}}});
  return f;
}

}  // namespace

/// What every kind of body may say of how it looks, and of what it touches.
std::vector<Key> look_keys() {
  return {
      {"color", color(), "", "of its solids, and of shapes that say no other"},
      {"shape", tables(shape_family()), "", "what pictures show in place of its solids"},
      {"contact", tables(touching_family()), "", "what of it touches others; else nothing does"},
      {"contact", text({"solids"}), "", "or its solids"},
      {"material", name_of(Refers::material), "", "of what touches and names none"},
      {"electric", list(name_of(Refers::words)), "[\"white\"]",
       "colours red, green and blue, of which two bodies must share one to touch; white has "
       "all, black none"}};
}

std::vector<Key> mass_keys() {
  return {{"mass", quantity(kMass), "", ""},
          {"density", quantity(kDensity), "", "instead of the mass, of a solid"},
          {"inertia", list(quantity(kInertia), {3, 6}), "",
           "Ixx, Iyy, Izz and, if there are any, Ixy, Ixz, Iyz (elements of the matrix) "
           "about "
           "the centre of mass, in body axes"},
          {"box", vector(kLength), "", "edges of a uniform solid that the inertia follows from"},
          {"sphere", quantity(kLength), "", "its radius, likewise"},
          {"cylinder", table(cylinder_family()), "", "likewise"},
          {"ellipsoid", vector(kLength), "", "its radii along the body's axes, likewise"},
          {"mesh", table(mesh_family()), "", "likewise, and the centre of mass"},
          {"solids", tables(solids_family()), "",
           "several solids instead, from which the centre of mass and the inertia follow; a "
           "`mass` beside them is that of all, a `density` that of those without their own"},
          {"com", vector(kLength), "[0, 0, 0]", "centre of mass in the body frame"}};
}

const Family& shape_family() {
  static const Family f = of_bodies(
      "body.shape",
      "How a body looks, in pictures and exports: it has no mass, and no run depends on it.",
      shape_tables({}, "the body frame"));
  return f;
}

const Family& scenery_family() {
  static const Family f = [] {
    Family all = of_bodies("scenery", "What stands in the world, for looking alone.",
                           shape_tables({{"name", name(), "", "of it"}}, "the world"));
    for (Table& t : all.tables)
      for (Key& k : t.keys)
        if (k.name == "color") k.doc.clear();
    all.element = true;
    return all;
  }();
  return f;
}

const Family& body_family() {
  static const Family f = [] {
    const std::vector<Key> start{
        {"position", vector(kLength), "[0, 0, 0]",
         "of the body frame in the world (with on_track: in the track's frame)"},
        {"orientation", table(orientation_family()), "", "of the body frame, likewise"},
        {"orientation", list(quantity(kRatio), {4}), "", "or as a unit quaternion w, x, y, z"},
    };
    Table rigid{
        "kind",
        "rigid",
        joined(joined(joined({name_key("body"),
                              {"kind", text({"rigid", "affine", "prescribed"}), "rigid",
                               "rigid: moved by forces; affine: also stretched and sheared by "
                               "them, the same "
                               "everywhere in it; prescribed: moved as a given function of time"}},
                             mass_keys()),
                      look_keys()),
               joined(start,
                      {{"on_track", table(on_track_family()), "", "start on a track"},
                       {"velocity", vector(kSpeed), "[0, 0, 0]",
                        "of the centre of mass, in world axes"},
                       {"angular_velocity", vector(kAngularSpeed), "[0, 0, 0]", "in world axes"}})),
        {any({"mass", "density", "solids"}), at_most_one({"mass", "density"}),
         at_most_one({"inertia", "box", "sphere", "cylinder", "ellipsoid", "mesh", "solids"}),
         at_most_one({"com", "mesh"}), at_most_one({"com", "solids"}),
         at_most_one({"on_track", "velocity"}), at_most_one({"on_track", "angular_velocity"})}};
    Table affine = rigid;
    affine.value = "affine";
    affine.keys.push_back(
        {"elasticity", text({"strain", "as_rigid"}), "strain",
         "kappa V times the square of A A^T - 1 (strain) or of A - R, R the rotation "
         "nearest to A (as_rigid), for small strains a quarter of the other"});
    affine.keys.push_back({"stiffness", above(0, or_infinite(quantity(kPressure))), "100 MPa",
                           "kappa of its elastic energy; inf: rigid"});
    affine.keys.push_back(
        {"volume", above(0, quantity(kVolume)), "", "V, where an inertia is given and no solid"});
    affine.keys.push_back({"strain_limit", above(0, or_infinite(quantity(kRatio))), "0.02",
                           "a run says when a body is strained beyond it"});
    Table prescribed{"kind",
                     "prescribed",
                     joined(joined(joined({rigid.keys[0], rigid.keys[1]}, look_keys()), start),
                            {{"displacement", list(drive(kLength), {3}), "",
                              "along world axes, added to the position"},
                             {"turns", tables(turn_family()), "",
                              "the first one outermost, before the orientation"}}),
                     {}};
    Family all = of_bodies("body", "", {rigid, affine, prescribed});
    all.element = true;
    return all;
  }();
  return f;
}

}  // namespace trammel::io
