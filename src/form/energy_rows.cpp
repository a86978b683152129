// The energy formulation's rows and terms: residuals, stiffnesses, Jacobians, potentials.
#include <algorithm>
#include <cmath>

#include "form/energy.h"
#include "solve/product.h"

namespace trammel::form {

namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
constexpr double kFlat = 1e-200;  // second derivatives below it are none

/// Twelve numbers as a covector on a place.
body::Covector covector(const double* J, double scale) {
  body::Covector c;
  c.f = scale * vec3(J);
  for (int i = 0; i < 3; ++i) c.F.row(i) = scale * vec3(J + 3 + 3 * i).transpose();
  return c;
}
void add(body::Covector& to, const body::Covector& c) {
  to.f += c.f;
  to.F += c.F;
}
}  // namespace

double Energy::weight(const Terms& t) const {
  return settings_.joint_stiffness < 0 ? t.stiffness / target_.a : t.stiffness;
}

/// Rows and terms at q. False: a joint has lost its track.
bool Energy::place(const double* q, bool with_jacobians) {
  kin_->place(q, target_.t, at_);
  if (with_jacobians) {
    kin_->jacobians(flags_, at_);
    std::copy(at_.J.begin(), at_.J.end(), J_.begin());
  } else {
    kin_->values(flags_, at_);
  }
  if (at_.lost_joint >= 0) return false;
  for (body::Covector& c : rows_) c = {};
  take_terms(with_jacobians);
  take_inertia();
  take_rows(q);
  return true;
}

void Energy::take_terms(bool with_jacobians) {
  joint::Sample sample;
  for (std::size_t j = 0; j < soft_.size(); ++j) {
    if (!soft_[j]) continue;
    const auto first = at(first_terms_[j]), last = at(first_terms_[j + 1]);
    const bool on = flags_.on[j] != 0;
    if (on) {
      const joint::Ends ends = kin_->ends(static_cast<int>(j), at_);
      const int a = model_->joints[j].arc;
      joint::Arc none;
      joint::Arc& arc = a < 0 ? none : at_.arc[at(a)];
      unsigned features = 0;
      for (std::size_t t = first; t < last; ++t) features |= joint::features(*terms_[t].term);
      joint::sample(ends, features, 1, arc, sample);
      for (std::size_t t = first; t < last; ++t) {
        joint::values(*terms_[t].term, sample, arc, r_.data() + terms_[t].first);
        if (with_jacobians) put_terms(terms_[t], ends, sample);
      }
    }
    for (std::size_t t = first; t < last; ++t)
      for (int r = terms_[t].first; r < terms_[t].first + terms_[t].n; ++r) {
        active_[at(r)] = on;
        compliance_[at(r)] = 1 / weight(terms_[t]);
        if (!on) r_[at(r)] = 0;
      }
  }
}

/// J of a term on its blocks, and what it pulls with on its objects.
void Energy::put_terms(const Terms& t, const joint::Ends& ends, const joint::Sample& sample) {
  double J[2][3 * 12];
  joint::jacobians(*t.term, ends, sample, J[0], J[1]);
  const solve::Graph::Group& group = graph_.groups[at(t.group)];
  const int objects[] = {kin_->end_A(t.joint), model_->joints[at(t.joint)].object_B};
  int end = group.end;
  for (std::size_t k = 0; k < 2; ++k) {
    const model::Object& o = model_->objects[at(objects[k])];
    if (o.block < 0) continue;
    const solve::Graph::End& e = graph_.ends[at(end++)];
    for (int i = 0; i < t.n; ++i) {
      const double* row = J[k] + 12 * i;
      double* to = J_.data() + e.J + (t.first + i - group.row) * e.n;
      std::fill_n(to, e.n, 0.0);
      body::pull_back(o.carrier, at_.place[at(objects[k])], covector(row, 1), to);
      add(rows_[at(objects[k])], covector(row, -weight(t) * r_[at(t.first + i)]));
    }
  }
}

/// How the rate of a row follows from its value over the step.
law::Scheme Energy::scheme_of(std::size_t i) const {
  law::Scheme s;
  s.x_n = g_n_[i];
  s.dv_dx = target_.rate;
  s.t = target_.t;
  if (target_.two_steps && model_->rows[i].row.holonomic())
    s.v_n = target_.rate / 3 * (g_before_[i] - g_n_[i]);
  return s;
}

/// Residual and compliance of every row of the model: what pulls back with a force of
/// -(r + J dq) / compliance.
void Energy::take_rows(const double* q) {
  if (slips_) {
    end_momenta(P_);
    kin_->inverse_mass(q, at_);
    kin_->velocities(at_, P_.data(), f_.data());
    solve::multiply(kin_->graph(), at_.J.data(), f_.data(), rate_.data());
  }
  for (std::size_t i = 0; i < n_rows(); ++i) take_row(i);
}

/// Momenta of the end of the step with the minimum where at_ is.
void Energy::end_momenta(std::vector<double>& P) {
  std::fill(f_.begin(), f_.end(), 0.0);
  for (std::size_t o = 0; o < from_.size(); ++o) {
    const model::Object& object = model_->objects[o];
    if (object.block < 0) continue;
    body::pull_back(object.carrier, at_.place[o], inertia_[o],
                    f_.data() + model_->blocks[at(object.block)].v);
  }
  for (double& f : f_) f /= target_.a;
  for (std::size_t i = 0; i < f_.size(); ++i) P[i] = momentum_[i] + target_.gain * f_[i];
}

/// The row's value; of a row of rates alone what its rate comes to over the scheme's step, so that
/// the scheme gives that rate.
double Energy::value_of(std::size_t i) const {
  if (model_->rows[i].row.holonomic()) return at_.g[i];
  return g_n_[i] + (rate_[i] + at_.g_t[i]) / target_.rate;
}

void Energy::take_row(std::size_t i) {
  const double x = value_of(i);
  const law::Demand& d = demands_[i];
  active_[i] = 1;
  compliance_[i] = 0;
  slope_[i] = 0;
  switch (role_[i]) {
    case Role::off:
      active_[i] = 0;
      r_[i] = 0;
      return;
    case Role::held:
      r_[i] = x - d.target.x;
      return;
    case Role::rolled:
      r_[i] = x - g_n_[i] - d.target.v / target_.rate;
      return;
    case Role::spring:
      r_[i] = x - d.target.x;
      compliance_[i] = 1 / stiffness_[i];
      slope_[i] = stiffness_[i] * r_[i];
      return;
    case Role::potential:
      break;
  }
  const law::Potential p =
      model::row_potential(*model_, *params_, static_cast<int>(i), x, scheme_of(i));
  slope_[i] = p.d;
  active_[i] = p.dd > kFlat;
  r_[i] = active_[i] ? p.d / p.dd : 0;
  compliance_[i] = active_[i] ? 1 / p.dd : 0;
}

/// What the rows of the model pull with on their objects, for the blocks' second derivatives.
/// Couplings are left out: theirs are small.
void Energy::add_row_covectors() {
  joint::Sample sample;
  for (std::size_t j = 0; j < model_->joints.size(); ++j) {
    const model::Joint& joint = model_->joints[j];
    if (!flags_.on[j] || joint.coupling >= 0 || joint.strain()) continue;
    const auto pull = [&](std::size_t i) {
      return role_[i] == Role::off                                ? 0.
             : role_[i] == Role::held || role_[i] == Role::rolled ? lambda_[i]
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
    s.pool->embedded_gradient(kin_->derived().data() + s.derived, at_.place.data() + s.object,
                              from_.data() + s.object, inertia_.data() + s.object);
}

/// Gravity and loads where the increment begins.
void Energy::add_loads() {
  const Vec3 g = vec3(params_->values.data() + model::kGravityParam);
  for (std::size_t o = 0; o < loads_.size(); ++o) {
    loads_[o] = {};
    loads_[o].f = mass_[o] * g;
  }
  const double back = target_.two_steps ? target_.rate / 3 : 0;
  for (const law::Load& load : model_->loads) {
    const auto o = at(load.object);
    const body::Place &y = at_.place[o], &y_n = now_.place[o], &y_before = before_.place[o];
    body::Rate& rate = at_.rate[o];
    rate = {target_.rate * (y.p - y_n.p), target_.rate * (y.A - y_n.A)};
    if (target_.two_steps) {
      rate.v += back * (y_before.p - y_n.p);
      rate.A += back * (y_before.A - y_n.A);
    }
    const law::Wrench w = law::wrench(load, params_->values.data(), y, rate, target_.t);
    double m[12] = {};
    body::add_wrench(body::Carrier::affine, y, load.point, w.f, w.torque, m);
    add(loads_[o], covector(m, 1));
  }
}

/// What is minimised, beyond what it is where the increment begins for loads that have no
/// potential.
double Energy::objective() {
  double phi = 0;
  for (std::size_t o = 0; o < from_.size(); ++o) {
    if (mass_[o] == 0) continue;
    const body::Place& y = at_.place[o];
    phi +=
        0.5 / target_.a *
        (inertia_[o].f.dot(y.p - from_[o].p) + inertia_[o].F.cwiseProduct(y.A - from_[o].A).sum());
    phi -= loads_[o].f.dot(y.p - base_[o].p) + loads_[o].F.cwiseProduct(y.A - base_[o].A).sum();
  }
  for (std::size_t i = 0; i < n_rows(); ++i) {
    if (role_[i] == Role::held || role_[i] == Role::rolled) phi += penalty_ * std::abs(r_[i]);
    if (role_[i] == Role::spring) phi += 0.5 * slope_[i] * r_[i];
    if (role_[i] != Role::potential) continue;
    phi +=
        model::row_potential(*model_, *params_, static_cast<int>(i), value_of(i), scheme_of(i)).phi;
  }
  for (const Terms& t : terms_)
    for (int r = t.first; r < t.first + t.n; ++r) phi += 0.5 * weight(t) * r_[at(r)] * r_[at(r)];
  return phi;
}

}  // namespace trammel::form
