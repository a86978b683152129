#include "verify/books.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/demands.h"

namespace trammel::verify {

namespace {

constexpr double kFloor = 1e-8;      // of the energy or momentum moved: not judged
constexpr double kRounding = 1e-11;  // of the energies added up: places are met to 1e-12 m
constexpr double kSlowest = 0.75;    // the least order at which residuals must fall
constexpr double kByAccuracy = 1.5;  // three accuracies, a tenth each: at least to a quarter
constexpr double kTimes = 5;         // of what refining still changes the motion by

/// Order at which residuals must fall.
double order_of(const Series& s) {
  if (s.nominal == 0) return kByAccuracy;
  if (!std::isfinite(s.order)) return kSlowest;
  return std::clamp(s.order, kSlowest, static_cast<double>(s.nominal));
}

/// Half an order is left to chance: from the first run to the last, two halvings, a factor of two.
double explained(const Series& s, double first, double unresolved) {
  const double falls = 2 * first * std::pow(4, -order_of(s));
  return std::max({kFloor, falls, s.extrapolated ? 0 : kTimes * unresolved});
}

std::string wrong(const Series& s, const std::string& what, double first, double last,
                  double allowed) {
  return fmt::format(
      "{} does not close in {}: {:.2g} of it is left with {}, {:.2g} with {}, where {:.2g} is "
      "explained by the order {:.2g}",
      what, s.name, first, s.refinement.front(), last, s.refinement.back(), allowed, order_of(s));
}

}  // namespace

std::vector<std::string> wrong_books(const Series& s, double size, long resolved) {
  std::vector<std::string> out;
  const sim::Summary &first = s.runs.front().summary, &last = s.finest().summary;
  const double unresolved =
      resolved > 0 ? s.uncertainty[static_cast<std::size_t>(resolved - 1)].scaled(size) : kLost;
  if (const double moved = last.energy_scale; moved > 0) {
    const double e1 = first.energy_residual / moved, e3 = last.energy_residual / moved;
    const double allowed =
        std::max(explained(s, e1, unresolved), kRounding * s.finest().energies / moved);
    if (!(e3 <= allowed))
      out.push_back(wrong(s, fmt::format("the energy ledger, {:.2g} J,", moved), e1, e3, allowed));
  }
  const double m1 = first.momentum_residual_rel, m3 = last.momentum_residual_rel;
  const double allowed = explained(s, m1, unresolved);
  if (!(m3 <= allowed)) out.push_back(wrong(s, "the momentum balance", m1, m3, allowed));
  return out;
}

namespace {

/// What of a joint depends on how forces are shared.
std::string dependent(const model::Built& built, const model::Demands& demands, int joint) {
  const model::Model& m = *built.model;
  for (const model::Strength& s : m.strengths)
    if (s.joint == joint) return "strength";
  for (std::size_t i = 0; i < m.rows.size(); ++i) {
    if (m.rows[i].joint != joint || !(demands[i].bounded() || demands[i].stops())) continue;
    const model::LawOnRow& law = m.laws[static_cast<std::size_t>(m.rows[i].law)];
    return law.law.type->name == "locked" ? "greatest force" : std::string(law.law.type->name);
  }
  return "";
}

}  // namespace

std::vector<std::string> ill_posed(const model::Built& built) {
  const model::Demands demands(*built.model, built.params);
  std::vector<std::string> out;
  for (const model::Rank::Loop& loop : built.start.rank.loops) {
    std::string what;
    for (const int joint : loop.joints)
      if (const std::string one = dependent(built, demands, joint); !one.empty()) {
        const std::string& name = built.model->joints[static_cast<std::size_t>(joint)].name;
        what += fmt::format("{}the {} of '{}'", what.empty() ? "" : ", ", one, name);
      }
    if (!what.empty())
      out.push_back(
          fmt::format("joints {} hold {} row{} too much: how they share their forces is not "
                      "determined, and so neither is {}",
                      model::names_of(*built.model, loop.joints), loop.surplus,
                      loop.surplus == 1 ? "" : "s", what));
  }
  return out;
}

}  // namespace trammel::verify
