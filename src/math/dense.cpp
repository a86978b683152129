#include "math/dense.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/SVD>

namespace trammel::dense {

Axes3 principal_axes(const Mat3& A) {
  const Eigen::SelfAdjointEigenSolver<Mat3> e(A);
  return {e.eigenvalues(), e.eigenvectors()};
}

AxesX principal_axes_of(const MatX& A) {
  const Eigen::SelfAdjointEigenSolver<MatX> e(A);
  return {e.eigenvalues(), e.eigenvectors()};
}

Vec3 principal_values(const Mat3& A) {
  return Eigen::SelfAdjointEigenSolver<Mat3>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

Axes<Eigen::VectorXcd, Eigen::MatrixXcd> complex_axes(const MatX& A) {
  const Eigen::EigenSolver<MatX> e(A);
  return {e.eigenvalues(), e.eigenvectors()};
}

Mat3 nearest_rotation(const Mat3& A) {
  const Eigen::JacobiSVD<Mat3> svd(A, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Mat3 U = svd.matrixU();
  if ((U * svd.matrixV().transpose()).determinant() < 0) U.col(2) *= -1;
  return U * svd.matrixV().transpose();
}

MatX inverse(const MatX& A) { return A.inverse(); }

bool factor_cholesky(MatX& A) { return Eigen::LLT<Eigen::Ref<MatX>>(A).info() == Eigen::Success; }

Cholesky::Cholesky(const MatX& A) : factor_(A), positive_(factor_cholesky(factor_)) {}

MatX Cholesky::L() const { return factor_.triangularView<Eigen::Lower>(); }

MatX Cholesky::solve_lower(const MatX& b) const {
  return factor_.triangularView<Eigen::Lower>().solve(b);
}

MatX Cholesky::solve(const MatX& b) const {
  MatX x = solve_lower(b);
  factor_.triangularView<Eigen::Lower>().transpose().solveInPlace(x);
  return x;
}

void Lu::compute(const MatX& A) { lu_.compute(A); }

VecX Lu::solve(const VecX& b) const { return lu_.solve(b); }

double Lu::least_pivot() const { return lu_.matrixLU().diagonal().cwiseAbs().minCoeff(); }

void SmallLu::compute(const Matrix& A) { lu_.compute(A); }

void SmallLu::solve(double* x) const {
  using Vector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMost, 1>;
  const Vector b = Eigen::Map<const VecX>(x, lu_.rows());
  Eigen::Map<VecX>(x, lu_.rows()) = lu_.solve(b);
}

RankLu::RankLu(const MatX& A) : lu_(A) {}

RankLu::RankLu(const MatX& A, double threshold) : lu_(A) { lu_.setThreshold(threshold); }

VecX RankLu::solve(const VecX& b) const { return lu_.solve(b); }

Qr::Qr(const MatX& A) : qr_(A) {}

Qr::Qr(const MatX& A, double threshold) : qr_(A) { qr_.setThreshold(threshold); }

MatX Qr::Q() const { return qr_.householderQ() * MatX::Identity(qr_.rows(), qr_.rows()); }

VecX Qr::pivots() const { return qr_.matrixR().diagonal().cwiseAbs(); }

VecX Qr::solve(const VecX& b) const { return qr_.solve(b); }

LeastNorm::LeastNorm(const MatX& A) : factor_(A) {}

LeastNorm::LeastNorm(const MatX& A, double threshold) {
  factor_.setThreshold(threshold);
  factor_.compute(A);
}

VecX LeastNorm::solve(const VecX& b) const { return factor_.solve(b); }

}  // namespace trammel::dense
