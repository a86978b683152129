// What the acceleration formulation cannot take yet, said at once.
#include <fmt/core.h>

#include "form/acceleration.h"

namespace trammel::form {

namespace {
/// Why not, of a law; empty: it can be taken.
const char* why_not(const law::Demand& d) {
  switch (d.level) {
    case law::Level::position:
      return d.bounded() ? "its row gives way at a greatest force" : "";
    case law::Level::stops:
      return "it stops the coordinate by blows";
    case law::Level::velocity:
      return d.bounded() ? "it sticks and slips at a greatest force" : "";
    case law::Level::force:
      break;
  }
  return "";
}
}  // namespace

std::vector<Problem> Acceleration::refused(const model::Model& model, const model::Params& params) {
  std::vector<Problem> out;
  const model::Demands demands(model, params);
  for (std::size_t i = 0; i < model.rows.size(); ++i) {
    const std::string why = why_not(demands[i]);
    if (why.empty()) continue;
    const model::LawOnRow& law = model.laws[static_cast<std::size_t>(model.rows[i].law)];
    const model::Joint& joint = model.joints[static_cast<std::size_t>(model.rows[i].joint)];
    out.push_back({law.path.empty() ? joint.path : law.path,
                   fmt::format("the acceleration formulation cannot take the {} law on '{}' of "
                               "joint '{}': {}; the velocity formulation can",
                               law.law.type->name, model.rows[i].name, joint.name, why)});
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
