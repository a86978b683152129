// Stops in the energy formulation, and what runs into them.
#include "form/energy_stops.h"

#include <algorithm>
#include <cmath>

#include "constraint/rows.h"
#include "math/index.h"
#include "model/ledger.h"
#include "model/project.h"

namespace trammel::form::energy {

namespace {

double force_of(const Mechanism& m, const std::vector<double>& lambda, std::size_t row) {
  return lambda[at(m.rows.in_system[row])];
}

bool presses(const Mechanism& m, const Problem& problem, const std::vector<double>& lambda,
             std::size_t row) {
  return problem.role[row] == Role::unilateral && force_of(m, lambda, row) != 0;
}

/// Returns the distance at the start of the step to the stop that a row presses on at its end.
double gap(const Problem& problem, double force, std::size_t row) {
  const law::Range& within = problem.within[row];
  return force > 0 ? problem.g_n[row] - within.lo : within.hi - problem.g_n[row];
}

/// True where that counts as a distance.
bool is_open(const Mechanism& m, const Problem& problem, double force, std::size_t row) {
  return gap(problem, force, row) > model::kClosed * m.rows.sizes[row];
}

/// Returns the speed at the start of the step into the stop that a row presses on.
double speed_into(const Instant& start, double force, std::size_t row) {
  return (start.rate[row] + start.at.g_t[row]) * (force > 0 ? -1 : 1);
}

/// True where that is the speed of an impact.
bool runs_in(const Mechanism& m, const Problem& problem, const Instant& start, double force,
             std::size_t row) {
  return !problem.pressed[row] &&
         speed_into(start, force, row) > constraint::kImpactSpeed * m.rows.paces[row];
}

/// True where f(row, force) is, of some row that presses on a stop.
template <class F>
bool any_pressing(const Mechanism& m, const Problem& problem, const std::vector<double>& lambda,
                  const F& f) {
  return std::any_of(m.rows.stops.begin(), m.rows.stops.end(), [&](int row) {
    const auto i = at(row);
    return presses(m, problem, lambda, i) && f(i, force_of(m, lambda, i));
  });
}

}  // namespace

void limit_rows(std::span<const int> stops, const model::ConstraintSpecs& specs,
                const std::vector<double>& g_n, std::vector<law::Range>& within) {
  for (const int row : stops) {
    const auto i = at(row);
    within[i] = specs[i].within(g_n[i], model::kClosed);
  }
}

void note_pressed(std::span<const int> stops, const std::vector<double>& impulse,
                  std::vector<unsigned char>& pressed) {
  for (const int row : stops) pressed[at(row)] = impulse[at(row)] != 0;
}

AtStop at_stop(const law::Range& within, double x) {
  const bool lower = x - within.lo <= within.hi - x;
  return {x - (lower ? within.lo : within.hi), {lower ? 0 : -law::kInf, lower ? law::kInf : 0}};
}

double beyond(const law::Range& within, double x) {
  return std::max({0., within.lo - x, x - within.hi});
}

bool closes(const Mechanism& m, const Problem& problem, const std::vector<double>& lambda) {
  return any_pressing(m, problem, lambda,
                      [&](std::size_t i, double force) { return is_open(m, problem, force, i); });
}

bool runs_in(const Mechanism& m, const Problem& problem, const Instant& start,
             const std::vector<double>& lambda) {
  return any_pressing(m, problem, lambda, [&](std::size_t i, double force) {
    return runs_in(m, problem, start, force, i);
  });
}

bool strikes(const Mechanism& m, const Problem& problem, const Instant& start,
             const std::vector<double>& lambda, int row) {
  const auto i = at(row);
  if (!presses(m, problem, lambda, i)) return false;
  const double force = force_of(m, lambda, i);
  return is_open(m, problem, force, i) || runs_in(m, problem, start, force, i);
}

Impact impact_of(const Mechanism& m, const Problem& problem, const model::EnergyMemory& memory,
                 bool met, const std::vector<double>& lambda) {
  Impact out;
  out.met = met;
  out.closes = closes(m, problem, lambda);
  out.kinked = memory.kinked != 0;
  out.acts = met || out.closes || ((memory.struck || out.kinked) && !m.rows.stops.empty());
  out.presses = any_pressing(m, problem, lambda, [](std::size_t, double) { return true; });
  return out;
}

void report_impacts(const Mechanism& m, const Problem& problem, const Instant& start,
                    const Impact& impact, const std::vector<double>& lambda, double t,
                    StepReport& report) {
  const double h = t - start.at.t;
  report.bounds |= impact.acts;
  report.struck |= impact.acts;
  for (const int row : m.rows.stops) {
    const auto i = at(row);
    if (!presses(m, problem, lambda, i)) continue;
    const double force = force_of(m, lambda, i), speed = speed_into(start, force, i);
    if ((impact.met || is_open(m, problem, force, i)) && runs_in(m, problem, start, force, i)) {
      report.impacts.rows.push_back({row, force * h});
      report.events.push_back({t, EventKind::impact,
                               m.model->joints[at(m.model->rows[i].joint)].name,
                               "row " + m.model->rows[i].name + " has closed", speed,
                               m.rows.is_length[i] ? "m/s" : "rad/s"});
    }
  }
}

std::size_t loss_slot(const Impact& impact) {
  return static_cast<std::size_t>(
      (impact.acts && impact.presses) || impact.kinked ? model::kImpacts : model::kIntegrator);
}

}  // namespace trammel::form::energy
