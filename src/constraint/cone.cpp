#include "constraint/cone.h"

#include "math/index.h"

namespace trammel::constraint {

std::vector<solve::Cone> cones_of(const model::Model& model, const model::ConstraintSpecs& specs) {
  std::vector<solve::Cone> out;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    if (specs[i].level != law::Level::friction) continue;
    const auto row = static_cast<int>(i);
    if (model.rows[i].part == 1)
      out.push_back({row - 1, {row, row}, 1, specs[i].mu});
    else
      out.back().tangent[at(out.back().n++)] = row;
  }
  return out;
}

void follow_normals(std::span<const solve::Cone> cones, std::span<unsigned char> active) {
  for (const solve::Cone& c : cones)
    for (int k = 0; k < c.n; ++k) active[at(c.tangent[at(k)])] &= active[at(c.normal)];
}

}  // namespace trammel::constraint
