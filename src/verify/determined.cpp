#include "verify/determined.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "math/index.h"
#include "model/constraint_specs.h"
#include "model/reactions.h"
#include "solve/product.h"

namespace trammel::verify {

namespace {

constexpr double kDependent = 1e-7;  // rows of length 1 that differ from dependent ones by less,
constexpr double kTouched = 1e-7;    // and components of a null vector, of its greatest: rounding
constexpr std::size_t kMostRows = 300;  // in one loop: beyond it all of its reactions are left out

using Components = Eigen::Matrix<double, kComponents, 1>;

/// The mechanism at one pose.
struct AtPose {
  AtPose(const model::Built& built, const model::State& state)
      : m(*built.model), kin(m, built.params), at(kin.make_cache()) {
    for (std::size_t i = 0; i < at.arc.size(); ++i) at.arc[i] = {state.s[i], state.piece[i]};
    kin.transforms(state.q.data(), state.t, at);
    kin.jacobians(state, at);
  }
  const model::Model& m;
  model::Kinematics kin;
  model::KinematicsCache at;
};

std::vector<std::size_t> rows_of(const model::Built& built, const model::State& state,
                                 const model::Rank::Loop& loop) {
  const model::ConstraintSpecs specs(*built.model, built.params);
  const std::vector<unsigned char> rigid = model::rigid_rows(*built.model, state, specs);
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < built.model->rows.size(); ++i) {
    const int joint = built.model->rows[i].joint;
    const bool within =
        std::find(loop.joints.begin(), loop.joints.end(), joint) != loop.joints.end();
    if (within && rigid[i]) out.push_back(i);
  }
  return out;
}

/// Returns J of some rows, each of length 1; `length` becomes what they were.
MatX unit_rows(const AtPose& pose, const std::vector<std::size_t>& rows, VecX& length) {
  const auto n = static_cast<std::size_t>(pose.m.n_u);
  std::vector<double> u(n, 0.), rate(pose.m.rows.size());
  MatX J(static_cast<int>(rows.size()), pose.m.n_u);
  for (std::size_t k = 0; k < n; ++k) {
    u[k] = 1;
    solve::multiply(pose.kin.graph(), pose.at.J.data(), u.data(), rate.data());
    u[k] = 0;
    for (std::size_t i = 0; i < rows.size(); ++i)
      J(static_cast<int>(i), static_cast<int>(k)) = rate[rows[i]];
  }
  length = J.rowwise().norm();
  for (int i = 0; i < J.rows(); ++i)
    if (length[i] > 0) J.row(i) /= length[i];
  return J;
}

/// Returns sets of forces of the rows that move nothing, one a column.
MatX idle_forces(const AtPose& pose, const std::vector<std::size_t>& rows, int surplus) {
  VecX length;
  const MatX J = unit_rows(pose, rows, length);
  Eigen::ColPivHouseholderQR<MatX> qr(J.rows(), J.cols());
  qr.setThreshold(kDependent);
  qr.compute(J);
  const int idle = std::max(surplus, static_cast<int>(J.rows() - qr.rank()));
  MatX out = MatX(qr.householderQ()).rightCols(idle);
  for (int i = 0; i < out.rows(); ++i)
    if (length[i] > 0) out.row(i) /= length[i];
  return out;
}

void strike_out(const AtPose& pose, const model::Rank::Loop& loop, const std::vector<double>& force,
                std::vector<unsigned char>& out) {
  std::vector<Components> all;
  double most = 0;
  for (const int j : loop.joints) {
    Components c = Components::Zero();
    if (pose.m.joints[at(j)].coupling < 0 && !pose.m.joints[at(j)].strain()) {
      const model::Reaction r = model::reaction(pose.kin, pose.at, at(j), force.data());
      c << r.force, r.torque;
    }
    all.push_back(c);
    most = std::max(most, c.cwiseAbs().maxCoeff());
  }
  for (std::size_t k = 0; k < all.size(); ++k)
    for (std::size_t c = 0; c < kComponents; ++c)
      if (std::abs(all[k][static_cast<int>(c)]) > kTouched * most)
        out[kComponents * at(loop.joints[k]) + c] = 0;
}

}  // namespace

std::vector<unsigned char> determined(const model::Built& built, const model::State& state) {
  std::vector<unsigned char> out(kComponents * built.model->joints.size(), 1);
  if (built.start.rank.loops.empty()) return out;
  const AtPose pose(built, state);
  for (const model::Rank::Loop& loop : built.start.rank.loops) {
    const std::vector<std::size_t> rows = rows_of(built, state, loop);
    if (rows.size() > kMostRows) {
      for (const int j : loop.joints)
        std::fill_n(out.begin() + static_cast<long>(kComponents * at(j)), kComponents, 0);
      continue;
    }
    if (rows.empty()) continue;
    const MatX idle = idle_forces(pose, rows, loop.surplus);
    for (int k = 0; k < idle.cols(); ++k) {
      std::vector<double> force(built.model->rows.size(), 0.);
      for (std::size_t i = 0; i < rows.size(); ++i) force[rows[i]] = idle(static_cast<int>(i), k);
      strike_out(pose, loop, force, out);
    }
  }
  return out;
}

}  // namespace trammel::verify
