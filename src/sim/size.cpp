#include "sim/size.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "form/formulation.h"
#include "math/index.h"
#include "model/inputs.h"
#include "model/system.h"

namespace trammel::sim {

namespace {

/// Returns the body or system with the unknowns of a block: its path in the scene, and what it is.
std::pair<std::string, std::string> owner_of(const model::Model& m, std::size_t block) {
  const model::Block& b = m.blocks[block];
  const model::PoolSlot& slot = m.pools[at(b.pool)];
  if (model::system_of(slot)) {
    const std::string name = model::system_name(m, slot, b.index);
    return {"system." + name, fmt::format("system '{}'", name)};
  }
  const model::Object& o = m.objects[at(slot.object + b.index * slot.pool->n_objects)];
  return {"body." + o.name, fmt::format("body '{}'", o.name)};
}

/// Complains of the first number that is not finite among n of a list, as of an element's.
void check_finite(const char* name, const char* what, const std::vector<double>& all, int first,
                  int n, const std::pair<std::string, std::string>& owner,
                  std::vector<Problem>& problems) {
  for (std::size_t i = at(first); i < at(first + n); ++i)
    if (!std::isfinite(all[i]))
      return problems.push_back(
          {owner.first,
           fmt::format("the {} of {} at the start is not finite (state.{}[{}] is {}): a "
                       "number that it follows from is none, or too large",
                       what, owner.second, name, i, all[i])});
}

/// The same of all bodies and systems.
void check_finite(const model::Built& built, std::vector<Problem>& problems) {
  const model::Model& m = *built.model;
  for (std::size_t i = 0; i < m.blocks.size(); ++i) {
    const model::Block& b = m.blocks[i];
    const int nq = m.pools[at(b.pool)].pool->nq;
    const std::size_t before = problems.size();
    check_finite("q", "position", built.state.q, b.q, nq, owner_of(m, i), problems);
    if (problems.size() == before)
      check_finite("P", "momentum", built.state.P, b.v, b.n, owner_of(m, i), problems);
  }
}

/// Complains of a state that is another run's, or made by hand, and does not fit the model.
void check_state(const model::Built& built, std::vector<Problem>& problems) {
  const model::Model& m = *built.model;
  const model::State& s = built.state;
  if (const std::string why = wrong_mechanism(m, s); !why.empty())
    return problems.push_back({"state", why});
  const auto sized = [&](const char* name, const auto& field, std::size_t wanted) {
    if (field.size() == wanted) return true;
    problems.push_back(
        {std::string("state.") + name,
         fmt::format("has {} numbers where the model takes {}", field.size(), wanted)});
    return false;
  };
  const auto has = [&](const char* name, const auto& field, std::size_t wanted) {
    sized(name, field, wanted);
    for (std::size_t i = 0; i < field.size(); ++i)
      if (!std::isfinite(static_cast<double>(field[i])))
        problems.push_back({fmt::format("state.{}[{}]", name, i), "is not finite"});
  };
  if (sized("q", s.q, at(m.n_q)) && sized("P", s.P, at(m.n_u))) check_finite(built, problems);
  has("s", s.s, at(m.n_arcs));
  has("piece", s.piece, at(m.n_arcs));
  has("on", s.on, m.joints.size() + s.transients.size());
  has("inputs", s.inputs, model::inputs_at_rest(m).size());
  has("rows.impulse", s.rows.impulse, m.rows.size() + rows_of(m, s.transients));
}
}  // namespace

std::vector<Problem> refused(const model::Built& built, const Settings& settings) {
  constexpr double kFine = 0.01;  // of the mechanism's size, and as an angle
  std::vector<Problem> problems;
  check_state(built, problems);
  if (!problems.empty()) return problems;
  problems = form::Formulation::refused(*built.model, built.params, settings.form);
  if (problems.empty() && settings.form.formulation == form::Settings::Formulation::energy)
    problems = constraint::touching_at_start(*built.model, built.params, built.state);
  const form::Tolerance& tolerance = settings.form.tolerance;
  const double arm = model::greatest_arm(*built.model, built.params);
  if (tolerance.value > kFine || (tolerance.in_si && arm > 0 && tolerance.value > kFine * arm))
    problems.push_back(
        {"simulation.tolerance",
         fmt::format("{} is more than a hundredth of a radian, or of the greatest lever or radius "
                     "of gyration of this mechanism, {:.3g} m: its joints would hold nothing",
                     tolerance.value, arm)});
  return problems;
}

}  // namespace trammel::sim
