#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "constraint/piles/system.h"
#include "math/forest.h"

/// In which order points of contact are taken, and what may be taken at once.
namespace trammel::constraint::piles {

inline std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Points of the same two bodies that follow one another: taken in a row.
struct Pair {
  int a, b, first, n;  // points [first, first + n)
  int island, color;
};

/// Pairs of a color in a group: they share no body that moves, so their order does not matter.
struct ColorRange {
  int first, n;  // places in `pairs_in_order`
};
/// One large island, or small ones up to some number of pairs: swept until they all have converged.
struct Group {
  int first_color, n_colors;  // in `colors`
  int first_island, n_islands;
  bool large;
};

/// Islands are bodies that touch by way of others that move; pairs and islands are numbered as
/// their points come. Nothing here depends on lanes or threads.
class Order {
 public:
  void build(std::span<const unsigned char> moves, std::span<const ContactPoint> points);

  std::vector<Pair> pairs;
  std::vector<int> pairs_in_order;  // by group, color, most points first
  std::vector<ColorRange> colors;
  std::vector<Group> groups;
  /// Pairs of an island: pairs_of_islands[island_first[i] .. island_first[i + 1]).
  std::vector<int> pairs_of_islands, island_first;
  int islands() const { return static_cast<int>(island_first.size()) - 1; }

 private:
  void find_pairs(std::span<const ContactPoint> points);
  void find_islands(std::span<const unsigned char> moves);
  void find_groups();
  void find_colors(std::span<const unsigned char> moves);
  void sort_pairs();
  template <class Key>
  void sort_by(int n_keys, const Key& key);

  Forest sets_;
  std::vector<int> island_, group_of_island_, count_, sorted_, overflow_;
  std::vector<std::uint64_t> used_;
};

}  // namespace trammel::constraint::piles
