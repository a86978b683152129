#pragma once

#include <vector>

#include "form/block_cholesky.h"
#include "form/energy_problem.h"

/// Closure residuals of soft joints: their values, and their rows in the joints' system, (3).
namespace trammel::form::energy {

/// One number per row of the system, whose force is -(r + J dq) / compliance.
struct SystemRows {
  std::vector<double> r, compliance;
  std::vector<double> lo, hi;  // bounds of the force
  std::vector<unsigned char> active;
};

/// Returns the stiffness of a term [N/m], [N m]; as published it is by the aim's a.
double stiffness(const Mechanism& m, const WeightedTerm& t, double a);
/// Returns the second derivative of a term's potential over a step, that of its damper included.
double weight(const Mechanism& m, const Problem& problem, const WeightedTerm& t);
/// Computes the values of a term; joints along a track find their place on it anew.
void term_values(const Mechanism& m, const WeightedTerm& t, model::KinematicsCache& cache,
                 double* out);
/// Computes the values of the terms of all joints that are on; 0 for all other rows of the system.
void all_term_values(const Mechanism& m, const Problem& problem, model::KinematicsCache& cache,
                     std::vector<double>& out);
/// Computes the Jacobians of a term on the places of both ends, 12 numbers per component.
void term_jacobians(const Mechanism& m, const WeightedTerm& t, const model::KinematicsCache& cache,
                    double* J_A, double* J_B);

/// Computes residual, with the shift by the dampers, and compliance of all terms.
void take_terms(const Mechanism& m, const Problem& problem, model::KinematicsCache& cache,
                SystemRows& out);
/// Adds the forces of terms to the covectors on objects.
void add_term_covectors(const Mechanism& m, const Problem& problem,
                        const model::KinematicsCache& cache, const std::vector<double>& r,
                        std::vector<body::Covector>& out);
/// Puts J C of a term into the system's J, C the factor of the block (form/block_cholesky.h).
void put_term(const Mechanism& m, const Problem& problem, const WeightedTerm& t,
              const model::KinematicsCache& cache, const BlockCholesky& cholesky, double* J);

/// Returns phi and the potential of all terms over a step [J]; r: their residuals with the shift.
double plus_terms(double phi, const Mechanism& m, const Problem& problem,
                  const std::vector<double>& r);
/// Returns the energy that all terms store at values r [J]; a: of the aim.
double energy_of_terms(const Mechanism& m, double a, const std::vector<double>& r);

}  // namespace trammel::form::energy
