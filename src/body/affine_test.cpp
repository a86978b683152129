#include "body/affine.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <random>

#include "body/moments.h"
#include "math/rotation.h"

namespace trammel::body::affine_test {
namespace {

using Rows = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Two bodies with random masses, strained and moving.
struct Bodies {
  AffinePool pool;
  std::vector<double> params, derived, q, u, P;
  std::vector<Transform> T_WO;
  std::vector<Mat3> S;
  std::mt19937 random{5};

  Bodies() {
    pool.n_blocks = 2;
    for (int i = 0; i < 2; ++i) add();
    derived.resize(at(pool.n_derived * 2));
    pool.derive(params.data(), derived.data());
    P.resize(u.size());
    pool.momentum(derived.data(), q.data(), u.data(), P.data());
    T_WO.resize(2);
    pool.transforms(derived.data(), q.data(), T_WO.data(), nullptr);
  }
  double normal() { return std::normal_distribution<double>()(random); }
  Vec3 vector(double size) { return size * Vec3(normal(), normal(), normal()); }
  void put(std::vector<double>& to, const Vec3& p, const Mat3& A) {
    to.insert(to.end(), {p.x(), p.y(), p.z()});
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) to.push_back(A(i, k));
  }
  void add() {
    const Mat3 R = exp_matrix(vector(1)), T = R * Vec3(0.3, 0.5, 0.9).asDiagonal() * R.transpose();
    S.push_back(T);
    params.insert(params.end(),
                  {2 + normal() / 4, T(0, 0), T(1, 1), T(2, 2), T(0, 1), T(0, 2), T(1, 2)});
    const Mat3 noise = 0.1 * Mat3::NullaryExpr([&] { return normal(); });
    put(q, vector(3), exp_matrix(vector(1)) + noise);
    put(u, vector(2), Mat3::NullaryExpr([&] { return normal(); }));
  }
};

TEST(AffinePool, EnergyAndMomentaAreSumsOverPoints) {
  const Bodies b;
  // mass points that have the body's moments: +-sqrt(3 eigenvalue/m) along the principal axes
  double energy = 0;
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
  for (int i = 0; i < 2; ++i) {
    const double m = b.params[at(7 * i)];
    const Vec3 v = vec3(b.u.data() + 12 * i);
    const Mat3 dA = Eigen::Map<const Rows>(b.u.data() + 12 * i + 3);
    const Eigen::SelfAdjointEigenSolver<Mat3> eigen(b.S[at(i)]);
    for (int k = 0; k < 6; ++k) {
      const Vec3 x = (k % 2 ? 1 : -1) * std::sqrt(3 * eigen.eigenvalues()[k / 2] / m) *
                     eigen.eigenvectors().col(k / 2);
      const Vec3 r = b.T_WO[at(i)].p + b.T_WO[at(i)].A * x, dr = v + dA * x;
      energy += 0.5 * m / 6 * dr.squaredNorm();
      linear += m / 6 * dr;
      angular += m / 6 * r.cross(dr);
    }
  }
  const Eigen::Map<const VecX> P(b.P.data(), b.pool.n_blocks * b.pool.nv), u(b.u.data(), P.size());
  EXPECT_NEAR(0.5 * P.dot(u), energy, 1e-13 * energy);
  Vec3 p = Vec3::Zero(), l = Vec3::Zero();
  b.pool.add_momentum(b.derived.data(), b.q.data(), b.P.data(), p, l);
  EXPECT_NEAR((p - linear).norm(), 0, 1e-13);
  EXPECT_NEAR((l - angular).norm(), 0, 1e-13);
}

TEST(AffinePool, MassAndInverseMassAreInverse) {
  const Bodies b;
  std::vector<double> W(20);  // 1/m and S^-1, see solve/graph.h
  b.pool.inverse_mass(b.derived.data(), b.q.data(), b.T_WO.data(), W.data());
  for (int i = 0; i < 2; ++i) {
    const double* w = W.data() + 10 * i;
    const Eigen::Map<const Rows> S_inv(w + 1);
    const Eigen::Map<const Eigen::Matrix<double, 4, 3, Eigen::RowMajor>> P(b.P.data() + 12 * i),
        u(b.u.data() + 12 * i);
    EXPECT_LE((w[0] * P.row(0) - u.row(0)).norm(), 1e-13);
    EXPECT_LE((P.bottomRows<3>() * S_inv - u.bottomRows<3>()).norm(), 1e-13);
    EXPECT_GT(S_inv.determinant(), 0);
  }
}

// 10 kg of inertia diag(3, 5, 7) about the origin, as published: diag(10, 4.5, 2.5, 0.5) thrice.
TEST(AffinePool, PublishedMassIsPositive) {
  AffinePool pool;
  pool.n_blocks = 1;
  const Mat3 S = second_of_inertia(Vec3(3, 5, 7).asDiagonal());
  const double params[7] = {10, S(0, 0), S(1, 1), S(2, 2), S(0, 1), S(0, 2), S(1, 2)};
  std::vector<double> derived(at(pool.n_derived)), M(144);
  pool.derive(params, derived.data());
  const Transform T_WO;
  pool.embedded_mass(derived.data(), nullptr, &T_WO, M.data());
  using Twelve = Eigen::Matrix<double, 12, 12, Eigen::RowMajor>;
  const Twelve mass = Eigen::Map<const Twelve>(M.data());
  VecX expected(12);
  expected << 10, 10, 10, 4.5, 2.5, 0.5, 4.5, 2.5, 0.5, 4.5, 2.5, 0.5;
  EXPECT_LE((mass - Twelve(expected.asDiagonal())).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_GT(Eigen::SelfAdjointEigenSolver<Twelve>(mass).eigenvalues()[0], 0);
}

TEST(AffinePool, PointsFlyStraightOn) {
  const Bodies b;
  std::vector<double> q1(24), P1(24), back(24);
  b.pool.flow(b.derived.data(), 0.3, b.q.data(), b.P.data(), q1.data(), P1.data());
  EXPECT_EQ(P1, b.P);
  for (std::size_t i = 0; i < 24; ++i) EXPECT_NEAR(q1[i], b.q[i] + 0.3 * b.u[i], 1e-14);
  b.pool.flow(b.derived.data(), -0.3, q1.data(), P1.data(), back.data(), P1.data());
  for (std::size_t i = 0; i < 24; ++i) EXPECT_NEAR(back[i], b.q[i], 1e-14);
  std::vector<double> dq(24);
  b.pool.difference(b.q.data(), q1.data(), dq.data());
  b.pool.retract(dq.data(), back.data());
  for (std::size_t i = 0; i < 24; ++i) EXPECT_NEAR(back[i], q1[i], 1e-14);
}

TEST(AffinePool, ATorqueDoesTheWorkOfItsRotation) {
  const Bodies b;
  const Vec3 torque(0.3, -2, 1), w(1, 0.4, -0.7);
  double F[12] = {};
  add_wrench(MotionKind::affine, b.T_WO[0], Vec3::Zero(), Vec3::Zero(), torque, F);
  const Mat3 dA = skew(w) * b.T_WO[0].A;
  const Mat3 couple = Eigen::Map<const Rows>(F + 3);
  EXPECT_NEAR(couple.cwiseProduct(dA).sum(), torque.dot(w), 1e-13);
}

TEST(Polar, NearestRotationAndItsRate) {
  Bodies b;
  const Mat3 R = exp_matrix(Vec3(0.3, -1.2, 2)), dA = Mat3::NullaryExpr([&] { return b.normal(); });
  Mat3 U = Vec3(0.8, 1.1, 1.3).asDiagonal();
  U(0, 1) = U(1, 0) = 0.1;
  EXPECT_LE((polar(R * U) - R).norm(), 1e-14);
  constexpr double h = 1e-5;  // truncation h^2, rounding 1e-15 / h
  const Mat3 A = R * U, dR = (polar(A + h * dA) - polar(A - h * dA)) / (2 * h);
  EXPECT_LE((skew(polar_rate(A, R, dA)) * R - dR).norm(), 1e-9);
}

}  // namespace
}  // namespace trammel::body::affine_test
