#include "constraint/barrier/unsupported.h"

#include <fmt/core.h>

#include <string>
#include <string_view>

#include "constraint/barrier/surfaces.h"
#include "math/index.h"

namespace trammel::constraint {

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

/// Returns what of a law is more than friction; empty: nothing.
std::string_view beyond_friction(const model::ContactLaw& law) {
  if (law.restitution != 0) return "restitution";
  if (law.rolling != 0) return "rolling friction";
  if (law.spinning != 0) return "spinning friction";
  if (law.cohesion != 0) return "cohesion";
  return {};
}

void add_of_shapes(const model::Model& model, std::vector<Problem>& out) {
  for (const model::ContactShape& s : model.contacts.shapes)
    if (const std::string why = why_not(model, s); !why.empty())
      out.push_back({s.path, fmt::format("{} {}", shown(model, s), why)});
  const std::vector<std::string>& materials = model.contacts.materials;
  for (std::size_t a = 0; a < materials.size(); ++a)
    for (std::size_t b = a; b < materials.size(); ++b) {
      const std::string_view what = beyond_friction(model.contacts.laws[a * materials.size() + b]);
      if (!what.empty())
        out.push_back({"contact", fmt::format("{} between '{}' and '{}': the energy formulation "
                                              "has friction only: take velocity",
                                              what, materials[a], materials[b])});
    }
}

void add_of_rows(const model::Model& model, const model::ConstraintSpecs& specs,
                 std::vector<Problem>& out) {
  for (std::size_t i = 0; i < model.rows.size(); ++i) {
    if (!specs[i].unilateral() && !specs[i].is_friction()) continue;
    const model::Joint& joint = model.joints[at(model.rows[i].joint)];
    out.push_back(
        {joint.path, fmt::format("row '{}' of joint '{}': stops and friction of joints do not go "
                                 "with contact in the energy formulation",
                                 model.rows[i].name, joint.name)});
  }
}

}  // namespace

std::vector<Problem> without_barrier(const model::Model& model, const model::ConstraintSpecs& specs,
                                     bool given) {
  std::vector<Problem> out;
  if (!given && !can_touch(model)) return out;
  if (given && can_touch(model))
    out.push_back({"contact",
                   "the energy formulation takes contact shapes, or surfaces that a program gives, "
                   "not both"});
  add_of_shapes(model, out);
  add_of_rows(model, specs, out);
  return out;
}

std::string unlike_others(const model::Built& built) {
  using Kind = contact::Shape::Kind;
  for (const model::ContactShape& s : built.model->contacts.shapes)
    for (const Kind round :
         {Kind::sphere, Kind::capsule, Kind::cylinder, Kind::cone, Kind::ellipsoid})
      if (s.shape.kind == round)
        return fmt::format(
            "{} {} of '{}' touches: by energy it is a polyhedron, which rocks where it would roll",
            round == Kind::ellipsoid ? "an" : "a", contact::name_of(round),
            built.model->objects[at(s.object)].name);
  const auto touching = touching_at_start(*built.model, built.params, built.state);
  return touching.empty()
             ? ""
             : "bodies touch at the start, and a barrier holds apart what starts apart";
}

}  // namespace trammel::constraint
