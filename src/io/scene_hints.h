#pragma once

#include <span>
#include <string>
#include <string_view>

/// Words that other tools have for what a scene says: a reader of URDF, MJCF, Chrono, Drake, ODE or
/// Adams writes them first, and gets told what Trammel calls it.
namespace trammel::io {

struct Hint {
  std::string_view word;   // that the format does not know there
  std::string_view where;  // the family it is written in; "joint.type": as that key's value
  std::string_view says;   // what to write instead
  std::string_view family, kind, key;  // what it points to; kind and key may be empty
};
std::span<const Hint> hints();

/// What to write instead of a word, as the tail of a complaint: "; write 'step'". Empty: nothing
/// is known. Case and the signs - and _ make no difference.
std::string hint_for(std::string_view word, std::string_view where);

/// The table of these words in docs/scene-format.md.
std::string hint_reference();

}  // namespace trammel::io
