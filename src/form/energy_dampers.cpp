// Dampers of soft joints behind stops, in the energy formulation.
#include "form/energy_dampers.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "form/energy_stops.h"
#include "form/energy_terms.h"
#include "math/index.h"

namespace trammel::form::energy {

namespace {

// times the mass for which a joint's damper counts in a step of an impact: leaves 1e-3 of a gap's
// rate, 1e-6 after both; each power of ten more costs a digit of the impulses
constexpr double kHolds = 1e3;

int part_of_row(const Mechanism& m, std::size_t row) {
  return m.part_of_joint[at(m.model->rows[row].joint)];
}

/// Returns the first block of the set that a block is in, and shortens the way to it.
int first_of(std::vector<int>& sets, int block) {
  while (sets[at(block)] != block) block = sets[at(block)] = sets[at(sets[at(block)])];
  return block;
}

}  // namespace

std::vector<int> parts_of(const model::Model& model, const solve::Graph& graph) {
  std::vector<int> sets(graph.blocks.size() + 1), out(model.joints.size(), count(graph.blocks));
  std::iota(sets.begin(), sets.end(), 0);
  const auto block = [&](const solve::Graph::Group& g, int end) {
    return graph.ends[at(g.end + end)].block;
  };
  for (const solve::Graph::Group& g : graph.groups)
    for (int e = 1; e < g.n_ends; ++e)
      sets[at(first_of(sets, block(g, e)))] = first_of(sets, block(g, 0));
  for (std::size_t i = 0; i < model.groups.size(); ++i)
    if (const solve::Graph::Group& g = graph.groups[i]; g.n_ends > 0)
      out[at(model.groups[i].joint)] = first_of(sets, block(g, 0));
  return out;
}

bool has_dampers(const Mechanism& m) {
  const Settings& s = m.settings;
  return s.joint_stiffness > 0 && std::isfinite(s.joint_stiffness) && !m.rows.stops.empty();
}

void damp(const Mechanism& m, const model::State& state, std::vector<Damping>& damping) {
  std::fill(damping.begin(), damping.end(), Damping::none);
  if (!has_dampers(m)) return;
  const Damping pressed = state.energy.struck ? Damping::held : Damping::critical;
  for (const int row : m.rows.stops)
    if (state.rows.impulse[at(row)] != 0) damping[at(part_of_row(m, at(row)))] = pressed;
}

bool hold_struck(const Mechanism& m, const Instant& start, const std::vector<double>& lambda,
                 Problem& problem) {
  bool changed = false;
  if (!has_dampers(m)) return changed;
  for (const int row : m.rows.stops) {
    Damping& damping = problem.damping[at(part_of_row(m, at(row)))];
    if (damping == Damping::held || !strikes(m, problem, start, lambda, row)) continue;
    damping = Damping::held;
    changed = true;
  }
  return changed;
}

double damper_of(const Mechanism& m, const Problem& problem, int joint, double k, double mass) {
  const Damping damping = problem.damping[at(m.part_of_joint[at(joint)])];
  if (damping == Damping::none) return 0;
  const double critical = 2 * std::sqrt(k * mass);
  return damping == Damping::held ? std::max(critical, kHolds * mass * problem.aim.rate) : critical;
}

void shift_terms(const Mechanism& m, const Past& past, Problem& problem) {
  const Aim& aim = problem.aim;
  for (const WeightedTerm& t : m.terms.all) {
    const double c = damper_of(m, problem, t.joint, t.stiffness, t.mass) * aim.rate,
                 share = c / (t.stiffness + c);
    for (auto i = at(t.first); i < at(t.first + t.n); ++i)
      problem.shift[i] = share == 0 ? 0
                                    : -share * (aim.keep * past.now.r[i] -
                                                (aim.two_steps ? aim.back * past.before.r[i] : 0));
  }
}

}  // namespace trammel::form::energy
