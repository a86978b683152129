#pragma once

#include "law/load.h"

/// formula: a force at a point of the body and a torque, functions of how the body moves [N, N m].
namespace trammel::law {

/// Puts the numbers that the functions of a load are of in the order of kLoadLetters.
inline LoadArguments load_arguments(const Load& load, const body::Transform& at,
                                    const body::Rate& rate, double t) {
  const bool own = load.axes == Axes::body;
  const Mat3 R = load.R_WL.transpose() * at.A,
             to = own ? Mat3(at.A.transpose()) : Mat3(load.R_WL.transpose());
  const Mat3 W = rate.A * at.A.inverse();
  const Vec3 p = load.R_WL.transpose() * (at.p + at.A * load.point - load.p_WL),
             v = to * velocity(load, rate),
             w = to * Vec3(W(2, 1) - W(1, 2), W(0, 2) - W(2, 0), W(1, 0) - W(0, 1)) / 2;
  return {p.x(),
          p.y(),
          p.z(),
          v.x(),
          v.y(),
          v.z(),
          w.x(),
          w.y(),
          w.z(),
          std::atan2(R(2, 1), R(1, 1)),
          std::atan2(R(0, 2), R(2, 2)),
          std::atan2(R(1, 0), R(0, 0)),
          t};
}

inline Vec3 load_components(const Load& load, std::size_t first, const LoadArguments& x) {
  Vec3 out = Vec3::Zero();
  for (std::size_t i = 0; i < 3; ++i)
    if (load.function[first + i]) out[static_cast<int>(i)] = (*load.function[first + i])(x);
  return out;
}

inline Wrench formula_wrench(const Load& load, const double*, const body::Transform& at,
                             const body::Rate& rate, double t) {
  const LoadArguments x = load_arguments(load, at, rate, t);
  const Mat3& R = load.axes == Axes::body ? at.A : load.R_WL;
  Wrench w;
  w.f = R * load_components(load, 0, x);
  w.torque = R * load_components(load, 3, x);
  return w;
}

/// By differences: it only scales the steps of a search.
inline double formula_steepest(const Load& load, const double*, const body::Transform& at,
                               const body::Rate& rate, double t) {
  const LoadArguments x = load_arguments(load, at, rate, t);
  Mat3 slope;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t v = kLoadVelocity + i;
    const double h = 1e-5 * (1 + std::abs(x[v]));
    LoadArguments up = x, down = x;
    up[v] += h;
    down[v] -= h;
    slope.col(static_cast<int>(i)) =
        (load_components(load, 0, up) - load_components(load, 0, down)) / (2 * h);
  }
  return slope.allFinite() ? slope.norm() : 0;
}

inline constexpr LoadType kFormulaLoad{.name = "formula",
                                       .doc = "a force and a torque by how the body moves",
                                       .signals = {},
                                       .numbers = {},
                                       .at_point = true,
                                       .needs_rates = true,
                                       .wrench = formula_wrench,
                                       .steepest = formula_steepest,
                                       .takes_functions = true};

}  // namespace trammel::law
