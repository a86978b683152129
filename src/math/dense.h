#pragma once

#include <Eigen/LU>
#include <Eigen/QR>
#include <complex>

#include "math/types.h"

/// Dense factorisations and eigenvalues of matrices of any size, compiled once (dense.cpp): the
/// templates of Eigen behind them cost a compiler seconds wherever they are used. Matrices of fixed
/// size in hot loops use Eigen itself.
namespace trammel::dense {

/// Eigenvalues, rising, and the eigenvectors of each as columns.
template <class Vector, class Matrix>
struct Axes {
  Vector values;
  Matrix vectors;
};
using Axes3 = Axes<Vec3, Mat3>;
using AxesX = Axes<VecX, MatX>;

/// Returns the eigenvalues and eigenvectors of a symmetric matrix; its lower triangle is read.
Axes3 principal_axes(const Mat3& A);
AxesX principal_axes_of(const MatX& A);

/// Returns the eigenvalues alone, rising.
Vec3 principal_values(const Mat3& A);

/// Returns the complex eigenvalues and eigenvectors of any square matrix.
Axes<Eigen::VectorXcd, Eigen::MatrixXcd> complex_axes(const MatX& A);

/// Returns the rotation nearest to A by its singular values, det +1.
Mat3 nearest_rotation(const Mat3& A);

MatX inverse(const MatX& A);

/// Replaces A by its Cholesky factor (lower triangle). Returns false where A is not positive
/// definite.
bool factor_cholesky(MatX& A);

/// A = L L^T.
class Cholesky {
 public:
  explicit Cholesky(const MatX& A);
  bool positive() const { return positive_; }
  MatX L() const;
  MatX solve(const MatX& b) const;        // A x = b
  MatX solve_lower(const MatX& b) const;  // L x = b

 private:
  MatX factor_;
  bool positive_;
};

/// P A = L U by partial pivoting; A is square and regular.
class Lu {
 public:
  Lu() = default;
  explicit Lu(const MatX& A) { compute(A); }
  void compute(const MatX& A);
  VecX solve(const VecX& b) const;
  double least_pivot() const;  // the least |U_ii|

 private:
  Eigen::PartialPivLU<MatX> lu_;
};

/// The same of matrices of few rows, without memory from the heap.
class SmallLu {
 public:
  static constexpr int kMost = 24;  // rows
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kMost, kMost>;
  void compute(const Matrix& A);
  void solve(double* x) const;  // in place

 private:
  Eigen::PartialPivLU<Matrix> lu_;
};

/// P A Q = L U by full pivoting, with the rank. Pivots of up to `threshold` times the greatest are
/// none.
class RankLu {
 public:
  explicit RankLu(const MatX& A);
  RankLu(const MatX& A, double threshold);
  Eigen::Index rank() const { return lu_.rank(); }
  VecX solve(const VecX& b) const;

 private:
  Eigen::FullPivLU<MatX> lu_;
};

/// A P = Q R by Householder reflections with pivoting of columns.
class Qr {
 public:
  explicit Qr(const MatX& A);
  Qr(const MatX& A, double threshold);
  Eigen::Index rank() const { return qr_.rank(); }
  MatX Q() const;                   // square
  VecX pivots() const;              // |R_ii|, falling
  VecX solve(const VecX& b) const;  // least squares

 private:
  Eigen::ColPivHouseholderQR<MatX> qr_;
};

/// A = Q T Z (complete orthogonal decomposition): solves for the least of all least-squares
/// solutions.
class LeastNorm {
 public:
  LeastNorm() = default;
  explicit LeastNorm(const MatX& A);
  LeastNorm(const MatX& A, double threshold);
  Eigen::Index rank() const { return factor_.rank(); }
  VecX solve(const VecX& b) const;

 private:
  Eigen::CompleteOrthogonalDecomposition<MatX> factor_;
};

}  // namespace trammel::dense
