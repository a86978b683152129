#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "io/results.h"
#include "plot/figure.h"
#include "sim/settings.h"
#include "units/problem.h"

/// From channels of results to pictures.
namespace trammel::cli {

std::vector<io::Channel> channels_of(std::span<const io::Series> series);

/// "front", "reaction", "fz" of front.reaction.fz.
std::vector<std::string> parts_of(const std::string& name);

/// "a, b": the channels of one panel.
std::vector<std::string> panel_channels(const std::string& y);

/// Channels that are not there and panels of different units, at the path of the plot.
std::vector<Problem> check_chart(const sim::PlotSpec& plot, std::span<const io::Channel> channels);

/// ": no such channel" at length, with the nearest names.
std::string unknown_channel(std::span<const io::Channel> channels, const std::string& name);

/// A run, and how a legend calls it.
struct Source {
  std::string name;
  const io::ResultsReader* results;
};

/// A channel of one of the sources.
struct ChartLine {
  std::size_t source = 0;
  std::string channel, unit;
};
using ChartPanel = std::vector<ChartLine>;

/// Returns the figure of panels whose lines are there in their sources, each in one unit. x: a
/// channel of all sources. Events are marked where there is one source.
plot::Figure make_figure(const std::string& x, std::span<const ChartPanel> panels,
                         std::span<const Source> sources);

/// Returns the figure of a plot without problems.
plot::Figure make_chart(const sim::PlotSpec& plot, const io::ResultsReader& results);

}  // namespace trammel::cli
