#include "contact/pair_rule.h"

#include <algorithm>

namespace trammel::contact {

PairRule::PairRule(std::vector<Colors> colors, std::vector<char> fixed,
                   std::vector<std::pair<int, int>> apart)
    : colors_(std::move(colors)), fixed_(std::move(fixed)), apart_(std::move(apart)) {
  for (auto& [a, b] : apart_)
    if (a > b) std::swap(a, b);
  std::sort(apart_.begin(), apart_.end());
  apart_.erase(std::unique(apart_.begin(), apart_.end()), apart_.end());
  if (apart_.empty()) return;
  start_.assign(at(apart_.back().first) + 2, 0);
  for (const auto& pair : apart_) ++start_[at(pair.first) + 1];
  for (std::size_t i = 1; i < start_.size(); ++i) start_[i] += start_[i - 1];
}

bool PairRule::kept_apart(int a, int b) const {
  if (a > b) std::swap(a, b);
  if (at(a) + 1 >= start_.size()) return false;
  const auto first = apart_.begin() + start_[at(a)], last = apart_.begin() + start_[at(a) + 1];
  return std::binary_search(first, last, std::pair{a, b});
}

}  // namespace trammel::contact
