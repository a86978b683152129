// Newton's step of the energy formulation with contacts.
#include "form/energy_contact_step.h"

#include <cmath>

#include "math/index.h"
#include "solve/product.h"

namespace trammel::form::energy {

namespace {

constexpr double kHeld = 1e-7;  // compliance of rows that hold, beside J C (J C)^T
constexpr int kRepeats = 20;    // of the method of multipliers
constexpr double kEnough = 1e-13;
// added to the inertia where the whole is not positive: what tips over leaves its balance quickly
constexpr double kShifts[] = {0, 0.01, 0.04, 0.16, 0.64};

/// Adds a term of two objects to the matrix of the blocks.
void add_term(const Mechanism& m, const Trial& trial, const BlockCholesky& cholesky,
              const CurvatureTerm& t, ContactFactor& factor) {
  double own[2][12] = {}, z[2][12];
  int block[2];
  const int objects[2] = {t.a, t.b};
  const body::Covector* on[2] = {&t.on_a, &t.on_b};
  for (int s = 0; s < 2; ++s) {
    const model::Object& o = m.model->objects[at(objects[s])];
    block[s] = o.block;
    if (o.block < 0) continue;
    body::pull_back(o.motion_kind, trial.at.T_WO[at(objects[s])], *on[s], own[s]);
    cholesky.covectors(o.block, 1, own[s], z[s]);
    factor.add(o.block, o.block, t.factor, z[s], z[s]);
  }
  if (block[0] >= 0 && block[1] >= 0) factor.add(block[0], block[1], t.factor, z[0], z[1]);
}

/// Returns the compliance of each row; of those that hold a small one.
std::vector<double> compliances(const Mechanism& m, const Linearisation& linear,
                                const SystemRows& rows) {
  std::vector<double> out = rows.compliance;
  std::vector<double> size(out.size(), 0);
  for (const auto& g : m.graph.groups)
    for (int e = g.end; e < g.end + g.n_ends; ++e) {
      const auto& end = m.graph.ends[at(e)];
      for (int r = 0; r < g.m; ++r)
        for (int k = 0; k < end.n; ++k) {
          const double x = linear.J[at(end.J + r * end.n + k)];
          size[at(g.row + r)] += x * x;
        }
    }
  for (std::size_t i = 0; i < out.size(); ++i)
    if (out[i] == 0) out[i] = kHeld * size[i];
  return out;
}

void add_rows(const Mechanism& m, const Linearisation& linear, const SystemRows& rows,
              const std::vector<double>& compliance, ContactFactor& factor) {
  for (const auto& g : m.graph.groups)
    for (int r = 0; r < g.m; ++r) {
      const auto row = at(g.row + r);
      if (!rows.active[row] || !(compliance[row] > 0)) continue;
      for (int e = g.end; e < g.end + g.n_ends; ++e)
        for (int f = g.end; f <= e; ++f) {
          const auto &one = m.graph.ends[at(e)], &other = m.graph.ends[at(f)];
          factor.add(one.block, other.block, 1 / compliance[row], &linear.J[at(one.J + r * one.n)],
                     &linear.J[at(other.J + r * other.n)]);
        }
    }
}

std::vector<int> sizes_of(const Mechanism& m) {
  std::vector<int> out;
  for (const auto& b : m.graph.blocks) out.push_back(b.n);
  return out;
}

bool factor_all(const Mechanism& m, const Linearisation& linear, const Trial& trial,
                const Contact& c, bool whole, double shift, const std::vector<double>& compliance,
                ContactFactor& factor) {
  factor.begin(sizes_of(m), 1 + shift);
  for (const CurvatureTerm& t : curvature_terms(m, trial.at.T_WO, c, whole))
    add_term(m, trial, linear.cholesky, t, factor);
  add_rows(m, linear, trial.rows, compliance, factor);
  return factor.factor();
}

/// Solves for z and the forces of the rows; returns by how much rows that hold are still missed.
double solve_rows(const Mechanism& m, const Linearisation& linear, const SystemRows& rows,
                  const std::vector<double>& compliance, const ContactFactor& factor,
                  std::vector<double>& lambda, NewtonStep& step) {
  const std::size_t n = rows.r.size();
  std::vector<double> pull(n, 0), at_z(n, 0);
  VecX z(static_cast<Eigen::Index>(linear.scaled.size()));
  std::vector<double> f(linear.scaled.size());
  const auto held = [&](std::size_t i) { return rows.active[i] && rows.compliance[i] == 0; };
  for (std::size_t i = 0; i < n; ++i)
    pull[i] = rows.active[i] && compliance[i] > 0
                  ? (held(i) ? lambda[i] : 0) - rows.r[i] / compliance[i]
                  : 0;
  for (std::size_t i = 0; i < f.size(); ++i) f[i] = -linear.scaled[i];
  solve::add_transpose(m.graph, linear.J.data(), pull.data(), f.data());
  z = Eigen::Map<const VecX>(f.data(), z.size());
  factor.solve(z);
  Eigen::Map<VecX>(step.z.data(), z.size()) = z;
  solve::multiply(m.graph, linear.J.data(), step.z.data(), at_z.data());
  double missed = 0;
  for (std::size_t i = 0; i < n; ++i) {
    lambda[i] = rows.active[i] && compliance[i] > 0 ? pull[i] - at_z[i] / compliance[i] : 0;
    if (held(i)) missed = std::max(missed, std::abs(rows.r[i] + at_z[i]));
  }
  return missed;
}

}  // namespace

void add_contact_gradient(const Mechanism& m, const Trial& trial, const Contact& c,
                          std::vector<double>& gradient, std::vector<body::Covector>& pulls) {
  std::vector<body::Covector> covectors(pulls.size());
  add_barrier_covectors(c, covectors);
  add_friction_covectors(m, trial.at.T_WO, c, covectors);
  for (std::size_t o = 0; o < covectors.size(); ++o) {
    const model::Object& object = m.model->objects[o];
    if (object.block < 0) continue;
    body::pull_back(object.motion_kind, trial.at.T_WO[o], covectors[o],
                    gradient.data() + m.model->blocks[at(object.block)].v);
    pulls[o].f -= covectors[o].f;
    pulls[o].F -= covectors[o].F;
  }
}

bool solve_contact_step(const Mechanism& m, const Linearisation& linear, const Trial& trial,
                        const Contact& c, bool whole, ContactFactor& factor, Multipliers& forces,
                        NewtonStep& step, Minimum& out) {
  const std::vector<double> compliance = compliances(m, linear, trial.rows);
  bool good = false;
  for (const double shift : kShifts) {
    if (!whole || good) break;
    ++out.factorisations;
    good = factor_all(m, linear, trial, c, true, shift, compliance, factor);
  }
  if (!good) {
    ++out.factorisations;
    good = factor_all(m, linear, trial, c, false, 0, compliance, factor);
  }
  if (!good) {
    out.reason = "Newton's system with contacts cannot be factored";
    return false;
  }
  for (int k = 0; k < kRepeats; ++k)
    if (!(solve_rows(m, linear, trial.rows, compliance, factor, forces.lambda, step) > kEnough))
      break;
  for (std::size_t b = 0; b < m.graph.blocks.size(); ++b) {
    const auto u = at(m.graph.u_offset[b]);
    linear.cholesky.displacement(static_cast<int>(b), &step.z[u], &step.dq[u]);
  }
  return true;
}

}  // namespace trammel::form::energy
