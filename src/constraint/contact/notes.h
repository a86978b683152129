#pragma once

#include <string>
#include <vector>

#include "model/builder.h"

namespace trammel::constraint {

/// What may not be meant: bodies with contact shapes that meet nothing, or without any beside
/// obstacles that wait for some; materials of no shape; shapes that overlap at the start; what a
/// barrier does otherwise.
void add_contact_notes(const model::Built& built, bool by_barrier, std::vector<std::string>& out);

/// How much may touch, in a line; empty: nothing.
std::string contact_text(const model::Model& model);

}  // namespace trammel::constraint
