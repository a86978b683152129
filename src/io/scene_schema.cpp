// Writes the description of scenes for other readers: the manual's tables, JSON Schema.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "io/scene.h"
#include "io/scene_keys.h"
#include "model/shape.h"

namespace trammel::io {

using Kind = Form::Kind;

namespace {

std::string with_unit(const units::Dimension& d) {
  const std::string unit = units::symbol(d);
  return unit.empty() ? units::name(d) : fmt::format("{} [{}]", units::name(d), unit);
}

std::string measure(const Form& f) {
  switch (f.of) {
    case Of::fixed:
      return with_unit(f.dimension);
    case Of::x:
      return "a quantity like the coordinate";
    case Of::rate:
      return "a rate of the coordinate";
    case Of::rate2:
      return "an acceleration of the coordinate";
    case Of::force:
      return "a force or torque";
    case Of::force_per_x:
      return "a force or torque by the coordinate";
    case Of::any:
      return "a quantity";
    case Of::force_per_rate:
      break;
  }
  return "a force or torque by the rate of the coordinate";
}

std::string range(const Form& f) {
  std::string out;
  const auto shown = [&](double x) {
    return x == 0 || f.of != Of::fixed ? fmt::format("{}", x)
                                       : units::format_quantity(x, f.dimension);
  };
  if (std::isfinite(f.above)) out += fmt::format(", greater than {}", shown(f.above));
  if (std::isfinite(f.most)) out += fmt::format(", at most {}", shown(f.most));
  return out + (f.infinite ? " or \"inf\"" : "");
}

std::string choice(const Form& f) {
  if (f.choices.empty()) return "a text";
  const std::string quote = f.kind == Kind::integer ? "" : "\"";
  std::string out;
  for (const std::string& c : f.choices) out += (out.empty() ? "" : " | ") + quote + c + quote;
  return out;
}

std::string list_of(const Form& f) {
  const std::string inner = describe(f.each[0]);
  const std::size_t article = inner.starts_with("a ") ? 2 : inner.starts_with("an ") ? 3 : 0;
  const std::string one = inner.substr(article);
  if (f.counts.empty()) return fmt::format("a list, each {}", inner);
  return fmt::format("a list of {} x {}", fmt::join(f.counts, " or "), one);
}

}  // namespace

std::string describe(const Form& f) {
  switch (f.kind) {
    case Kind::flag:
      return "true or false";
    case Kind::integer:
    case Kind::text:
      return choice(f);
    case Kind::color:
      return "a colour";
    case Kind::name:
      return "a name";
    case Kind::quantity:
      return measure(f) + range(f);
    case Kind::parameter:
      return f.family ? "a quantity, a formula of other parameters, or {value, ...}"
                      : "a quantity, or a formula of other parameters";
    case Kind::direction:
      return "a direction [x, y, z]";
    case Kind::signal:
      return measure(f) + ", or a signal";
    case Kind::drive:
      return measure(f) + ", or a signal or drive";
    case Kind::force:
      return "a formula of x, v and t";
    case Kind::profile:
      return "a formula of x";
    case Kind::motion:
      return measure(f) + ", or a formula of the motion";
    case Kind::placing:
      return measure(f) + ", or a formula of the coordinates";
    case Kind::measured:
      return "a number, or a formula of channels";
    case Kind::list:
      return list_of(f);
    case Kind::partial:
      return "tables of keys of elements";
    case Kind::items:
      return "a list of quantities or texts";
    case Kind::map:
      return fmt::format("a table {{{} = {}, ...}}", f.each[0].of == Of::any ? "name" : "row",
                         describe(f.each[0]));
    case Kind::table:
      break;
  }
  return fmt::format("a table of {}", f.family->name);
}

namespace {

/// One line of the manual: a key, or several that tell tables of one kind apart.
struct Line {
  const Key* key;
  std::string names, value;
  std::vector<std::string> tables;  // that it belongs to
};

std::string label(const Table& t) { return t.value.empty() ? t.tag : t.value; }

/// The values of a key; those that tell the tables of a family apart are known only there.
std::string value_of(const Family& family, const Table& t, const Key& key) {
  if (key.name != t.tag || t.value.empty()) return describe(key.form);
  Form f = key.form;
  f.choices.clear();
  for (const Table& other : family.tables) f.choices.push_back(other.value);
  return describe(f);
}

std::vector<Line> lines_of(const Family& family) {
  std::vector<Line> out;
  for (const Table& t : family.tables)
    for (const Key& k : t.keys) {
      const std::string value = value_of(family, t, k);
      const bool tag = k.name == t.tag && t.value.empty();
      const auto same = [&](const Line& l) {
        const bool name = l.key->name == k.name || (tag && l.tables.front() == l.key->name);
        return name && l.key->doc == k.doc && l.value == value;
      };
      auto it = std::find_if(out.begin(), out.end(), same);
      if (it == out.end()) it = out.insert(it, {&k, fmt::format("`{}`", k.name), value, {}});
      if (it->key->name != k.name) it->names += fmt::format(", `{}`", k.name);
      it->tables.push_back(label(t));
    }
  return out;
}

std::string escaped(std::string text, char what, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, 1, by);
  return text;
}

std::string rules_of(const Family& family) {
  std::string out;
  for (const Table& t : family.tables)
    for (const Rule& r : t.rules) {
      const std::string first = fmt::format("`{}`", r.keys[0]),
                        rest = fmt::format("`{}`",
                                           fmt::join(r.keys.begin() + 1, r.keys.end(), "`, `"));
      std::string line =
          r.kind == Rule::Kind::one     ? fmt::format("- one of {}, {}\n", first, rest)
          : r.kind == Rule::Kind::any   ? fmt::format("- at least one of {}, {}\n", first, rest)
          : r.kind == Rule::Kind::needs ? fmt::format("- {} goes with {}\n", first, rest)
                                        : fmt::format("- at most one of {}, {}\n", first, rest);
      if (out.find(line) == std::string::npos) out += line;
    }
  return out.empty() ? out : "\n" + out;
}

std::string reference(const Family& family) {
  const bool several = family.tables.size() > 1;
  std::string out =
      fmt::format("### {}\n\n{}{}", family.name, family.doc, family.doc.empty() ? "" : "\n\n");
  out += several ? "| key | value | default | of | |\n|---|---|---|---|---|\n"
                 : "| key | value | default | |\n|---|---|---|---|\n";
  for (const Line& line : lines_of(family)) {
    const Key& k = *line.key;
    const std::string fallback = k.fallback.empty() || k.fallback == kRequired
                                     ? k.fallback
                                     : fmt::format("`{}`", k.fallback);
    const bool all = line.tables.size() == family.tables.size();
    out += fmt::format("| {} | {} | {} | {}{}{} |\n", line.names, escaped(line.value, '|', "or"),
                       fallback,
                       several ? (all ? "" : fmt::format("{}", fmt::join(line.tables, ", "))) : "",
                       several ? " | " : "", k.doc);
  }
  return out + rules_of(family);
}

std::string quoted(std::string text) {
  return "\"" + escaped(escaped(std::move(text), '\\', "\\\\"), '"', "\\\"") + "\"";
}

std::string definition(const Family& f) {
  return fmt::format(R"({{"$ref": "#/$defs/{}"}})", f.name);
}

std::string schema(const Form& f);

std::string number_or_text(const Form& f) {
  std::string number = R"("type": "number")";
  if (std::isfinite(f.above)) number += fmt::format(R"(, "exclusiveMinimum": {})", f.above);
  if (std::isfinite(f.most)) number += fmt::format(R"(, "maximum": {})", f.most);
  return fmt::format(R"({{{}}}, {{"type": "string"}})", number);
}

std::string list_schema(const Form& f) {
  std::string out = fmt::format(R"({{"type": "array", "items": {})", schema(f.each[0]));
  if (!f.counts.empty())
    out += fmt::format(R"(, "minItems": {}, "maxItems": {})", f.counts.front(), f.counts.back());
  out += "}";
  return f.each[0].kind == Kind::text
             ? fmt::format(R"({{"anyOf": [{}, {}]}})", schema(f.each[0]), out)
             : out;
}

/// One of the names, or a hexadecimal one, or a text with {names} of a repetition.
std::string color_schema() {
  std::vector<std::string_view> names;
  for (const model::NamedColor& c : model::named_colors()) names.push_back(c.name);
  return fmt::format(
      R"({{"anyOf": [{{"enum": ["{}"]}}, {{"type": "string", "pattern": "[#{{]"}}]}})",
      fmt::join(names, R"(", ")"));
}

std::string schema(const Form& f) {
  switch (f.kind) {
    case Kind::flag:
      return R"({"type": "boolean"})";
    case Kind::integer:
      return fmt::format(R"({{"enum": [{}]}})", fmt::join(f.choices, ", "));
    case Kind::text:
      return f.choices.empty()
                 ? R"({"type": "string"})"
                 : fmt::format(R"({{"enum": ["{}"]}})", fmt::join(f.choices, R"(", ")"));
    case Kind::color:
      return color_schema();
    case Kind::name:
    case Kind::force:
    case Kind::profile:
      return R"({"type": "string", "minLength": 1})";
    case Kind::motion:
    case Kind::placing:
    case Kind::quantity:
    case Kind::measured:
      return fmt::format(R"({{"anyOf": [{}]}})", number_or_text(f));
    case Kind::parameter:
      return f.family
                 ? fmt::format(R"({{"anyOf": [{}, {}]}})", number_or_text(f), definition(*f.family))
                 : fmt::format(R"({{"anyOf": [{}]}})", number_or_text(f));
    case Kind::direction:
      return R"({"type": "array", "items": {"anyOf": [{"type": "number"}, {"type": "string"}]}, "minItems": 3, "maxItems": 3})";
    case Kind::signal:
      return fmt::format(R"({{"anyOf": [{}, {}]}})", number_or_text(f),
                         definition(signal_family()));
    case Kind::drive:
      return fmt::format(R"({{"anyOf": [{}, {}, {}]}})", number_or_text(f),
                         definition(signal_family()), definition(drive_family()));
    case Kind::list:
      return list_schema(f);
    case Kind::partial:
      return R"({"type": "object"})";
    case Kind::items:
      return R"({"type": "array", "items": {"type": ["number", "string"]}})";
    case Kind::map:
      return fmt::format(R"({{"type": "object", "additionalProperties": {}}})", schema(f.each[0]));
    case Kind::table:
      break;
  }
  return definition(*f.family);
}

/// The forms of one key and what it means.
std::string property(const Table& t, const Key& key) {
  std::vector<std::string> forms;
  for (const Key& k : t.keys)
    if (k.name == key.name) forms.push_back(schema(k.form));
  const std::string all =
      forms.size() == 1 ? forms[0] : fmt::format(R"({{"anyOf": [{}]}})", fmt::join(forms, ", "));
  const std::string note =
      key.doc.empty() ? describe(key.form) : fmt::format("{}; {}", describe(key.form), key.doc);
  return fmt::format(R"("{}": {{"description": {}, "allOf": [{}]}})", key.name, quoted(note), all);
}

std::string object(const Table& t) {
  std::vector<std::string> properties, needed;
  for (const Key& k : t.keys) {
    if (t.key(k.name) != &k) continue;  // the second form of a key
    if (k.name == t.tag && !t.value.empty())
      properties.push_back(fmt::format(R"("{}": {{"const": "{}"}})", k.name, t.value));
    else
      properties.push_back(property(t, k));
    if (k.fallback == kRequired || (k.name == t.tag && (t.value.empty() || t.value != k.fallback)))
      needed.push_back("\"" + k.name + "\"");
  }
  return fmt::format(
      "{{\"type\": \"object\", \"additionalProperties\": false, \"required\": [{}], "
      "\"properties\": {{\n      {}}}}}",
      fmt::join(needed, ", "), fmt::join(properties, ",\n      "));
}

std::string definition_of(const Family& family) {
  std::vector<std::string> objects;
  for (const Table& t : family.tables) objects.push_back(object(t));
  const std::string all = objects.size() == 1
                              ? objects[0]
                              : fmt::format("{{\"anyOf\": [{}]}}", fmt::join(objects, ",\n    "));
  return fmt::format("  \"{}\": {}", family.name, all);
}

}  // namespace

std::string key_reference() {
  std::string out;
  for (const Family* f : scene_families()) out += (out.empty() ? "" : "\n") + reference(*f);
  return out;
}

std::string json_schema() {
  std::vector<std::string> definitions;
  for (const Family* f : scene_families()) definitions.push_back(definition_of(*f));
  return fmt::format(
      "{{\n\"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n\"title\": \"Trammel "
      "scene, format 1\",\n"
      "\"$ref\": \"#/$defs/scene\",\n\"$defs\": {{\n{}\n}}\n}}\n",
      fmt::join(definitions, ",\n"));
}

}  // namespace trammel::io
