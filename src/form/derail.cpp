#include "form/derail.h"

#include <algorithm>
#include <cmath>

#include "joint/evaluate.h"

namespace trammel::form {

double derail_margin(const model::Kinematics& kin, const model::Instant& now, std::size_t k,
                     joint::Arc arc) {
  const model::Joint& j = kin.model().joints[k];
  double margin = law::kInf;
  if (!j.derail.any()) return margin;
  joint::Sample sample;
  unsigned features = 0;
  for (const joint::Coordinate& c : j.table->coordinates) features |= c.row.features();
  joint::sample(kin.ends(static_cast<int>(k), now), features, 1, arc, sample);
  const auto check = [&](const char* name, double limit) {
    const joint::Coordinate* c = j.table->coordinate(name);
    if (limit < law::kInf && c)
      margin = std::min(margin, 1 - std::abs(joint::value(c->row, sample, arc)) / limit);
  };
  check("lateral", j.derail.lateral);
  check("vertical", j.derail.vertical);
  check("roll", j.derail.roll);
  check("pitch", j.derail.pitch);
  check("yaw", j.derail.yaw);
  return margin;
}

}  // namespace trammel::form
