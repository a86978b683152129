#include "model/reactions.h"

namespace trammel::model {

namespace {

joint::Arc arc_of(const Model& model, const Instant& at, std::size_t joint) {
  const int arc = model.joints[joint].arc;
  return arc < 0 ? joint::Arc{} : at.arc[static_cast<std::size_t>(arc)];
}

}  // namespace

Reaction reaction(const Kinematics& kin, const Instant& at, std::size_t j, const double* force) {
  const Model& model = kin.model();
  const joint::Ends ends = kin.ends(static_cast<int>(j), at);
  joint::Arc arc = arc_of(model, at, j);
  joint::Sample sample;
  constexpr unsigned kFrameA = 7u;  // Ax, Ay, Az
  unsigned features = kin.features(static_cast<int>(j)) | kFrameA;
  if (ends.track) features |= joint::kProjection;
  joint::sample(ends, features, 1, arc, sample);
  Vec3 f = Vec3::Zero(), torque = f;
  for (std::size_t row = static_cast<std::size_t>(model.joints[j].first_row);
       row < model.rows.size() && model.rows[row].joint == static_cast<int>(j); ++row) {
    if (force[row] == 0) continue;
    if (const joint::Row& r = model.rows[row].row; !r.holonomic()) {
      const joint::Contact c = joint::contact(r, sample);
      f += force[row] * c.d;
      torque += force[row] * c.r.cross(c.d);
      continue;
    }
    const joint::Gradient g = joint::gradient(model.rows[row].row, sample);
    for (std::size_t i = 0; i < static_cast<std::size_t>(g.n); ++i) {
      const Vec3 cov = force[row] * g.cov[i];
      const auto feature = static_cast<std::size_t>(g.feature[i]);
      if (g.feature[i] == joint::Feature::D || g.feature[i] == joint::Feature::E)
        f += cov;
      else if (g.feature[i] >= joint::Feature::Bx && g.feature[i] <= joint::Feature::Bz)
        torque += sample.x[feature].cross(cov);
    }
  }
  Mat3 R;  // axes of A, or of the curve
  const auto first = static_cast<std::size_t>(ends.track ? joint::Feature::Cx : joint::Feature::Ax);
  for (std::size_t i = 0; i < 3; ++i) R.col(static_cast<int>(i)) = sample.x[first + i];
  return {R.transpose() * f, R.transpose() * torque};
}

void reactions(const Kinematics& kin, const State& state, const Instant& at,
               const std::vector<double>& row_forces, std::vector<Reaction>& out) {
  out.assign(kin.model().joints.size(), {});
  for (std::size_t j = 0; j < out.size(); ++j)
    if (state.on[j] && kin.model().joints[j].coupling < 0)
      out[j] = reaction(kin, at, j, row_forces.data());
}

double coordinate(const Kinematics& kin, const Instant& at, int joint, const joint::Row& row) {
  joint::Arc arc = arc_of(kin.model(), at, static_cast<std::size_t>(joint));
  joint::Sample sample;
  joint::sample(kin.ends(joint, at), row.features(), 1, arc, sample);
  return joint::value(row, sample, arc);
}

}  // namespace trammel::model
