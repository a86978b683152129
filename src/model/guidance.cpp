#include "model/guidance.h"

#include <algorithm>
#include <cmath>

#include "law/targets.h"
#include "math/dense.h"
#include "math/index.h"
#include "math/rotation.h"

namespace trammel::model {

/// Rows of a joint along a track that hold whatever it takes, at a fixed place.
std::vector<TightGuidance::Held> TightGuidance::held(const Model& m, const ConstraintSpecs& specs,
                                                     const State& state, int joint) {
  std::vector<Held> out;
  if (!state.on[at(joint)]) return out;
  for (auto i = at(m.joints[at(joint)].first_row); i < m.rows.size() && m.rows[i].joint == joint;
       ++i) {
    const auto value = law::fixed_value(specs[i]);
    const bool moves = m.laws[at(m.rows[i].law)].law.type->takes_drive;
    const joint::Row& row = m.rows[i].row;
    if (value && !moves) out.push_back({row, *value, m.scales.value(row.unit())});
  }
  return out;
}

TightGuidance::TightGuidance(const Kinematics& kin, const ConstraintSpecs& specs,
                             const State& state, int i, int j)
    : joints_{i, j}, length_(kin.model().scales.length) {
  const Model& m = kin.model();
  track_ = m.tracks[at(m.joints[at(i)].track)].track.get();
  for (std::size_t k = 0; k < 2; ++k) {
    const Joint& joint = m.joints[at(joints_[k])];
    X_A_[k] = joint.X_OA;
    X_B_[k] = joint.X_OB;
    rows_[k] = held(m, specs, state, joints_[k]);
  }
  apart_ = state.s[at(m.joints[at(j)].arc)] - state.s[at(m.joints[at(i)].arc)];
}

/// Computes the residual of the rows of both joints, and of the first one's arc length, as shares
/// of their sizes.
void TightGuidance::residual(const Pose& X, double s, std::vector<joint::Arc>& arc, VecX& r) const {
  const body::Transform A, B{X.p, X.R};
  Eigen::Index n = 0;
  for (std::size_t k = 0; k < 2; ++k) {
    const joint::Ends ends{{.T_WO = &A, .X_OF = &X_A_[k]}, {.T_WO = &B, .X_OF = &X_B_[k]}, track_};
    unsigned features = joint::kProjection;
    for (const Held& h : rows_[k]) features |= h.row.features();
    joint::Sample sample;
    joint::sample(ends, features, 1, arc[k], sample);
    for (const Held& h : rows_[k])
      r[n++] = (joint::value(h.row, sample, arc[k]) - h.value) / h.size;
  }
  r[n] = (arc[0].s - s) / length_;
}

double TightGuidance::left_at(double s) const {
  constexpr int kSteps = 12;
  constexpr double kDifference = 1e-6;
  const auto arc_at = [&](double where) {
    return joint::Arc{where, static_cast<int>(track_->piece_at(where))};
  };
  const auto start = [&] { return std::vector{arc_at(s), arc_at(s + apart_)}; };
  std::vector<joint::Arc> arc = start();
  const geom::CurvePoint c = track_->at(arc[0].s);
  const Pose C = X_A_[0] * Pose{c.p, c.C};
  Pose X = C * inverse(X_B_[0]);
  const Eigen::Index n = rows() + 1;
  VecX r(n), moved(n);
  MatX J(n, 6);
  double least = law::kInf;
  for (int k = 0; k < kSteps; ++k) {
    arc = start();
    residual(X, arc[0].s, arc, r);
    const double worst = r.cwiseAbs().maxCoeff();
    if (!(worst < least)) break;
    least = worst;
    for (int d = 0; d < 6; ++d) {
      Pose Y = X;
      const Vec3 e = kDifference * Vec3::Unit(d % 3);
      if (d < 3)
        Y.p += length_ * e;
      else
        Y.R = exp_matrix(e) * X.R;
      std::vector<joint::Arc> there = start();
      residual(Y, s, there, moved);
      J.col(d) = (moved - r) / kDifference;
    }
    const VecX x = dense::Qr(J).solve(-r);
    X.p += length_ * x.head<3>();
    X.R = exp_matrix(x.tail<3>()) * X.R;
  }
  return least;
}

double TightGuidance::first_conflict(double from, double to, double way) const {
  const int n = std::max(1, static_cast<int>(std::ceil(std::abs(to - from) / way)));
  for (int i = 0; i <= n; ++i) {
    const double s = from + (to - from) * i / n;
    if (!track_->closed() &&
        (std::min(s, s + apart_) < 0 || std::max(s, s + apart_) > track_->length()))
      continue;
    if (left_at(s) > kTight) return s;
  }
  return law::kInf;
}

std::vector<TightGuidance> tight_guidances(const Kinematics& kin, const ConstraintSpecs& specs,
                                           const State& state) {
  constexpr int kRunsFree = 5;  // rows that leave a body one motion
  const Model& m = kin.model();
  std::vector<TightGuidance> out;
  std::vector<int> along;
  for (std::size_t j = 0; j < m.joints.size(); ++j)
    if (m.joints[j].arc >= 0 && m.objects[at(m.joints[j].object_B)].block >= 0)
      along.push_back(static_cast<int>(j));
  std::stable_sort(along.begin(), along.end(), [&](int a, int b) {
    return m.joints[at(a)].object_B < m.joints[at(b)].object_B;
  });
  for (std::size_t k = 0; k < along.size(); ++k)
    for (std::size_t l = k + 1; l < along.size(); ++l) {
      const Joint &a = m.joints[at(along[k])], &b = m.joints[at(along[l])];
      if (a.object_B != b.object_B) break;
      if (a.track != b.track || kin.end_A(along[k]) != kin.end_A(along[l])) continue;
      TightGuidance both(kin, specs, state, along[k], along[l]);
      if (both.rows() > kRunsFree) out.push_back(std::move(both));
    }
  return out;
}

}  // namespace trammel::model
