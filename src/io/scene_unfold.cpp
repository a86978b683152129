#include "io/scene_unfold.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "expr/builtins.h"
#include "io/scene_forms.h"
#include "io/scene_specs.h"
#include "io/scene_system.h"
#include "math/rotation.h"
#include "units/nearest.h"

namespace trammel::io {

namespace {

constexpr int kDeepestParts = 32;
constexpr std::size_t kMostElements = 1'000'000;
constexpr double kTurn = 6.283185307179586;

/// How many elements stand in a table.
std::size_t count_elements(const toml::table& table) {
  std::size_t n = 0;
  for (const Key& key : scene_family().tables[0].keys)
    if (const toml::node* list = is_elements(key) ? table.get(key.name) : nullptr)
      n += list->is_array() ? list->as_array()->size() : 1;
  return n;
}
bool has_elements(const toml::table& table) { return count_elements(table) > 0; }

}  // namespace

void Unfolding::run(const toml::table& root) {
  contents(root, scene_family(), out_.scopes.front(), "", {});
  overrides_.complain_unused(paths_);
  check_grounds();
  collect_joints();
}

/// The ground of a part that is no body is told where the part says so, and not for every joint.
void Unfolding::check_grounds() {
  for (const auto& [path, scope] : grounds_) {
    std::string wrong = out_.names.no_ground(*scope);
    if (wrong.empty()) continue;
    findings_.complain(path, std::move(wrong));
    scope->ground.clear();
  }
}

void Unfolding::collect_joints() {
  for (const Element& system : out_.elements["system"]) add_system(system, out_.joints);
  for (const Element& joint : out_.elements["joint"]) add_joint(joint, out_.joints);
  for (const char* family : {"law", "bushing"})
    for (const Element& e : out_.elements[family]) add_element(e, family, out_.joints);
  for (const Element& coupling : out_.elements["coupling"])
    add_coupling(coupling, out_.names, out_.joints);
}

/// Parameters and defaults of a table first, then the elements in it.
void Unfolding::contents(const toml::table& table, const Family& family, Scope& scope,
                         const std::string& path, const Turn& turn) {
  walker_.enter(scope);
  const Value v = walker_.read_contents(table, family, path, turn.given);
  if (&family == &repeat_family()) place(v, scope, turn);
  if (const toml::table* defaults = table["defaults"].as_table())
    scope.defaults.insert(scope.defaults.begin(), defaults);
  for (const Top& top : turn.tops) put_on(top, v, scope);
  for (const Key& key : family.tables[0].keys) {
    const toml::node* node = is_elements(key) ? table.get(key.name) : nullptr;
    if (!node) continue;
    walker_.enter(scope);
    const Siblings list =
        walker_.elements(*node, key, path.empty() ? key.name : path + "." + key.name);
    for (std::size_t i = 0; i < list.size() && !full_; ++i)
      element(*list[i], key, scope, path, i, list);
  }
}

void Unfolding::put_on(const Top& top, const Value& below, Scope& scope) {
  const auto read = [&](const char* key) {
    const toml::node* node = top.table->get(key);
    const Form& form = part_family().tables[0].key(key)->form;
    return node ? walker_.read(*node, form, top.path + "." + key) : Value();
  };
  scope.formulas.replace_data(read("data"), below["data"]);
  read("defaults");  // for what is wrong with them
  if (const toml::table* defaults = (*top.table)["defaults"].as_table())
    scope.defaults.insert(scope.defaults.begin(), defaults);
}

/// Empty where there is none. Nothing: complained.
std::optional<std::string> Unfolding::name_of(const toml::table& table, Scope& scope,
                                              const std::string& path) {
  const auto* text = table["name"].as_string();
  if (!text) return "";
  return expand(text->get(), scope, path + ".name", place_of(text->source()), findings_);
}

bool Unfolding::too_many(std::size_t more, const toml::table& table, const std::string& path) {
  if (full_ || (count_ + more <= kMostElements && more <= kMostElements)) return full_;
  full_ = true;
  findings_.complain(path, place_of(table.source()),
                     fmt::format("there are more than {} elements", kMostElements));
  return true;
}

void Unfolding::element(const toml::table& table, const Key& key, Scope& scope,
                        const std::string& path, std::size_t i, const Siblings& siblings) {
  const std::string index = fmt::format("{}{}{}[{}]", path, path.empty() ? "" : ".", key.name, i);
  if (too_many(1, table, index)) return;
  ++count_;
  const std::optional<std::string> known = name_of(table, scope, index);
  if (!known) return;  // complained of
  const std::string& local = *known;
  Element e{&table, &scope, scope.prefix + local, key.name + "." + scope.prefix + local,
            key.form.each[0].family};
  if (!is_name(local) ||
      !findings_.origins.places.try_emplace(e.path, place_of(table.source())).second)
    e.path = index;
  if (overrides_.any()) paths_.push_back(e.path);
  e.table = &overrides_.changed(e, scope.outer ? e.path : index, files_);
  if (key.form.each[0].family == &repeat_family()) return repeat(e, scope);
  if (key.form.each[0].family == &part_family()) return part(e, scope, siblings);
  if (!local.empty()) {
    const auto [it, fresh] = taken_.try_emplace(e.name, key.name);
    if (!fresh && it->second == "part")
      findings_.complain(e.path, fmt::format("the name '{}' is taken by a part", e.name));
    out_.names.add(has_own_joint(e, key.name) ? "joint" : key.name, e.name);
    if (key.form.each[0].family == &system_family()) add_names_of(e);
  }
  out_.elements[key.name].push_back(std::move(e));
}

void Unfolding::add_names_of(const Element& system) {
  const SystemNames names = names_of_system(system);
  for (const std::string& body : names.bodies) out_.names.add("body", body);
  for (const std::string& joint : names.joints) out_.names.add("joint", joint);
}

void Unfolding::part(const Element& head, Scope& around, const Siblings& siblings) {
  walker_.enter(around);
  const Value v = walker_.read_head(head, part_family());
  if (!v.has("name") || !v.sound) return;
  const auto [it, fresh] = taken_.try_emplace(head.name, "part");
  if (!fresh)
    return findings_.complain(head.path, place_of(head.table->source()),
                              fmt::format("the name '{}' is taken by {} {}", head.name,
                                          it->second == "part" ? "another" : "a", it->second));
  if (++depth_ > kDeepestParts) {
    findings_.complain(head.path,
                       fmt::format("parts are more than {} deep in one another", kDeepestParts));
  } else if (auto content = content_of(*head.table, v, around, siblings, 0)) {
    Scope& scope = content->of_file ? out_.scopes.emplace_back(findings_)
                                    : out_.scopes.emplace_back(findings_, around);
    scope.outer = &around;
    scope.X_WS = around.X_WS;
    scope.placed = around.placed;
    scope.prefix = head.name + ".";
    scope.ground = content->ground.text;
    if (content->ground.given) grounds_.emplace_back(content->ground.path, &scope);
    place(v, scope, {});
    if (content->of_file)
      findings_.origins.parts.emplace(head.name, place_of(head.table->source()));
    if (content->of_file) open_files_.push_back(content->file);
    contents(*content->table, *content->family, scope, head.path,
             {content->given, 0, 1, content->tops});
    if (content->of_file) open_files_.pop_back();
  }
  --depth_;
}

std::optional<Unfolding::Content> Unfolding::content_of(const toml::table& part, const Value& head,
                                                        Scope& around, const Siblings& siblings,
                                                        int depth) {
  const bool elsewhere = head.has("file") || head.has("like");
  if (!elsewhere) {
    if (!has_elements(part))
      findings_.complain(head.path, "the part has nothing in it: give 'file', 'like' or elements");
    return Content{&part, &part_family(), {}, false, "", head["ground"]};
  }
  if (has_elements(part)) {
    findings_.complain(head.path, fmt::format("a part with '{}' has no elements of its own: put "
                                              "what comes on top of them beside it",
                                              head.has("file") ? "file" : "like"));
    return {};
  }
  auto out = head.has("file") ? content_of_file(head["file"])
                              : content_like(part, head["like"], around, siblings, depth);
  if (!out) return out;
  for (Formulas::Given& g : given_to(part, head.path, around)) {
    std::erase_if(out->given, [&](const Formulas::Given& old) { return old.name == g.name; });
    out->given.push_back(std::move(g));
  }
  if (head.has("ground")) out->ground = head["ground"];
  out->tops.push_back({&part, head.path});
  return out;
}

std::optional<Unfolding::Content> Unfolding::content_of_file(const Value& file) {
  const Place by = file.place;
  const std::string name = files_.beside(file.text, by.file);
  if (std::find(open_files_.begin(), open_files_.end(), name) != open_files_.end() ||
      name == findings_.origins.files[0]) {
    findings_.complain(file.path, by,
                       fmt::format("'{}' is a part of itself: {} -> {}", name,
                                   fmt::join(open_files_, " -> "), name));
    return {};
  }
  const toml::table* root = files_.load(file.text, by, file.path);
  if (!root) return {};
  if (checked_.insert(root).second) walker_.check_keys(*root, scene_family());
  return Content{root, &scene_family(), {}, true, name};
}

std::optional<Unfolding::Content> Unfolding::content_like(const toml::table& part,
                                                          const Value& like, Scope& around,
                                                          const Siblings& siblings, int depth) {
  std::vector<std::string> known;
  for (std::size_t i = 0; i < siblings.size(); ++i) {
    known.push_back(name_of(*siblings[i], around, like.path).value_or(""));
    if (known.back() != like.text) continue;
    if (depth > kDeepestParts) {
      findings_.complain(like.path, like.place, fmt::format("'{}' is like itself", like.text));
      return {};
    }
    const Element head = beside(siblings, i, around, like.text);
    const std::string own = like.path.substr(0, like.path.rfind('.'));
    overrides_.reach(head.path + ".parameters.", own + ".parameters.",
                     part["parameters"].as_table());
    Findings none;  // what is wrong with it is said where it stands
    none.origins.files = findings_.origins.files;
    return content_of(*head.table,
                      Walker(none, out_.joints, out_.names, around).read_head(head, part_family()),
                      around, siblings, depth + 1);
  }
  findings_.complain(like.path, like.place,
                     fmt::format("there is no part '{}' beside it{}", like.text,
                                 units::did_you_mean(like.text, known)));
  return {};
}

/// A part beside another, as it is with what is set from outside.
Element Unfolding::beside(const Siblings& siblings, std::size_t i, Scope& around,
                          const std::string& name) {
  const std::string full = around.prefix + name, path = "part." + full;
  Element out{siblings[i], &around, full, path};
  out.table = &overrides_.changed(out, around.outer ? path : fmt::format("part[{}]", i), files_);
  return out;
}

/// Values for the parameters of a part that is written elsewhere.
std::vector<Formulas::Given> Unfolding::given_to(const toml::table& part, const std::string& path,
                                                 Scope& around) {
  const toml::node* node = part.get("parameters");
  if (!node) return {};
  walker_.enter(around);
  const Value map =
      walker_.read(*node, part_family().tables[0].key("parameters")->form, path + ".parameters");
  return around.formulas.values(map);
}

/// How often a repetition goes round. Nothing: complained.
std::optional<std::size_t> Unfolding::turns(const Value& head) {
  if (head.has("count")) {
    const double n = head["count"].number;
    if (std::round(n) == n && n >= 0 && n <= static_cast<double>(kMostElements))
      return static_cast<std::size_t>(n);
    findings_.complain(head["count"].path,
                       fmt::format("{} is no number of times: 0 to {}", n, kMostElements));
    return {};
  }
  std::optional<std::size_t> n;
  for (const auto& [name, list] : head["over"].fields) {
    if (n && *n != list.items.size()) {
      findings_.complain(list.path, fmt::format("'{}' has {} items, the list before it {}", name,
                                                list.items.size(), *n));
      return {};
    }
    n = list.items.size();
  }
  return n.value_or(0);
}

/// Gives the names of a turn their meaning. False: complained.
bool Unfolding::name_turn(const Value& head, std::size_t k, Scope& scope) {
  const auto refuse = [&](const Value& at, const std::string& why) {
    findings_.complain(at.path, why);
    return false;
  };
  const auto add = [&](const Value& at, const std::string& name, double x, const auto& dimension) {
    const std::string wrong = scope.formulas.add_number(name, x, dimension);
    return wrong.empty() || refuse(at, wrong);
  };
  const double number = head["first"].number + static_cast<double>(k);
  bool good = add(head["index"], head["index"].text, number, Formulas::Maybe());
  for (const auto& [name, list] : head["over"].fields) {
    const Value& item = list.items[k];
    if (item.text.empty())
      good = add(list, name, item.number, item.dimension) && good;
    else if (expr::is_reserved(name))
      good = refuse(list, fmt::format("'{}' is a word of the language of expressions", name));
    else
      scope.texts.emplace(name, item.text);
  }
  return good;
}

void Unfolding::repeat(const Element& head, Scope& around) {
  walker_.enter(around);
  const Value v = walker_.read_head(head, repeat_family());
  const auto n = v.sound ? turns(v) : std::nullopt;
  if (!n) return;
  const std::size_t each = count_elements(*head.table);
  if (each == 0)
    findings_.complain(head.path, place_of(head.table->source()),
                       "nothing is repeated: write [[repeat.body]], ...");
  if (too_many(*n * each, *head.table, head.path)) return;
  for (std::size_t k = 0; k < *n; ++k) {
    Scope& scope = out_.scopes.emplace_back(findings_, around);
    scope.outer = &around;
    if (!name_turn(v, k, scope)) return;
    contents(*head.table, repeat_family(), scope, head.path, {{}, k, *n});
  }
}

/// Puts the axes of a scope in those around it.
void Unfolding::place(const Value& pose, Scope& scope, const Turn& turn) {
  Pose X;
  if (pose.has("position")) X.p = pose["position"].vec();
  if (pose.has("orientation")) X.R = orientation_of(pose["orientation"], findings_);
  if (const Value& circle = pose["circle"]; circle.given && circle.sound) {
    const double step =
        circle.has("step") ? circle["step"].number : kTurn / static_cast<double>(turn.of);
    X.R = exp_matrix(step * static_cast<double>(turn.number) * circle["axis"].vec());
    X.p = circle["center"].vec() - X.R * circle["center"].vec();
  }
  scope.placed =
      scope.placed || pose.has("position") || pose.has("orientation") || pose.has("circle");
  scope.X_WS = scope.X_WS * X;
}

}  // namespace trammel::io
