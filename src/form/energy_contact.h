#pragma once

#include <vector>

#include "constraint/account.h"
#include "constraint/barrier/contact.h"
#include "form/block_cholesky.h"
#include "form/energy_problem.h"
#include "solve/sparse_cholesky.h"

/// Contact by a barrier in the steps of the energy formulation.
namespace trammel::form::energy {

using constraint::CurvatureTerm;
using Contact = constraint::BarrierContact;
using Guard = constraint::BarrierGuard;

/// Begins a step: stiffness, and friction by the normal forces at its start. Returns false where
/// surfaces touch there.
bool begin_contact(const Mechanism& m, const Problem& problem, const Past& past, Contact& c);

/// What touches, and what a Newton step with it is solved by.
struct ContactSystem {
  Contact surfaces;
  std::vector<CurvatureTerm> terms;  // second derivatives of the contacts
  std::vector<Guard> guards;         // pairs that the step is to leave apart
  std::size_t level = 0;             // how much has been done to have it positive
  solve::SparseCholesky factor;
};

/// What contacts exert at the end of a step.
struct ContactForces {
  std::vector<double> barrier, friction;  // on the blocks' unknowns
  constraint::Wrench outside;             // of what does not move freely
  std::vector<double>
      wrenches;  // of touching_objects (constraint/contact/wrenches.h), where asked for
};
ContactForces contact_forces(const Mechanism& m, const model::KinematicsCache& at,
                             const Contact& c);
/// Returns what is stored in the barriers at the places of an instant, steps of h being made [J].
double stored_in_contact(const Mechanism& m, const model::KinematicsCache& at, double h,
                         Contact& c);

}  // namespace trammel::form::energy
