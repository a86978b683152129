#pragma once

#include <string>
#include <string_view>

#include "sim/archive.h"
#include "sim/simulation.h"

namespace trammel::sim {

/// All that a run goes on from, as bytes.
std::string to_bytes(const Simulation& simulation);

/// Takes up a run where to_bytes() was called, bit for bit. The simulation is freshly made, of the
/// same scene; its duration may be another. Throws CheckpointError where the bytes are not those of
/// such a scene; the simulation is then not to be used.
void from_bytes(std::string_view bytes, Simulation& simulation);

}  // namespace trammel::sim
