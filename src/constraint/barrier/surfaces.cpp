// Contact shapes as surfaces that repel each other.
#include "constraint/barrier/surfaces.h"

#include <fmt/core.h>

#include "contact/barrier_cut.h"
#include "math/index.h"
#include "model/kinematics.h"

namespace trammel::constraint {

std::string shown(const model::Model& model, const model::ContactShape& s) {
  if (!s.name.empty()) return fmt::format("contact shape '{}'", s.name);
  return s.object == 0
             ? "an obstacle"
             : fmt::format("a contact shape of body '{}'", model.objects[at(s.object)].name);
}

std::shared_ptr<const BarrierSurfaces> surfaces_of(const model::Model& model) {
  if (!model.contacts.any()) return {};
  auto out = std::make_shared<BarrierSurfaces>();
  for (const model::ContactShape& s : model.contacts.shapes)
    out->all.push_back({s.object, std::make_shared<const contact::barrier::Surface>(
                                      moved(contact::barrier::surface_of(s.shape), s.X_OS))});
  out->may_meet = [rule = model::pair_rule(model)](int a, int b) { return rule.may_meet(a, b); };
  out->friction = [&model](int a, int b) { return model.contacts.law(a, b).friction; };
  return out;
}

std::vector<Problem> touching_at_start(const model::Model& model, const model::Params& params,
                                       const model::State& state) {
  const double apart =
      0.999 * BarrierNumbers().distance;  // nearer, the barrier would be a loaded spring
  const auto surfaces = surfaces_of(model);
  if (!surfaces) return {};
  const model::Kinematics kin(model, params);
  model::KinematicsCache cache = kin.make_cache();
  kin.transforms(state.q.data(), state.t, cache);
  std::vector<Problem> out;
  const auto& all = surfaces->all;
  const contact::PairRule rule = model::pair_rule(model);
  for (std::size_t a = 0; a < all.size(); ++a)
    for (std::size_t b = a + 1; b < all.size(); ++b) {
      const int A = all[a].object, B = all[b].object;
      if (!rule.may_meet(A, B)) continue;
      const contact::barrier::Placed one{all[a].surface.get(), cache.T_WO[at(A)]},
          other{all[b].surface.get(), cache.T_WO[at(B)]};
      if (!contact::barrier::cut(one, other, apart)) continue;
      const auto& shapes = model.contacts.shapes;
      out.push_back(
          {shapes[b].path,
           fmt::format(
               "{} and {} touch or overlap at the start, or are less than {:g} mm apart: by "
               "energy a barrier holds apart what starts apart, and within that distance "
               "it is a loaded spring: leave a gap",
               shown(model, shapes[a]), shown(model, shapes[b]), 1e3 * BarrierNumbers().distance)});
    }
  return out;
}

}  // namespace trammel::constraint
