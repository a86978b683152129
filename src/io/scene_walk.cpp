#include "io/scene_walk.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "io/scene_renamed.h"
#include "units/nearest.h"

namespace trammel::io {

Place place_of(const toml::source_region& r) {
  return {static_cast<int>(r.begin.line), static_cast<int>(r.begin.column)};
}

namespace {

std::vector<std::string> texts(const toml::table& table, std::string_view key) {
  std::vector<std::string> out;
  if (const toml::array* list = table[key].as_array())
    for (const toml::node& n : *list)
      if (const auto text = n.value<std::string>()) out.push_back(*text);
  return out;
}

const joint::Coordinate* named(const std::vector<joint::Coordinate>& list, std::string_view name) {
  const auto it =
      std::find_if(list.begin(), list.end(), [&](const auto& c) { return c.name == name; });
  return it == list.end() ? nullptr : &*it;
}

/// The tables of a family that a key belongs to, by what tells them apart.
std::vector<std::string> homes(const Family& family, std::string_view key) {
  std::vector<std::string> out;
  for (const Table& t : family.tables)
    if (t.key(key)) out.push_back(t.value.empty() ? t.tag : t.value);
  return out;
}

std::string joined(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

/// "joint.coordinate" taken apart.
std::string joint_of(const std::string& text) { return text.substr(0, text.find('.')); }

std::optional<units::Dimension> dimension_of(const JointTables& joints, const std::string& text) {
  const auto joint = joints.find(joint_of(text));
  if (joint == joints.end()) return {};
  return dimension_of(joint->second.table,
                      text.substr(std::min(text.find('.'), text.size() - 1) + 1));
}

/// Couplings go by name as joints do; their row has the unit of their first coordinate.
void add_couplings(const toml::table& root, JointTables& out) {
  const toml::array* couplings = root["coupling"].as_array();
  if (!couplings) return;
  for (const toml::node& node : *couplings) {
    const toml::table* t = node.as_table();
    if (!t) continue;
    const std::vector<std::string> of = texts(*t, "of");
    if (of.empty()) continue;
    if (!out.contains(joint_of(of[0]))) continue;
    const auto d = dimension_of(out, of[0]);
    const auto unit = d && *d == units::kLength ? joint::Unit::metre : joint::Unit::radian;
    out.try_emplace((*t)["name"].value_or(std::string()),
                    joint::ParsedTable{joint::coupling_table(unit), {}});
  }
}

JointTables joint_tables(const toml::table& root) {
  JointTables out;
  const toml::array* joints = root["joint"].as_array();
  if (!joints) return out;
  for (const toml::node& node : *joints) {
    const toml::table* t = node.as_table();
    if (!t) continue;
    const std::string name = (*t)["name"].value_or(std::string());
    if (const joint::Table* known = joint::find_table((*t)["type"].value_or(std::string_view())))
      out.try_emplace(name, joint::ParsedTable{*known, {}});
    else if (t->contains("rows"))
      out.try_emplace(name, joint::make_table(name, texts(*t, "rows"), texts(*t, "terms"),
                                              texts(*t, "coordinates")));
  }
  add_couplings(root, out);
  return out;
}

std::optional<units::Dimension> dimension_of(const joint::Table& table, std::string_view name) {
  const joint::Coordinate* c = named(table.coordinates, name);
  if (!c) c = named(table.rows, name);
  if (!c && name.empty() && table.coordinates.size() == 1) c = &table.coordinates.front();
  if (!c && name.empty() && table.rows.size() == 1) c = &table.rows.front();
  const auto row = c ? std::optional(c->row) : joint::parse_row(name);
  if (!row) return {};
  switch (row->unit()) {
    case joint::Unit::one:
      return units::kRatio;
    case joint::Unit::metre:
      return units::kLength;
    case joint::Unit::square_metre:
      return units::kArea;
    case joint::Unit::radian:
      break;
  }
  return units::kAngle;
}

void Walker::complain(const toml::node& node, const std::string& path, std::string text) {
  findings_.complain(path, place_of(node.source()), std::move(text));
}

Value Walker::read_table(const toml::table& table, const Family& family, const std::string& path) {
  Value out;
  out.path = path;
  out.given = true;
  const std::size_t before = findings_.problems.size();
  if (family.element) joint_ = nullptr;
  if (family.on_coordinate || family.name == "joint" || family.name == "coupling")
    set_coordinate(table, family);
  out.table = choose(table, family, path);
  if (out.table) {
    read_keys(table, family, out);
    check_rules(table, out);
  }
  if (family.element || family.on_coordinate) x_.reset();
  out.sound = findings_.problems.size() == before;
  return out;
}

/// Which joint and coordinate this element is about, so far as can be seen yet.
void Walker::set_coordinate(const toml::table& table, const Family& family) {
  const std::string_view key = family.on_coordinate ? "joint" : "name";
  const auto it = joints_.find(table[key].value_or(std::string_view()));
  joint_ = it == joints_.end() ? nullptr : &it->second.table;
  if (joint_ && family.name != "joint")  // a coupling is its own coordinate
    x_ = dimension_of(*joint_, table["coordinate"].value_or(std::string_view()));
  const std::vector<std::string> of = texts(table, "of");
  followed_ = of.empty() ? std::nullopt : dimension_of(joints_, of.back());
}

const Table* Walker::choose(const toml::table& table, const Family& family,
                            const std::string& path) {
  if (family.tables.size() == 1) return &family.tables.front();
  const Table& first = family.tables.front();
  if (first.value.empty()) {
    std::vector<std::string> tags;
    for (const Table& t : family.tables) {
      if (table.contains(t.tag)) return &t;
      tags.push_back(t.tag);
    }
    std::string hint;
    for (const auto& [key, node] : table)
      if (const auto found = units::nearest(key.str(), tags))
        hint = fmt::format("; did you mean '{}'?", *found);
    complain(table, path, fmt::format("one of {} is needed{}", joined(tags), hint));
    return nullptr;
  }
  const toml::node* tag = table.get(first.tag);
  const auto given = tag ? tag->value<std::string>() : std::nullopt;
  if (!tag && first.key(first.tag)->fallback != kRequired) return &first;
  if (!given) {
    if (tag)
      complain(*tag, path + "." + first.tag,
               fmt::format("found {}, a text is needed", type_name(*tag)));
    else
      complain(table, path,
               fmt::format("'{}' is missing: {}", first.tag, first.key(first.tag)->doc));
    return nullptr;
  }
  for (const Table& t : family.tables)
    if (t.value == *given) return &t;
  std::vector<std::string> known;
  for (const Table& t : family.tables) known.push_back(t.value);
  complain(*tag, path + "." + first.tag,
           fmt::format("'{}' is no {} of {}{}", *given, first.tag, family.name,
                       units::did_you_mean(*given, known)));
  return nullptr;
}

void Walker::complain_unknown(const toml::key& key, const Family& family, const Value& out) {
  const std::string name(key.str());
  std::string text;
  if (const auto others = homes(family, name); !others.empty()) {
    text =
        fmt::format("'{}' does not go with {}: it belongs to {}", name,
                    out.table->value.empty() ? out.table->tag : out.table->value, joined(others));
  } else if (const std::string_view now = renamed(name); !now.empty()) {
    text = fmt::format("'{}' is now called '{}'", name, now);
  } else {
    std::vector<std::string> known;
    for (const Key& k : out.table->keys)
      if (std::find(known.begin(), known.end(), k.name) == known.end()) known.push_back(k.name);
    text = fmt::format("unknown key '{}'{}", name, units::did_you_mean(name, known));
  }
  findings_.complain(out.path.empty() ? name : out.path + "." + name, place_of(key.source()),
                     std::move(text));
}

void Walker::read_keys(const toml::table& table, const Family& family, Value& out) {
  const auto path_of = [&](const std::string& key) {
    return out.path.empty() ? key : out.path + "." + key;
  };
  for (const auto& [key, node] : table)
    if (!out.table->key(key.str())) complain_unknown(key, family, out);
  for (const Key& key : out.table->keys) {
    if (out.fields.contains(key.name)) continue;  // the other form of the same key
    const std::string path = path_of(key.name);
    if (const toml::node* node = table.get(key.name)) {
      const Value& v =
          out.fields.emplace(key.name, read(*node, form_for(*node, key, *out.table), path))
              .first->second;
      if (&family == &scene_family() && key.name == "parameters") formulas_.add_parameters(v);
      if (&family == &scene_family() && key.name == "data") formulas_.add_data(v);
    } else if (key.fallback == kRequired)
      complain(table, out.path,
               fmt::format("'{}' is missing{}", key.name, key.doc.empty() ? "" : ": " + key.doc));
    else if (!key.fallback.empty())
      out.fields.emplace(key.name, fallback(key, path));
  }
}

void Walker::check_rules(const toml::table& table, Value& out) {
  for (const Rule& rule : out.table->rules) {
    std::vector<std::string> present;
    for (const std::string& key : rule.keys)
      if (table.contains(key)) present.push_back(key);
    if (rule.kind == Rule::Kind::needs) {
      if (present.size() == 1 && present[0] == rule.keys[0])
        complain(*table.get(present[0]), out.path + "." + present[0],
                 fmt::format("'{}' goes with {}", present[0],
                             fmt::join(rule.keys.begin() + 1, rule.keys.end(), " or ")));
    } else if (present.size() > 1) {
      complain(*table.get(present[1]), out.path + "." + present[1],
               fmt::format("'{}' and '{}' exclude each other", present[0], present[1]));
    } else if (present.empty() && rule.kind == Rule::Kind::one) {
      complain(table, out.path, fmt::format("one of {} is needed", joined(rule.keys)));
    }
  }
}

}  // namespace trammel::io
