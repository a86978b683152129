#include "io/scene_override.h"

#include <fmt/format.h>

#include <charconv>

#include "io/scene_text.h"
#include "units/nearest.h"

namespace trammel::io {

namespace {

/// A step into a node: a key, the name of an element, or an index in brackets.
std::string_view next_part(std::string_view& path) {
  if (path.starts_with('.')) path.remove_prefix(1);
  const bool index = path.starts_with('[');
  const std::size_t end = index ? std::min(path.find(']'), path.size() - 1) + 1
                                : std::min(path.find_first_of(".["), path.size());
  const std::string_view part = path.substr(0, end);
  path.remove_prefix(end);
  return part;
}

toml::node* element(toml::array& array, std::string_view part, std::string& problem) {
  if (part.starts_with('[')) {
    std::size_t i = array.size();
    std::from_chars(part.data() + 1, part.data() + part.size(), i);
    if (i < array.size()) return array.get(i);
    problem = fmt::format("there is no element {}: there are {}, from 0", part, array.size());
    return nullptr;
  }
  std::vector<std::string> known;
  for (toml::node& n : array)
    if (const toml::table* t = n.as_table()) {
      known.push_back((*t)["name"].value_or(std::string()));
      if (known.back() == part) return &n;
    }
  problem = fmt::format("there is no element '{}'{}", part, units::did_you_mean(part, known));
  return nullptr;
}

/// {v = value}: a number, a flag, a list or a table as TOML has it; anything else is a text.
toml::table parsed(const std::string& value) {
  if (value.find_first_of("\n\r") == std::string::npos && !check_text(value)) {
    try {
      toml::table out = toml::parse("v = " + value);
      if (out.size() == 1) return out;
    } catch (const toml::parse_error&) {
    }
  }
  return toml::table{{"v", value}};
}

/// Goes down a path and writes at its end; what is missing on the way is made. Returns a problem,
/// or nothing.
class Writer {
 public:
  Writer(const Override& set, Findings& findings)
      : set_(set), label_(fmt::format("--set {}={}", set.path, set.value)), findings_(findings) {}

  void write(toml::table& root) {
    std::string_view rest = set_.path;
    toml::node* node = &root;
    while (problem_.empty() && !rest.empty()) {
      const std::string_view part = next_part(rest);
      done_ = std::string_view(set_.path).substr(0, set_.path.size() - rest.size());
      if (part.empty())
        problem_ = "a path is needed, like body.car.mass";
      else if (toml::table* table = node->as_table())
        node = in_table(*table, part, rest.empty());
      else if (toml::array* array = node->as_array())
        node = in_array(*array, part, rest.empty());
      else
        problem_ = fmt::format("'{}' is not a part of {}", part, type_name(*node));
    }
    if (problem_.empty() && set_.path.empty()) problem_ = "a path is needed, like body.car.mass";
    if (!problem_.empty())
      findings_.problems.push_back({label_, 0, 0, std::string(done_), problem_});
  }

 private:
  toml::node* in_table(toml::table& table, std::string_view part, bool last) {
    if (part.starts_with('[')) {
      problem_ = fmt::format("a key is needed, not {}", part);
      return nullptr;
    }
    toml::node* found = table.get(part);
    if (found && !last) return found;
    findings_.overridden[std::string(done_)] = label_;
    // a parameter that has a range keeps it
    toml::table* ranged =
        last && set_.path.starts_with("parameters.") && found ? found->as_table() : nullptr;
    if (ranged && !parsed(set_.value).get("v")->is_table())
      ranged->insert_or_assign("value", std::move(*parsed(set_.value).get("v")));
    else if (last)
      table.insert_or_assign(part, std::move(*parsed(set_.value).get("v")));
    else
      table.insert_or_assign(part, toml::table{});
    return table.get(part);
  }

  toml::node* in_array(toml::array& array, std::string_view part, bool last) {
    toml::node* found = element(array, part, problem_);
    if (!found || !last) return found;
    findings_.overridden[std::string(done_)] = label_;
    const auto at = array.begin() + (found_index(array, found));
    array.replace(at, std::move(*parsed(set_.value).get("v")));
    return nullptr;
  }

  static std::ptrdiff_t found_index(toml::array& array, const toml::node* node) {
    std::ptrdiff_t i = 0;
    while (&array[static_cast<std::size_t>(i)] != node) ++i;
    return i;
  }

  const Override& set_;
  std::string label_, problem_;
  std::string_view done_;
  Findings& findings_;
};

}  // namespace

void apply(std::span<const Override> overrides, toml::table& root, Findings& findings) {
  for (const Override& set : overrides) Writer(set, findings).write(root);
}

}  // namespace trammel::io
