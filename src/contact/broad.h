#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "math/parallel.h"
#include "math/types.h"

namespace trammel::contact {

/// A box along the axes of the world.
struct Aabb {
  Vec3 least = Vec3::Zero(), most = Vec3::Zero();
};
inline bool overlap(const Aabb& a, const Aabb& b) {
  return (a.least.array() <= b.most.array()).all() && (b.least.array() <= a.most.array()).all();
}

/// Which of many boxes overlap: each lies in the cell of its least corner, of a grid whose cells
/// are as large as it, up to the double; one looks at its own grid and at the coarser ones. The
/// cost is linear in boxes and pairs.
class Broad {
 public:
  /// Pairs (i, j), i < j, sorted, of boxes that overlap and of which wanted(i, j) is true.
  template <class Wanted>
  const std::vector<std::pair<int, int>>& pairs(std::span<const Aabb> boxes, const Wanted& wanted) {
    fill(boxes);
    const int pieces = parallel::threads() < 2 || n_ < 2 * kGrain ? 1 : (n_ + kGrain - 1) / kGrain;
    if (static_cast<int>(found_.size()) < pieces) found_.resize(static_cast<std::size_t>(pieces));
    parallel::for_each(pieces, [&](int piece) {
      auto& found = found_[static_cast<std::size_t>(piece)];
      found.clear();
      const int first = piece * kGrain, last = pieces == 1 ? n_ : std::min(n_, first + kGrain);
      for (int i = first; i < last; ++i)
        for_near(boxes, i, [&](int j) {
          if (!wanted(i, j)) return;
          found.push_back(i < j ? std::pair{i, j} : std::pair{j, i});
        });
    });
    sort(pieces);
    return sorted_;
  }

 private:
  struct Cell {
    int level, x, y, z;
    bool operator==(const Cell&) const = default;
  };
  static std::uint64_t hash(const Cell& c);
  void fill(std::span<const Aabb> boxes);
  void sort(int pieces);

  template <class F>
  void for_near(std::span<const Aabb> boxes, int i, const F& f) const;

  int n_ = 0;
  std::uint64_t mask_ = 0;
  std::uint64_t levels_[2] = {};  // bits of levels that are in use, from kLowest
  std::vector<int> head_, next_;
  std::vector<Cell> cells_;
  std::vector<std::vector<std::pair<int, int>>> found_;  // of pieces
  std::vector<std::pair<int, int>> sorted_;
  std::vector<int> start_;
  static constexpr int kLowest = -64, kGrain = 256;
};

template <class F>
void Broad::for_near(std::span<const Aabb> boxes, int i, const F& f) const {
  const Aabb& box = boxes[static_cast<std::size_t>(i)];
  const Cell mine = cells_[static_cast<std::size_t>(i)];
  const int own = mine.level;
  for (int level = own; level < 64; ++level) {
    const int bit = level - kLowest;
    if ((levels_[bit / 64] >> (bit % 64)) == 0 && bit >= 64) return;
    if (((levels_[bit / 64] >> (bit % 64)) & 1) == 0) continue;
    const double per = std::ldexp(1.0, -level);
    int from[3], to[3];
    for (int k = 0; k < 3; ++k) {
      from[k] = static_cast<int>(std::floor(box.least[k] * per)) - 1;
      to[k] = static_cast<int>(std::floor(box.most[k] * per));
    }
    // of two of a level the one in the cell before sees the other
    const bool same = level == own;
    if (same) from[0] = mine.x;
    for (int x = from[0]; x <= to[0]; ++x) {
      const int y0 = same && x == mine.x ? mine.y : from[1];
      for (int y = y0; y <= to[1]; ++y) {
        const int z0 = same && x == mine.x && y == mine.y ? mine.z : from[2];
        for (int z = z0; z <= to[2]; ++z) {
          const Cell cell{level, x, y, z};
          for (int j = head_[hash(cell) & mask_]; j >= 0; j = next_[static_cast<std::size_t>(j)]) {
            if (!(cells_[static_cast<std::size_t>(j)] == cell)) continue;
            if (same && j >= i && cell == mine) continue;
            if (overlap(box, boxes[static_cast<std::size_t>(j)])) f(j);
          }
        }
      }
    }
  }
}

}  // namespace trammel::contact
