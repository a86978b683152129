// The energy formulation's objective at trial coordinates.
#include "form/energy_trial.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "form/energy_carriers.h"
#include "form/energy_rows.h"
#include "math/index.h"
#include "math/parallel.h"
#include "solve/product.h"

namespace trammel::form::energy {

namespace {

constexpr double kSmallStrain = 5e-3;  // above it blocks do not count as near a rotation
constexpr int kStrainGrain = 256;      // bodies in one go

/// Computes the stress of bodies whose elasticity is part of their block. Returns whether one
/// strains too much to count as near a rotation.
bool take_strain_energies(const std::vector<StrainEnergy>& energies,
                          const std::vector<body::Transform>& T_WO, std::vector<Mat3>& stress) {
  std::atomic<bool> much = false;
  parallel::for_pieces(count(energies), kStrainGrain, [&](int first, int last) {
    bool any = false;
    for (int k = first; k < last; ++k) {
      const StrainEnergy& e = energies[at(k)];
      const Mat3& A = T_WO[at(e.object)].A;
      const Mat3 E = 0.5 * (A.transpose() * A - Mat3::Identity());
      stress[at(e.object)] = e.mu * E;
      any |= !(E.cwiseAbs().maxCoeff() < kSmallStrain);
    }
    if (any) much = true;
  });
  return much;
}

/// Computes the gradient M (y - y~) of the inertia.
void take_inertia(const Mechanism& m, const std::vector<body::Transform>& y,
                  const std::vector<body::Transform>& aim, std::vector<body::Covector>& out) {
  for (const model::PoolSlot& s : m.model->pools)
    if (s.pool->identity())
      s.pool->embedded_gradient(m.kin->derived().data() + s.derived, y.data() + s.object,
                                aim.data() + s.object, out.data() + s.object);
  for (const Carrier& c : m.carriers)
    for (auto o = at(c.object); o < at(c.object + c.n_objects); ++o)
      out[o] = {m.masses.mass[o] * (y[o].p - aim[o].p), (y[o].A - aim[o].A) * m.masses.second[o]};
}

/// Returns phi and what inertia and loads make of it: 1/(2a) |y - y~|_M^2 less the loads' work.
double plus_inertia(double phi, const Mechanism& m, const Problem& problem,
                    const std::vector<body::Transform>& start, const Trial& trial,
                    const std::vector<body::Covector>& loads) {
  for (std::size_t o = 0; o < problem.y.size(); ++o) {
    if (m.masses.mass[o] == 0 && m.model->objects[o].jacobian < 0) continue;
    const body::Transform &y = trial.at.T_WO[o], &aim = problem.y[o], &y_n = start[o];
    const body::Covector& inertia = trial.inertia[o];
    phi += 0.5 / problem.aim.a *
           (inertia.f.dot(y.p - aim.p) + inertia.F.cwiseProduct(y.A - aim.A).sum());
    phi -= loads[o].f.dot(y.p - y_n.p) + loads[o].F.cwiseProduct(y.A - y_n.A).sum();
  }
  return phi;
}

/// Returns the work that friction takes over the step at the normal force found last [J]. It is
/// convex in the tangent displacement, with all of the disc as its slopes at rest (Pandolfi, Kane,
/// Marsden and Ortiz 2002).
double dissipation_of(const solve::Cone& c, const SystemRows& rows,
                      const std::vector<double>& lambda) {
  return !c.pads.empty() || rows.active[at(c.normal)]
             ? solve::radius_of(c, lambda) * solve::tangent_of(c, rows.r).norm()
             : 0;
}

}  // namespace

Trial make_trial(const Mechanism& m) {
  Trial out;
  const std::size_t objects = m.model->objects.size(), rows = m.rows.size(), n_u = at(m.model->n_u),
                    n = at(m.graph.n_rows);
  out.q.assign(at(m.model->n_q), 0);
  out.at = m.kin->make_cache();
  out.inertia.resize(objects);
  out.stress.assign(objects, Mat3::Zero());
  out.rows.r.assign(n, 0);
  out.rows.compliance.assign(n, 0);
  out.rows.lo.assign(n, -law::kInf);
  out.rows.hi.assign(n, law::kInf);
  out.rows.active.assign(n, 0);
  for (auto* v : {&out.slope, &out.rate}) v->assign(rows, 0);
  for (auto* v : {&out.f, &out.P}) v->assign(n_u, 0);
  if (m.rows.nonholonomic) out.u.assign(n_u, 0);
  return out;
}

bool evaluate(const Mechanism& m, const Problem& problem, Trial& out) {
  m.kin->transforms(out.q.data(), problem.aim.t, out.at);
  if (!m.taken.empty()) m.kin->values(problem.flags, out.at);
  if (out.at.lost_joint >= 0) return false;
  take_terms(m, problem, out.at, out.rows);
  take_inertia(m, out.at.T_WO, problem.y, out.inertia);
  out.exceeds_small_strain = take_strain_energies(m.strains.energies, out.at.T_WO, out.stress);
  if (m.rows.nonholonomic) {
    m.kin->jacobians(problem.flags, out.at);
    end_momenta(m, problem, out.q, out.at, out.inertia, out.f, out.P);
    m.kin->inverse_mass(out.q.data(), out.at);
    m.kin->velocities(out.at, out.P.data(), out.u.data());
    solve::multiply(m.kin->graph(), out.at.J.data(), out.u.data(), out.rate.data());
  }
  take_rows(m, problem, {out.at, out.rate}, out.rows, out.slope);
  return true;
}

void end_momenta(const Mechanism& m, const Problem& problem, const std::vector<double>& q,
                 const model::KinematicsCache& cache, const std::vector<body::Covector>& inertia,
                 std::vector<double>& F, std::vector<double>& P) {
  std::fill(F.begin(), F.end(), 0.0);
  for (std::size_t o = 0; o < inertia.size(); ++o) {
    const model::Object& object = m.model->objects[o];
    if (object.block < 0 || object.jacobian >= 0) continue;
    body::pull_back(object.motion_kind, cache.T_WO[o], inertia[o],
                    F.data() + m.model->blocks[at(object.block)].v);
  }
  for (double& f : F) f /= problem.aim.a;
  for (std::size_t i = 0; i < F.size(); ++i) P[i] = problem.momentum[i] + problem.aim.gain * F[i];
  end_carriers(m, problem, cache, inertia, q.data(), F.data(), P.data());
}

double objective(const Mechanism& m, const Problem& problem, const Instant& start,
                 const Trial& trial, const Frozen& frozen) {
  double phi = plus_inertia(0, m, problem, start.at.T_WO, trial, frozen.loads);
  for (const StrainEnergy& e : m.strains.energies)
    phi += 0.5 / e.mu * trial.stress[at(e.object)].squaredNorm();
  phi =
      plus_rows(phi, m, problem, {trial.at, trial.rate}, trial.rows.r, trial.slope, frozen.penalty);
  phi = plus_terms(phi, m, problem, trial.rows.r);
  phi = plus_own_potential(phi, m, trial.q.data());
  for (const solve::Cone& c : m.cones) phi += dissipation_of(c, trial.rows, frozen.lambda);
  return phi + frozen.potential(trial.at.T_WO);
}

}  // namespace trammel::form::energy
