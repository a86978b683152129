#include "io/scene_heights.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace trammel::io {

namespace {

constexpr std::string_view kBetween = " \t\r,;";

/// Returns what is wrong with a line; empty: nothing.
std::string read_line(std::string_view line, std::vector<double>& out) {
  line = line.substr(0, line.find('#'));
  while (true) {
    const std::size_t first = line.find_first_not_of(kBetween);
    if (first == std::string_view::npos) return "";
    line.remove_prefix(first);
    const std::string_view word = line.substr(0, line.find_first_of(kBetween));
    double x = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), x);
    if (error != std::errc() || end != word.data() + word.size() || !std::isfinite(x))
      return fmt::format("'{}' is no number", word);
    out.push_back(x);
    line.remove_prefix(word.size());
  }
}

/// Returns what is wrong with the rows; empty: nothing. `of`: what a row is called.
std::string uneven(const std::vector<std::vector<double>>& rows) {
  for (std::size_t j = 1; j < rows.size(); ++j)
    if (rows[j].size() != rows[0].size())
      return fmt::format("row {} has {} heights, the first has {}", j + 1, rows[j].size(),
                         rows[0].size());
  if (rows.size() >= 2 && rows[0].size() >= 2) return "";
  return fmt::format("{} by {} heights: two or more are needed along x and along y",
                     rows.empty() ? 0 : rows[0].size(), rows.size());
}

}  // namespace

NumberRows number_rows(std::string_view text) {
  NumberRows out;
  for (int line = 1; !text.empty(); ++line) {
    const std::size_t end = text.find('\n');
    std::vector<double> row;
    if (const std::string fault = read_line(text.substr(0, end), row); !fault.empty()) {
      out.fault = fmt::format("line {}: {}", line, fault);
      return out;
    }
    if (!row.empty()) out.rows.push_back(std::move(row));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return out;
}

std::shared_ptr<const model::Heights> heights_of(const Value& v, SceneFiles& files,
                                                 Findings& findings) {
  NumberRows read;
  const Value& given = v.has("file") ? v["file"] : v["values"];
  if (v.has("file")) {
    const auto text = files.numbers(given.text, given.place, given.path);
    if (!text) return nullptr;
    read = number_rows(*text);
  } else {
    for (const Value& row : given.items) read.rows.push_back(row.numbers);
  }
  if (read.fault.empty()) read.fault = uneven(read.rows);
  if (!read.fault.empty()) {
    findings.complain(given.path, given.place,
                      v.has("file") ? fmt::format("'{}': {}", given.text, read.fault) : read.fault);
    return nullptr;
  }
  auto out = std::make_shared<model::Heights>();
  const Value& spacing = v["spacing"];
  const bool both = spacing.numbers.size() == 2;
  out->dx = both ? spacing.numbers[0] : spacing.number;
  out->dy = both ? spacing.numbers[1] : spacing.number;
  if (!(out->dx > 0 && out->dy > 0)) {
    findings.complain(spacing.path, "must be greater than 0");
    return nullptr;
  }
  out->nx = static_cast<int>(read.rows[0].size());
  out->ny = static_cast<int>(read.rows.size());
  for (std::size_t i = 0; i < read.rows[0].size(); ++i)
    for (const std::vector<double>& row : read.rows) out->z.push_back(v["unit"].number * row[i]);
  return out;
}

}  // namespace trammel::io
