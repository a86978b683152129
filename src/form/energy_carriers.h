#pragma once

#include <vector>

#include "form/block_cholesky.h"
#include "form/energy_trial.h"

/// Blocks that carry objects in generalised coordinates x (docs/theory/energy.md, "Blocks of
/// several objects"): the objects' places y(x) are measured as those of bodies are, and pulled back
/// to x by their Jacobians. Others are their only object themselves.
namespace trammel::form::energy {

/// Adds a covector on the place of an object to one on the unknowns of its block, which it must
/// have.
void pull_back(const Mechanism& m, const model::KinematicsCache& at, std::size_t object,
               const body::Covector& covector, double* block);

/// Returns the mass that meets what an object runs into [kg]: its own; of an object of a carrier
/// the inertia that it has where it goes most easily, at least its own, at most that of its block.
double mass_met(const Mechanism& m, const model::KinematicsCache& at, std::size_t object);

/// Returns phi and the potential that these blocks have of their own [J].
double plus_own_potential(double phi, const Mechanism& m, const double* q);
/// Adds its gradient on their unknowns.
void add_own_slope(const Mechanism& m, const double* q, double* out);

/// Computes the force on these blocks, without that of their own potential, and the momenta that
/// the scheme's y' has on their unknowns where the minimum is.
void end_carriers(const Mechanism& m, const Problem& problem, const model::KinematicsCache& at,
                  const std::vector<body::Covector>& inertia, const double* q, double* F,
                  double* P);
/// Computes their momenta at the end of a step of h by midpoint, from the mean of the rates at its
/// ends, (2c) of docs/theory/energy.md; q: there, which `end` is of. Forth and back are the same.
void end_carriers_by_midpoint(const Mechanism& m, double h, const Instant& start,
                              const model::KinematicsCache& middle, model::KinematicsCache& end,
                              const double* q, double* P);

/// Returns the work that forces on the places of their objects, and of rigid bodies where there are
/// loads, do by the way dq of the unknowns, where places go J dq, beyond that by the way that they
/// have gone [J].
double bent_work(const Mechanism& m, const model::KinematicsCache& start,
                 const model::KinematicsCache& acted, const model::KinematicsCache& end,
                 const std::vector<body::Covector>& force, const std::vector<double>& dq);

/// Room for the second derivatives of these blocks, and what they leave out of the whole: -sum of
/// squares of covectors on the unknowns, n numbers each. One for each of Mechanism::carriers.
struct CarrierMatrices {
  std::vector<double> own;  // of the own potentials, as the pools write them
  MatX inertia, more;
  std::vector<std::vector<double>> left_out;
};
/// What acts on objects where a Newton step begins.
struct Acting {
  const std::vector<body::Covector>&loads, &pulls;  // gravity and loads; rows, terms, contacts
  const std::vector<double>& drag;                  // [N/m]
};
/// Makes the second derivatives of these blocks: inertia and drag, J^T M J / a; of the places of
/// the objects by the covectors on them; of the own potential. Where the whole is not positive, the
/// part beside the inertia is made so. Returns false where the inertia is not.
bool factor_carriers(const Mechanism& m, double a, const Trial& trial, const Acting& acting,
                     CarrierMatrices& room, BlockCholesky& out);

}  // namespace trammel::form::energy
