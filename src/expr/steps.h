#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "expr/tape.h"

namespace trammel::expr {

/// Lays the steps to values alone, from a tape's code. Internal.
class Steps {
 public:
  explicit Steps(Tape& tape);

 private:
  using Kind = Tape::Step::Kind;
  struct Use {
    int times = 0;
    bool by_sum_or_product = false;  // the last one
  };
  bool is_square(const Tape::Operation& i) const;
  bool is_sum_or_product(const Tape::Operation& i) const;
  bool goes_on(std::uint32_t slot) const;  // used once, by a sum or product
  void count_uses();
  Tape::Step step(const Tape::Operation& i, std::uint32_t to);

  Tape& tape_;
  std::uint32_t first_;  // slot of the code's first result
  std::vector<Use> uses_;
  std::unordered_map<std::uint32_t, Tape::Step>
      later_;  // products that are to be made in what uses them
};

}  // namespace trammel::expr
