// Couplings: their keys, and what these mean.
#include <fmt/format.h>

#include <algorithm>

#include "io/scene_forms.h"
#include "io/scene_specs.h"

namespace trammel::io {

using namespace forms;
using namespace units;

namespace {

Rule recovery_rule() { return {Rule::Kind::needs, {"erp", "limits"}}; }

std::vector<Key> keys_of(const char* of, std::vector<std::size_t> counts, std::vector<Key> own) {
  std::vector<Key> keys{name_key("coupling"),
                        {"type", text(), kNeeded, "the kind of coupling"},
                        {"of", list(name_of(Refers::coordinate), std::move(counts)), kNeeded, of}};
  keys = joined(std::move(keys), own);
  return joined(std::move(keys),
                {{"limits", list(or_infinite(quantity(Of::force)), {2}), "",
                  "least and greatest force or torque on the first of `of`, by a coefficient of 1; "
                  "reached, it yields"},
                 {"erp", up_to(1, quantity(kRatio)), "",
                  "share of the displacement taken back in a step after it yielded"}});
}

Table gear_table() {
  return {
      "type",
      "gear",
      keys_of("two angles, as \"joint.coordinate\"", {2},
              {{"teeth", list(above(0, quantity(kRatio)), {2}), kNeeded, "of the two wheels"},
               {"internal", flag(), "false", "one wheel turns inside the other, the same way"}}),
      {recovery_rule()}};
}
Table belt_table() {
  return {"type",
          "belt",
          keys_of("two angles", {2},
                  {{"radii", list(above(0, quantity(kLength)), {2}), kNeeded, "of the two wheels"},
                   {"crossed", flag(), "false", "the wheels turn opposite ways"}}),
          {recovery_rule()}};
}
Table screw_table() {
  return {
      "type",
      "screw",
      keys_of("a travel and an angle", {2},
              {{"pitch", quantity(kLength), kNeeded, "travel in a turn; negative: left-handed"}}),
      {recovery_rule()}};
}
Table rack_table() {
  return {"type",
          "rack",
          keys_of("a travel and an angle", {2},
                  {{"radius", quantity(kLength), kNeeded, "of the pinion, signed"}}),
          {recovery_rule()}};
}
Table pulley_table() {
  return {"type",
          "pulley",
          keys_of("two lengths, of which first + ratio second stays", {2},
                  {{"ratio", quantity(kRatio), "1", ""}}),
          {recovery_rule()}};
}
Table cam_table() {
  Table t{
      "type",
      "cam",
      keys_of("what follows, and the coordinate that it follows", {2},
              {{"profile", table(lift_family()), "", "lift as a formula"},
               {"polynomial", list(quantity(kRatio)), "",
                "lift: constant, linear, quadratic ... coefficients in SI units"},
               {"points", list(list(quantity(kRatio), {2})), "",
                "lift: a cubic spline through [coordinate, lift] in SI units, at least 3"},
               {"periodic", flag(), "false", "the points go round: the last is the first again"}}),
      {}};
  t.rules = {{Rule::Kind::one, {"profile", "polynomial", "points"}},
             {Rule::Kind::needs, {"periodic", "points"}},
             recovery_rule()};
  return t;
}
Table linear_table() {
  return {"type",
          "linear",
          keys_of("one to four coordinates, whose sum with the coefficients stays", {1, 2, 3, 4},
                  {{"coefficients", list(quantity(kRatio)), kNeeded, "one for each"}}),
          {recovery_rule()}};
}

/// The points of a table, which must rise; none: complained.
std::shared_ptr<const joint::Profile> spline_of(const Value& v, Findings& findings) {
  const Value& points = v["points"];
  const std::size_t before = findings.problems.size();
  std::vector<double> x, y;
  for (const Value& p : points.items) {
    x.push_back(p.numbers[0]);
    y.push_back(p.numbers[1]);
    if (x.size() > 1 && !(x.back() > x[x.size() - 2]))
      findings.complain(p.path, fmt::format("the coordinates of points rise: {} after {}", x.back(),
                                            x[x.size() - 2]));
  }
  const bool periodic = v["periodic"].flag;
  if (x.size() < 3)
    findings.complain(points.path, "a spline takes at least three points");
  else if (periodic && y.front() != y.back())
    findings.complain(points.items.back().path,
                      fmt::format("the last lift of a periodic profile is the first: {}, not {}",
                                  y.front(), y.back()));
  if (findings.problems.size() != before) return nullptr;
  return std::make_shared<joint::Profile>(model::tabulated(std::move(x), std::move(y), periodic));
}

std::shared_ptr<const joint::Profile> profile_of(const Value& v, Findings& findings) {
  if (v.has("profile")) return v["profile"]["formula"].profile;
  if (v.has("points")) return spline_of(v, findings);
  return std::make_shared<joint::Profile>(model::polynomial(v["polynomial"].numbers));
}

model::CouplingSpec by_type(const Value& v, const std::vector<model::CoordinateSpec>& of,
                            Findings& findings) {
  const std::string& type = v["type"].text;
  const auto& teeth = v["teeth"].numbers;
  const auto& radii = v["radii"].numbers;
  if (type == "gear") return model::gear(of[0], of[1], teeth[0], teeth[1], v["internal"].flag);
  if (type == "belt") return model::belt(of[0], of[1], radii[0], radii[1], v["crossed"].flag);
  if (type == "screw") return model::screw(of[0], of[1], v["pitch"].number);
  if (type == "rack") return model::rack(of[0], of[1], v["radius"].number);
  if (type == "pulley") return model::pulley(of[0], of[1], v["ratio"].number);
  if (type == "cam") return model::cam(of[0], of[1], profile_of(v, findings));
  model::CouplingSpec linear;
  linear.of = of;
  linear.coefficients = v["coefficients"].numbers;
  return linear;
}

}  // namespace

const Family& lift_family() {
  static const Family f{
      "coupling.profile",
      "What the follower of a cam follows.",
      {{"",
        "",
        {{"formula", profile_formula(), kNeeded,
          "the lift as an expression in the coordinate x (expressions.md), smooth"}},
        {}}}};
  return f;
}

const Family& coupling_family() {
  static const Family f = [] {
    Family g{"coupling",
             "Couples free coordinates of joints, written as \"joint.coordinate\". It goes by its "
             "name as a joint does: a law may act on it.",
             {gear_table(), belt_table(), screw_table(), rack_table(), pulley_table(), cam_table(),
              linear_table()}};
    g.element = true;
    return g;
  }();
  return f;
}

std::optional<model::CouplingSpec> coupling_spec(const Value& v, const JointTables& tables,
                                                 Findings& findings) {
  std::vector<model::CoordinateSpec> of;
  for (const Value& text : v["of"].items) of.push_back(coordinate_of(text, tables));
  model::CouplingSpec s = by_type(v, of, findings);
  s.name = v["name"].text;
  s.path = v.path;
  if (v.has("limits")) {
    s.options.force_min = v["limits"].numbers[0];
    s.options.force_max = v["limits"].numbers[1];
    s.options.path = v["limits"].path;
  }
  if (v.has("erp")) s.options.erp = v["erp"].number;
  return s;
}

}  // namespace trammel::io
