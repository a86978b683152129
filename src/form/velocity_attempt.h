#pragma once

#include "form/velocity_stepping.h"

/// What functions that make a step, or parts of it, share.
namespace trammel::form::velocity {

/// What a step may do.
struct Leave {
  bool divides = true;  // is made in shorter parts where it finds no solution
  bool meets = false;   // ends unmade where bodies meet or part in it, or rows meet stops
  bool sweeps = false;  // ends unmade where what stays in touch goes too far over a shape
  double instant = 0;   // what meets within it meets at once [s]
  bool at_end = false;  // ends unmade as well where bodies meet at its very end
};

/// Why a step was left unmade, where it may be.
struct Left {
  double meets = law::kInf;  // when bodies meet in it, or rows their stops, or one leaves [s]
  double past = 0;           // how much later what leaves is gone [s]; 0: nothing does
  bool strikes = false;      // bodies meet, or rows their stops
  bool sweeps = false;       // what stays in touch goes too far over a shape
  bool unmade() const { return sweeps || meets < law::kInf; }
};

inline bool is_baumgarte(const Settings& settings) {
  return settings.scheme == Settings::Scheme::baumgarte;
}

model::Projector& projector_of(Stepping& v);
/// Returns the matrix of exact steps where all steps are exact, else null.
Newton* newton_if_light(Stepping& v);
inline void forget_impacts(const Roles& roles, VelocityStage& of) {
  if (roles.unilateral) std::fill(of.impact_rate.begin(), of.impact_rate.end(), law::kInf);
  of.calm.clear();
}

/// Makes ready for another attempt at a step after one that was not made.
void begin_again(Stepping& v, const model::State& state, double h);
/// Makes a step, as the report says, or leaves it unmade. velocity_attempt.cpp
Left step_once(Stepping& v, model::State& state, double h, const Leave& leave, StepReport& report);
/// Takes the end of the step into the state, the report and the beginning of the next step.
/// velocity_commit.cpp
void commit(Stepping& v, model::State& state, double h, bool fell_back, StepReport& report);

}  // namespace trammel::form::velocity
