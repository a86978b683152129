// Joints that break: the load that they carry, and what is left when they are released.
#include "constraint/strength.h"

#include <fmt/core.h>

namespace trammel::constraint {

void for_each_carried_load(const model::Kinematics& kin, const std::vector<unsigned char>& on,
                           const std::vector<double>& row_forces,
                           const std::function<model::Reaction(std::size_t joint)>& reaction,
                           const std::function<void(const CarriedLoad&)>& f) {
  const model::Model& m = kin.model();
  for (const model::Strength& s : m.strengths) {
    const auto joint = static_cast<std::size_t>(s.joint);
    if (!on[joint]) continue;
    const double* most = kin.params().values.data() + s.first_param;
    if (s.row < 0) {
      const model::Reaction r = reaction(joint);
      f({s.joint, "a force", r.force.norm(), most[0], "N"});
      f({s.joint, "a torque", r.torque.norm(), most[1], "N m"});
      continue;
    }
    const auto i = static_cast<std::size_t>(s.row);
    const model::RowInfo& row = m.rows[i];
    const double force = row.sign * row_forces[i];
    const char* unit = row.row.unit() == joint::Unit::metre ? "N" : "N m";
    f({s.joint, "a tensile force", -force, most[0], unit});
    f({s.joint, "a compressive force", force, most[1], unit});
  }
}

void for_each_carried_load(const model::Kinematics& kin, const model::KinematicsCache& at,
                           const std::vector<unsigned char>& on,
                           const std::vector<double>& row_forces,
                           const std::function<void(const CarriedLoad&)>& f) {
  const auto reaction = [&](std::size_t joint) {
    return model::reaction(kin, at, joint, row_forces.data());
  };
  for_each_carried_load(kin, on, row_forces, reaction, f);
}

std::string why_broken(const CarriedLoad& b) {
  return fmt::format("{} of {:.6g} {} exceeds its strength of {:.6g} {}", b.what, b.value, b.unit,
                     b.strength, b.unit);
}

void release(const model::Model& model, int joint, std::vector<unsigned char>& on) {
  on[static_cast<std::size_t>(joint)] = 0;
  for (const model::Coupling& c : model.couplings)
    for (int k = c.first_source; k < c.first_source + c.n; ++k)
      if (model.sources[static_cast<std::size_t>(k)].joint == joint)
        on[static_cast<std::size_t>(c.joint)] = 0;
}

}  // namespace trammel::constraint
