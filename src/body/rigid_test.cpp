#include "body/rigid.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <array>
#include <random>

#include "math/rotation.h"

namespace trammel::body::rigid_test {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Bodies of a pool with random masses, inertias, poses and velocities.
struct Bodies {
  RigidPool pool;
  std::vector<double> params, derived, q, u, P;
  std::vector<Transform> T_WO;
  std::mt19937 random{3};

  explicit Bodies(int n = 3) {
    pool.n_blocks = n;
    for (int i = 0; i < n; ++i) add();
    derived.resize(at(pool.n_derived * n));
    pool.derive(params.data(), derived.data());
    P.resize(u.size());
    pool.momentum(derived.data(), q.data(), u.data(), P.data());
    T_WO = transforms(q);
  }
  double normal() { return std::normal_distribution<double>()(random); }
  Vec3 vector(double size) { return size * Vec3(normal(), normal(), normal()); }
  void add() {
    const Mat3 R = exp_matrix(vector(1));
    const Mat3 I = R * Vec3(1, 2.2, 2.9).asDiagonal() * R.transpose();
    const Vec3 p = vector(5), v = vector(2);
    const Quat r = exp_quat(vector(1));
    // turns about all axes, near the unstable middle one
    const Vec3 w = r * (R * Vec3(0.4 + 0.1 * normal(), 2, 0.3));
    params.insert(params.end(),
                  {2 + normal() / 4, I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)});
    q.insert(q.end(), {p.x(), p.y(), p.z(), r.w(), r.x(), r.y(), r.z()});
    u.insert(u.end(), {v.x(), v.y(), v.z(), w.x(), w.y(), w.z()});
  }
  std::vector<Transform> transforms(const std::vector<double>& coordinates) const {
    std::vector<Transform> out(at(pool.n_blocks));
    pool.transforms(derived.data(), coordinates.data(), out.data(), nullptr);
    return out;
  }
  /// u at momenta P and coordinates.
  VecX velocities(const std::vector<double>& coordinates) const {
    const auto where = transforms(coordinates);
    std::vector<double> inverse(at(10 * pool.n_blocks));
    pool.inverse_mass(derived.data(), coordinates.data(), where.data(), inverse.data());
    VecX out(6 * pool.n_blocks);
    for (int i = 0; i < pool.n_blocks; ++i) {
      const double* m = inverse.data() + 10 * i;
      out.segment<3>(6 * i) = m[0] * vec3(P.data() + 6 * i);
      out.segment<3>(6 * i + 3) = Eigen::Map<const Mat3>(m + 1) * vec3(P.data() + 6 * i + 3);
    }
    return out;
  }
  double energy(const std::vector<double>& coordinates) const {
    const VecX now = velocities(coordinates);
    return 0.5 * Eigen::Map<const VecX>(P.data(), now.size()).dot(now);
  }
  std::vector<double> flown(double h, const std::vector<double>& from) const {
    std::vector<double> q1(q.size()), P1(P.size());
    pool.flow(derived.data(), h, from.data(), P.data(), q1.data(), P1.data());
    EXPECT_EQ(P1, P);  // world momenta of a free body: to the last bit
    return q1;
  }
  std::vector<double> flown(double h, int steps) const {
    std::vector<double> now = q;
    for (int k = 0; k < steps; ++k) now = flown(h, now);
    return now;
  }
};

TEST(RigidPool, FreeBodyKeepsItsAngularMomentumToTheBitAndItsEnergyWithoutTrend) {
  const Bodies b(1);
  const double h = 1e-3, start = b.energy(b.q);
  std::vector<double> q = b.q;
  double early = 0, late = 0, norm = 0;
  for (int k = 0; k < 60000; ++k) {
    q = b.flown(h, q);
    double& worst = k < 30000 ? early : late;
    worst = std::max(worst, std::abs(b.energy(q) / start - 1));
    norm = std::max(norm, std::abs(vec3(q.data() + 4).squaredNorm() + q[3] * q[3] - 1));
  }
  EXPECT_LE(early, 2e-7);  // truncation, of order (h w)^2 / 12
  EXPECT_GE(early, 1e-9);
  EXPECT_LE(late, 1.05 * early);
  EXPECT_LE(norm, 2e-15);
}

/// Attitude of a free body after `time` by RK4 on R' = [w]x R, w = R I^-1 R^T l: another method.
Mat3 free_attitude(const Bodies& b, double time) {
  const Vec3 l = vec3(b.P.data() + 3);
  const Mat3 I_inv = inertia_matrix(b.params.data() + 1).inverse();
  const auto rate = [&](const Mat3& R) -> Mat3 {
    return skew(R * (I_inv * (R.transpose() * l))) * R;
  };
  Mat3 R = b.T_WO[0].A;
  constexpr int kSteps = 4000;
  const double h = time / kSteps;
  for (int k = 0; k < kSteps; ++k) {
    const Mat3 k1 = rate(R), k2 = rate(R + h / 2 * k1), k3 = rate(R + h / 2 * k2);
    R += h / 6 * (k1 + 2 * k2 + 2 * k3 + rate(R + h * k3));
  }
  return R;
}

TEST(RigidPool, AttitudeIsOfOrderTwo) {
  const Bodies b(1);
  const Mat3 exact = free_attitude(b, 2);
  std::array<double, 3> error{};
  for (std::size_t i = 0; i < 3; ++i) {
    const int steps = 100 << i;
    error[i] = (b.transforms(b.flown(2.0 / steps, steps))[0].A - exact).norm();
  }
  EXPECT_LT(error[2], 1e-3);
  EXPECT_NEAR(error[0] / error[1], 4, 0.1);
  EXPECT_NEAR(error[1] / error[2], 4, 0.03);
}

TEST(RigidPool, FlowIsSymmetricInTime) {
  const Bodies b;
  for (const double h : {1e-3, 1e-2, 0.1, 0.3}) {
    const auto back = b.flown(-h, b.flown(h, b.q));
    for (std::size_t i = 0; i < b.q.size(); ++i) EXPECT_NEAR(back[i], b.q[i], 2e-15) << h;
  }
}

TEST(RigidPool, FlowOfABodyIsTheSameInAnyCompany) {
  const Bodies all(7);
  RigidPool alone;
  alone.n_blocks = 1;
  for (const double h : {1e-3, 0.4}) {  // small turns, and large ones in some lanes only
    const auto together = all.flown(h, all.q);
    for (std::size_t i = 0; i < 7; ++i) {
      double q1[7], P1[6];
      alone.flow(all.derived.data() + 20 * i, h, all.q.data() + 7 * i, all.P.data() + 6 * i, q1,
                 P1);
      for (std::size_t k = 0; k < 7; ++k) EXPECT_EQ(q1[k], together[7 * i + k]);  // bit for bit
    }
  }
}

TEST(RigidPool, MassAndInverseMassAreInverse) {
  const Bodies b;
  const VecX u = b.velocities(b.q);
  for (std::size_t i = 0; i < b.u.size(); ++i) EXPECT_NEAR(u[static_cast<int>(i)], b.u[i], 1e-14);
  for (int i = 0; i < b.pool.n_blocks; ++i)
    EXPECT_EQ(b.pool.mass(b.params.data(), i, 0), b.params[at(7 * i)]);
}

TEST(RigidPool, EnergyAndMomentumAreSumsOverBodies) {
  const Bodies b;
  double energy = 0;
  Vec3 linear = Vec3::Zero(), angular = linear, sum_p(1, 2, 3), sum_l(4, 5, 6);
  for (int i = 0; i < b.pool.n_blocks; ++i) {
    const double m = b.params[at(7 * i)];
    const Mat3 R = b.T_WO[at(i)].A;
    const Mat3 I = R * inertia_matrix(b.params.data() + 7 * i + 1) * R.transpose();
    const Vec3 v = vec3(b.u.data() + 6 * i), w = vec3(b.u.data() + 6 * i + 3);
    energy += 0.5 * (m * v.squaredNorm() + w.dot(I * w));
    linear += m * v;
    angular += vec3(b.q.data() + 7 * i).cross(m * v) + I * w;
  }
  b.pool.add_momentum(b.derived.data(), b.q.data(), b.P.data(), sum_p, sum_l);
  const Eigen::Map<const VecX> P(b.P.data(), b.pool.n_blocks * b.pool.nv), u(b.u.data(), P.size());
  EXPECT_NEAR(0.5 * P.dot(u), energy, 1e-14 * energy);
  EXPECT_NEAR((sum_p - linear - Vec3(1, 2, 3)).norm(), 0, 1e-13);
  EXPECT_NEAR((sum_l - angular - Vec3(4, 5, 6)).norm(), 0, 1e-13);
}

/// q moved by the motion dq times t.
std::vector<double> moved(const Bodies& b, const std::vector<double>& dq, double t) {
  std::vector<double> q = b.q, step = dq;
  for (double& x : step) x *= t;
  b.pool.retract(step.data(), q.data());
  return q;
}

TEST(RigidPool, RatesAndBiasesMatchDifferencesOfTheRetraction) {
  const Bodies b;
  std::vector<Rate> rate(3);
  std::vector<Bias> bias(3);
  b.pool.rates(b.derived.data(), b.q.data(), b.u.data(), b.T_WO.data(), rate.data(), bias.data());
  constexpr double h = 1e-4;  // truncation h^2 w^3 / 6 and h^2 w^4 / 12, rounding 1e-16 / h^2
  const auto after = b.transforms(moved(b, b.u, h)), before = b.transforms(moved(b, b.u, -h));
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR((rate[i].v - (after[i].p - before[i].p) / (2 * h)).norm(), 0, 1e-10);
    EXPECT_NEAR((rate[i].A - (after[i].A - before[i].A) / (2 * h)).norm(), 0, 1e-7);
    EXPECT_EQ(bias[i].v.norm(), 0);
    EXPECT_NEAR((bias[i].A - (after[i].A - 2 * b.T_WO[i].A + before[i].A) / (h * h)).norm(), 0,
                1e-6);
  }
}

TEST(RigidPool, FlowFollowsTheRatesAndTheGyroscopicForce) {
  const Bodies b;
  constexpr double h = 1e-4;
  const auto forth = b.flown(h, b.q), back = b.flown(-h, b.q);
  const auto after = b.transforms(forth), before = b.transforms(back);
  std::vector<Rate> rate(3);
  std::vector<Bias> bias(3);
  b.pool.rates(b.derived.data(), b.q.data(), b.u.data(), b.T_WO.data(), rate.data(), bias.data());
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_NEAR((rate[i].A - (after[i].A - before[i].A) / (2 * h)).norm(), 0, 1e-7);
  // M u' = own force
  std::vector<double> force(b.u.size(), 0);
  b.pool.add_own_force(b.derived.data(), b.q.data(), b.u.data(), force.data());
  const VecX acceleration = (b.velocities(forth) - b.velocities(back)) / (2 * h);
  std::vector<double> M_acceleration(b.u.size());
  b.pool.momentum(b.derived.data(), b.q.data(), acceleration.data(), M_acceleration.data());
  for (std::size_t i = 0; i < force.size(); ++i) EXPECT_NEAR(M_acceleration[i], force[i], 1e-6);
}

TEST(RigidPool, SecondVariationMatchesSecondDifferences) {
  Bodies b;
  constexpr double h = 1e-3;
  for (int i = 0; i < 3; ++i) {
    Mat3 F;
    for (int k = 0; k < 3; ++k) F.col(k) = b.vector(1);
    const Vec3 f = b.vector(1);
    std::array<double, 36> H{};
    b.pool.add_second_variation(0, nullptr, nullptr, b.T_WO[at(i)], 0, f, F, H.data());
    const Eigen::Map<const Eigen::Matrix<double, 6, 6, Eigen::RowMajor>> quadratic(H.data());
    EXPECT_EQ((quadratic - quadratic.transpose()).norm(), 0);
    for (int trial = 0; trial < 5; ++trial) {
      std::vector<double> dq(18);
      for (double& x : dq) x = b.normal();
      const auto value = [&](double t) {
        const Transform T_WO = b.transforms(moved(b, dq, t))[at(i)];
        return f.dot(T_WO.p) + F.cwiseProduct(T_WO.A).sum();
      };
      const Eigen::Map<const Eigen::Matrix<double, 6, 1>> d(dq.data() + 6 * i);
      // fourth order: truncation h^4 f6 / 90, rounding 1e-15 / h^2
      const double second =
          (-value(2 * h) + 16 * value(h) - 30 * value(0) + 16 * value(-h) - value(-2 * h)) /
          (12 * h * h);
      EXPECT_NEAR(d.dot(quadratic * d), second, 2e-8);
    }
  }
}

TEST(AddWrench, DoesTheWorkOfItsForceAndTorque) {
  Bodies b;
  for (const MotionKind motion_kind : {MotionKind::rigid, MotionKind::affine}) {
    Transform T_WO = b.T_WO[0];
    if (motion_kind == MotionKind::affine) T_WO.A += 0.2 * Mat3::Random();
    const Vec3 x = b.vector(1), f = b.vector(3), torque = b.vector(2), v = b.vector(1),
               w = b.vector(1);
    std::array<double, 12> covector{}, motion{};
    add_wrench(motion_kind, T_WO, x, f, torque, covector.data());
    vec3(motion.data()) = v;
    const Mat3 dA = skew(w) * T_WO.A;
    if (motion_kind == MotionKind::rigid)
      vec3(motion.data() + 3) = w;
    else
      for (int i = 0; i < 9; ++i) motion[at(3 + i)] = dA(i / 3, i % 3);
    double work = 0;
    for (std::size_t i = 0; i < 12; ++i) work += covector[i] * motion[i];
    EXPECT_NEAR(work, f.dot(v + dA * x) + torque.dot(w), 1e-13);
  }
}

}  // namespace
}  // namespace trammel::body::rigid_test
