#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/chart.h"
#include "io/results.h"

/// Which lines a command line asks for.
namespace trammel::cli {

/// Lines that fit in one picture without being asked for by --all.
constexpr std::size_t kMostLines = 40;

/// Whether a name is what a text with * (any characters) and ? (one) stands for.
bool matches(std::string_view pattern, std::string_view name);
bool is_pattern(std::string_view text);

/// What can be plotted of a run.
struct Recorded {
  std::string name;  // of the run, for messages and legends
  std::vector<io::Channel> channels;
};

struct Wanted {
  std::string x = "time";
  std::vector<std::string> panels = {};      // channels by commas, one panel each
  std::vector<std::string> quantities = {};  // one each, into panels by unit
  bool all = false;                          // however many lines there are
};

struct Chosen {
  std::vector<ChartPanel> panels;
  std::vector<std::string> problems;
};

/// Names hold for every run, patterns for the runs that have what they stand for.
Chosen choose(const Wanted& wanted, std::span<const Recorded> runs);

/// Short names of runs by their paths, all different: the ends of the paths.
std::vector<std::string> run_names(const std::vector<std::string>& paths);

}  // namespace trammel::cli
