#pragma once

#include <vector>

#include "constraint/account.h"
#include "form/energy_stops.h"
#include "form/energy_trial.h"
#include "form/report.h"

/// Results of a step of the energy formulation: forces, the balance of energy, the new state.
namespace trammel::form::energy {

/// What rows and terms exert where the minimum is.
struct Reactions {
  std::vector<double> force;     // rows of the model [N, N m]
  constraint::Wrench outside;    // what does not move freely exerts through terms
  std::vector<double> wrenches;  // of joints and loads (model/reactions.h), where asked for
  /// Rates of objects that loads act on, as the scheme had them, where there are carriers, whose
  /// velocities at the end go along J, and by midpoint.
  std::vector<body::Rate> rate;
};
/// Computes them from the forces lambda of the system's rows. Those of the rows of soft joints make
/// the wrench of their terms.
void take_reactions(const Mechanism& m, const Problem& problem, const Trial& trial,
                    const std::vector<double>& lambda, Reactions& out);

/// The step that has been made.
struct Made {
  const Instant &start, &end;
  const model::KinematicsCache& acted;  // where forces acted: the end, or by midpoint the middle
  const Trial& minimum;                 // its q and P are the end's; not its KinematicsCache
  const std::vector<double>& dq;        // the way from start to end
  const Reactions& reactions;
};

/// Forces that do work: outside, wrenches, rows without what their stored energy makes, rows,
/// terms, loads; contacts come after these: barriers, then friction.
struct Acts {
  std::vector<double> force;
  std::size_t laws = 0, rows = 0, terms = 0, loads = 0, contacts = 0;  // where these begin
};
/// Computes them; loads: gravity and loads on each object. `pull` becomes the forces of rows that
/// are on.
void take_acts(const Mechanism& m, const Problem& problem, const Made& made,
               const std::vector<body::Covector>& loads, std::vector<double>& pull, Acts& out);
/// Computes the impulses of what acts, as the momenta take it up: a two-step scheme takes a share
/// of the last step's along. Forces at the end of a step, times its displacement, would make works
/// of first order.
void take_up(const Aim& aim, const std::vector<double>& force, std::vector<double>& impulses);

/// Adds the step's works and losses to the ledger [J]; loads: gravity and loads on each object;
/// gain: that of the energy of the blocks. `along` becomes J dq of the rows.
void add_works(const Mechanism& m, const Problem& problem, const Made& made, const Acts& acts,
               const std::vector<body::Covector>& loads, const std::vector<double>& impulses,
               const Impact& impact, double gain, std::vector<double>& along,
               std::vector<double>& ledger);

/// Returns the energy of soft joints, and of springs among the rows, at an instant [J].
double energy_of_joints(const Mechanism& m, const Problem& problem, const Instant& at);

/// Reports the impulses of the step, from outside and of joints and loads.
void report_outside(const std::vector<double>& impulses, const Acts& acts, StepReport& report);
/// Reports how far position rows are from their target, whether held by rows or by terms, and the
/// error of their rates. `specs`: of that instant.
void report_gaps(const Mechanism& m, const Problem& problem, const model::ConstraintSpecs& specs,
                 const Instant& end, StepReport& report);

/// Makes the state that of the end of a step of h.
void commit(const Mechanism& m, const Made& made, const Impact& impact,
            const std::vector<signed char>& set, double h, model::State& state);

}  // namespace trammel::form::energy
