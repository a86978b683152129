#include "model/reactions.h"

namespace trammel::model {

namespace {

joint::Arc arc_of(const Model& model, const KinematicsCache& at, std::size_t joint) {
  const int arc = model.joints[joint].arc;
  return arc < 0 ? joint::Arc{} : at.arc[static_cast<std::size_t>(arc)];
}

/// Force and torque on B about frame B's origin, world axes.
struct OnB {
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
};

/// x times the row's direction.
void add_row(const joint::Row& row, const joint::Sample& sample, double x, OnB& out) {
  if (!row.holonomic()) {
    const joint::Contact c = joint::contact(row, sample);
    out.force += x * c.d;
    out.torque += x * c.r.cross(c.d);
    return;
  }
  const joint::Gradient g = joint::gradient(row, sample);
  for (std::size_t i = 0; i < static_cast<std::size_t>(g.n); ++i) {
    const Vec3 cov = x * g.cov[i];
    const auto feature = static_cast<std::size_t>(g.feature[i]);
    if (g.feature[i] == joint::Feature::D || g.feature[i] == joint::Feature::E)
      out.force += cov;
    else if (g.feature[i] >= joint::Feature::Bx && g.feature[i] <= joint::Feature::Bz)
      out.torque += sample.x[feature].cross(cov);
  }
}

joint::Sample sample_of(const Kinematics& kin, const KinematicsCache& at, std::size_t j,
                        unsigned more) {
  const joint::Ends ends = kin.ends(static_cast<int>(j), at);
  joint::Arc arc = arc_of(kin.model(), at, j);
  unsigned features = kin.features(static_cast<int>(j)) | more;
  if (ends.track) features |= joint::kProjection;
  joint::Sample out;
  joint::sample(ends, features, 1, arc, out);
  return out;
}

/// Sums the forces of a joint's own rows and of those of laws on it.
template <class Force>
OnB on_B(const Model& model, std::size_t j, const joint::Sample& sample, const Force& force) {
  OnB out;
  for (auto row = static_cast<std::size_t>(model.joints[j].first_row);
       row < model.rows.size() && model.rows[row].joint == static_cast<int>(j); ++row)
    if (const double x = force(row); x != 0) add_row(model.rows[row].row, sample, x, out);
  return out;
}

void add_wrench_impulse(const Kinematics& kin, const KinematicsCache& at, std::size_t j,
                        const joint::Sample& sample, const OnB& impulse, double* out) {
  const auto A = static_cast<std::size_t>(kin.end_A(static_cast<int>(j))),
             B = static_cast<std::size_t>(kin.model().joints[j].object_B);
  const Vec3 on_A = at.T_WO[B].p + sample.r_B - at.T_WO[A].p;
  vec3(out) += impulse.force;
  vec3(out + 3) -= impulse.torque + on_A.cross(impulse.force);
  vec3(out + 6) += impulse.torque + sample.r_B.cross(impulse.force);
}

void add_coupling(const Kinematics& kin, const KinematicsCache& at, const Coupling& coupling,
                  double x, double* out) {
  const Model& model = kin.model();
  std::array<double, joint::kCoupled> values{};
  const auto n = static_cast<std::size_t>(coupling.n);
  const auto first = static_cast<std::size_t>(coupling.first_source);
  for (std::size_t i = 0; i < n; ++i) values[i] = model.sources[first + i].sign * at.x[first + i];
  const joint::Coupled h = joint::evaluate(coupling.h, std::span(values).first(n));
  for (std::size_t i = 0; i < n; ++i) {
    const Source& source = model.sources[first + i];
    const auto j = static_cast<std::size_t>(source.joint);
    const joint::Sample sample = sample_of(kin, at, j, source.row.features());
    OnB impulse;
    add_row(source.row, sample, x * h.d[i] * source.sign, impulse);
    add_wrench_impulse(kin, at, j, sample, impulse, out + kJointImpulse * j);
  }
}

}  // namespace

namespace {
constexpr unsigned kFrameA = 7u;  // Ax, Ay, Az

/// A wrench on B in the axes of A, or of the curve.
Reaction in_frame(const Kinematics& kin, const KinematicsCache& at, std::size_t j,
                  const joint::Sample& sample, const OnB& impulse) {
  Mat3 R;
  const auto first = static_cast<std::size_t>(
      kin.ends(static_cast<int>(j), at).track ? joint::Feature::Cx : joint::Feature::Ax);
  for (std::size_t i = 0; i < 3; ++i) R.col(static_cast<int>(i)) = sample.x[first + i];
  return {R.transpose() * impulse.force, R.transpose() * impulse.torque};
}
}  // namespace

Reaction reaction(const Kinematics& kin, const KinematicsCache& at, std::size_t j,
                  const double* force) {
  const joint::Sample sample = sample_of(kin, at, j, kFrameA);
  return in_frame(kin, at, j, sample,
                  on_B(kin.model(), j, sample, [&](std::size_t row) { return force[row]; }));
}

Reaction reaction_along(const Kinematics& kin, const KinematicsCache& at, std::size_t j,
                        const joint::Row& row, double force) {
  const joint::Sample sample = sample_of(kin, at, j, kFrameA | row.features());
  OnB impulse;
  add_row(row, sample, force, impulse);
  return in_frame(kin, at, j, sample, impulse);
}

void add_wrench_impulses(const Kinematics& kin, const KinematicsCache& at,
                         std::span<const double> rows, std::span<const double> more,
                         double duration, double* out) {
  const Model& model = kin.model();
  const auto force = [&](std::size_t row) { return rows[row] + (more.empty() ? 0 : more[row]); };
  for (std::size_t j = 0; j < model.n_static_joints(); ++j) {
    if (const int c = model.joints[j].coupling; c >= 0) {
      const Coupling& coupling = model.couplings[static_cast<std::size_t>(c)];
      const double x = force(static_cast<std::size_t>(coupling.row));
      if (x != 0) add_coupling(kin, at, coupling, x, out);
      continue;
    }
    const joint::Sample sample = sample_of(kin, at, j, 0);
    add_wrench_impulse(kin, at, j, sample, on_B(model, j, sample, force), out + kJointImpulse * j);
  }
  out += kJointImpulse * model.n_static_joints();
  for (const law::Load& load : model.loads) {
    const auto o = static_cast<std::size_t>(load.object);
    if (duration != 0) {
      const law::Wrench w =
          law::wrench(load, kin.params().values.data(), at.T_WO[o], at.rate[o], at.t, at.span);
      vec3(out) += duration * w.f;
      vec3(out + 3) += duration * (w.torque + w.r.cross(w.f));
    }
    out += kLoadImpulse;
  }
}

void reactions(const Kinematics& kin, const State& state, const KinematicsCache& at,
               const std::vector<double>& row_forces, std::vector<Reaction>& out) {
  out.assign(kin.model().joints.size(), {});
  for (std::size_t j = 0; j < out.size(); ++j)
    if (state.on[j] && kin.model().joints[j].coupling < 0)
      out[j] = reaction(kin, at, j, row_forces.data());
}

double coordinate(const Kinematics& kin, const KinematicsCache& at, int joint,
                  const joint::Row& row) {
  joint::Arc arc = arc_of(kin.model(), at, static_cast<std::size_t>(joint));
  joint::Sample sample;
  joint::sample(kin.ends(joint, at), row.features(), 1, arc, sample);
  return joint::value(row, sample, arc);
}

}  // namespace trammel::model
