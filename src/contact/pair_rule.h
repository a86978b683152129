#pragma once

#include <utility>
#include <vector>

#include "math/index.h"

namespace trammel::contact {

/// Electric colours: bits red 1, green 2, blue 4. White (7) meets all but black (0), which meets
/// none.
using Colors = unsigned char;
inline constexpr Colors kWhite = 7;
inline constexpr bool meet(Colors a, Colors b) { return (a & b) != 0; }

/// Which objects may touch. An object never touches itself.
class PairRule {
 public:
  PairRule() = default;
  /// By object; `fixed` ones do not move and never touch each other; `apart` are pairs that never
  /// touch, in any order. What is beyond the end of the lists is white and moves.
  PairRule(std::vector<Colors> colors, std::vector<char> fixed,
           std::vector<std::pair<int, int>> apart);

  bool may_meet(int a, int b) const {
    if (a == b || !meet(color(a), color(b)) || (is_fixed(a) && is_fixed(b))) return false;
    return apart_.empty() || !kept_apart(a, b);
  }
  bool is_fixed(int a) const { return at(a) < fixed_.size() && fixed_[at(a)] != 0; }

 private:
  Colors color(int a) const { return at(a) < colors_.size() ? colors_[at(a)] : kWhite; }
  bool kept_apart(int a, int b) const;

  std::vector<Colors> colors_;
  std::vector<char> fixed_;
  std::vector<std::pair<int, int>> apart_;  // sorted, lesser first
  std::vector<int> start_;                  // of the pairs whose lesser is this object
};

}  // namespace trammel::contact
