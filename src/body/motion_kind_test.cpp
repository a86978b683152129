// What motion kinds and kinds answer: the same of one motion, told in six numbers and in twelve.
#include "body/motion_kind.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "body/affine.h"
#include "body/kinds.h"
#include "body/moments.h"
#include "body/rigid.h"

namespace trammel::body::motion_kind_test {
namespace {

const Transform kTransform{Vec3(1, 2, 3), exp_matrix(Vec3(0.4, -0.3, 0.9))};
const Vec3 kVelocity(1, -2, 0.5), kSpin(0.3, 0.6, -0.2), kPoint(0.2, 0.5, -0.7);
const Rate kRate{kVelocity, skew(kSpin) * kTransform.A};
constexpr MotionKind kBoth[] = {MotionKind::rigid, MotionKind::affine};

/// The motion of kTransform at kRate, as the motion kind has it.
std::array<double, 12> motion(MotionKind c) {
  std::array<double, 12> out{};
  vec3(out.data()) = kVelocity;
  if (!can_strain(c)) vec3(out.data() + 3) = kSpin;
  for (int i = 0; can_strain(c) && i < 3; ++i) vec3(out.data() + 3 + 3 * i) = kRate.A.row(i);
  return out;
}

/// What a covector on the motion makes of it.
double power(MotionKind c, const std::array<double, 12>& J) {
  double sum = 0;
  for (std::size_t i = 0; i < 12; ++i) sum += J[i] * motion(c)[i];
  return sum;
}

TEST(MotionKind, TellsARigidMotionInItsOwnNumbers) {
  for (const MotionKind c : kBoth) {
    SCOPED_TRACE(motion_size(c));
    const std::array<double, 12> numbers = motion(c);
    const double* m = numbers.data();
    EXPECT_LT((rotation(c, kTransform.A) - kTransform.A).norm(), 1e-14);
    EXPECT_LT((angular_velocity(c, kTransform, kRate) - kSpin).norm(), 1e-14);
    EXPECT_LT((spin(c, kTransform, kRate) - kSpin).norm(), 1e-14);
    EXPECT_LT((point_velocity(c, kTransform, m, kPoint) - (kRate.v + kRate.A * kPoint)).norm(),
              1e-14);
    EXPECT_NEAR(turning(c, m), kSpin.norm(), 1e-14);
    EXPECT_EQ(turn(c, m), can_strain(c) ? Vec3(Vec3::Zero()) : kSpin);
    const MatX map = direction_map(c, kTransform.A * kPoint, kPoint);
    const VecX rate = map * Eigen::Map<const VecX>(m, motion_size(c));
    EXPECT_LT((rate - kRate.A * kPoint).norm(), 1e-14);
  }
}

TEST(MotionKind, TakesTheRotationOfWhatIsStrained) {
  Mat3 U = Mat3::Identity();
  U(0, 1) = U(1, 0) = 0.1;
  EXPECT_LT((rotation(MotionKind::affine, kTransform.A * U) - kTransform.A).norm(), 1e-14);
  const Transform strained{kTransform.p, kTransform.A * U};
  const Rate rate{kVelocity, skew(kSpin) * strained.A};
  EXPECT_LT((angular_velocity(MotionKind::affine, strained, rate) - kSpin).norm(), 1e-14);
}

TEST(MotionKind, CovectorsDoTheSameWork) {
  const Vec3 cov(0.7, -1.1, 0.4), torque(2, 0.3, -1);
  const Vec3 world = kTransform.A * kPoint;
  const double at_point = cov.dot(kRate.v + kRate.A * kPoint);
  for (const MotionKind c : kBoth) {
    SCOPED_TRACE(motion_size(c));
    std::array<double, 12> J{};
    add_point(
        c, world, [] { return kPoint; }, cov, J.data());
    EXPECT_NEAR(power(c, J), at_point, 1e-14);
    J = {};
    add_direction(
        c, world, [] { return kPoint; }, cov, J.data());
    EXPECT_NEAR(power(c, J), cov.dot(kRate.A * kPoint), 1e-14);
    J = {};
    add_wrench(c, kTransform, kPoint, cov, torque, J.data());
    EXPECT_NEAR(power(c, J), at_point + torque.dot(kSpin), 1e-14);
  }
}

TEST(MotionKind, AResultantDoesTheWorkOfItsCovector) {
  const Covector covector{Vec3(1, 2, -1), Vec3(0.3, 1, 2) * Vec3(-1, 0.5, 0.2).transpose()};
  std::array<double, 12> J{}, wrench{};
  pull_back(kEmbedding, kTransform, covector, J.data());
  add_resultant(kTransform, covector, wrench.data());
  EXPECT_NEAR(power(MotionKind::rigid, wrench), power(kEmbedding, J), 1e-14);
}

TEST(MotionKind, SecondMomentsFollowFromMassesOnMotions) {
  Mat3 S;
  S << 1, 0.1, 0.2, 0.1, 2, 0.3, 0.2, 0.3, 4;
  EXPECT_LT((second_moment(MotionKind::rigid, inertia_of_second(S)) - S).norm(), 1e-14);
  EXPECT_EQ(second_moment(MotionKind::affine, S), S);
}

TEST(Kinds, SayMassAndInertiaOfTheSameBody) {
  const double inertia[] = {2, 5, 6, 7, -0.1, -0.2, -0.3}, second[] = {2, 4, 3, 2, 0.1, 0.2, 0.3};
  const RigidPool rigid;
  const AffinePool affine;
  EXPECT_EQ(rigid.inertia(inertia, 0, 0), affine.inertia(second, 0, 0));
  EXPECT_NEAR(rigid.gyration(inertia, 0, 0), std::sqrt(9. / 2), 1e-15);
  EXPECT_NEAR(affine.gyration(second, 0, 0), std::sqrt(9. / 2), 1e-15);
  EXPECT_TRUE(rigid.embeds() && affine.embeds());
}

TEST(Kinds, AreFoundByTheirNames) {
  const RigidPool rigid;
  const AffinePool affine;
  ASSERT_TRUE(find_kind(rigid.kind()) && find_kind(affine.kind()) && find_kind(kPrescribed));
  EXPECT_EQ(find_kind(rigid.kind())->can_strain, can_strain(rigid.motion_kind()));
  EXPECT_EQ(find_kind(affine.kind())->can_strain, can_strain(affine.motion_kind()));
  EXPECT_TRUE(find_kind(affine.kind())->massive);
  EXPECT_FALSE(find_kind(kPrescribed)->massive || find_kind(kGround)->massive);
  EXPECT_EQ(find_kind("swings"), nullptr);
  EXPECT_FALSE(name_is_taken(rigid) || name_is_taken(affine));
}

}  // namespace
}  // namespace trammel::body::motion_kind_test
