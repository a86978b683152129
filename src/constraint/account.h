#pragma once

#include <span>
#include <vector>

#include "model/demands.h"
#include "model/kinematics.h"

/// The accounts that every formulation keeps alike: energy, work and what comes from outside.
namespace trammel::constraint {

/// Kinetic energy, that of gravity, and what laws store, of a state whose velocities are u and
/// whose rows are at `now` [J].
double total_energy(const model::Kinematics& kin, const model::State& state, const double* u,
                    const model::Instant& now);

/// A force and its moment about the world's origin, or impulses of them.
struct Wrench {
  Vec3 force = Vec3::Zero();   // [N] or [N s]
  Vec3 moment = Vec3::Zero();  // [N m] or [N m s]
};
/// What the ground and prescribed bodies exert through rows whose forces or impulses are given
/// (`more` is added to them, unless it is empty).
Wrench anchored_wrench(const model::Kinematics& kin, const model::Instant& at,
                       std::span<const double> rows, std::span<const double> more = {});

/// Impulse from outside: of gravity and loads over `duration` [s], and through anchored rows.
Wrench outside_impulse(const model::Kinematics& kin, const model::Instant& at,
                       std::span<const double> rows, std::span<const double> more, double duration);

/// Work of an impact's impulses that is not its loss: drives work at the rates that they demand,
/// prescribed bodies at those that they have. Added to the ledger; returns the sum [J].
double add_impact_work(const model::Kinematics& kin, const model::Demands& demands,
                       const model::Instant& at, std::span<const double> impulses,
                       std::span<double> ledger);

}  // namespace trammel::constraint
