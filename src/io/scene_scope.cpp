#include "io/scene_scope.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "units/nearest.h"

namespace trammel::io {

Scope::Scope(Findings& findings, const Scope& around)
    : outer(&around),
      prefix(around.prefix),
      formulas(findings, around.formulas),
      X_WS(around.X_WS),
      placed(around.placed),
      defaults(around.defaults) {}

void Names::add(std::string_view family, const std::string& name) {
  if (family == "body") bodies_.insert(name);
  if (family == "joint" || family == "coupling") joints_.insert(name);
  if (family == "track") tracks_.insert(name);
  if (family == "material") materials_.insert(name);
  all_.insert(name);
}

bool Names::has(Refers to, const std::string& name) const {
  const auto is = [&](const Set& set) { return set.contains(name); };
  const auto begins = [&](const Set& set) {
    const std::string_view owner =
        owner_in(name, [&](std::string_view s) { return set.contains(std::string(s)); });
    return set.contains(std::string(owner));
  };
  switch (to) {
    case Refers::body:
      return is(bodies_);
    case Refers::joint:
      return is(joints_);
    case Refers::coordinate:
      return begins(joints_);
    case Refers::track:
      return is(tracks_);
    case Refers::material:
      return is(materials_);
    case Refers::input:
      return inputs_.contains(name);
    case Refers::channel:
      return begins(all_);
    case Refers::nothing:
    case Refers::words:
      break;
  }
  return false;
}

std::string Names::find_body(std::string_view text, const Scope& scope) const {
  if (text != "ground") return find(Refers::body, text, scope);
  for (const Scope* s = &scope; s->outer; s = s->outer)
    if (!s->ground.empty()) return find_body(s->ground, *s->outer);
  return "ground";
}

std::string Names::no_ground(const Scope& scope) const {
  return missing(Refers::body, find_body(scope.ground, *scope.outer));
}

std::string Names::missing(Refers to, const std::string& name) const {
  const bool body = to == Refers::body;
  if (has(to, name) || (body && name == "ground")) return "";
  const bool track = to == Refers::track;
  const Set& set = body ? bodies_ : track ? tracks_ : joints_;
  std::vector<std::string> known(set.begin(), set.end());
  std::sort(known.begin(), known.end());
  if (body) known.insert(known.begin(), "ground");
  return fmt::format("there is no {} '{}'{}",
                     body    ? "body"
                     : track ? "track"
                             : "joint",
                     name, units::did_you_mean(name, known));
}

std::string Names::find(Refers to, std::string_view text, const Scope& scope) const {
  if (to == Refers::body && text == "ground") return find_body(text, scope);
  const Scope* last = nullptr;
  for (const Scope* s = &scope; s; s = s->outer) {
    if (last && s->prefix == last->prefix) continue;
    last = s;
    if (std::string name = s->prefix + std::string(text); has(to, name)) return name;
  }
  return std::string(text);
}

std::vector<Formulas::Live> Names::inputs_in(std::string_view text, const Scope& scope) const {
  std::vector<Formulas::Live> out;
  if (inputs_.empty()) return out;
  for (const std::string& written : scope.formulas.free_names(text)) {
    const std::string name = find(Refers::input, expr::bare(written), scope);
    const auto it = inputs_.find(name);
    if (it != inputs_.end())
      out.push_back({written, name, it->second});
    else if (const std::string* meant = nearest_input(name, scope))
      out.push_back({meant->substr(scope.prefix.size()), *meant, inputs_.find(*meant)->second});
  }
  return out;
}

const std::string* Names::nearest_input(std::string_view name, const Scope& scope) const {
  if (name.size() < 2) return nullptr;  // the letters of formulas
  std::vector<std::string_view> here;
  for (const auto& [known, dimension] : inputs_)
    if (known.starts_with(scope.prefix))
      here.push_back(std::string_view(known).substr(scope.prefix.size()));
  const auto near = units::nearest(name, here);
  return near ? &inputs_.find(scope.prefix + *near)->first : nullptr;
}

namespace {

const std::string* text_of(const Scope& scope, std::string_view name) {
  for (const Scope* s = &scope; s; s = s->outer)
    if (const auto it = s->texts.find(name); it != s->texts.end()) return &it->second;
  return nullptr;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// Fills in braces. `number` evaluates what is no text of a list, `complain` reports what is wrong.
template <class Number, class Complain>
std::optional<std::string> fill(std::string_view text, const Scope& scope, const Number& number,
                                const Complain& complain) {
  std::string out;
  while (true) {
    const std::size_t open = text.find('{');
    const std::size_t close = text.find('}', std::min(open, text.size()));
    if (open == std::string_view::npos) return out.append(text);
    if (close == std::string_view::npos) {
      complain(fmt::format("'{}': a '{{' without its '}}'", text));
      return {};
    }
    out.append(text.substr(0, open));
    const std::string_view inside = trimmed(text.substr(open + 1, close - open - 1));
    text.remove_prefix(close + 1);
    if (const std::string* known = text_of(scope, inside)) {
      out += *known;
      continue;
    }
    const std::optional<double> x = number(inside);
    if (!x) return {};
    if (std::round(*x) != *x || std::abs(*x) > 1e15) {
      complain(fmt::format("{{{}}} is {}: in a name stands a whole number", inside, *x));
      return {};
    }
    out += fmt::format("{:.0f}", *x);
  }
}

}  // namespace

std::optional<std::string> expand(std::string_view text, Scope& scope, const std::string& path,
                                  Place quote, Findings& findings) {
  return fill(
      text, scope,
      [&](std::string_view inside) {
        return scope.formulas.number(path, inside, quote, units::kRatio);
      },
      [&](std::string wrong) { findings.complain(path, quote, std::move(wrong)); });
}

std::string filled(std::string_view text, const Scope& scope) {
  const auto number = [&](std::string_view inside) { return scope.formulas.value(inside); };
  return fill(text, scope, number, [](const std::string&) {}).value_or(std::string(text));
}

}  // namespace trammel::io
