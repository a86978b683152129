// What the acceleration formulation cannot take yet, said at once.
#include <fmt/core.h>

#include "form/acceleration.h"

namespace trammel::form {

namespace {
/// A row that is to give way and be led back.
bool gives_way(const law::Demand& d) { return d.level == law::Level::position && d.bounded(); }
}  // namespace

std::vector<Problem> Acceleration::refused(const model::Model& model, const model::Params& params) {
  std::vector<Problem> out;
  const model::Demands demands(model, params);
  for (std::size_t i = 0; i < model.rows.size(); ++i) {
    if (!gives_way(demands[i])) continue;
    const model::LawOnRow& law = model.laws[static_cast<std::size_t>(model.rows[i].law)];
    const model::Joint& joint = model.joints[static_cast<std::size_t>(model.rows[i].joint)];
    out.push_back(
        {law.path.empty() ? joint.path : law.path,
         fmt::format("the acceleration formulation cannot let row '{}' of joint '{}' give "
                     "way at its greatest force ({} law); the velocity formulation can",
                     model.rows[i].name, joint.name, law.law.type->name)});
  }
  for (const model::Strength& s : model.strengths) {
    const model::Joint& joint = model.joints[static_cast<std::size_t>(s.joint)];
    out.push_back(
        {joint.path, fmt::format("the acceleration formulation cannot break joint '{}' yet; the "
                                 "velocity formulation can",
                                 joint.name)});
  }
  return out;
}

}  // namespace trammel::form
