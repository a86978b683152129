#pragma once

#include <vector>

#include "form/block_cholesky.h"
#include "form/energy_carriers.h"

/// What the blocks alone make of a linearisation: gravity and loads, gradient, second derivatives
/// (docs/theory/energy.md, "Newton by the joints").
namespace trammel::form::energy {

/// Gravity and loads where a Newton step begins.
struct Loads {
  std::vector<body::Covector> force;  // objects
  std::vector<double> drag;           // objects: greatest stiffness of their drags [N/m]
};

/// Computes the weight of every object.
void weigh(const Mechanism& m, std::vector<body::Covector>& out);
/// Evaluates gravity and loads at the places at.T_WO, and the stiffness with which the loads oppose
/// it; at.rate gets the rates of the objects that loads act on, as the scheme has them.
void take_loads(const Mechanism& m, const Aim& aim, const Past& past, model::KinematicsCache& at,
                Loads& out);

/// Computes the gradient of the objective on the blocks' unknowns, without the rows and terms that
/// the joints' system carries.
void take_gradient(const Mechanism& m, double a, const Trial& trial,
                   const std::vector<body::Covector>& loads, std::vector<double>& gradient);

/// Makes the second derivatives of all blocks, (4), and of the gradient on dq that on z. pulls:
/// forces of rows and terms at objects that turn as a whole. left_out: what of the whole second
/// derivative of each object is not in it, so that it is positive: on turns, or on each row of A.
/// Returns false where a second derivative is not positive.
bool factor_blocks(const Mechanism& m, double a, const Trial& trial, const Loads& loads,
                   const std::vector<body::Covector>& pulls, const std::vector<double>& gradient,
                   BlockCholesky& out, std::vector<double>& scaled, std::vector<Mat3>& left_out,
                   CarrierMatrices& carriers);

}  // namespace trammel::form::energy
