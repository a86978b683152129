#include "form/fallback.h"

#include <algorithm>
#include <cmath>

#include "constraint/cone.h"
#include "constraint/stage_rows.h"
#include "form/rattle_exact.h"
#include "form/rattle_velocity.h"
#include "form/solving.h"
#include "form/velocity_account.h"

namespace trammel::form::velocity {

namespace {
constexpr int kForceIterations = 30;    // iterations on stiff forces that are not linear
constexpr double kStiffChange = 1e-13;  // relative change of their impulses that is met
// least slope of an implicit impulse by its row's rate, times S_ii
constexpr double kImplicit = 1e-3;

/// Evaluates the mid-point, to which the old velocity leads, and into now.rate the row rates that
/// the velocities before have there. Returns false where a track or the velocities are lost.
bool go_to_mid(const Mechanism& m, double h, model::Projector& projector, model::State& state,
               Ends& ends) {
  End &now = ends.now, &mid = ends.next;
  mid.at.arc = now.at.arc;
  hand_over(now.at, mid.at);
  for (std::size_t i = 0; i < mid.u.size(); ++i) mid.u[i] = h / 2 * now.u[i];
  m.kin->retract(mid.u.data(), state.q.data());
  m.kin->transforms(state.q.data(), state.t + h / 2, mid.at);
  m.kin->inverse_mass(state.q.data(), mid.at);
  m.kin->jacobians(state, mid.at);
  if (mid.at.lost_joint >= 0) return false;
  if (m.light) {
    mid.u = now.u;
    if (!projector.velocities(now.specs, state, mid.at, mid.u)) return false;
    rates_of(m, mid.at, mid.u, now.rate);
  } else {
    row_rates(m, mid.at, state.P, mid.u, now.rate);
  }
  m.kin->follow(mid.u.data(), mid.at);
  return true;
}

/// Applies the kick of gravity and loads over the whole step at the mid-point.
void kick_at_mid(const Mechanism& m, double h, const std::vector<double>& u_now,
                 model::State& state, model::KinematicsCache& mid, std::vector<double>& f) {
  const bool drag = m.kin->loads_need_rates();
  if (drag) m.kin->rates_at_loads(state.q.data(), u_now.data(), mid);
  evaluate_forces(m, mid, f);
  if (drag) m.kin->add_loads(mid, true, f.data());
  for (std::size_t i = 0; i < f.size(); ++i) state.P[i] += h * f[i];
}

/// True where a force row must be implicit: at one of four places along the way the slope of its
/// impulse by its rate, times S_ii, exceeds 1/16.
bool stiff_at_mid(const Mechanism& m, const Roles& roles, const Ends& ends, std::size_t i,
                  double h) {
  const double x_mid = ends.next.at.g[i], rate = ends.now.rate[i], way = h / 2 * std::abs(rate);
  double slope = 0;
  for (const double x : {ends.now.at.g[i], x_mid, x_mid - way, x_mid + way}) {
    const law::Force f = m.force(i, x, rate, ends.next.at.moving());
    slope = std::max(slope, -h / 4 * (h * f.f_x + 2 * f.f_v));
  }
  return slope * roles.inverse_mass[i] > 1. / 16;
}

/// Sets up a force row at the mid-point: implicit where it is stiff, else explicit.
void begin_force_at_mid(const Mechanism& m, const Roles& roles, std::size_t i, double h, Ends& ends,
                        StageRows& rows, PositionStage& position) {
  End &now = ends.now, &mid = ends.next;
  position.dashpot[i] = now.damper[i] = mid.damper[i] = 0;
  if (!roles.gives_force(i)) return;
  rows.lo[i] = -law::kInf;
  rows.hi[i] = law::kInf;
  mid.rate[i] = now.rate[i];
  rows.active[i] = stiff_at_mid(m, roles, ends, i, h);
  if (rows.active[i]) return;
  const law::Force f = m.force(i, mid.at.g[i], now.rate[i], mid.at.moving());
  position.impulses.applied[i] = h * f.f;
  now.damper[i] = mid.damper[i] = f.f - m.force(i, mid.at.g[i], 0, mid.at.still()).f;
}

/// Sets up all rows at the mid-point. Stage V's impulses, which there are none of, become zero.
void begin_at_mid(const Mechanism& m, const Roles& roles, double h, Ends& ends, StageRows& rows,
                  PositionStage& position, Impulses& second) {
  Impulses& first = position.impulses;
  for (std::size_t i = 0; i < roles.hold.size(); ++i) {
    rows.take(i, constraint::mean_rate(roles.hold[i], ends.now.specs[i], ends.next.specs[i],
                                       motion(roles, ends.next.at, ends.now, i, h)));
    rows.compliance[i] = first.applied[i] = second.applied[i] = first.rows[i] = 0;
  }
  constraint::follow_normals(m.cones, rows.active);
  for (const int row : m.forces.rows)
    begin_force_at_mid(m, roles, static_cast<std::size_t>(row), h, ends, rows, position);
}

/// An implicit force row over the step.
struct ForceAtMid {
  double damper = 0;  // its force at the mean rate [N, N m]
  double compliance = 0, residual = 0;
};

/// Evaluates an implicit force row: the mean of its force along the way, and its damper at the mean
/// rate. x_mid is its value half way at the rates before.
ForceAtMid force_at_mid(const Mechanism& m, const Roles& roles, const Ends& ends,
                        const std::vector<double>& impulses, std::size_t i, double x_mid,
                        double h) {
  const End &now = ends.now, &next = ends.next;
  const double to = 2 * x_mid - now.at.g[i] + h / 2 * (next.rate[i] - now.rate[i]),
               x = (now.at.g[i] + to) / 2, rate = (now.rate[i] + next.rate[i]) / 2;
  const law::Force all = m.force(i, x, rate, next.at.moving()),
                   rest = m.force(i, x, 0, next.at.still());
  const model::MeanForce mean =
      row_mean_force(*m.model, *m.params, static_cast<int>(i), now.at.g[i], to, next.at.still());
  const double F = h * (mean.f + all.f - rest.f);
  const double slope = -h / 2 * (h * mean.f_to + all.f_v);  // -dF by the rate at the end
  ForceAtMid out;
  out.damper = all.f - rest.f;
  out.compliance = 1 / std::max(slope, kImplicit / std::max(roles.inverse_mass[i], 1e-300));
  out.residual = out.compliance * (impulses[i] - F);
  return out;
}

/// Writes the residual of every row into r: twice the error of its mean rate, or, of velocity
/// constraints, the error of the new rate. Evaluates implicit force rows.
void residual_at_mid(const Mechanism& m, const Roles& roles, const std::vector<double>& x_mid,
                     double h, const std::vector<double>& impulses, Ends& ends, StageRows& rows,
                     std::vector<double>& r) {
  End &now = ends.now, &next = ends.next;
  for (std::size_t i = 0; i < roles.hold.size(); ++i)
    r[i] = constraint::mean_residual(roles.hold[i], now.rate[i], next.rate[i], rows.target[i]);
  for (const int row : m.forces.rows) {
    const auto i = static_cast<std::size_t>(row);
    if (!rows.active[i]) continue;
    const ForceAtMid f = force_at_mid(m, roles, ends, impulses, i, x_mid[i], h);
    now.damper[i] = next.damper[i] = f.damper;
    rows.compliance[i] = f.compliance;
    r[i] = f.residual;
  }
}

/// Computes velocities and row rates of the momenta P; with light bodies the velocities are those
/// that the last Newton step found.
void rates_of_end(const Mechanism& m, const std::vector<double>& P, End& end) {
  if (m.light)
    rates_of(m, end.at, end.u, end.rate);
  else
    row_rates(m, end.at, P, end.u, end.rate);
}

/// Makes one correction of the impulses, work.x, from the residuals work.r. Returns false where
/// there is none.
bool correct_at_mid(const Mechanism& m, const model::State& state, const std::vector<double>& x,
                    End& mid, StageRows& rows, const Tools& tools) {
  Work& work = tools.work;
  if (m.light)
    return exact_correction(m, {state.q, mid.at}, state.P, x, false, mid.u, rows, tools).ok;
  return correct(tools.solver, mid.at, solver_rows(m, rows), work.r, x, rows.bound, work.x,
                 tools.report);
}

/// Adds the correction to the impulses. Returns its greatest number relative to theirs, see
/// kStiffChange.
bool has_settled(const std::vector<double>& correction, std::vector<double>& impulses) {
  double change = 0, size = 0;
  for (std::size_t i = 0; i < correction.size(); ++i) {
    impulses[i] += correction[i];
    change = std::max(change, std::abs(correction[i]));
    size = std::max(size, std::abs(impulses[i]));
  }
  return change <= kStiffChange * size;
}

/// Solves for the impulses over the step at the mid-point, and adds them to the momenta of `state`.
/// Returns false where there is no solution.
bool solve_at_mid(const Mechanism& m, const Roles& roles, double h, model::State& state, Ends& ends,
                  StageRows& rows, std::vector<double>& impulses, const Tools& tools) {
  End& mid = ends.next;
  const std::vector<double> x_mid = mid.at.g;
  const std::vector<int>& forces = m.forces.rows;
  const bool implicit = std::any_of(forces.begin(), forces.end(), [&](int row) {
    return rows.active[static_cast<std::size_t>(row)] != 0;
  });
  if (m.light) take_masses(m, {state.q, mid.at}, mid.u, *tools.newton);
  for (int k = 0; k < kForceIterations; ++k) {
    rates_of_end(m, state.P, mid);
    residual_at_mid(m, roles, x_mid, h, impulses, ends, rows, tools.work.r);
    if (!correct_at_mid(m, state, impulses, mid, rows, tools)) return false;
    const bool settled = has_settled(tools.work.x, impulses);
    apply(m, mid.at, tools.work.x, state.P);
    if (k > 0 && (!implicit || settled)) break;  // redundant rows want two passes
  }
  rates_of_end(m, state.P, mid);
  return true;
}

/// Projects positions and velocities onto the rows at the end of the step, and reports what that
/// moves. Returns true where the rows are met.
bool project_end(const Mechanism& m, double h, model::Projector& projector, model::State& state,
                 End& next, std::vector<double>& impulses, StepReport& report) {
  const double t0 = state.t;
  state.t = t0 + h;  // the projector reads it
  Vec3 p = Vec3::Zero(), before = p, after = p;
  m.kin->momentum(state.q.data(), state.P.data(), p, before);
  const auto moved = projector.position(
      next.specs, std::max(m.settings.tolerance.share(m.model->scales), 1e-13), state, next.at);
  m.kin->momentum(state.q.data(), state.P.data(), p, after);
  report.momentum.corrected += after - before;
  impulses = projector.velocity(next.specs, state, next.at).impulses;
  add_outside(m, next, impulses, {}, 0, report);
  state.t = t0;
  return moved.residual < 1e-8 && next.at.lost_joint < 0;
}

/// Evaluates velocities, row rates and forces at the end of the step.
void evaluate_end(const Mechanism& m, const model::State& state, End& next) {
  if (m.light) next.u = state.u;
  rates_of_end(m, state.P, next);
  m.kin->follow(next.u.data(), next.at);
  if (!m.model->loads.empty()) m.kin->rates_at_loads(state.q.data(), next.u.data(), next.at);
  take_springs(m, next);
}
}  // namespace

bool fallback(const Mechanism& m, const Roles& roles, double h, model::Projector& projector,
              model::State& state, Ends& ends, StageRows& rows, PositionStage& position,
              VelocityStage& velocity, const Tools& tools) {
  StepReport& report = tools.report;
  End& next = ends.next;
  Impulses& first = position.impulses;
  report.way.fallback = report.bounds = true;
  if (!go_to_mid(m, h, projector, state, ends)) return false;
  kick_at_mid(m, h, ends.now.u, state, next.at, tools.work.f);
  begin_at_mid(m, roles, h, ends, rows, position, velocity.impulses);
  apply(m, next.at, first.applied, state.P);
  rows.bound = state.rows.bound;
  for (const int row : m.forces.functions)  // what they follow is explicit here
    if (rows.active[static_cast<std::size_t>(row)] &&
        m.forces.follows(static_cast<std::size_t>(row)))
      return false;
  tools.solver.invalidate();
  if (!solve_at_mid(m, roles, h, state, ends, rows, first.rows, tools)) return false;
  report_strikes(m, roles, ends.now, next.at, first.rows, report);
  next.outside_known = false;
  add_outside(m, next, first.rows, first.applied, h, report);
  next.outside_known = false;  // what follows is about the end of the step
  if (m.light) state.u = next.u;
  for (double& u : next.u) u *= h / 2;
  m.kin->retract(next.u.data(), state.q.data());
  const bool met = project_end(m, h, projector, state, next, velocity.impulses.rows, report);
  std::fill(rows.bound.begin(), rows.bound.end(), static_cast<signed char>(0));
  evaluate_end(m, state, next);
  report.row_speed = worst_position_rate(roles, next);
  tools.solver.invalidate();
  return met;
}

}  // namespace trammel::form::velocity
