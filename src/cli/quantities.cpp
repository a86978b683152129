#include "cli/quantities.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "units/nearest.h"

namespace trammel::cli {

namespace {

const io::Channel* find(const Recorded& run, const std::string& name) {
  const auto it = std::ranges::find(run.channels, name, &io::Channel::name);
  return it == run.channels.end() ? nullptr : &*it;
}

/// The pattern as it would match a name: what of it is spelt out is replaced by the name's parts
/// from the left, up to the first * or ?, and from the right.
std::string as_in(const std::string& pattern, const std::string& name) {
  std::vector<std::string> parts = parts_of(pattern), of = parts_of(name);
  for (std::size_t i = 0; i < std::min(parts.size(), of.size()) && !is_pattern(parts[i]); ++i)
    parts[i] = of[i];
  for (std::size_t i = 1; i <= std::min(parts.size(), of.size()); ++i) {
    if (is_pattern(parts[parts.size() - i])) break;
    parts[parts.size() - i] = of[of.size() - i];
  }
  return fmt::format("{}", fmt::join(parts, "."));
}

std::string no_match(const std::string& pattern, std::span<const Recorded> runs) {
  std::set<std::string> ways;
  for (const Recorded& run : runs)
    for (const io::Channel& c : run.channels)
      if (const std::string way = as_in(pattern, c.name); is_pattern(way) && matches(way, c.name))
        ways.insert(way);
  std::vector<std::string> known(ways.begin(), ways.end());
  if (!units::nearest(pattern, known)) {
    known.clear();
    for (const io::Channel& c : runs.front().channels) known.push_back(c.name);
  }
  return fmt::format("'{}' matches no channel{}", pattern, units::did_you_mean(pattern, known));
}

class Choice {
 public:
  Choice(const Wanted& wanted, std::span<const Recorded> runs) : wanted_(wanted), runs_(runs) {}

  Chosen all() {
    check_x();
    for (const std::string& panel : wanted_.panels) {
      out_.panels.emplace_back();
      for (const std::string& name : panel_channels(panel))
        for (const ChartLine& line : lines_of(name)) add(out_.panels.back(), line);
      check_units(out_.panels.back());
    }
    const std::size_t first = out_.panels.size();
    for (const std::string& list : wanted_.quantities)
      for (const std::string& name : panel_channels(list))
        for (const ChartLine& line : lines_of(name)) add(by_unit(line.unit, first), line);
    check_number();
    return std::move(out_);
  }

 private:
  void complain(std::string text) { out_.problems.push_back(std::move(text)); }

  /// Said of one run among several.
  std::string where(const Recorded& run) const {
    return runs_.size() > 1 ? fmt::format("{}: ", run.name) : "";
  }

  void check_x() {
    const io::Channel* first = nullptr;
    for (const Recorded& run : runs_) {
      const io::Channel* x = find(run, wanted_.x);
      if (!x)
        complain(where(run) + unknown_channel(run.channels, wanted_.x));
      else if (first && first->unit != x->unit)
        complain(fmt::format("{}'{}' is in {}, elsewhere in {}: runs share the x axis", where(run),
                             x->name, x->unit, first->unit));
      if (!first) first = x;
    }
  }

  std::vector<ChartLine> lines_of(const std::string& name) {
    std::vector<ChartLine> out;
    const bool pattern = is_pattern(name);
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      const std::size_t before = out.size();
      for (const io::Channel& c : runs_[i].channels)
        if (pattern ? c.name != "time" && matches(name, c.name) : c.name == name)
          out.push_back({i, c.name, c.unit});
      if (!pattern && out.size() == before)
        complain(where(runs_[i]) + unknown_channel(runs_[i].channels, name) +
                 (name.find('.') == name.npos ? "; nor is there a folder '" + name + "'" : ""));
    }
    if (pattern && out.empty()) complain(no_match(name, runs_));
    if (pattern && !out.empty()) counts_.push_back(fmt::format("'{}' {}", name, out.size()));
    return out;
  }

  static void add(ChartPanel& panel, const ChartLine& line) {
    for (const ChartLine& other : panel)
      if (other.source == line.source && other.channel == line.channel) return;
    panel.push_back(line);
  }

  ChartPanel& by_unit(const std::string& unit, std::size_t first) {
    for (std::size_t i = first; i < out_.panels.size(); ++i)
      if (out_.panels[i].front().unit == unit) return out_.panels[i];
    return out_.panels.emplace_back();
  }

  void check_units(const ChartPanel& panel) {
    for (const ChartLine& line : panel)
      if (line.unit != panel.front().unit)
        return complain(fmt::format("'{}' is in {}, '{}' in {}: they cannot share a panel",
                                    panel.front().channel, panel.front().unit, line.channel,
                                    line.unit));
  }

  void check_number() {
    std::size_t lines = 0;
    for (const ChartPanel& panel : out_.panels) lines += panel.size();
    if (lines <= kMostLines || wanted_.all) return;
    std::string why;
    if (!counts_.empty())
      why =
          fmt::format(" ({}{})", fmt::join(counts_, ", "), runs_.size() > 1 ? " in all runs" : "");
    complain(fmt::format(
        "{} lines{} are more than {} that one can tell apart: ask for fewer, or for --all", lines,
        why, kMostLines));
  }

  const Wanted& wanted_;
  std::span<const Recorded> runs_;
  std::vector<std::string> counts_;  // what patterns stand for
  Chosen out_;
};

}  // namespace

bool is_pattern(std::string_view text) { return text.find_first_of("*?") != text.npos; }

bool matches(std::string_view pattern, std::string_view name) {
  // Where the last * stands, and from where in the name it was tried: only that one is ever
  // widened.
  std::size_t p = 0, n = 0, star = pattern.npos, from = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      from = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p, ++n;
    } else if (star != pattern.npos) {
      p = star + 1;
      n = ++from;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == pattern.npos;
}

Chosen choose(const Wanted& wanted, std::span<const Recorded> runs) {
  return Choice(wanted, runs).all();
}

std::vector<std::string> run_names(const std::vector<std::string>& paths) {
  namespace fs = std::filesystem;
  std::vector<fs::path> full;
  for (const std::string& path : paths) {
    fs::path p = fs::absolute(path).lexically_normal();
    if (p.filename().empty() || p.filename() == "results.h5") p = p.parent_path();
    full.push_back(p);
  }
  std::vector<std::string> out(paths.size());
  for (std::size_t i = 0; i < full.size(); ++i) {
    fs::path rest = full[i].parent_path();
    fs::path name = full[i].filename();
    const auto taken = [&] {
      return std::ranges::any_of(full, [&](const fs::path& other) {
        return other != full[i] && other.string().ends_with("/" + name.string());
      });
    };
    while (taken() && rest.has_relative_path()) {
      name = rest.filename() / name;
      rest = rest.parent_path();
    }
    out[i] = name.string();
  }
  return out;
}

}  // namespace trammel::cli
