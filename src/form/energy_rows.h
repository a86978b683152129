#pragma once

#include <vector>

#include "form/energy_terms.h"

/// The model's rows in the energy formulation: residuals, potentials, and their rows in the joints'
/// system, (3).
namespace trammel::form::energy {

/// Where the rows are evaluated. `rate` is J u, which nonholonomic rows alone have.
struct RowsAt {
  const model::KinematicsCache& cache;
  const std::vector<double>& rate;
};

/// Computes residual and compliance of every row of the model that is in the system, and the slope
/// of its potential.
void take_rows(const Mechanism& m, const Problem& problem, const RowsAt& where, SystemRows& out,
               std::vector<double>& slope);
/// Returns phi and the potentials of these rows [J]; those whose force is an unknown count by the
/// penalty for what is left of their residual.
double plus_rows(double phi, const Mechanism& m, const Problem& problem, const RowsAt& where,
                 const std::vector<double>& r, const std::vector<double>& slope, double penalty);

/// Returns the force of a row that is in the system, from those of the system and the slopes of
/// potentials [N, N m].
double pull_of(const Mechanism& m, const Problem& problem, const std::vector<double>& lambda,
               const std::vector<double>& slope, std::size_t row);
/// Computes the forces of the model's rows on their objects, for the blocks' second derivatives.
/// Couplings are left out, since theirs are small. Joints along a track find their place on it
/// anew.
void take_row_covectors(const Mechanism& m, const Problem& problem,
                        const std::vector<double>& lambda, const std::vector<double>& slope,
                        model::KinematicsCache& cache, std::vector<body::Covector>& out);
/// Adds the stress of strains that are rows, on the rows of A.
void add_stress_of_rows(const Mechanism& m, const Problem& problem,
                        const std::vector<double>& lambda, const std::vector<double>& slope,
                        std::vector<Mat3>& stress);
/// Adds the gradient of row potentials that have no curvature, which the system does not carry;
/// `pull` becomes their slopes.
void add_flat_rows(const Mechanism& m, const Problem& problem, const SystemRows& rows,
                   const std::vector<double>& slope, const std::vector<double>& J,
                   std::vector<double>& pull, std::vector<double>& gradient);
/// Puts J C of a group of the model's rows into the system's J, C the factor of the block
/// (form/block_cholesky.h).
void put_rows(const Mechanism& m, const TakenGroup& taken, const std::vector<double>& J,
              const BlockCholesky& cholesky, std::vector<double>& out);

}  // namespace trammel::form::energy
