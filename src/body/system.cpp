#include "body/system.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "body/moments.h"
#include "body/rigid.h"
#include "math/index.h"
#include "math/rotation.h"

namespace trammel::body {

namespace {

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

}  // namespace

SystemPool::SystemPool(SystemSpec spec)
    : programs_(std::make_shared<const SystemPrograms>(std::move(spec))) {
  n_blocks = 1;
  nq = nv = static_cast<int>(programs_->spec.coordinates.size());
  n_objects = static_cast<int>(programs_->spec.objects.size());
  n_params = n_derived = static_cast<int>(equations().parameters.size());
}

SystemPool::SystemPool(const SystemPool& like, int blocks) : SystemPool(like) { n_blocks = blocks; }

void SystemPool::derive(const double* params, double* derived) const {
  std::copy_n(params, n_params * n_blocks, derived);
}

/// Of a group of blocks.
void SystemPool::poses(const SystemGroup& in, Transform* out, double* jacobian) const {
  const SystemProgram& program = programs_->pose;
  const int jac = 6 * nv;
  const expr::ThreadScratch made(at(program.size * in.size()));
  const double* from = std::span<double>(made).data();
  program.run(in, std::span<double>(made).data());
  for (int k = 0; k < n_objects * in.size(); ++k, from += 12 + jac, ++out) {
    out->p = vec3(from);
    for (int i = 0; i < 3; ++i) out->A.row(i) = vec3(from + 3 + 3 * i);
    if (jacobian) std::copy_n(from + 12, jac, jacobian + k * jac);
  }
}

void SystemPool::transforms(const double* derived, const double* q, Transform* out,
                            double* jacobian) const {
  for_groups(n_blocks, [&](int b, int n) {
    poses({*programs_, n, q + b * nq, nullptr, derived + b * n_derived}, out + b * n_objects,
          jacobian ? jacobian + b * n_objects * 6 * nv : nullptr);
  });
}

/// The factor of each block's A, and whether there is one.
void SystemPool::factor(const SystemGroup& in, double* L, bool* good) const {
  const int size = programs_->mass.size;
  const expr::ThreadScratch lower(at(size * in.size()));
  double* A = std::span<double>(lower).data();
  programs_->mass.run(in, A);
  for (int b = 0; b < in.size(); ++b, A += size, L += nv * nv) {
    put_lower(nv, A, L, false);
    good[b] = cholesky(nv, L);
  }
}

void SystemPool::inverse_mass(const double* derived, const double* q, const Transform*,
                              double* out) const {
  const int size = nv * nv;
  for_groups(n_blocks, [&](int first, int n) {
    const expr::ThreadScratch room(at(size * n));
    const double* L = std::span<double>(room).data();
    bool good[SystemGroup::kMost];
    factor({*programs_, n, q + first * nq, nullptr, derived + first * n_derived},
           std::span<double>(room).data(), good);
    for (int b = 0; b < n; ++b, out += size, L += size)
      for (int i = 0; i < nv; ++i) {
        std::fill_n(out + i * nv, nv, 0.0);
        out[i * nv + i] = good[b] ? 1 : std::numeric_limits<double>::quiet_NaN();
        if (good[b]) solve(nv, L, out + i * nv);
      }
  });
}

void SystemPool::momentum(const double* derived, const double* q, const double* u,
                          double* P) const {
  const int size = programs_->mass.size;
  for_groups(n_blocks, [&](int first, int n) {
    const expr::ThreadScratch lower(at(size * n));
    const double* A = std::span<double>(lower).data();
    programs_->mass.run({*programs_, n, q + first * nq, nullptr, derived + first * n_derived},
                        std::span<double>(lower).data());
    for (int b = 0; b < n; ++b, u += nv, P += nv, A += size) {
      std::fill_n(P, nv, 0.0);
      for (int i = 0, k = 0; i < nv; ++i)
        for (int j = 0; j <= i; ++j, ++k) {
          P[i] += A[k] * u[j];
          if (i != j) P[j] += A[k] * u[i];
        }
    }
  });
}

void SystemPool::rates(const double* derived, const double* q, const double* u,
                       const Transform* at_, Rate* rate, Bias* bias) const {
  const SystemProgram& program = programs_->rates;
  for_groups(n_blocks, [&](int b, int n) {
    const expr::ThreadScratch made(at(program.size * n));
    const double* from = std::span<double>(made).data();
    program.run({*programs_, n, q + b * nq, u + b * nv, derived + b * n_derived},
                std::span<double>(made).data());
    for (int k = 0; k < n_objects * n; ++k, from += 12, ++at_, ++rate, ++bias) {
      const Mat3 W = skew(vec3(from + 3)), more = skew(vec3(from + 9)) + W * W;
      *rate = {vec3(from), W * at_->A};
      *bias = {vec3(from + 6), more * at_->A};
    }
  });
}

void SystemPool::rates_of(int first, int count, const double* derived, const double* q,
                          const double* u, const Transform* at_, Rate* rate, Bias*) const {
  const SystemProgram& program = programs_->motion;
  for_groups(count, [&](int i, int n) {
    const int b = first + i;
    const expr::ThreadScratch made(at(program.size * n));
    const double* from = std::span<double>(made).data();
    program.run({*programs_, n, q + b * nq, u + b * nv, derived + b * n_derived},
                std::span<double>(made).data());
    for (int k = b * n_objects; k < (b + n) * n_objects; ++k, from += 6)
      rate[k] = rate_of(MotionKind::rigid, at_[k], from);
  });
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

/// A group of blocks on its way. What fails (the chart is singular there, or the step too long for
/// it) is left behind.
struct SystemPool::Flow {
  Flow(const SystemPool& pool, SystemGroup& group)
      : in(group),
        room(at(group.size() * (pool.nv * pool.nv + 4 * pool.nv + pool.programs_->slope.size))) {
    const auto n = at(group.size());
    L = std::span<double>(room).data();
    p = L + n * at(pool.nv * pool.nv);
    u = p + n * at(pool.nv);
    next = u + n * at(pool.nv);
    rate = next + n * at(pool.nv);
    slope = rate + n * at(pool.nv);
  }
  /// Begins a fixed point of all that goes on.
  void begin() {
    settled.fill({});
    for (int b = 0; b < in.size(); ++b) moves[at(b)] = good[at(b)];
  }
  bool is_moving() const {
    return std::any_of(moves.begin(), moves.begin() + in.size(), [](bool m) { return m; });
  }
  /// What has not settled by then has failed.
  void end() {
    for (int b = 0; b < in.size(); ++b) good[at(b)] = good[at(b)] && !moves[at(b)];
  }

  SystemGroup& in;
  expr::ThreadScratch room;
  double *L, *p, *u, *next, *rate, *slope;  // of each block
  std::array<bool, SystemGroup::kMost> good{}, moves{};
  std::array<Settling, SystemGroup::kMost> settled;
};

/// p = P + h/2 (dT/dx - dV/dx) at x and u = A^-1 p.
void SystemPool::half_kick(Flow& at_, double h, const double* P) const {
  factor(at_.in, at_.L, at_.good.data());
  std::copy_n(P, nv * at_.in.size(), at_.p);
  at_.begin();
  const SystemProgram& slope = programs_->slope;
  for (int k = 0; k < kMostIterations && at_.is_moving(); ++k) {
    for (int b = 0; b < at_.in.size(); ++b) {
      if (!at_.moves[at(b)]) continue;
      std::copy_n(at_.p + b * nv, nv, at_.u + b * nv);
      solve(nv, at_.L + b * nv * nv, at_.u + b * nv);
      at_.in.set_rates(b, at_.u + b * nv);
    }
    slope.run(at_.in, at_.slope);
    for (int b = 0; b < at_.in.size(); ++b) {
      if (!at_.moves[at(b)]) continue;
      double* p = at_.p + b * nv;
      for (int i = 0; i < nv; ++i)
        at_.next[i] = P[b * nv + i] + h / 2 * at_.slope[b * slope.size + i];
      at_.moves[at(b)] = !at_.settled[at(b)](nv, p, at_.next, 0);
      std::copy_n(at_.next, nv, p);
    }
  }
  at_.end();
}

/// x1 = x + h/2 (A(x)^-1 p + A(x1)^-1 p); u = A(x)^-1 p. Leaves x1 and its rates in `in`.
void SystemPool::drift_by(Flow& at_, double h, const double* q, double* q1) const {
  const int n = at_.in.size();
  for (int i = 0; i < n * nv; ++i) q1[i] = q[i] + h * at_.u[i];
  at_.begin();
  for (int k = 0; k < kMostIterations && at_.is_moving(); ++k) {
    for (int b = 0; b < n; ++b)
      if (at_.moves[at(b)]) at_.in.set_x(b, q1 + b * nv);
    std::array<bool, SystemGroup::kMost> factored;
    factor(at_.in, at_.L, factored.data());
    for (int b = 0; b < n; ++b) {
      if (!at_.moves[at(b)]) continue;
      at_.good[at(b)] = at_.moves[at(b)] = factored[at(b)];
      if (!factored[at(b)]) continue;
      double *rate = at_.rate + b * nv, *x = q1 + b * nv;
      std::copy_n(at_.p + b * nv, nv, rate);
      solve(nv, at_.L + b * nv * nv, rate);
      at_.in.set_rates(b, rate);
      for (int i = 0; i < nv; ++i)
        at_.next[i] = q[b * nv + i] + h / 2 * (at_.u[b * nv + i] + rate[i]);
      at_.moves[at(b)] = !at_.settled[at(b)](nv, x, at_.next, 1);
      std::copy_n(at_.next, nv, x);
    }
  }
  at_.end();
}

void SystemPool::flow(const double* derived, double h, const double* q, const double* P, double* q1,
                      double* P1) const {
  const int size = programs_->slope.size;
  for_groups(n_blocks, [&](int first, int n) {
    const int v = first * nv;
    SystemGroup in(*programs_, n, q + v, nullptr, derived + first * n_derived);
    Flow at_(*this, in);
    half_kick(at_, h, P + v);
    drift_by(at_, h, q + v, q1 + v);
    programs_->slope.run(in, at_.slope);
    for (int b = 0; b < n; ++b)
      for (int i = 0; i < nv; ++i) {
        const bool good = at_.good[at(b)];
        if (!good) q1[v + b * nv + i] = std::numeric_limits<double>::quiet_NaN();
        P1[v + b * nv + i] = good ? at_.p[b * nv + i] + h / 2 * at_.slope[b * size + i]
                                  : std::numeric_limits<double>::quiet_NaN();
      }
  });
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
    q[i] = programs_->spec.coordinates[at(i % nq)].is_angle ? angle : length;
}

void SystemPool::speed_tolerances(double speed, double spin, double* u) const {
  tolerances(speed, spin, u);
}

void SystemPool::add_own_force(const double* derived, const double* q, const double* u,
                               double* f) const {
  const SystemProgram& program = programs_->own_force;
  for_groups(n_blocks, [&](int first, int n) {
    const expr::ThreadScratch made(at(program.size * n));
    const double* more = std::span<double>(made).data();
    program.run({*programs_, n, q + first * nq, u + first * nv, derived + first * n_derived},
                std::span<double>(made).data());
    for (int b = 0; b < n; ++b, f += nv, more += program.size)
      for (int i = 0; i < nv; ++i) f[i] += more[i];
  });
}

double SystemPool::potential(const double* derived, const double* q, double* each) const {
  double sum = 0;
  if (!equations().V) return sum;
  for_groups(n_blocks, [&](int first, int n) {
    std::array<double, SystemGroup::kMost> V;
    programs_->potential.run({*programs_, n, q + first * nq, nullptr, derived + first * n_derived},
                             V.data());
    for (int b = 0; b < n; ++b) {
      sum += V[at(b)];
      if (each) each[first + b] += V[at(b)];
    }
  });
  return sum;
}

void SystemPool::add_momentum(const double* derived, const double* q, const double* P, Vec3& linear,
                              Vec3& angular) const {
  const int size = nv * nv;
  for_groups(n_blocks, [&](int first, int n) {
    SystemGroup in(*programs_, n, q + first * nq, nullptr, derived + first * n_derived);
    const expr::ThreadScratch room(at((size + nv + programs_->motion.size) * n));
    double *L = std::span<double>(room).data(), *u = L + size * n, *rates = u + nv * n;
    bool good[SystemGroup::kMost];
    factor(in, L, good);
    std::copy_n(P + first * nv, nv * n, u);
    for (int b = 0; b < n; ++b) {
      if (good[b]) solve(nv, L + b * size, u + b * nv);
      in.set_rates(b, u + b * nv);
    }
    programs_->motion.run(in, rates);
    std::vector<Transform> at_(at(n_objects * n));
    poses(in, at_.data(), nullptr);
    for (int k = 0; k < n * n_objects; ++k, rates += 6) {
      if (!good[k / n_objects]) continue;
      const auto w = weights(derived + (first + k / n_objects) * n_derived, k % n_objects);
      const Transform& T = at_[at(k)];
      const Vec3 p = w[0] * vec3(rates), w_O = T.A.transpose() * vec3(rates + 3);
      linear += p;
      angular += T.p.cross(p) + T.A * (inertia_matrix(w.data() + 1) * w_O);
    }
  });
}

void SystemPool::add_second_variation(int block, const double* derived, const double* q,
                                      const Transform&, int object, const Vec3& f, const Mat3& F,
                                      double* H) const {
  const SystemProgram& program = programs_->variation[at(object)];
  const expr::ThreadScratch in(at(2 * nq + n_params + 12)), lower(at(program.size));
  double* x = std::span<double>(in).data();
  const SystemGroup first(*programs_, 1, q + block * nq, nullptr, derived + block * n_derived);
  std::copy_n(first.data().data(), 2 * nq + n_params, x);
  double* more = x + 2 * nq + n_params;
  vec3(more) = f;
  for (int i = 0; i < 3; ++i) vec3(more + 3 + 3 * i) = F.row(i);
  program.run_one(x, std::span<double>(lower).data());
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
  put_triangles(programs_->mass, derived, q, H, false);
}

void SystemPool::add_potential_curvature(const double* derived, const double* q, double* H) const {
  put_triangles(programs_->curvature, derived, q, H, true);
}

/// A full matrix a block of what a program makes one half of.
void SystemPool::put_triangles(const SystemProgram& program, const double* derived, const double* q,
                               double* H, bool adds) const {
  for_groups(n_blocks, [&](int first, int n) {
    const expr::ThreadScratch lower(at(program.size * n));
    const double* from = std::span<double>(lower).data();
    program.run({*programs_, n, q + first * nq, nullptr, derived + first * n_derived},
                std::span<double>(lower).data());
    for (int b = 0; b < n; ++b, H += nv * nv, from += program.size) put_lower(nv, from, H, adds);
  });
}

std::array<double, 7> SystemPool::weights(const double* params, int object) const {
  std::array<double, 7> out{};
  for (std::size_t i = 0; i < 7; ++i)
    if (const int p = programs_->parameter_of[at(object)][i]; p >= 0) out[i] = params[p];
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

std::vector<double> SystemPool::parameters(const SystemSpec& spec) const {
  std::vector<double> out;
  for (const SystemParameter& p : parameter_list()) {
    const SystemObject& o = spec.objects[at(p.object)];
    out.push_back(p.which == 0 ? o.mass : o.inertia[at(p.which - 1)]);
  }
  return out;
}

}  // namespace trammel::body
