// Closure residuals of soft joints, as rows of the energy formulation's system.
#include "form/energy_terms.h"

#include <algorithm>

#include "form/energy_carriers.h"
#include "form/energy_covector.h"
#include "form/energy_dampers.h"
#include "math/index.h"
#include "math/parallel.h"

namespace trammel::form::energy {

namespace {

constexpr int kTermGrain = 256;  // terms in one go

/// Writes the Jacobian of the point w p + A c: three rows of twelve numbers.
void of_point(const MaterialPoint& point, double* J) {
  std::fill_n(J, 36, 0.);
  for (int k = 0; k < 3; ++k) {
    J[13 * k] = point.w;
    vec3(J + 15 * k + 3) = point.c;
  }
}

}  // namespace

double stiffness(const Mechanism& m, const WeightedTerm& t, double a) {
  return m.settings.joint_stiffness < 0 ? t.stiffness / a : t.stiffness;
}

double weight(const Mechanism& m, const Problem& problem, const WeightedTerm& t) {
  const double k = stiffness(m, t, problem.aim.a);
  return k + damper_of(m, problem, t.joint, k, t.mass) * problem.aim.rate;
}

void term_values(const Mechanism& m, const WeightedTerm& t, model::KinematicsCache& cache,
                 double* out) {
  if (t.linear) {
    const body::Transform &A = cache.T_WO[at(t.A.object)], &B = cache.T_WO[at(t.B.object)];
    vec3(out) = t.A.w * A.p + t.B.w * B.p + A.A * t.A.c + B.A * t.B.c;
    return;
  }
  joint::Sample sample;
  const int a = m.model->joints[at(t.joint)].arc;
  joint::Arc none;
  joint::Arc& arc = a < 0 ? none : cache.arc[at(a)];
  joint::sample(m.kin->ends(t.joint, cache), joint::features(*t.term), 1, arc, sample);
  joint::values(*t.term, sample, arc, out);
}

void all_term_values(const Mechanism& m, const Problem& problem, model::KinematicsCache& cache,
                     std::vector<double>& out) {
  out.assign(at(m.graph.n_rows), 0);
  for (const WeightedTerm& t : m.terms.all)
    if (problem.on(t.joint)) term_values(m, t, cache, &out[at(t.first)]);
}

void term_jacobians(const Mechanism& m, const WeightedTerm& t, const model::KinematicsCache& cache,
                    double* J_A, double* J_B) {
  if (t.linear) {
    of_point(t.A, J_A);
    of_point(t.B, J_B);
    return;
  }
  const joint::Ends ends = m.kin->ends(t.joint, cache);
  const int a = m.model->joints[at(t.joint)].arc;
  joint::Arc arc = a < 0 ? joint::Arc{} : cache.arc[at(a)];
  joint::Sample sample;
  joint::sample(ends, joint::features(*t.term), 1, arc, sample);
  joint::jacobians(*t.term, ends, sample, J_A, J_B);
}

void take_terms(const Mechanism& m, const Problem& problem, model::KinematicsCache& cache,
                SystemRows& out) {
  parallel::for_pieces(count(m.terms.all), kTermGrain, [&](int first, int last) {
    for (int i = first; i < last; ++i) {
      const WeightedTerm& t = m.terms.all[at(i)];
      const bool on = problem.on(t.joint);
      for (int r = t.first; r < t.first + t.n; ++r) {
        out.active[at(r)] = on;
        out.compliance[at(r)] = 1 / weight(m, problem, t);
        if (!on) out.r[at(r)] = 0;
      }
      if (!on) continue;
      term_values(m, t, cache, &out.r[at(t.first)]);
      for (int r = t.first; r < t.first + t.n; ++r) out.r[at(r)] += problem.shift[at(r)];
    }
  });
}

void add_term_covectors(const Mechanism& m, const Problem& problem,
                        const model::KinematicsCache& cache, const std::vector<double>& r,
                        std::vector<body::Covector>& out) {
  double J[2][3 * 12];
  for (const WeightedTerm& t : m.terms.all) {
    if (!problem.on(t.joint)) continue;
    term_jacobians(m, t, cache, J[0], J[1]);
    const int objects[] = {t.A.object, t.B.object};
    for (std::size_t k = 0; k < 2; ++k)
      for (int i = 0; i < t.n; ++i)
        add(out[at(objects[k])],
            covector(J[k] + 12 * i, -weight(m, problem, t) * r[at(t.first + i)]));
  }
}

namespace {

/// The part of put_term() of a block that carries one of the term's ends, or both.
void put_carried(const Mechanism& m, const WeightedTerm& t, bool on, const solve::Graph::End& e,
                 const model::KinematicsCache& cache, const BlockCholesky& cholesky, double* to) {
  std::fill_n(to, t.n * e.n, 0.);
  if (!on) return;
  double J[2][3 * 12];
  term_jacobians(m, t, cache, J[0], J[1]);
  const int objects[] = {t.A.object, t.B.object};
  for (std::size_t k = 0; k < 2; ++k)
    for (int i = 0; m.model->objects[at(objects[k])].block == e.block && i < t.n; ++i)
      pull_back(m, cache, at(objects[k]), covector(J[k] + 12 * i), to + i * e.n);
  cholesky.covectors(e.block, t.n, to, to);
}

}  // namespace

void put_term(const Mechanism& m, const Problem& problem, const WeightedTerm& t,
              const model::KinematicsCache& cache, const BlockCholesky& cholesky, double* J) {
  const bool on = problem.on(t.joint);
  const solve::Graph::Group& group = m.graph.groups[at(t.group)];
  const MaterialPoint* points[] = {&t.A, &t.B};
  double J_of[2][3 * 12];
  bool known = false;
  for (int k = 0, end = group.end; k < 2; ++k) {
    const model::Object& o = m.model->objects[at(points[k]->object)];
    if (o.block < 0) continue;
    if (o.jacobian >= 0) {
      if (end == group.end + group.n_ends) continue;  // as the other end's block
      const solve::Graph::End& e = m.graph.ends[at(end++)];
      put_carried(m, t, on, e, cache, cholesky, J + e.J + (t.first - group.row) * e.n);
      continue;
    }
    const solve::Graph::End& e = m.graph.ends[at(end++)];
    double* to = J + e.J + (t.first - group.row) * e.n;
    if (!on) {
      std::fill_n(to, t.n * e.n, 0.);
    } else if (t.linear && body::is_embedded(o.motion_kind)) {
      cholesky.point(e.block, points[k]->w, points[k]->c, to);
    } else {
      if (!known) term_jacobians(m, t, cache, J_of[0], J_of[1]);
      known = true;
      double own[3 * 12] = {};
      for (int i = 0; i < t.n; ++i)
        body::pull_back(o.motion_kind, cache.T_WO[at(points[k]->object)],
                        covector(J_of[k] + 12 * i, 1), own + i * e.n);
      cholesky.covectors(e.block, t.n, own, to);
    }
  }
}

double plus_terms(double phi, const Mechanism& m, const Problem& problem,
                  const std::vector<double>& r) {
  for (const WeightedTerm& t : m.terms.all) {
    const double k = weight(m, problem, t);
    for (int i = t.first; i < t.first + t.n; ++i) phi += 0.5 * k * r[at(i)] * r[at(i)];
  }
  return phi;
}

double energy_of_terms(const Mechanism& m, double a, const std::vector<double>& r) {
  double sum = 0;
  for (const WeightedTerm& t : m.terms.all) {
    const double k = stiffness(m, t, a);
    for (int i = t.first; i < t.first + t.n; ++i) sum += 0.5 * k * r[at(i)] * r[at(i)];
  }
  return sum;
}

}  // namespace trammel::form::energy
