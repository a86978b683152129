#include "cli/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace trammel::cli {

namespace {

/// Characters of UTF-8.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace

std::string TextTable::text(std::string_view indent) const {
  std::vector<std::size_t> widths(alignment_.size(), 0);
  for (const auto& row : rows_)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
  std::string out;
  for (const auto& row : rows_) {
    std::string line(indent);
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string gap(widths[i] - width(row[i]), ' ');
      line += (i > 0 ? "  " : "") + (alignment_[i] == 'r' ? gap + row[i] : row[i] + gap);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + '\n';
  }
  return out;
}

std::string number(double x, int digits) {
  // whole numbers of a few more digits are not rounded
  if (std::abs(x) < 1e7 && x == std::round(x)) return fmt::format("{:.0f}", x + 0.0);
  return fmt::format("{:.{}g}", x, digits);
}

Shown shown(double x, std::string_view unit, int digits) {
  constexpr std::array<std::string_view, 6> kScaled{"N", "J", "N m", "W", "Pa", "N s"};
  if (std::find(kScaled.begin(), kScaled.end(), unit) != kScaled.end())
    for (const auto& [factor, prefix] : {std::pair{1e9, 'G'}, {1e6, 'M'}, {1e3, 'k'}})
      if (std::abs(x) >= 10 * factor)
        return {number(x / factor, digits), prefix + std::string(unit)};
  return {number(x, digits), std::string(unit)};
}

}  // namespace trammel::cli
