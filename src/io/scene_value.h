#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/scene.h"
#include "io/scene_keys.h"
#include "joint/coupling.h"
#include "law/law.h"
#include "law/load.h"
#include "math/signal.h"
#include "math/types.h"

namespace trammel::io {

/// Holds what was read, checked against the description and in SI: the members that the form asks
/// for.
struct Value {
  std::string path;
  bool given = false;  // in the file; else a default
  bool sound = true;   // of elements: nothing was wrong with it
  bool flag = false;
  double number = 0;
  std::string text;
  Place place;                  // of the value; of a text its quotes
  std::vector<double> numbers;  // of a list of quantities, or a direction
  Signal signal;
  std::optional<units::Dimension> dimension;        // of a quantity of any, where it has a unit
  std::shared_ptr<const law::ForceFunction> force;  // of a formula of that kind
  std::shared_ptr<const joint::Profile> profile;
  std::shared_ptr<const law::LoadFunction> motion;
  std::vector<Value> items;
  std::map<std::string, Value, std::less<>> fields;  // of a table or map: those given, and defaults
  const Table* table = nullptr;

  /// Given in the file.
  bool has(std::string_view key) const;
  /// The value of a key; an empty one where it was left out and has no default.
  const Value& operator[](std::string_view key) const;
  Vec3 vec() const { return {numbers[0], numbers[1], numbers[2]}; }
};

/// Holds what a read of a scene has to say.
struct Findings {
  Origins origins;
  std::vector<std::string_view> sources;  // the texts of the files
  SceneProblems problems;
  SceneProblems doubts;  // what must not pass where nothing else is a reason to refuse the scene

  void complain(const std::string& path, Place at, std::string text);
  void complain(const std::string& path, std::string text);  // at the nearest place known
  /// What is wrong because something else is not as it should be, which is a complaint of its own,
  /// here or of the builder.
  void doubt(const std::string& path, Place at, std::string text);
  /// Where byte n of the value of a string stands, whose quotes begin at `quote`.
  Place in_string(Place quote, std::size_t n) const;
};
/// In the order of the files and their lines; what many elements have in common is said once.
void put_in_order(SceneProblems& problems);

/// The longest prefix of a path (by its dots and brackets) that a map knows.
template <class T>
const T* find_prefix(const std::map<std::string, T>& map, std::string_view path) {
  while (!path.empty()) {
    if (const auto it = map.find(std::string(path)); it != map.end()) return &it->second;
    const auto cut = path.find_last_of(".[");
    if (cut == std::string_view::npos) break;
    path = path.substr(0, cut);
  }
  return nullptr;
}

}  // namespace trammel::io
