#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/recorder.h"

/// What the channels of a run are: the numbers that its results, plots and sensors know by name.
namespace trammel::sim {

/// One column of a quantity, as docs/channels.md lists it.
struct ColumnText {
  std::string_view path, column;  // of the dataset; the column, empty: all that have no own text
  std::string_view text;
};
std::span<const ColumnText> column_texts();

struct ChannelText {
  std::string name, unit, text;
};
/// item.quantity.column, without what is empty: car.position.x, energy.kinetic, front.s.
std::string channel_name(std::string_view item, std::string_view quantity, std::string_view column);
/// Returns a problem for each of two elements of a scene whose channels would have the same name.
std::vector<Problem> wrong_channels(const model::Built& built, const Settings& settings);
/// All channels of a run in the order of its results, the time first.
std::vector<ChannelText> channels(const Simulation& simulation);

}  // namespace trammel::sim
