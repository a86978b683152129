#pragma once

#include <array>
#include <set>

#include "joint/test_states.h"

/// Rows of the functions of the table, drawn from what their entries say that they take, for tests
/// that a new entry is to meet without a line of its own.
namespace trammel::joint::test {

/// Any arguments of the kind that the function takes.
inline Row drawn(const Function& f, Random& random) {
  const auto feature = [&](int n) {
    return static_cast<Feature>(random.engine() % static_cast<unsigned>(n));
  };
  Row row{&f, {}};
  for (int i = 0; f.axes == 0 && i < f.products; ++i) {
    row.of[at(i)].u = feature(kFeatures);
    row.of[at(i)].v = feature(kFeatures);
  }
  std::array<Feature, 3> axes{};
  for (int i = 0; i < f.axes; ++i) axes[at(i)] = feature(static_cast<int>(Feature::D));
  if (f.axes > 0) row.of = {Product{axes[0], axes[1]}, Product{axes[2], axes[2]}};
  return row;
}

/// Up to n different rows of a function, of those that it takes, that can change and that `like`
/// is true for.
template <class F>
std::vector<Row> rows_of(const Function& f, std::size_t n, F&& like) {
  std::vector<Row> out;
  std::set<std::array<Feature, 4>> seen;
  Random random(1);
  for (int trial = 0; trial < 5000 && out.size() < n && !f.coupled; ++trial) {
    const Row row = drawn(f, random);
    if (!seen.insert({row.of[0].u, row.of[0].v, row.of[1].u, row.of[1].v}).second) continue;
    if ((f.fits == nullptr || f.fits(row)) && !row.constant() && like(row)) out.push_back(row);
  }
  return out;
}

/// A name for messages and for gtest: slips have one in common, and so have couplings.
inline std::string name_of(const Function& f) {
  const std::string name = f.name.empty() ? "product" : std::string(f.name);
  if (f.coupled) return name + "_" + std::string(symbol(*f.unit));
  return f.axes > 0 ? name + "_of_" + std::to_string(f.axes) : name;
}

}  // namespace trammel::joint::test
