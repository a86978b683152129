#pragma once

/// Slots of State::ledger, works since the start [J]: what came in is positive. After kFirstLaw one
/// slot a law that can do work (LawOnRow::ledger), then one a load. sim/audit.cpp compares their
/// sum with the total energy: what is left is the energy residual.
namespace trammel::model {

enum Ledger : int {
  kLocks,        // locks that move with prescribed bodies, or have yielded
  kImpacts,      // losses where a row jumps or closes
  kCorrections,  // positions moved outside the step
  kIntegrator,   // what the scheme of an energy formulation takes or gives
  kContacts,     // friction of contacts, and what rolls and spins on them
  kInitial,      // total energy at the start
  kFirstLaw,
};

}  // namespace trammel::model
