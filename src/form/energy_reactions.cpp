// What joints exert at the end of a step of the energy formulation.
#include <algorithm>

#include "constraint/contact/wrenches.h"
#include "form/energy_account.h"
#include "form/energy_covector.h"
#include "form/energy_rows.h"
#include "math/dense.h"
#include "math/index.h"
#include "model/reactions.h"

namespace trammel::form::energy {

namespace {

using Vec6 = Eigen::Matrix<double, 6, 1>;

/// Evaluates features of a joint without finding its place on its track anew.
joint::Sample sample_of(const Mechanism& m, const model::KinematicsCache& cache, int j,
                        unsigned features) {
  const int a = m.model->joints[at(j)].arc;
  joint::Arc arc = a < 0 ? joint::Arc{} : cache.arc[at(a)];
  joint::Sample sample;
  joint::sample(m.kin->ends(j, cache), features, 1, arc, sample);
  return sample;
}

/// Returns the wrench of a soft joint's terms on B, about B's centre.
Vec6 wrench_of_terms(const Mechanism& m, const Problem& problem, const Trial& trial, int j) {
  const model::Joint& joint = m.model->joints[at(j)];
  const joint::Ends ends = m.kin->ends(j, trial.at);
  unsigned features = 0;
  for (const joint::Term& t : joint.table->terms) features |= joint::features(t);
  const joint::Sample sample = sample_of(m, trial.at, j, features);
  Vec6 out = Vec6::Zero();
  double J_A[36], J_B[36];
  for (int k = m.terms.first[at(j)]; k < m.terms.first[at(j) + 1]; ++k) {
    const WeightedTerm& t = m.terms.all[at(k)];
    joint::jacobians(*t.term, ends, sample, J_A, J_B);
    for (int i = 0; i < t.n; ++i)
      body::add_resultant(
          trial.at.T_WO[at(joint.object_B)],
          covector(J_B + 12 * i, -weight(m, problem, t) * trial.rows.r[at(t.first + i)]),
          out.data());
  }
  return out;
}

/// Returns what a soft joint's wrench on B is from outside: an end that does not move freely pulls
/// at one that does.
constraint::Wrench from_outside(const Mechanism& m, const model::Joint& joint, const Vec3& B,
                                const Vec6& wrench) {
  const bool held_A = !m.model->objects[at(joint.object_A)].moves_freely(),
             held_B = !m.model->objects[at(joint.object_B)].moves_freely();
  if (held_A == held_B) return {};
  const int side = held_A ? 1 : -1;
  const Vec3 f = side * wrench.head<3>();
  return {f, side * wrench.tail<3>() + B.cross(f)};
}

/// Computes the forces of a soft joint's rows that make the wrench on end B.
void share_among_rows(const Mechanism& m, const model::KinematicsCache& cache, int j,
                      const Vec6& wrench, std::vector<double>& force) {
  const model::Joint& joint = m.model->joints[at(j)];
  const joint::Ends ends = m.kin->ends(j, cache);
  const joint::Sample sample = sample_of(m, cache, j, m.kin->features(j));
  const auto n = static_cast<int>(joint.table->rows.size());
  Eigen::Matrix<double, 6, Eigen::Dynamic, Eigen::ColMajor, 6, 6> rows(6, n);
  rows.setZero();
  double J_A[12], J_B[12];
  for (int i = 0; i < n; ++i) {
    joint::embedded_jacobian(m.model->rows[at(joint.first_row + i)].row, ends, sample, J_A, J_B);
    body::add_resultant(cache.T_WO[at(joint.object_B)], covector(J_B, 1), rows.col(i).data());
  }
  const VecX share = dense::Qr(rows).solve(wrench);
  for (int i = 0; i < n; ++i) force[at(joint.first_row + i)] = share[i];
}

/// Calls f(joint) for all joints that terms stand for and that hold.
template <class F>
void for_soft(const Mechanism& m, const Problem& problem, const F& f) {
  for (int j = 0; j < count(m.soft); ++j)
    if (m.soft[at(j)] && problem.on(j)) f(j);
}

/// Computes the wrenches of all joints and loads, see model/reactions.h; those of soft joints by
/// their terms, which their rows can only share.
void take_wrenches(const Mechanism& m, const Problem& problem, const Trial& trial,
                   const std::vector<double>& force, std::vector<double>& out) {
  out.assign(m.settings.impulses ? constraint::wrench_impulses_size(*m.model) : 0, 0);
  if (out.empty()) return;
  std::vector<double> rows = force;
  for (std::size_t j = 0; j < m.soft.size(); ++j)
    if (m.soft[j])
      std::fill_n(rows.begin() + m.model->joints[j].first_row,
                  m.model->joints[j].table->rows.size(), 0.0);
  model::add_wrench_impulses(*m.kin, trial.at, rows, {}, 1, out.data());
  for_soft(m, problem, [&](int j) {
    const Vec6 w = wrench_of_terms(m, problem, trial, j);
    const model::Joint& joint = m.model->joints[at(j)];
    const Vec3 apart = trial.at.T_WO[at(joint.object_B)].p - trial.at.T_WO[at(joint.object_A)].p;
    double* impulse = out.data() + model::kJointImpulse * at(j);
    vec3(impulse) += w.head<3>();
    vec3(impulse + 3) -= w.tail<3>() + apart.cross(w.head<3>());
    vec3(impulse + 6) += w.tail<3>();
  });
}

}  // namespace

void take_reactions(const Mechanism& m, const Problem& problem, const Trial& trial,
                    const std::vector<double>& lambda, Reactions& out) {
  for (std::size_t i = 0; i < out.force.size(); ++i)
    out.force[i] = problem.role[i] == Role::off       ? 0
                   : problem.role[i] == Role::elastic ? -problem.stiffness[i] * trial.at.g[i]
                                                      : pull_of(m, problem, lambda, trial.slope, i);
  out.outside = {};
  for_soft(m, problem, [&](int j) {
    const model::Joint& joint = m.model->joints[at(j)];
    const Vec6 wrench = wrench_of_terms(m, problem, trial, j);
    const constraint::Wrench outside =
        from_outside(m, joint, trial.at.T_WO[at(joint.object_B)].p, wrench);
    out.outside.force += outside.force;
    out.outside.moment += outside.moment;
    share_among_rows(m, trial.at, j, wrench, out.force);
  });
  take_wrenches(m, problem, trial, out.force, out.wrenches);
}

}  // namespace trammel::form::energy
