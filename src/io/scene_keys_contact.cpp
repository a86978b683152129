// Contact: materials, the laws between them, shapes that touch, and pairs of bodies.
#include "io/scene_forms.h"

namespace trammel::io {

using namespace forms;
using namespace units;

namespace {

const Family& touching_mesh_family() {
  static const Family f{
      "contact.mesh",
      "A closed surface.",
      {{"",
        "",
        {
            {"file", name_of(Refers::words), "",
             "OBJ or STL, at most 8 MB, from the folder of this scene; results keep it"},
            {"vertices", list(list(quantity(kRatio), {3})), "", "plain numbers, times the unit"},
            {"faces", list(list(quantity(kRatio))), "",
             "corners of polygons, by the numbers of their vertices from 0, counterclockwise seen "
             "from outside"},
            {"unit", above(0, quantity(kLength)), "1 m", "of the numbers, in the file too"},
        },
        {one({"file", "vertices"}), at_most_one({"file", "faces"}),
         needs({"vertices", "faces"})}}}};
  return f;
}

const Family& heights_family() {
  static const Family f{
      "heights",
      "Heights over the points of a rectangle; what is between them is made of triangles, two a "
      "cell.",
      {{"",
        "",
        {
            {"spacing", above(0, quantity(kLength)), kNeeded, "of the points, along x and y"},
            {"spacing", list(quantity(kLength), {2}), "", "or along x, along y"},
            {"values", list(list(quantity(kRatio))), "",
             "rows along x, the first one that of y = 0; plain numbers, times the unit"},
            {"file", name_of(Refers::words), "",
             "the same in a text, a row a line, numbers parted by commas, semicolons or blanks; at "
             "most 8 MB, from the folder of this scene; results keep it"},
            {"unit", above(0, quantity(kLength)), "1 m", "of the heights, in the file too"},
        },
        {one({"file", "values"})}}}};
  return f;
}

/// The tables of shapes that touch; of obstacles with a name.
std::vector<Table> touching_tables(const std::vector<Key>& first, const char* frame) {
  const std::vector<Key> surface{
      {"material", name_of(Refers::material), "", "of its surface; else that of the body"},
      {"surface_velocity", vector(kSpeed), "[0, 0, 0]",
       "of the surface on the shape, as of a belt that runs around it; along the axes of the "
       "shape"}};
  const Key position{"position", vector(kLength), "[0, 0, 0]",
                     std::string("of its middle in ") + frame};
  const std::vector<Key> placed = joined(
      {position,
       {"orientation", table(orientation_family()), "", "of its axes"},
       {"orientation", list(quantity(kRatio), {4}), "", "or as a unit quaternion w, x, y, z"}},
      surface);
  const auto shape = [&](const char* name, Form form, const char* doc) {
    return Table{
        name, "", joined(joined({{name, std::move(form), kNeeded, doc}}, first), placed), {}};
  };
  const auto surface_of = [&](const char* name, const char* doc) {
    Table out = shape(name, table(touching_mesh_family()), doc);
    out.keys.insert(out.keys.begin() + 1,
                    {name, name_of(Refers::words), "", "or its file, in metres"});
    return out;
  };
  const auto mesh_of = [&](const char* doc) {
    Table out = surface_of("mesh", doc);
    out.keys.push_back({"accuracy", above(0, quantity(kRatio)), "1 %",
                        "how far its hulls may be off it where it meets meshes or heights, as a "
                        "share of the diagonal of the box about it"});
    return out;
  };
  const auto endless = [&](const char* name, const char* doc) {
    Key at = position;
    at.doc = std::string("a point of its surface, in ") + frame;
    std::vector<Key> own = surface;
    own[1].doc = std::string("of the surface, as of a belt; along the axes of ") + frame;
    return Table{name,
                 "",
                 joined(joined(joined({{name, direction(), kNeeded, doc}}, first), {at}), own),
                 {}};
  };
  return {shape("box", vector(kLength), "edges"),
          shape("sphere", above(0, quantity(kLength)), "its radius"),
          shape("cylinder", table(round_family()), ""),
          shape("cone", table(cone_family()), "its middle is half way up"),
          shape("capsule", table(round_family()), ""),
          shape("ellipsoid", vector(kLength), "its radii along its axes"),
          surface_of("hull", "a convex mesh"),
          mesh_of("a mesh that need not be convex"),
          shape("heights", table(heights_family()), "a field, filled below"),
          endless("half_space", "all that lies against this direction, which points out of it"),
          endless("plane", "a surface across this direction, which pushes to both sides")};
}

Family pairs(const char* name, const char* doc) {
  return {
      name,
      doc,
      {{"",
        "",
        {{"between", list(name_of(Refers::body)), kNeeded, "two bodies or more, each with each"}},
        {}}},
      true};
}

}  // namespace

const Family& material_family() {
  static const Family f = named(
      "material", "What surfaces are of, for the laws of contact.",
      {{"", "", {name_key("material"), {"text", name_of(Refers::words), "", "what it is"}}, {}}});
  return f;
}

const Family& contact_family() {
  static const Family f = named(
      "contact",
      "What holds between two materials. The law of a pair comes before one of either with any "
      "other, and that before one of any with any. Without one there is no friction and no "
      "restitution.",
      {{"",
        "",
        {
            {"name", name(), "", "of the law"},
            {"between", list(name_of(Refers::material), {2}), "[\"any\", \"any\"]",
             "two materials; \"any\" is each, \"default\" that of shapes that name none"},
            {"friction", quantity(kRatio), "0", "coefficient of friction"},
            {"restitution", up_to(1, quantity(kRatio)), "0",
             "of an impact: 0, it stays; 1, it leaves as fast as it came"},
            {"restitution_law", text({"newton", "poisson"}), "newton",
             "newton: a point leaves with that share of the speed with which it came; poisson: it "
             "gets that share of the impulse again that stopped it"},
            {"rolling_friction", quantity(kLength), "0 m",
             "lever: its torque is at most that times the normal force"},
            {"spinning_friction", quantity(kLength), "0 m", "likewise, of a turn about the normal"},
            {"cohesion", quantity(kForce), "0 N", "pull that a point of contact withstands"},
        },
        {}}});
  return f;
}

const Family& touching_family() {
  static const Family f{"body.contact",
                        "A shape that touches others. It has no mass, and nothing of how the body "
                        "looks follows from it where it has solids or shapes.",
                        touching_tables({}, "the body frame")};
  return f;
}

const Family& obstacle_family() {
  static const Family f = [] {
    Family all{"obstacle", "A shape in the world that bodies touch.",
               touching_tables({{"name", name(), "", "of it"}}, "the world"), true};
    for (Table& t : all.tables)
      for (Key& k : t.keys)
        if (k.name == "material") k.doc = "of its surface";
    return all;
  }();
  return f;
}

const Family& pair_family(bool touching) {
  static const Family all[] = {
      pairs("no_contact", "Bodies that never touch one another."),
      pairs("contact_pair",
            "Bodies that touch though a joint connects them; without this they never do.")};
  return all[touching ? 1 : 0];
}

}  // namespace trammel::io
