#pragma once

#include <array>
#include <span>
#include <vector>

#include "joint/lanes.h"
#include "model/model.h"
#include "model/state.h"
#include "solve/graph.h"

namespace trammel::model {

struct KinematicsCache;

/// The joints whose rows are evaluated several at a time (see joint/lanes.h), in batches of the
/// same rows that are fixed here: what a joint gives does not depend on threads, nor on its
/// neighbours.
class JointLanes {
 public:
  /// Joints in a batch at least: one left over is quicker alone.
  static constexpr int kFewest = 2;
  /// anchor: of each row, its place in KinematicsCache::anchor. Both ends of a joint are their
  /// blocks, or one is the ground.
  JointLanes(const Model& model, const solve::Graph& graph, const std::vector<int>& anchor);
  bool has(int joint) const { return taken_[static_cast<std::size_t>(joint)]; }
  /// Values, and with kWithJ also J and anchor, of the rows of joints that are on. g_t of an end
  /// that is at rest stays zero.
  template <bool kWithJ>
  void walk(const State& state, KinematicsCache& at) const;

 private:
  using Indices = std::array<int, joint::kLanes>;
  /// One group of rows of each joint. Where J goes: offset into KinematicsCache::J, or ~offset into
  /// anchor.
  struct Part {
    int rows;
    Indices row, J_A, J_B;
  };
  struct Batch {
    int n;  // lanes in use; the others repeat the last of them
    unsigned features;
    Indices joint, object_A, object_B;
    int frame, part, end_part;
  };
  void add_batch(const solve::Graph& graph, const std::vector<int>& anchor,
                 std::span<const int> groups);
  void add_lane(const Batch& batch, std::size_t lane, int group, const solve::Graph& graph,
                const std::vector<int>& anchor, Part& part) const;
  void add_frames(const Batch& batch);
  template <bool kWithJ>
  void walk_batch(const Batch& batch, const State& state, KinematicsCache& at) const;
  template <bool kWithJ>
  void walk_part(const Part& part, const joint::LaneSample& sample, const State& state,
                 const std::array<bool, joint::kLanes>& on, KinematicsCache& at) const;

  const Model* model_ = nullptr;
  std::vector<bool> taken_;
  std::vector<Batch> batches_;
  std::vector<Part> parts_;
  std::vector<FourVec3> frames_;
};

}  // namespace trammel::model
