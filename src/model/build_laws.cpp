// Laws: their numbers, what they follow, the coordinate they are on.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "law/conflicts.h"
#include "math/integrated.h"
#include "model/build_rows.h"
#include "model/check.h"
#include "units/nearest.h"

namespace trammel::model {

namespace {

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
void check_rate(Draft& d, const LawSpec& s, const law::Law& law, const joint::Coordinate& c,
                const law::ConstraintSpec& spec) {
  const auto given = [&](std::string_view key) {
    const auto it = s.numbers.find(std::string(key));
    return it != s.numbers.end() && it->second != 0;
  };
  const std::string_view wrong = law::key_of_place(law, spec, given);
  if (!wrong.empty())
    d.complain(s.path + "." + std::string(wrong),
               fmt::format("'{}' is a rate without a value, {}: a {} can only {}", c.name,
                           to_text(c.row), law.type->name, law::act_on_rate(*law.type, spec)));
}

/// Complains of numbers that contradict each other.
void check_spec(Draft& d, const LawSpec& s, const law::Law& law, const joint::Coordinate& c,
                const double* numbers) {
  if (!c.row.holonomic()) check_rate(d, s, law, c, law.type->constraint(law, numbers, 0));
  if (!law.type->faults) return;
  const law::Given given{
      s.name, c.name, [&](std::string_view key) { return s.numbers.contains(std::string(key)); }};
  for (const law::Fault& f : law.type->faults(law, numbers, given))
    d.complain(f.key.empty() ? s.path : s.path + "." + f.key, f.text);
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
  d.check_live(s.drive->signal.live_names(), s.path + of_level(s.drive->level));
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

void check_force(Draft& d, const LawSpec& s, const law::Type& type) {
  if (type.takes_force != s.force.has_value())
    return d.complain(
        s.path, fmt::format("law '{}': a {} {}", s.name, type.name,
                            type.takes_force ? "needs a `force`" : "has no `force` of its own"));
  if (s.force) d.check_live(s.force->live_names(), s.path + ".force");
  const std::string text = s.force ? wrong_signal(*s.force) : "";
  if (!text.empty())
    d.complain(s.path + ".force", fmt::format("the force of law '{}': {}", s.name, text));
}

void check_function(Draft& d, const LawSpec& s, const law::Type& type) {
  if (s.function && type.function.name.empty())
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

std::optional<law::Law> make_law(Draft& d, const LawSpec& s, const joint::Coordinate& on) {
  const law::Type* type = s.own_type ? s.own_type : law::find_type(s.type);
  if (!type) {
    std::vector<std::string> known;
    for (const law::Type* t : law::types()) known.emplace_back(t->name);
    d.complain(s.path + ".type",
               fmt::format("there is no law '{}'{}", s.type, units::did_you_mean(s.type, known)));
    return {};
  }
  if (!type->constraint || type->rows < 1 || type->rows > 3 || (type->rows > 1 && !type->further)) {
    d.complain(s.path + ".type",
               fmt::format("law '{}': its type '{}' must say what it specifies for each of its one "
                           "to three rows",
                           s.name, type->name));
    return {};
  }
  const std::size_t before = d.problems.size();
  const std::vector<double> numbers = numbers_of(d, s, *type);
  check_drive(d, s, *type);
  check_force(d, s, *type);
  check_function(d, s, *type);
  if (d.problems.size() > before) return {};
  law::Law law;
  law.type = type;
  if (s.drive) law.drive = type->velocity_only ? *s.drive : integrated(*s.drive);
  law.function = s.function;
  if (s.force) law.force = *s.force;
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
    if (!joints.contains(l.joint))
      complain(l.path + ".joint", fmt::format("there is no joint '{}'{}", l.joint,
                                              units::did_you_mean(l.joint, joint_names)));
    else if (const int j = made_joint(l.joint); j >= 0)
      laws_of[at(j)].push_back(&l);
  }
}

}  // namespace trammel::model
