#include "verify/balance.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "constraint/barrier/surfaces.h"
#include "constraint/row_kinds.h"
#include "model/constraint_specs.h"

namespace trammel::verify {

namespace {

constexpr double kFloor = 1e-8;      // of the energy or momentum moved, times how much stiffer
                                     // than the scene says what is soft is: not judged
constexpr double kRounding = 1e-11;  // of the energies added up
constexpr double kSlowest = 0.75;    // the least order at which residuals must fall
constexpr double kByAccuracy = 1.5;  // three accuracies, a tenth each: at least to a quarter
constexpr double kTimes = 5;         // of what refining still changes the motion by, or rounding is
constexpr double kEps = std::numeric_limits<double>::epsilon();
constexpr double kPlace = 32 * kEps;  // of coordinates: what gaps of soft joints are known to

/// Order at which residuals must fall. Of a step in which something stops or lets go the forces act
/// to its end, which is an energy of order 1, whatever the motion comes to.
double order_of(const Series& s) {
  if (s.nominal == 0) return kByAccuracy;
  if (!std::isfinite(s.order)) return kSlowest;
  const double most = s.finest().summary.events > 0 ? 1 : s.nominal;
  return std::clamp(s.order, kSlowest, most);
}

/// Half an order is left to chance: from the first run to the last, a quarter of the steps or less,
/// a factor of two.
double explained(const Series& s, double first, double unresolved) {
  const double finer = s.nominal == 0 ? 4 : s.runs.front().step / s.finest().step;
  const double falls = 2 * first * std::pow(finer, -order_of(s));
  return std::max({kFloor * s.times, falls, s.extrapolated ? 0 : kTimes * unresolved});
}

/// Returns the share that rounding of positions has of the gaps that soft joints' forces are made
/// of.
double rounding_of_gaps(const Series& s) {
  const double gap = s.finest().summary.max_gap;
  return s.soft_joints && gap > 0 ? kPlace * s.finest().far / gap : 0;
}

/// Returns the work of soft joints' forces that act at places known to rounding only, each step
/// [J].
double rounding_of_soft_joints(const Series& s) {
  const Samples& run = s.finest();
  if (!(s.joint_stiffness > 0)) return 0;
  const double steps = run.summary.simulated / run.step;
  return s.joint_stiffness * run.summary.max_gap * kPlace * run.far * steps;
}

/// Returns the share that rounding of positions has of moments: of the arms of joints' impulses,
/// and of x x p about an origin far away.
double rounding_of_arms(const Samples& run) {
  return run.reach > 0 ? kTimes * (run.rounding + 8 * kEps * run.far) / run.reach : 0;
}

/// Returns the rounding of the energies that are added up, and of the heights of weights [J].
double rounding_of_energies(const Samples& run) {
  return kRounding * run.energies + kTimes * (run.rounding + 8 * kEps * run.far) * run.weight;
}

/// Returns the work of speeds that rounding stops: a body that moves by less than half a unit of
/// rounding in a step stands still, though its speed still does work against the forces that hold
/// it [J].
double rounding_of_standstill(const Samples& run) {
  return run.force * kEps / 2 * run.far / run.step * run.summary.simulated;
}

/// Returns the work of joints' forces at places known to rounding only: in each step what a place
/// is off by, either way [J].
double rounding_of_joints(const Samples& run) {
  double force = 0;
  for (std::size_t i = 0; i < run.reactions.value.size(); ++i)
    if (i % kComponents < 3) force = std::max(force, std::abs(run.reactions.value[i]));
  return force * run.rounding * std::sqrt(run.summary.simulated / run.step);
}

/// Returns the rounding of speeds that are differences of positions over a step: of bdf2, whose
/// weights 3/2, 2 and 1/2 add up to 4, the most [m/s].
double rounding_of_speeds(const Series& s) {
  const Samples& run = s.finest();
  return s.by_energy ? 4 * kTimes * (run.rounding + 8 * kEps * run.far) / run.step : 0;
}

/// Returns what a minimum leaves where bodies meet: their momenta stopped within a step, by forces
/// that are off their places by as much as that is known to [J].
double left_by_impacts(const Series& s) {
  const Samples& run = s.finest();
  if (!s.by_energy || run.impacts.empty()) return 0;
  const double off = run.arm * constraint::BarrierNumbers{}.tolerance;
  return std::sqrt(2 * run.mass * run.summary.energy_scale) / run.step * off;
}

/// Returns the rounding of energies: all bodies, M |v| <= sqrt(2 M E), off by that speed [J]; and
/// of momenta, as a part of sqrt(2 M E).
double rounding_of_kinetic(const Series& s) {
  const Samples& run = s.finest();
  return std::sqrt(2 * run.mass * run.summary.energy_scale) * rounding_of_speeds(s);
}
double rounding_of_momenta(const Series& s) {
  const Samples& run = s.finest();
  const double E = run.summary.energy_scale;
  return E > 0 ? std::sqrt(run.mass / (2 * E)) * rounding_of_speeds(s) : 0;
}

std::string wrong(const Series& s, const std::string& what, double first, double last,
                  double allowed) {
  return fmt::format(
      "{} does not close in {}: {:.2g} of it is left with {}, {:.2g} with {}, where {:.2g} is "
      "explained by the order {:.2g}",
      what, s.name, first, s.refinement.front(), last, s.refinement.back(), allowed, order_of(s));
}

}  // namespace

std::vector<std::string> imbalances(const Series& s, double size, long resolved) {
  std::vector<std::string> out;
  const sim::Summary &first = s.runs.front().summary, &last = s.finest().summary;
  const double unresolved =
      resolved > 0 ? s.by_steps[static_cast<std::size_t>(resolved - 1)].scaled(size) : kLost;
  if (const double moved = last.energy_scale; moved > 0) {
    const double e1 = first.energy_residual / moved, e3 = last.energy_residual / moved;
    const double allowed =
        std::max(explained(s, e1, unresolved),
                 (rounding_of_energies(s.finest()) + rounding_of_standstill(s.finest()) +
                  rounding_of_joints(s.finest()) + rounding_of_soft_joints(s) +
                  rounding_of_kinetic(s) + left_by_impacts(s)) /
                     moved);
    if (!(e3 <= allowed))
      out.push_back(wrong(s, fmt::format("the energy ledger, {:.2g} J,", moved), e1, e3, allowed));
  }
  const double m1 = first.momentum_residual_rel, m3 = last.momentum_residual_rel;
  const double allowed = std::max({explained(s, m1, unresolved), rounding_of_gaps(s),
                                   rounding_of_arms(s.finest()), rounding_of_momenta(s)});
  if (!(m3 <= allowed)) out.push_back(wrong(s, "the momentum balance", m1, m3, allowed));
  return out;
}

namespace {

std::size_t law_of(const model::Model& m, std::size_t row) {
  return static_cast<std::size_t>(m.rows[row].law);
}

/// Returns the quantities of a joint that depend on how its rows share their forces.
std::string dependent(const model::Built& built, const model::ConstraintSpecs& specs, int joint) {
  const model::Model& m = *built.model;
  const std::string& name = m.joints[static_cast<std::size_t>(joint)].name;
  for (const model::Strength& s : m.strengths)
    if (s.joint == joint) return fmt::format("the strength of '{}'", name);
  for (std::size_t i = 0; i < m.rows.size(); ++i) {
    const bool own = m.rows[i].joint == joint && !m.laws[law_of(m, i)].law.type->works;
    if (own && constraint::may_yield(specs[i]))
      return fmt::format("whether '{}' yields in {}", name, m.rows[i].name);
  }
  return "";
}

std::string both(const std::string& a, const std::string& b) {
  return a.empty() ? b : b.empty() ? a : a + ", " + b;
}

}  // namespace

std::vector<std::string> ill_posed(const model::Built& built) {
  const model::Model& m = *built.model;
  const model::ConstraintSpecs specs(m, built.params);
  std::vector<std::string> out;
  for (const model::Rank::Loop& loop : built.start.rank.loops) {
    std::string what;
    for (const int joint : loop.joints) what = both(what, dependent(built, specs, joint));
    if (!what.empty())
      out.push_back(
          fmt::format("joints {} hold too much: how they share their forces is not "
                      "determined, and so neither is {}",
                      model::names_of(m, loop.joints), what));
  }
  return out;
}

}  // namespace trammel::verify
