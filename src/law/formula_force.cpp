#include "law/formula_force.h"

#include "expr/adapters.h"
#include "expr/switches.h"

namespace trammel::law {

FormulaForce formula_force(expr::Expression f, std::span<const expr::Expression> variables,
                           std::vector<std::string> live) {
  expr::Compiled c = expr::compile_force(f, variables);
  if (!c) return {nullptr, std::move(c.error)};
  expr::SwitchesOf switches(f, variables, variables[2]);
  const auto of = [force = expr::ForceOf(std::move(c.tape))](double x, double v, double t,
                                                             std::span<const double> now) {
    const expr::ForceValue value = force(x, v, t, now);
    return Force{value.f, value.f_x, value.f_v};
  };
  const std::vector<double> none(live.size());
  auto out = std::make_shared<ForceFunction>(
      [of, none](double x, double v, double t) { return of(x, v, t, none); });
  if (!live.empty()) {
    out->live = std::move(live);
    out->of_live = of;
  }
  if (!switches.empty()) out->switches = std::move(switches);
  out->of_time = expr::depends(f, variables[2]);
  return {std::move(out), "", is_constant(f) ? std::optional(constant_value(f)) : std::nullopt};
}

}  // namespace trammel::law
