#include "form/massless.h"

#include <fmt/core.h>

#include <string>

namespace trammel::form {

std::vector<Problem> without_inertia(const model::Model& model, const model::Params& params,
                                     const Settings& settings) {
  constexpr double kNone = 1e-15;  // of the greatest: rounding, see body/rigid.cpp
  std::vector<Problem> out;
  const bool impulses = settings.formulation == Settings::Formulation::velocity;
  if (impulses && settings.scheme == Settings::Scheme::rattle) return out;
  const std::string who = impulses
                              ? std::string("the scheme 'baumgarte'")
                              : fmt::format("the {} formulation", name_of(settings.formulation));
  for (const model::Object& o : model.objects) {
    if (o.pool < 0) continue;
    const model::PoolSlot& slot = model.pools[static_cast<std::size_t>(o.pool)];
    if (!slot.pool->identity()) continue;
    const auto range = slot.pool->mass_range(params.values.data() + slot.param, o.index, 1);
    if (range.least > kNone * range.most) continue;
    out.push_back(
        {"body." + o.name,
         fmt::format("body '{}' has no {}: {} divides by it; the velocity formulation "
                     "by rattle does not",
                     o.name, range.most > 0 ? "inertia in some direction" : "mass", who)});
  }
  return out;
}

}  // namespace trammel::form
