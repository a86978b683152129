// The energy formulation's minimum against one found on all coordinates at once, with the whole
// second derivative: nothing of rows, terms, block Cholesky coordinates or sparse factors in it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <variant>

#include "form/energy.h"
#include "form/test_balance.h"
#include "math/rotation.h"
#include "model/builder.h"

namespace trammel::form::energy_primal_test {
namespace {

constexpr double kStep = 0.01, kMass = 4, kPull = 9.81;  // [s], [kg], [m/s^2]
const Vec3 kSides(0.4, 0.1, 0.1);                        // of a link [m]

struct Chain {
  int n;
  double kappa, k, length = kSides.x();
  model::Built built;
};

model::Built built(const model::Builder& b) {
  auto result = b.build();
  EXPECT_TRUE(std::holds_alternative<model::Built>(result));
  return std::get<model::Built>(std::move(result));
}

/// Links of boxes in x from the origin, thrown and spinning about their joints.
Chain chain(int n, double kappa, double k, const Vec3& way, double spin = 1) {
  model::Builder b;
  const Mat3 R = Eigen::Quaterniond::FromTwoVectors(Vec3::UnitX(), way).toRotationMatrix();
  Vec3 v = Vec3::Zero();
  for (int i = 0; i < n; ++i) {
    model::BodySpec link;
    link.name = fmt::format("b{}", i);
    link.mass = kMass;
    link.solid = {model::Solid::Kind::box, kSides};
    link.X_WB = {kSides.x() * (i + 0.5) * way, R};
    link.w = spin * Vec3(0.5 * i, 1, -1);
    link.v = v + link.w.cross(kSides.x() / 2 * way);
    v += link.w.cross(kSides.x() * way);
    link.affine = model::Elastic{kappa, {}};
    b.add_body(link);
    model::JointSpec joint;
    joint.name = fmt::format("j{}", i);
    joint.type = "spherical";
    if (i) joint.a = fmt::format("b{}", i - 1);
    joint.b = link.name;
    joint.at = Pose{kSides.x() * i * way, R};
    b.add_joint(joint);
  }
  return {n, kappa, k, kSides.x(), built(b)};
}

/// The incremental potential of bdf1 at y, twelve numbers a link, with all its derivatives.
double potential(const Chain& c, const VecX& y, const VecX& aim, VecX* gradient, MatX* hessian) {
  const double a = kStep * kStep, mu = 8 * c.kappa * kSides.prod();
  const Vec3 S = kMass / 12 * kSides.cwiseAbs2();
  double phi = 0;
  *gradient = VecX::Zero(y.size());
  *hessian = MatX::Zero(y.size(), y.size());
  for (int i = 0; i < c.n; ++i) {
    const int at = 12 * i;
    for (int d = 0; d < 12; ++d) {
      const double weight = (d < 3 ? kMass : S[d % 3]) / a, off = y[at + d] - aim[at + d];
      phi += 0.5 * weight * off * off;
      (*gradient)[at + d] += weight * off;
      (*hessian)(at + d, at + d) += weight;
    }
    phi += kMass * kPull * y[at + 2];
    (*gradient)[at + 2] += kMass * kPull;
    for (int u = 0; u < 3; ++u)  // 1/2 mu |E|^2, E_uv = (a_u.a_v - [u = v])/2
      for (int v = 0; v < 3; ++v) {
        double E = u == v ? -0.5 : 0;
        VecX dE = VecX::Zero(12);
        for (int r = 0; r < 3; ++r) {
          const double x = y[at + 3 + 3 * r + u], z = y[at + 3 + 3 * r + v];
          E += 0.5 * x * z;
          dE[3 + 3 * r + u] += 0.5 * z;
          dE[3 + 3 * r + v] += 0.5 * x;
        }
        phi += 0.5 * mu * E * E;
        gradient->segment(at, 12) += mu * E * dE;
        hessian->block(at, at, 12, 12) += mu * dE * dE.transpose();
      }
    for (int u = 0; u < 3; ++u)
      for (int v = 0; v < 3; ++v) {
        double E = u == v ? -0.5 : 0;
        for (int r = 0; r < 3; ++r) E += 0.5 * y[at + 3 + 3 * r + u] * y[at + 3 + 3 * r + v];
        for (int r = 0; r < 3; ++r) (*hessian)(at + 3 + 3 * r + u, at + 3 + 3 * r + v) += mu * E;
      }
    for (int r = 0; r < 3; ++r) {  // 1/2 k |x_B - x_A|^2 at the link's near end
      VecX J = VecX::Zero(y.size());
      J[at + r] = 1;
      J[at + 3 + 3 * r] = -c.length / 2;
      if (i) {
        J[at - 12 + r] = -1;
        J[at - 12 + 3 + 3 * r] = -c.length / 2;
      }
      const double gap = J.dot(y);
      phi += 0.5 * c.k * gap * gap;
      *gradient += c.k * gap * J;
      *hessian += c.k * J * J.transpose();
    }
  }
  return phi;
}

/// Newton with halved steps until the gradient is rounding.
VecX minimum(const Chain& c, VecX y, const VecX& aim) {
  VecX g, ignored;
  MatX H, H_ignored;
  for (int k = 0; k < 60; ++k) {
    const double here = potential(c, y, aim, &g, &H);
    VecX dy = H.ldlt().solve(-g);
    if (dy.dot(g) > 0) dy = -dy;  // not a minimum's: away from it
    double step = 1;
    while (step > 1e-6 &&
           potential(c, y + step * dy, aim, &ignored, &H_ignored) > here + 1e-12 * std::abs(here))
      step /= 2;
    y += step * dy;
    if (dy.cwiseAbs().maxCoeff() < 1e-13) break;
  }
  return y;
}

/// Twenty steps, each from where the formulation is.
void expect_minima(const Chain& c, double tolerance) {
  Settings settings;
  settings.formulation = Settings::Formulation::energy;
  settings.joint_stiffness = c.k;
  settings.difference = Settings::Difference::bdf1;
  Energy form(*c.built.model, c.built.params, settings);
  model::State state = c.built.state;
  ASSERT_TRUE(form.load(state));
  test::Balance balance(form, state, test::momentum_bounds(settings));
  StepReport report;
  for (int k = 0; k < 20; ++k) {
    const Eigen::Map<VecX> q(state.q.data(), 12 * c.n);
    const VecX before = q,
               aim = before + kStep * Eigen::Map<const VecX>(form.velocities().data(), 12 * c.n);
    form.step(state, kStep, report);
    balance.see(form, state, report);
    ASSERT_EQ(report.status, Status::ok) << report.reason << " in step " << k;
    const VecX apart = minimum(c, q, aim) - q;
    EXPECT_LT(apart.cwiseAbs().maxCoeff(), tolerance) << "step " << k;
    const VecX afar = minimum(c, before, aim) - q;  // not led there by what is to be shown
    EXPECT_LT(afar.cwiseAbs().maxCoeff(), tolerance) << "step " << k;
  }
}

/// Tolerance: what Newton leaves, 1e-12 m, times what is soft beside what is stiff.
TEST(EnergyPrimal, StiffLinksTakenAsNearARotation) {
  expect_minima(chain(5, 1e8, 1e8, Vec3::UnitX()), 1e-10);
  expect_minima(chain(5, 1e8, 1e5, -Vec3::UnitZ()), 1e-10);
}

TEST(EnergyPrimal, SoftLinksThatStrain) {
  expect_minima(chain(4, 2e4, 1e6, Vec3::UnitX()), 1e-10);
  expect_minima(chain(4, 2e3, 1e5, Vec3(0.6, 0, -0.8)), 1e-10);
}

/// Increments a step, to 1e-8: few, whatever the length and the tension.
void expect_few(int n, const Vec3& way, int steps) {
  const Chain c = chain(n, 1e8, 1e8, way, 0);
  Settings settings;
  settings.formulation = Settings::Formulation::energy;
  settings.difference = Settings::Difference::bdf1;
  settings.joint_stiffness = c.k;
  settings.tolerance.value = 1e-8;
  Energy form(*c.built.model, c.built.params, settings);
  model::State state = c.built.state;
  ASSERT_TRUE(form.load(state));
  test::Balance balance(form, state, test::momentum_bounds(settings));
  StepReport report;
  int most = 0;
  for (int k = 0; k < steps; ++k) {
    form.step(state, kStep, report);
    balance.see(form, state, report);
    ASSERT_EQ(report.status, Status::ok) << report.reason << " in step " << k;
    most = std::max(most, report.iterations);
  }
  EXPECT_LE(most, 6) << n << " links";
}

TEST(EnergyPrimal, HangingAndFallingChainsTakeFewIncrements) {
  for (const int n : {10, 100, 1000}) {
    expect_few(n, -Vec3::UnitZ(), 30);
    expect_few(n, Vec3::UnitX(), 30);
  }
}

TEST(SlowEnergyPrimal, ChainsOfTenThousandTakeFewIncrements) {
  expect_few(10000, -Vec3::UnitZ(), 100);
  expect_few(10000, Vec3::UnitX(), 100);
}

}  // namespace
}  // namespace trammel::form::energy_primal_test
