#include "io/scene_override.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

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

std::string label(const Override& set) { return fmt::format("--set {}={}", set.path, set.value); }

void complain(const Override& set, std::string path, std::string text, Findings& findings) {
  findings.problems.push_back({label(set), 0, 0, std::move(path), std::move(text)});
}

/// Goes down a path and writes at its end; what is missing on the way is made.
class Writer {
 public:
  Writer(const Override& set, Findings& findings) : set_(set), findings_(findings) {}

  /// From a node on, whose path is `at`; `rest` is what is left of the override's path there.
  void write(toml::node* node, std::string_view rest, std::string at) {
    done_ = std::move(at);
    while (problem_.empty() && !rest.empty()) {
      const std::size_t before = rest.size();
      const std::string_view part = next_part(rest), full = set_.path;
      done_ += full.substr(full.size() - before, before - rest.size());
      if (part.empty())
        problem_ = "a path is needed, like body.car.mass";
      else if (toml::table* table = node->as_table())
        node = in_table(*table, part, rest.empty());
      else if (toml::array* array = node->as_array())
        node = in_array(*array, part, rest.empty());
      else
        problem_ = fmt::format("'{}' is not a part of {}", part, type_name(*node));
    }
    if (!problem_.empty()) complain(set_, done_, problem_, findings_);
  }

 private:
  toml::node* in_table(toml::table& table, std::string_view part, bool last) {
    if (part.starts_with('[')) {
      problem_ = fmt::format("a key is needed, not {}", part);
      return nullptr;
    }
    toml::node* found = table.get(part);
    if (found && !last) return found;
    if (!found && done_.starts_with("parameters.")) {  // nothing could name a new one
      problem_ = no_parameter(table, part);
      return nullptr;
    }
    findings_.origins.overridden[done_] = label(set_);
    // a parameter that has a range keeps it
    const bool parameter = set_.path.find("parameters.") != std::string::npos;
    toml::table* ranged = last && parameter && found ? found->as_table() : nullptr;
    if (ranged && !parsed(set_.value).get("v")->is_table())
      ranged->insert_or_assign("value", std::move(*parsed(set_.value).get("v")));
    else if (last)
      table.insert_or_assign(part, std::move(*parsed(set_.value).get("v")));
    else
      table.insert_or_assign(part, toml::table{});
    return table.get(part);
  }

  static std::string no_parameter(const toml::table& parameters, std::string_view name) {
    std::vector<std::string> known;
    for (const auto& [key, value] : parameters) known.emplace_back(key.str());
    return fmt::format("there is no parameter '{}'{}", name, units::did_you_mean(name, known));
  }

  toml::node* in_array(toml::array& array, std::string_view part, bool last) {
    toml::node* found = element(array, part, problem_);
    if (!found || !last) return found;
    findings_.origins.overridden[done_] = label(set_);
    const auto at = array.begin() + found_index(array, found);
    array.replace(at, std::move(*parsed(set_.value).get("v")));
    return nullptr;
  }

  static std::ptrdiff_t found_index(toml::array& array, const toml::node* node) {
    std::ptrdiff_t i = 0;
    while (&array[static_cast<std::size_t>(i)] != node) ++i;
    return i;
  }

  const Override& set_;
  std::string done_, problem_;
  Findings& findings_;
};

/// What is left of a path behind the path of an element; nothing: it is not the element's.
std::optional<std::string_view> rest_of(std::string_view path, std::string_view element) {
  if (!path.starts_with(element)) return {};
  path.remove_prefix(element.size());
  if (path.empty() || path[0] == '.' || path[0] == '[') return path;
  return {};
}

}  // namespace

Overrides::Overrides(std::span<const Override> list, Findings& findings) : findings_(findings) {
  for (const Override& set : list) {
    std::string_view rest = set.path;
    const Key* key = scene_family().tables[0].key(next_part(rest));
    list_.push_back({&set, key && is_elements(*key)});
  }
}

void Overrides::write(toml::table& root) {
  for (const One& one : list_) {
    if (one.set->path.empty())
      complain(*one.set, "", "a path is needed, like body.car.mass", findings_);
    else if (!one.of_element)
      Writer(*one.set, findings_).write(&root, one.set->path, "");
  }
}

const toml::table& Overrides::changed(const Element& element, const std::string& alias,
                                      SceneFiles& files) {
  if (!any()) return *element.table;
  const auto [done, fresh] = changed_.try_emplace({element.table, element.path}, element.table);
  if (!fresh) return *done->second;
  toml::table* own = nullptr;
  for (One& one : list_) {
    if (!one.of_element) continue;
    auto rest = rest_of(one.set->path, element.path);
    if (!rest) rest = rest_of(one.set->path, alias);
    if (!rest) continue;
    one.used = true;
    if (rest->empty()) {
      complain(*one.set, element.path, "a key of it is needed, like body.car.mass", findings_);
      continue;
    }
    if (!own) own = files.copy(*element.table);
    Writer(*one.set, findings_).write(own, *rest, element.path);
  }
  if (own) done->second = own;
  return *done->second;
}

void Overrides::reach(const std::string& from, const std::string& to, const toml::table* own) {
  std::map<std::string, std::string> more;
  for (const auto& [path, said] : findings_.origins.overridden) {
    if (!path.starts_with(from)) continue;
    const std::string rest = path.substr(from.size());
    if (!own || !own->contains(rest.substr(0, rest.find('.')))) more.emplace(to + rest, said);
  }
  findings_.origins.overridden.merge(more);
}

void Overrides::complain_unused(const std::vector<std::string>& paths) {
  for (const One& one : list_) {
    if (!one.of_element || one.used) continue;
    const std::string& path = one.set->path;
    const std::size_t begin = path.find_first_of(".["), last = path.find_last_of('.');
    const std::string family = path.substr(0, begin);
    if (begin != std::string::npos && path[begin] == '[') {
      const auto n = std::count_if(paths.begin(), paths.end(), [&](const std::string& p) {
        return p.starts_with(family + ".") || p.starts_with(family + "[");
      });
      const std::string part = path.substr(begin, path.find(']') + 1 - begin);
      complain(*one.set, family + part,
               fmt::format("there is no element {}: there are {}, from 0", part, n), findings_);
      continue;
    }
    std::vector<std::string> known;
    for (const std::string& p : paths)
      if (p.starts_with(family + ".")) known.push_back(p.substr(family.size() + 1));
    const std::string name = begin == std::string::npos ? ""
                             : last > begin             ? path.substr(begin + 1, last - begin - 1)
                                                        : path.substr(begin + 1);
    complain(*one.set, family + "." + name,
             fmt::format("there is no element '{}'{}", name, units::did_you_mean(name, known)),
             findings_);
  }
}

}  // namespace trammel::io
