#include "sim/conflicts.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "model/rank.h"

namespace trammel::sim {

namespace {

constexpr double kMet = 1e-8;    // as a start is judged, of the mechanism's length
constexpr double kUnmet = 1e-6;  // likewise
constexpr int kPlaces = 16;      // looked at along a piece of track

std::size_t place_of(int i) { return static_cast<std::size_t>(i); }

}  // namespace

Conflicts::Conflicts(const model::Built& built, const form::Settings& form,
                     const form::Formulation& formulation)
    : model_(built.model.get()),
      params_(&built.params),
      formulation_(&formulation),
      surplus_(built.start.rank.surplus()),
      yields_(form.formulation == form::Settings::Formulation::energy) {
  if (model_->n_arcs < 2) return;
  model::ConstraintSpecs specs(*model_, *params_);
  specs.at(built.state.t);
  const model::Kinematics kin(*model_, *params_);
  tight_ = model::tight_guidances(kin, specs, built.state);
}

double Conflicts::s_of(const model::State& state, int joint) const {
  return state.s[place_of(model_->joints[place_of(joint)].arc)];
}

std::string Conflicts::of(const model::TightGuidance& pair, double s) const {
  const auto [i, j] = pair.joints();
  return fmt::format(
      "joints '{}' and '{}' hold body '{}' by {} rows where it needs 5 to run along track '{}', "
      "and "
      "these cannot all be met from s = {:.6g} m of '{}' on, where the track bends or twists "
      "between them: let a point-on-track-roll and a point-on-track hold it",
      model_->joints[place_of(i)].name, model_->joints[place_of(j)].name,
      model_->objects[place_of(model_->joints[place_of(i)].object_B)].name, pair.rows(),
      pair.track().name(), s, model_->joints[place_of(i)].name);
}

double Conflicts::way_to_border(const model::State& state, int joint, bool ahead) const {
  const model::Joint& j = formulation_->kinematics().model().joints[place_of(joint)];
  const track::Track& track = *model_->tracks[place_of(j.track)].track;
  const auto piece = place_of(state.piece[place_of(j.arc)]);
  const double s = state.s[place_of(j.arc)];
  if (!ahead) return s - track.piece_start(piece);
  return (piece + 1 < track.pieces() ? track.piece_start(piece + 1) : track.length()) - s;
}

std::string Conflicts::behind(const model::State& state, int joint, bool ahead) const {
  for (const model::TightGuidance& pair : tight_) {
    const auto [i, j] = pair.joints();
    if ((i != joint && j != joint) || !state.on[place_of(i)] || !state.on[place_of(j)]) continue;
    const double way = std::min(way_to_border(state, i, ahead), way_to_border(state, j, ahead));
    const double s = s_of(state, i), to = s + (ahead ? way : -way);
    if (pair.first_conflict(s, to, way / kPlaces) < law::kInf) return of(pair, s);
  }
  return "";
}

std::string Conflicts::of_positions(const model::State& state, double t) const {
  model::ConstraintSpecs specs(formulation_->kinematics().model(), *params_);
  specs.at(t);
  model::State there = state;
  there.t = t;
  const model::Conflict c = model::position_conflict(formulation_->kinematics(), specs, there);
  if (!(c.left > kMet * model_->scales.length) || c.joints.empty()) return "";
  return fmt::format(
      "joints {} cannot all be met any more: {:.3g} m or rad is left at the best "
      "compromise",
      model::names_of(formulation_->kinematics().model(), c.joints), c.left);
}

std::string Conflicts::at_failure(const model::State& state, double t, double way) const {
  for (const model::TightGuidance& pair : tight_) {
    const auto [i, j] = pair.joints();
    if (!state.on[place_of(i)] || !state.on[place_of(j)]) continue;
    const double s = s_of(state, i);
    for (const double to : {s + way, s - way})
      if (pair.first_conflict(s, to, way / kPlaces) < law::kInf) return of(pair, s);
  }
  if (std::string text = of_positions(state, t); !text.empty()) return text;
  return jammed(state);
}

std::string Conflicts::hidden(const model::State& state) const {
  if (!yields_ || surplus_ == 0) return "";
  model::ConstraintSpecs specs(formulation_->kinematics().model(), *params_);
  specs.at(state.t);
  model::State there = state;
  const model::Conflict c = model::position_conflict(formulation_->kinematics(), specs, there);
  if (!(c.left > kUnmet * model_->scales.length) || c.joints.empty()) return "";
  return fmt::format(
      "joints {} cannot all be met any more: {:.3g} m or rad is left at the best "
      "compromise",
      model::names_of(formulation_->kinematics().model(), c.joints), c.left);
}

/// Names rows that are redundant at this pose and contradict each other a little way on.
std::string Conflicts::jammed(const model::State& state) const {
  if (surplus_ == 0) return "";
  const model::Kinematics& kin = formulation_->kinematics();
  model::ConstraintSpecs specs(formulation_->kinematics().model(), *params_);
  specs.at(state.t);
  model::KinematicsCache now = kin.make_cache();
  for (std::size_t i = 0; i < now.arc.size(); ++i) now.arc[i] = {state.s[i], state.piece[i]};
  kin.transforms(state.q.data(), state.t, now);
  kin.inverse_mass(state.q.data(), now);
  kin.jacobians(state, now);
  std::string out;
  for (const model::Rank::Loop& loop : model::rank_of(kin, state, specs, now).loops)
    out += fmt::format(
        "{}joints {} hold {} row{} too much, which {} been in agreement until here",
        out.empty() ? "" : "; ", model::names_of(formulation_->kinematics().model(), loop.joints),
        loop.surplus, loop.surplus == 1 ? "" : "s", loop.surplus == 1 ? "has" : "have");
  return out;
}

}  // namespace trammel::sim
