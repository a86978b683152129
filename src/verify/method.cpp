#include "verify/method.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include "constraint/barrier/unsupported.h"
#include "constraint/row_kinds.h"
#include "form/formulation.h"
#include "math/index.h"
#include "model/constraint_specs.h"
#include "verify/samples.h"
#include "verify/sticking.h"

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
  s.baumgarte.alpha = s.baumgarte.beta = 0;
  return s;
}

void add_velocity(const model::Built& built, const Settings& own, Methods& out) {
  using Scheme = Settings::Scheme;
  out.methods.push_back(
      {"velocity, rattle, order 2", velocity(own, Scheme::rattle, 2), 2, false, &built});
  const Settings fourth = velocity(own, Scheme::rattle, 4);
  // what breaks does so at the end of a step
  if (form::Formulation(*built.model, built.params, fourth).composable() &&
      built.model->strengths.empty())
    out.methods.push_back({"velocity, rattle, order 4", fourth, 4, false, &built});
  else
    out.left_out.push_back(
        {"velocity, rattle, order 4",
         "something dissipates, stops, breaks or has bounds: it cannot be composed"});
  if (own.formulation == Settings::Formulation::velocity && own.scheme == Scheme::baumgarte)
    out.methods.push_back(
        {"velocity, baumgarte", velocity(own, Scheme::baumgarte, 2), 1, false, &built});
}

void add_acceleration(const model::Built& built, const Settings& own, Methods& out) {
  const Settings dp8 = acceleration(own, RungeKuttaMethod::dp8);
  const auto refused = form::Formulation::refused(*built.model, built.params, dp8);
  if (!refused.empty()) {
    out.left_out.push_back({"acceleration", refused.front().text});
    return;
  }
  out.methods.push_back({"acceleration, dp8", dp8, 0, false, &built});
  const RungeKutta method(own.method, 0);
  if (own.formulation == Settings::Formulation::acceleration && own.method != RungeKuttaMethod::dp8)
    out.methods.push_back({fmt::format("acceleration, {}", name_of(own.method)),
                           acceleration(own, own.method),
                           method.estimates_error() ? 0 : method.order(), false, &built});
}

/// Bodies that strain, or that are objects of systems: which move by energy as by the others.
bool wants_energy(const model::Model& m) {
  return std::any_of(m.pools.begin(), m.pools.end(), [](const model::PoolSlot& s) {
    const bool strains = body::can_strain(s.pool->motion_kind());
    return (strains || !s.pool->identity()) && s.pool->embeds() && s.pool->n_blocks > 0;
  });
}

/// Why stiff joints by energy would still be another mechanism than in the other formulations.
std::string another_mechanism(const model::Built& built, double stiffness) {
  const model::Model& m = *built.model;
  const bool published = stiffness < 0;
  const model::ConstraintSpecs specs(m, built.params);
  const std::vector<int> stops = constraint::kinds_of(specs).stops;
  if (std::isfinite(stiffness) && !stops.empty())
    return fmt::format("'{}' has a stop: what an impact leaves in soft joints swings on",
                       m.joints[at(m.rows[at(stops.front())].joint)].name);
  const std::vector<char> deformable = model::deformable(m, specs);
  for (const model::Joint& j : m.joints)
    if (published && model::terms_hold_more(j, deformable))
      return fmt::format("joint '{}' as published holds the stretch of axes too", j.name);
  return "";
}

/// True where a row holds a place, or keeps to one side of it: which stiff joints let go of.
bool holds_places(const model::Built& built) {
  return !constraint::kinds_of({*built.model, built.params}).places.empty();
}

/// Frictions and motors with bounds: by energy their forces are smoothed.
bool smoothed(const model::Built& built) { return !rows_that_may_stick(built).empty(); }

void add_energy_method(const model::Built& built, Settings s, const std::string& more, bool soft,
                       Methods& out) {
  s.formulation = Settings::Formulation::energy;
  const std::string name = fmt::format("energy, {}, {}", name_of(s.difference), more);
  std::string why;
  if (const auto refused = form::Formulation::refused(*built.model, built.params, s);
      !refused.empty())
    why = refused.front().text;
  else
    why = another_mechanism(built, s.joint_stiffness);
  if (why.empty()) why = constraint::unlike_others(built);
  if (why.empty())
    out.methods.push_back({name, s, order_of(s.difference), soft, &built});
  else
    out.left_out.push_back({name, why});
}

/// Where the scene asks for it, has affine bodies, systems or contacts: with joints that hold, and
/// with soft ones as they get stiff. As published they do so by themselves as steps get short.
void add_energy(const model::Built& built, const Settings& own, Methods& out) {
  const bool touches = can_touch(*built.model);
  const bool asked = own.formulation == Settings::Formulation::energy || wants_energy(*built.model);
  if (!asked && !touches) return;
  const bool sharp = !smoothed(built) && !touches;
  Settings holds = own;
  holds.joint_stiffness = law::kInf;
  if (own.difference == Settings::Difference::midpoint)
    holds.difference = Settings::Difference::bdf2;
  add_energy_method(built, holds, "rows", !sharp, out);
  if (!asked) return;
  if (own.joint_stiffness < 0)
    add_energy_method(built, own, "as published", !sharp, out);
  else if (std::isfinite(own.joint_stiffness) && holds_places(built))
    add_energy_method(built, own, "soft joints", true, out);
}

}  // namespace

Methods methods_of(const model::Built& built, const Settings& own) {
  Methods out;
  add_velocity(built, own, out);
  add_acceleration(built, own, out);
  add_energy(built, own, out);
  return out;
}

namespace {

std::map<std::string, int> free_by_name(const model::Model& m) {
  std::map<std::string, int> out;
  for (const int i : free_bodies(m)) out.emplace(m.objects[static_cast<std::size_t>(i)].name, i);
  return out;
}

std::string last_part(const std::string& name) { return name.substr(name.find_last_of('.') + 1); }

}  // namespace

void add_twin(Methods& methods, const model::Built& built, const model::Built& twin,
              const Methods& of_twin) {
  const std::map<std::string, int> mine = free_by_name(*built.model),
                                   others = free_by_name(*twin.model);
  std::vector<int> here, there;
  for (const auto& [name, object] : mine) {
    auto it = others.find(name);
    if (it == others.end()) it = others.find(last_part(name));
    if (it == others.end())
      it = std::find_if(others.begin(), others.end(),
                        [&](const auto& o) { return last_part(o.first) == name; });
    if (it == others.end()) continue;
    here.push_back(object);
    there.push_back(it->second);
  }
  if (here.empty()) throw std::invalid_argument("no body of the one is a body of the other");
  if (built.state.t != twin.state.t)
    throw std::invalid_argument(
        fmt::format("the one begins at {} s, the other at {} s", built.state.t, twin.state.t));
  for (Method& m : methods.methods) m.compared = here;
  for (Method m : of_twin.methods) {
    m.name = "twin, " + m.name;
    m.compared = there;
    methods.methods.push_back(std::move(m));
  }
  for (const LeftOut& l : of_twin.left_out) methods.left_out.push_back({"twin, " + l.name, l.why});
}

Method stiffened(const Method& method, int level, model::Built& holder) {
  Method out = method;
  out.built = &holder;
  const double times = std::pow(kStiffer, level);
  out.times = times;
  out.name += fmt::format(", {:.0f} times as stiff", times);
  holder = *method.built;
  const bool soft = method.form.joint_stiffness > 0 && std::isfinite(method.form.joint_stiffness);
  if (soft) out.form.joint_stiffness *= times;
  out.form.barrier.distance /= times;
  out.form.barrier.slip_speed /= times;
  for (const model::LawOnRow& l : holder.model->laws) {
    const law::Type& type = *l.law.type;
    const bool holds = type.energy == nullptr;
    double* p = holder.params.values.data() + l.law.first_param;
    for (std::size_t k = 0; k < type.parameters.size(); ++k) {
      if (type.parameters[k].name == "smoothing") p[k] /= times;
      if (type.parameters[k].name == "stiffness" && holds && soft) p[k] *= times;
    }
  }
  return out;
}

}  // namespace trammel::verify
