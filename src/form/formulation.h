#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "form/acceleration.h"
#include "form/energy.h"
#include "form/unsupported.h"
#include "form/velocity.h"
#include "model/reactions.h"
#include "model/transient.h"
#include "units/problem.h"

namespace trammel::form {

/// Holds the formulation that the settings ask for. All step the same State, so that a run may go
/// on in another. A state with other transient joints than before, or with a joint on another
/// track, is of another mechanism: load() makes the formulation anew for it.
class Formulation {
  using Any = std::variant<std::monostate, Velocity, Acceleration, Energy>;
  using Kind = Settings::Formulation;

  void make(const model::Model& model) {
    if (settings_.formulation == Kind::acceleration)
      form_.emplace<Acceleration>(model, *params_, settings_);
    else if (settings_.formulation == Kind::energy)
      form_.emplace<Energy>(model, *params_, settings_);
    else
      form_.emplace<Velocity>(model, *params_, settings_);
  }
  void take(const model::State& state) {
    given_.clear();
    form_.emplace<std::monostate>();  // it refers to the mechanism that is about to change
    if (!extended_) extended_ = std::make_unique<model::Model>(*model_);
    model::extend(*model_, state, *extended_);
    remember(state);
    make(*extended_);
  }
  void remember(const model::State& state) {
    of_.transients = state.transients;
    of_.laid = state.laid;
  }
  template <class Self, class F>
  static decltype(auto) visit(Self& self, F&& f) {
    using Result = decltype(f(std::get<Velocity>(self.form_)));
    return std::visit(
        [&](auto& form) -> Result {
          if constexpr (!std::is_same_v<std::remove_cvref_t<decltype(form)>, std::monostate>)
            return f(form);
          else
            throw std::logic_error("there is no formulation");
        },
        self.form_);
  }

  const model::Model* model_;
  const model::Params* params_;
  Settings settings_;
  std::unique_ptr<model::Model> extended_;  // the mechanism now; null: it is the model as built
  model::State of_;                         // what says which mechanism it is, and no more
  // reactions over a step that another process, or another state, has made; empty: none
  std::vector<model::Reaction> given_;
  Any form_;

 public:
  Formulation(const model::Model& model, const model::Params& params, const Settings& settings)
      : model_(&model), params_(&params), settings_(settings) {
    of_.laid = model::laid_at_start(model);
    make(model);
  }

  /// Returns what the formulation of these settings cannot take of the model, with the paths of
  /// laws and joints; empty: it takes all.
  static std::vector<Problem> refused(const model::Model& model, const model::Params& params,
                                      const Settings& settings) {
    if (!model.transient_types.empty()) {
      model::Model plain = model::with_samples(model);
      plain.transient_types.clear();
      return refused(plain, params, settings);
    }
    std::vector<Problem> out = without_inertia(model, params, settings);
    const auto add = [&](const std::vector<Problem>& more) {
      out.insert(out.end(), more.begin(), more.end());
    };
    if (settings.formulation == Kind::energy) add(Energy::unsupported(model, params, settings));
    add(without_cones(model, params, settings));
    add(without_contact(model, params, settings));
    return out;
  }

  bool load(const model::State& state) {
    if (!model::same_mechanism(state, of_)) take(state);
    return visit(*this, [&](auto& f) { return f.load(state); });
  }
  /// Makes a step of h [s]. What is a mean over the step is so over those before it as well that
  /// began at `since` [s] or later: an event may leave a part whose own impulses are rounding.
  void step(model::State& state, double h, double since, StepReport& report) {
    visit(*this, [&](auto& f) {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(f)>, Velocity>)
        f.step(state, h, since, report);
      else
        f.step(state, h, report);
    });
    if (report.status == Status::ok) given_.clear();
  }
  void step(model::State& state, double h, StepReport& report) { step(state, h, state.t, report); }
  void project(model::State& state, const std::string& why, const std::string& subject,
               StepReport& report) {
    visit(*this, [&](auto& f) { f.project(state, why, subject, report); });
  }
  const model::Kinematics& kinematics() const {
    return visit(
        *this, [](const auto& f) -> auto& { return f.kinematics(); });
  }
  const model::KinematicsCache& now() const {
    return visit(
        *this, [](const auto& f) -> auto& { return f.now(); });
  }
  const std::vector<double>& velocities() const {
    return visit(
        *this, [](const auto& f) -> auto& { return f.velocities(); });
  }
  const model::ConstraintSpecs& specs() const {
    return visit(
        *this, [](const auto& f) -> auto& { return f.specs(); });
  }
  /// Returns the force of each row [N, N m]: the mean over the last step (velocity formulation), or
  /// that at its end (acceleration; energy, but midpoint: in its middle).
  const std::vector<double>& row_forces() const {
    return visit(
        *this, [](const auto& f) -> auto& { return f.row_forces(); });
  }
  /// Returns the reaction of a joint: its mean over the last step (velocity formulation), or that
  /// at its end (acceleration; energy, but midpoint: in its middle). See model::Reaction.
  model::Reaction reaction(std::size_t joint) const {
    if (!given_.empty()) return given_[joint];
    return visit(*this, [&](const auto& f) { return f.reaction(joint); });
  }
  /// Computes the reactions of all joints; zero for couplings and for joints that are not `on`.
  void reactions(const std::vector<unsigned char>& on, std::vector<model::Reaction>& out) const {
    const std::vector<model::Joint>& joints = kinematics().model().joints;
    out.assign(joints.size(), {});
    for (std::size_t j = 0; j < out.size(); ++j)
      if (on[j] && joints[j].coupling < 0) out[j] = reaction(j);
  }
  /// Restores the row forces and reactions of a step that another process, or another state, has
  /// made: they are given until the next step.
  void set_last_forces(const std::vector<double>& row_forces,
                       std::vector<model::Reaction> reactions) {
    visit(*this, [&](auto& f) { f.set_row_forces(row_forces); });
    given_ = std::move(reactions);
  }
  /// Returns the points of contact that pushed in the last step, with their mean forces over it.
  std::vector<constraint::ContactForce> contact_forces() const {
    std::vector<constraint::ContactForce> out;
    contact_forces(out);
    return out;
  }
  /// The same, into a list whose room is used again.
  void contact_forces(std::vector<constraint::ContactForce>& out) const {
    visit(*this, [&](const auto& f) { f.contact_forces(out); });
  }
  double total_energy(const model::State& state) const {
    return visit(*this, [&](const auto& f) { return f.total_energy(state); });
  }
  bool composable() const {
    return visit(*this, [](const auto& f) { return f.composable(); });
  }
};

}  // namespace trammel::form
