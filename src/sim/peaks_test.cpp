// Peaks against the channels that they are named after: of every joint, with and without laws, in
// every formulation.
#include "sim/peaks.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "form/test_pairs.h"
#include "joint/table.h"
#include "sim/channels.h"

namespace trammel::sim::peaks_test {
namespace {

using Formulation = form::Settings::Formulation;

constexpr double kStep = 1e-3;

/// All numbers of a run, by channels.
struct Series {
  std::string unit;
  std::vector<double> x;
};
using Channels = std::map<std::string, Series>;

void keep(Recorder& recorder, Channels& out) {
  recorder.begin_frame();
  for (std::size_t q = 0; q < recorder.quantities().size(); ++q) {
    const Quantity& of = recorder.quantities()[q];
    const std::vector<double>& row = recorder.frame(q);
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::size_t column = i % of.columns.size();
      Series& s = out[channel_name(of.items[i / of.columns.size()], of.name, of.columns[column])];
      s.unit = of.units[of.units.size() == of.columns.size() ? column : i];
      s.x.push_back(row[i]);
    }
  }
}

/// True where the peak is what its channel had at its time, and no frame that counts has more.
void compare(const Extreme& e, const Channels& channels, bool all_count) {
  const auto channel = channels.find(e.name);
  ASSERT_NE(channel, channels.end()) << e.name << " is no channel";
  EXPECT_EQ(e.unit, channel->second.unit) << e.name;
  const std::vector<double>& x = channel->second.x;
  const auto k = static_cast<std::size_t>(std::lround(e.t / kStep)) - 1;
  ASSERT_LT(k, x.size()) << e.name;
  EXPECT_EQ(e.value, x[k]) << e.name << " at " << e.t;
  for (std::size_t i = 0; all_count && i < x.size(); ++i)
    EXPECT_LE(std::abs(x[i]), std::abs(e.value)) << e.name << " in step " << i;
}

bool takes(const model::Built& built, Formulation formulation) {
  form::Settings settings;
  settings.formulation = formulation;
  return form::Formulation::refused(*built.model, built.params, settings).empty();
}

/// Runs a mechanism and compares all its peaks. Returns how many there are.
std::size_t compare(const model::Built& built, Formulation formulation) {
  Settings settings;
  settings.duration = 0.1;
  settings.step = settings.output_step = kStep;
  settings.form.formulation = formulation;
  settings.probes.push_back({"feel", "", "b", Vec3(0.1, 0.2, 0.3)});
  Simulation run(built, settings);
  Recorder recorder(run);
  Channels channels;
  while (!run.finished() && run.advance()) keep(recorder, channels);
  EXPECT_EQ(run.failure(), "");
  const PeakList peaks = run.peaks();
  for (const Extreme& e : peaks.extremes) compare(e, channels, formulation != Formulation::energy);
  return peaks.extremes.size();
}

TEST(Peaks, AreWhatTheChannelsOfTheirNamesHaveWithEveryJoint) {
  for (const joint::Table& table : joint::tables())
    for (const auto f : {Formulation::velocity, Formulation::acceleration, Formulation::energy}) {
      SCOPED_TRACE(fmt::format("{}, {}", table.name, form::name_of(f)));
      const model::Built built = form::test::build(table, nullptr, nullptr);
      if (!takes(built, f)) continue;
      EXPECT_GE(compare(built, f), table.rows.empty() ? 3u : 4u);  // three of the probe
    }
}

TEST(Peaks, AreWhatTheChannelsOfTheirNamesHaveWithEveryLaw) {
  const joint::Table& table = *joint::find_table("prismatic");
  const joint::Coordinate& travel = *table.coordinate("travel");
  for (const char* type : {"spring", "limit", "friction", "motor", "actuator", "driven"})
    for (const auto f : {Formulation::velocity, Formulation::acceleration}) {
      SCOPED_TRACE(fmt::format("{}, {}", type, form::name_of(f)));
      compare(form::test::build(table, &travel, law::find_type(type)), f);
    }
}

TEST(Channels, EachSaysWhatItIs) {
  for (const joint::Table& table : joint::tables()) {
    const joint::Coordinate* free = table.coordinates.empty() ? nullptr : &table.coordinates[0];
    Settings settings;
    settings.probes.push_back({"feel", "", "b", Vec3(0.1, 0.2, 0.3)});
    const Simulation run(form::test::build(table, free, free ? law::find_type("spring") : nullptr),
                         settings);
    std::map<std::string, std::string> said;
    for (const ChannelText& c : channels(run)) {
      EXPECT_NE(c.text, "") << table.name << ": " << c.name;
      said[c.name] = c.text;
    }
    if (!said.contains("joint.reaction.fx")) continue;
    for (const char* axis : {"x", "y", "z"}) {
      const std::string force = said[std::string("joint.reaction.f") + axis],
                        torque = said[std::string("joint.reaction.t") + axis];
      EXPECT_EQ(force.find(std::string("force on B along ") + axis), 0u) << force;
      EXPECT_EQ(torque.find(std::string("torque on B about ") + axis), 0u) << torque;
    }
  }
}

TEST(Channels, AreListedByDatasetAndColumn) {
  std::set<std::pair<std::string_view, std::string_view>> seen;
  for (const ColumnText& t : column_texts()) {
    EXPECT_TRUE(t.path.starts_with("/")) << t.path;
    EXPECT_EQ(t.column.find_first_of("/ "), std::string_view::npos) << t.column;
    EXPECT_FALSE(t.text.empty()) << t.path;
    EXPECT_TRUE(seen.emplace(t.path, t.column).second) << t.path << " " << t.column;
  }
}

}  // namespace
}  // namespace trammel::sim::peaks_test
