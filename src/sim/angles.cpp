#include "sim/angles.h"

#include <fmt/core.h>

#include <cmath>

#include "joint/evaluate.h"

namespace trammel::sim {

namespace {

constexpr double kTurnSeen = 0.3;  // [rad] in a step
constexpr double kRadius = 0.3;  // of the point whose angle it is, 1 where it has its full meaning

double radius(const model::Kinematics& kin, const model::KinematicsCache& at,
              const model::RowInfo& row) {
  const model::Joint& j = kin.model().joints[static_cast<std::size_t>(row.joint)];
  joint::Arc arc = j.arc < 0 ? joint::Arc{} : at.arc[static_cast<std::size_t>(j.arc)];
  joint::Sample sample;
  joint::sample(kin.ends(row.joint, at), row.row.features(), 1, arc, sample);
  return joint::margin(row.row, sample);
}

}  // namespace

AngleWatch::AngleWatch(const model::Model& model) : model_(&model) {
  for (std::size_t i = 0; i < model.rows.size(); ++i)
    if (model.rows[i].row.turns()) rows_.push_back(i);
  before_.assign(rows_.size(), 0);
}

void AngleWatch::remember(const model::KinematicsCache& now) {
  for (std::size_t k = 0; k < rows_.size(); ++k) before_[k] = now.g[rows_[k]];
}

std::string AngleWatch::lost(const form::Formulation& f, const model::State& state) const {
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const model::RowInfo& row = model_->rows[rows_[k]];
    const double turn = std::abs(f.now().g[rows_[k]] - before_[k]);
    if (!(turn > kTurnSeen) || !state.on[static_cast<std::size_t>(row.joint)]) continue;
    const double r = radius(f.kinematics(), f.now(), row);
    if (r > kRadius) continue;
    return fmt::format(
        "the angle '{}' of joint '{}' turns by {:.3g} rad in one step: it is told from axes that "
        "stand {:.2g} rad from where it has no meaning, and the law '{}' on it pushes without "
        "measure there; let a body in between hold the axes apart, or use a coordinate that keeps "
        "its meaning, like a product of axes",
        row.name, model_->joints[static_cast<std::size_t>(row.joint)].name, turn, std::asin(r),
        model_->laws[static_cast<std::size_t>(row.law)].name);
  }
  return "";
}

}  // namespace trammel::sim
