// Contact shapes as surfaces that repel each other.
#include "form/contact_surfaces.h"

#include <fmt/core.h>

#include "contact/barrier_cut.h"
#include "math/index.h"
#include "model/kinematics.h"

namespace trammel::form {

namespace {

/// Returns why a shape does not go by a barrier; empty: it does.
std::string why_not(const model::Model& model, const model::ContactShape& s) {
  using Kind = contact::Shape::Kind;
  const Kind kind = s.shape.kind;
  if (kind == Kind::plane || kind == Kind::grid)
    return fmt::format("is a {}, which the energy formulation does not take: take velocity",
                       contact::name_of(kind));
  if (kind == Kind::half_space && s.object != 0)
    return "is a half-space on a body: the energy formulation has them as obstacles only";
  if (!s.surface_velocity.isZero(0))
    return "has a surface velocity, which the energy formulation does not take: take velocity";
  if (model.objects[at(s.object)].moved)
    return "is on a body whose motion is given: the energy formulation does not let it touch";
  return {};
}

/// How a problem names a shape.
std::string shown(const model::Model& model, const model::ContactShape& s) {
  if (!s.name.empty()) return fmt::format("contact shape '{}'", s.name);
  return s.object == 0
             ? "an obstacle"
             : fmt::format("a contact shape of body '{}'", model.objects[at(s.object)].name);
}

/// Returns what of a law is more than friction; empty: nothing.
std::string_view beyond_friction(const model::ContactLaw& law) {
  if (law.restitution != 0) return "restitution";
  if (law.rolling != 0) return "rolling friction";
  if (law.spinning != 0) return "spinning friction";
  if (law.cohesion != 0) return "cohesion";
  return {};
}

}  // namespace

std::shared_ptr<const ContactSurfaces> surfaces_of(const model::Model& model) {
  if (!model.contacts.any()) return {};
  auto out = std::make_shared<ContactSurfaces>();
  for (const model::ContactShape& s : model.contacts.shapes)
    out->all.push_back({s.object, std::make_shared<const contact::barrier::Surface>(
                                      moved(contact::barrier::surface_of(s.shape), s.X_OS))});
  out->may_meet = [rule = model::pair_rule(model)](int a, int b) { return rule.may_meet(a, b); };
  out->friction = [&model](int a, int b) { return model.contacts.law(a, b).friction; };
  return out;
}

std::vector<Problem> without_barrier(const model::Model& model) {
  std::vector<Problem> out;
  for (const model::ContactShape& s : model.contacts.shapes)
    if (const std::string why = why_not(model, s); !why.empty())
      out.push_back({s.path, fmt::format("{} {}", shown(model, s), why)});
  const std::vector<std::string>& materials = model.contacts.materials;
  for (std::size_t a = 0; a < materials.size(); ++a)
    for (std::size_t b = a; b < materials.size(); ++b) {
      const std::string_view what = beyond_friction(model.contacts.laws[a * materials.size() + b]);
      if (!what.empty())
        out.push_back({"contact", fmt::format("{} between '{}' and '{}': the energy formulation "
                                              "has friction only: take "
                                              "velocity",
                                              what, materials[a], materials[b])});
    }
  return out;
}

std::vector<Problem> touching_at_start(const model::Model& model, const model::Params& params,
                                       const model::State& state) {
  const double apart = 0.999 * Barrier().distance;  // nearer, the barrier would be a loaded spring
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
               shown(model, shapes[a]), shown(model, shapes[b]), 1e3 * Barrier().distance)});
    }
  return out;
}

}  // namespace trammel::form
