// Tracks: a line of the railway by plan, profile and cant, or curves in space.
#include "io/scene_forms.h"

namespace trammel::io {

using namespace forms;
using namespace units;

namespace {

constexpr const char* kTransitions[] = {"clothoid", "bloss",   "cosine",
                                        "sine",     "helmert", "viennese"};
constexpr const char* kRamps[] = {"linear", "bloss", "cosine", "sine", "helmert", "viennese"};

Key length_of(const char* tag, const char* doc) { return {tag, quantity(kLength), kNeeded, doc}; }

const Key kStart{"start", table(start_family()), "",
                 "where a source says that the element begins: compared, not used"};

std::vector<Key> bend() {
  return {
      {"radius", or_infinite(quantity(kLength)), "", "positive to the left, negative to the right"},
      {"curvature", quantity(kCurvature), "", "instead of the radius"}};
}

Table transition(const char* tag) {
  const std::string viennese = "viennese";
  Table t{
      tag,
      "",
      {length_of(tag, "length; the curvature goes over from one value to another"),
       {"from_radius", or_infinite(quantity(kLength)), "",
        "at the start; else that of the element before"},
       {"from_curvature", quantity(kCurvature), "", "instead of from_radius"},
       {"to_radius", or_infinite(quantity(kLength)), "",
        "at the end; else that of the element after"},
       {"to_curvature", quantity(kCurvature), "", "instead of to_radius"},
       kStart},
      {at_most_one({"from_radius", "from_curvature"}), at_most_one({"to_radius", "to_curvature"})}};
  if (tag == viennese) {
    t.keys.push_back({"gravity_height", quantity(kLength), "0 m",
                      "of the centre of gravity that the bend guides, over the rails"});
    t.keys.push_back(
        {"cant_change", quantity(kAngle), "0 deg",
         "of the cant angle over the element, positive where the right rail rises, as in a "
         "bend to the left; compared with the track's `cant` or `twist`"});
  }
  return t;
}

Table ramp(const char* tag) {
  return {tag,
          "",
          {length_of(tag, "length (station); the cant goes over from one value to another"),
           {"from_left", quantity(kLength), "",
            "raise of the left rail at the start; else that of the element before"},
           {"to_left", quantity(kLength), "", "at the end; else that of the element after"},
           {"from_right", quantity(kLength), "", "the same of the right rail"},
           {"to_right", quantity(kLength), "", "the same of the right rail"}},
          {}};
}

Table twist_ramp(const char* tag) {
  return {tag,
          "",
          {length_of(tag, "length (station); the angle goes over from one value to another"),
           {"from", quantity(kAngle), "", "at the start; else that of the element before"},
           {"to", quantity(kAngle), "", "at the end; else that of the element after"}},
          {}};
}

Table vertical_curve(const char* tag, const char* doc) {
  return {tag,
          "",
          {length_of(tag, doc),
           {"from", quantity(kRatio), "", "grade at the start; else that of the element before"},
           {"to", quantity(kRatio), "", "grade at the end; else that of the element after"}},
          {}};
}

std::vector<Key> placed(std::vector<Key> keys) {
  return joined(
      std::move(keys),
      {{"position", vector(kLength), "",
        "of the start (of a helix: of its axis); else the member before goes on"},
       {"axis", direction(), "", "of the start: x of its frame (of a helix: its axis, z)"},
       {"normal", direction(), "", "y of the frame, the left"}});
}

Family elements(const char* name, const char* doc, std::vector<Table> tables) {
  Family f{name, doc, std::move(tables)};
  return f;
}

}  // namespace

const Family& start_family() {
  static const Family f = elements("track.start", "A pose in the plan.",
                                   {{"",
                                     "",
                                     {{"x", quantity(kLength), "0 m", ""},
                                      {"y", quantity(kLength), "0 m", ""},
                                      {"heading", quantity(kAngle), "0 deg", "from x towards y"}},
                                     {}}});
  return f;
}

const Family& plan_family() {
  static const Family f = [] {
    Family g =
        elements("track.plan", "An element of the plan. Positive radii and curvatures turn left.",
                 {{"line", "", {length_of("line", "length of a straight"), kStart}, {}},
                  {"arc",
                   "",
                   joined({length_of("arc", "length of a circular arc")}, joined(bend(), {kStart})),
                   {one({"radius", "curvature"})}}});
    for (const char* tag : kTransitions) g.tables.push_back(transition(tag));
    return g;
  }();
  return f;
}

const Family& profile_family() {
  static const Family f = elements(
      "track.profile",
      "An element of the profile. Lengths are those of the plan; grades rise where positive.",
      {{"grade",
        "",
        {{"grade", quantity(kRatio), kNeeded, "constant grade: \"10 permille\", 0.01"},
         length_of("length", "length of a constant grade")},
        {}},
       vertical_curve("circle", "length of a circular rounding"),
       vertical_curve("parabola", "length of a parabolic rounding")});
  return f;
}

const Family& cant_family() {
  static const Family f = [] {
    Family g = elements("track.cant", "An element of the cant: how much the rails are raised.",
                        {{"constant",
                          "",
                          {length_of("constant", "length (station) of constant cant"),
                           {"left", quantity(kLength), "0 m", "raise of the left rail"},
                           {"right", quantity(kLength), "0 m", "raise of the right rail"}},
                          {}}});
    for (const char* tag : kRamps) g.tables.push_back(ramp(tag));
    return g;
  }();
  return f;
}

const Family& twist_family() {
  static const Family f = [] {
    Family g = elements(
        "track.twist",
        "An element of the twist: the roll about the track by angle, positive lifts the left.",
        {{"constant",
          "",
          {length_of("constant", "length (station) of constant roll"),
           {"angle", quantity(kAngle), "0 deg", "of the roll"}},
          {}}});
    for (const char* tag : kRamps) g.tables.push_back(twist_ramp(tag));
    return g;
  }();
  return f;
}

const Family& curve_family() {
  static const Family f = elements(
      "track.curve", "A curve in space. Without a position it begins where the one before it ends.",
      {{"line", "", placed({length_of("line", "length of a straight")}), {}},
       {"arc",
        "",
        placed(joined({length_of("arc", "length of a circular arc about z of its frame")}, bend())),
        {one({"radius", "curvature"})}},
       {"turn",
        "",
        placed(
            {{"turn", quantity(kAngle), kNeeded, "angle of a circular arc, positive to the left"},
             {"radius", above(0, quantity(kLength)), kNeeded, ""}}),
        {}},
       {"helix",
        "",
        placed({{"helix", above(0, quantity(kRatio)), kNeeded, "number of turns of a helix"},
                {"radius", above(0, quantity(kLength)), kNeeded, ""},
                {"pitch", quantity(kLength), kNeeded, "rise of one turn; negative goes down"},
                {"start_angle", quantity(kAngle), "0 deg", "from x about the helix's axis"},
                {"left_handed", flag(), "false", "sense of the screw"},
                {"up", flag(), "false",
                 "y of the frame stays horizontal; else it points to the axis"}}),
        {}}});
  return f;
}

const Family& track_family() {
  static const Family f = [] {
    Family g{"track",
             "Tracks lie in the axes of whatever carries them: of the ground, or of the body `a` "
             "of a joint.",
             {{"",
               "",
               {name_key("track"),
                {"plan", tables(plan_family()), "", "elements of a railway line, end to end"},
                {"start", table(start_family()), "", "where the plan begins"},
                {"profile", tables(profile_family()), "", "elements of the profile; else level"},
                {"height", quantity(kLength), "0 m", "at the start of the profile"},
                {"curve", table(curve_family()), "", "one curve in space"},
                {"chain", tables(curve_family()), "", "curves in space, end to end"},
                {"cant", tables(cant_family()), "", "elements of the cant; else none"},
                {"cant_base", above(0, quantity(kLength)), "1.5 m",
                 "between the middles of the rail heads"},
                {"twist", tables(twist_family()), "", "instead of the cant, by angle"},
                {"closed", flag(), "false", "the end meets the start"},
                {"max_gap", above(0, quantity(kLength)), "0.000001 m",
                 "accepted between pieces that meet"},
                {"max_kink", above(0, quantity(kAngle)), "0.000001 rad",
                 "accepted turn between pieces that meet"}},
               {one({"plan", "curve", "chain"}),
                at_most_one({"cant", "twist"}),
                {Rule::Kind::needs, {"start", "plan"}},
                {Rule::Kind::needs, {"profile", "plan"}},
                {Rule::Kind::needs, {"height", "profile"}},
                {Rule::Kind::needs, {"cant_base", "cant"}}}}}};
    g.element = true;
    return g;
  }();
  return f;
}

}  // namespace trammel::io
