#pragma once

#include "law/law.h"
#include "law/load.h"

/// drag: against the velocity v of a point of the body, f = -(linear + quadratic |v|) v [N].
namespace trammel::law {

inline constexpr std::string_view kDragRule = "a drag coefficient is not negative, and finite";

inline constexpr LoadNumber kDragNumbers[] = {
    {"linear", units::kDamping, 0, 0, kInf, "force by speed", kDragRule},
    {"quadratic", units::kLineDensity, 0, 0, kInf, "force by speed squared", kDragRule},
};

inline Wrench drag_wrench(const Load& load, const double* p, const body::Transform&,
                          const body::Rate& rate, double) {
  const Vec3 v = velocity(load, rate);
  Wrench w;
  w.f = -(p[0] + p[1] * v.norm()) * v;
  return w;
}

inline double drag_steepest(const Load& load, const double* p, const body::Transform&,
                            const body::Rate& rate, double) {
  return p[0] + 2 * p[1] * velocity(load, rate).norm();
}

inline constexpr LoadType kDragLoad{.name = "drag",
                                    .doc = "a resistance that grows with the speed",
                                    .signals = {},
                                    .numbers = kDragNumbers,
                                    .at_point = true,
                                    .needs_rates = true,
                                    .wrench = drag_wrench,
                                    .steepest = drag_steepest};

}  // namespace trammel::law
