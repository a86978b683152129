#include "units/nearest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace trammel::units {

namespace {

constexpr std::size_t kLongestName = 64;  // longer names are not compared
constexpr std::size_t kShortList = 24;    // names that a complaint lists

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
  return out;
}

// Damerau-Levenshtein distance in its restricted form: no part is edited twice.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] != b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

/// Of names that are paths their last words count, where no whole one is near.
std::string_view last_word(std::string_view path) { return path.substr(path.rfind('.') + 1); }
std::string_view whole(std::string_view path) { return path; }

template <class List, class Word>
std::optional<std::string> nearest_by(std::string_view name, const List& known, Word word) {
  const std::string wanted = lower(name);
  auto best = std::pair{(name.size() + 1) / 3, kLongestName + 1};  // edits without, with case
  std::optional<std::string> found;
  for (const auto& candidate : known) {
    if (candidate.empty() || candidate.size() > kLongestName) continue;
    const std::string_view by = word(candidate);
    const auto d = std::pair{distance(wanted, lower(by)), distance(name, by)};
    if (d >= best) continue;
    best = d;
    found = std::string(candidate);
  }
  return found;
}

/// The names of a group: those that go on from where the last word of a path begins.
template <class List>
std::vector<std::string_view> beside(std::string_view name, const List& known) {
  std::vector<std::string_view> out;
  const std::size_t dot = name.rfind('.');
  if (dot == name.npos) return out;
  for (const std::string_view candidate : known)
    if (candidate.starts_with(name.substr(0, dot + 1))) out.push_back(candidate);
  return out;
}

/// A path that ends so.
template <class List>
std::optional<std::string> completed(std::string_view name, const List& known) {
  const std::string end = "." + std::string(name);
  for (const std::string_view candidate : known)
    if (candidate.ends_with(end)) return std::string(candidate);
  return std::nullopt;
}

template <class List>
std::optional<std::string> nearest_of(std::string_view name, const List& known) {
  auto found = nearest_by(name, known, whole);
  return found ? found : nearest_by(last_word(name), known, last_word);
}

/// What is of the same thing comes before what is of others: of these it is not said.
template <class List>
std::optional<std::string> nearest_in(std::string_view name, const List& known) {
  if (name.empty() || name.size() > kLongestName) return std::nullopt;
  if (name.find('.') == name.npos) return nearest_of(name, known);
  if (auto found = completed(name, known)) return found;
  const std::vector<std::string_view> group = beside(name, known);
  if (group.empty()) return nearest_of(name, known);
  if (auto found = completed(last_word(name), group)) return found;
  return nearest_of(name, group);
}

template <class List>
std::string listed(const List& known) {
  const auto some = known.begin() + static_cast<long>(std::min(known.size(), kShortList));
  std::string out = fmt::format("; known: {}", fmt::join(known.begin(), some, ", "));
  if (known.size() > kShortList) out += fmt::format(", ... ({} in all)", known.size());
  return out;
}

template <class List>
std::string hint(std::string_view name, const List& known) {
  if (const auto found = nearest_in(name, known))
    return fmt::format("; did you mean '{}'?", *found);
  if (known.size() == 0) return "";
  const std::vector<std::string_view> group = beside(name, known);
  return group.empty() ? listed(known) : listed(group);
}

}  // namespace

std::optional<std::string> nearest(std::string_view name, std::span<const std::string> known) {
  return nearest_in(name, known);
}
std::optional<std::string> nearest(std::string_view name, std::span<const std::string_view> known) {
  return nearest_in(name, known);
}
std::optional<std::string> nearest(std::string_view name,
                                   std::initializer_list<std::string_view> known) {
  return nearest_in(name, known);
}

std::string did_you_mean(std::string_view name, std::span<const std::string> known) {
  return hint(name, known);
}
std::string did_you_mean(std::string_view name, std::span<const std::string_view> known) {
  return hint(name, known);
}
std::string did_you_mean(std::string_view name, std::initializer_list<std::string_view> known) {
  return hint(name, known);
}

}  // namespace trammel::units
