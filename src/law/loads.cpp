#include "law/drag.h"
#include "law/force.h"
#include "law/formula_load.h"
#include "law/load.h"
#include "law/torque.h"

namespace trammel::law {

std::span<const LoadType* const> load_types() {
  static constexpr std::array<const LoadType*, 4> kTypes{&kForceLoad, &kTorqueLoad, &kDragLoad,
                                                         &kFormulaLoad};
  return kTypes;
}

const LoadType* find_load_type(std::string_view name) {
  for (const LoadType* t : load_types())
    if (t->name == name) return t;
  return nullptr;
}

Vec3 signals(const Load& load, const body::Transform& at, double t) {
  Vec3 value(load.value[0].value(t), load.value[1].value(t), load.value[2].value(t));
  return load.axes == Axes::body ? at.A * value : load.R_WL * value;
}

Wrench wrench(const Load& load, const double* params, const body::Transform& at,
              const body::Rate& rate, double t) {
  Wrench w = load.type->wrench(load, params + load.first_param, at, rate, t);
  w.r = at.A * load.point;
  return w;
}

double steepest(const Load& load, const double* params, const body::Transform& at,
                const body::Rate& rate, double t) {
  if (!load.type->steepest) return 0;
  return load.type->steepest(load, params + load.first_param, at, rate, t);
}

}  // namespace trammel::law
