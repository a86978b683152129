#include "math/dense.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>

#include "math/rotation.h"

namespace trammel::dense {
namespace dense_test {

// Rounding of matrices of 5 rows with entries up to 1 and condition numbers below 1e3.
constexpr double kRounding = 1e-12;

MatX random_matrix(int rows, int cols) {
  std::srand(7);
  return MatX::Random(rows, cols);
}
MatX random_positive(int n) {
  const MatX A = random_matrix(n, n);
  return A * A.transpose() + 0.1 * MatX::Identity(n, n);
}
double worst(const MatX& A) { return A.cwiseAbs().maxCoeff(); }

TEST(Dense, PrincipalAxesMakeTheMatrixDiagonal) {
  const MatX A = random_positive(5);
  const AxesX axes = principal_axes_of(A);
  EXPECT_LE(worst(A * axes.vectors - axes.vectors * axes.values.asDiagonal()), kRounding);
  EXPECT_TRUE(std::is_sorted(axes.values.begin(), axes.values.end()));
  const Mat3 B = A.topLeftCorner<3, 3>();
  const Axes3 three = principal_axes(B);
  EXPECT_LE(worst(B * three.vectors - three.vectors * three.values.asDiagonal()), kRounding);
  EXPECT_LE(worst(principal_values(B) - three.values), kRounding);
}

TEST(Dense, ComplexAxesOfARotationAreItsAngles) {
  const auto axes = complex_axes(exp_matrix({0, 0, 0.3}));
  std::vector<double> angles;
  for (const std::complex<double> v : axes.values) angles.push_back(std::arg(v));
  std::sort(angles.begin(), angles.end());
  EXPECT_NEAR(angles[0], -0.3, kRounding);
  EXPECT_NEAR(angles[1], 0, kRounding);
  EXPECT_NEAR(angles[2], 0.3, kRounding);
}

TEST(Dense, TheNearestRotationOfAStretchedOneIsIt) {
  const Mat3 R = exp_matrix({0.3, -1.1, 0.7});
  Mat3 S;
  S << 1.2, 0.1, 0, 0.1, 0.9, 0.05, 0, 0.05, 1.4;
  EXPECT_LE(worst(nearest_rotation(R * S) - R), kRounding);
  EXPECT_NEAR(nearest_rotation(-R * S).determinant(), 1, kRounding);
}

TEST(Dense, FactorsSolve) {
  const MatX A = random_positive(5);
  const VecX b = random_matrix(5, 1);
  const Cholesky cholesky(A);
  ASSERT_TRUE(cholesky.positive());
  EXPECT_LE(worst(cholesky.L() * cholesky.L().transpose() - A), kRounding);
  EXPECT_LE(worst(A * cholesky.solve(b) - b), kRounding);
  EXPECT_LE(worst(cholesky.L() * cholesky.solve_lower(b) - b), kRounding);
  EXPECT_FALSE(Cholesky(-A).positive());
  EXPECT_LE(worst(A * Lu(A).solve(b) - b), kRounding);
  EXPECT_GT(Lu(A).least_pivot(), 0);
  EXPECT_LE(worst(A * RankLu(A).solve(b) - b), kRounding);
  EXPECT_LE(worst(A * Qr(A).solve(b) - b), kRounding);
  EXPECT_LE(worst(A * inverse(A) - MatX::Identity(5, 5)), kRounding);
}

TEST(Dense, RanksOfASingularMatrix) {
  MatX A = random_matrix(4, 4);
  A.col(3) = A.col(0) - 2 * A.col(1);
  EXPECT_EQ(RankLu(A, 1e-9).rank(), 3);
  const Qr qr(A, 1e-9);
  EXPECT_EQ(qr.rank(), 3);
  EXPECT_LE(qr.pivots()[3], kRounding);
  const MatX null = Qr(A.transpose(), 1e-9).Q().rightCols(1);  // the kernel of A
  EXPECT_LE(worst(A * null), kRounding);
}

TEST(Dense, TheLeastOfManySolutionsIsOrthogonalToTheKernel) {
  const MatX A = random_matrix(2, 4);
  const VecX b = random_matrix(2, 1), x = LeastNorm(A, 1e-12).solve(b);
  EXPECT_LE(worst(A * x - b), kRounding);
  EXPECT_LE(worst(Qr(A.transpose()).Q().rightCols(2).transpose() * x), kRounding);
  EXPECT_EQ(LeastNorm(A).rank(), 2);
}

}  // namespace dense_test
}  // namespace trammel::dense
