#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "form/acceleration.h"
#include "form/energy.h"
#include "form/massless.h"
#include "form/velocity.h"
#include "units/problem.h"

namespace trammel::form {

/// Holds the formulation that the settings ask for. All step the same State, so that a run may go
/// on in another.
class Formulation {
  using Any = std::variant<Velocity, Acceleration, Energy>;
  static Any make(const model::Model& model, const model::Params& params,
                  const Settings& settings) {
    if (settings.formulation == Settings::Formulation::acceleration)
      return Any(std::in_place_type<Acceleration>, model, params, settings);
    if (settings.formulation == Settings::Formulation::energy)
      return Any(std::in_place_type<Energy>, model, params, settings);
    return Any(std::in_place_type<Velocity>, model, params, settings);
  }
  template <class F>
  decltype(auto) visit(F&& f) {
    return std::visit(std::forward<F>(f), form_);
  }
  template <class F>
  decltype(auto) visit(F&& f) const {
    return std::visit(std::forward<F>(f), form_);
  }

  Any form_;

 public:
  Formulation(const model::Model& model, const model::Params& params, const Settings& settings)
      : form_(make(model, params, settings)) {}

  /// Returns what the formulation of these settings cannot take of the model, with the paths of
  /// laws and joints; empty: it takes all.
  static std::vector<Problem> refused(const model::Model& model, const model::Params& params,
                                      const Settings& settings) {
    std::vector<Problem> out;
    if (settings.formulation == Settings::Formulation::energy)
      out = Energy::refused(model, params, settings);
    const std::vector<Problem> massless = without_inertia(model, params, settings);
    out.insert(out.end(), massless.begin(), massless.end());
    return out;
  }

  bool load(const model::State& state) {
    return visit([&](auto& f) { return f.load(state); });
  }
  void step(const model::Inputs& inputs, model::State& state, double h, StepReport& report) {
    visit([&](auto& f) { f.step(inputs, state, h, report); });
  }
  void project(model::State& state, const std::string& why, const std::string& subject,
               StepReport& report) {
    visit([&](auto& f) { f.project(state, why, subject, report); });
  }
  const model::Kinematics& kinematics() const {
    return visit([](const auto& f) -> auto& { return f.kinematics(); });
  }
  const model::Instant& now() const {
    return visit([](const auto& f) -> auto& { return f.now(); });
  }
  const std::vector<double>& velocities() const {
    return visit([](const auto& f) -> auto& { return f.velocities(); });
  }
  const model::Demands& demands() const {
    return visit([](const auto& f) -> auto& { return f.demands(); });
  }
  /// Returns the force of each row [N, N m]: the mean over the last step (velocity formulation), or
  /// that at its end (acceleration; energy, but midpoint: in its middle).
  const std::vector<double>& row_forces() const {
    return visit([](const auto& f) -> auto& { return f.row_forces(); });
  }
  void set_row_forces(const std::vector<double>& forces) {
    visit([&](auto& f) { f.set_row_forces(forces); });
  }
  double total_energy(const model::State& state) const {
    return visit([&](const auto& f) { return f.total_energy(state); });
  }
  bool composable() const {
    return visit([](const auto& f) { return f.composable(); });
  }
};

}  // namespace trammel::form
