#include "math/rotation.h"

#include <gtest/gtest.h>

#include <array>
#include <random>

namespace trammel::rotation_test {
namespace {

constexpr double kRounding = 4e-15;  // a few operations on numbers of size 1

std::mt19937 random_{1};

Vec3 random_vector(double size = 1) {
  std::normal_distribution<double> normal;
  return size * Vec3(normal(random_), normal(random_), normal(random_)).normalized();
}

// A direction and its orthogonal axes to rounding, also next to -z, where 1 + z is lost.
TEST(Rotation, TurnsZToAnyDirection) {
  for (const Vec3& axis : {Vec3(0, 0, 2), Vec3(0, 0, -1), Vec3(0.3, -0.2, 0.9), Vec3(1e-9, 0, -1),
                           Vec3(1, 0, 0), Vec3(-1e-5, 1e-5, -3)}) {
    const Mat3 R = rotation_from_z(axis);
    EXPECT_LE((R.col(2) - axis.normalized()).norm(), kRounding) << axis.transpose();
    EXPECT_LE((R * R.transpose() - Mat3::Identity()).cwiseAbs().maxCoeff(), kRounding)
        << axis.transpose();
    EXPECT_NEAR(R.determinant(), 1, kRounding);
  }
}

TEST(Rotation, SkewIsTheCrossProduct) {
  for (int i = 0; i < 20; ++i) {
    const Vec3 a = random_vector(3), b = random_vector(2);
    EXPECT_NEAR((skew(a) * b - a.cross(b)).norm(), 0, kRounding);
    EXPECT_EQ((skew(a) + skew(a).transpose()).norm(), 0);
  }
}

// The angles lie on both sides of the switch to the series (half angle and angle 0.2).
constexpr std::array kAngles{0.0,   1e-300, 1e-160, 1e-12, 1e-8, 1e-4,  0.01, 0.1999, 0.2001,
                             0.399, 0.401,  1.0,    2.0,   3.0,  3.141, 4.0,  6.0,    20.0};

TEST(Rotation, ExponentialsAgreeWithEachOtherAndWithEigen) {
  for (const double angle : kAngles)
    for (int i = 0; i < 5; ++i) {
      SCOPED_TRACE(angle);
      const Vec3 axis = random_vector(), a = angle * axis;
      const Mat3 R = exp_matrix(a);
      const double rounding = kRounding * (1 + angle);
      EXPECT_NEAR((R - exp_quat(a).toRotationMatrix()).norm(), 0, rounding);
      EXPECT_NEAR((R - Eigen::AngleAxisd(angle, axis).toRotationMatrix()).norm(), 0, rounding);
      EXPECT_NEAR((R.transpose() * R - Mat3::Identity()).norm(), 0, kRounding);
      EXPECT_NEAR(exp_quat(a).norm(), 1, kRounding);
    }
}

TEST(Rotation, SmallRotationsKeepTheirRelativeAccuracy) {
  for (const double angle : {1e-160, 1e-12, 1e-8, 1e-4, 0.01}) {
    const Vec3 a = random_vector(angle);
    const double fourth = std::pow(angle, 4) / 1920;  // the next term of the sine's series
    EXPECT_NEAR((exp_quat(a).vec() / (angle / 2) - a / angle).norm(), angle * angle / 24 - fourth,
                1e-15);
    EXPECT_NEAR((log_quat(exp_quat(a)) - a).norm() / angle, 0, 1e-15);
  }
}

TEST(Rotation, RatiosJoinAtTheSwitchToTheSeries) {
  for (const double t : {0.05, 0.1, 0.15, 0.19999}) {
    const SinCosRatios k = sin_cos_ratios(t * t);
    const double half = std::sin(t / 2);
    EXPECT_NEAR(k.s, std::sin(t) / t, 4e-16);
    EXPECT_NEAR(k.c, 2 * half * half / (t * t), 4e-16);
  }
}

TEST(Rotation, LogarithmUndoesTheExponential) {
  for (const double angle : kAngles) {
    if (angle > M_PI || angle < 1e-12) continue;
    SCOPED_TRACE(angle);
    const Vec3 a = random_vector(angle);
    EXPECT_NEAR((log_quat(exp_quat(a)) - a).norm(), 0, 4e-15);
    const Quat q = exp_quat(a);
    const Quat other(-q.w(), -q.x(), -q.y(), -q.z());  // the same rotation
    EXPECT_NEAR((log_quat(other) - a).norm(), 0, 4e-15);
  }
  const Vec3 beyond = random_vector(4);  // comes back the short way round
  EXPECT_NEAR((log_quat(exp_quat(beyond)) - (1 - 2 * M_PI / 4) * beyond).norm(), 0, 4e-15);
  EXPECT_EQ(log_quat(Quat(1, 0, 0, 0)).norm(), 0);
  EXPECT_NEAR(log_quat(Quat(0, 1, 0, 0)).norm(), M_PI, 4e-16);
}

TEST(Rotation, ExponentialIsTheRotationAboutTheAxisByTheRightHand) {
  EXPECT_NEAR((exp_matrix(Vec3(0, 0, M_PI / 2)) * Vec3::UnitX() - Vec3::UnitY()).norm(), 0, 3e-16);
  const Vec3 a = random_vector(2);
  EXPECT_NEAR((exp_matrix(a) * a - a).norm(), 0, kRounding);
}

TEST(Rotation, RenormalisingTakesOutASmallError) {
  Quat q = exp_quat(random_vector(2));
  q.coeffs() *= 1 + 1e-9;
  renormalise(q);
  EXPECT_NEAR(q.norm(), 1, 1.5e-18 + 2.3e-16);  // 3/2 of the square of the error, and rounding
}

TEST(Pose, ComposesAndInverts) {
  const Pose X_AB{random_vector(3), exp_matrix(random_vector(1))};
  const Pose X_BC{random_vector(3), exp_matrix(random_vector(2))};
  const Pose X_AC = X_AB * X_BC;
  const Vec3 p_C = random_vector(5);
  EXPECT_NEAR((X_AC.p + X_AC.R * p_C - (X_AB.p + X_AB.R * (X_BC.p + X_BC.R * p_C))).norm(), 0,
              20 * kRounding);
  const Pose none = inverse(X_AC) * X_AC;
  EXPECT_NEAR(none.p.norm() + (none.R - Mat3::Identity()).norm(), 0, 20 * kRounding);
}

}  // namespace
}  // namespace trammel::rotation_test
