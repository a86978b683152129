#pragma once

#include <memory>
#include <string>
#include <vector>

#include "form/block_cholesky.h"
#include "form/energy_blocks.h"
#include "form/energy_contact.h"
#include "solve/active_set.h"
#include "solve/direct.h"

/// The minimum of a step of the energy formulation: Newton iteration by the joints, (3), with a
/// line search.
namespace trammel::form::energy {

/// The objective about a trial, in unknowns z of the blocks in which its second derivative is one:
/// dq = C z.
struct Linearisation {
  Loads loads;
  std::vector<body::Covector> pulls;  // forces of rows and terms at objects that turn as a whole
  BlockCholesky cholesky;
  std::vector<Mat3> left_out;  // objects: see factor_blocks()
  CarrierMatrices carriers;
  std::vector<double> gradient, scaled;  // on dq, on z
  std::vector<double> J;                 // J C of all rows of the system
  std::vector<double> flat;              // rows of the model: slopes of those without curvature
};
Linearisation make_linearisation(const Mechanism& m);

/// Forces of the system's rows [N, N m], and the bounds that they are at, see solve::ActiveSet.
struct Multipliers {
  std::vector<double> lambda;
  std::vector<signed char> set;
};

Multipliers make_multipliers(const Mechanism& m);

/// The solver of the joints' system. The mechanism's graph must outlive it.
struct RowSolver {
  std::unique_ptr<solve::Direct> direct;
  std::unique_ptr<solve::ActiveSet> box;  // where there are stops or cones
};
RowSolver make_row_solver(const Mechanism& m);

struct NewtonStep {
  std::vector<double> dq, z;
  std::vector<double> rhs;  // of the rows' system
};

/// Room for a minimisation. After it only the loads in `linear` and the way dq from the start are
/// read.
struct Workspace {
  RowSolver solver;
  Linearisation linear;
  NewtonStep newton;
  std::vector<double> q_base, part;  // where the line search begins; its part of dq
  ContactSystem touching;
};
Workspace make_workspace(const Mechanism& m);

/// What became of a minimisation.
struct Minimum {
  bool found = false;
  int iterations = 0, factorisations = 0;
  /// Greatest number of the last Newton step where it is left, with contacts, before it is small
  /// enough: what is reached is apart, and lower than the start [m, rad].
  double left = 0;
  std::string reason;  // where it is not found
};

/// Computes the objective's gradient, second derivatives and Jacobians at the trial: its J, and the
/// stress of strains that are rows, come to the trial. Returns false where a block's second
/// derivative is not positive.
bool linearise(const Mechanism& m, const Problem& problem, const Past& past,
               const std::vector<double>& lambda, Trial& trial, ContactSystem& touching,
               Linearisation& out);

/// Computes the Newton step dq = C z and the forces lambda of the rows from (J J^T + 1/k) lambda =
/// -r + J gradient, all in z, (3).
bool solve_newton_step(const Mechanism& m, const Linearisation& linear, const SystemRows& rows,
                       RowSolver& solver, Multipliers& forces, NewtonStep& step, Minimum& out);

/// Moves q by dq, without straining affine bodies that turn.
void retract(const Mechanism& m, const double* dq, double* q);

/// Begins the iteration from the state alone, so that another process begins with the same: a first
/// guess of forces and of the minimum, and the weight of all objects.
void guess(const Mechanism& m, const Problem& problem, const model::State& state, double h,
           const Instant& now, Trial& trial, Multipliers& forces, Workspace& work);

/// Finds the minimum, from the trial's coordinates; the trial and the forces become those of the
/// minimum.
Minimum minimise(const Mechanism& m, const Problem& problem, const Past& past, Trial& trial,
                 Multipliers& forces, Workspace& work);

}  // namespace trammel::form::energy
