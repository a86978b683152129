#include "form/rattle_velocity.h"

#include <algorithm>
#include <cmath>

#include "constraint/cone.h"
#include "constraint/contact/phases.h"
#include "constraint/stage_rows.h"
#include "constraint/stops.h"
#include "form/rattle_exact.h"
#include "form/rattle_position.h"
#include "form/rattle_springs.h"
#include "form/row_answer.h"
#include "form/solving.h"
#include "math/index.h"

namespace trammel::form::velocity {

namespace {
constexpr double kRowSpeed = 1e-11;  // residual of row rates allowed, times fastest_row()
constexpr double kConeSpeed = 1e-8;  // the same where cones of friction are never met better
constexpr int kRefinements = 10;
constexpr int kRateIterations = 20;     // iterations on forces that depend on u+, and
constexpr int kFollowIterations = 200;  // where they depend on rates of other joints
constexpr double kForceChange = 1e-14;  // relative change of their impulses or speeds that is met
constexpr double kFollowed = 1e-9;      // the same, that must be where functions follow other rates

/// Returns the greatest rate of any row in units of its pace, but at least 1.
double fastest_row(const RowTable& table, const std::vector<double>& rates) {
  return std::max(1.0, table.greatest([ju = rates.data(), per = table.per_pace.data()](
                                          std::size_t i) { return per[i] * std::abs(ju[i]); }));
}

/// Guesses u+ for loads that depend on it: extrapolated from u and the mean velocity v as 2 v - u.
void guess_velocities(const Step& s, const PositionStage& position, bool exact, const End& now,
                      const model::KinematicsCache& with_masses, std::vector<double>& u) {
  if (exact)
    u = position.v;
  else
    s.mechanism.kin->velocities(with_masses, position.P.data(), u.data());
  for (std::size_t i = 0; i < u.size(); ++i) u[i] = 2 * u[i] - now.u[i];
}

/// Evaluates the loads that depend on rates, at the coordinates q and velocities next.u, into f.
void load_forces(const model::Kinematics& kin, const std::vector<double>& q, End& next,
                 std::vector<double>& f) {
  kin.rates_at_loads(q.data(), next.u.data(), next.at);
  std::fill(f.begin(), f.end(), 0.0);
  kin.add_loads(next.at, true, f.data());
}

/// Sets up a row that is no equality constraint: the rate prescribed for u+.
void prescribe_rate(const Step& s, std::size_t i, const PositionStage& position, Ends& ends,
                    StageRows& rows, VelocityStage& out) {
  constraint::RowMotion at = motion(s.roles, ends.next.at, ends.now, i, s.h);
  at.at_rest = rows.bound[i] == 0;  // a row that has stuck in stage P may stick in V
  rows.take(i, constraint::end_rate(s.roles.hold[i], ends.next.specs[i], at));
  rows.compliance[i] = out.impulses.applied[i] = 0;
  if (!s.roles.gives_force(i)) return;
  const SpringEnd f = spring_at_end(s, ends, position, i);
  rows.active[i] = f.active;
  rows.target[i] = ends.next.damper[i] = 0;
  out.impulses.applied[i] = f.applied;
}

/// Sets the rate that each row prescribes for u+, and puts the impulses of springs at q+ into
/// out.impulses.applied. Needs the rows' values and J in next.at.
void begin_velocity(const Step& s, const PositionStage& position, Ends& ends, StageRows& rows,
                    VelocityStage& out) {
  take_springs(s.mechanism, ends.next);
  s.mechanism.table.for_others(
      [&](std::size_t i) { prescribe_rate(s, i, position, ends, rows, out); });
  constraint::follow_normals(s.mechanism.cones, rows.active);
}

/// Sets the velocities and row rates that solve_rates() starts from: those of the momenta `base`,
/// or in exact steps those of the drift.
void begin_rates(const Step& s, const PositionStage& position, const std::vector<double>& base,
                 bool exact, End& next) {
  if (!exact) return row_rates(s.mechanism, next.at, base, next.u, next.rate);
  next.u = position.v;
  rates_of(s.mechanism, next.at, next.u, next.rate);
}

/// Solves for m with the momenta `base`, after begin_rates(). Then out.P, next.u and next.rate are
/// those of u+.
bool solve_rates(const Step& s, const std::vector<double>& base, const std::vector<double>& q,
                 End& next, StageRows& rows, VelocityStage& out, const Tools& tools) {
  if (tools.newton) return solve_exact_rates(s, base, q, next, rows, out, tools);
  const Mechanism& mech = s.mechanism;
  std::vector<double>&m = out.impulses.rows, &r = tools.work.r, &x = tools.work.x;
  out.P = base;
  std::fill(m.begin(), m.end(), 0.0);
  for (int k = 0; k <= kRefinements; ++k) {
    const double worst = velocity_residual(s, next, rows, m, r);
    if (!std::isfinite(worst)) return false;
    if (k > 0 && worst <= row_speed_allowed(mech.table, next.rate)) break;
    if (!correct(tools.solver, next.at, solver_rows(mech, rows), r, m, rows.bound, x, tools.report))
      return false;
    mech.table.for_rows([m_ = m.data(), dm = x.data()](std::size_t i) { m_[i] += dm[i]; });
    apply(mech, next.at, x, out.P);
    row_rates(mech, next.at, out.P, next.u, next.rate);
  }
  // cones need not have a solution (Painleve 1895), or none that is found
  return mech.cones.empty() ||
         velocity_residual(s, next, rows, m, r) <= kConeSpeed * fastest_row(mech.table, next.rate);
}

/// True where a unilateral row is at a stop that it was not at when the step began. Needs
/// begin_velocity().
bool has_closed(const Step& s, const Ends& ends, const StageRows& rows, std::size_t i) {
  return rows.active[i] &&
         constraint::has_closed(s.roles.hold[i], ends.now.specs[i], ends.next.specs[i],
                                ends.now.at.g[i], ends.next.at.g[i]);
}

/// Lets the unilateral rows that have closed in this step take no impulse. Returns true where there
/// are some.
bool release_closed(const Step& s, const Ends& ends, StageRows& rows) {
  bool found = false;
  for (const int row : s.mechanism.table.others) {
    const auto i = static_cast<std::size_t>(row);
    if (!has_closed(s, ends, rows, i)) continue;
    rows.hi[i] = rows.lo[i] = rows.target[i] = 0;
    found = true;
  }
  return found;
}

/// Sets the rate after impact of a unilateral row that has closed, and keeps the rate before it,
/// with those of the tangent rows of its cone, in `impact_rate`.
void take_impact(const Step& s, const Ends& ends, std::size_t i, StageRows& rows,
                 std::vector<double>& impact_rate) {
  const End& next = ends.next;
  constraint::RowMotion at = motion(s.roles, next.at, ends.now, i, 0);
  at.rate = impact_rate[i] = next.rate[i];
  for (const solve::Cone& c : s.mechanism.cones)
    for (int k = 0; k < c.n && at_(c.normal) == i; ++k)
      impact_rate[at_(c.tangent[at_(k)])] = next.rate[at_(c.tangent[at_(k)])];
  rows.take(i, constraint::end_rate(s.roles.hold[i], next.specs[i], at));
}

/// Reports that a unilateral row has closed, unless it has done so too slowly.
void report_impact(const Mechanism& m, const End& next, std::size_t i, StepReport& report) {
  report.bounds = true;
  const double speed = next.specs[i].closing_speed(next.at.g[i], next.rate[i]);
  if (!(speed > constraint::kImpactSpeed * next.specs[i].pace)) return;
  report.events.push_back({next.at.t, EventKind::impact, m.joint_of(i).name,
                           "row " + m.row(i).name + " has closed", speed,
                           m.table.is_angle[i] ? "rad/s" : "m/s"});
}

/// Sets the rates after impact of unilateral rows that have closed in this step. Their rates just
/// before the impact come from a solution without their impulses, which out.calm keeps.
bool take_impacts(const Step& s, const PositionStage& position, const std::vector<double>& base,
                  Ends& ends, StageRows& rows, VelocityStage& out, const Tools& tools) {
  if (!release_closed(s, ends, rows)) return true;
  if (!solve_rates(s, base, position.q, ends.next, rows, out, tools)) return false;
  out.calm = out.impulses.rows;  // next.rate: the rates just before the impact
  for (const int row : s.mechanism.table.others) {
    const auto i = static_cast<std::size_t>(row);
    if (!has_closed(s, ends, rows, i)) continue;
    take_impact(s, ends, i, rows, out.impact_rate);
    report_impact(s.mechanism, ends.next, i, tools.report);
  }
  begin_rates(s, position, base, tools.newton != nullptr, ends.next);
  return true;
}

/// Brings J and inverse masses to the end of the step. Returns false where a joint has lost its
/// track.
bool evaluate_end(const Step& s, const std::vector<double>& q, bool with_J, Ends& ends) {
  if (with_J) {
    hand_over(ends.now.at, ends.next.at);
    s.mechanism.kin->jacobians(s.start, ends.next.at);
  }
  s.mechanism.kin->inverse_mass(q.data(), ends.next.at);
  return ends.next.at.lost_joint < 0;
}

/// Applies the half kick (4) of all forces but those that depend on u+, into work.base.
void kick(const Step& s, const PositionStage& position, const End& next,
          const std::vector<double>& applied, Work& work) {
  const std::vector<double>& f = forces_at(s.mechanism, next.at, work.f);
  for (std::size_t i = 0; i < f.size(); ++i) work.base[i] = position.P_end[i] + s.h / 2 * f[i];
  apply_forces(s.mechanism, next.at, applied, work.base);
}

/// Returns the momenta that multipliers are added to: work.base, with the half kick of the loads
/// that depend on u+ where there are such.
const std::vector<double>& base_of(const Step& s, Work& work) {
  if (!s.mechanism.kin->loads_need_rates()) return work.base;
  for (std::size_t i = 0; i < work.base.size(); ++i)
    work.base_rates[i] = work.base[i] + s.h / 2 * work.f_rates[i];
  return work.base_rates;
}

/// Evaluates the loads that depend on rates anew, at the velocities found. Returns the change of
/// their impulses relative to the greatest of the momenta P, times the greatest rate `scale`.
double change_of_loads(const Step& s, const std::vector<double>& q, const std::vector<double>& P,
                       double scale, End& next, Work& work) {
  work.f_before.swap(work.f_rates);
  load_forces(*s.mechanism.kin, q, next, work.f_rates);
  double off = 0, momentum = 0;
  for (std::size_t i = 0; i < P.size(); ++i) {
    off = std::max(off, std::abs(s.h / 2 * (work.f_before[i] - work.f_rates[i])));
    momentum = std::max(momentum, std::abs(P[i]));
  }
  return momentum > 0 ? scale * off / momentum : 0;
}

/// Returns by how much the forces at the velocities found differ from those applied, as a share of
/// the greatest rate. Evaluates those that depend on rates anew: dampers and loads.
double off_forces(const Step& s, bool dampers, const std::vector<double>& q,
                  const std::vector<double>& P, End& next, StageRows& rows, Work& work) {
  const model::Scales& scales = s.mechanism.model->scales;
  double change = 0, scale = std::min(scales.speed, scales.spin());
  s.mechanism.kin->follow(next.u.data(), next.at);
  if (dampers) {
    change = linearise_dampers(s, next, rows);
    for (const double r : next.rate) scale = std::max(scale, std::abs(r));
  }
  if (s.mechanism.kin->loads_need_rates())
    change = std::max(change, change_of_loads(s, q, P, scale, next, work));
  return change / scale;
}
}  // namespace

double velocity_residual(const Step& s, const End& next, const StageRows& rows,
                         const std::vector<double>& multipliers, std::vector<double>& residual) {
  const RowTable& table = s.mechanism.table;
  const double* ju = next.rate.data();
  double* r = residual.data();
  const float* per_pace = table.equality_per_pace.data();
  const double worst = table.greatest([=](std::size_t i) {
    r[i] = ju[i];
    return per_pace[i] * std::abs(ju[i]);
  });
  const double other = table.greatest_of_others([&](std::size_t i) {
    r[i] = rows.active[i] ? ju[i] + rows.compliance[i] * multipliers[i] - rows.target[i] : 0;
    const bool counts =
        !rows.bound[i] && constraint::counts_alone(s.roles.hold[i], rows.lo[i], rows.hi[i]);
    return counts ? table.per_pace[i] * row_share(s.roles, rows, i) * std::abs(r[i]) : 0;
  });
  const double friction =
      s.mechanism.cones.empty()
          ? 0
          : off_cones(s.mechanism, table.per_pace, s.roles, rows, multipliers, residual);
  return std::max({worst, other, friction});
}

double row_speed_allowed(const RowTable& table, const std::vector<double>& rates) {
  return kRowSpeed * fastest_row(table, rates);
}

double worst_speed(const Step& s, const End& next, const StageRows& rows) {
  const RowTable& table = s.mechanism.table;
  const double* ju = next.rate.data();
  const float* equality = table.equality.data();
  const double worst = table.greatest([=](std::size_t i) { return equality[i] * std::abs(ju[i]); });
  const double other = table.greatest_of_others([&](std::size_t i) {
    const bool held =
        rows.active[i] && rows.bound[i] == 0 &&
        (constraint::meets_rate(s.roles.hold[i]) || s.roles.of_force(i) == Spring::rigid);
    return held ? std::abs(next.rate[i] - rows.target[i]) : 0;
  });
  return std::max(worst, other);
}

void report_strikes(const Mechanism& m, const Roles& roles, const End& now,
                    const model::KinematicsCache& at, const std::vector<double>& impulse,
                    StepReport& report) {
  for (const int row : m.table.others) {
    const auto i = static_cast<std::size_t>(row);
    if (impulse[i] == 0) continue;
    if (!constraint::strikes(roles.hold[i], now.specs[i], at.g[i], now.rate[i])) continue;
    report.struck = true;
    report.impacts.rows.push_back({row, impulse[i]});
  }
}

namespace {
/// Solves for m as solve_rates(), with the contacts, whose impulses are added to those `without`.
bool solve_with_contacts(const Step& s, const std::vector<double>& without,
                         const PositionStage& position, Ends& ends, StageRows& rows,
                         VelocityStage& out, const Tools& tools) {
  End& next = ends.next;
  std::vector<double>&base = tools.work.with_contacts, &P = tools.work.settled;
  base = without;
  constraint::push_end(*tools.contacts, next.at, base);
  const double enough = rate_tolerance(s, tools);
  for (int k = 0; k < kContactRounds; ++k) {
    begin_rates(s, position, base, false, next);
    if (!solve_rates(s, base, position.q, next, rows, out, tools)) return false;
    P = out.P;
    RowAnswer answer(s, next.at, rows, tools);
    if (constraint::settle_end(*tools.contacts, next.at, std::ref(answer), k == 0, enough, P))
      return true;
    for (std::size_t i = 0; i < base.size(); ++i) base[i] += P[i] - out.P[i];
  }
  return false;
}
}  // namespace

bool stage_velocity(const Step& s, const PositionStage& position, bool J_at_end, Ends& ends,
                    StageRows& rows, VelocityStage& out, const Tools& tools) {
  const Mechanism& m = s.mechanism;
  const bool exact = tools.newton != nullptr, drag = m.kin->loads_need_rates();
  End& next = ends.next;
  if (drag)
    guess_velocities(s, position, exact, ends.now,
                     ends.now.at.inv_mass.empty() ? next.at : ends.now.at, next.u);
  const bool on_track = evaluate_end(s, position.q, !J_at_end && !exact, ends);
  tools.solver.invalidate();
  if (!on_track) return false;
  begin_velocity(s, position, ends, rows, out);
  if (drag) load_forces(*m.kin, position.q, next, tools.work.f_rates);
  kick(s, position, next, out.impulses.applied, tools.work);
  const bool dampers = has_dampers(s, rows);
  double off = law::kInf;
  const int most = next.at.y.empty() ? kRateIterations : kFollowIterations;
  for (int k = 0; k < most && off > kForceChange; ++k) {
    const std::vector<double>& base = base_of(s, tools.work);
    begin_rates(s, position, base, exact, next);
    if (k == 0) m.kin->follow(next.u.data(), next.at);
    if (k == 0 && dampers) linearise_dampers(s, next, rows);
    if (k == 0 && s.roles.unilateral && !take_impacts(s, position, base, ends, rows, out, tools))
      return false;
    if (k == 0 && tools.contacts && !constraint::arrive(*tools.contacts, next.at, next.u))
      return false;
    if (!(tools.contacts ? solve_with_contacts(s, base, position, ends, rows, out, tools)
                         : solve_rates(s, base, position.q, next, rows, out, tools)))
      return false;
    off = off_forces(s, dampers, position.q, out.P, next, rows, tools.work);
  }
  // forces by the rates of other joints are iterated upon alone
  if (!next.at.y.empty() && !(off <= kFollowed)) return false;
  // u and row rates as load() computes them from the momenta
  if (exact && !m.light) row_rates(m, next.at, out.P, next.u, next.rate);
  m.kin->follow(next.u.data(), next.at);
  if (!m.model->loads.empty() && !drag)
    m.kin->rates_at_loads(position.q.data(), next.u.data(), next.at);
  return true;
}

}  // namespace trammel::form::velocity
