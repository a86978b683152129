#pragma once

#include <vector>

#include "model/model.h"
#include "solve/graph.h"

namespace trammel::model {

/// What follows from the elements of a model and not from its numbers: blocks and rows as a graph,
/// where each joint's numbers go, the order in which rows are eliminated. Variants of a model that
/// differ in parameters share it. It does not refer to the model it was made from.
class Topology {
 public:
  explicit Topology(const Model& model);
  /// True for a model with as many blocks, joints and rows as the one it was made from.
  bool fits(const Model& model) const {
    return joints.size() == model.joints.size() && anchor.size() == model.rows.size() &&
           graph.blocks.size() == model.blocks.size() && graph.groups.size() == model.groups.size();
  }

  /// True for the same elements, joined in the same way: numbers go to the same places.
  friend bool operator==(const Topology& a, const Topology& b);

  /// Says where a row's J goes: offsets into KinematicsCache::J, -1 for an anchored end.
  struct Emit {
    int row, J_A, J_B;
    friend bool operator==(const Emit&, const Emit&) = default;
  };
  struct JointSlot {
    unsigned features = 0;
    int begin = 0, end = 0;  // its emits
    bool direct = true;      // both ends are their blocks, or anchored
    bool anchored = false;
    int first_source = 0, end_source = 0;  // its range of sources_by_joint
    bool has_rows() const { return begin < end; }
    bool is_wanted() const { return has_rows() || first_source < end_source; }
    friend bool operator==(const JointSlot&, const JointSlot&) = default;
  };
  /// Says where a coupling's J goes: a block, and its offset into KinematicsCache::J.
  struct CoupledEnd {
    int block, J;
    friend bool operator==(const CoupledEnd&, const CoupledEnd&) = default;
  };

  solve::Graph graph;
  std::vector<JointSlot> joints;
  std::vector<Emit> emits;
  std::vector<int> sources_by_joint;
  std::vector<std::vector<CoupledEnd>> coupled_ends;  // for each coupling
  std::vector<int> anchored;                          // rows with an end that does not move freely
  std::vector<int> anchor;         // rows: offset in KinematicsCache::anchor; -1: none
  std::vector<int> mass_offset;    // pools: offset of their first inverse mass
  std::vector<int> matrix_offset;  // pools: offset of their first n x n matrix
  std::vector<int> loaded;         // objects with unknowns that loads act on, each once
  bool loads_need_rates = false;

 private:
  void add_blocks(const Model& model);
  void add_joint(const Model& model, const Group& group);
  void add_coupling(const Model& model, const Group& group, const Coupling& coupling);
  void sort_sources(const Model& model);
  void find_loaded(const Model& model);
};

}  // namespace trammel::model
