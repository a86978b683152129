#include "constraint/piles/order.h"

#include <algorithm>

namespace trammel::constraint::piles {

namespace {

constexpr int kLarge = 512, kBunch = 64;  // pairs
constexpr int kMasked = 64;               // colors that a mask holds

}  // namespace

void Order::build(std::span<const unsigned char> moves, std::span<const ContactPoint> points) {
  find_pairs(points);
  find_islands(moves);
  find_groups();
  find_colors(moves);
  sort_pairs();
}

void Order::find_pairs(std::span<const ContactPoint> points) {
  pairs.clear();
  for (int i = 0; i < static_cast<int>(points.size()); ++i) {
    const ContactPoint& c = points[at(i)];
    if (pairs.empty() || pairs.back().a != c.a || pairs.back().b != c.b)
      pairs.push_back({c.a, c.b, i, 0, 0, 0});
    ++pairs.back().n;
  }
}

void Order::find_islands(std::span<const unsigned char> moves) {
  sets_.reset(moves.size());
  for (const Pair& pair : pairs)
    if (moves[at(pair.a)] && moves[at(pair.b)]) sets_.unite(pair.a, pair.b);
  island_.assign(moves.size(), -1);
  int n = 0;
  for (Pair& pair : pairs) {
    int& island = island_[at(sets_.root(moves[at(pair.a)] ? pair.a : pair.b))];
    if (island < 0) island = n++;
    pair.island = island;
  }
  island_first.assign(at(n + 1), 0);
  for (const Pair& pair : pairs) ++island_first[at(pair.island + 1)];
  for (int i = 0; i < n; ++i) island_first[at(i + 1)] += island_first[at(i)];
  count_.assign(island_first.begin(), island_first.end());
  pairs_of_islands.resize(pairs.size());
  for (int i = 0; i < static_cast<int>(pairs.size()); ++i)
    pairs_of_islands[at(count_[at(pairs[at(i)].island)]++)] = i;
}

void Order::find_groups() {
  groups.clear();
  group_of_island_.resize(at(islands()));
  int pairs_in_group = kLarge;
  for (int i = 0; i < islands(); ++i) {
    const int n = island_first[at(i + 1)] - island_first[at(i)];
    const bool large = n >= kLarge;
    if (large || pairs_in_group >= kBunch || groups.back().large) {
      groups.push_back({0, 0, i, 0, large});
      pairs_in_group = 0;
    }
    pairs_in_group += n;
    ++groups.back().n_islands;
    group_of_island_[at(i)] = static_cast<int>(groups.size()) - 1;
  }
}

/// The lowest color that no pair before at one of its bodies has. Where a body has more pairs than
/// a mask has bits, the others of its island are taken one by one.
void Order::find_colors(std::span<const unsigned char> moves) {
  used_.assign(moves.size(), 0);
  overflow_.assign(at(islands()), 0);
  for (Pair& pair : pairs) {
    std::uint64_t none = 0, &a = moves[at(pair.a)] ? used_[at(pair.a)] : none;
    std::uint64_t none_b = 0, &b = moves[at(pair.b)] ? used_[at(pair.b)] : none_b;
    const std::uint64_t free = ~(a | b);
    if (free == 0) {
      pair.color = kMasked + overflow_[at(pair.island)]++;
      continue;
    }
    pair.color = __builtin_ctzll(free);
    a |= free & -free;
    b |= free & -free;
  }
}

/// A stable counting sort of pairs_in_order.
template <class Key>
void Order::sort_by(int n_keys, const Key& key) {
  count_.assign(at(n_keys + 1), 0);
  for (int i : pairs_in_order) ++count_[at(key(pairs[at(i)]) + 1)];
  for (int k = 0; k < n_keys; ++k) count_[at(k + 1)] += count_[at(k)];
  sorted_.resize(pairs_in_order.size());
  for (int i : pairs_in_order) sorted_[at(count_[at(key(pairs[at(i)]))]++)] = i;
  pairs_in_order.swap(sorted_);
}

void Order::sort_pairs() {
  pairs_in_order.resize(pairs.size());
  int most = 0, n_colors = 0;
  for (int i = 0; i < static_cast<int>(pairs.size()); ++i) {
    pairs_in_order[at(i)] = i;
    most = std::max(most, pairs[at(i)].n);
    n_colors = std::max(n_colors, pairs[at(i)].color + 1);
  }
  const auto group_of = [&](const Pair& p) { return group_of_island_[at(p.island)]; };
  sort_by(most + 1, [&](const Pair& p) { return most - p.n; });
  sort_by(n_colors, [](const Pair& p) { return p.color; });
  sort_by(static_cast<int>(groups.size()), group_of);
  colors.clear();
  int group = -1, color = -1;
  for (int place = 0; place < static_cast<int>(pairs.size()); ++place) {
    const Pair& pair = pairs[at(pairs_in_order[at(place)])];
    if (group_of(pair) != group) {
      group = group_of(pair), color = -1;
      groups[at(group)].first_color = static_cast<int>(colors.size());
    }
    if (pair.color != color) {
      color = pair.color;
      colors.push_back({place, 0});
      ++groups[at(group)].n_colors;
    }
    ++colors.back().n;
  }
}

}  // namespace trammel::constraint::piles
