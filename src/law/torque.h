#pragma once

#include "law/load.h"

/// torque: a function of time, on the body as a whole [N m].
namespace trammel::law {

inline Wrench torque_wrench(const Load& load, const double*, const body::Transform& at,
                            const body::Rate&, double t) {
  Wrench w;
  w.torque = signals(load, at, t);
  return w;
}

inline constexpr LoadType kTorqueLoad{.name = "torque",
                                      .doc = "a torque on the body",
                                      .signals = {"torque", units::kTorque},
                                      .numbers = {},
                                      .wrench = torque_wrench};

}  // namespace trammel::law
