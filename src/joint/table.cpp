#include "joint/table.h"

#include <algorithm>
#include <cassert>

namespace trammel::joint {

namespace {

/// One line a joint: everything that Trammel knows of it. Lists are separated by semicolons.
struct Entry {
  std::string_view name, rows, terms, coordinates;
};

constexpr std::string_view kTravel = "x = Ax.D; y = Ay.D; z = Az.D";
constexpr std::string_view kAngles =
    "roll = atan2(Az.By, Ay.By); pitch = atan2(Ax.Bz, Az.Bz); yaw = atan2(Ay.Bx, Ax.Bx)";

// clang-format off
constexpr Entry kEntries[] = {
  // name            rows                                            closure residuals                     free coordinates
  {"free",             "",                                             "",                                "*"},
  {"spherical",        "Ax.D; Ay.D; Az.D",                             "D",                               "roll = atan2(Az.By, Ay.By); pitch = atan2(Ax.Bz, Az.Bz); yaw = atan2(Ay.Bx, Ax.Bx)"},
  {"revolute",         "Ax.D; Ay.D; Az.D; Ax.By; Ax.Bz",               "D; Ax-Bx",                        "angle = atan2(Az.By, Ay.By)"},
  {"universal",        "Ax.D; Ay.D; Az.D; Ax.By",                      "D; Ax.By",                        "first = atan2(Az.By, Ay.By); second = atan2(Ax.Bz, Ax.Bx)"},
  {"prismatic",        "Ay.D; Az.D; Ax.By; Ax.Bz; Ay.Bz",              "D x Ax; D x Bx; Ay-By; Az-Bz",    "travel = Ax.D"},
  {"cylindrical",      "Ay.D; Az.D; Ax.By; Ax.Bz",                     "D x Ax; D x Bx; Ax-Bx",           "travel = Ax.D; angle = atan2(Az.By, Ay.By)"},
  {"planar",           "Ax.D; Ax.By; Ax.Bz",                           "Ax.D; Bx.D; Ax-Bx",               "y = Ay.D; z = Az.D; angle = atan2(Az.By, Ay.By)"},
  {"fixed",            "Ax.D; Ay.D; Az.D; Ax.By; Ax.Bz; Ay.Bz",        "D; Ax-Bx; Ay-By; Az-Bz",          ""},
  {"point-on-line",    "Ay.D; Az.D",                                   "D x Ax",                          "travel = Ax.D"},
  {"point-on-plane",   "Ax.D",                                         "Ax.D",                            "y = Ay.D; z = Az.D"},
  {"parallel",         "Ax.By; Ax.Bz",                                 "Ax-Bx",                           "x = Ax.D; y = Ay.D; z = Az.D; angle = atan2(Az.By, Ay.By)"},
  {"perpendicular",    "Ax.By",                                        "Ax.By",                           "x = Ax.D; y = Ay.D; z = Az.D"},
  {"orientation",      "Ax.By; Ax.Bz; Ay.Bz",                          "Ax-Bx; Ay-By; Az-Bz",             "x = Ax.D; y = Ay.D; z = Az.D"},
  {"distance",         "sqrt(D.D)",                                    "sqrt(D.D)",                              "x = Ax.D; y = Ay.D; z = Az.D"},
  // rolling on the plane through A's origin: no slip along y and z
  {"rolling-ball",     "radius = abs(Ax.D); slip_y = slip(Ay, Ax); slip_z = slip(Az, Ax)",                       "abs(Ax.D)",           "y = Ay.D; z = Az.D"},
  {"rolling-disc",     "radius = radius(Ax.D, Ax.By); slip_y = slip(Ay, Ax, By); slip_z = slip(Az, Ax, By)",     "radius(Ax.D, Ax.By)", "y = Ay.D; z = Az.D; lean = Ax.By"},
  {"knife-edge",       "Ax.D; slip = slip(By)",                        "Ax.D",                            "y = Ay.D; z = Az.D"},
  {"track",            "lateral = Cy.E; vertical = Cz.E; yaw = -Cx.By; pitch = Cx.Bz; roll = -Cy.Bz", "E x Cx; Cy-By; Cz-Bz",            "s = s; lateral = Cy.E; vertical = Cz.E; roll = atan2(Cz.By, Cy.By); pitch = atan2(Cx.Bz, Cz.Bz); yaw = atan2(Cy.Bx, Cx.Bx)"},
  // a point of a body on the track; with roll, B's y also stays in the plane of the rails
  {"point-on-track",   "lateral = Cy.E; vertical = Cz.E",              "E x Cx",                          "s = s; lateral = Cy.E; vertical = Cz.E; roll = atan2(Cz.By, Cy.By); pitch = atan2(Cx.Bz, Cz.Bz); yaw = atan2(Cy.Bx, Cx.Bx)"},
  {"point-on-track-roll", "lateral = Cy.E; vertical = Cz.E; roll = Cz.By", "E x Cx; Cz.By",               "s = s; lateral = Cy.E; vertical = Cz.E; roll = atan2(Cz.By, Cy.By); pitch = atan2(Cx.Bz, Cz.Bz); yaw = atan2(Cy.Bx, Cx.Bx)"},
};
// clang-format on

std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> out;
  while (!text.empty()) {
    const auto end = std::min(text.find(at), text.size());
    if (const auto first = text.find_first_not_of(' '); first < end)
      out.emplace_back(text.substr(first, end - first));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

Table make(const Entry& e) {
  const std::string all = std::string(kTravel) + "; " + std::string(kAngles);
  auto parsed =
      make_table(std::string(e.name), split(e.rows, ';'), split(e.terms, ';'),
                 split(e.coordinates == "*" ? std::string_view(all) : e.coordinates, ';'));
  assert(parsed.problems.empty());
  return std::move(parsed.table);
}

}  // namespace

const Coordinate* Table::coordinate(std::string_view wanted) const {
  const auto it = std::find_if(coordinates.begin(), coordinates.end(),
                               [&](const Coordinate& c) { return c.name == wanted; });
  return it == coordinates.end() ? nullptr : &*it;
}

namespace {
/// Returns why a coordinate cannot be a row of a joint; empty: it can.
std::string wrong_row(const Coordinate& c) {
  if (c.row.unit() == Unit::square_metre)
    return "row '" + c.name + "' is in m^2: a distance is sqrt(D.D)";
  return c.row.constant()
             ? "row '" + c.name + "' holds nothing: " + to_text(c.row) + " never changes"
             : "";
}

/// The name that two of a list share, or none.
std::string shared_name(const std::vector<Coordinate>& list) {
  for (std::size_t i = 1; i < list.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (list[i].name == list[k].name) return list[i].name;
  return "";
}
}  // namespace

ParsedTable make_table(std::string name, std::span<const std::string> rows,
                       std::span<const std::string> terms,
                       std::span<const std::string> coordinates) {
  ParsedTable out;
  out.table.name = std::move(name);
  const auto complain = [&](std::string text) { out.problems.push_back(std::move(text)); };
  for (const std::string& text : rows) {
    if (const auto row = parse_coordinate(text)) {
      if (const std::string wrong = wrong_row(*row); !wrong.empty()) complain(wrong);
      out.table.rows.push_back(*row);
    } else {
      complain("'" + text + "' is not a row: a row is like Ax.D, sqrt(D.D) or atan2(Az.By, Ay.By)");
    }
  }
  if (out.table.rows.size() > 6) complain("a joint has at most 6 rows");
  for (const std::string& text : terms) {
    if (const auto term = parse_term(text))
      out.table.terms.push_back(*term);
    else
      complain("'" + text + "' is not a closure residual: one is like D, Ax-Bx, D x Ax or Ax.D");
  }
  for (const std::string& text : coordinates) {
    if (const auto coordinate = parse_coordinate(text))
      out.table.coordinates.push_back(*coordinate);
    else
      complain("'" + text + "' is not a coordinate: a coordinate is like 'travel = Ax.D'");
  }
  for (const auto* list : {&out.table.rows, &out.table.coordinates})
    if (const std::string twice = shared_name(*list); !twice.empty())
      complain("two are called '" + twice + "'");
  for (const Coordinate& c : out.table.rows) out.table.on_curve |= c.row.on_curve();
  for (const Coordinate& c : out.table.coordinates) out.table.on_curve |= c.row.on_curve();
  return out;
}

std::span<const Table> tables() {
  static const std::vector<Table> all = [] {
    std::vector<Table> t;
    for (const Entry& e : kEntries) t.push_back(make(e));
    return t;
  }();
  return all;
}

const Table* find_table(std::string_view name) {
  for (const Table& t : tables())
    if (t.name == name) return &t;
  return nullptr;
}

const Table& strain_table() {
  static const Table table = [] {
    constexpr std::string_view kRows =
        "xx = strain(Ax, Ax); yy = strain(Ay, Ay); zz = strain(Az, Az); "
        "xy = strain(Ax, Ay); xz = strain(Ax, Az); yz = strain(Ay, Az)";
    return make({"strain", kRows, "", kRows});
  }();
  return table;
}

const Table& stretch_table() {
  static const Table table = [] {
    constexpr std::string_view kRows =
        "xx = stretch(Ax, Ax); yy = stretch(Ay, Ay); zz = stretch(Az, Az); "
        "xy = stretch(Ax, Ay); xz = stretch(Ax, Az); yz = stretch(Ay, Az)";
    return make({"stretch", kRows, "", kRows});
  }();
  return table;
}

const Table& coupling_table(Unit unit) {
  const auto make = [](Unit of) {
    Table table;
    table.name = "coupling";
    table.rows = {{"value", Row{&coupled_function(of), {}}}};
    return table;
  };
  static const Table kLength = make(Unit::metre), kAngle = make(Unit::radian);
  return unit == Unit::metre ? kLength : kAngle;
}

const Table& distance_table() {
  static const Table kTable = [] {
    const std::string length[] = {"length = sqrt(D.D)"};
    return make_table("distance between points", {}, {}, length).table;
  }();
  return kTable;
}

const Table& way_table(bool of_B) {
  const auto make = [](const char* row) {
    const std::string length[] = {std::string("length = ") + row};
    return make_table("way between points", {}, {}, length).table;
  };
  static const Table kOfA = make("Ax.D"), kOfB = make("Bx.D");
  return of_B ? kOfB : kOfA;
}

}  // namespace trammel::joint
