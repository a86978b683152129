// Models that the energy formulation cannot take, reported all at once.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "constraint/barrier/unsupported.h"
#include "constraint/potential.h"
#include "form/energy.h"
#include "form/unsupported.h"
#include "model/followed.h"
#include "model/system.h"

namespace trammel::form {

namespace {
constexpr const char* kFollows =
    "has no potential for a force that follows other coordinates: take velocity or acceleration";

/// What a law is called in a complaint: of what systems have of their own they are the subject.
std::string called(const model::Model& model, const model::RowInfo& row) {
  const model::LawOnRow& law = model.laws[static_cast<std::size_t>(row.law)];
  const model::Joint& joint = model.joints[static_cast<std::size_t>(row.joint)];
  const model::Object& dial = model.objects[static_cast<std::size_t>(joint.object_B)];
  const std::size_t dot = joint.name.rfind('.');
  const std::string key = law.name.substr(std::min(law.name.size(), joint.name.size() + 1));
  const bool own = (key == "dissipation" || key == "force") && law.name == joint.name + "." + key;
  if (own && model::is_dial(model, dial) && dot != std::string::npos)
    return fmt::format("the {} of system '{}' on its coordinate '{}'", key,
                       joint.name.substr(0, dot), joint.name.substr(dot + 1));
  return fmt::format("row '{}' of joint '{}' ({} law)", row.name, joint.name, law.law.type->name);
}
/// Joints whose stiffness would be by masses that are not there.
void add_massless(const model::Model& model, const model::Params& params,
                  std::vector<Problem>& out) {
  for (const model::Joint& joint : model.joints) {
    double mass = 0;
    bool carried = false;
    for (const int i : {joint.object_A, joint.object_B}) {
      const model::Object& o = model.objects[static_cast<std::size_t>(i)];
      if (o.block < 0) continue;
      const model::PoolSlot& s = model.pools[static_cast<std::size_t>(o.pool)];
      mass += s.pool->mass(params.values.data() + s.param, o.index / s.pool->n_objects,
                           o.index % s.pool->n_objects);
      carried |= o.jacobian >= 0;
    }
    if (!carried || mass > 0 || joint.table->rows.empty()) continue;
    out.push_back({joint.path, fmt::format("joint '{}': 'gamma' is a stiffness by the masses of "
                                           "its bodies, which have none: give a joint_stiffness",
                                           joint.name)});
  }
}
}  // namespace

std::vector<Problem> Energy::unsupported(const model::Model& model, const model::Params& params,
                                         const Settings& settings) {
  std::vector<Problem> out;
  const bool mid = settings.difference == Settings::Difference::midpoint;
  if (mid && std::isinf(settings.joint_stiffness))
    out.push_back({"simulation.difference",
                   "midpoint holds rows in the middle of a step and not at its end: joints of "
                   "infinite stiffness want bdf1 or bdf2"});
  for (const model::PoolSlot& s : model.pools)
    if (!s.pool->embeds())
      out.push_back({"body", fmt::format("the energy formulation takes bodies whose inertia is "
                                         "that of their places, not {} ones",
                                         s.pool->kind())});
  for (const model::Coupling& c : model.couplings)
    if (settings.joint_stiffness < 0)
      out.push_back(
          {model.joints[static_cast<std::size_t>(c.joint)].path,
           "'gamma' is a stiffness by the masses of two bodies, which a coupling has not: "
           "give a joint_stiffness"});
  if (settings.joint_stiffness < 0) add_massless(model, params, out);
  const model::ConstraintSpecs specs(model, params);
  const bool given = settings.surfaces != nullptr;
  if (mid && (given || can_touch(model)))
    out.push_back({"simulation.difference",
                   "midpoint goes on from the middle of a step to its end, past the barrier that "
                   "keeps surfaces apart: contact wants bdf1 or bdf2"});
  for (Problem& p : constraint::without_barrier(model, specs, given)) out.push_back(std::move(p));
  for (std::size_t i = 0; i < model.rows.size(); ++i) {
    const model::LawOnRow& law = model.laws[static_cast<std::size_t>(model.rows[i].law)];
    const model::Joint& joint = model.joints[static_cast<std::size_t>(model.rows[i].joint)];
    std::string why = constraint::without_potential(specs[i]);
    if (why.empty() && model.rows[i].part == 0)  // as the law has it, where a rate is held instead
      why = constraint::without_potential(
          law.law.type->constraint(law.law, params.values.data() + law.law.first_param, 0));
    if (mid && model.rows[i].row.shape() && specs[i].holds_value())
      why = "by midpoint does not hold shapes that are infinitely stiff";
    if (mid && !model.rows[i].row.holonomic()) why = "by midpoint does not hold rates";
    if (mid && why.empty() && specs[i].unilateral())
      why = "by midpoint does not stop rows: take bdf1 or bdf2";
    if (law::follows(law.law) && !law.law.type->follows_load)
      why = "has no potential for a bound that follows the motion: take velocity or acceleration";
    if (model::follows_coordinates(law.law)) why = kFollows;
    if (std::string wrong = constraint::without_friction_at_rest(specs[i]); !wrong.empty())
      why = std::move(wrong);
    if (mid && specs[i].is_friction()) why = "by midpoint does not hold rates";
    if (why.empty()) continue;
    out.push_back(
        {law.path.empty() ? joint.path : law.path,
         fmt::format("{}: the energy formulation {}", called(model, model.rows[i]), why)});
  }
  for (const model::TransientType& type : model.transient_types)
    for (const model::LawOnRow& law : type.laws)
      if (model::follows_coordinates(law.law))
        out.push_back(
            {law.path, fmt::format("law '{}': the energy formulation {}", law.name, kFollows)});
  return out;
}

}  // namespace trammel::form
