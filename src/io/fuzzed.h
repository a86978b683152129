#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "io/scene.h"
#include "io/scene_keys.h"
#include "units/mutations.h"

/// Any bytes are a scene, or problems with places in it. Comments "#--set PATH=VALUE" override.
/// corpus/ has seeds, the words come from the tables of keys.
namespace trammel::io::fuzzed {

using units::require;
inline const std::string kFile = "fuzz.toml";

/// Every key of the format, and what else a scene is made of.
inline std::vector<std::string> words() {
  std::vector<std::string> out{"\"",        "'''",      "\"\"\"",
                               "[",         "]",        "[[",
                               "]]",        "{",        "}",
                               "=",         "\n",       ",",
                               ".",         "#",        "1",
                               "0",         "-1e300",   "\"inf\"",
                               "nan",       "\"5 mm\"", "\"3 deg/s\"",
                               "true",      "\\u00e9",  "Ax.D",
                               "{i}",       "{i - 1}",  "\"2*L + 5 mm\"",
                               "[[repeat.", "[[part.",  "[defaults."};
  for (const Family* f : scene_families())
    for (const Table& t : f->tables)
      for (const Key& k : t.keys) {
        out.push_back(k.name + " = ");
        if (is_elements(k)) out.push_back("[[" + k.name + "]]\n");
      }
  return out;
}

inline std::vector<Override> overrides(std::string_view text) {
  constexpr std::string_view kMark = "\n#--set ";
  std::vector<Override> out;
  for (std::size_t at = text.find(kMark); at != text.npos; at = text.find(kMark, at + 1)) {
    const std::string_view rest = text.substr(at + kMark.size());
    const std::string_view line = rest.substr(0, rest.find('\n'));
    const std::size_t cut = std::min(line.find('='), line.size());
    const std::string_view value = line.substr(std::min(cut + 1, line.size()));
    out.push_back({std::string(line.substr(0, cut)), std::string(value)});
  }
  return out;
}

inline void check_problems(const std::string& text, const SceneProblems& problems) {
  require(!problems.empty(), "a scene, or problems");
  const auto lines = 1 + std::count(text.begin(), text.end(), '\n');
  for (const SceneProblem& p : problems) {
    require(!p.text.empty(), "a problem has words");
    require(p.line >= 0 && (p.line <= lines || p.file != kFile), "a line of the file");
    require((p.line == 0) == (p.column == 0), "a column with its line");
  }
}

inline void any_text(const std::string& text) {
  const auto loaded = load_scene_text(text, kFile, overrides(text));
  if (const auto* problems = std::get_if<SceneProblems>(&loaded)) check_problems(text, *problems);
}

}  // namespace trammel::io::fuzzed
