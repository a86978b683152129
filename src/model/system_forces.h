#pragma once

#include <vector>

#include "model/system.h"

/// Forces that a system says itself, as laws on the joints of its coordinates. Internal.
namespace trammel::model {

/// One law for each coordinate on which dissipation acts, and one for each on which forces do; what
/// is wrong with them.
std::vector<LawSpec> forces_of(const SystemSpec& spec, std::vector<Problem>& wrong);

}  // namespace trammel::model
