#include "form/acceleration_contact.h"

#include <algorithm>
#include <cmath>

#include "form/acceleration_events.h"
#include "form/acceleration_project.h"
#include "form/acceleration_rows.h"
#include "solve/product.h"

namespace trammel::form::acceleration {

namespace {

using constraint::ContactForces;
using constraint::Decision;
constexpr int kMostRounds = 10, kMostPlacings = 10;
constexpr double kPlaced = 2e-16;  // as of rows

/// The answer of the rows that are active, and at no bound, to forces.
constraint::ForceResponse respond(const Mechanism& mechanism, const Instant& now,
                                  const Bounds& bounds, Work& work) {
  return [&mechanism, &now, &bounds, &work](const std::vector<double>& f, std::vector<double>& du,
                                            std::vector<double>& rows) {
    constexpr int kPasses = 2;  // redundant rows want a second
    const solve::Graph& graph = mechanism.kin.graph();
    const std::vector<unsigned char> active = work.active;
    const std::vector<double> lambda = work.lambda;
    std::vector<double> all = f;
    rows.assign(lambda.size(), 0);
    bool ok = true;
    for (std::size_t i = 0; i < active.size(); ++i) work.active[i] = active[i] && !bounds.set[i];
    for (int k = 0; ok; ++k) {
      solve::apply_inverse_mass(graph, now.at.inv_mass.data(), all.data(), du.data());
      if (k == kPasses || rows.empty()) break;
      solve::multiply(graph, now.at.J.data(), du.data(), work.r.data());
      for (std::size_t i = 0; i < rows.size(); ++i)
        if (!work.active[i]) work.r[i] = 0;
      ok = work.solve(mechanism, now.at, work.none);
      for (std::size_t i = 0; i < rows.size(); ++i) rows[i] += work.x[i];
      solve::add_transpose(graph, now.at.J.data(), work.x.data(), all.data());
    }
    work.active = active;
    work.lambda = lambda;
    return ok;
  };
}

void take_motion_of(const Mechanism& mechanism, const Mode& mode, const double* y, Instant& now) {
  const double* u = mechanism.velocities(y);
  mechanism.kin.rates(y, u, now.at);
  constraint::evaluate(*mode.touching, now.at, u, now.touches);
}

void add_outside(const Mechanism& mechanism, const constraint::Wrench& w, double* works) {
  vec3(works + mechanism.works.impulse()) += w.force;
  vec3(works + mechanism.works.moment()) += w.moment;
}

/// Lets go of the rows whose impulses would pull at a stop; true where there are such.
bool let_go(const Mode& mode, const Instant& now, const std::vector<double>& impulses,
            std::vector<unsigned char>& active) {
  constexpr double kPulls = 1e-12;  // of the greatest: what is less is rounding
  double least = 0;
  for (const double x : impulses) least = std::max(least, kPulls * std::abs(x));
  bool any = false;
  for (std::size_t i = 0; i < impulses.size(); ++i) {
    const law::Range range = mode.specs[i].impact_range(now.at.g[i]);
    if (!active[i] || (impulses[i] >= range.lo - least && impulses[i] <= range.hi + least))
      continue;
    active[i] = 0;
    any = true;
  }
  return any;
}

/// What `impulses` gives while rows hold, but for stops that what is struck leaves.
bool find_jump(decltype(constraint::strike)& impulses, const Mechanism& mechanism, const Mode& mode,
               const Instant& now, Work& work, constraint::ContactJump& done) {
  for (std::size_t i = 0; i < work.active.size(); ++i) {
    const law::Range range = mode.specs[i].impact_range(now.at.g[i]);
    work.active[i] = mode.status[i].holds() && range.lo < range.hi;  // a finite force: no impulse
  }
  do {
    work.solver->invalidate();
    if (!impulses(*mode.touching, now.touches, now.at.t, respond(mechanism, now, work.none, work),
                  done))
      return false;
  } while (let_go(mode, now, done.rows, work.active));
  return true;
}

/// Changes velocities by what `impulses` gives, and books its works.
bool jump_by(decltype(constraint::strike)& impulses, const Mechanism& mechanism, const Mode& mode,
             double* y, Instant& now, Work& work, StepReport& report) {
  double* u = mechanism.velocities(y);
  const double before = mechanism.kin.kinetic_energy(now.P.data(), u);
  constraint::ContactJump done;
  if (!find_jump(impulses, mechanism, mode, now, work, done)) return false;
  constraint::take_up(done, *mode.touching);
  for (std::size_t i = 0; i < done.du.size(); ++i) u[i] += done.du[i];
  mechanism.momenta(y, u, now.P.data());
  take_rates(mechanism, u, now);
  double* works = mechanism.work(y);
  const double driven =
      done.rows.empty() ? 0 : add_impulses(mechanism, mode, now.rate, now, done.rows, works);
  works[mechanism.works.locks()] += done.drives;
  works[mechanism.works.contacts()] += done.friction;
  works[mechanism.works.impacts()] +=
      mechanism.kin.kinetic_energy(now.P.data(), u) - before - driven - done.drives - done.friction;
  constraint::add_impulses(*mode.touching, now.touches, done.impulses, report.impacts.bodies);
  report.add_row_impulses(done.rows.size(), [&](std::size_t i) { return done.rows[i]; });
  add_outside(mechanism, done.outside, works);
  if (mechanism.settings.impulses)
    constraint::add_wrenches(*mode.touching, now.touches, done.impulses, now.at,
                             works + mechanism.works.wrench_impulses());
  return true;
}

}  // namespace

bool solve_contacts(const Mechanism& mechanism, Mode& mode, const double* u, Bounds& bounds,
                    Instant& now, double* a, Work& work) {
  ContactForces& contacts = *mode.touching;
  work.wedged = work.jams = false;
  constraint::evaluate(contacts, now.at, u, now.touches);
  const std::vector<double> f0 = work.f, a0(a, a + work.f.size()), lambda0 = work.lambda;
  std::vector<signed char> set;
  const bool decides = mode.decides != Mode::Decides::nothing;
  for (int k = 0; k < kMostRounds && (k == 0 || set != bounds.set); ++k) {
    set = bounds.set;
    const auto answer = respond(mechanism, now, bounds, work);
    if (k > 0) {  // other rows hold now: from the start
      work.f = f0;
      work.lambda = lambda0;
      if (!apply_and_correct(mechanism, now, bounds, a, work)) return false;
      constraint::evaluate(contacts, now.at, u, now.touches);
    }
    const Decision made = !decides ? Decision::made
                                   : constraint::decide(contacts, now.touches, now.at.t, a, answer,
                                                        mode.decides == Mode::Decides::alarmed);
    const bool ok = made == Decision::made;
    work.jams = made == Decision::jams;
    if (!ok || !constraint::make_problem(contacts, answer, now.touches, work.f.data())) {
      work.wedged = true;
      return false;
    }
    if (now.touches.rows.empty()) break;
    if (!apply_and_correct(mechanism, now, bounds, a, work)) return false;
    if (!constraint::correct_in_turn(contacts, a, now.touches, work.f.data(), [&] {
          return apply_and_correct(mechanism, now, bounds, a, work);
        }))
      return false;
  }
  constraint::finish(contacts, a, now.touches);
  return !mode.shares || constraint::share_anew(contacts, a, respond(mechanism, now, bounds, work),
                                                work.f.size(), now.touches, work.lambda);
}

bool strike(const Mechanism& mechanism, const Mode& mode, double* y, Instant& now, Work& work,
            StepReport& report) {
  take_motion_of(mechanism, mode, y, now);
  return !constraint::strikes(*mode.touching, now.touches) ||
         jump_by(constraint::strike, mechanism, mode, y, now, work, report);
}

bool strike_jam(const Mechanism& mechanism, const Mode& mode, double* y, Instant& now, Work& work,
                StepReport& report) {
  take_motion_of(mechanism, mode, y, now);
  return jump_by(constraint::strike_jam, mechanism, mode, y, now, work, report);
}

bool place_contacts(const Mechanism& mechanism, const Mode& mode, double* y, Bounds& bounds,
                    Instant& now, Work& work) {
  if (!mode.touching.any_closed()) return true;
  double largest = 0, last = law::kInf;
  for (std::size_t i = 0; i < mechanism.per_size.size(); ++i)
    largest = std::max(largest, mechanism.per_size[i] * std::abs(y[i]));
  largest *= mechanism.model.scales.length;
  const Vec3 before = angular_momentum(mechanism, y, now.P);
  for (int k = 0; k < kMostPlacings; ++k) {
    take_motion_of(mechanism, mode, y, now);
    const double worst = constraint::misplaced(*mode.touching, now.touches);
    if (!std::isfinite(worst)) return false;
    if (worst <= kPlaced * largest || worst > 0.25 * last) break;
    last = worst;
    mechanism.kin.inverse_mass(y, now.at);
    work.solver->invalidate();
    for (std::size_t i = 0; i < work.active.size(); ++i) work.active[i] = mode.holds_position(i);
    std::fill(work.dq.begin(), work.dq.end(), 0.0);
    std::vector<double> dq = work.dq;
    if (!constraint::move_back(*mode.touching, now.touches,
                               respond(mechanism, now, work.none, work), dq))
      return false;
    mechanism.kin.retract(dq.data(), y);
    if (!project_positions(mechanism, mode, y, bounds, now, work)) return false;
  }
  if (last < law::kInf)
    vec3(mechanism.work(y) + mechanism.works.corrected()) +=
        angular_momentum(mechanism, y, now.P) - before;
  return true;
}

bool hold_contacts(const Mechanism& mechanism, const Mode& mode, double* y, Instant& now,
                   Work& work) {
  if (!mode.touching.any_closed()) return true;
  constexpr int kPasses = 2;
  double* u = mechanism.velocities(y);
  for (std::size_t i = 0; i < work.active.size(); ++i)
    work.active[i] = mode.status[i].status == constraint::Status::active;
  for (int k = 0; k < kPasses; ++k) {
    take_motion_of(mechanism, mode, y, now);
    constraint::ContactJump held;
    if (!constraint::hold_rates(*mode.touching, now.touches,
                                respond(mechanism, now, work.none, work), held))
      return false;
    for (std::size_t i = 0; i < held.du.size(); ++i) u[i] += held.du[i];
    if (!held.rows.empty())
      add_impulses(mechanism, mode, now.rate, now, held.rows, mechanism.work(y));
    add_outside(mechanism, held.outside, mechanism.work(y));
    if (mechanism.settings.impulses)
      constraint::add_wrenches(*mode.touching, now.touches, held.impulses, now.at,
                               mechanism.work(y) + mechanism.works.wrench_impulses());
  }
  return true;
}

}  // namespace trammel::form::acceleration
