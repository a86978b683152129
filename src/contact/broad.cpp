#include "contact/broad.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "math/index.h"

namespace trammel::contact {

std::uint64_t Broad::hash(const Cell& c) {
  const auto u = [](int i) { return static_cast<std::uint64_t>(static_cast<std::uint32_t>(i)); };
  std::uint64_t h = u(c.x) * 0x9e3779b97f4a7c15u ^ u(c.y) * 0xc2b2ae3d27d4eb4fu ^
                    u(c.z) * 0x165667b19e3779f9u ^ u(c.level) * 0xd6e8feb86659fd93u;
  return h ^ (h >> 32) ^ (h >> 17);
}

void Broad::fill(std::span<const Aabb> boxes) {
  n_ = count(boxes);
  levels_[0] = levels_[1] = 0;
  mask_ = std::bit_ceil(static_cast<std::uint64_t>(std::max(16, 2 * n_))) - 1;
  head_.assign(mask_ + 1, -1);
  next_.resize(at(n_));
  cells_.resize(at(n_));
  for (int i = 0; i < n_; ++i) {
    const Aabb& box = boxes[at(i)];
    const double size = (box.most - box.least).maxCoeff();
    const int level = std::clamp(size > 0 ? std::ilogb(size) + 1 : kLowest, kLowest, 63);
    const double per = std::ldexp(1.0, -level);
    Cell& cell = cells_[at(i)];
    cell = {level, static_cast<int>(std::floor(box.least.x() * per)),
            static_cast<int>(std::floor(box.least.y() * per)),
            static_cast<int>(std::floor(box.least.z() * per))};
    const int bit = level - kLowest;
    levels_[bit / 64] |= std::uint64_t{1} << (bit % 64);
    int& head = head_[hash(cell) & mask_];
    next_[at(i)] = head;
    head = i;
  }
}

void Broad::sort(int pieces) {
  start_.assign(at(n_) + 1, 0);
  std::size_t n = 0;
  for (int p = 0; p < pieces; ++p) {
    n += found_[at(p)].size();
    for (const auto& pair : found_[at(p)]) ++start_[at(pair.first) + 1];
  }
  for (int i = 0; i < n_; ++i) start_[at(i) + 1] += start_[at(i)];
  sorted_.resize(n);
  for (int p = 0; p < pieces; ++p)
    for (const auto& pair : found_[at(p)]) sorted_[at(start_[at(pair.first)]++)] = pair;
  for (int i = 0, first = 0; i < n_; ++i) {
    const int last = start_[at(i)];
    std::sort(sorted_.begin() + first, sorted_.begin() + last);
    first = last;
  }
}

}  // namespace trammel::contact
