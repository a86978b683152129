#include "body/system.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "body/moments.h"
#include "body/rigid.h"
#include "expr/adapters.h"
#include "expr/derivative.h"
#include "math/index.h"
#include "math/rotation.h"

namespace trammel::body {

namespace {

using expr::Expression;

constexpr int kMostIterations = 60;
constexpr double kRounding = 2 * std::numeric_limits<double>::epsilon();
constexpr double kStalled = 1e-10;  // steps of a fixed point that may be rounding, relative

/// A = L L^T of a full matrix, into its lower triangle. False: it is not positive, or hardly.
bool cholesky(int n, double* A) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j) {
      const double diagonal = A[i * n + i];
      double sum = A[i * n + j];
      for (int k = 0; k < j; ++k) sum -= A[i * n + k] * A[j * n + k];
      if (i != j) {
        A[i * n + j] = sum / A[j * n + j];
      } else {
        if (!(sum > kRounding * diagonal)) return false;
        A[i * n + i] = std::sqrt(sum);
      }
    }
  return true;
}

/// Solves L L^T x = b in place.
void solve(int n, const double* L, double* x) {
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < i; ++k) x[i] -= L[i * n + k] * x[k];
    x[i] /= L[i * n + i];
  }
  for (int i = n; i-- > 0;) {
    for (int k = i + 1; k < n; ++k) x[i] -= L[k * n + i] * x[k];
    x[i] /= L[i * n + i];
  }
}

/// Where one number of a lower triangle stands in a full matrix, and the other.
void put_lower(int n, const double* lower, double* out, bool adds) {
  for (int i = 0, k = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j, ++k) {
      out[i * n + j] = lower[k] + (adds ? out[i * n + j] : 0);
      if (i != j) out[j * n + i] = lower[k] + (adds ? out[j * n + i] : 0);
    }
}

/// Says when a fixed point has come to rounding: its steps are of that size, or shrink no more.
class Settling {
 public:
  bool operator()(int n, const double* a, const double* b, double scale) {
    double change = 0, size = scale;
    for (int i = 0; i < n; ++i) {
      if (!std::isfinite(b[i])) return false;
      change = std::max(change, std::abs(a[i] - b[i]));
      size = std::max(size, std::abs(b[i]));
    }
    const bool stalls = change <= kStalled * size && change >= last_ / 2;
    last_ = change;
    return change <= kRounding * size || stalls;
  }

 private:
  double last_ = std::numeric_limits<double>::infinity();
};

void append(std::vector<Expression>& to, const symbolic::Vec& v) {
  to.insert(to.end(), v.begin(), v.end());
}

}  // namespace

/// What the programs of one block read: x, u, parameters.
class SystemPool::Inputs {
 public:
  Inputs(const SystemPool& pool, const double* q, const double* u, const double* params)
      : n_(pool.nq), scratch_(at(2 * pool.nq + pool.n_params)) {
    std::copy_n(q, n_, x());
    if (u)
      std::copy_n(u, n_, rates());
    else
      std::fill_n(rates(), n_, 0.0);
    std::copy_n(params, pool.n_params, x() + 2 * n_);
  }
  double* x() { return std::span<double>(scratch_).data(); }
  double* rates() { return x() + n_; }
  const double* data() const { return std::span<double>(scratch_).data(); }

 private:
  int n_;
  expr::ThreadScratch scratch_;
};

void SystemPool::Program::run(const double* in, double* out) const {
  const expr::ThreadScratch scratch(tape.scratch_size()), y(to.size());
  const std::span<double> values(y);
  tape.value({in, tape.inputs()}, values.first(to.size()), scratch);
  std::fill_n(out, size, 0.0);
  for (std::size_t i = 0; i < to.size(); ++i) out[to[i]] = values[i];
}

SystemPool::SystemPool(SystemSpec spec) : spec_(std::move(spec)), equations_(lagrange(spec_)) {
  if (spec_.coordinates.empty()) throw std::invalid_argument("a system without coordinates");
  if (!equations_.error.empty()) throw std::invalid_argument(equations_.error);
  n_blocks = 1;
  nq = nv = static_cast<int>(spec_.coordinates.size());
  n_objects = static_cast<int>(spec_.objects.size());
  n_params = n_derived = static_cast<int>(equations_.parameters.size());
  parameter_of_.assign(spec_.objects.size(), {-1, -1, -1, -1, -1, -1, -1});
  for (std::size_t i = 0; i < equations_.parameters.size(); ++i)
    parameter_of_[at(equations_.parameters[i].object)][at(equations_.parameters[i].which)] =
        static_cast<int>(i);
  pose_ = compile_pose();
  mass_ = compile(equations_.A);
  std::vector<Expression> own, slope;
  for (std::size_t i = 0; i < at(nq); ++i) {
    const Expression f = symbolic::plus(equations_.b[i], equations_.grad_V[i]);
    own.push_back(f ? -f : f);
    slope.push_back(symbolic::minus(equations_.grad_T[i], equations_.grad_V[i]));
  }
  own_force_ = compile(own);
  slope_ = compile(slope);
  rates_ = compile_rates();
  momentum_ = compile_momentum();
  potential_ = compile({equations_.V});
  curvature_ = compile(equations_.curvature);
  for (std::size_t k = 0; k < spec_.objects.size(); ++k) variation_.push_back(compile_variation(k));
}

SystemPool::Program SystemPool::compile(const std::vector<Expression>& list,
                                        std::span<const Expression> more) const {
  Program out;
  out.size = static_cast<int>(list.size());
  std::vector<Expression> outputs, inputs(equations_.x);
  inputs.insert(inputs.end(), equations_.u.begin(), equations_.u.end());
  for (const SystemParameter& p : equations_.parameters) inputs.push_back(p.variable);
  inputs.insert(inputs.end(), more.begin(), more.end());
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!list[i]) continue;
    outputs.push_back(list[i]);
    out.to.push_back(static_cast<int>(i));
  }
  if (outputs.empty()) {  // a tape needs an output: of no place
    outputs.push_back(spec_.graph->constant(0));
    out.to.push_back(0);
    out.size = std::max(out.size, 1);
  }
  expr::Compiled compiled = expr::Tape::compile(outputs, inputs, {.active = 0, .order = 0});
  if (!compiled) throw std::invalid_argument(compiled.error);
  out.tape = std::move(compiled.tape);
  return out;
}

/// Of each object p, R row by row, and its Jacobian (6 x n, row by row).
SystemPool::Program SystemPool::compile_pose() const {
  std::vector<Expression> list;
  for (const Equations::Object& o : equations_.objects) {
    append(list, o.p);
    for (const symbolic::Vec& row : o.R) append(list, row);
    for (std::size_t i = 0; i < 3; ++i)
      for (const symbolic::Vec& column : o.Jv) list.push_back(column[i]);
    for (std::size_t i = 0; i < 3; ++i)
      for (const symbolic::Vec& column : o.Jw) list.push_back(column[i]);
  }
  return compile(list);
}

SystemPool::Program SystemPool::compile_rates() const {
  std::vector<Expression> list;
  for (const Equations::Object& o : equations_.objects)
    for (const symbolic::Vec* v : {&o.v, &o.w, &o.a0, &o.alpha}) append(list, *v);
  return compile(list);
}

/// Of each object v, w in its own axes.
SystemPool::Program SystemPool::compile_momentum() const {
  std::vector<Expression> list;
  for (const Equations::Object& o : equations_.objects) {
    append(list, o.v);
    append(list, o.w_O);
  }
  return compile(list);
}

/// Second derivatives of f . p + F : R, its first ones f . Jv + (sum of R_j x F_j) . Jw with R_j,
/// F_j columns; inputs f, F behind the parameters.
SystemPool::Program SystemPool::compile_variation(std::size_t object) const {
  expr::Graph& g = *spec_.graph;
  std::vector<Expression> more;
  for (int i = 0; i < 12; ++i) more.push_back(g.variable("covector." + std::to_string(i)));
  const Equations::Object& o = equations_.objects[object];
  symbolic::Vec torque;
  for (std::size_t j = 0; j < 3; ++j)
    torque = symbolic::plus(torque, symbolic::cross({o.R[0][j], o.R[1][j], o.R[2][j]},
                                                    {more[3 + j], more[6 + j], more[9 + j]}));
  std::vector<Expression> list;
  const Expression one = g.constant(1);
  for (std::size_t i = 0; i < at(nq); ++i) {
    const Expression slope = symbolic::plus(symbolic::dot({more[0], more[1], more[2]}, o.Jv[i]),
                                            symbolic::dot(torque, o.Jw[i]));
    for (std::size_t j = 0; j <= i; ++j) {
      expr::Along along({&equations_.x[j], 1}, {&one, 1});
      const expr::Derivative d = slope ? along.of(slope) : expr::Derivative{};
      if (!d) throw std::invalid_argument(d.error);
      list.push_back(d.value);
    }
  }
  return compile(list, more);
}

void SystemPool::derive(const double* params, double* derived) const {
  std::copy_n(params, n_params * n_blocks, derived);
}

/// Of one block.
void SystemPool::poses(const double* derived, const double* q, Transform* out,
                       double* jacobian) const {
  const int jac = 6 * nv;
  const expr::ThreadScratch made(at(pose_.size));
  const double* from = std::span<double>(made).data();
  pose_.run(Inputs(*this, q, nullptr, derived).data(), std::span<double>(made).data());
  for (int k = 0; k < n_objects; ++k, from += 12 + jac, ++out) {
    out->p = vec3(from);
    for (int i = 0; i < 3; ++i) out->A.row(i) = vec3(from + 3 + 3 * i);
    if (jacobian) std::copy_n(from + 12, jac, jacobian + k * jac);
  }
}

void SystemPool::transforms(const double* derived, const double* q, Transform* out,
                            double* jacobian) const {
  for (int b = 0; b < n_blocks; ++b)
    poses(derived + b * n_derived, q + b * nq, out + b * n_objects,
          jacobian ? jacobian + b * n_objects * 6 * nv : nullptr);
}

bool SystemPool::factor(const Inputs& in, double* L) const {
  const expr::ThreadScratch lower(at(mass_.size));
  mass_.run(in.data(), std::span<double>(lower).data());
  put_lower(nv, std::span<double>(lower).data(), L, false);
  return cholesky(nv, L);
}

void SystemPool::inverse_mass(const double* derived, const double* q, const Transform*,
                              double* out) const {
  const expr::ThreadScratch L(at(nv * nv));
  double* factor = std::span<double>(L).data();
  for (int b = 0; b < n_blocks; ++b, q += nq, derived += n_derived, out += nv * nv) {
    const bool good = this->factor(Inputs(*this, q, nullptr, derived), factor);
    for (int i = 0; i < nv; ++i) {
      std::fill_n(out + i * nv, nv, 0.0);
      out[i * nv + i] = good ? 1 : std::numeric_limits<double>::quiet_NaN();
      if (good) solve(nv, factor, out + i * nv);
    }
  }
}

void SystemPool::momentum(const double* derived, const double* q, const double* u,
                          double* P) const {
  const expr::ThreadScratch lower(at(mass_.size));
  const double* A = std::span<double>(lower).data();
  for (int b = 0; b < n_blocks; ++b, q += nq, u += nv, P += nv, derived += n_derived) {
    mass_.run(Inputs(*this, q, nullptr, derived).data(), std::span<double>(lower).data());
    std::fill_n(P, nv, 0.0);
    for (int i = 0, k = 0; i < nv; ++i)
      for (int j = 0; j <= i; ++j, ++k) {
        P[i] += A[k] * u[j];
        if (i != j) P[j] += A[k] * u[i];
      }
  }
}

void SystemPool::rates(const double* derived, const double* q, const double* u,
                       const Transform* at_, Rate* rate, Bias* bias) const {
  const expr::ThreadScratch made(at(rates_.size));
  for (int b = 0; b < n_blocks; ++b, q += nq, u += nv, derived += n_derived) {
    rates_.run(Inputs(*this, q, u, derived).data(), std::span<double>(made).data());
    const double* from = std::span<double>(made).data();
    for (int k = 0; k < n_objects; ++k, from += 12, ++at_, ++rate, ++bias) {
      const Mat3 W = skew(vec3(from + 3)), more = skew(vec3(from + 9)) + W * W;
      *rate = {vec3(from), W * at_->A};
      *bias = {vec3(from + 6), more * at_->A};
    }
  }
}

/// p = P + h/2 (dT/dx - dV/dx) at x and u = A^-1 p; L of A is made.
bool SystemPool::half_kick(Inputs& in, double h, const double* P, double* p, double* u) const {
  const expr::ThreadScratch L(at(nv * nv)), slope(at(slope_.size));
  const double *factor = std::span<double>(L).data(), *f = std::span<double>(slope).data();
  if (!this->factor(in, std::span<double>(L).data())) return false;
  std::copy_n(P, nv, p);
  Settling settled;
  for (int k = 0; k < kMostIterations; ++k) {
    std::copy_n(p, nv, u);
    solve(nv, factor, u);
    std::copy_n(u, nv, in.rates());
    slope_.run(in.data(), std::span<double>(slope).data());
    const expr::ThreadScratch next(at(nv));
    const std::span<double> to(next);
    for (int i = 0; i < nv; ++i) to[at(i)] = P[i] + h / 2 * f[i];
    const bool done = settled(nv, p, to.data(), 0);
    std::copy_n(to.data(), nv, p);
    if (done) return true;
  }
  return false;
}

/// x1 = x + h/2 (A(x)^-1 p + A(x1)^-1 p); u = A(x)^-1 p. Leaves x1 and its rates in `in`.
bool SystemPool::drift_by(Inputs& in, double h, const double* q, const double* p, const double* u,
                          double* q1) const {
  const expr::ThreadScratch L(at(nv * nv));
  double* factor = std::span<double>(L).data();
  for (int i = 0; i < nv; ++i) q1[i] = q[i] + h * u[i];
  Settling settled;
  for (int k = 0; k < kMostIterations; ++k) {
    std::copy_n(q1, nv, in.x());
    if (!this->factor(in, factor)) return false;
    std::copy_n(p, nv, in.rates());
    solve(nv, factor, in.rates());
    const expr::ThreadScratch next(at(nv));
    const std::span<double> to(next);
    for (int i = 0; i < nv; ++i) to[at(i)] = q[i] + h / 2 * (u[i] + in.rates()[i]);
    const bool done = settled(nv, q1, to.data(), 1);
    std::copy_n(to.data(), nv, q1);
    if (done) return true;
  }
  return false;
}

void SystemPool::kick(const Inputs& in, double h, const double* p, double* P) const {
  const expr::ThreadScratch slope(at(slope_.size));
  const double* f = std::span<double>(slope).data();
  slope_.run(in.data(), std::span<double>(slope).data());
  for (int i = 0; i < nv; ++i) P[i] = p[i] + h * f[i];
}

void SystemPool::flow(const double* derived, double h, const double* q, const double* P, double* q1,
                      double* P1) const {
  const expr::ThreadScratch half(at(2 * nv));
  double *p = std::span<double>(half).data(), *u = p + nv;
  for (int b = 0; b < n_blocks; ++b, q += nq, P += nv, q1 += nq, P1 += nv, derived += n_derived) {
    Inputs in(*this, q, nullptr, derived);
    if (half_kick(in, h, P, p, u) && drift_by(in, h, q, p, u, q1)) {
      kick(in, h / 2, p, P1);
    } else {  // the chart is singular there, or the step too long for it
      std::fill_n(q1, nq, std::numeric_limits<double>::quiet_NaN());
      std::fill_n(P1, nv, std::numeric_limits<double>::quiet_NaN());
    }
  }
}

Pool::MassRange SystemPool::mass_range(const double* params, int block, double) const {
  double most = 0;
  for (int k = 0; k < n_objects; ++k) most = std::max(most, mass(params, block, k));
  return {most, most};
}

void SystemPool::retract(const double* dq, double* q) const {
  for (int i = 0; i < n_blocks * nq; ++i) q[i] += dq[i];
}

void SystemPool::difference(const double* q, const double* q1, double* dq) const {
  for (int i = 0; i < n_blocks * nq; ++i) dq[i] = q1[i] - q[i];
}

void SystemPool::tolerances(double length, double angle, double* q) const {
  for (int i = 0; i < n_blocks * nq; ++i)
    q[i] = spec_.coordinates[at(i % nq)].is_angle ? angle : length;
}

void SystemPool::speed_tolerances(double speed, double spin, double* u) const {
  tolerances(speed, spin, u);
}

void SystemPool::add_own_force(const double* derived, const double* q, const double* u,
                               double* f) const {
  const expr::ThreadScratch made(at(own_force_.size));
  const double* more = std::span<double>(made).data();
  for (int b = 0; b < n_blocks; ++b, q += nq, u += nv, f += nv, derived += n_derived) {
    own_force_.run(Inputs(*this, q, u, derived).data(), std::span<double>(made).data());
    for (int i = 0; i < nv; ++i) f[i] += more[i];
  }
}

double SystemPool::energy(const double* derived, const double* q, const double* P,
                          const double* u) const {
  double sum = 0;
  for (int b = 0; b < n_blocks; ++b, q += nq, u += nv, P += nv, derived += n_derived) {
    double V = 0;
    potential_.run(Inputs(*this, q, nullptr, derived).data(), &V);
    for (int i = 0; i < nv; ++i) sum += 0.5 * P[i] * u[i];
    sum += V;
  }
  return sum;
}

void SystemPool::add_momentum(const double* derived, const double* q, const double* P, Vec3& linear,
                              Vec3& angular) const {
  const expr::ThreadScratch room(at(nv * nv + nv)), rates(at(momentum_.size));
  double *L = std::span<double>(room).data(), *u = L + nv * nv;
  std::vector<Transform> at_(at(n_objects));
  for (int b = 0; b < n_blocks; ++b, q += nq, P += nv, derived += n_derived) {
    Inputs in(*this, q, nullptr, derived);
    if (!factor(in, L)) continue;
    std::copy_n(P, nv, u);
    solve(nv, L, u);
    std::copy_n(u, nv, in.rates());
    momentum_.run(in.data(), std::span<double>(rates).data());
    poses(derived, q, at_.data(), nullptr);
    for (int k = 0; k < n_objects; ++k) {
      const auto w = weights(derived, k);
      const double* v = std::span<double>(rates).data() + 6 * k;
      const Transform& T = at_[at(k)];
      const Vec3 p = w[0] * vec3(v);
      linear += p;
      angular += T.p.cross(p) + T.A * (inertia_matrix(w.data() + 1) * vec3(v + 3));
    }
  }
}

void SystemPool::add_second_variation(int block, const double* derived, const double* q,
                                      const Transform&, int object, const Vec3& f, const Mat3& F,
                                      double* H) const {
  const Program& program = variation_[at(object)];
  const expr::ThreadScratch in(at(2 * nq + n_params + 12)), lower(at(program.size));
  double* x = std::span<double>(in).data();
  const Inputs first(*this, q + block * nq, nullptr, derived + block * n_derived);
  std::copy_n(first.data(), 2 * nq + n_params, x);
  double* more = x + 2 * nq + n_params;
  vec3(more) = f;
  for (int i = 0; i < 3; ++i) vec3(more + 3 + 3 * i) = F.row(i);
  program.run(x, std::span<double>(lower).data());
  put_lower(nv, std::span<double>(lower).data(), H, true);
}

bool SystemPool::embedded_gradient(const double* derived, const Transform* at_,
                                   const Transform* from, Covector* out) const {
  for (int i = 0; i < n_blocks * n_objects; ++i) {
    const auto w = weights(derived + i / n_objects * n_derived, i % n_objects);
    out[i].f = w[0] * (at_[i].p - from[i].p);
    out[i].F = (at_[i].A - from[i].A) * second_of_inertia(inertia_matrix(w.data() + 1));
  }
  return true;
}

void SystemPool::embedded_mass(const double* derived, const double* q, const Transform*,
                               double* H) const {
  const expr::ThreadScratch lower(at(mass_.size));
  for (int b = 0; b < n_blocks; ++b, q += nq, derived += n_derived, H += nv * nv) {
    mass_.run(Inputs(*this, q, nullptr, derived).data(), std::span<double>(lower).data());
    put_lower(nv, std::span<double>(lower).data(), H, false);
  }
}

void SystemPool::add_potential_curvature(const double* derived, const double* q, double* H) const {
  const expr::ThreadScratch lower(at(curvature_.size));
  for (int b = 0; b < n_blocks; ++b, q += nq, derived += n_derived, H += nv * nv) {
    curvature_.run(Inputs(*this, q, nullptr, derived).data(), std::span<double>(lower).data());
    put_lower(nv, std::span<double>(lower).data(), H, true);
  }
}

std::array<double, 7> SystemPool::weights(const double* params, int object) const {
  std::array<double, 7> out{};
  for (std::size_t i = 0; i < 7; ++i)
    if (const int p = parameter_of_[at(object)][i]; p >= 0) out[i] = params[p];
  return out;
}

double SystemPool::mass(const double* params, int block, int object) const {
  return weights(params + block * n_params, object)[0];
}

std::optional<std::array<double, 6>> SystemPool::inertia(const double* params, int block,
                                                         int object) const {
  const auto w = weights(params + block * n_params, object);
  return {{w[1], w[2], w[3], w[4], w[5], w[6]}};
}

double SystemPool::gyration(const double* params, int block, int object) const {
  const auto w = weights(params + block * n_params, object);
  return w[0] > 0 ? std::sqrt(std::max(0.0, 0.5 * (w[1] + w[2] + w[3])) / w[0]) : 0;
}

std::vector<double> SystemPool::parameters() const {
  std::vector<double> out;
  for (const SystemParameter& p : equations_.parameters) {
    const SystemObject& o = spec_.objects[at(p.object)];
    out.push_back(p.which == 0 ? o.mass : o.inertia[at(p.which - 1)]);
  }
  return out;
}

}  // namespace trammel::body
