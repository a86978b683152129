#include "form/block_cholesky.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "math/dense.h"
#include "math/index.h"

namespace trammel::form {

namespace {

using Rows3 = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
using Rows9 = Eigen::Matrix<double, 9, 9, Eigen::RowMajor>;
constexpr double kHalfRoot = 1 / std::numbers::sqrt2;
constexpr int kPairs[3][2] = {{1, 2}, {0, 2}, {0, 1}};  // i < j of B_ij, B_ji

}  // namespace

BlockCholesky::BlockCholesky(std::vector<int> sizes, const std::vector<int>& whole)
    : n_(std::move(sizes)), record_(n_.size()) {
  if (!whole.empty()) whole_.resize(n_.size());
  for (const int b : whole) whole_[at(b)].resize(n_[at(b)], n_[at(b)]);
}

void BlockCholesky::make_room() { dense_.resize(81 * n_.size()); }

bool BlockCholesky::set_rigid(int block, double m, const Mat3& W) {
  Record& r = record_[at(block)];
  r.form = Form::rigid;
  r.p = 1 / std::sqrt(m);
  const Eigen::LLT<Mat3> llt(W);
  if (llt.info() != Eigen::Success) return false;
  r.F = Mat3(llt.matrixL()).triangularView<Eigen::Lower>().solve(Mat3::Identity()).transpose();
  return true;
}

/// n_j B_ij^2 + n_i B_ji^2 + mu/2 (B_ij + B_ji)^2 is (s, d) [a + mu, e; e, a] (s, d)^T with
/// s, d = (B_ij +- B_ji)/sqrt 2, a = (n_i + n_j)/2, e = (n_j - n_i)/2. Factored in this order it
/// loses nothing where mu is much the greater.
void BlockCholesky::set_affine(int block, double m, const Mat3& R, const Mat3& U, const Vec3& n,
                               double mu) {
  Record& r = record_[at(block)];
  r.form = Form::affine;
  r.p = 1 / std::sqrt(m);
  r.F = R * U;
  r.U = U;
  r.same = (n.array() + mu).rsqrt();
  for (int k = 0; k < 3; ++k) {
    const double n_i = n[kPairs[k][0]], n_j = n[kPairs[k][1]];
    const double a = 0.5 * (n_i + n_j), e = 0.5 * (n_j - n_i);
    r.s[k] = 1 / std::sqrt(a + mu);
    r.c[k] = e * r.s[k];
    r.d[k] = 1 / std::sqrt(a - r.c[k] * r.c[k]);
  }
}

bool BlockCholesky::set_dense(int block, double m, const double* K) {
  Record& r = record_[at(block)];
  r.form = Form::dense;
  r.p = 1 / std::sqrt(m);
  const Eigen::LLT<Rows9> llt{Eigen::Map<const Rows9>(K)};
  Eigen::Map<Rows9> L(&dense_[81 * at(block)]);
  L = llt.matrixL();
  return llt.info() == Eigen::Success;
}

bool BlockCholesky::set_whole(int block, const MatX& H) {
  record_[at(block)].form = Form::whole;
  MatX& L = whole_[at(block)];
  L = H;
  return dense::factor_cholesky(L);
}

void BlockCholesky::covectors(int block, int m, const double* J, double* out) const {
  const Record& r = record_[at(block)];
  const int n = n_[at(block)];
  for (; m > 0; --m, J += n, out += n) {
    if (r.form == Form::whole) {
      if (out != J) std::copy_n(J, n, out);
      Eigen::Map<VecX> x(out, n);
      whole_[at(block)].triangularView<Eigen::Lower>().solveInPlace(x);
      continue;
    }
    vec3(out) = r.p * vec3(J);
    if (r.form == Form::rigid) {
      vec3(out + 3).noalias() = r.F.transpose() * vec3(J + 3);
    } else if (r.form == Form::dense) {
      Eigen::Map<Eigen::Matrix<double, 9, 1>> x(out + 3);
      x = Eigen::Map<const Eigen::Matrix<double, 9, 1>>(J + 3);
      Eigen::Map<const Rows9>(dense(block)).triangularView<Eigen::Lower>().solveInPlace(x);
    } else {
      const Mat3 G = r.F.transpose() * (Eigen::Map<const Rows3>(J + 3) * r.U);
      vec3(out + 3) = G.diagonal().cwiseProduct(r.same);
      for (int k = 0; k < 3; ++k) {
        const double one = G(kPairs[k][0], kPairs[k][1]), other = G(kPairs[k][1], kPairs[k][0]);
        const double s = kHalfRoot * (one + other) * r.s[k];
        out[6 + 2 * k] = s;
        out[7 + 2 * k] = (kHalfRoot * (one - other) - r.c[k] * s) * r.d[k];
      }
    }
  }
}

void BlockCholesky::point(int block, double w, const Vec3& c, double* out) const {
  const Record& r = record_[at(block)];
  if (r.form != Form::affine) {
    double J[36] = {};
    for (int k = 0; k < 3; ++k) {
      J[13 * k] = w;
      vec3(J + 15 * k + 3) = c;
    }
    return covectors(block, 3, J, out);
  }
  const Vec3 turned = r.U.transpose() * c;
  Eigen::Map<Eigen::Matrix<double, 3, 12, Eigen::RowMajor>> x(out);
  x.leftCols<3>() = (w * r.p) * Mat3::Identity();
  for (int k = 0; k < 3; ++k) {
    x.col(3 + k) = (turned[k] * r.same[k]) * r.F.col(k);
    const int i = kPairs[k][0], j = kPairs[k][1];
    const Vec3 one = (kHalfRoot * turned[j]) * r.F.col(i),
               other = (kHalfRoot * turned[i]) * r.F.col(j);
    const Vec3 s = r.s[k] * (one + other);
    x.col(6 + 2 * k) = s;
    x.col(7 + 2 * k) = r.d[k] * (one - other - r.c[k] * s);
  }
}

void BlockCholesky::displacement(int block, const double* z, double* dq) const {
  const Record& r = record_[at(block)];
  if (r.form == Form::whole) {
    Eigen::Map<VecX> x(dq, n_[at(block)]);
    x = Eigen::Map<const VecX>(z, n_[at(block)]);
    whole_[at(block)].transpose().triangularView<Eigen::Upper>().solveInPlace(x);
    return;
  }
  vec3(dq) = r.p * vec3(z);
  if (r.form == Form::rigid) {
    vec3(dq + 3).noalias() = r.F * vec3(z + 3);
    return;
  }
  if (r.form == Form::dense) {
    Eigen::Map<Eigen::Matrix<double, 9, 1>> x(dq + 3);
    x = Eigen::Map<const Eigen::Matrix<double, 9, 1>>(z + 3);
    Eigen::Map<const Rows9>(dense(block))
        .transpose()
        .triangularView<Eigen::Upper>()
        .solveInPlace(x);
    return;
  }
  Mat3 B;
  B.diagonal() = vec3(z + 3).cwiseProduct(r.same);
  for (int k = 0; k < 3; ++k) {
    const double d = z[7 + 2 * k] * r.d[k], s = (z[6 + 2 * k] - r.c[k] * d) * r.s[k];
    B(kPairs[k][0], kPairs[k][1]) = kHalfRoot * (s + d);
    B(kPairs[k][1], kPairs[k][0]) = kHalfRoot * (s - d);
  }
  Eigen::Map<Rows3>(dq + 3) = r.F * (B * r.U.transpose());
}

}  // namespace trammel::form
