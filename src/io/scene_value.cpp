#include "io/scene_value.h"

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

void Findings::complain(const std::string& path, Place at, std::string text) {
  SceneProblem p{file, at.line, at.column, path, std::move(text)};
  if (const std::string* set = find_prefix(overridden, path)) p.file = *set, p.line = p.column = 0;
  problems.push_back(std::move(p));
}

void Findings::complain(const std::string& path, std::string text) {
  const Place* at = find_prefix(places, path);
  complain(path, at ? *at : Place{}, std::move(text));
}

}  // namespace trammel::io
