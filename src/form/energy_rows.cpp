// The energy formulation's rows and terms: residuals, stiffnesses, Jacobians, potentials.
#include <algorithm>
#include <atomic>
#include <cmath>

#include "form/energy.h"
#include "form/energy_covector.h"
#include "math/index.h"
#include "math/parallel.h"
#include "solve/product.h"

namespace trammel::form {

namespace {
constexpr double kFlat = 1e-200;       // second derivatives below it count as zero
constexpr double kSmallStrain = 5e-3;  // above it blocks do not count as near a rotation
constexpr int kRowGrain = 256;         // bodies or terms in one go

/// Writes the Jacobian of the point w p + A c: three rows of twelve numbers.
void of_point(double w, const Vec3& c, double* J) {
  std::fill_n(J, 36, 0.);
  for (int k = 0; k < 3; ++k) {
    J[13 * k] = w;
    vec3(J + 15 * k + 3) = c;
  }
}
void add(body::Covector& to, const body::Covector& c) {
  to.f += c.f;
  to.F += c.F;
}
}  // namespace

double Energy::weight(const Terms& t) const {
  return settings_.joint_stiffness < 0 ? t.stiffness / target_.a : t.stiffness;
}

/// Evaluates terms, inertia, elasticity and rows at q, into at_. Returns false where a joint has
/// lost its track.
bool Energy::evaluate(const double* q) {
  kin_->transforms(q, target_.t, at_);
  if (!taken_.empty()) kin_->values(flags_, at_);
  if (at_.lost_joint >= 0) return false;
  take_terms();
  take_inertia();
  take_strain_energies();
  take_rows(q);
  return true;
}

void Energy::take_terms() {
  parallel::for_pieces(static_cast<int>(terms_.size()), kRowGrain, [&](int first, int last) {
    for (int i = first; i < last; ++i) {
      const Terms& t = terms_[at(i)];
      const bool on = flags_.on[at(t.joint)] != 0;
      for (int r = t.first; r < t.first + t.n; ++r) {
        active_[at(r)] = on;
        compliance_[at(r)] = 1 / weight(t);
        if (!on) r_[at(r)] = 0;
      }
      if (on) value(t, at_, &r_[at(t.first)]);
    }
  });
}

void Energy::value(const Terms& t, model::KinematicsCache& cache, double* out) const {
  if (t.linear) {
    const body::Transform &A = cache.T_WO[at(t.A.object)], &B = cache.T_WO[at(t.B.object)];
    vec3(out) = t.A.w * A.p + t.B.w * B.p + A.A * t.A.c + B.A * t.B.c;
    return;
  }
  joint::Sample sample;
  const int a = model_->joints[at(t.joint)].arc;
  joint::Arc none;
  joint::Arc& arc = a < 0 ? none : cache.arc[at(a)];
  joint::sample(kin_->ends(t.joint, cache), joint::features(*t.term), 1, arc, sample);
  joint::values(*t.term, sample, arc, out);
}

/// Computes the Jacobians of a term on the places of both ends, 12 numbers per component.
void Energy::term_jacobians(const Terms& t, const model::KinematicsCache& cache, double* J_A,
                            double* J_B) const {
  if (t.linear) {
    of_point(t.A.w, t.A.c, J_A);
    of_point(t.B.w, t.B.c, J_B);
    return;
  }
  const joint::Ends ends = kin_->ends(t.joint, cache);
  const int a = model_->joints[at(t.joint)].arc;
  joint::Arc arc = a < 0 ? joint::Arc{} : cache.arc[at(a)];
  joint::Sample sample;
  joint::sample(ends, joint::features(*t.term), 1, arc, sample);
  joint::jacobians(*t.term, ends, sample, J_A, J_B);
}

void Energy::take_strain_energies() {
  exceeds_small_strain_ = false;
  std::atomic<bool> much = false;
  parallel::for_pieces(static_cast<int>(strain_energies_.size()), kRowGrain,
                       [&](int first, int last) {
                         bool any = false;
                         for (int k = first; k < last; ++k) {
                           const StrainEnergy& e = strain_energies_[at(k)];
                           const Mat3& A = at_.T_WO[at(e.object)].A;
                           const Mat3 E = 0.5 * (A.transpose() * A - Mat3::Identity());
                           stress_[at(e.object)] = e.mu * E;
                           any |= !(E.cwiseAbs().maxCoeff() < kSmallStrain);
                         }
                         if (any) much = true;
                       });
  exceeds_small_strain_ = much;
}

/// Puts J C of a group of the model's rows into the system, C the factor of the block
/// (form/block_cholesky.h).
void Energy::put_rows(const Taken& taken) {
  const solve::Graph::Group &from = kin_->graph().groups[at(taken.from)],
                            &to = graph_.groups[at(taken.group)];
  for (int i = 0; i < from.n_ends; ++i) {
    const solve::Graph::End &e = kin_->graph().ends[at(from.end + i)],
                            &f = graph_.ends[at(to.end + i)];
    cholesky_.covectors(e.block, e.m, at_.J.data() + e.J, J_.data() + f.J);
  }
}

/// Puts J C of a term into the system.
void Energy::put_terms(const Terms& t) {
  const bool on = flags_.on[at(t.joint)] != 0;
  const solve::Graph::Group& group = graph_.groups[at(t.group)];
  const int objects[] = {kin_->end_A(t.joint), model_->joints[at(t.joint)].object_B};
  const Point* points[] = {&t.A, &t.B};
  double J[2][3 * 12];
  bool known = false;
  for (int k = 0, end = group.end; k < 2; ++k) {
    const model::Object& o = model_->objects[at(objects[k])];
    if (o.block < 0) continue;
    const solve::Graph::End& e = graph_.ends[at(end++)];
    double* to = J_.data() + e.J + (t.first - group.row) * e.n;
    if (!on) {
      std::fill_n(to, t.n * e.n, 0.);
    } else if (t.linear && body::is_embedded(o.motion_kind)) {
      cholesky_.point(e.block, points[k]->w, points[k]->c, to);
    } else {
      if (!known) term_jacobians(t, at_, J[0], J[1]);
      known = true;
      double own[3 * 12] = {};
      for (int i = 0; i < t.n; ++i)
        body::pull_back(o.motion_kind, at_.T_WO[at(objects[k])], covector(J[k] + 12 * i, 1),
                        own + i * e.n);
      cholesky_.covectors(e.block, t.n, own, to);
    }
  }
}

/// Adds the forces of terms to rows_, the covectors on objects.
void Energy::add_term_covectors() {
  double J[2][3 * 12];
  for (const Terms& t : terms_) {
    if (!flags_.on[at(t.joint)]) continue;
    term_jacobians(t, at_, J[0], J[1]);
    const int objects[] = {kin_->end_A(t.joint), model_->joints[at(t.joint)].object_B};
    for (std::size_t k = 0; k < 2; ++k)
      for (int i = 0; i < t.n; ++i)
        add(rows_[at(objects[k])], covector(J[k] + 12 * i, -weight(t) * r_[at(t.first + i)]));
  }
}

/// Returns how the rate of a row follows from its value over the step.
law::Scheme Energy::scheme_of(std::size_t i) const {
  law::Scheme s;
  s.x_n = g_n_[i];
  s.dv_dx = target_.rate;
  s.t = target_.t;
  if (target_.two_steps && model_->rows[i].row.holonomic())
    s.v_n = target_.back * target_.rate * (g_before_[i] - g_n_[i]);
  return s;
}

/// Computes residual r and compliance of every row in the system, whose force is -(r + J dq) /
/// compliance.
void Energy::take_rows(const double* q) {
  if (nonholonomic_) {
    kin_->jacobians(flags_, at_);
    end_momenta(P_);
    kin_->inverse_mass(q, at_);
    kin_->velocities(at_, P_.data(), f_.data());
    solve::multiply(kin_->graph(), at_.J.data(), f_.data(), rate_.data());
  }
  for (const Taken& t : taken_) {
    const solve::Graph::Group& g = kin_->graph().groups[at(t.from)];
    for (int i = g.row; i < g.row + g.m; ++i) take_row(at(i));
  }
}

/// Computes the momenta at the end of the step, if the minimum is at at_.
void Energy::end_momenta(std::vector<double>& P) {
  std::fill(f_.begin(), f_.end(), 0.0);
  for (std::size_t o = 0; o < from_.size(); ++o) {
    const model::Object& object = model_->objects[o];
    if (object.block < 0) continue;
    body::pull_back(object.motion_kind, at_.T_WO[o], inertia_[o],
                    f_.data() + model_->blocks[at(object.block)].v);
  }
  for (double& f : f_) f /= target_.a;
  for (std::size_t i = 0; i < f_.size(); ++i) P[i] = momentum_[i] + target_.gain * f_[i];
}

/// Returns the row's value; for a nonholonomic row its integral over the scheme's step, so that the
/// scheme gives its rate.
double Energy::value_of(std::size_t i) const {
  if (model_->rows[i].row.holonomic()) return at_.g[i];
  return g_n_[i] + (rate_[i] + at_.g_t[i]) / target_.rate;
}

void Energy::take_row(std::size_t i) {
  const double x = value_of(i);
  const law::ConstraintSpec& d = specs_[i];
  const auto k = at(in_system_[i]);
  active_[k] = 1;
  compliance_[k] = 0;
  slope_[i] = 0;
  switch (role_[i]) {
    case Role::off:
    case Role::elastic:
      active_[k] = 0;
      r_[k] = 0;
      return;
    case Role::held:
      r_[k] = x - d.target.x;
      return;
    case Role::rolled:
      r_[k] = x - g_n_[i] - d.target.v / target_.rate;
      return;
    case Role::friction:
      r_[k] = (rate_[i] + at_.g_t[i] - d.target.v) / target_.rate;
      return;
    case Role::unilateral:
      take_stop(i);
      return;
    case Role::spring:
      r_[k] = x - d.target.x;
      compliance_[k] = 1 / stiffness_[i];
      slope_[i] = stiffness_[i] * r_[k];
      return;
    case Role::potential:
      break;
  }
  const law::Potential p =
      model::row_potential(*model_, *params_, static_cast<int>(i), x, scheme_of(i));
  slope_[i] = p.d;
  active_[k] = p.dd > kFlat;
  r_[k] = active_[k] ? p.d / p.dd : 0;
  compliance_[k] = active_[k] ? 1 / p.dd : 0;
}

/// Computes the forces of the model's rows on their objects (rows_), for the blocks' second
/// derivatives. Couplings are left out, since theirs are small.
void Energy::add_row_covectors() {
  for (body::Covector& c : rows_) c = {};
  joint::Sample sample;
  for (std::size_t j = 0; j < model_->joints.size(); ++j) {
    const model::Joint& joint = model_->joints[j];
    if (!flags_.on[j] || joint.coupling >= 0 || joint.strain()) continue;
    const auto pull = [&](std::size_t i) {
      return in_system_[i] < 0 || role_[i] == Role::off ? 0.
             : carries(role_[i])                        ? lambda_[at(in_system_[i])]
                                                        : -slope_[i];
    };
    bool sampled = false;
    const joint::Ends ends = kin_->ends(static_cast<int>(j), at_);
    for (auto i = at(joint.first_row); i < n_rows() && model_->rows[i].joint == static_cast<int>(j);
         ++i) {
      if (pull(i) == 0 || !model_->rows[i].row.holonomic()) continue;
      if (!sampled) {
        joint::Arc none;
        joint::sample(ends, kin_->features(static_cast<int>(j)), 1,
                      joint.arc < 0 ? none : at_.arc[at(joint.arc)], sample);
        sampled = true;
      }
      double J_A[12], J_B[12];
      joint::embedded_jacobian(model_->rows[i].row, ends, sample, J_A, J_B);
      add(rows_[at(kin_->end_A(static_cast<int>(j)))], covector(J_A, pull(i)));
      add(rows_[at(joint.object_B)], covector(J_B, pull(i)));
    }
  }
}

void Energy::take_inertia() {
  for (const model::PoolSlot& s : model_->pools)
    s.pool->embedded_gradient(kin_->derived().data() + s.derived, at_.T_WO.data() + s.object,
                              from_.data() + s.object, inertia_.data() + s.object);
}

/// Sets loads_ to the weight of every object.
void Energy::weigh() {
  const Vec3 g = vec3(params_->values.data() + model::kGravityParam);
  for (std::size_t o = 0; o < loads_.size(); ++o) loads_[o] = {mass_[o] * g, Mat3::Zero()};
}

/// Evaluates gravity and loads where the Newton step begins, and the stiffness with which the loads
/// oppose it.
void Energy::add_loads() {
  if (model_->loads.empty()) return;
  weigh();
  std::fill(drag_.begin(), drag_.end(), 0.0);
  const double back = target_.back * target_.rate;
  for (const law::Load& load : model_->loads) {
    const auto o = at(load.object);
    const body::Transform &y = at_.T_WO[o], &y_n = now_.T_WO[o], &y_before = before_.T_WO[o];
    body::Rate& rate = at_.rate[o];
    rate = {target_.rate * (y.p - y_n.p), target_.rate * (y.A - y_n.A)};
    if (target_.two_steps) {
      rate.v += back * (y_before.p - y_n.p);
      rate.A += back * (y_before.A - y_n.A);
    }
    const law::Wrench w = law::wrench(load, params_->values.data(), y, rate, target_.t);
    drag_[o] += target_.rate * law::steepest(load, params_->values.data(), y, rate, target_.t);
    double m[12] = {};
    body::add_wrench(body::kEmbedding, y, load.point, w.f, w.torque, m);
    add(loads_[o], covector(m, 1));
  }
}

/// Adds the stress of strains that are rows, on the rows of A.
void Energy::add_stress_of_rows() {
  for (const Taken& t : taken_) {
    const model::Joint& joint = model_->joints[at(model_->groups[at(t.from)].joint)];
    if (!joint.strain()) continue;
    Mat3& T = stress_[at(joint.object_A)];
    const int first = kin_->graph().groups[at(t.from)].row;
    if (first == joint.first_row) T.setZero();
    for (int r = first; r < first + kin_->graph().groups[at(t.from)].m; ++r) {
      const joint::Row& row = model_->rows[at(r)].row;
      if (!row.shape() || role_[at(r)] == Role::off) continue;
      const auto u = static_cast<int>(row.of[0].u), v = static_cast<int>(row.of[0].v);
      const double pull = carries(role_[at(r)]) ? -lambda_[at(in_system_[at(r)])] : slope_[at(r)];
      T(u, v) += 0.5 * pull;
      T(v, u) += 0.5 * pull;
    }
  }
}

/// Returns the objective. Loads need not have a potential: they are as they were where the Newton
/// step began.
double Energy::objective() {
  double phi = 0;
  for (std::size_t o = 0; o < from_.size(); ++o) {
    if (mass_[o] == 0) continue;
    const body::Transform& y = at_.T_WO[o];
    phi +=
        0.5 / target_.a *
        (inertia_[o].f.dot(y.p - from_[o].p) + inertia_[o].F.cwiseProduct(y.A - from_[o].A).sum());
    const body::Transform& start = now_.T_WO[o];
    phi -= loads_[o].f.dot(y.p - start.p) + loads_[o].F.cwiseProduct(y.A - start.A).sum();
  }
  for (const StrainEnergy& e : strain_energies_)
    phi += 0.5 / e.mu * stress_[at(e.object)].squaredNorm();
  for (const Taken& t : taken_) {
    const solve::Graph::Group& g = kin_->graph().groups[at(t.from)];
    for (auto i = at(g.row); i < at(g.row + g.m); ++i) phi += potential_of(i);
  }
  for (const Terms& t : terms_)
    for (int r = t.first; r < t.first + t.n; ++r) phi += 0.5 * weight(t) * r_[at(r)] * r_[at(r)];
  for (const solve::Cone& c : in_box_) phi += dissipation_of(c);
  return phi;
}

/// Returns the work that friction takes over the step at the normal force found last [J]. It is
/// convex in the tangent displacement, with all of the disc as its slopes at rest (Pandolfi, Kane,
/// Marsden and Ortiz 2002).
double Energy::dissipation_of(const solve::Cone& c) const {
  return active_[at(c.normal)] ? solve::radius_of(c, lambda_) * solve::tangent_of(c, r_).norm() : 0;
}

double Energy::potential_of(std::size_t i) const {
  const double r = r_[at(in_system_[i])];
  if (role_[i] == Role::unilateral) return penalty_ * beyond(i);
  if (role_[i] == Role::friction) return 0;  // see dissipation_of()
  if (carries(role_[i])) return penalty_ * std::abs(r);
  if (role_[i] == Role::spring) return 0.5 * slope_[i] * r;
  if (role_[i] != Role::potential) return 0;
  return model::row_potential(*model_, *params_, static_cast<int>(i), value_of(i), scheme_of(i))
      .phi;
}

}  // namespace trammel::form
