#pragma once

#include <span>
#include <vector>

#include "form/energy_problem.h"
#include "form/report.h"

/// Stops in the energy formulation: rows that push only, and the energy that their impacts take.
/// The minimum of a step within from <= g <= to has forces lambda >= 0 where a row is at a stop. A
/// step in which a row closes ends at the stop with the speed of the distance that was left, the
/// next one at rest against it. Both are steps of bdf1, and so is the one after them, as bdf2 would
/// read a rebound out of the states before the impact.
namespace trammel::form::energy {

/// Computes the stops of rows in a step from their values g_n: a row that begins beyond its stop is
/// not thrown out, it keeps its depth.
void limit_rows(std::span<const int> stops, const model::ConstraintSpecs& specs,
                const std::vector<double>& g_n, std::vector<law::Range>& within);

/// The nearer stop of a row at x: how far x is above it, and the bounds of the force there, which
/// only pushes.
struct AtStop {
  double r;
  law::Range force;
};
AtStop at_stop(const law::Range& within, double x);
/// Returns how far x is beyond its stops [m, rad].
double beyond(const law::Range& within, double x);

/// What the stops did in a step. Jumps and impacts make its loss of energy theirs.
struct Impact {
  bool met = false;      // a row that began the step at its stop has run into it
  bool closes = false;   // a row that was open presses on a stop at the end
  bool kinked = false;   // rows or rates had jumped when the step began
  bool acts = false;     // a stop closes, or just has
  bool presses = false;  // some stop pushes
};

/// True where a row that was open presses on a stop at the minimum.
bool closes(const Mechanism& m, const Problem& problem, const std::vector<double>& lambda);
/// Notes which rows pressed on their stops when the last step ended: `impulse` of each is
/// model::RowMemory's.
void note_pressed(std::span<const int> stops, const std::vector<double>& impulse,
                  std::vector<unsigned char>& pressed);
/// True where a row comes to press on its stop at the minimum, from a distance or with the speed of
/// an impact, see closes() and runs_in().
bool strikes(const Mechanism& m, const Problem& problem, const Instant& start,
             const std::vector<double>& lambda, int row);
/// True where a row that presses was moving into its stop when the step began, and did not press on
/// it already: the rate of what slides or turns along a stop is then what the difference formula
/// makes of a bent path, and no speed of impact.
bool runs_in(const Mechanism& m, const Problem& problem, const Instant& start,
             const std::vector<double>& lambda);
/// Returns what the stops did in a step whose minimum has the forces lambda.
Impact impact_of(const Mechanism& m, const Problem& problem, const model::EnergyMemory& memory,
                 bool met, const std::vector<double>& lambda);
/// Reports the impacts of a step that ends at t, with the impulses of the rows that have closed.
void report_impacts(const Mechanism& m, const Problem& problem, const Instant& start,
                    const Impact& impact, const std::vector<double>& lambda, double t,
                    StepReport& report);
/// Returns the slot of the ledger that the scheme's energy error goes to: while a stop closes, or
/// after a given rate has jumped, it is the loss of the impact.
std::size_t loss_slot(const Impact& impact);

}  // namespace trammel::form::energy
