#include "verify/method.h"

#include <fmt/format.h>

#include <cmath>

#include "form/formulation.h"

namespace trammel::verify {

namespace {

using form::Settings;

form::Settings velocity(Settings s, Settings::Scheme scheme, int order) {
  s.formulation = Settings::Formulation::velocity;
  s.scheme = scheme;
  s.order = order;
  return s;
}

form::Settings acceleration(Settings s, RungeKuttaMethod method) {
  s.formulation = Settings::Formulation::acceleration;
  s.method = method;
  s.baumgarte_alpha = s.baumgarte_beta = 0;
  return s;
}

void add_velocity(const model::Built& built, const Settings& own, Methods& out) {
  using Scheme = Settings::Scheme;
  out.methods.push_back({"velocity, rattle, order 2", velocity(own, Scheme::rattle, 2), 2, &built});
  const Settings fourth = velocity(own, Scheme::rattle, 4);
  // what breaks does so at the end of a step
  if (form::Formulation(*built.model, built.params, fourth).composable() &&
      built.model->strengths.empty())
    out.methods.push_back({"velocity, rattle, order 4", fourth, 4, &built});
  else
    out.left_out.push_back(
        {"velocity, rattle, order 4",
         "something dissipates, stops, breaks or has bounds: it cannot be composed"});
  if (own.formulation == Settings::Formulation::velocity && own.scheme == Scheme::baumgarte)
    out.methods.push_back({"velocity, baumgarte", velocity(own, Scheme::baumgarte, 2), 1, &built});
}

void add_acceleration(const model::Built& built, const Settings& own, Methods& out) {
  const Settings dp8 = acceleration(own, RungeKuttaMethod::dp8);
  const auto refused = form::Formulation::refused(*built.model, built.params, dp8);
  if (!refused.empty()) {
    out.left_out.push_back({"acceleration", refused.front().text});
    return;
  }
  out.methods.push_back({"acceleration, dp8", dp8, 0, &built});
  const RungeKutta method(own.method, 0);
  if (own.formulation == Settings::Formulation::acceleration && own.method != RungeKuttaMethod::dp8)
    out.methods.push_back({fmt::format("acceleration, {}", name_of(own.method)),
                           acceleration(own, own.method),
                           method.estimates_error() ? 0 : method.order(), &built});
}

/// Holding joints have the limit of the other formulations; soft ones are another mechanism.
void add_energy(const model::Built& built, const Settings& own, Methods& out) {
  if (own.formulation != Settings::Formulation::energy) return;
  const std::string name = fmt::format("energy, {}", name_of(own.difference));
  if (std::isinf(own.joint_stiffness))
    out.methods.push_back({name, own, order_of(own.difference), &built});
  else
    out.left_out.push_back({name,
                            "its joints are soft, in the others they hold: compare with "
                            "joint_stiffness = \"inf\""});
}

}  // namespace

Methods methods_of(const model::Built& built, const Settings& own) {
  Methods out;
  add_velocity(built, own, out);
  add_acceleration(built, own, out);
  add_energy(built, own, out);
  return out;
}

}  // namespace trammel::verify
