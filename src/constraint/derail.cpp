#include "constraint/derail.h"

#include <fmt/format.h>

#include <cmath>

#include "joint/evaluate.h"

namespace trammel::constraint {

namespace {

struct Displacement {
  const char* name = "";
  double value = 0, limit = law::kInf;
  bool length = true;
  double margin() const { return limit < law::kInf ? 1 - std::abs(value) / limit : law::kInf; }
};

/// Returns the displacement with the least margin.
Displacement worst_displacement(const model::Kinematics& kin, const model::KinematicsCache& now,
                                std::size_t k, joint::Arc arc) {
  const model::Joint& j = kin.model().joints[k];
  Displacement out;
  if (!j.derail.any()) return out;
  joint::Sample sample;
  unsigned features = 0;
  for (const joint::Coordinate& c : j.table->coordinates) features |= c.row.features();
  joint::sample(kin.ends(static_cast<int>(k), now), features, 1, arc, sample);
  const auto check = [&](const char* name, double limit) {
    const joint::Coordinate* c = j.table->coordinate(name);
    if (!(limit < law::kInf) || !c) return;
    const Displacement d{name, c->sign * joint::value(c->row, sample, arc), limit,
                         c->row.unit() == joint::Unit::metre};
    if (d.margin() < out.margin()) out = d;
  };
  check("lateral", j.derail.lateral);
  check("vertical", j.derail.vertical);
  check("roll", j.derail.roll);
  check("pitch", j.derail.pitch);
  check("yaw", j.derail.yaw);
  return out;
}

}  // namespace

double derail_margin(const model::Kinematics& kin, const model::KinematicsCache& now, std::size_t k,
                     joint::Arc arc) {
  return worst_displacement(kin, now, k, arc).margin();
}

std::string derail_cause(const model::Kinematics& kin, const model::KinematicsCache& now,
                         std::size_t k) {
  const auto arc = static_cast<std::size_t>(kin.model().joints[k].arc);
  const Displacement d = worst_displacement(kin, now, k, now.arc[arc]);
  const double shown = d.length ? 1e3 : 180 / M_PI;
  const char* unit = d.length ? "mm" : "deg";
  return fmt::format(
      "its {} displacement of {:.6g} {} has passed the limit of {:.6g} {} by {:.3g} {}", d.name,
      shown * d.value, unit, shown * d.limit, unit, shown * (std::abs(d.value) - d.limit), unit);
}

}  // namespace trammel::constraint
