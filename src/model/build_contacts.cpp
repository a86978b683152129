// What bodies, pools and joints mean for contact, whose own rules are those of contact/.
#include <algorithm>
#include <type_traits>

#include "contact/scene_maker.h"
#include "math/index.h"
#include "model/draft.h"

namespace trammel::model {

namespace {

/// Of a body, or of an object of a pool.
template <class SpecOf>
contact::Toucher toucher_of(const Draft& d, const std::string& name, const SpecOf& s) {
  contact::Toucher out{name, s.path, s.material, s.electric, s.contacts};
  if (const auto known = d.objects.find(name); known != d.objects.end()) {
    const Object& o = d.model.objects[at(known->second)];
    out.object = known->second;
    out.stands = o.block < 0;
    out.com = o.com;
  }
  if constexpr (std::is_same_v<SpecOf, BodySpec>) {
    out.is_body = true;
    out.solids_touch = s.solids_touch;
    out.has_no_mass = !s.motion && s.mass == 0 && !s.density && s.solids.empty();
    if (s.solid) out.solids.push_back({.solid = *s.solid, .X_BS = {s.com, Mat3::Identity()}});
    out.solids.insert(out.solids.end(), s.solids.begin(), s.solids.end());
    out.surface = s.surface;
  }
  return out;
}

/// The pairs of objects that joints connect, sorted.
std::vector<std::array<int, 2>> joined_pairs(const std::vector<Joint>& joints) {
  std::vector<std::array<int, 2>> out;
  for (const Joint& j : joints) {
    if (j.coupling >= 0 || j.strain() || j.table->rows.empty()) continue;
    if (std::min(j.object_A, j.object_B) == 0) continue;  // the ground is everywhere
    out.push_back({std::min(j.object_A, j.object_B), std::max(j.object_A, j.object_B)});
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

void Draft::add_contacts(const std::vector<BodySpec>& bodies, const std::vector<PoolSpec>& pools,
                         const ContactSpecs& specs) {
  contact::SceneMaker maker(specs, model.contacts, problems);
  for (const BodySpec& b : bodies) maker.add(toucher_of(*this, b.name, b));
  for (const PoolSpec& p : pools)
    for (std::size_t i = 0; i < std::min(p.outlines.size(), p.objects.size()); ++i)
      maker.add(toucher_of(*this, p.objects[i], p.outlines[i]));
  maker.finish();
}

void Draft::pair_contacts(const ContactSpecs& specs) {
  contact::Objects all;
  for (const Object& o : model.objects) {
    all.names.emplace_back(o.name);
    all.fixed.push_back(o.block < 0);
  }
  all.find = [this](const std::string& name, const std::string& path) {
    return object(name, path);
  };
  contact::pair_up(specs, all, joined_pairs(model.joints), model.contacts, problems);
}

}  // namespace trammel::model
