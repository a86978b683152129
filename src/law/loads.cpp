#include <algorithm>

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

bool Load::follows_time() const {
  return std::any_of(value.begin(), value.end(), [](const Signal& s) { return s.varies(); }) ||
         std::any_of(function.begin(), function.end(),
                     [](const auto& f) { return f && f->of_time; });
}

namespace {
Wrench mean_wrench(const Load& load, const double* params, const body::Transform& at,
                   const body::Rate& rate, double t, const Span& over) {
  using Vec6 = Eigen::Matrix<double, 6, 1>;
  const Vec6 mean = mean_over(over, t, [&](double when) {
    const Wrench w = load.type->wrench(load, params, at, rate, when);
    Vec6 out;
    out << w.f, w.torque;
    return out;
  });
  Wrench w;
  w.f = mean.head<3>();
  w.torque = mean.tail<3>();
  return w;
}
}  // namespace

Wrench wrench(const Load& load, const double* params, const body::Transform& at,
              const body::Rate& rate, double t, const Span& over) {
  const double* p = params + load.first_param;
  Wrench w = !over.is_instant() && load.follows_time() ? mean_wrench(load, p, at, rate, t, over)
                                                       : load.type->wrench(load, p, at, rate, t);
  w.r = at.A * load.point;
  return w;
}

double steepest(const Load& load, const double* params, const body::Transform& at,
                const body::Rate& rate, double t) {
  if (!load.type->steepest) return 0;
  return load.type->steepest(load, params + load.first_param, at, rate, t);
}

}  // namespace trammel::law
