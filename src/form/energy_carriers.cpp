// Blocks of several objects in the energy formulation.
#include "form/energy_carriers.h"

#include <algorithm>
#include <cmath>

#include "body/moments.h"
#include "math/dense.h"
#include "math/index.h"

namespace trammel::form::energy {

namespace {

constexpr double kLeast = 0.1;       // share of the inertia that the rest must leave
constexpr int kMostBiases = 30;      // evaluations of biases at a step's end
constexpr double kSameRate = 1e-14;  // change of velocities that ends them, relative

using Jacobian = Eigen::Map<const Eigen::Matrix<double, 6, Eigen::Dynamic, Eigen::RowMajor>>;

const model::PoolSlot& pool_of(const Mechanism& m, const Carrier& c) {
  return m.model->pools[at(c.pool)];
}
const double* derived_of(const Mechanism& m, const model::PoolSlot& s) {
  return m.kin->derived().data() + s.derived;
}

/// Calls f(object) for the objects of a carrier.
template <class F>
void for_carried(const Carrier& c, const F& f) {
  for (int o = c.object; o < c.object + c.n_objects; ++o) f(at(o));
}
/// Calls f(pool) for those whose blocks are carriers.
template <class F>
void for_pools(const Mechanism& m, const F& f) {
  for (const Carrier& c : m.carriers)
    if (c.index == 0) f(pool_of(m, c));
}

Jacobian jacobian_of(const Mechanism& m, const model::KinematicsCache& cache, std::size_t o,
                     int n) {
  return {cache.jacobian.data() + m.model->objects[o].jacobian, 6, n};
}

/// Returns M y', the momentum of an object on its place.
body::Covector momentum_of(const Mechanism& m, std::size_t o, const body::Rate& rate) {
  return {m.masses.mass[o] * rate.v, rate.A * m.masses.second[o]};
}

/// Returns the rate of a place that a motion (v, w) makes.
body::Rate rate_of_motion(const body::Transform& y, const Eigen::Matrix<double, 6, 1>& motion) {
  return {motion.head<3>(), skew(motion.tail<3>()) * y.A};
}

/// Computes the velocities of one block at the end of a step by midpoint, from the biases there.
void velocities_by_midpoint(const Mechanism& m, double h, const Instant& start,
                            const model::KinematicsCache& middle, const model::KinematicsCache& end,
                            const Carrier& c, VecX& u) {
  MatX M = MatX::Zero(c.n, c.n);
  VecX b = VecX::Zero(c.n), column(c.n);
  for_carried(c, [&](std::size_t o) {
    const body::Transform &y = end.T_WO[o], &y_n = start.at.T_WO[o];
    const body::Rate &v_n = start.at.rate[o],
                     v{2 / h * (y.p - y_n.p) - v_n.v, 2 / h * (y.A - y_n.A) - v_n.A};
    const body::Bias &a_n = start.at.bias[o], &a = end.bias[o];
    pull_back(m, middle, o,
              momentum_of(m, o, {v.v + h / 4 * (a_n.v - a.v), v.A + h / 4 * (a_n.A - a.A)}),
              b.data());
    const Jacobian J = jacobian_of(m, end, o, c.n);
    for (int k = 0; k < c.n; ++k) {
      column.setZero();
      pull_back(m, middle, o, momentum_of(m, o, rate_of_motion(y, J.col(k))), column.data());
      M.col(k) += column;
    }
  });
  u = dense::Lu(M).solve(b);
}

/// Computes inertia and drag on the unknowns of a carrier.
void take_carried_inertia(const Mechanism& m, double a, const model::KinematicsCache& cache,
                          const std::vector<double>& drag, const Carrier& c, MatX& out) {
  out.setZero(c.n, c.n);
  for_carried(c, [&](std::size_t o) {
    const double mass = m.masses.mass[o] / a + drag[o];
    const Jacobian J = jacobian_of(m, cache, o, c.n);
    if (mass != 0) out += mass * J.topRows<3>().transpose() * J.topRows<3>();
    if (m.masses.second[o].isZero(0)) return;
    const Mat3& A = cache.T_WO[o].A;
    const Mat3 I = A * body::inertia_of_second(m.masses.second[o]) * A.transpose() / a;
    out += J.bottomRows<3>().transpose() * I * J.bottomRows<3>();
  });
}

/// Makes inertia + more positive: in unknowns in which the inertia is one, the negative part of
/// `more` is left out, and comes to `left_out`.
bool make_positive(const MatX& inertia, MatX& more, std::vector<double>& left_out) {
  const dense::Cholesky llt(inertia);
  if (!llt.positive()) return false;
  MatX K = llt.solve_lower(more);
  K = llt.solve_lower(K.transpose());
  const dense::AxesX e = dense::principal_axes_of(K);
  const MatX axes = llt.L() * e.vectors;
  for (int k = 0; k < axes.cols() && e.values[k] < 0; ++k) {
    const VecX x = std::sqrt(-e.values[k]) * axes.col(k);
    left_out.insert(left_out.end(), x.begin(), x.end());
    more += x * x.transpose();
  }
  return true;
}

}  // namespace

void pull_back(const Mechanism& m, const model::KinematicsCache& cache, std::size_t o,
               const body::Covector& covector, double* block) {
  const model::Object& object = m.model->objects[o];
  if (object.jacobian < 0) {
    body::pull_back(object.motion_kind, cache.T_WO[o], covector, block);
    return;
  }
  Eigen::Matrix<double, 6, 1> motion = Eigen::Matrix<double, 6, 1>::Zero();
  body::pull_back(object.motion_kind, cache.T_WO[o], covector, motion.data());
  const int n = m.model->blocks[at(object.block)].n;
  Eigen::Map<VecX>(block, n).noalias() += jacobian_of(m, cache, o, n).transpose() * motion;
}

double mass_met(const Mechanism& m, const model::KinematicsCache& cache, std::size_t o) {
  const double own = m.masses.mass[o];
  const int block = m.model->objects[o].block;
  const auto c = std::find_if(m.carriers.begin(), m.carriers.end(),
                              [&](const Carrier& x) { return x.block == block; });
  if (c == m.carriers.end()) return own;
  double all = 0;
  for_carried(*c, [&](std::size_t k) { all += m.masses.mass[k]; });
  MatX inertia;
  const std::vector<double> no_drag(m.masses.mass.size(), 0);
  take_carried_inertia(m, 1, cache, no_drag, *c, inertia);
  const dense::Cholesky llt(inertia);
  if (!llt.positive()) return all;
  const MatX J = jacobian_of(m, cache, o, c->n).topRows<3>();
  const Mat3 mobility = J * llt.solve(J.transpose());
  const double easiest = dense::principal_values(mobility)[2];
  return std::max(own, easiest * all > 1 ? 1 / easiest : all);
}

double plus_own_potential(double phi, const Mechanism& m, const double* q) {
  for_pools(m, [&](const model::PoolSlot& s) {
    phi += s.pool->potential(derived_of(m, s), q + s.q, nullptr);
  });
  return phi;
}

void add_own_slope(const Mechanism& m, const double* q, double* out) {
  for_pools(m, [&](const model::PoolSlot& s) {
    Eigen::Map<VecX> slope(out + s.v, s.pool->n_blocks * s.pool->nv);
    slope *= -1;
    s.pool->add_own_force(derived_of(m, s), q + s.q, m.none.data() + s.v, out + s.v);
    slope *= -1;
  });
}

void end_carriers(const Mechanism& m, const Problem& problem, const model::KinematicsCache& cache,
                  const std::vector<body::Covector>& inertia, const double* q, double* F,
                  double* P) {
  const Aim& aim = problem.aim;
  for (const Carrier& c : m.carriers) {
    std::fill_n(F + c.v, c.n, 0.0);
    std::fill_n(P + c.v, c.n, 0.0);
    for_carried(c, [&](std::size_t o) {
      const body::Covector pull{inertia[o].f / aim.a, inertia[o].F / aim.a},
          kept = momentum_of(m, o, problem.rate[o]);
      pull_back(m, cache, o, pull, F + c.v);
      pull_back(m, cache, o, {kept.f + aim.gain * pull.f, kept.F + aim.gain * pull.F}, P + c.v);
    });
  }
  add_own_slope(m, q, F);
}

void end_carriers_by_midpoint(const Mechanism& m, double h, const Instant& start,
                              const model::KinematicsCache& middle, model::KinematicsCache& end,
                              const double* q, double* P) {
  if (m.carriers.empty()) return;
  std::vector<double> u = start.u;
  VecX own;
  double change = 1, size = 1;
  for (int k = 0; k < kMostBiases && change > kSameRate * size; ++k) {
    m.kin->rates(q, u.data(), end);
    change = size = 0;
    for (const Carrier& c : m.carriers) {
      velocities_by_midpoint(m, h, start, middle, end, c, own);
      Eigen::Map<VecX> to(u.data() + c.v, c.n);
      change = std::max(change, (own - to).norm());
      size = std::max(size, own.norm());
      to = own;
    }
  }
  for_pools(m, [&](const model::PoolSlot& s) {
    s.pool->momentum(derived_of(m, s), q + s.q, u.data() + s.v, P + s.v);
  });
}

double bent_work(const Mechanism& m, const model::KinematicsCache& start,
                 const model::KinematicsCache& acted, const model::KinematicsCache& end,
                 const std::vector<body::Covector>& force, const std::vector<double>& dq) {
  double sum = 0;
  VecX pulled;
  for (const Carrier& c : m.carriers) {
    pulled.setZero(c.n);
    for_carried(c, [&](std::size_t o) {
      pull_back(m, acted, o, force[o], pulled.data());
      const body::Transform &y = end.T_WO[o], &y_n = start.T_WO[o];
      sum -= force[o].f.dot(y.p - y_n.p) + force[o].F.cwiseProduct(y.A - y_n.A).sum();
    });
    sum += pulled.dot(Eigen::Map<const VecX>(dq.data() + c.v, c.n));
  }
  for (std::size_t o = 0; o < force.size() && !m.model->loads.empty(); ++o) {
    const model::Object& object = m.model->objects[o];
    if (!object.moves_freely() || body::is_embedded(object.motion_kind)) continue;
    Eigen::Matrix<double, 6, 1> turned = Eigen::Matrix<double, 6, 1>::Zero();
    body::pull_back(object.motion_kind, acted.T_WO[o], force[o], turned.data());
    const body::Transform &y = end.T_WO[o], &y_n = start.T_WO[o];
    sum += turned.dot(Eigen::Map<const Eigen::Matrix<double, 6, 1>>(
               dq.data() + m.model->blocks[at(object.block)].v)) -
           force[o].f.dot(y.p - y_n.p) - force[o].F.cwiseProduct(y.A - y_n.A).sum();
  }
  return sum;
}

bool factor_carriers(const Mechanism& m, double a, const Trial& trial, const Acting& acting,
                     CarrierMatrices& room, BlockCholesky& out) {
  bool good = true;
  const double* q = trial.q.data();
  room.left_out.resize(m.carriers.size());
  for (std::size_t i = 0; i < m.carriers.size(); ++i) {
    const Carrier& c = m.carriers[i];
    const model::PoolSlot& s = pool_of(m, c);
    const int size = c.n * c.n;
    if (c.index == 0) {
      room.own.assign(at(size * s.pool->n_blocks), 0);
      s.pool->add_potential_curvature(derived_of(m, s), q + s.q, room.own.data());
    }
    double* H = room.own.data() + size * c.index;
    for_carried(c, [&](std::size_t o) {
      const body::Covector &inertia = trial.inertia[o], &load = acting.loads[o],
                           &pull = acting.pulls[o];
      s.pool->add_second_variation(c.index, derived_of(m, s), q + s.q, trial.at.T_WO[o],
                                   static_cast<int>(o) - c.object, inertia.f / a - load.f - pull.f,
                                   inertia.F / a - load.F - pull.F, H);
    });
    take_carried_inertia(m, a, trial.at, acting.drag, c, room.inertia);
    room.more = Eigen::Map<const MatX>(H, c.n, c.n);
    room.left_out[i].clear();
    const MatX most = (1 - kLeast) * room.inertia + room.more;
    if (!dense::Cholesky(most).positive())
      good &= make_positive(room.inertia, room.more, room.left_out[i]);
    good &= out.set_whole(c.block, room.inertia + room.more);
  }
  return good;
}

}  // namespace trammel::form::energy
