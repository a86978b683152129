#include "form/rattle_position.h"

#include <algorithm>
#include <cmath>

#include "constraint/cone.h"
#include "constraint/contact/phases.h"
#include "constraint/stage_rows.h"
#include "form/rattle_springs.h"
#include "form/row_answer.h"
#include "form/solving.h"
#include "math/index.h"
#include "solve/product.h"

namespace trammel::form::velocity {

namespace {
using law::kInf;
constexpr double kAtRest = 1e-9;  // friction is static below this share of a row's pace

/// Returns the problem of a row over the first half of the step.
constraint::RowProblem row_at_start(const Step& s, const Ends& ends, std::size_t i) {
  const End& now = ends.now;
  constraint::RowMotion at = motion(s.roles, now.at, now, i, s.h);
  at.at_rest = std::abs(now.rate[i] - now.specs[i].target.v) < kAtRest * now.specs[i].pace;
  return constraint::end_position(s.roles.hold[i], now.specs[i], ends.next.specs[i], at);
}

/// Sets up a row that is no equality constraint, and brings its first guess within its bounds.
void begin_row(const Step& s, std::size_t i, Ends& ends, StageRows& rows, PositionStage& out) {
  constraint::RowProblem row = row_at_start(s, ends, i);
  rows.compliance[i] = out.impulses.applied[i] = 0;
  if (s.roles.gives_force(i)) {
    const SpringStart f = spring_at_start(s, ends.now, i);
    row.active = f.active;
    if (f.damper.implicit) row.rate = f.damper.target;
    rows.compliance[i] = f.compliance;
    out.impulses.applied[i] = f.applied;
    out.dashpot[i] = f.damper.dashpot;
    ends.now.damper[i] = f.damper.force;
  }
  rows.take(i, row);
  rows.place[i] = row.place;
  double& L = out.impulses.rows[i];
  L = row.active ? std::clamp(L, row.lo, row.hi) : 0;
}

/// The residual of a row [m/s, rad/s], and the part of it that counts for convergence, see
/// constraint::counted.
struct RowResidual {
  double r = 0, counts = 0;
};

/// Returns the residual of a row that is no equality constraint.
RowResidual row_residual(const Step& s, const Ends& ends, const StageRows& rows,
                         const PositionStage& position, const std::vector<double>& mean_rate,
                         std::size_t i) {
  if (!rows.active[i]) return {};
  const Hold hold = s.roles.hold[i];
  double r = 0;
  if (s.roles.gives_force(i))
    r = spring_residual(s, ends, rows, position, i);
  else
    r = (s.mechanism.row(i).row.holonomic() ? (ends.next.at.g[i] - rows.place[i]) / s.h
                                            : mean_rate[i]) -
        rows.target[i];
  return {r, constraint::counted(hold, r, position.impulses.rows[i],
                                 {true, rows.lo[i], rows.hi[i], 0, 0}, s.roles.inverse_mass[i])};
}

/// Drifts with the momenta out.P, (2), and with those that part what overlaps.
void flow(const Step& s, PositionStage& out, const constraint::Contacts* contacts) {
  const model::Kinematics& kin = *s.mechanism.kin;
  if (!contacts || contacts->push.momenta.empty())
    return kin.flow(s.h, s.start.q.data(), out.P.data(), out.q.data(), out.P_end.data());
  const std::vector<double>& push = contacts->push.momenta;
  brief::vector<double> P(out.P.begin(), out.P.end());
  for (std::size_t i = 0; i < P.size(); ++i) P[i] += push[i];
  kin.flow(s.h, s.start.q.data(), P.data(), out.q.data(), out.P_end.data());
  for (std::size_t i = 0; i < P.size(); ++i) out.P_end[i] -= push[i];
}

/// Corrects the impulses of contacts at momenta that meet the rows; `first`: of all rounds. Returns
/// true where nothing is to be corrected.
bool settle(const Step& s, const Ends& ends, const StageRows& rows, bool first, double enough,
            PositionStage& out, const Tools& tools) {
  if (!tools.contacts) return true;
  RowAnswer answer(s, ends.now.at, rows, tools);
  return constraint::settle_start(*tools.contacts, ends.now.at, std::ref(answer), first, enough,
                                  out.P);
}

/// Lets contacts follow where the drift has led; true where that changes nothing.
bool follow(const Step& s, double enough, Ends& ends, PositionStage& out, const Tools& tools) {
  if (!tools.contacts || s.mechanism.light) return true;
  std::vector<double>& u = ends.next.u;
  s.mechanism.kin->difference(s.start.q.data(), out.q.data(), u.data());
  for (double& v : u) v /= s.h;
  return constraint::follow_drift(*tools.contacts, ends.now.at, ends.next.at, u, enough, out.P);
}

/// Drifts with the momenta out.P, (2), and evaluates the rows at the end.
void drift(const Step& s, bool with_J, Ends& ends, PositionStage& out, const Tools& tools) {
  const model::Kinematics& kin = *s.mechanism.kin;
  Work& work = tools.work;
  flow(s, out, tools.contacts);
  kin.transforms(out.q.data(), s.start.t + s.h, ends.next.at);
  if (with_J) {
    hand_over(ends.now.at, ends.next.at);
    kin.jacobians(s.start, ends.next.at);
  } else if (s.mechanism.rolls) {
    mean_rates(s, out.q, ends.now, ends.next, work.mean_rate);
  } else {
    kin.values(s.start, ends.next.at);
  }
}

/// Makes one simplified Newton step x of L with the kept factor of S(q), (7). Returns |x|_S (9),
/// the norm in which the iteration contracts by the relative change of S over the step (in the
/// residual it may not, S being ill-conditioned); infinite on failure.
double correct_position(const Step& s, const End& now, StageRows& rows, PositionStage& out,
                        const Tools& tools) {
  std::vector<double>&L = out.impulses.rows, &x = tools.work.x;
  if (!correct(tools.solver, now.at, solver_rows(s.mechanism, rows), tools.work.r, L, rows.bound, x,
               tools.report))
    return kInf;
  const auto n = static_cast<Eigen::Index>(L.size());
  const Eigen::Map<const VecX> step(x.data(), n), r(tools.work.r.data(), n);
  Eigen::Map<VecX>(L.data(), n) += step;
  apply(s.mechanism, now.at, x, out.P);
  return std::sqrt(std::abs(step.dot(r)));
}
}  // namespace

const std::vector<double>& begin_position(const Step& s, Ends& ends, StageRows& rows,
                                          PositionStage& out, Work& work) {
  const Mechanism& m = s.mechanism;
  const std::vector<double>& f = forces_at(m, ends.now.at, work.f);
  if (m.kin->loads_need_rates()) m.kin->add_loads(ends.now.at, true, work.f.data());
  for (std::size_t i = 0; i < f.size(); ++i) out.P[i] = s.start.P[i] + s.h / 2 * f[i];
  const double again = share_again(s.start, s.h);
  const double *last = s.start.rows.impulse.data(),
               *extrapolation = s.start.velocity.extrapolation.data();
  double *L = out.impulses.rows.data(), *x = work.x.data();
  m.table.for_rows([=](std::size_t i) { x[i] = L[i] = again * (last[i] + extrapolation[i]); });
  m.table.for_others([&](std::size_t i) {
    begin_row(s, i, ends, rows, out);
    x[i] = L[i] + out.impulses.applied[i];
  });
  constraint::follow_normals(m.cones, rows.active);
  for (const solve::Cone& c : m.cones)
    for (int k = 0; k < c.n && c.pads.empty() && !rows.active[at(c.normal)]; ++k)
      L[at(c.tangent[at(k)])] = x[at(c.tangent[at(k)])] = 0;
  rows.bound = s.start.rows.bound;
  apply(m, ends.now.at, work.x, out.P);
  return f;
}

void mean_rates(const Step& s, const std::vector<double>& q_end, const End& now, End& next,
                std::vector<double>& mean_rate) {
  const model::Kinematics& kin = *s.mechanism.kin;
  kin.jacobians(s.start, next.at);
  kin.difference(s.start.q.data(), q_end.data(), next.u.data());
  for (double& v : next.u) v /= s.h;
  solve::multiply(kin.graph(), now.at.J.data(), next.u.data(), mean_rate.data());
  solve::multiply(kin.graph(), next.at.J.data(), next.u.data(), next.rate.data());
  for (std::size_t i = 0; i < next.rate.size(); ++i)
    mean_rate[i] = (mean_rate[i] + now.at.g_t[i] + next.rate[i] + next.at.g_t[i]) / 2;
}

double position_residual(const Step& s, const Ends& ends, StageRows& rows, PositionStage& out,
                         Work& work) {
  const RowTable& table = s.mechanism.table;
  const double *g = ends.next.at.g.data(), per_h = 1 / s.h;
  double* r = work.r.data();
  const float* per_size = table.equality_per_size.data();
  const double worst = table.greatest([=](std::size_t i) {
    r[i] = per_h * g[i];
    return per_size[i] * std::abs(g[i]);
  });
  take_mean_forces(s, ends, out.dashpot, rows, out.mean);
  const double other = table.greatest_of_others([&](std::size_t i) {
    const RowResidual row = row_residual(s, ends, rows, out, work.mean_rate, i);
    r[i] = row.r;
    return table.per_size[i] * std::abs(s.h * row.counts);
  });
  const double friction = s.mechanism.cones.empty()
                              ? 0
                              : std::abs(s.h) * off_cones(s.mechanism, table.per_size, s.roles,
                                                          rows, out.impulses.rows, work.r);
  return ends.next.at.lost_joint < 0 ? std::max({worst, other, friction}) : kInf;
}

double position_tolerance(const Step& s) {
  const double *q = s.start.q.data(), *per_size = s.mechanism.per_size.data();
  const double largest =
      parallel::greatest(count(s.start.q), 4 * RowTable::kGrain, 0, [=](int first, int end) {
        return greatest_of(first, end, [=](int i) { return per_size[i] * std::abs(q[i]); });
      });
  const Mechanism& m = s.mechanism;
  return std::max(m.settings.tolerance.share(m.model->scales), 1e-15 * largest);
}

double rate_tolerance(const Step& s, const Tools& tools) {
  if (!tools.contacts) return 0;
  const double off = s.mechanism.model->rows.empty() ? 0 : position_tolerance(s) / s.h;
  return std::max(tools.contacts->settings.options.tolerance, off);
}

bool has_implicit_functions(const Step& s) {
  const std::vector<int>& functions = s.mechanism.forces.functions;
  return std::any_of(functions.begin(), functions.end(), [&](int row) {
    return s.roles.spring[static_cast<std::size_t>(row)] == Spring::compliant;
  });
}

void take_back_J(const Step& s, Ends& ends) {
  hand_over(ends.next.at, ends.now.at);
  s.mechanism.kin->jacobians(s.start, ends.now.at);
}

Placed stage_position(const Step& s, int foreseen, Ends& ends, StageRows& rows, PositionStage& out,
                      const Tools& tools) {
  const Settings& settings = s.mechanism.settings;
  ends.next.at.arc = ends.now.at.arc;
  begin_position(s, ends, rows, out, tools.work);
  if (tools.contacts)
    constraint::begin_step(*tools.contacts, {s.h, s.instant}, s.start, ends.now.at, ends.now.u,
                           out.P);
  const bool curved = has_implicit_functions(s);
  const double tolerance = position_tolerance(s), enough = rate_tolerance(s, tools);
  double last = kInf;
  int rounds = 0;
  Placed placed;
  for (int k = 0;; ++k) {
    placed.iterations = k;
    placed.J_at_end = k == foreseen;
    drift(s, placed.J_at_end, ends, out, tools);
    const double off = position_residual(s, ends, rows, out, tools.work);
    // what contacts have changed rows answer once at least, however little they are off
    placed.ok = off <= tolerance && (rounds == 0 || k > 0 || s.roles.hold.empty());
    if (placed.ok && settle(s, ends, rows, rounds == 0, enough, out, tools) &&
        follow(s, enough, ends, out, tools)) {
      if (tools.contacts) constraint::account_push(*tools.contacts, ends.now.at, out.P);
      return placed;
    }
    if (placed.ok && ++rounds < kContactRounds) {  // contacts have moved the bodies
      last = kInf;
      k = -1;
      continue;
    }
    placed.ok = false;
    if (placed.J_at_end) take_back_J(s, ends);
    placed.J_at_end = false;
    if (k >= settings.iteration.most) return placed;
    ++tools.report.iterations;
    const double size = correct_position(s, ends.now, rows, out, tools);
    const bool contracts = size <= settings.iteration.contraction * last;
    if (!contracts && !(curved && std::isfinite(size))) return placed;
    last = size;
  }
}

}  // namespace trammel::form::velocity
