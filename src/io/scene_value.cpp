#include "io/scene_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "io/scene_text.h"

namespace trammel::io {

bool Value::has(std::string_view key) const {
  const auto it = fields.find(key);
  return it != fields.end() && it->second.given;
}

const Value& Value::operator[](std::string_view key) const {
  static const Value kNone;
  const auto it = fields.find(key);
  return it == fields.end() ? kNone : it->second;
}

namespace {

/// How an element was reached that stands in a part from a file: the parts around it, from inside.
std::string reached(const Origins& origins, std::string_view path) {
  const std::size_t family = path.find('.');
  if (origins.parts.empty() || family == std::string_view::npos) return "";
  std::string out;
  const std::string_view name = path.substr(family + 1);
  for (std::size_t end = name.size(); end != std::string_view::npos && end > 0;
       end = name.find_last_of('.', end - 1)) {
    const auto part = origins.parts.find(std::string(name.substr(0, end)));
    if (part == origins.parts.end()) continue;
    const Place& at = part->second;
    out += fmt::format("{}part {} of {}:{}:{}", out.empty() ? " (" : ", ", part->first,
                       origins.files[static_cast<std::size_t>(at.file)], at.line, at.column);
  }
  return out.empty() ? out : out + ")";
}

/// A text without its numbers and what it quotes.
std::string shape(std::string_view text) {
  std::string out;
  bool quoted = false;
  for (const char c : text) {
    if (c == '\'') quoted = !quoted;
    if (!quoted && !(c >= '0' && c <= '9')) out += c;
  }
  return out;
}

}  // namespace

void Findings::doubt(const std::string& path, Place at, std::string text) {
  complain(path, at, std::move(text));
  doubts.push_back(std::move(problems.back()));
  problems.pop_back();
}

void Findings::complain(const std::string& path, Place at, std::string text) {
  const std::string file =
      origins.files.empty() ? "" : origins.files[static_cast<std::size_t>(at.file)];
  SceneProblem p{file, at.line, at.column, path, std::move(text) + reached(origins, path), at.file};
  if (const std::string* set = find_prefix(origins.overridden, path))
    p.file = *set, p.line = p.column = p.order = 0;
  problems.push_back(std::move(p));
}

void Findings::complain(const std::string& path, std::string text) {
  const Place* at = find_prefix(origins.places, path);
  complain(path, at ? *at : Place{}, std::move(text));
}

Place Findings::in_string(Place quote, std::size_t n) const {
  const auto file = static_cast<std::size_t>(quote.file);
  if (file >= sources.size()) return quote;
  Place out = place_in_string(sources[file], quote, n);
  out.file = quote.file;
  return out;
}

void put_in_order(SceneProblems& problems) {
  const auto place = [](const SceneProblem& p) { return std::tuple(p.order, p.line, p.column); };
  std::stable_sort(
      problems.begin(), problems.end(),
      [&](const SceneProblem& a, const SceneProblem& b) { return place(a) < place(b); });
  SceneProblems out;
  std::size_t more = 0;
  std::tuple<std::string, int, int, std::string, std::string> last;
  const auto say = [&] {
    if (more > 0) out.back().text += fmt::format(" (and {} more like it)", more);
    more = 0;
  };
  for (SceneProblem& p : problems) {
    if (!out.empty() && std::tie(p.file, p.line, p.column, p.path, p.text) == last) continue;
    last = {p.file, p.line, p.column, p.path, p.text};
    const bool again = !out.empty() && p.line > 0 && place(p) == place(out.back()) &&
                       p.file == out.back().file && shape(p.text) == shape(out.back().text);
    if (again) {
      ++more;
      continue;
    }
    say();
    out.push_back(std::move(p));
  }
  if (!out.empty()) say();
  problems = std::move(out);
}

}  // namespace trammel::io
