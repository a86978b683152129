#include "constraint/contact/wrenches.h"

#include <algorithm>

#include "math/index.h"
#include "model/reactions.h"

namespace trammel::constraint {

std::size_t wrench_impulses_size(const model::Model& model) {
  return model::kJointImpulse * model.n_static_joints() + model::kLoadImpulse * model.loads.size() +
         kContactImpulse * touching_objects(model).size();
}

std::vector<int> touching_objects(const model::Model& model) {
  std::vector<int> out;
  for (const model::ContactShape& s : model.contacts.shapes)
    if (model.objects[at_(s.object)].block >= 0) out.push_back(s.object);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

ContactWrenches::ContactWrenches(const model::Model& model, double* wrench_impulses)
    : objects_(touching_objects(model)),
      out_(wrench_impulses + wrench_impulses_size(model) - kContactImpulse * objects_.size()) {}

void ContactWrenches::add(int object, const model::KinematicsCache& at, const Vec3& x,
                          const Vec3& f, const Vec3& torque) {
  const auto i = std::lower_bound(objects_.begin(), objects_.end(), object);
  if (i == objects_.end() || *i != object) return;
  double* out = out_ + kContactImpulse * static_cast<std::size_t>(i - objects_.begin());
  vec3(out) += f;
  vec3(out + 3) += (x - at.T_WO[static_cast<std::size_t>(object)].p).cross(f) + torque;
}

}  // namespace trammel::constraint
