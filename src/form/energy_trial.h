#pragma once

#include <functional>
#include <span>
#include <vector>

#include "form/energy_contact.h"
#include "form/energy_terms.h"

/// The mechanism at coordinates that may be those of the minimum, and the objective there.
namespace trammel::form::energy {

struct Trial {
  std::vector<double> q;
  model::KinematicsCache at;
  std::vector<body::Covector> inertia;  // objects: M (y - y~)
  std::vector<Mat3> stress;             // objects: stress on the rows of A, in their own axes [J]
  bool exceeds_small_strain = false;
  SystemRows rows;
  std::vector<double> slope;  // rows of the model: derivative of their potential
  std::vector<double> rate;   // rows of the model: J u, where there are nonholonomic ones
  // at the end of the step, if this is the minimum (end_momenta()): force on the blocks, momenta,
  // velocities
  std::vector<double> f, P, u;
};
Trial make_trial(const Mechanism& m);

/// Evaluates terms, inertia, elasticity and rows at the coordinates `out.q`. Returns false where a
/// joint has lost its track.
bool evaluate(const Mechanism& m, const Problem& problem, Trial& out);

/// Computes the force F on the blocks (without that of potentials of their own) and the momenta P
/// at the end of the step, if its minimum is at q, which `cache` is of. Those of carriers by
/// midpoint: end_carriers_by_midpoint().
void end_momenta(const Mechanism& m, const Problem& problem, const std::vector<double>& q,
                 const model::KinematicsCache& cache, const std::vector<body::Covector>& inertia,
                 std::vector<double>& F, std::vector<double>& P);

/// What the objective takes as it was where the Newton step began: loads need not have a potential,
/// and forces that hold count by the penalty for what they hold.
struct Frozen {
  const std::vector<body::Covector>& loads;
  const std::vector<double>& lambda;
  double penalty;  // weight of rows that hold [N, N m]
  /// What parts surfaces: its potential at places of the objects [J], and whether nothing is on the
  /// way that a part of the step goes to places.
  std::function<double(const std::vector<body::Transform>&)> potential;
  std::function<bool(const double* dq, const std::vector<body::Transform>&)> is_free;
};
/// Returns the objective, (2), from the start of the step on [J].
double objective(const Mechanism& m, const Problem& problem, const Instant& start,
                 const Trial& trial, const Frozen& frozen);

}  // namespace trammel::form::energy
