#include "form/unsupported.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>

#include "constraint/cone.h"
#include "constraint/forces/unsupported.h"
#include "math/index.h"
#include "model/kinematics.h"

namespace trammel::form {

/// Returns what a body lacks of inertia, "mass" or "inertia in some direction"; empty: nothing.
static std::string lacks(const model::Model& model, const model::Params& params,
                         const model::Object& o) {
  constexpr double kNone = 1e-15;  // of the greatest: rounding, see body/rigid.cpp
  if (o.pool < 0) return "";
  const model::PoolSlot& slot = model.pools[at(o.pool)];
  if (!slot.pool->identity()) return "";
  const double *of = params.values.data() + slot.param, r = slot.pool->gyration(of, o.index, 0);
  const auto range = slot.pool->mass_range(of, o.index, r > 0 ? r : model.scales.length);
  if (range.least > kNone * range.most) return "";
  return range.most > 0 ? "inertia in some direction" : "mass";
}

std::vector<Problem> without_inertia(const model::Model& model, const model::Params& params,
                                     const Settings& settings) {
  std::vector<Problem> out;
  const bool impulses = settings.formulation == Settings::Formulation::velocity;
  if (impulses && settings.scheme == Settings::Scheme::rattle) return out;
  const std::string who = impulses
                              ? std::string("the scheme 'baumgarte'")
                              : fmt::format("the {} formulation", name_of(settings.formulation));
  for (const model::Object& o : model.objects)
    if (const std::string none = lacks(model, params, o); !none.empty())
      out.push_back({"body." + o.name,
                     fmt::format("body '{}' has no {}: {} divides by it; the velocity formulation "
                                 "by rattle does not",
                                 o.name, none, who)});
  return out;
}

std::vector<Problem> without_cones(const model::Model& model, const model::Params& params,
                                   const Settings& settings) {
  std::vector<Problem> out;
  if (settings.formulation == Settings::Formulation::energy) return out;
  const auto cones = constraint::cones_of(model, model::ConstraintSpecs(model, params));
  if (cones.empty()) return out;
  const bool forces = settings.formulation == Settings::Formulation::acceleration;
  if (!forces && !model::Kinematics(model, params).light()) return out;
  std::string light;
  for (const model::Object& o : model.objects)
    if (const std::string none = lacks(model, params, o); light.empty() && !none.empty())
      light = fmt::format(": body '{}' has no {}", o.name, none);
  for (const solve::Cone& c : cones) {
    if (forces && !c.pads.empty()) continue;
    const model::RowInfo& row = model.rows[at(c.tangent[0])];
    const model::LawOnRow& law = model.laws[at(row.law)];
    const std::string& joint = model.joints[at(row.joint)].name;
    out.push_back(
        {law.path,
         fmt::format("law '{}' on joint '{}': friction that follows a normal force is {}", law.name,
                     joint,
                     forces ? "not taken by the acceleration formulation: take velocity or energy"
                            : "not taken beside light bodies" + light +
                                  "; give bodies mass and inertia in all directions, or take "
                                  "'friction' of a given force")});
  }
  return out;
}

std::vector<Problem> without_contact(const model::Model& model, const model::Params& params,
                                     const Settings& settings) {
  if (!can_touch(model)) return {};
  using Kind = Settings::Formulation;
  if (settings.formulation == Kind::acceleration) {
    std::vector<Problem> out = constraint::without_forces(model, params);
    if (out.empty() && settings.baumgarte.acts())
      out.push_back(constraint::not_by_forces("with Baumgarte's terms (alpha, beta)"));
    return out;
  }
  if (settings.formulation == Kind::energy) return {};  // see Energy::unsupported()
  if (settings.scheme == Settings::Scheme::baumgarte)
    return {{"contact",
             "contact between shapes is not taken by the scheme 'baumgarte': take "
             "rattle"}};
  if (model::Kinematics(model, params).light())
    return {{"contact",
             "contact between shapes is not taken beside light bodies (see the masses and "
             "inertias): give them more"}};
  return {};
}

}  // namespace trammel::form
