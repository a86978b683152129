// What jumps at an event: velocities in an impact, forces where a joint breaks.
#include <algorithm>
#include <cmath>

#include "constraint/strength.h"
#include "form/acceleration_events.h"
#include "form/acceleration_project.h"
#include "form/acceleration_slope.h"
#include "solve/product.h"

namespace trammel::form::acceleration {

namespace {

constexpr double kOverload = 1e-9, kNearOverload = 1e-6, kTogether = 1e-9;  // shares of a strength
constexpr int kPasses = 3;  // of an impact, which leave nothing but rounding

/// Sets the rows that take part in an impact, with their bounds, and the rates that they must have
/// after it. Returns false where nothing strikes.
bool begin_impact(const Mechanism& mechanism, const Mode& mode, const Scales& scales,
                  const Instant& now, Bounds& bounds, std::vector<unsigned char>& active,
                  std::vector<double>& target) {
  bool any = false;
  for (std::size_t i = 0; i < mode.status.size(); ++i) {
    const constraint::ImpactRow row = constraint::impact_row(
        mode.specs[i], mode.status[i], row_state(mechanism, scales, now, now, i));
    active[i] = row.active;
    bounds.lo[i] = row.lo;
    bounds.hi[i] = row.hi;
    target[i] = row.rate;
    any |= row.strikes;
  }
  for (const solve::Cone& c : mechanism.frictions) {  // the load on them is an impulse as well
    const auto i = static_cast<std::size_t>(c.tangent[0]);
    active[i] = mode.status[i].status != constraint::Status::off;
    if (active[i]) bounds.add(c, mode.specs[i].coefficient());
  }
  return any;
}

/// Returns the tangent row of a friction whose impulses miss Coulomb's law; -1: none does.
int row_off_cone(const Mechanism& mechanism, const Bounds& bounds, const Instant& now,
                 const Work& work) {
  constexpr double kConeSpeed = 1e-8;  // of the greatest rate, as by impulses
  double fastest = 0;
  for (const double rate : now.rate) fastest = std::max(fastest, std::abs(rate));
  for (const solve::Cone& c : bounds.cones) {
    const double S = solve::inverse_mass_of_row(mechanism.kin.graph(), now.at.J.data(),
                                                now.at.inv_mass.data(), c.tangent[0]);
    const double off =
        solve::off_cone(solve::tangent_of(c, work.lambda), solve::tangent_of(c, now.rate), S,
                        solve::radius_of(c, work.lambda));
    if (!(off <= kConeSpeed * fastest)) return c.tangent[0];
  }
  return -1;
}

/// Solves for the impulses work.lambda that bring the rates of active rows to `target`, and changes
/// momenta, velocities u and rates by them.
bool exchange_impulses(const Mechanism& mechanism, const std::vector<double>& target, double* u,
                       Bounds& bounds, Instant& now, Work& work) {
  std::fill(work.lambda.begin(), work.lambda.end(), 0.0);
  for (int k = 0; k < kPasses; ++k) {
    for (std::size_t i = 0; i < target.size(); ++i)
      work.r[i] = work.active[i] ? now.rate[i] - target[i] : 0;
    if (!work.solve(mechanism, now.at, bounds)) return false;
    for (std::size_t i = 0; i < target.size(); ++i) work.lambda[i] += work.x[i];
    work.take_forces(mechanism, now.at);
    for (std::size_t i = 0; i < work.f.size(); ++i) now.P[i] += work.f[i];
    mechanism.kin.velocities(now.at, now.P.data(), u);
    take_rates(mechanism, u, now);
  }
  return true;
}

/// Returns the joints that are to break: those whose overload is the worst.
std::vector<constraint::CarriedLoad> to_break(const Mechanism& mechanism, const Mode& mode,
                                              const Instant& now, bool overloaded) {
  std::vector<constraint::CarriedLoad> all;
  double worst = -law::kInf;
  constraint::for_each_carried_load(mechanism.kin, now.at, mode.flags.on, now.force,
                                    [&](const constraint::CarriedLoad& b) {
                                      all.push_back(b);
                                      worst = std::max(worst, b.share() - 1);
                                    });
  std::vector<constraint::CarriedLoad> broken;
  // the time of an overload that was looked for is known to rounding only
  if (!(overloaded && worst > -kNearOverload) && !(worst > kOverload)) return broken;
  for (const constraint::CarriedLoad& b : all) {
    const bool again = !broken.empty() && broken.back().joint == b.joint;
    if (!again && b.share() - 1 >= worst - kTogether) broken.push_back(b);
  }
  return broken;
}

}  // namespace

bool impact(const Mechanism& mechanism, const Mode& mode, const Scales& scales, double* y,
            Bounds& bounds, Instant& now, Work& work, StepReport& report) {
  double* u = mechanism.velocities(y);
  std::vector<double> target(mode.status.size(), 0.0), before = now.rate;
  const bool any = begin_impact(mechanism, mode, scales, now, bounds, work.active, target);
  bool ok = true;
  if (any) {
    const auto kinetic = [&] { return mechanism.kin.kinetic_energy(now.P.data(), u); };
    const double energy = kinetic();
    ok = exchange_impulses(mechanism, target, u, bounds, now, work);
    work.jammed_row = row_off_cone(mechanism, bounds, now, work);
    ok = ok && work.jammed_row < 0;
    const double driven =
        add_impulses(mechanism, mode, before, now, work.lambda, mechanism.work(y));
    mechanism.work(y)[mechanism.works.impacts()] += kinetic() - (energy + driven);
  }
  bounds.free();
  if (any)
    report.add_row_impulses(work.lambda.size(), [&](std::size_t i) { return work.lambda[i]; });
  if (!any) return ok;
  for (const int row : mechanism.kinds.stops)
    if (const std::size_t i = at_(row); work.lambda[i] != 0 && before[i] != 0)
      report.events.push_back({now.at.t, EventKind::impact, mechanism.joint_of(i).name,
                               "row " + mechanism.model.rows[i].name + " has closed",
                               std::abs(before[i]), mechanism.is_angle[i] ? "rad/s" : "m/s"});
  return ok;
}

bool break_joints(const Mechanism& mechanism, bool overloaded, double* y, double* dy, Mode& mode,
                  Bounds& bounds, Instant& now, Work& work, std::vector<Event>& events) {
  if (mechanism.model.strengths.empty()) return true;
  const auto stored = [&] {
    return stored_energy(mechanism.model, mechanism.params, mode.flags, now.at.g);
  };
  for (;; overloaded = false) {
    const auto broken = to_break(mechanism, mode, now, overloaded);
    if (broken.empty()) return true;
    const double energy = stored();
    for (const constraint::CarriedLoad& b : broken) {
      constraint::release(mechanism.model, b.joint, mode.flags.on);
      events.push_back({now.at.t, EventKind::breaking,
                        mechanism.model.joints[static_cast<std::size_t>(b.joint)].name,
                        why_broken(b), b.value, b.unit});
    }
    for (std::size_t i = 0; i < mode.status.size(); ++i)
      if (!mode.flags.on[static_cast<std::size_t>(mechanism.model.rows[i].joint)])
        mode.status[i] = {};
    // energy stored in a spring is lost with its joint
    mechanism.work(y)[mechanism.works.impacts()] += stored() - energy;
    mechanism.kin.jacobians(mode.flags, now.at);
    work.solver->invalidate();
    if (!slope_at(mechanism, mode, y, bounds, now, dy, work)) return false;
  }
}

}  // namespace trammel::form::acceleration
