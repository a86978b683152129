// Gradient and second derivatives of the energy formulation's blocks.
#include "form/energy_blocks.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <atomic>

#include "form/energy_covector.h"
#include "form/energy_turns.h"
#include "math/index.h"
#include "math/parallel.h"

namespace trammel::form::energy {

namespace {

constexpr double kSmall = 0.1;    // share of the inertia that stress must leave
constexpr int kBlockGrain = 128;  // bodies in one go

using Rows6 = Eigen::Matrix<double, 6, 6, Eigen::RowMajor>;
using Rows9 = Eigen::Matrix<double, 9, 9, Eigen::RowMajor>;

/// Returns tr(S) 1 - S, the inertia tensor of a second moment S.
Mat3 inertia_of(const Mat3& S) { return S.trace() * Mat3::Identity() - S; }

/// Returns the nearest symmetric matrix without negative eigenvalues.
Mat3 without_negative(const Mat3& S) {
  const Eigen::SelfAdjointEigenSolver<Mat3> e(S);
  if (e.eigenvalues()[0] >= 0) return S;
  return e.eigenvectors() * e.eigenvalues().cwiseMax(0).asDiagonal() * e.eigenvectors().transpose();
}

/// Returns the object's rate over the step, as the scheme has it. By midpoint: in the middle of the
/// bent way, beyond that from its start to there.
body::Rate rate_of(const Aim& aim, const body::Transform& y, const body::Transform& y_n,
                   const body::Transform& y_before, const body::Bias& bias) {
  const double back = aim.back * aim.rate;
  body::Rate rate{aim.rate * (y.p - y_n.p), aim.rate * (y.A - y_n.A)};
  if (aim.two_steps) {
    rate.v += back * (y_before.p - y_n.p);
    rate.A += back * (y_before.A - y_n.A);
  }
  if (aim.share < 1) {
    rate.v += aim.ahead / 2 * bias.v;
    rate.A += aim.ahead / 2 * bias.A;
  }
  return rate;
}

/// Makes the second derivative of the block of an object that turns as a whole. The whole is
/// positive near the minimum; where it is not, only the part that makes it stiffer counts.
bool factor_turning(const Mechanism& m, double a, const Trial& trial, const Loads& loads,
                    const std::vector<body::Covector>& pulls, std::size_t o, BlockCholesky& out,
                    Mat3& left_out) {
  const model::Object& object = m.model->objects[o];
  const model::PoolSlot& s = m.model->pools[at(object.pool)];
  const body::Transform& T_WO = trial.at.T_WO[o];
  const Mat3 A = T_WO.A, own = A * inertia_of(m.masses.second[o]) * A.transpose() / a;
  double turn[36] = {};
  const Mat3 F = trial.inertia[o].F / a - loads.force[o].F - pulls[o].F;
  s.pool->add_second_variation(0, nullptr, nullptr, T_WO, 0, Vec3::Zero(), F, turn);
  const Mat3 more = Eigen::Map<Rows6>(turn).bottomRightCorner<3, 3>();
  Mat3 sum = own + more;
  if (Eigen::SelfAdjointEigenSolver<Mat3>(sum, Eigen::EigenvaluesOnly).eigenvalues()[0] <
      kSmall * own.diagonal().minCoeff())
    sum = own + without_negative(more);
  left_out = own + more - sum;
  return out.set_rigid(object.block, m.masses.mass[o] / a + loads.drag[o], sum);
}

/// Returns the second derivative on the rows of A where strains are not small: N on each of them,
/// and mu |sym (A^T dA)|^2.
Rows9 strained(const Mat3& N, const Mat3& A, double mu) {
  Rows9 K = Rows9::Zero();
  for (int i = 0; i < 3; ++i) K.block<3, 3>(3 * i, 3 * i) = N;
  for (int u = 0; u < 3; ++u)
    for (int v = 0; v < 3; ++v) {
      Eigen::Matrix<double, 9, 1> e = Eigen::Matrix<double, 9, 1>::Zero();
      for (int i = 0; i < 3; ++i) {
        e[3 * i + v] += 0.5 * A(i, u);
        e[3 * i + u] += 0.5 * A(i, v);
      }
      K += mu * e * e.transpose();
    }
  return K;
}

/// Makes the second derivative of the block of an object whose unknowns are its place. Inertia and
/// the stress T weigh the rows of A alike, S/a + T: where that is not positive, T's positive part
/// counts.
bool factor_embedded(const Mechanism& m, double a, const Trial& trial, double drag, std::size_t o,
                     BlockCholesky& out, Mat3& left_out) {
  const model::Object& object = m.model->objects[o];
  const Mat3 S = m.masses.second[o] / a;
  Eigen::SelfAdjointEigenSolver<Mat3> N;
  Mat3 sum = m.strains.has_rows[o] ? Mat3(S + trial.stress[o]) : S;
  N.computeDirect(sum);
  left_out.setZero();
  if (!(N.eigenvalues()[0] > kSmall * m.masses.least_second[o] / a)) {
    sum = S + without_negative(trial.stress[o]);
    left_out = S + trial.stress[o] - sum;
    N.computeDirect(sum);
  }
  const Mat3& A = trial.at.T_WO[o].A;
  const double mass = m.masses.mass[o] / a + drag, mu = m.strains.mu[o];
  if (trial.exceeds_small_strain && mu > 0)
    return out.set_dense(object.block, mass, strained(sum, A, mu).data());
  // next to a rotation A (3 - A^T A)/2 is one but for the strain's square
  const Mat3 R =
      mu > 0 ? Mat3(0.5 * A * (3 * Mat3::Identity() - A.transpose() * A)) : Mat3::Identity();
  out.set_affine(object.block, mass, R, N.eigenvectors(), N.eigenvalues(), mu);
  return true;
}

/// Calls f(object) for all objects that are their block, some at once.
template <class F>
void for_free(const Mechanism& m, const F& f) {
  parallel::for_pieces(count(m.model->objects), kBlockGrain, [&](int first, int last) {
    for (int o = first; o < last; ++o)
      if (const model::Object& x = m.model->objects[at(o)]; x.block >= 0 && x.jacobian < 0)
        f(at(o));
  });
}

}  // namespace

void weigh(const Mechanism& m, std::vector<body::Covector>& out) {
  const Vec3 g = vec3(m.params->values.data() + model::kGravityParam);
  for (std::size_t o = 0; o < out.size(); ++o) out[o] = {m.masses.mass[o] * g, Mat3::Zero()};
}

void take_loads(const Mechanism& m, const Aim& aim, const Past& past, model::KinematicsCache& at_y,
                Loads& out) {
  if (m.model->loads.empty()) return;  // only the weight, which does not change
  weigh(m, out.force);
  std::fill(out.drag.begin(), out.drag.end(), 0.0);
  const double* params = m.params->values.data();
  for (const law::Load& load : m.model->loads) {
    const auto o = at(load.object);
    const body::Transform& y = at_y.T_WO[o];
    body::Rate& rate = at_y.rate[o];  // the loads' impulses are evaluated at it as well
    rate = rate_of(aim, y, past.now.at.T_WO[o], past.before.at.T_WO[o], past.now.at.bias[o]);
    if (turns_as_a_whole(m.model->objects[o])) rate.A = skew(spin_over(m, aim, past, o, y.A)) * y.A;
    const law::Wrench w = law::wrench(load, params, y, rate, aim.t);
    out.drag[o] += aim.rate * law::steepest(load, params, y, rate, aim.t);
    double force[12] = {};
    body::add_wrench(body::kEmbedding, y, load.point, w.f, w.torque, force);
    add(out.force[o], covector(force, 1));
  }
}

void take_gradient(const Mechanism& m, double a, const Trial& trial,
                   const std::vector<body::Covector>& loads, std::vector<double>& gradient) {
  for_free(m, [&](std::size_t o) {
    const model::Object& object = m.model->objects[o];
    const model::Block& block = m.model->blocks[at(object.block)];
    body::Covector c;
    c.f = trial.inertia[o].f / a - loads[o].f;
    c.F = trial.inertia[o].F / a - loads[o].F;
    if (m.strains.mu[o] > 0) c.F += trial.at.T_WO[o].A * trial.stress[o];
    double* g = gradient.data() + block.v;
    std::fill_n(g, block.n, 0.);
    body::pull_back(object.motion_kind, trial.at.T_WO[o], c, g);
  });
  for (const Carrier& c : m.carriers) {
    double* g = gradient.data() + c.v;
    std::fill_n(g, c.n, 0.);
    for (auto o = at(c.object); o < at(c.object + c.n_objects); ++o)
      pull_back(m, trial.at, o,
                {trial.inertia[o].f / a - loads[o].f, trial.inertia[o].F / a - loads[o].F}, g);
  }
  add_own_slope(m, trial.q.data(), gradient.data());
}

bool factor_blocks(const Mechanism& m, double a, const Trial& trial, const Loads& loads,
                   const std::vector<body::Covector>& pulls, const std::vector<double>& gradient,
                   BlockCholesky& out, std::vector<double>& scaled, std::vector<Mat3>& left_out,
                   CarrierMatrices& carriers) {
  if (trial.exceeds_small_strain) out.make_room();
  std::atomic<bool> good = true;
  for_free(m, [&](std::size_t o) {
    const model::Object& object = m.model->objects[o];
    const bool positive = body::is_embedded(object.motion_kind)
                              ? factor_embedded(m, a, trial, loads.drag[o], o, out, left_out[o])
                              : factor_turning(m, a, trial, loads, pulls, o, out, left_out[o]);
    const auto v = at(m.model->blocks[at(object.block)].v);
    out.covectors(object.block, 1, &gradient[v], &scaled[v]);
    if (!positive) good = false;
  });
  if (!factor_carriers(m, a, trial, {loads.force, pulls, loads.drag}, carriers, out)) return false;
  for (const Carrier& c : m.carriers)
    out.covectors(c.block, 1, &gradient[at(c.v)], &scaled[at(c.v)]);
  return good;
}

}  // namespace trammel::form::energy
