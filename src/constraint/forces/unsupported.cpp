#include "constraint/forces/unsupported.h"

#include <algorithm>
#include <string>

#include "constraint/cone.h"
#include "math/index.h"

namespace trammel::constraint {

Problem not_by_forces(const std::string& what) {
  return {"contact",
          "contact by the acceleration formulation is not taken " + what + ": take velocity"};
}

std::vector<Problem> without_forces(const model::Model& model, const model::Params& params) {
  const auto refused = [](const std::string& what) {
    return std::vector<Problem>{not_by_forces(what)};
  };
  const model::ContactScene& scene = model.contacts;
  if (std::any_of(scene.laws.begin(), scene.laws.end(),
                  [](const auto& l) { return l.rolling > 0 || l.spinning > 0; }))
    return refused("with rolling or spinning friction");
  if (std::any_of(scene.shapes.begin(), scene.shapes.end(), [&](const auto& s) {
        return body::can_strain(model.objects[at(s.object)].motion_kind);
      }))
    return refused("of bodies that strain");
  if (!cones_of(model, model::ConstraintSpecs(model, params)).empty())
    return refused("beside friction of joints that follows a load");
  return {};
}

}  // namespace trammel::constraint
