#pragma once

#include <array>

#include "body/pool.h"
#include "math/signal.h"

/// Loads: forces and torques on objects that belong to no joint. A load is a covector on a material
/// point and on the object's rotation; the body kind pulls it back.
namespace trammel::law {

enum class LoadKind : unsigned char {
  force,   // at a point of the object [N]
  torque,  // [N m]
  drag,    // at a point: -(linear + quadratic |v|) v [N]
};

enum class Axes : unsigned char { world, body };

struct Load {
  LoadKind kind = LoadKind::force;
  int object = 0;
  Axes axes = Axes::world;
  Vec3 point = Vec3::Zero();      // in the object's axes, from its origin [m]
  std::array<Signal, 3> value{};  // force [N] or torque [N m], along `axes`
  int first_param = -1;           // drag: linear [N s/m], quadratic [N s^2/m^2] in the parameters
  bool needs_rates() const { return kind == LoadKind::drag; }
};

/// A covector on an object: force on a point r (world, from the object's origin) and torque.
struct Wrench {
  Vec3 f = Vec3::Zero(), r = Vec3::Zero(), torque = Vec3::Zero();
};

inline Wrench wrench(const Load& load, const double* params, const body::Place& at,
                     const body::Rate& rate, double t) {
  Wrench w;
  w.r = at.A * load.point;
  if (load.kind == LoadKind::drag) {
    const double* p = params + load.first_param;
    const Vec3 v = rate.v + rate.A * load.point;
    w.f = -(p[0] + p[1] * v.norm()) * v;
    return w;
  }
  Vec3 value(load.value[0].value(t), load.value[1].value(t), load.value[2].value(t));
  if (load.axes == Axes::body) value = at.A * value;
  (load.kind == LoadKind::force ? w.f : w.torque) = value;
  return w;
}

/// The most that a drag grows with the speed [N s/m]: d|f|/d|v|; 0 of other loads.
inline double steepest(const Load& load, const double* params, const body::Rate& rate) {
  if (load.kind != LoadKind::drag) return 0;
  const double* p = params + load.first_param;
  return p[0] + 2 * p[1] * (rate.v + rate.A * load.point).norm();
}

}  // namespace trammel::law
