#pragma once

#include "model/constraint_specs.h"
#include "model/given.h"
#include "model/kinematics.h"

namespace trammel::model {

/// Bodies that hang together by joints and couplings. Where a start is given among them they are
/// placed by what is given; all others are where they are written.
class Islands {
 public:
  Islands(const Model& model, const std::vector<Given>& given);
  bool any() const { return any_; }
  /// True where a start given places the bodies of a joint, or a body.
  bool placed(std::size_t joint) const {
    return joint_[joint] >= 0 && placed_[static_cast<std::size_t>(joint_[joint])];
  }
  bool placed_block(int block) const { return placed_[island(block)] != 0; }
  /// True where a start or a rate given makes the body's velocity.
  bool led_block(int block) const { return led_[island(block)] != 0; }
  /// True where bodies are first placed along joints. Where joints close loops and are met as the
  /// bodies are written, these are moved from there on instead, all joints holding.
  bool follows_joints(int block) const { return placed_block(block) && !looped_[island(block)]; }
  /// Says which joints are not met as written.
  void keep_where_closed(const std::vector<unsigned char>& open);

 private:
  std::size_t island(int block) const {
    return static_cast<std::size_t>(island_[static_cast<std::size_t>(block)]);
  }
  int island_of(const Model& model, std::size_t joint) const;
  void find_loops(const Model& model);

  std::vector<int> joint_, island_;  // island of each joint (-1: none) and block
  std::vector<unsigned char> placed_, led_,
      looped_;  // islands, which are called by one of their blocks
  bool any_ = false;
};

/// Places the bodies of the islands one after the other, each by a joint that leads to it from one
/// that stands: where its coordinates are given there, else as they are. Along a tree of joints
/// that is exact; loops are left open.
void place_along_joints(Draft& draft, const Kinematics& kinematics, const ConstraintSpecs& specs,
                        const Islands& islands, KinematicsCache& at);

}  // namespace trammel::model
