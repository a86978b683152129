#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "units/plural.h"

namespace trammel::cli {

/// Columns of text under each other; 'l' or 'r' a column.
class TextTable {
 public:
  explicit TextTable(std::string alignment) : alignment_(std::move(alignment)) {}
  void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  bool empty() const { return rows_.empty(); }
  std::string text(std::string_view indent = "  ") const;

 private:
  std::string alignment_;
  std::vector<std::vector<std::string>> rows_;
};

/// A number for people: so many significant digits, no trailing zeros.
std::string number(double x, int digits = 5);
/// With its unit, forces and energies in k, M or G where they are large: "31.4 kN".
struct Shown {
  std::string number, unit;
  std::string text() const { return unit == "1" || unit.empty() ? number : number + " " + unit; }
};
Shown shown(double x, std::string_view unit, int digits = 5);
using units::count;

}  // namespace trammel::cli
