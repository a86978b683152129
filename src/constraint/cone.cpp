#include "constraint/cone.h"

#include "math/index.h"

namespace trammel::constraint {

namespace {

/// What presses on what slides along a row: the reaction of a joint, at both ends of a guide that
/// has a length. There forces F and torques T across the axis x make F/2 +- (T x x)/length.
std::vector<std::vector<solve::Cone::Part>> pads_of(const model::Model& model,
                                                    const model::LawOnRow& law, double length) {
  const model::Joint& joint = model.joints[at(law.load)];
  std::vector<std::vector<solve::Cone::Part>> out(length > 0 ? 2 : 1);
  for (std::size_t k = 0; k < joint.table->rows.size(); ++k) {
    const int row = joint.first_row + static_cast<int>(k);
    const joint::Push push = joint.coupling >= 0 ? joint::Push{Vec3::UnitX(), Vec3::Zero()}
                                                 : joint::push(joint.table->rows[k].row);
    const Vec3 couple = length > 0 ? Vec3(push.torque.cross(Vec3::UnitX()) / length) : Vec3::Zero();
    const double share = 1.0 / static_cast<double>(out.size());
    double side = 1;
    for (auto& pad : out) {
      const Vec3 along = share * push.force + side * couple;
      if (along != Vec3::Zero()) pad.push_back({row, along});
      side = -1;
    }
  }
  return out;
}

}  // namespace

std::vector<solve::Cone> cones_of(const model::Model& model, const model::ConstraintSpecs& specs) {
  std::vector<solve::Cone> out;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    if (specs[i].level != law::Level::friction) continue;
    const auto row = static_cast<int>(i);
    const model::LawOnRow& law = model.laws[at(model.rows[i].law)];
    if (law.load >= 0) {
      auto pads = pads_of(model, law, specs[i].guide);
      const int first = pads.front().front().row;
      out.push_back({first, {row, row}, 1, specs[i].coefficient(), std::move(pads)});
      continue;
    }
    if (model.rows[i].part == 1)
      out.push_back({row - 1, {row, row}, 1, specs[i].coefficient()});
    else
      out.back().tangent[at(out.back().n++)] = row;
  }
  return out;
}

void take_coefficients(const model::ConstraintSpecs& specs, std::span<solve::Cone> cones) {
  for (solve::Cone& c : cones) c.mu = specs[at(c.tangent[0])].coefficient();
}

void bound_by_loads(std::span<const solve::Cone> cones, std::span<const double> forces,
                    model::ConstraintSpecs& specs) {
  for (const solve::Cone& c : cones) {
    const double load = solve::load_of(c, forces);
    law::ConstraintSpec d = specs[at(c.tangent[0])];
    d.hi = d.mu * load;
    d.lo = -d.hi;
    d.breakaway = d.coefficient_at_rest() * load;
    specs.put(at(c.tangent[0]), d);
  }
}

void follow_normals(std::span<const solve::Cone> cones, std::span<unsigned char> active) {
  for (const solve::Cone& c : cones)
    for (int k = 0; k < c.n && c.pads.empty(); ++k)
      active[at(c.tangent[at(k)])] &= active[at(c.normal)];
}

}  // namespace trammel::constraint
