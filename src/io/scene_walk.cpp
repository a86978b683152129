#include "io/scene_walk.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "io/scene_forms.h"
#include "io/scene_hints.h"
#include "io/scene_renamed.h"
#include "model/system.h"
#include "units/nearest.h"
#include "units/quantity.h"

namespace trammel::io {

Place place_of(const toml::source_region& r) {
  const int file = r.path ? std::atoi(r.path->c_str()) : 0;  // texts are parsed under their number
  return {static_cast<int>(r.begin.line), static_cast<int>(r.begin.column), file};
}

namespace {

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

/// Whether elements stand in a family.
bool is_contents(const Family& family) {
  return &family == &scene_family() || &family == &part_family() || &family == &repeat_family();
}

std::string joined(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

/// Dimension of what "joint.coordinate" names.
std::optional<units::Dimension> dimension_of(const JointTables& joints, const std::string& text) {
  const std::string_view owner =
      owner_in(text, [&](std::string_view name) { return joints.contains(name); });
  const auto joint = joints.find(owner);
  if (joint == joints.end()) return {};
  return dimension_of(joint->second.table,
                      std::string_view(text).substr(std::min(owner.size() + 1, text.size())));
}

void add_coupling(const Element& coupling, const Names& names, JointTables& out) {
  const std::vector<std::string> of =
      Layers(*coupling.table, coupling_family(), *coupling.scope).texts("of");
  if (of.empty()) return;
  const std::string first = names.find(Refers::coordinate, of[0], *coupling.scope);
  const auto d = dimension_of(out, first);
  if (!d) return;
  const auto unit = *d == units::kLength ? joint::Unit::metre : joint::Unit::radian;
  out.try_emplace(coupling.name, joint::ParsedTable{joint::coupling_table(unit), {}});
}

bool has_own_joint(const Element& element, std::string_view family) {
  if (family == "bushing") return true;
  return family == "law" && Layers(*element.table, law_family(), *element.scope).given("b");
}

void add_element(const Element& element, std::string_view family, JointTables& out) {
  if (!has_own_joint(element, family)) return;
  const bool bushing = family == "bushing";
  out.try_emplace(
      element.name,
      joint::ParsedTable{bushing ? *joint::find_table("free") : joint::distance_table(), {}});
}

void add_system(const Element& system, JointTables& out) {
  const Layers t(*system.table, system_family(), *system.scope);
  const toml::node* list = t.given("coordinate");
  const toml::array* coordinates = list ? list->as_array() : nullptr;
  for (std::size_t i = 0; coordinates && i < coordinates->size(); ++i)
    if (const toml::table* c = (*coordinates)[i].as_table()) {
      const Layers of(*c, *system.scope);
      if (!is_name(of.text("name"))) continue;
      out.try_emplace(model::dial_of(system.name, of.text("name")),
                      joint::ParsedTable{*model::dial_table(of.text("unit") != "m"), {}});
    }
}

void add_joint(const Element& joint, JointTables& out) {
  const Layers t(*joint.table, joint_family(), *joint.scope);
  const Table* kind = t.tagged(joint_family());
  if (kind && kind->tag == "rows")
    out.try_emplace(joint.name, joint::make_table(joint.name, t.texts("rows"), t.texts("terms"),
                                                  t.texts("coordinates")));
  else if (const joint::Table* known = joint::find_table(t.text("type")))
    out.try_emplace(joint.name, joint::ParsedTable{*known, {}});
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

Value Walker::read_table(const toml::table& table, const Family& family, const std::string& path,
                         Part part) {
  Value out;
  out.path = path;
  out.given = true;
  const std::size_t before = findings_.problems.size();
  const Layers layers = family.element ? Layers(table, family, *scope_) : Layers(table, *scope_);
  if (family.element) joint_ = nullptr;
  if (family.on_coordinate || &family == &joint_family() || &family == &coupling_family())
    set_coordinate(layers, family);
  out.table = choose(layers, family, path);
  if (out.table) {
    read_keys(layers, family, part, out);
    if (part != Part::contents) check_rules(layers, out);
  }
  if (family.element || family.on_coordinate) x_.reset();
  out.sound = findings_.problems.size() == before;
  return out;
}

Value Walker::read_element(const Element& element, const Family& family) {
  enter(*element.scope);
  element_ = &element;
  findings_.origins.places.try_emplace(element.path, place_of(element.table->source()));
  Value out = read_table(*element.table, family, element.path);
  element_ = nullptr;
  return out;
}

Value Walker::read_head(const toml::table& table, const Family& family, const std::string& path) {
  return read_table(table, family, path, Part::head);
}

Value Walker::read_head(const Element& element, const Family& family) {
  element_ = &element;
  Value out = read_table(*element.table, family, element.path, Part::head);
  element_ = nullptr;
  return out;
}

Value Walker::read_contents(const toml::table& table, const Family& family, const std::string& path,
                            const std::vector<Formulas::Given>& given) {
  given_ = &given;
  if (!table.contains("parameters") && !given.empty()) scope_->formulas.add_parameters({}, given);
  Value out = read_table(table, family, path, Part::contents);
  given_ = nullptr;
  return out;
}

void Walker::check_keys(const toml::table& table, const Family& family) {
  Value out;
  out.table = &family.tables[0];
  for (const auto& [key, node] : table)
    if (!out.table->key(key.str())) complain_unknown(key, family, out);
}

std::vector<const toml::table*> Walker::elements(const toml::node& node, const Key& key,
                                                 const std::string& path) {
  std::vector<const toml::table*> out;
  if (node.is_table()) {
    complain(node, path,
             fmt::format("write [[{}]], with two brackets: there can be several", key.name));
    return out;
  }
  if (!is(node, toml::node_type::array, key.form, path)) return out;
  for (const toml::node& each : *node.as_array())
    if (is(each, toml::node_type::table, key.form.each[0], path)) out.push_back(each.as_table());
  return out;
}

/// Which joint and coordinate this element is about, so far as can be seen yet.
void Walker::set_coordinate(const Layers& layers, const Family& family) {
  const bool own = layers.given("b") || !family.on_coordinate;  // it is its own joint
  const std::string name = !own       ? names_.find(Refers::joint, layers.text("joint"), *scope_)
                           : element_ ? element_->name
                                      : layers.text("name");
  const std::string coordinate = layers.text("coordinate");
  about_ = coordinate.empty() ? name : name + "." + coordinate;
  const auto it = joints_.find(name);
  joint_ = it == joints_.end() ? nullptr : &it->second.table;
  if (joint_ && family.name != "joint")  // a coupling is its own coordinate
    x_ = dimension_of(*joint_, coordinate);
  else if (joint_ && joint_->coordinates.size() == 1)  // of several none is meant
    x_ = dimension_of(*joint_, joint_->coordinates.front().name);
  const std::vector<std::string> of = layers.texts("of");
  followed_ = of.empty()
                  ? std::nullopt
                  : dimension_of(joints_, names_.find(Refers::coordinate, of.back(), *scope_));
}

/// Of a coordinate in the place of a force: `limits` of a joint are forces.
std::string Walker::stop_hint(const Form& form, const std::string& text) const {
  const bool of_joint = element_ && element_->family == &joint_family();
  if (!of_joint || form.of != Of::force || !x_ || !units::parse_quantity(text, *x_)) return "";
  return "; where a coordinate stops say from and to of a [[law]] with type = \"limit\"";
}

const Table* Walker::choose(const Layers& layers, const Family& family, const std::string& path) {
  if (family.tables.size() == 1) return &family.tables.front();
  const Table& first = family.tables.front();
  const toml::table& table = layers.own();
  if (first.value.empty()) {
    if (const Table* t = layers.tagged(family)) return t;
    std::vector<std::string> tags;
    for (const Table& t : family.tables) tags.push_back(t.tag);
    std::string hint;
    for (const auto& [key, node] : table)
      if (const auto found = units::nearest(key.str(), tags))
        hint = fmt::format("; did you mean '{}'?", *found);
    complain(table, path, fmt::format("one of {} is needed{}", joined(tags), hint));
    return nullptr;
  }
  const toml::node* tag = layers.get(first.tag);
  const auto given =
      tag && tag->is_string() ? std::optional(filled(**tag->as_string(), *scope_)) : std::nullopt;
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
  const std::string hint = hint_for(*given, family.name + "." + first.tag);
  complain(*tag, path + "." + first.tag,
           fmt::format("'{}' is no {} of {}{}", *given, first.tag, family.name,
                       hint.empty() ? units::did_you_mean(*given, known) : hint));
  return nullptr;
}

void Walker::complain_unknown(const toml::key& key, const Family& family, const Value& out) {
  const std::string name(key.str());
  std::string text;
  if (const std::string hint = hint_for(name, is_contents(family) ? "scene" : family.name);
      !hint.empty()) {
    text = fmt::format("unknown key '{}'{}", name, hint);
  } else if (const auto others = homes(family, name); !others.empty()) {
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

void Walker::read_keys(const Layers& layers, const Family& family, Part part, Value& out) {
  const auto path_of = [&](const std::string& key) {
    return out.path.empty() ? key : out.path + "." + key;
  };
  if (part != Part::contents)
    for (const auto& [key, node] : layers.own())
      if (!out.table->key(key.str())) complain_unknown(key, family, out);
  for (const Key& key : out.table->keys) {
    if (part != Part::all && (key.content != (part == Part::contents) || is_elements(key)))
      continue;
    if (out.fields.contains(key.name)) continue;  // the other form of the same key
    const std::string path = path_of(key.name);
    if (const toml::node* node = layers.get(key.name, *out.table)) {
      const Value& v =
          out.fields.emplace(key.name, read_key(*node, key, *out.table, path)).first->second;
      if (part == Part::contents && key.name == "parameters")
        scope_->formulas.add_parameters(v, *given_);
      if (part == Part::contents && key.name == "data") scope_->formulas.add_data(v);
    } else if (key.fallback == kRequired)
      complain(layers.own(), out.path,
               fmt::format("'{}' is missing{}", key.name, key.doc.empty() ? "" : ": " + key.doc));
    else if (!key.fallback.empty())
      out.fields.emplace(key.name, fallback(key, path));
  }
}

void Walker::check_rules(const Layers& layers, Value& out) {
  for (const Rule& rule : out.table->rules) {
    std::vector<std::string> present;
    for (const std::string& key : rule.keys)
      if (layers.get(key, *out.table)) present.push_back(key);
    const auto node = [&](std::size_t i) -> const toml::node& { return *layers.get(present[i]); };
    if (rule.kind == Rule::Kind::needs) {
      if (present.size() == 1 && present[0] == rule.keys[0])
        complain(node(0), out.path + "." + present[0],
                 fmt::format("'{}' goes with {}", present[0],
                             fmt::join(rule.keys.begin() + 1, rule.keys.end(), " or ")));
    } else if (present.size() > 1 && rule.kind != Rule::Kind::any) {
      complain(node(1), out.path + "." + present[1],
               fmt::format("'{}' and '{}' exclude each other", present[0], present[1]));
    } else if (present.empty() && rule.kind != Rule::Kind::at_most_one) {
      complain(layers.own(), out.path, fmt::format("one of {} is needed", joined(rule.keys)));
    }
  }
}

namespace {
std::string unknown_default(const std::string& name, const std::string& family,
                            const std::vector<std::string>& known) {
  const std::string hint = hint_for(name, family);
  return fmt::format("unknown key '{}' of {}{}", name, family,
                     hint.empty() ? units::did_you_mean(name, known) : hint);
}
}  // namespace

/// Keys that no element of the family, or of the kind, has.
void Walker::check_defaults(const toml::table& given, const Family& family, const Table* table,
                            const std::string& path) {
  const std::vector<std::string> kinds = table ? std::vector<std::string>() : kinds_of(family);
  for (const auto& [key, node] : given) {
    const std::string name(key.str());
    const auto kind = std::find(kinds.begin(), kinds.end(), name);
    if (node.is_table() && kind != kinds.end()) {
      const auto special = std::find_if(family.tables.begin(), family.tables.end(),
                                        [&](const Table& t) { return t.value == name; });
      const Table* of = special == family.tables.end() ? &family.tables.front() : &*special;
      check_defaults(*node.as_table(), family, of, path + "." + name);
      continue;
    }
    std::vector<std::string> known = kinds;
    for (const Table& t : family.tables)
      if (!table || &t == table)
        for (const Key& k : t.keys) known.push_back(k.name);
    const bool good = name != "name" && std::find(known.begin(), known.end(), name) != known.end();
    if (!good)
      findings_.complain(path + "." + name, place_of(key.source()),
                         name == "name" ? "a name is no default: every element has its own"
                                        : unknown_default(name, family.name, known));
  }
}

namespace {
std::string like_or_hint(const std::string& name, const std::vector<std::string>& known) {
  const std::string hint = hint_for(name, "scene");
  return hint.empty() ? units::did_you_mean(name, known) : hint;
}
}  // namespace

void Walker::read_defaults(const toml::node& node, Value& out) {
  const auto* list = node.as_table();
  if (!list) return complain(node, out.path, "found no table: write [defaults.body], ...");
  std::vector<std::string> known;
  for (const Key& key : scene_family().tables[0].keys)
    if (is_elements(key)) known.push_back(key.name);
  for (const auto& [key, each] : *list) {
    const std::string name(key.str()), path = out.path + "." + name;
    const bool good = std::find(known.begin(), known.end(), name) != known.end();
    if (!good)
      findings_.complain(
          path, place_of(key.source()),
          fmt::format("there are no elements '{}'{}", name, like_or_hint(name, known)));
    else if (const toml::table* given = each.as_table())
      check_defaults(*given, *scene_family().tables[0].key(name)->form.each[0].family, nullptr,
                     path);
    else
      complain(each, path, fmt::format("found {}, a table is needed", type_name(each)));
  }
}

}  // namespace trammel::io
