#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/scene_input.h"

namespace trammel::cli {

/// Events of one kind.
struct EventCount {
  std::string kind, unit;
  long count = 0;
  double sum = 0;  // of their values
};
void add(const form::Event& event, std::vector<EventCount>& counts);

/// How far a joint has run along its tracks.
struct Run {
  std::string joint;
  double distance = 0, top_speed = 0;  // [m], [m/s]
};

/// Pairs that have met; of these within a step that was not divided for it, and how far they would
/// have gone on, of the extent of a shape.
struct Impacts {
  long met = 0, late = 0;
  double lateness = 0;
};

/// The report of a run that is over.
struct RunReport {
  std::string status = "done";    // or inaccurate, interrupted, failed
  std::string failure, ended_by;  // of a run that an event ended
  std::string scene, title, file, scheme, folder;
  std::vector<std::string> overrides, outputs, notes;
  std::string formulation = "velocity";
  int order = 2;
  double accuracy = 0;                                  // of an adaptive method
  double step = 0, wall = 0, waited = 0, duration = 0;  // [s]
  Counts counts;
  model::StartReport start;
  sim::Summary summary;
  sim::PeakList peaks;
  bool touches = false;                        // there are contact shapes
  double contacts_work = 0, impacts_work = 0;  // what they have taken is negative [J]
  Impacts impacts;
  std::vector<sim::Warning> warnings;
  std::vector<EventCount> events;
  std::vector<Run> runs;
  std::uint64_t state_hash = 0;
  long frames = 0;

  /// Whether it has come to the end of its duration.
  bool ended() const { return status == "done" || status == "inaccurate"; }
  double speed_factor() const { return wall > 0 ? summary.simulated / wall : 0; }
};

std::string summary_text(const RunReport& report);
std::string summary_json(const RunReport& report);

}  // namespace trammel::cli
