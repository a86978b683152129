#pragma once

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

/// "a, b": the channels of one panel.
std::vector<std::string> panel_channels(const std::string& y);

/// Channels that are not there and panels of different units, at the path of the plot.
std::vector<Problem> check_chart(const sim::PlotSpec& plot, std::span<const io::Channel> channels);

/// Returns the figure of a plot without problems.
plot::Figure make_chart(const sim::PlotSpec& plot, const io::ResultsReader& results);

}  // namespace trammel::cli
