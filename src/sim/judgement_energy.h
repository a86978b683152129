#pragma once

#include <vector>

#include "sim/judgement.h"

/// Judges what runs by the energy formulation alone may have.
namespace trammel::sim {

/// Joints that are springs and give way to what they carry.
void judge_sag(const Watch& watch, const model::Model& model, const Settings& settings,
               std::vector<Warning>& out);

}  // namespace trammel::sim
