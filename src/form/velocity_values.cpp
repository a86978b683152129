#include "form/velocity_values.h"

#include <algorithm>
#include <cmath>

#include "constraint/stage_rows.h"
#include "math/index.h"
#include "solve/product.h"

namespace trammel::form::velocity {

Roles make_roles(const Mechanism& m) {
  const std::size_t n = m.model->rows.size();
  Roles out;
  out.hold.resize(n);
  out.inverse_mass.assign(n, 0);
  if (!m.forces.rows.empty()) out.spring.assign(n, Spring::none);
  return out;
}

StageRows make_rows(const Mechanism& m) {
  const std::size_t n = m.model->rows.size();
  StageRows out;
  out.active.assign(n, 0);
  out.bound.assign(n, 0);
  for (auto* v : {&out.lo, &out.hi, &out.target, &out.compliance}) v->assign(n, 0);
  return out;
}

PositionStage make_position_stage(const Mechanism& m) {
  const std::size_t n = m.model->rows.size(), n_u = static_cast<std::size_t>(m.model->n_u);
  PositionStage out;
  out.q.assign(static_cast<std::size_t>(m.model->n_q), 0);
  for (auto* v : {&out.P, &out.P_end}) v->assign(n_u, 0);
  for (auto* v : {&out.impulses.rows, &out.impulses.applied}) v->assign(n, 0);
  if (!m.forces.rows.empty()) out.dashpot.assign(n, 0);
  if (!m.forces.functions.empty()) out.mean.assign(n, 0);
  return out;
}

VelocityStage make_velocity_stage(const Mechanism& m) {
  const std::size_t n = m.model->rows.size();
  VelocityStage out;
  out.P.assign(static_cast<std::size_t>(m.model->n_u), 0);
  for (auto* v : {&out.impulses.rows, &out.impulses.applied}) v->assign(n, 0);
  out.impact_rate.assign(n, law::kInf);
  return out;
}

Work make_work(const Mechanism& m) {
  const std::size_t n = m.model->rows.size(), n_u = static_cast<std::size_t>(m.model->n_u);
  Work out;
  for (auto* v : {&out.r, &out.x}) v->assign(n, 0);
  for (auto* v : {&out.f, &out.base}) v->assign(n_u, 0);
  if (m.kin->loads_need_rates())
    for (auto* v : {&out.f_rates, &out.f_before, &out.base_rates}) v->assign(n_u, 0);
  if (m.rolls) out.mean_rate.assign(n, 0);
  return out;
}

void reset(const RowTable& table, Roles& roles, StageRows& rows, PositionStage& position,
           VelocityStage& velocity) {
  for (std::size_t i = 0; i < roles.hold.size(); ++i) {
    const bool equality = table.equality[i] != 0;
    roles.hold[i] = constraint::hold_of({}, equality, false);
    rows.active[i] = equality;
    rows.lo[i] = -law::kInf;
    rows.hi[i] = law::kInf;
    rows.target[i] = rows.compliance[i] = 0;
    position.impulses.applied[i] = velocity.impulses.applied[i] = 0;
    velocity.impact_rate[i] = law::kInf;
  }
  if (!table.others.empty()) rows.place.resize(roles.hold.size());
}

void apply_forces(const Mechanism& m, const model::KinematicsCache& at,
                  const std::vector<double>& x, std::vector<double>& P) {
  for (std::size_t k = 0; k < m.forces.rows.size(); ++k) {
    const int row = m.forces.rows[k];
    solve::add_transpose_row(m.kin->graph(), m.forces.groups[k], row, at.J.data(),
                             x[static_cast<std::size_t>(row)], P.data());
  }
}

void evaluate_forces(const Mechanism& m, const model::KinematicsCache& at, std::vector<double>& f) {
  std::fill(f.begin(), f.end(), 0.0);
  m.kin->add_gravity(at, f.data());
  m.kin->add_loads(at, false, f.data());
}

const std::vector<double>& forces_at(const Mechanism& m, const model::KinematicsCache& at,
                                     std::vector<double>& f) {
  if (m.constant_forces) return m.gravity;
  evaluate_forces(m, at, f);
  return f;
}

Halfway::Halfway(const Ends& ends)
    : t((ends.now.at.t + ends.next.at.t) / 2),
      span{ends.now.at.t, ends.next.at.t - ends.now.at.t, law::Span::Weight::whole},
      y(ends.now.at.y.size()) {
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = (ends.now.at.y[i] + ends.next.at.y[i]) / 2;
}

namespace {
void take_springs_of(const Mechanism& m, const std::vector<int>& rows, End& end) {
  for (const int row : rows) {
    const auto i = static_cast<std::size_t>(row);
    const law::Force f = m.force(i, end.at.g[i], 0, end.at.still());
    end.rest[i] = f.f;
    end.stiffness[i] = -f.f_x;
  }
}
}  // namespace

void take_springs(const Mechanism& m, End& end) { take_springs_of(m, m.forces.rows, end); }

void spread_forces(const Mechanism& m, double t, double h, Kicks kicks, Ends& ends) {
  using Weight = law::Span::Weight;
  const bool two = kicks == Kicks::two;
  ends.now.at.span = {t, h, two ? Weight::first : Weight::whole};
  ends.next.at.span = {t, h, two ? Weight::second : Weight::whole};
  take_springs_of(m, m.forces.timed, ends.now);
}

double off_cones(const Mechanism& m, const std::vector<float>& weight, const Roles& roles,
                 const StageRows& rows, const std::vector<double>& impulses,
                 const std::vector<double>& r) {
  double worst = 0;
  for (const solve::Cone& c : m.cones) {
    if (!rows.active[at(c.tangent[0])]) continue;
    double S = roles.inverse_mass[at(c.tangent[0])];
    if (c.n > 1) S = std::max(S, roles.inverse_mass[at(c.tangent[1])]);
    const double off = weight[at(c.tangent[0])] * solve::off_cone(solve::tangent_of(c, impulses),
                                                                  solve::tangent_of(c, r), S,
                                                                  solve::radius_of(c, impulses));
    worst = off <= worst ? worst : off;
  }
  return worst;
}

double worst_position_rate(const Roles& roles, const End& end) {
  double worst = 0;
  for (std::size_t i = 0; i < roles.hold.size(); ++i)
    worst =
        std::max(worst, std::abs(constraint::rate_error(roles.hold[i], end.specs[i], end.rate[i])));
  return worst;
}

}  // namespace trammel::form::velocity
