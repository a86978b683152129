#pragma once

#include <string>

#include "form/acceleration_values.h"

/// What a step leaves in the state and in its report.
namespace trammel::form::acceleration {

/// Writes the numbers y, and what the rows do, to the state; its time and count of steps stay. h is
/// the step of the method that may come next.
void store(const Mechanism& mechanism, const Mode& mode, const Instant& now, const double* y,
           double h, bool redundant, model::State& state);
/// Reports the impulses of the works of y, and how far rows are off their targets.
void report_results(const Mechanism& mechanism, const Mode& mode, const Instant& now,
                    const double* y, StepReport& report);
/// The coordinates and velocities among the numbers y that a method has come to.
Reached reached(const Mechanism& mechanism, double t, const double* y);
/// True where the numbers y, works and kinetic energy among them, are finite.
bool is_good(const Mechanism& mechanism, const double* y, const std::vector<double>& P);

/// Steps of the method allowed within one step of the grid.
constexpr long kMostSteps = 1'000'000;
/// The reason why a step cannot be finished.
enum class Failure : unsigned char {
  none,       // found out afterwards, see reason_of
  exhausted,  // too many steps of the method
  chatters,   // rows change without end
  wedges,     // the forces of contacts have no value
};
/// The end of a step that has failed.
struct Attempt {
  const double* y;     // the numbers reached
  const Instant& now;  // there
  const Instant &trial, &next;
  bool estimates_error;
  int failed_row;  // row that cannot be factored; -1: none
  int jammed_row;  // friction that has no solution; -1: none
};
/// Returns one sentence that says why a step has failed; `restless` are the rows that were to
/// change once more.
Reason reason_of(const Mechanism& mechanism, Failure failure, const Attempt& at,
                 const std::vector<int>& restless, const std::string& contact);

}  // namespace trammel::form::acceleration
