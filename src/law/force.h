#pragma once

#include "law/load.h"

/// force: a function of time, at a point of the body [N].
namespace trammel::law {

inline Wrench force_wrench(const Load& load, const double*, const body::Transform& at,
                           const body::Rate&, double t) {
  Wrench w;
  w.f = signals(load, at, t);
  return w;
}

inline constexpr LoadType kForceLoad{.name = "force",
                                     .doc = "a force at a point of the body",
                                     .signals = {"force", units::kForce},
                                     .numbers = {},
                                     .at_point = true,
                                     .wrench = force_wrench};

}  // namespace trammel::law
