#include "body/affine.h"

#include <Eigen/LU>
#include <algorithm>

#include "body/rigid.h"
#include "math/dense.h"
#include "math/parallel.h"
#include "math/rotation.h"

namespace trammel::body {

namespace {

constexpr int kGrain = 128;  // bodies in one go

using Rows = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

struct Derived {  // of one body
  double inv_m, m;
  Mat3 S, S_inv;
};
static_assert(sizeof(Derived) == 20 * sizeof(double));

const Derived& of(const double* derived, int i) {
  return reinterpret_cast<const Derived*>(derived)[i];
}

/// A, A' or its momentum: the last nine of twelve numbers.
Eigen::Map<const Rows> matrix(const double* q) { return Eigen::Map<const Rows>(q + 3); }
Eigen::Map<Rows> matrix(double* q) { return Eigen::Map<Rows>(q + 3); }

Vec3 axial(const Mat3& F) {  // of F - F^T
  return {F(2, 1) - F(1, 2), F(0, 2) - F(2, 0), F(1, 0) - F(0, 1)};
}

}  // namespace

AffinePool::AffinePool() {
  nq = nv = 12;
  split_mass = true;
  n_params = 7;
  n_derived = 20;
}

void AffinePool::derive(const double* params, double* derived) const {
  for (int i = 0; i < n_blocks; ++i) {
    Derived& d = reinterpret_cast<Derived*>(derived)[i];
    d.m = params[7 * i];
    d.inv_m = 1 / d.m;
    d.S = inertia_matrix(params + 7 * i + 1);  // the six numbers of a symmetric matrix
    d.S_inv = d.S.inverse();
  }
}

void AffinePool::transforms(const double*, const double* q, Transform* out, double*) const {
  parallel::for_pieces(n_blocks, kGrain, [=](int first, int last) {
    for (int i = first; i < last; ++i) out[i] = {vec3(q + 12 * i), matrix(q + 12 * i)};
  });
}

void AffinePool::inverse_mass(const double* derived, const double*, const Transform*,
                              double* out) const {
  parallel::for_pieces(n_blocks, kGrain, [=](int first, int last) {
    for (int i = first; i < last; ++i) {
      const Derived& d = of(derived, i);
      out[10 * i] = d.inv_m;
      Eigen::Map<Rows>(out + 10 * i + 1) = d.S_inv;
    }
  });
}

void AffinePool::momentum(const double* derived, const double*, const double* u, double* P) const {
  for (int i = 0; i < n_blocks; ++i, u += 12, P += 12) {
    vec3(P) = of(derived, i).m * vec3(u);
    matrix(P) = matrix(u) * of(derived, i).S;
  }
}

void AffinePool::rates(const double*, const double*, const double* u, const Transform*, Rate* rate,
                       Bias* bias) const {
  for (int i = 0; i < n_blocks; ++i, u += 12) {
    rate[i] = {vec3(u), matrix(u)};
    bias[i] = {};
  }
}

void AffinePool::flow(const double* derived, double h, const double* q, const double* P, double* q1,
                      double* P1) const {
  parallel::for_pieces(n_blocks, kGrain, [=](int first, int last) {
    for (int i = first; i < last; ++i) {
      const Derived& d = of(derived, i);
      const double *from = q + 12 * i, *p = P + 12 * i;
      vec3(q1 + 12 * i) = vec3(from) + h * d.inv_m * vec3(p);
      matrix(q1 + 12 * i) = matrix(from) + h * matrix(p) * d.S_inv;
      std::copy_n(p, 12, P1 + 12 * i);
    }
  });
}

/// The mass does not turn.
bool AffinePool::drift(const double* derived, double, const double* q, const double* u, double* P,
                       double* dP, double* dq) const {
  using Matrix = Eigen::Matrix<double, 12, 12, Eigen::RowMajor>;
  momentum(derived, q, u, P);
  for (int i = 0; dP && i < n_blocks; ++i) {
    Eigen::Map<Matrix> slope(dP + 144 * i);
    slope.setZero();
    slope.diagonal().head<3>().setConstant(of(derived, i).m);
    for (int k = 3; k < 12; k += 3) slope.block<3, 3>(k, k) = of(derived, i).S;
    Eigen::Map<Matrix>(dq + 144 * i).setIdentity();
  }
  return true;
}

Pool::MassRange AffinePool::mass_range(const double* params, int block, double length) const {
  const double* p = params + 7 * block;
  const Vec3 moments = dense::principal_values(inertia_matrix(p + 1)) / (length * length);
  return {std::min(p[0], moments[0]), std::max(p[0], moments[2])};
}

void AffinePool::retract(const double* dq, double* q) const {
  for (int i = 0; i < 12 * n_blocks; ++i) q[i] += dq[i];
}

void AffinePool::retract_turning(const double* dq, double* q) const {
  parallel::for_pieces(n_blocks, kGrain, [=](int first, int last) {
    for (int i = first; i < last; ++i) {
      const double* d = dq + 12 * i;
      double* x = q + 12 * i;
      vec3(x) += vec3(d);
      const Mat3 A = matrix(x), dA = matrix(d);
      const Vec3 w = 0.5 * axial(dA * A.transpose());
      matrix(x) = exp_matrix(w) * (A + dA - skew(w) * A);
    }
  });
}

void AffinePool::tolerances(double length, double angle, double* q) const {
  for (int i = 0; i < n_blocks; ++i, q += 12) {
    std::fill_n(q, 3, length);
    std::fill_n(q + 3, 9, angle);
  }
}

void AffinePool::speed_tolerances(double speed, double spin, double* u) const {
  tolerances(speed, spin, u);
}

void AffinePool::difference(const double* q, const double* q1, double* dq) const {
  for (int i = 0; i < 12 * n_blocks; ++i) dq[i] = q1[i] - q[i];
}

void AffinePool::add_momentum(const double*, const double* q, const double* P, Vec3& linear,
                              Vec3& angular) const {
  for (int i = 0; i < n_blocks; ++i, q += 12, P += 12) {
    linear += vec3(P);
    angular += vec3(q).cross(vec3(P)) + axial(matrix(P) * matrix(q).transpose());
  }
}

bool AffinePool::embedded_gradient(const double* derived, const Transform* at,
                                   const Transform* from, Covector* out) const {
  for (int i = 0; i < n_blocks; ++i) {
    const Derived& d = of(derived, i);
    out[i].f = d.m * (at[i].p - from[i].p);
    out[i].F = (at[i].A - from[i].A) * d.S;
  }
  return true;
}

void AffinePool::embedded_mass(const double* derived, const double*, const Transform*,
                               double* H) const {
  for (int i = 0; i < n_blocks; ++i) {
    const Derived& d = of(derived, i);
    Eigen::Map<Eigen::Matrix<double, 12, 12, Eigen::RowMajor>> M(H + 144 * i);
    M.setZero();
    M.diagonal().head<3>().setConstant(d.m);
    for (int k = 3; k < 12; k += 3) M.block<3, 3>(k, k) = d.S;
  }
}

/// tr S - S.
std::optional<std::array<double, 6>> AffinePool::inertia(const double* params, int block,
                                                         int) const {
  const double* p = params + 7 * block;
  const double trace = p[1] + p[2] + p[3];
  return {{trace - p[1], trace - p[2], trace - p[3], 0 - p[4], 0 - p[5], 0 - p[6]}};
}

}  // namespace trammel::body
