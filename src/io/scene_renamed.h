#pragma once

#include <string_view>

/// Keys of scenes that had another name before: a scene that still has the old one is refused, and
/// the message says the new one.
namespace trammel::io {

struct RenamedKey {
  std::string_view before, now;
};
inline constexpr RenamedKey kRenamedKeys[] = {{"one_sided", "unilateral"},
                                              {"constants", "parameters"}};

/// Returns the present name of a key that was renamed; empty: there has been no such key.
constexpr std::string_view renamed(std::string_view key) {
  for (const RenamedKey& k : kRenamedKeys)
    if (k.before == key) return k.now;
  return {};
}

}  // namespace trammel::io
