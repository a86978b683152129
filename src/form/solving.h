#pragma once

#include <algorithm>
#include <memory>

#include "form/report.h"
#include "form/settings.h"
#include "model/kinematics.h"
#include "solve/direct_solver.h"

/// Solvers of rows (solve/solver.h) as formulations call them: at an instant, with a report.
namespace trammel::form {

inline std::unique_ptr<solve::Solver> make_solver(const Settings& settings,
                                                  const solve::Graph& graph) {
  return settings.solver ? settings.solver(graph) : std::make_unique<solve::DirectSolver>(graph);
}

inline solve::Matrices matrices(const model::KinematicsCache& at) {
  return {at.J.data(), at.inv_mass.data()};
}

inline bool correct(solve::Solver& solver, const model::KinematicsCache& at,
                    const solve::Rows& rows, std::span<const double> r, std::span<const double> x,
                    std::span<signed char> set, std::span<double> dx, StepReport& report) {
  solve::Effort effort;
  const bool ok = solver.correct(matrices(at), rows, r, x, set, dx, effort);
  report.factorisations += effort.factorisations;
  report.merit = std::max(report.merit, effort.merit);
  return ok;
}

}  // namespace trammel::form
