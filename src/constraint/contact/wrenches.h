#pragma once

#include <cstddef>
#include <vector>

#include "model/kinematics.h"

/// What bodies that touch have among the impulses that a run keeps apart for its results
/// (model/reactions.h): six numbers for each, the force of all its contacts [N] or their impulse
/// [N s], and the moment about the centre of mass [N m, N m s].
namespace trammel::constraint {

constexpr std::size_t kContactImpulse = 6;

/// Returns the objects with unknowns that have contact shapes, in their order.
std::vector<int> touching_objects(const model::Model& model);

/// Returns how many numbers these impulses have: those of joints, of loads, of bodies that touch.
std::size_t wrench_impulses_size(const model::Model& model);

/// Adds forces or impulses of contacts on objects, at places in the world, to wrench impulses.
class ContactWrenches {
 public:
  ContactWrenches(const model::Model& model, double* wrench_impulses);
  void add(int object, const model::KinematicsCache& at, const Vec3& x, const Vec3& f,
           const Vec3& torque = Vec3::Zero());

 private:
  std::vector<int> objects_;
  double* out_;
};

}  // namespace trammel::constraint
