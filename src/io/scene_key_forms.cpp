// Keys that may have several forms, and what is said where none fits.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "io/scene_walk.h"

namespace trammel::io {

namespace {
/// Whether a form takes a value of this type, to choose between two forms of one key.
bool takes(const Form& form, toml::node_type type) {
  const bool number = type == toml::node_type::integer || type == toml::node_type::floating_point;
  switch (form.kind) {
    case Form::Kind::flag:
      return type == toml::node_type::boolean;
    case Form::Kind::integer:
      return number;
    case Form::Kind::text:
    case Form::Kind::color:
    case Form::Kind::name:
    case Form::Kind::force:
    case Form::Kind::profile:
      return type == toml::node_type::string;
    case Form::Kind::motion:
    case Form::Kind::placing:
    case Form::Kind::quantity:
    case Form::Kind::measured:
      return number || type == toml::node_type::string;
    case Form::Kind::parameter:
      return number || type == toml::node_type::string || type == toml::node_type::table;
    case Form::Kind::signal:
    case Form::Kind::drive:
      return number || type == toml::node_type::string || type == toml::node_type::table;
    case Form::Kind::direction:
    case Form::Kind::list:
      return type == toml::node_type::array;
    case Form::Kind::items:
      return type == toml::node_type::array;
    case Form::Kind::map:
    case Form::Kind::table:
    case Form::Kind::partial:
      break;
  }
  return type == toml::node_type::table;
}

/// A form, and of a table what stands in it in any case.
std::string in_full(const Form& form) {
  std::vector<std::string> names;
  if (form.kind == Form::Kind::table && form.family->tables.size() == 1)
    for (const Key& key : form.family->tables[0].keys)
      if (key.fallback == kRequired) names.push_back(key.name + " = ...");
  const std::string keys = fmt::format(" {{{}}}", fmt::join(names, ", "));
  return describe(form) + (names.empty() ? "" : keys);
}
}  // namespace

Value Walker::read_key(const toml::node& node, const Key& key, const Table& table,
                       const std::string& path) {
  std::string forms;
  for (const Key& k : table.keys) {
    if (k.name != key.name) continue;
    if (takes(k.form, node.type())) return read(node, k.form, path);
    forms += (forms.empty() ? "" : ", or ") + describe(k.form);
  }
  if (forms == describe(key.form)) return read(node, key.form, path);
  complain(node, path, fmt::format("found {}, {} is needed", type_name(node), forms));
  Value out;
  out.path = path;
  out.sound = false;
  return out;
}

bool Walker::is(const toml::node& node, toml::node_type type, const Form& form,
                const std::string& path) {
  if (node.type() == type) return true;
  complain(node, path, fmt::format("found {}, {} is needed", type_name(node), in_full(form)));
  return false;
}

}  // namespace trammel::io
