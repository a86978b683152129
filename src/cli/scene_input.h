#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "form/meter.h"
#include "io/results.h"
#include "io/scene.h"
#include "sim/recorder.h"
#include "sim/simulation.h"

namespace trammel::cli {

/// A scene that can be run: read, built, and everything it names is there.
struct Prepared {
  io::LoadedScene loaded;
  std::unique_ptr<form::Meter> meter;  // asked within long steps whether to go on
  std::unique_ptr<sim::Simulation> simulation;
  std::unique_ptr<sim::Recorder> recorder;
  std::vector<io::Series> series;  // of the results
};
using PreparedOrProblems = std::variant<Prepared, io::SceneProblems>;
PreparedOrProblems prepare(const std::string& file, const std::vector<io::Override>& overrides);
PreparedOrProblems prepare_text(const std::string& text, const std::string& file,
                                const std::vector<io::Override>& overrides);

/// "path=value"; throws InputError.
io::Override parse_override(const std::string& text);

/// Prints problems on stderr, with `json` on stdout too.
void print_problems(const io::SceneProblems& problems, bool json);

/// Plain counts of a mechanism.
struct Counts {
  long bodies = 0, systems = 0;  // bodies with those of systems; joints without their dials
  long prescribed = 0, joints = 0, couplings = 0, laws = 0, loads = 0, tracks = 0;
  long unknowns = 0, rows = 0, rank = 0;  // rows that hold, and how many of them independently
  long degrees_of_freedom() const { return unknowns - rank; }
  long surplus() const { return rows - rank; }
};
Counts count_parts(const model::Built& built);
/// True for a law that the scene states, on a row of the joint's own too, and not for the lock that
/// comes with such a row.
bool of_scene(const model::Model& model, const model::LawOnRow& law);
/// "20 rows on 18 velocities, 3 redundant: 1 degree of freedom".
std::string degrees_of_freedom_text(const Counts& counts);

/// Returns what a user should know of a scene that is right as it stands.
std::vector<std::string> notes(const model::Built& built, const form::Settings& settings);

/// "crank.angle 30 deg (given), rocker.angle 71.2 deg": where coordinates start, of at most a
/// dozen.
std::string start_coordinates(const model::StartReport& start);

/// What the results of a scene say of it, but for their numbers.
io::Header results_header(const Prepared& prepared, const std::vector<io::Override>& overrides);

/// How many frames a run will keep, and about how many bytes they take.
struct Room {
  double frames = 0, bytes = 0;
};
Room room_for(const Prepared& prepared);
/// "about 1.2 MB".
std::string bytes_text(double bytes);

/// Formulation, method, step.
std::string method_text(const sim::Settings& settings);

}  // namespace trammel::cli
