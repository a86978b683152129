#pragma once

#include <span>
#include <vector>

#include "model/constraint_specs.h"
#include "model/kinematics.h"

/// Computes the balance that every formulation keeps alike: energy, work and what comes from
/// outside.
namespace trammel::constraint {

/// Returns kinetic energy, energy of gravity and energy stored by laws [J], of a state whose
/// velocities are u and whose rows are evaluated in `now`.
double total_energy(const model::Kinematics& kin, const model::State& state, const double* u,
                    const model::KinematicsCache& now);

/// A force and its moment about the world's origin, or impulses of them.
struct Wrench {
  Vec3 force = Vec3::Zero();   // [N] or [N s]
  Vec3 moment = Vec3::Zero();  // [N m] or [N m s]
};
/// Returns the wrench that the ground and prescribed bodies exert through rows with the given
/// forces or impulses (`more` is added to them, unless it is empty). Needs at.anchor.
Wrench anchored_wrench(const model::Kinematics& kin, const model::KinematicsCache& at,
                       std::span<const double> rows, std::span<const double> more = {});

/// Adds to the ledger the work that an impact's impulses take from drives, at the rates that they
/// specify, and from prescribed bodies, at the rates that they have. Returns the sum [J]; the rest
/// of the change of energy is the impact's loss.
double add_impact_work(const model::Kinematics& kin, const model::ConstraintSpecs& specs,
                       const model::KinematicsCache& at, std::span<const double> impulses,
                       std::span<double> ledger);

}  // namespace trammel::constraint
