#include "form/block_cholesky.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "math/rotation.h"

namespace trammel::form::block_cholesky_test {
namespace {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

std::mt19937 source{3};
double uniform(double lo = -1, double hi = 1) {
  return std::uniform_real_distribution<double>(lo, hi)(source);
}
MatX random(int rows, int columns) {
  return MatX::NullaryExpr(rows, columns, [] { return uniform(); });
}
Mat3 positive() {
  const Mat3 a = random(3, 3);
  return a * a.transpose() + 0.3 * Mat3::Identity();
}

/// C of the one block there is, by what it makes of the unit vectors.
MatX matrix_of(const BlockCholesky& w, int n) {
  MatX C(n, n);
  for (int k = 0; k < n; ++k) {
    const VecX z = VecX::Unit(n, k);
    w.displacement(0, z.data(), C.col(k).data());
  }
  return C;
}

/// C C^T = H^-1, and rows and points go through the same C.
void expect_identity(const BlockCholesky& w, const MatX& H, double tolerance) {
  const auto n = static_cast<int>(H.rows());
  const MatX C = matrix_of(w, n), one = C.transpose() * H * C;
  EXPECT_LT((one - MatX::Identity(n, n)).cwiseAbs().maxCoeff(), tolerance);
  const Rows J = random(3, n);
  Rows out(3, n);
  w.covectors(0, 3, J.data(), out.data());
  EXPECT_LT((out - J * C).norm(), 1e-14 * J.norm() * C.norm() * n);
}

/// H on the rows of A of a body near R.
MatX affine(double m, const Mat3& R, const Mat3& N, double mu) {
  MatX H = MatX::Zero(12, 12);
  H.diagonal().head<3>().setConstant(m);
  const auto dA = [](int k) {
    Mat3 A = Mat3::Zero();
    A(k / 3, k % 3) = 1;
    return A;
  };
  for (int i = 0; i < 9; ++i)
    for (int k = 0; k < 9; ++k) {
      const Mat3 B = R.transpose() * dA(i), C = R.transpose() * dA(k);
      const Mat3 b = 0.5 * (B + B.transpose()), c = 0.5 * (C + C.transpose());
      H(3 + i, 3 + k) = (B * N * C.transpose()).trace() + mu * b.cwiseProduct(c).sum();
    }
  return H;
}

TEST(BlockCholesky, OfABlockOfAnyUnknowns) {
  for (const int n : {1, 2, 6, 12, 31}) {
    BlockCholesky w({n}, {0});
    const MatX a = random(n, n), H = a * a.transpose() + MatX::Identity(n, n);
    ASSERT_TRUE(w.set_whole(0, H));
    expect_identity(w, H, 1e-12);
    const Rows J = random(3, n);
    Rows out(3, n), in_place = J;
    w.covectors(0, 3, J.data(), out.data());
    w.covectors(0, 3, in_place.data(), in_place.data());
    EXPECT_EQ(out, in_place);
    EXPECT_FALSE(w.set_whole(0, H - 2 * H.trace() * MatX::Identity(n, n)));
  }
}

TEST(BlockCholesky, OfARigidBody) {
  BlockCholesky w({6});
  const Mat3 W = positive();
  ASSERT_TRUE(w.set_rigid(0, 2.5, W));
  MatX H = MatX::Zero(6, 6);
  H.diagonal().head<3>().setConstant(2.5);
  H.bottomRightCorner<3, 3>() = W;
  expect_identity(w, H, 1e-13);
  EXPECT_FALSE(w.set_rigid(0, 2.5, -W));
}

/// mu over the inertia up to 1e12: what turns does not lose digits to what strains. Of C^T H C,
/// rounding of H itself.
TEST(BlockCholesky, OfAnAffineBodyInClosedForm) {
  for (const double mu : {0., 1., 1e6, 1e12}) {
    BlockCholesky w({12});
    const Mat3 N = positive(), R = exp_matrix(Vec3(random(3, 1)));
    const Eigen::SelfAdjointEigenSolver<Mat3> e(N);
    w.set_affine(0, 4, R, e.eigenvectors(), e.eigenvalues(), mu);
    expect_identity(w, affine(4, R, N, mu), 1e-14 * (100 + mu));
    // points: rows of x = w p + A c
    const Vec3 c = random(3, 1);
    Rows J = Rows::Zero(3, 12), whole(3, 12), point(3, 12);
    for (int k = 0; k < 3; ++k) {
      J(k, k) = 0.7;
      J.block<1, 3>(k, 3 + 3 * k) = c.transpose();
    }
    w.covectors(0, 3, J.data(), whole.data());
    w.point(0, 0.7, c, point.data());
    EXPECT_LT((whole - point).norm(), 1e-14 * whole.norm());
  }
}

TEST(BlockCholesky, OfAnAffineBodyAtLarge) {
  BlockCholesky w({12});
  const MatX a = random(9, 9);
  const Rows K = a * a.transpose() + 0.1 * MatX::Identity(9, 9);
  w.make_room();
  ASSERT_TRUE(w.set_dense(0, 3, K.data()));
  MatX H = MatX::Zero(12, 12);
  H.diagonal().head<3>().setConstant(3);
  H.bottomRightCorner<9, 9>() = K;
  expect_identity(w, H, 1e-12);
}

}  // namespace
}  // namespace trammel::form::block_cholesky_test
