#pragma once

#include <numbers>
#include <string>
#include <vector>

#include "sim/observed.h"
#include "sim/warning_kind.h"

namespace trammel::sim {

// Limits, with their reasons: docs/results.md.
constexpr double kShareLimit = 0.01;  // of energies
/// Residuals of methods that find their steps, as shares of energies: so many times the accuracy,
/// at least what many steps of the finest one add up to, at most the other methods' share.
constexpr double kOfAccuracy = 1e4, kFinestShare = 1e-5;
constexpr double kGrave = 10;       // times that limit: the run is not to be trusted
constexpr double kTurnLimit = 1;    // of a body in a step [rad]
constexpr double kSagLimit = 1e-3;  // of the mechanism's size, or [rad]
constexpr double kTurnCountLimit =
    std::numbers::pi;                   // which way it was cannot be told beyond [rad]
constexpr double kFallbackLimit = 0.1;  // of the steps
constexpr double kPhaseLimit = 1;       // h omega
constexpr double kShakeLimit = 0.1;     // of the steps
constexpr double kBendLimit = 1e-2;     // of a coordinate in a step [rad, of the reach]
constexpr double kSingular = 1e-2;    // of the mass that a coordinate moved: its chart is singular
constexpr double kLeapLimit = 1e-3;   // of the mechanism's reach, in a step
constexpr double kJumpLimit = 0.01;   // of the way that a drive goes
constexpr double kMeritLimit = 1e-3;  // of points of contact, of the mechanism's speed
constexpr double kTurnedLimit = 0.1;  // sine of what a normal turns by in the step of an impact
constexpr double kTurnedGrave = 0.7;  // the same of a run that is not to be trusted
constexpr double kLatenessLimit = 0.1;  // of the least extent of a shape
constexpr double kOverlapLimit = 0.02;  // of the least extent of a shape
constexpr double kSizesLimit = 1e4;     // the size that decides over that of a part
constexpr double kSizesGrave = 1e6;     // the same of a run that is not to be trusted
constexpr double kSunkLimit = 2;        // times what is stated

/// A reason not to trust a run.
struct Warning {
  WarningKind kind = WarningKind::energy_residual;
  std::string subject;  // body, joint or law; else the mechanism
  std::string text;     // what is wrong, with figures
  std::string remedy;
  double t_first = 0, t_worst = 0;  // [s]
  double value = 0, limit = 0;      // beyond the limit it is a warning
  std::string unit;                 // of both
  bool grave = false;               // the run is not to be trusted

  double severity() const { return value / limit; }
};

/// Depends on nothing but what was seen.
std::vector<Warning> judge(const Watch& watch, const model::Model& model, const Settings& settings);
inline bool any_grave(const std::vector<Warning>& warnings) {
  for (const Warning& w : warnings)
    if (w.grave) return true;
  return false;
}
/// One digit, rounded down: "0.3 ms".
std::string time_text(double seconds);
/// "first at t = 0.2 s, worst at t = 1.9 s"
std::string when(const Warning& warning);
/// One sentence with all but the kind.
std::string sentence(const Warning& warning);

}  // namespace trammel::sim
