#pragma once

#include <functional>

#include "sim/judgement.h"

/// Judges what is given as a function of the time: forces, limits of forces, motions.
namespace trammel::sim {

/// Says which step would do.
using Shorter = std::function<std::string(double step)>;

/// Forces, and limits of forces, that change faster than the steps follow.
void judge_forces(const Watch& watch, const Settings& settings, const Shorter& shorter,
                  std::vector<Warning>& out);
/// A given motion of which the steps see little or nothing.
void judge_drive(const Watch& watch, std::size_t drive, const Settings& settings,
                 const Shorter& shorter, std::vector<Warning>& out);
/// Limits of forces that are less than zero, or no number.
void judge_limits(const Watch& watch, const model::Model& model, std::vector<Warning>& out);
/// Sensors without a finite value in frames of the results.
void judge_sensors(const Watch& watch, const Settings& settings, std::vector<Warning>& out);

/// Adds a warning of the energy that is lost at kinks of tracks.
void judge_kinks(const Watch& watch, const model::Model& model, std::vector<Warning>& out);
/// Of what rolls too far in a step to be followed: it takes no energy. judgement_kinks.cpp
void judge_rolling(const Watch& watch, const model::Model& model, const std::string& remedy,
                   std::vector<Warning>& out);

}  // namespace trammel::sim
