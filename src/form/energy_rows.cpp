// The energy formulation's rows: residuals, stiffnesses, Jacobians, potentials.
#include "form/energy_rows.h"

#include <algorithm>
#include <cmath>

#include "form/energy_covector.h"
#include "form/energy_stops.h"
#include "math/index.h"
#include "solve/product.h"

namespace trammel::form::energy {

namespace {

constexpr double kFlat = 1e-200;  // second derivatives below it count as zero

/// Residual and compliance of a row, the slope of its potential, and the bounds of its force at a
/// stop.
struct RowAt {
  double r = 0, compliance = 0, slope = 0;
  bool active = true;
  law::Range force = {};
};

/// Returns how the rate of a row follows from its value over the step.
law::Scheme scheme_of(const Mechanism& m, const Problem& problem, std::size_t i) {
  const Aim& aim = problem.aim;
  law::Scheme s;
  s.x_n = problem.g_n[i];
  s.dv_dx = aim.rate;
  s.t = aim.t;
  if (aim.two_steps && m.model->rows[i].row.holonomic())
    s.v_n = aim.back * aim.rate * (problem.g_before[i] - problem.g_n[i]);
  if (m.model->rows[i].row.holonomic()) s.ahead = (problem.rate_n[i] - s.v_n) / s.dv_dx;
  return s;
}

/// Returns the row's value; for a nonholonomic row its integral over the scheme's step, so that the
/// scheme gives its rate.
double value_of(const Mechanism& m, const Problem& problem, const RowsAt& where, std::size_t i) {
  if (m.model->rows[i].row.holonomic()) return where.cache.g[i];
  return problem.g_n[i] + (where.rate[i] + where.cache.g_t[i]) / problem.aim.rate;
}

law::Potential potential(const Mechanism& m, const Problem& problem, std::size_t i, double x) {
  return model::row_potential(*m.model, *m.params, static_cast<int>(i), x,
                              scheme_of(m, problem, i));
}

RowAt by_potential(const law::Potential& p) {
  const bool active = p.dd > kFlat;
  return {active ? p.d / p.dd : 0, active ? 1 / p.dd : 0, p.d, active, {}};
}

RowAt by_stop(const law::Range& within, double x) {
  const AtStop stop = at_stop(within, x);
  return {.r = stop.r, .force = stop.force};
}

RowAt row_at(const Mechanism& m, const Problem& problem, const RowsAt& where, std::size_t i) {
  const double x = value_of(m, problem, where, i);
  const Jet& target = problem.specs[i].target;
  switch (problem.role[i]) {
    case Role::off:
    case Role::elastic:
      return {.active = false};
    case Role::held:
      return {.r = x - target.x};
    case Role::rolled: {
      const law::Scheme s = scheme_of(m, problem, i);
      return {.r = x - s.x_n - (target.v - s.v_n) / s.dv_dx};
    }
    case Role::friction:
      return {.r = (where.rate[i] + where.cache.g_t[i] - target.v) / problem.aim.rate};
    case Role::unilateral:
      return by_stop(problem.within[i], x);
    case Role::spring: {
      const law::Scheme s = scheme_of(m, problem, i);
      const double c = problem.damper[i], k = problem.stiffness[i] + c * s.dv_dx,
                   rate = s.v_n + s.dv_dx * (x - s.x_n) - target.v,
                   slope = problem.stiffness[i] * (x - target.x) + c * rate;
      return {.r = slope / k, .compliance = 1 / k, .slope = slope};
    }
    case Role::potential:
      break;
  }
  return by_potential(potential(m, problem, i, x));
}

/// Returns the potential of a row with residual r [J], see plus_rows().
double potential_of(const Mechanism& m, const Problem& problem, const RowsAt& where, double r,
                    double slope, double penalty, std::size_t i) {
  const Role role = problem.role[i];
  if (role == Role::unilateral)
    return penalty * beyond(problem.within[i], value_of(m, problem, where, i));
  if (role == Role::friction) return 0;  // its dissipation counts by cones
  if (carries(role)) return penalty * std::abs(r);
  if (role == Role::spring) return 0.5 * slope * r;
  if (role != Role::potential) return 0;
  return potential(m, problem, i, value_of(m, problem, where, i)).phi;
}

/// Calls f(row) for the rows of the model that are in the system.
template <class F>
void for_taken(const Mechanism& m, const F& f) {
  for (const TakenGroup& t : m.taken) {
    const solve::Graph::Group& g = m.kin->graph().groups[at(t.from)];
    for (auto i = at(g.row); i < at(g.row + g.m); ++i) f(i);
  }
}

}  // namespace

void take_rows(const Mechanism& m, const Problem& problem, const RowsAt& where, SystemRows& out,
               std::vector<double>& slope) {
  for_taken(m, [&](std::size_t i) {
    const RowAt row = row_at(m, problem, where, i);
    const auto k = at(m.rows.in_system[i]);
    out.active[k] = row.active;
    out.r[k] = row.r;
    out.compliance[k] = row.compliance;
    slope[i] = row.slope;
    if (problem.role[i] != Role::unilateral) return;
    out.lo[k] = row.force.lo;
    out.hi[k] = row.force.hi;
  });
}

double plus_rows(double phi, const Mechanism& m, const Problem& problem, const RowsAt& where,
                 const std::vector<double>& r, const std::vector<double>& slope, double penalty) {
  for_taken(m, [&](std::size_t i) {
    phi += potential_of(m, problem, where, r[at(m.rows.in_system[i])], slope[i], penalty, i);
  });
  return phi;
}

double pull_of(const Mechanism& m, const Problem& problem, const std::vector<double>& lambda,
               const std::vector<double>& slope, std::size_t i) {
  return carries(problem.role[i]) ? lambda[at(m.rows.in_system[i])] : -slope[i];
}

void take_row_covectors(const Mechanism& m, const Problem& problem,
                        const std::vector<double>& lambda, const std::vector<double>& slope,
                        model::KinematicsCache& cache, std::vector<body::Covector>& out) {
  for (body::Covector& c : out) c = {};
  joint::Sample sample;
  for (int j = 0; j < count(m.model->joints); ++j) {
    const model::Joint& joint = m.model->joints[at(j)];
    if (!problem.on(j) || joint.coupling >= 0 || joint.strain()) continue;
    bool sampled = false;
    const joint::Ends ends = m.kin->ends(j, cache);
    for (auto i = at(joint.first_row); i < m.rows.size() && m.model->rows[i].joint == j; ++i) {
      const bool pulls = m.rows.in_system[i] >= 0 && problem.role[i] != Role::off;
      const double pull = pulls ? pull_of(m, problem, lambda, slope, i) : 0;
      if (pull == 0 || !m.model->rows[i].row.holonomic()) continue;
      if (!sampled) {
        joint::Arc none;
        joint::sample(ends, m.kin->features(j), 1, joint.arc < 0 ? none : cache.arc[at(joint.arc)],
                      sample);
        sampled = true;
      }
      double J_A[12], J_B[12];
      joint::embedded_jacobian(m.model->rows[i].row, ends, sample, J_A, J_B);
      add(out[at(joint.object_A)], covector(J_A, pull));
      add(out[at(joint.object_B)], covector(J_B, pull));
    }
  }
}

void add_stress_of_rows(const Mechanism& m, const Problem& problem,
                        const std::vector<double>& lambda, const std::vector<double>& slope,
                        std::vector<Mat3>& stress) {
  for (const TakenGroup& t : m.taken) {
    const model::Joint& joint = m.model->joints[at(m.model->groups[at(t.from)].joint)];
    if (!joint.strain()) continue;
    const solve::Graph::Group& group = m.kin->graph().groups[at(t.from)];
    Mat3& T = stress[at(joint.object_A)];
    if (group.row == joint.first_row) T.setZero();
    for (auto i = at(group.row); i < at(group.row + group.m); ++i) {
      const joint::Row& row = m.model->rows[i].row;
      if (!row.shape() || problem.role[i] == Role::off) continue;
      const auto u = static_cast<int>(row.of[0].u), v = static_cast<int>(row.of[0].v);
      const double pull = -pull_of(m, problem, lambda, slope, i);
      T(u, v) += 0.5 * pull;
      T(v, u) += 0.5 * pull;
    }
  }
}

void add_flat_rows(const Mechanism& m, const Problem& problem, const SystemRows& rows,
                   const std::vector<double>& slope, const std::vector<double>& J,
                   std::vector<double>& pull, std::vector<double>& gradient) {
  bool any = false;
  std::fill(pull.begin(), pull.end(), 0.0);
  for (std::size_t i = 0; i < pull.size(); ++i)
    if (problem.role[i] == Role::potential && !rows.active[at(m.rows.in_system[i])] &&
        slope[i] != 0) {
      pull[i] = slope[i];
      any = true;
    }
  if (any) solve::add_transpose(m.kin->graph(), J.data(), pull.data(), gradient.data());
}

void put_rows(const Mechanism& m, const TakenGroup& taken, const std::vector<double>& J,
              const BlockCholesky& cholesky, std::vector<double>& out) {
  const solve::Graph::Group &from = m.kin->graph().groups[at(taken.from)],
                            &to = m.graph.groups[at(taken.group)];
  for (int i = 0; i < from.n_ends; ++i) {
    const solve::Graph::End &e = m.kin->graph().ends[at(from.end + i)],
                            &f = m.graph.ends[at(to.end + i)];
    cholesky.covectors(e.block, e.m, J.data() + e.J, out.data() + f.J);
  }
}

}  // namespace trammel::form::energy
