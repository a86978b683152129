// The energy of a prismatic joint's closure residuals between strained affine bodies, the joint
// violated by about a centimetre, beside what is published of it: gradient and second derivatives
// worked out by hand, and the Gauss-Newton ones that the energy formulation takes.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <array>
#include <cmath>

#include "joint/terms.h"
#include "joint/test_states.h"

namespace trammel::joint::prismatic_energy_test {
namespace {

using body::MotionKind;
using namespace test;

using Nine = Eigen::Matrix<double, 9, 9>;
using Map3 = Eigen::Matrix<double, 3, 24>;  // of a feature on both bodies' twelve numbers

constexpr unsigned kAll = (1u << (static_cast<unsigned>(Feature::D) + 1)) - 1;  // Ax to D

Vec3 of(const Sample& s, Feature f) { return s.x[static_cast<std::size_t>(f)]; }

Sample sample_of(const Pair& pair) {
  Arc arc = pair.arc;
  return sampled(pair, kAll, 2, arc);
}

/// Half the squares of all terms: as published with K = 1, C2 and C3 by a length of 1 m.
double energy(const Pair& pair) {
  const Sample now = sample_of(pair);
  double sum = 0;
  for (const Term& term : find_table("prismatic")->terms) {
    std::array<double, 3> g{};
    values(term, now, pair.arc, g.data());
    for (const double x : g) sum += x * x / 2;
  }
  return sum;
}

/// Residuals and Jacobian on (p, rows of A) of both.
struct Terms {
  VecX r = VecX(12);
  MatX J = MatX(12, 24);
};
Terms terms_of(const Pair& pair) {
  Terms out;
  const Sample now = sample_of(pair);
  int row = 0;
  for (const Term& term : find_table("prismatic")->terms) {
    std::array<double, 36> J_A{}, J_B{};
    values(term, now, pair.arc, out.r.data() + row);
    jacobians(term, pair.ends(), now, J_A.data(), J_B.data());
    for (int k = 0; k < 3; ++k, ++row) {
      out.J.row(row).head(12) = Eigen::Map<const VecX>(J_A.data() + 12 * k, 12);
      out.J.row(row).tail(12) = Eigen::Map<const VecX>(J_B.data() + 12 * k, 12);
    }
  }
  return out;
}

/// The features' constant maps: x = J(own) q.
Map3 map_of(const Pair& pair, Feature f) {
  Map3 out = Map3::Zero();
  const auto put = [&](int end, const Vec3& own, double sign, bool point) {
    for (int i = 0; i < 3; ++i) {
      out.block<1, 3>(i, 12 * end + 3 + 3 * i) = sign * own.transpose();
      if (point) out(i, 12 * end + i) = sign;
    }
  };
  if (f == Feature::D) {
    put(0, pair.frame[0].p, -1, true);
    put(1, pair.frame[1].p, 1, true);
  } else {
    const int i = static_cast<int>(f), end = i / 3;
    put(end, pair.frame[at(end)].R.col(i % 3), 1, false);
  }
  return out;
}

// ---- by hand

VecX published_gradient(const Pair& pair) {
  const Sample x = sample_of(pair);
  const Vec3 d = of(x, Feature::D);
  VecX out = VecX::Zero(24);
  for (const Feature f : {Feature::Ax, Feature::Bx}) {
    const Vec3 t = of(x, f);
    out += map_of(pair, Feature::D).transpose() * (t.squaredNorm() * d - t.dot(d) * t);
    out += map_of(pair, f).transpose() * (d.squaredNorm() * t - d.dot(t) * d);
  }
  for (const auto& [a, b] : {std::pair(Feature::Ay, Feature::By), {Feature::Az, Feature::Bz}})
    out += (map_of(pair, a) - map_of(pair, b)).transpose() * (of(x, a) - of(x, b));
  return out;
}

/// Of |d x t_i|^2/2 + |d x t_j|^2/2 in (d, t_i, t_j).
Nine published_hessian(const Vec3& d, const Vec3& t_i, const Vec3& t_j) {
  Nine H = Nine::Zero();
  const Mat3 one = Mat3::Identity();
  int k = 3;
  for (const Vec3& t : {t_i, t_j}) {
    H.topLeftCorner<3, 3>() += t.squaredNorm() * one - t * t.transpose();
    H.block<3, 3>(k, k) = d.squaredNorm() * one - d * d.transpose();
    H.block<3, 3>(0, k) = 2 * d * t.transpose() - t * d.transpose() - t.dot(d) * one;
    H.block<3, 3>(k, 0) = H.block<3, 3>(0, k).transpose();
    k += 3;
  }
  return H;
}

MatX published_hessian(const Pair& pair) {
  const Sample x = sample_of(pair);
  Eigen::Matrix<double, 9, 24> maps;
  maps << map_of(pair, Feature::D), map_of(pair, Feature::Ax), map_of(pair, Feature::Bx);
  MatX H = maps.transpose() *
           published_hessian(of(x, Feature::D), of(x, Feature::Ax), of(x, Feature::Bx)) * maps;
  for (const auto& [a, b] : {std::pair(Feature::Ay, Feature::By), {Feature::Az, Feature::Bz}}) {
    const Map3 difference = map_of(pair, a) - map_of(pair, b);
    H += difference.transpose() * difference;
  }
  return H;
}

// ---- by differences: along a motion the energy is a polynomial of degree four, of which these
// are exact, to rounding

double slope(const Pair& pair, const VecX& m) {
  const auto E = [&](double t) { return energy(moved(pair, m, t)); };
  constexpr double h = 0.25;
  return (8 * (E(h) - E(-h)) - (E(2 * h) - E(-2 * h))) / (12 * h);
}
double curvature(const Pair& pair, const VecX& m) {
  const auto E = [&](double t) { return energy(moved(pair, m, t)); };
  constexpr double h = 0.25;
  return (16 * (E(h) + E(-h)) - (E(2 * h) + E(-2 * h)) - 30 * E(0)) / (12 * h * h);
}
MatX hessian(const Pair& pair) {
  MatX H(24, 24);
  for (int i = 0; i < 24; ++i)
    for (int k = 0; k <= i; ++k)
      H(i, k) = H(k, i) = (curvature(pair, VecX::Unit(24, i) + VecX::Unit(24, k)) -
                           curvature(pair, VecX::Unit(24, i) - VecX::Unit(24, k))) /
                          4;
  return H;
}

/// Strained, turned against each other by some degrees and a centimetre off the axis; all of it
/// times `violated`.
Pair strained(unsigned seed, double violated = 1) {
  Random random(seed);
  const Vec3 aside = violated * 0.01 * Vec3(0, random.uniform(), random.uniform());
  Pair pair = pair_at({Vec3(0.4, 0, 0) + aside, random.rotation(0.05 * violated)}, random,
                      MotionKind::rigid, MotionKind::rigid, nullptr);
  pair.motion_kind = {MotionKind::affine, MotionKind::affine};
  for (body::Transform& T_WO : pair.T_WO)
    T_WO.A += 0.01 * violated * Mat3::NullaryExpr([&] { return random.uniform(); });
  return pair;
}

TEST(PrismaticEnergy, GradientIsThatPublishedAndThatOfDifferences) {
  for (unsigned seed = 1; seed <= 8; ++seed) {
    const Pair pair = strained(seed);
    const Terms t = terms_of(pair);
    EXPECT_GE(t.r.norm(), 0.005);
    const VecX g = t.J.transpose() * t.r;
    EXPECT_LE((g - published_gradient(pair)).norm(), 1e-14);
    for (int i = 0; i < 24; ++i)
      EXPECT_NEAR(slope(pair, VecX::Unit(24, i)), g[i], 1e-13) << i;  // rounding
  }
}

TEST(PrismaticEnergy, PublishedSecondDerivativesAreThoseOfDifferences) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    const Pair pair = strained(seed);
    EXPECT_LE((hessian(pair) - published_hessian(pair)).cwiseAbs().maxCoeff(), 1e-12);  // rounding
  }
}

// What the energy formulation takes for them, J^T J, differs by residual times second derivative:
// it is positive, the same where the joint is not violated, and off in proportion where it is.
TEST(PrismaticEnergy, GaussNewtonDiffersByTheViolation) {
  double last = 0;
  for (const double violated : {1., 0.1, 0.01, 0.}) {
    const Pair pair = strained(3, violated);
    const Terms t = terms_of(pair);
    const MatX exact = published_hessian(pair), gauss = t.J.transpose() * t.J;
    EXPECT_GE(Eigen::SelfAdjointEigenSolver<MatX>(gauss).eigenvalues()[0], -1e-14);
    const double off = (exact - gauss).norm();
    if (violated == 0) {
      EXPECT_LE(off, 1e-13);
    } else if (last > 0) {
      EXPECT_NEAR(last / off, 10, 1) << violated;
    }
    last = off;
  }
}

// A centimetre off the axis, 1.5 m along it: not positive (published: -0.037 beside 4.25, for a
// violation of about that size).
TEST(PrismaticEnergy, ExactSecondDerivativesAreIndefinite) {
  const Vec3 t = Vec3::UnitX();
  const Eigen::SelfAdjointEigenSolver<Nine> e(published_hessian({1.5, 0.01, 0}, t, t));
  RecordProperty("least", std::to_string(e.eigenvalues()[0]));
  RecordProperty("greatest", std::to_string(e.eigenvalues()[8]));
  EXPECT_NEAR(e.eigenvalues()[0], -0.01 * std::sqrt(2), 1e-4);  // the violation's square
  EXPECT_NEAR(e.eigenvalues()[8], 4.25, 0.01);
  const Eigen::SelfAdjointEigenSolver<Nine> fulfilled(published_hessian({1.5, 0, 0}, t, t));
  EXPECT_GE(fulfilled.eigenvalues()[0], -1e-14);
}

}  // namespace
}  // namespace trammel::joint::prismatic_energy_test
