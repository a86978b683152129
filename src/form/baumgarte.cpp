#include "form/baumgarte.h"

#include <algorithm>
#include <cmath>

#include "constraint/cone.h"
#include "form/rattle_velocity.h"
#include "form/solving.h"
#include "form/velocity_account.h"

namespace trammel::form::velocity {

namespace {
/// Sets up all rows, with the impulses of forces at the start. No row is solved for at the start:
/// its multiplier in stage P becomes zero.
void begin_rows(const Step& s, const End& now, const End& next, StageRows& rows, Impulses& first,
                Impulses& second) {
  const Mechanism& m = s.mechanism;
  for (std::size_t i = 0; i < s.roles.hold.size(); ++i) {
    rows.take(i, constraint::stabilised_rate(s.roles.hold[i], now.specs[i], next.specs[i],
                                             motion(s.roles, now.at, now, i, s.h), m.settings.erp));
    rows.compliance[i] = first.applied[i] = second.applied[i] = first.rows[i] = 0;
    if (s.roles.gives_force(i))
      first.applied[i] = s.h * m.force(i, now.at.g[i], now.rate[i], now.at.moving()).f;
  }
  constraint::follow_normals(m.cones, rows.active);
  rows.bound = s.start.rows.bound;
}

/// Adds to the momenta P the impulses of gravity and loads over the step.
void kick_over_step(const Step& s, const End& now, std::vector<double>& f, std::vector<double>& P) {
  evaluate_forces(s.mechanism, now.at, f);
  if (s.mechanism.kin->loads_need_rates()) s.mechanism.kin->add_loads(now.at, true, f.data());
  for (std::size_t i = 0; i < f.size(); ++i) P[i] = s.start.P[i] + s.h * f[i];
}

/// Solves for the impulses of the rows that bring the momenta P to their rates, and adds them to P.
bool solve_rows(const Step& s, const std::vector<double>& rates, const End& now, StageRows& rows,
                std::vector<double>& impulses, std::vector<double>& P, const Tools& tools) {
  std::vector<double>& r = tools.work.r;
  for (std::size_t i = 0; i < r.size(); ++i) r[i] = rows.active[i] ? rates[i] - rows.target[i] : 0;
  std::fill(impulses.begin(), impulses.end(), 0.0);
  tools.solver.invalidate();
  if (!correct(tools.solver, now.at, solver_rows(s.mechanism, rows), r, impulses, rows.bound,
               tools.work.x, tools.report))
    return false;
  impulses = tools.work.x;
  apply(s.mechanism, now.at, impulses, P);
  return true;
}

/// Evaluates the end of the step, to which the coordinates q and momenta P belong.
void evaluate_instant(const Step& s, const std::vector<double>& q, const std::vector<double>& P,
                      Ends& ends) {
  const model::Kinematics& kin = *s.mechanism.kin;
  End& next = ends.next;
  next.at.arc = ends.now.at.arc;
  hand_over(ends.now.at, next.at);
  kin.transforms(q.data(), s.start.t + s.h, next.at);
  kin.inverse_mass(q.data(), next.at);
  kin.jacobians(s.start, next.at);
  row_rates(s.mechanism, next.at, P, next.u, next.rate);
  kin.follow(next.u.data(), next.at);
  if (!s.mechanism.model->loads.empty()) kin.rates_at_loads(q.data(), next.u.data(), next.at);
}
}  // namespace

bool baumgarte(const Step& s, Ends& ends, StageRows& rows, PositionStage& position,
               VelocityStage& velocity, const Tools& tools) {
  const Mechanism& m = s.mechanism;
  End &now = ends.now, &next = ends.next;
  std::vector<double>&P = velocity.P, &impulses = velocity.impulses.rows;
  kick_over_step(s, now, tools.work.f, P);
  begin_rows(s, now, next, rows, position.impulses, velocity.impulses);
  apply(m, now.at, position.impulses.applied, P);
  row_rates(m, now.at, P, next.u, next.rate);
  if (!solve_rows(s, next.rate, now, rows, impulses, P, tools)) return false;
  report_strikes(m, s.roles, now, now.at, impulses, tools.report);
  add_outside(m, now, impulses, position.impulses.applied, s.h, tools.report);
  m.kin->flow(s.h, s.start.q.data(), P.data(), position.q.data(), position.P_end.data());
  P.swap(position.P_end);
  evaluate_instant(s, position.q, P, ends);
  tools.report.row_speed = std::max(tools.report.row_speed, worst_position_rate(s.roles, next));
  explicit_dampers(m, ends, position.dashpot);
  return next.at.lost_joint < 0;
}

}  // namespace trammel::form::velocity
