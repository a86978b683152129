#include "model/joint_lanes.h"

#include <algorithm>
#include <map>
#include <string>

#include "joint/material.h"
#include "math/index.h"
#include "math/parallel.h"
#include "model/kinematics.h"

namespace trammel::model {

namespace {

using joint::kLanes;

constexpr int kBatchGrain = 64;  // batches in one go
constexpr int kMostRows = 6;

/// Whether an end of a joint is a body that cannot strain and is its block, or the ground.
bool fits(const Object& o) {
  return !body::can_strain(o.motion_kind) && o.jacobian < 0 && (o.block >= 0 || o.at_rest());
}
bool fits(const Model& model, const Joint& j, int object_A) {
  const Object &A = model.objects[at_(object_A)], &B = model.objects[at_(j.object_B)];
  return j.coupling < 0 && j.track < 0 && fits(A) && fits(B) && A.block != B.block;
}

/// Rows as bytes: joints of the same are alike.
std::string key(const Model& model, int first_row, int n) {
  std::string out;
  for (int r = first_row; r < first_row + n; ++r) joint::append_bytes(model.rows[at_(r)].row, out);
  return out;
}

/// Joints' groups follow each other: the number of those from the i-th on.
int groups_of_joint(const Model& model, std::size_t i) {
  int n = 1;
  while (i + at_(n) < model.groups.size() &&
         model.groups[i + at_(n)].joint == model.groups[i].joint)
    ++n;
  return n;
}

joint::LaneTransform gather(const std::vector<body::Transform>& places,
                            const std::array<int, kLanes>& of) {
  static_assert(sizeof(body::Transform) == 12 * sizeof(double));
  const double* from[kLanes];
  for (int i = 0; i < kLanes; ++i) from[i] = places[at_(of[at_(i)])].p.data();
  Four x[12];
  for (int k = 0; k < 12; k += 4) load4(from, k, x + k);
  return {{x[0], x[1], x[2]}, {{x[3], x[4], x[5]}, {x[6], x[7], x[8]}, {x[9], x[10], x[11]}}};
}

/// n numbers of each lane to its place; those written twice are the same.
void scatter(const Four* x, int n, double* const (&to)[kLanes]) {
  for (int k = 0; n >= 4 && k < n; k += 4) store4(x + std::min(k, n - 4), to, std::min(k, n - 4));
  for (int k = 0; n < 4 && k < n; ++k)
    for (int i = 0; i < kLanes; ++i) to[i][k] = x[k][i];
}

}  // namespace

JointLanes::JointLanes(const Model& model, const solve::Graph& graph,
                       const std::vector<int>& anchor)
    : model_(&model), taken_(model.joints.size()) {
  std::vector<bool> out(model.joints.size());
  for (const Source& s : model.sources) out[at_(s.joint)] = true;
  for (const RowInfo& r : model.rows)
    if (!joint::in_lanes(r.row)) out[at_(r.joint)] = true;
  std::map<std::string, std::vector<int>> alike;  // first groups of joints
  for (std::size_t i = 0; i < model.groups.size();) {
    const Group& first = model.groups[i];
    const int n = groups_of_joint(model, i), j = first.joint;
    const Group& last = model.groups[i + at_(n) - 1];
    if (!out[at_(j)] && fits(model, model.joints[at_(j)], model.joints[at_(j)].object_A))
      alike[key(model, first.first_row, last.first_row + last.rows - first.first_row)].push_back(
          static_cast<int>(i));
    i += at_(n);
  }
  for (const auto& [rows, groups] : alike)
    for (std::size_t i = 0; i + kFewest <= groups.size(); i += kLanes)
      add_batch(graph, anchor,
                std::span(groups).subspan(i, std::min(at_(kLanes), groups.size() - i)));
}

void JointLanes::add_batch(const solve::Graph& graph, const std::vector<int>& anchor,
                           std::span<const int> groups) {
  Batch b{};
  b.n = static_cast<int>(groups.size());
  b.frame = static_cast<int>(frames_.size());
  b.part = static_cast<int>(parts_.size());
  const int n_parts = groups_of_joint(*model_, at_(groups[0]));
  parts_.resize(parts_.size() + at_(n_parts));
  b.end_part = static_cast<int>(parts_.size());
  for (std::size_t i = 0; i < at_(kLanes); ++i) {
    const int group = groups[std::min(i, groups.size() - 1)];
    const int j = b.joint[i] = model_->groups[at_(group)].joint;
    b.object_A[i] = model_->joints[at_(j)].object_A;
    b.object_B[i] = model_->joints[at_(j)].object_B;
    taken_[at_(j)] = true;
    for (int k = 0; k < n_parts; ++k)
      add_lane(b, i, group + k, graph, anchor, parts_[at_(b.part + k)]);
  }
  for (int k = b.part; k < b.end_part; ++k)
    for (int r = 0; r < parts_[at_(k)].rows; ++r)
      b.features |= model_->rows[at_(parts_[at_(k)].row[0] + r)].row.features();
  add_frames(b);
  batches_.push_back(b);
}

void JointLanes::add_lane(const Batch& b, std::size_t i, int group, const solve::Graph& graph,
                          const std::vector<int>& anchor, Part& part) const {
  part.rows = model_->groups[at_(group)].rows;
  part.row[i] = model_->groups[at_(group)].first_row;
  int end = graph.groups[at_(group)].end;
  const auto offset = [&](int object) {
    const bool rests = model_->objects[at_(object)].block < 0;
    return rests ? ~anchor[at_(part.row[i])] : graph.ends[at_(end++)].J;
  };
  part.J_A[i] = offset(b.object_A[i]);
  part.J_B[i] = offset(b.object_B[i]);
}

void JointLanes::add_frames(const Batch& b) {
  const auto add = [&](const auto& of_lane) {
    FourVec3 v;
    for (std::size_t i = 0; i < at_(kLanes); ++i) {
      const Vec3 x = of_lane(model_->joints[at_(b.joint[i])]);
      v.x[i] = x.x();
      v.y[i] = x.y();
      v.z[i] = x.z();
    }
    frames_.push_back(v);
  };
  const auto add_frame = [&](Pose Joint::*X, joint::Feature first) {
    add([&](const Joint& j) { return (j.*X).p; });
    for (int k = 0; k < 3; ++k)
      if (joint::has(b.features, first + k))
        add([&](const Joint& j) { return Vec3((j.*X).R.col(k)); });
  };
  add_frame(&Joint::X_OA, joint::Feature::Ax);
  add_frame(&Joint::X_OB, joint::Feature::Bx);
}

template <bool kWithJ>
void JointLanes::walk(const State& state, KinematicsCache& at) const {
  parallel::for_pieces(static_cast<int>(batches_.size()), kBatchGrain, [&](int first, int last) {
    for (int i = first; i < last; ++i) walk_batch<kWithJ>(batches_[at_(i)], state, at);
  });
}

template <bool kWithJ>
void JointLanes::walk_batch(const Batch& b, const State& state, KinematicsCache& at) const {
  joint::LaneSample sample;
  sample.n = b.n;
  joint::sample(gather(at.T_WO, b.object_A), gather(at.T_WO, b.object_B), frames_.data() + b.frame,
                b.features, sample);
  std::array<bool, kLanes> on;
  for (std::size_t i = 0; i < at_(kLanes); ++i)
    on[i] = i < at_(b.n) && state.on[at_(b.joint[i])] != 0;
  for (int k = b.part; k < b.end_part; ++k)
    walk_part<kWithJ>(parts_[at_(k)], sample, state, on, at);
}

/// Writes results of lanes without a joint to `nowhere`.
template <bool kWithJ>
void JointLanes::walk_part(const Part& part, const joint::LaneSample& sample, const State& state,
                           const std::array<bool, kLanes>& on, KinematicsCache& at) const {
  Four g[kMostRows], J_A[6 * kMostRows], J_B[6 * kMostRows];
  for (int r = 0; r < part.rows; ++r) {
    const joint::Row& row = model_->rows[at_(part.row[0] + r)].row;
    joint::evaluate<kWithJ>(row, sample, g[r], J_A + 6 * r, J_B + 6 * r);
    for (std::size_t i = 0; row.turns() && i < at_(sample.n); ++i)
      if (const int angle = model_->rows[at_(part.row[i] + r)].angle; angle >= 0)
        g[r][i] = joint::turned_near(g[r][i], state.angle[at_(angle)]);
  }
  double nowhere[6 * kMostRows];
  double* to[kLanes];
  for (std::size_t i = 0; i < at_(kLanes); ++i) to[i] = on[i] ? at.g.data() + part.row[i] : nowhere;
  scatter(g, part.rows, to);
  if constexpr (kWithJ) {
    const auto place = [&](int J) { return J < 0 ? at.anchor.data() + ~J : at.J.data() + J; };
    for (std::size_t i = 0; i < at_(kLanes); ++i) to[i] = on[i] ? place(part.J_A[i]) : nowhere;
    scatter(J_A, 6 * part.rows, to);
    for (std::size_t i = 0; i < at_(kLanes); ++i) to[i] = on[i] ? place(part.J_B[i]) : nowhere;
    scatter(J_B, 6 * part.rows, to);
  }
}

template void JointLanes::walk<false>(const State&, KinematicsCache&) const;
template void JointLanes::walk<true>(const State&, KinematicsCache&) const;

}  // namespace trammel::model
