#pragma once

#include <string>
#include <vector>

#include "verify/samples.h"

/// Frictions and motors with bounds, and whether it is determined how they share what they hold.
namespace trammel::verify {

/// Frictions and bounded motors that hold each other where more than `independent` of them stick,
/// with the joints of a loop, driven ones among them.
struct MayStick {
  std::vector<int> rows;
  std::size_t independent = 0;
  std::string what;  // "the friction of 'upper', the friction of 'lower'"
};

/// Returns the groups of them in which, at the start's pose, not all can be told apart.
std::vector<MayStick> may_stick(const model::Built& built);

/// Returns which of the groups have stuck in a run for longer than from one of its times to the
/// next. While they slide each has its own force.
std::vector<std::string> stuck_together(const std::vector<MayStick>& groups,
                                        const model::Model& model, const Samples& run);

/// Returns the rows whose friction or bounded motor may hold.
std::vector<int> rows_that_may_stick(const model::Built& built);

/// Appends by how much the rates of these rows differ from those that they are held at.
void append_slips(const sim::Simulation& run, const std::vector<int>& rows,
                  std::vector<double>& out);

}  // namespace trammel::verify
