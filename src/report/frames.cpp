#include "report/frames.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>
#include <string_view>

namespace trammel::report {

namespace {

constexpr double kFewFrames = 200;
constexpr std::size_t kBlock = 1 << 20;  // numbers read at once

/// What the picture and the balance of energy are drawn from.
bool is_needed(const io::Series& series) {
  static const std::set<std::string_view> kNeeded{"/bodies/position", "/bodies/orientation",
                                                  "/bodies/affine", "/ledger/energy",
                                                  "/ledger/work"};
  return kNeeded.contains(series.path);
}

}  // namespace

void each_row(const io::ResultsReader& results, std::size_t series,
              const std::vector<std::size_t>& kept,
              const std::function<void(std::size_t, const double*)>& f) {
  const std::size_t width = results.series()[series].width();
  const std::size_t most = std::max<std::size_t>(1, kBlock / std::max<std::size_t>(1, width));
  for (std::size_t i = 0; i < kept.size();) {
    std::size_t end = i + 1;
    while (end < kept.size() && kept[end] - kept[i] < most && kept[end] - kept[end - 1] <= 16)
      ++end;
    const std::size_t first = kept[i], count = kept[end - 1] + 1 - first;
    const std::vector<double> rows = results.read_rows(series, first, count);
    for (; i < end; ++i) f(i, rows.data() + (kept[i] - first) * width);
  }
}

std::vector<std::size_t> kept_frames(std::size_t frames, std::size_t every) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < frames; i += every) out.push_back(i);
  if (frames > 0 && out.back() + 1 < frames) out.push_back(frames - 1);
  return out;
}

namespace {

constexpr double kMostRows = 2000;  // a frame
constexpr std::size_t kNumbers = kShownColumns.size();

/// The list that is shown; none: there is none.
std::optional<std::size_t> shown_list(const io::ResultsReader& results) {
  const std::vector<io::Rows>& all = results.header().lists;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].path == kShownList) return i;
  return {};
}

/// Of any frame, as many as are shown at most.
double most_rows(const io::ResultsReader& results) {
  const auto list = shown_list(results);
  if (!list) return 0;
  std::size_t most = 0;
  for (const std::size_t n : results.list_counts(*list)) most = std::max(most, n);
  return std::min(kMostRows, static_cast<double>(most));
}

/// Where the columns that are shown stand in a row of the list.
std::array<std::size_t, kNumbers> shown_columns(const io::Rows& list) {
  std::array<std::size_t, kNumbers> out{};
  for (std::size_t k = 0; k < kNumbers; ++k)
    out[k] = static_cast<std::size_t>(
        std::find(list.columns.begin(), list.columns.end(), kShownColumns[k]) -
        list.columns.begin());
  return out;
}

}  // namespace

void add_rows(const io::ResultsReader& results, const Selection& selection, Arrays& arrays) {
  const auto list = shown_list(results);
  if (!list || selection.rows == 0) return;
  const io::Rows& of = results.header().lists[*list];
  const auto columns = shown_columns(of);
  const std::vector<std::size_t> kept = kept_frames(results.frames(), selection.every);
  std::vector<float> values(selection.rows * kNumbers * kept.size(), std::nanf(""));
  for (std::size_t f = 0; f < kept.size(); ++f) {
    const std::vector<double> rows = results.read_list(*list, kept[f]);
    std::vector<const double*> points;
    for (std::size_t i = 0; i < rows.size(); i += of.columns.size()) points.push_back(&rows[i]);
    const auto push = [&](const double* p) {
      return std::hypot(p[columns[3]], p[columns[4]], p[columns[5]]);
    };
    if (points.size() > selection.rows)
      std::stable_sort(points.begin(), points.end(),
                       [&](auto a, auto b) { return push(a) > push(b); });
    for (std::size_t i = 0; i < std::min(points.size(), selection.rows); ++i)
      for (std::size_t k = 0; k < kNumbers; ++k)
        values[(i * kNumbers + k) * kept.size() + f] = static_cast<float>(points[i][columns[k]]);
  }
  arrays.add(std::span<const float>(values));
}

Selection select(const io::ResultsReader& results, double numbers) {
  const std::vector<io::Series>& all = results.series();
  Selection out;
  out.series.resize(all.size());
  std::iota(out.series.begin(), out.series.end(), std::size_t{0});
  double width = 2;  // of the time, in doubles
  const double rows = most_rows(results);
  for (const io::Series& s : all) width += static_cast<double>(s.width());
  const auto frames = static_cast<double>(results.frames());
  while (numbers / width < std::min(frames, kFewFrames)) {
    const auto size = [&](std::size_t i) { return is_needed(all[i]) ? 0 : all[i].width(); };
    const auto largest = std::max_element(out.series.begin(), out.series.end(),
                                          [&](auto a, auto b) { return size(a) < size(b); });
    if (largest == out.series.end() || size(*largest) == 0) break;
    width -= static_cast<double>(all[*largest].width());
    out.left_out.push_back(*largest);
    out.series.erase(largest);
  }
  const double room = numbers / std::max(1.0, std::min(frames, kFewFrames)) - width;
  out.rows = static_cast<std::size_t>(std::clamp(std::floor(room / kNumbers), 0.0, rows));
  width += kNumbers * static_cast<double>(out.rows);
  out.every = static_cast<std::size_t>(std::max(1.0, std::ceil(frames * width / numbers)));
  return out;
}

void add_frames(const io::ResultsReader& results, const Selection& selection, Arrays& arrays) {
  const std::vector<std::size_t> kept = kept_frames(results.frames(), selection.every);
  std::vector<double> time = results.time();
  for (std::size_t i = 0; i < kept.size(); ++i) time[i] = time[kept[i]];
  time.resize(kept.size());
  arrays.add(std::span<const double>(time));
  for (const std::size_t series : selection.series) {
    const std::size_t width = results.series()[series].width();
    std::vector<float> values(width * kept.size());
    each_row(results, series, kept, [&](std::size_t frame, const double* row) {
      for (std::size_t c = 0; c < width; ++c)
        values[c * kept.size() + frame] = static_cast<float>(row[c]);
    });
    arrays.add(std::span<const float>(values));
  }
}

}  // namespace trammel::report
