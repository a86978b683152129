#pragma once

#include <string>

#include "support.h"

/// Mechanisms of the reference cases that more than one test runs.
namespace trammel::acceptance {

/// A point mass of 1 kg on a massless rod of 1 m: a body that does not turn, held at a distance.
inline model::Builder point_pendulum(const Vec3& at, const Vec3& pivot) {
  model::Builder b;
  b.add_body(solid("mass", 1, {1, 1, 1}, {at}));
  auto rod = joint("rod", "distance", "ground", "mass", {});
  rod.at.reset();
  rod.frame_a = Pose{pivot};
  rod.frame_b = Pose{};
  b.add_joint(rod);
  return b;
}

/// N windows of uniform thin rods, 1 m, 1 kg, in the plane y = 0: upright, tops moving at 1 m/s.
inline model::Built fourbar(int n) {
  model::Builder b;
  const Vec3 moments(1e-3, 1. / 12, 1. / 12);
  const Mat3 upright = Eigen::AngleAxisd(-M_PI / 2, Vec3::UnitY()).toRotationMatrix();
  const auto hinge = [&](const std::string& a, const std::string& c, const Vec3& p) {
    b.add_joint(joint(a + "-" + c, "revolute", a, c, frame(p, Vec3::UnitY())));
  };
  for (int i = 0; i <= n; ++i) {
    auto rod = solid("v" + std::to_string(i), 1, moments, {Vec3(i, 0, 0.5), upright});
    rod.v = {0.5, 0, 0};
    rod.w = {0, 1, 0};
    b.add_body(rod);
    hinge("ground", rod.name, Vec3(i, 0, 0));
  }
  for (int i = 0; i < n; ++i) {
    auto rod = solid("h" + std::to_string(i), 1, moments, {Vec3(i + 0.5, 0, 1)});
    rod.v = {1, 0, 0};
    b.add_body(rod);
    hinge("v" + std::to_string(i), rod.name, Vec3(i, 0, 1));
    hinge("v" + std::to_string(i + 1), rod.name, Vec3(i + 1, 0, 1));
  }
  return built(b);
}

/// The worst angle between the uprights: 0 on the intended branch.
inline double spread(const sim::Simulation& sim, int n) {
  double worst = 0;
  const Vec3 first = pose(sim, "v0").R.col(0);
  for (int i = 1; i <= n; ++i)
    worst = std::max(worst, (pose(sim, "v" + std::to_string(i)).R.col(0) - first).norm());
  return worst;
}

inline Vec3 top(const sim::Simulation& sim) {
  const Pose X = pose(sim, "v0");
  return X.p + 0.5 * X.R.col(0);
}

}  // namespace trammel::acceptance
