#include "body/rigid.h"

#include <Eigen/LU>
#include <algorithm>

#include "body/moments.h"
#include "math/dense.h"
#include "math/parallel.h"
#include "math/rotation.h"

namespace trammel::body {

namespace {

constexpr int kGrain = 256;      // bodies in one go
constexpr double kNone = 1e-15;  // principal moments of it, of the greatest, are none

struct Derived {  // of one body
  double inv_m, m;
  Mat3 I, I_inv;
};
static_assert(sizeof(Derived) == 20 * sizeof(double));

const Derived& of(const double* derived, int i) {
  return reinterpret_cast<const Derived*>(derived)[i];
}

Quat quat(const double* q) { return Quat(q[3], q[4], q[5], q[6]); }

void store(const Quat& r, double* q) {
  q[3] = r.w();
  q[4] = r.x();
  q[5] = r.y();
  q[6] = r.z();
}

}  // namespace

namespace {
/// Returns the inverse inertia. A body without inertia has none: its motion alone is not
/// determined (Pool::mass_range).
Mat3 inverse_or_none(const Mat3& I) {
  const dense::Axes3 axes = dense::principal_axes(I);
  const Vec3& p = axes.values;  // rising
  if (p[0] > kNone * p[2]) return I.inverse();
  const Vec3 inverse = (p.array() > kNone * p[2]).select(p.cwiseInverse(), 0);
  return axes.vectors * inverse.asDiagonal() * axes.vectors.transpose();
}

/// dR = [T da]x R of R = exp(a).
Mat3 left_jacobian(const Vec3& a) {
  const double t2 = a.squaredNorm();
  const SinCosRatios k = sin_cos_ratios(t2);
  const double cubic = t2 < 1e-4 ? 1. / 6 - t2 / 120 : (1 - k.s) / t2;
  const Mat3 A = skew(a);
  return Mat3::Identity() + k.c * A + cubic * A * A;
}
}  // namespace

RigidPool::RigidPool() {
  nq = 7;
  nv = 6;
  n_params = 7;
  n_derived = 20;
  split_mass = true;
}

Mat3 inertia_matrix(const double* s) {
  Mat3 I;
  I << s[0], s[3], s[4], s[3], s[1], s[5], s[4], s[5], s[2];
  return I;
}

void RigidPool::derive(const double* params, double* derived) const {
  for (int i = 0; i < n_blocks; ++i) {
    Derived& d = reinterpret_cast<Derived*>(derived)[i];
    d.m = params[7 * i];
    d.inv_m = d.m > 0 ? 1 / d.m : 0;
    d.I = inertia_matrix(params + 7 * i + 1);
    d.I_inv = inverse_or_none(d.I);
  }
}

void RigidPool::momentum(const double* derived, const double* q, const double* u, double* P) const {
  for (int i = 0; i < n_blocks; ++i, q += 7, u += 6, P += 6) {
    const Derived& d = of(derived, i);
    const Mat3 R = quat(q).toRotationMatrix();
    vec3(P) = d.m * vec3(u);
    vec3(P + 3) = R * (d.I * (R.transpose() * vec3(u + 3)));
  }
}

/// P = (m v, I_mid w) with the inertia half way: as the mid-point rule in body axes, where I w =
/// exp(-h/2 w) L.
bool RigidPool::drift(const double* derived, double h, const double* q, const double* u, double* P,
                      double* dP, double* dq) const {
  using Matrix = Eigen::Matrix<double, 6, 6, Eigen::RowMajor>;
  for (int i = 0; i < n_blocks; ++i, q += 7, u += 6, P += 6) {
    const Derived& d = of(derived, i);
    const Vec3 w = vec3(u + 3);
    const Mat3 R = exp_matrix(h / 2 * w) * quat(q).toRotationMatrix(), I = R * d.I * R.transpose();
    const Vec3 l = I * w;
    vec3(P) = d.m * vec3(u);
    vec3(P + 3) = l;
    if (!dP) continue;
    Eigen::Map<Matrix> slope(dP + 36 * i), end(dq + 36 * i);
    slope.setZero();
    slope.diagonal().head<3>().setConstant(d.m);
    slope.bottomRightCorner<3, 3>() =
        I + h / 2 * (I * skew(w) - skew(l)) * left_jacobian(h / 2 * w);
    end.setIdentity();
    end.bottomRightCorner<3, 3>() = left_jacobian(h * w);
  }
  return true;
}

Pool::MassRange RigidPool::mass_range(const double* params, int block, double length) const {
  const double* p = params + 7 * block;
  const Vec3 moments = dense::principal_values(inertia_matrix(p + 1)) / (length * length);
  return {std::min(p[0], moments[0]), std::max(p[0], moments[2])};
}

void RigidPool::rates(const double*, const double*, const double* u, const Transform* at,
                      Rate* rate, Bias* bias) const {
  parallel::for_pieces(n_blocks, kGrain, [=, this](int first, int last) {
    rates_of(first, last - first, nullptr, nullptr, u, at, rate, bias);
  });
}

void RigidPool::rates_of(int first, int n, const double*, const double*, const double* u,
                         const Transform* at, Rate* rate, Bias* bias) const {
  for (int i = first; i < first + n; ++i) {
    const Mat3 W = skew(vec3(u + 6 * i + 3));
    rate[i] = {vec3(u + 6 * i), W * at[i].A};
    bias[i] = {Vec3::Zero(), W * rate[i].A};
  }
}

void RigidPool::retract(const double* dq, double* q) const {
  for (int i = 0; i < n_blocks; ++i, q += 7, dq += 6) {
    vec3(q) += vec3(dq);
    const Quat r = exp_quat(vec3(dq + 3)) * quat(q);
    store(r.normalized(), q);
  }
}

void RigidPool::coordinate_rates(const double* q, const double* u, double* dq) const {
  for (int i = 0; i < n_blocks; ++i, q += 7, u += 6, dq += 7) {
    vec3(dq) = vec3(u);
    const Vec3 half = 0.5 * vec3(u + 3);
    const auto v = vec3(q + 4);
    dq[3] = -half.dot(v);
    vec3(dq + 4) = q[3] * half + half.cross(Vec3(v));
  }
}

void RigidPool::tolerances(double length, double angle, double* q) const {
  for (int i = 0; i < n_blocks; ++i, q += 7) {
    std::fill_n(q, 3, length);
    std::fill_n(q + 3, 4, angle / 2);  // a quaternion turns by half the angle
  }
}

void RigidPool::speed_tolerances(double speed, double spin, double* u) const {
  for (int i = 0; i < n_blocks; ++i, u += 6) {
    std::fill_n(u, 3, speed);
    std::fill_n(u + 3, 3, spin);
  }
}

void RigidPool::difference(const double* q, const double* q1, double* dq) const {
  for (int i = 0; i < n_blocks; ++i, q += 7, q1 += 7, dq += 6) {
    vec3(dq) = vec3(q1) - vec3(q);
    vec3(dq + 3) = log_quat(quat(q1) * quat(q).conjugate());
  }
}

void RigidPool::add_own_force(const double* derived, const double* q, const double* u,
                              double* f) const {
  for (int i = 0; i < n_blocks; ++i, q += 7, u += 6, f += 6) {
    const Mat3 R = quat(q).toRotationMatrix();
    const Vec3 w = vec3(u + 3), l = R * (of(derived, i).I * (R.transpose() * w));
    vec3(f + 3) -= w.cross(l);
  }
}

void RigidPool::add_momentum(const double*, const double* q, const double* P, Vec3& linear,
                             Vec3& angular) const {
  for (int i = 0; i < n_blocks; ++i, q += 7, P += 6) {
    linear += vec3(P);
    angular += vec3(q).cross(vec3(P)) + vec3(P + 3);
  }
}

void RigidPool::add_second_variation(int, const double*, const double*, const Transform& at, int,
                                     const Vec3&, const Mat3& F, double* H) const {
  // delta^2 A = [d]x [d]x A for the rotation vector d: only the angular part of H
  const Mat3 G = F * at.A.transpose();  // sum of covector f on direction value u: f u^T
  const Mat3 S = 0.5 * (G + G.transpose()) - G.trace() * Mat3::Identity();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) H[6 * (3 + i) + 3 + j] += S(i, j);
}

bool RigidPool::embedded_gradient(const double* derived, const Transform* at, const Transform* from,
                                  Covector* out) const {
  for (int i = 0; i < n_blocks; ++i) {
    const Derived& d = of(derived, i);
    out[i].f = d.m * (at[i].p - from[i].p);
    out[i].F = (at[i].A - from[i].A) * second_of_inertia(d.I);
  }
  return true;
}

void RigidPool::embedded_mass(const double* derived, const double*, const Transform* at,
                              double* H) const {
  for (int i = 0; i < n_blocks; ++i) {
    const Derived& d = of(derived, i);
    Eigen::Map<Eigen::Matrix<double, 6, 6, Eigen::RowMajor>> M(H + 36 * i);
    M.setZero();
    M.diagonal().head<3>().setConstant(d.m);
    M.bottomRightCorner<3, 3>() = at[i].A * d.I * at[i].A.transpose();
  }
}

std::optional<std::array<double, 6>> RigidPool::inertia(const double* params, int block,
                                                        int) const {
  const double* p = params + 7 * block;
  return {{p[1], p[2], p[3], p[4], p[5], p[6]}};
}

}  // namespace trammel::body
