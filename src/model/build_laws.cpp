// Laws: their numbers, what they follow, the coordinate they are on.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "model/build_rows.h"
#include "model/check.h"
#include "units/nearest.h"

namespace trammel::model {

namespace {

using law::kInf;

void check_number(Draft& d, const LawSpec& s, const law::Parameter& p, double x) {
  const auto complain = [&](std::string text) {
    d.complain(s.path + "." + std::string(p.name), std::move(text));
  };
  if (!(x >= p.lo && x <= p.hi))
    complain(fmt::format("'{}' of law '{}' is {}, it must lie between {} and {}", p.name, s.name, x,
                         p.lo, p.hi));
  else if (std::isinf(x) && x != p.fallback)  // only a bound may be infinite, and then it is none
    complain(fmt::format("'{}' of law '{}' is {}, it must be finite", p.name, s.name, x));
}

/// Numbers of a law by name, checked against its type's list.
std::vector<double> numbers_of(Draft& d, const LawSpec& s, const law::Type& type) {
  std::vector<std::string> known;
  for (const law::Parameter& p : type.parameters) known.emplace_back(p.name);
  for (const auto& [key, value] : s.numbers)
    if (std::find(known.begin(), known.end(), key) == known.end())
      d.complain(s.path + "." + key, fmt::format("a {} has no '{}'{}", type.name, key,
                                                 units::did_you_mean(key, known)));
  std::vector<double> out;
  for (const law::Parameter& p : type.parameters) {
    const auto it = s.numbers.find(std::string(p.name));
    out.push_back(it == s.numbers.end() ? p.fallback : it->second);
    if (it != s.numbers.end())
      check_number(d, s, p, it->second);
    else if (std::isnan(p.fallback))
      d.complain(s.path, fmt::format("law '{}' needs '{}': {}", s.name, p.name, p.doc));
  }
  return out;
}

/// A nonholonomic row has no place: nothing can pull it to one, or stop it there.
void check_rate(Draft& d, const LawSpec& s, const law::Law& law, const joint::Coordinate& c) {
  const auto given = [&](const char* key) {
    const auto it = s.numbers.find(key);
    return it != s.numbers.end() && it->second != 0;
  };
  const char* wrong = law.type->name == "limit"                          ? "from"
                      : law.function                                     ? "function"
                      : given("stiffness") && law.type->name == "spring" ? "stiffness"
                      : given("value")                                   ? "value"
                      : given("unilateral")                              ? "unilateral"
                                                                         : nullptr;
  if (wrong)
    d.complain(
        s.path + "." + wrong,
        fmt::format("'{}' is a rate without a value, {}: a {} can only {}", c.name, to_text(c.row),
                    law.type->name, law.type->name == "spring" ? "damp it" : "hold its rate"));
}

/// Complains of numbers that contradict each other.
void check_spec(Draft& d, const LawSpec& s, const law::Law& law, const joint::Coordinate& c,
                const double* numbers) {
  const law::ConstraintSpec spec = law.type->constraint(law, numbers, 0);
  if (!c.row.holonomic()) check_rate(d, s, law, c);
  if (spec.level == law::Level::velocity && spec.lo > spec.hi)
    d.complain(s.path + ".force_min",
               fmt::format("force_min {} exceeds force_max {}", spec.lo, spec.hi));
  else if (law.type->name == "motor" && !(spec.lo <= 0 && spec.hi >= 0))
    d.complain(s.path + (spec.lo > 0 ? ".force_min" : ".force_max"),
               fmt::format("the force bounds of motor '{}' must hold zero between them, not [{}, "
                           "{}]: a motor at its speed needs no force",
                           s.name, spec.lo, spec.hi));
  if (spec.breakaway != 0 && spec.breakaway < spec.hi)
    d.complain(s.path + ".static_force",
               fmt::format("static_force {} is below force {}: at rest friction holds at least as "
                           "much as while it slides",
                           spec.breakaway, spec.hi));
  if (law.type->name == "limit" && !(spec.from < spec.to))
    d.complain(s.path + ".to",
               fmt::format("'to' {} must lie above 'from' {}; what does not move is "
                           "`locked`",
                           spec.to, spec.from));
  if (law.type->name == "limit" && std::isinf(spec.from) && std::isinf(spec.to))
    d.complain(s.path, fmt::format("limit '{}' needs 'from' or 'to', or both", s.name));
  if (law.type->name == "spring" && !law.function && !s.numbers.contains("stiffness") &&
      !s.numbers.contains("damping") && !s.numbers.contains("preload"))
    d.complain(s.path, fmt::format("spring '{}' has no force: give it a 'stiffness', a 'damping', "
                                   "a 'preload' or a 'function'",
                                   s.name));
  if (law.type->name != "locked") return;
  const auto it = s.numbers.find("unilateral");
  if (it != s.numbers.end() && it->second != 0 && it->second != 1)
    d.complain(s.path + ".unilateral",
               fmt::format("'unilateral' is {}: 0 says no, 1 says yes", it->second));
  check_lock(d, c, spec, s.numbers.contains("erp"),
             [&](const char* key) { return s.path + "." + key; });
}

std::string of_level(Drive::Level level) {
  return level == Drive::Level::displacement ? ".displacement"
         : level == Drive::Level::velocity   ? ".velocity"
                                             : ".acceleration";
}

void check_drive(Draft& d, const LawSpec& s, const law::Type& type) {
  if (type.takes_drive && !s.drive)
    d.complain(s.path,
               fmt::format("a {} needs {}", type.name,
                           type.velocity_only ? "a `velocity` to reach"
                                              : "a `displacement`, `velocity` or `acceleration`"));
  if (!type.takes_drive && s.drive)
    d.complain(s.path, fmt::format("a {} follows no signal", type.name));
  if (!type.takes_drive || !s.drive) return;
  std::string text;
  if (!type.velocity_only)
    text = wrong_drive(*s.drive);
  else if (s.drive->level != Drive::Level::velocity)
    return d.complain(s.path, fmt::format("a {} follows a `velocity`", type.name));
  else if (s.drive->x0 != 0 || s.drive->v0 != 0)
    text = "it has no start: a velocity is reached, no place";
  else
    text = wrong_signal(s.drive->signal);
  if (!text.empty())
    d.complain(s.path + of_level(s.drive->level),
               fmt::format("what law '{}' follows: {}", s.name, text));
}

void check_function(Draft& d, const LawSpec& s, const law::Type& type) {
  if (s.function && type.name != "spring")
    d.complain(s.path, fmt::format("a {} takes no force function", type.name));
  else if (s.function && !*s.function)
    d.complain(s.path, fmt::format("the force function of law '{}' is empty", s.name));
}

}  // namespace

std::optional<joint::Coordinate> find_coordinate(const std::string& name,
                                                 const joint::Table& table) {
  if (const joint::Coordinate* c = table.coordinate(name)) return *c;
  for (const joint::Coordinate& c : table.rows)
    if (c.name == name) return c;
  if (const auto row = joint::parse_row(name)) return joint::Coordinate{name, *row};
  if (name.empty() && table.coordinates.size() == 1) return table.coordinates.front();
  if (name.empty() && table.coordinates.empty() && table.rows.size() == 1)
    return table.rows.front();
  return {};
}

std::optional<joint::Coordinate> coordinate_of(Draft& d, const LawSpec& s,
                                               const joint::Table& table) {
  const auto complain = [&](std::string text) {
    d.complain(s.path + ".coordinate", std::move(text));
  };
  const auto c = find_coordinate(s.coordinate, table);
  if (!c) {
    const auto known = names(table);
    complain(s.coordinate.empty()
                 ? fmt::format("say which coordinate of the {} joint{}", table.name,
                               units::did_you_mean("", known))
                 : fmt::format("a {} joint has no coordinate '{}'{}", table.name, s.coordinate,
                               units::did_you_mean(s.coordinate, known)));
    return {};
  }
  if (c->row.on_curve() && !table.on_curve)
    complain(fmt::format("'{}' needs a track; the joint is {}", c->name, table.name));
  else if (c->row.unit() == joint::Unit::square_metre)
    complain(fmt::format("'{}' is in m^2; write sqrt(...)", c->name));
  else if (c->row.constant())
    complain(fmt::format("'{}' never changes: no law can act on it", to_text(c->row)));
  else
    return c;
  return {};
}

void check_lock(Draft& d, const joint::Coordinate& c, const law::ConstraintSpec& l, bool erp_given,
                const std::function<std::string(const char*)>& path) {
  const auto complain = [&](const char* key, std::string text) {
    d.complain(path(key), std::move(text));
  };
  if (!std::isfinite(l.target.x))
    complain("value", fmt::format("'{}' is held at {}: it must be finite", c.name, l.target.x));
  if (!(l.lo <= 0 && l.hi >= 0 && l.lo < l.hi))
    complain("force_min",
             fmt::format("the force bounds of '{}' must hold zero between them, not [{}, {}]",
                         c.name, l.lo, l.hi));
  if (!(l.erp >= 0 && l.erp <= 1))
    complain("erp", "erp lies between 0 and 1");
  else if (erp_given && (!l.bounded() || l.unilateral()))
    complain("erp", fmt::format("erp takes back what has yielded: '{}' {}", c.name,
                                l.unilateral() ? "is unilateral and does not yield"
                                               : "has no force bounds to yield at"));
  if (!(l.restitution >= 0 && l.restitution <= 1))
    complain("restitution", "restitution lies between 0 and 1");
  if (!l.unilateral()) {
    if (l.restitution != 0)
      complain("restitution",
               fmt::format("'{}' is not unilateral: restitution means nothing", c.name));
    return;
  }
  if (l.lo != 0 && l.lo != -kInf)
    complain("force_min", fmt::format("'{}' is unilateral: its least force is zero", c.name));
  if (l.hi != kInf)
    complain("force_max",
             fmt::format("'{}' is unilateral: a stop does not yield, its force has no greatest "
                         "value",
                         c.name));
}

std::optional<law::Law> make_law(Draft& d, const LawSpec& s, const joint::Coordinate& on) {
  const law::Type* type = law::find_type(s.type);
  if (!type) {
    std::vector<std::string> known;
    for (const law::Type* t : law::types()) known.emplace_back(t->name);
    d.complain(s.path + ".type",
               fmt::format("there is no law '{}'{}", s.type, units::did_you_mean(s.type, known)));
    return {};
  }
  const std::size_t before = d.problems.size();
  const std::vector<double> numbers = numbers_of(d, s, *type);
  check_drive(d, s, *type);
  check_function(d, s, *type);
  if (d.problems.size() > before) return {};
  law::Law law;
  law.type = type;
  if (s.drive) law.drive = *s.drive;
  law.function = s.function;
  check_spec(d, s, law, on, numbers.data());
  if (d.problems.size() > before) return {};
  std::vector<std::string_view> keys;
  for (const law::Parameter& p : type->parameters) keys.push_back(p.name);
  law.first_param = d.add_params("law." + s.name, std::move(keys), {});
  d.params.values.insert(d.params.values.end(), numbers.begin(), numbers.end());
  return law;
}

void Draft::assign_laws(const std::vector<LawSpec>& specs,
                        const std::vector<std::string>& joint_names) {
  laws_of.resize(model.joints.size());
  std::unordered_map<std::string, int> law_names;
  for (const LawSpec& l : specs) {
    claim(l.name, l.path, "law", law_names, 0);
    const auto it = joints.find(l.joint);
    if (it == joints.end())
      complain(l.path + ".joint", fmt::format("there is no joint '{}'{}", l.joint,
                                              units::did_you_mean(l.joint, joint_names)));
    else if (const auto j = static_cast<std::size_t>(it->second);
             j < model.joints.size() && model.joints[j].name == l.joint)
      laws_of[j].push_back(&l);
  }
}

}  // namespace trammel::model
