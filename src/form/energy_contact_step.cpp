// Newton's step of the energy formulation with contacts.
#include "form/energy_contact_step.h"

#include <cmath>
#include <iterator>

#include "form/energy_carriers.h"
#include "math/dense.h"
#include "math/index.h"
#include "solve/product.h"

namespace trammel::form::energy {

namespace {

constexpr double kHeld = 1e-7;  // compliance of rows that hold, beside J C (J C)^T
constexpr int kRepeats = 20;    // of the method of multipliers
constexpr double kEnough = 1e-13;
constexpr double kGuard = 1e5;  // stiffness of a guard, beside that of what it holds off
constexpr int kGuardPasses = 4;
// added to the inertia where the whole is not positive: what tips over leaves its balance quickly
constexpr double kShifts[] = {0, 0.01, 0.04, 0.16, 0.64};

/// A covector on the unknowns z of two blocks, of which one may be none.
struct OnBlocks {
  int block[2] = {-1, -1};
  double few[2][12];            // of blocks of so many unknowns,
  std::vector<double> many[2];  // and of greater ones

  double* z(int s) { return many[s].empty() ? few[s] : many[s].data(); }
  const double* z(int s) const { return many[s].empty() ? few[s] : many[s].data(); }
};

OnBlocks on_blocks(const Mechanism& m, const Trial& trial, const BlockCholesky& cholesky,
                   const CurvatureTerm& t) {
  OnBlocks out;
  const int objects[2] = {t.a, t.b};
  const body::Covector* on[2] = {&t.on_a, &t.on_b};
  std::vector<double> own;
  for (int s = 0; s < 2; ++s) {
    const model::Object& o = m.model->objects[at(objects[s])];
    const bool same = s == 1 && o.block == out.block[0];  // two objects of one carrier
    if (o.block < 0) continue;
    own.assign(at(m.model->blocks[at(o.block)].n), 0);
    pull_back(m, trial.at, at(objects[s]), *on[s], own.data());
    if (own.size() > std::size(out.few[s])) out.many[s].resize(own.size());
    cholesky.covectors(o.block, 1, own.data(), out.z(s));
    if (!same) out.block[s] = o.block;
    for (std::size_t i = 0; same && i < own.size(); ++i) out.z(0)[i] += out.z(1)[i];
  }
  return out;
}

void add_term(const OnBlocks& t, double k, solve::SparseCholesky& factor) {
  for (int s = 0; s < 2; ++s)
    if (t.block[s] >= 0) factor.add(t.block[s], t.block[s], k, t.z(s), t.z(s));
  if (t.block[0] >= 0 && t.block[1] >= 0) factor.add(t.block[0], t.block[1], k, t.z(0), t.z(1));
}

/// A guard on the unknowns z, with its stiffness.
struct StiffGuard {
  OnBlocks on;
  double k, spare;
};

std::vector<StiffGuard> stiff(const Mechanism& m, const Trial& trial, const BlockCholesky& cholesky,
                              const std::vector<Guard>& guards) {
  std::vector<StiffGuard> out;
  for (const Guard& g : guards) {
    StiffGuard s{on_blocks(m, trial, cholesky, g.way), 0, g.spare};
    double size = 0;
    for (int e = 0; e < 2; ++e)
      for (int i = 0; s.on.block[e] >= 0 && i < m.graph.blocks[at(s.on.block[e])].n; ++i)
        size += s.on.z(e)[i] * s.on.z(e)[i];
    s.k = size > 0 ? kGuard / size : 0;  // 0: nothing that moves can part it
    out.push_back(s);
  }
  return out;
}

/// How far the pair of a guard goes by z.
double along(const Mechanism& m, const OnBlocks& t, const double* z) {
  double sum = 0;
  for (int e = 0; e < 2; ++e)
    for (int i = 0; t.block[e] >= 0 && i < m.graph.blocks[at(t.block[e])].n; ++i)
      sum += t.z(e)[i] * z[m.graph.u_offset[at(t.block[e])] + i];
  return sum;
}

/// Adds what the blocks have left out of the second derivative: a pushed body buckles.
void add_left_out(const Mechanism& m, const Linearisation& linear, solve::SparseCholesky& factor) {
  for (std::size_t o = 0; o < linear.left_out.size(); ++o) {
    const model::Object& object = m.model->objects[o];
    if (object.block < 0 || linear.left_out[o].isZero(0)) continue;
    const dense::Axes3 e = dense::principal_axes(linear.left_out[o]);
    const int rows = body::is_embedded(object.motion_kind) ? 3 : 1;
    for (int k = 0; k < 3 * rows; ++k) {
      double own[12] = {}, z[12];
      vec3(own + 3 + 3 * (k % rows)) = e.vectors.col(k / rows);
      linear.cholesky.covectors(object.block, 1, own, z);
      factor.add(object.block, object.block, e.values[k / rows], z, z);
    }
  }
  for (std::size_t i = 0; i < m.carriers.size(); ++i) {
    const Carrier& c = m.carriers[i];
    std::vector<double> z = linear.carriers.left_out[i];
    const int n = count(z) / c.n;
    linear.cholesky.covectors(c.block, n, z.data(), z.data());
    for (int k = 0; k < n; ++k)
      factor.add(c.block, c.block, -1, z.data() + k * c.n, z.data() + k * c.n);
  }
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
              const std::vector<double>& compliance, solve::SparseCholesky& factor) {
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
                const std::vector<double>& compliance, const std::vector<StiffGuard>& guards,
                ContactSystem& s) {
  const bool whole = s.level < std::size(kShifts);
  s.factor.begin(sizes_of(m), 1 + (whole ? kShifts[s.level] : 0));
  for (const CurvatureTerm& t : s.terms)
    if (whole || t.factor > 0)
      add_term(on_blocks(m, trial, linear.cholesky, t), t.factor, s.factor);
  if (whole) add_left_out(m, linear, s.factor);
  for (const StiffGuard& g : guards) add_term(g.on, g.k, s.factor);
  add_rows(m, linear, trial.rows, compliance, s.factor);
  return s.factor.factor();
}

/// Solves for z and the forces of the rows; returns by how much rows that hold are still missed.
double solve_rows(const Mechanism& m, const Linearisation& linear, const SystemRows& rows,
                  const std::vector<double>& compliance, const std::vector<StiffGuard>& guards,
                  const solve::SparseCholesky& factor, std::vector<double>& lambda,
                  NewtonStep& step) {
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
  for (const StiffGuard& g : guards)
    for (int e = 0; e < 2; ++e)
      for (int i = 0; g.on.block[e] >= 0 && i < m.graph.blocks[at(g.on.block[e])].n; ++i)
        f[at(m.graph.u_offset[at(g.on.block[e])] + i)] -= g.k * g.spare * g.on.z(e)[i];
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
  add_friction_covectors(trial.at.T_WO, c, covectors);
  for (std::size_t o = 0; o < covectors.size(); ++o) {
    const model::Object& object = m.model->objects[o];
    if (object.block < 0) continue;
    pull_back(m, trial.at, o, covectors[o], gradient.data() + m.model->blocks[at(object.block)].v);
    pulls[o].f -= covectors[o].f;
    pulls[o].F -= covectors[o].F;
  }
}

void begin_contact_step(const Trial& trial, bool whole, ContactSystem& system) {
  system.terms = curvature_terms(trial.at.T_WO, system.surfaces);
  system.guards.clear();
  system.level = whole ? 0 : std::size(kShifts);
}

bool solve_contact_step(const Mechanism& m, const Linearisation& linear, const Trial& trial,
                        ContactSystem& system, Multipliers& forces, NewtonStep& step,
                        Minimum& out) {
  const std::vector<double> compliance = compliances(m, linear, trial.rows);
  for (int pass = 0; pass < kGuardPasses; ++pass) {
    const std::vector<StiffGuard> guards = stiff(m, trial, linear.cholesky, system.guards);
    bool good = false;
    for (;; ++system.level) {
      ++out.factorisations;
      good = factor_all(m, linear, trial, compliance, guards, system);
      if (good || system.level >= std::size(kShifts)) break;
    }
    if (!good && !system.guards.empty()) {  // too stiff together
      system.guards.clear();
      continue;
    }
    if (!good) {
      out.reason = "Newton's system with contacts cannot be factored";
      return false;
    }
    for (int k = 0; k < kRepeats; ++k)
      if (!(solve_rows(m, linear, trial.rows, compliance, guards, system.factor, forces.lambda,
                       step) > kEnough))
        break;
    std::vector<Guard> pushing;
    for (std::size_t i = 0; i < guards.size(); ++i)
      if (!(guards[i].spare + along(m, guards[i].on, step.z.data()) > 0))
        pushing.push_back(system.guards[i]);
    const bool same = pushing.size() == system.guards.size();
    system.guards = std::move(pushing);
    if (same) break;
  }
  for (std::size_t b = 0; b < m.graph.blocks.size(); ++b) {
    const auto u = at(m.graph.u_offset[b]);
    linear.cholesky.displacement(static_cast<int>(b), &step.z[u], &step.dq[u]);
  }
  return true;
}

}  // namespace trammel::form::energy
