#pragma once

#include <cstddef>
#include <vector>

#include "math/parallel.h"
#include "math/sweep.h"

namespace trammel::form {

/// The rows of a mechanism by what there is to do about them. Most are equality constraints, all
/// alike: what is done to them goes over all rows without branches, then once more over the others.
struct RowTable {
  static constexpr int kGrain = 512;  // rows in one go

  std::vector<int> account;             // slot of the ledger that its work goes to, each row
  std::vector<unsigned char> is_angle;  // each row: 1 where it is no length
  std::vector<int> turning;             // rows with an angle that counts turns
  bool angles = false;                  // there are rows that are no lengths
  bool alone = false;  // laws call functions that are not known to bear being called at once

  std::vector<int> others;             // all rows but equality constraints that are on
  std::vector<int> others_group;       // their groups in the graph
  std::vector<float> equality;         // each row: 1 for equality constraints,
  std::vector<float> equality_length;  // for those that are lengths
  // each row: 1 over what its values and rates are compared with (model/scales.h), and the same
  // for equality constraints alone
  std::vector<float> per_size, per_pace, equality_per_size, equality_per_pace;

  int size() const { return static_cast<int>(equality.size()); }

  /// f(row) for all rows.
  template <class F>
  void for_rows(const F& f) const {
    parallel::for_pieces(size(), kGrain, [&](int first, int last) {
      TRAMMEL_INDEPENDENT
      for (int i = first; i < last; ++i) f(static_cast<std::size_t>(i));
    });
  }
  /// f(row) for the others; at once unless laws call functions of the user's.
  template <class F>
  void for_others(const F& f) const {
    const int n = static_cast<int>(others.size());
    parallel::for_pieces(n, alone ? n + 1 : kGrain, [&](int first, int last) {
      for (int i = first; i < last; ++i)
        f(static_cast<std::size_t>(others[static_cast<std::size_t>(i)]));
    });
  }
  /// The greatest of 0 and f(row) of all rows; infinite where one is not a number.
  template <class F>
  double greatest(const F& f) const {
    return parallel::greatest(size(), kGrain, 0, [&](int first, int last) {
      return greatest_of(first, last, [&](int i) { return f(static_cast<std::size_t>(i)); });
    });
  }
  template <class F>
  double greatest_of_others(const F& f) const {
    const int n = static_cast<int>(others.size());
    return parallel::greatest(n, alone ? n + 1 : kGrain, 0, [&](int first, int last) {
      return greatest_of(first, last, [&](int i) {
        return f(static_cast<std::size_t>(others[static_cast<std::size_t>(i)]));
      });
    });
  }
};

}  // namespace trammel::form
