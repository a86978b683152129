#include "model/model.h"

#include <algorithm>

#include "body/kinds.h"

namespace trammel::model {

namespace {
template <class V>
int find(const V& items, std::string_view name) {
  const auto it =
      std::find_if(items.begin(), items.end(), [&](const auto& item) { return item.name == name; });
  return it == items.end() ? -1 : static_cast<int>(it - items.begin());
}
}  // namespace

bool Derail::any() const { return std::min({lateral, vertical, roll, pitch, yaw}) < law::kInf; }

int Model::object(BodyHandle h) const {
  return h.generation == generation && h.index < object_of.size() ? object_of[h.index] : -1;
}
int Model::joint(JointHandle h) const {
  return h.generation == generation && h.index < joints.size() ? static_cast<int>(h.index) : -1;
}
int Model::law(LawHandle h) const {
  return h.generation == generation && h.index < law_of.size() ? law_of[h.index] : -1;
}

int Model::input(InputHandle h) const {
  return h.generation == generation && h.index < inputs.size() ? static_cast<int>(h.index) : -1;
}

std::string_view Model::kind(const Object& o) const {
  if (o.pool >= 0) return pools[static_cast<std::size_t>(o.pool)].pool->kind();
  return o.moved ? body::kPrescribed : body::kGround;
}

int Model::find_object(std::string_view wanted) const { return find(objects, wanted); }
int Model::find_joint(std::string_view wanted) const { return find(joints, wanted); }
int Model::find_law(std::string_view wanted) const { return find(laws, wanted); }
int Model::find_laid_track(std::string_view wanted) const { return find(laid, wanted); }
int Model::find_input(std::string_view wanted) const { return find(inputs, wanted); }
int Model::find_transient_type(std::string_view wanted) const {
  return find(transient_types, wanted);
}

int Model::find_param(std::string_view wanted) const {
  for (const ParamBlock& block : param_blocks) {
    if (!wanted.starts_with(block.owner + ".")) continue;
    const auto rest = wanted.substr(block.owner.size() + 1);
    const auto it = std::find(block.names->begin(), block.names->end(), rest);
    if (it != block.names->end()) return block.first + static_cast<int>(it - block.names->begin());
  }
  return -1;
}

}  // namespace trammel::model
