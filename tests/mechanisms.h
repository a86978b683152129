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

/// N windows of uniform thin rods, 1 m, 1 kg, in the plane y = 0, on the ground or on a moving
/// base.
struct Windows {
  int n = 2;
  double angle = M_PI / 2, rate = -1;  // of the uprights from x, about -y [rad, rad/s]
  std::optional<body::Prescribed> base = {};
};

inline model::Builder builder_of(const Windows& of) {
  model::Builder b;
  const std::string foot = of.base ? "base" : "ground";
  if (of.base) {
    model::BodySpec base;
    base.name = foot;
    base.motion = of.base;
    b.add_body(base);
  }
  const Vec3 moments(1e-3, 1. / 12, 1. / 12);
  const Mat3 along = Eigen::AngleAxisd(-of.angle, Vec3::UnitY()).toRotationMatrix();
  const Vec3 upright = along.col(0), speed = of.rate * along.col(2);  // of a top
  const auto hinge = [&](const std::string& a, const std::string& c, const Vec3& p) {
    b.add_joint(joint(a + "-" + c, "revolute", a, c, frame(p, Vec3::UnitY())));
  };
  for (int i = 0; i <= of.n; ++i) {
    auto rod = solid("v" + std::to_string(i), 1, moments, {Vec3(i, 0, 0) + upright / 2, along});
    rod.v = speed / 2;
    rod.w = {0, -of.rate, 0};
    b.add_body(rod);
    hinge(foot, rod.name, Vec3(i, 0, 0));
  }
  for (int i = 0; i < of.n; ++i) {
    auto rod = solid("h" + std::to_string(i), 1, moments, {Vec3(i + 0.5, 0, 0) + upright});
    rod.v = speed;
    b.add_body(rod);
    hinge("v" + std::to_string(i), rod.name, Vec3(i, 0, 0) + upright);
    hinge("v" + std::to_string(i + 1), rod.name, Vec3(i + 1, 0, 0) + upright);
  }
  return b;
}

/// Upright, tops moving at 1 m/s.
inline model::Built fourbar(int n) { return built(builder_of({.n = n})); }

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
