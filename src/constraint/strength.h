#pragma once

#include <functional>
#include <string>
#include <vector>

#include "model/reactions.h"

namespace trammel::constraint {

/// The force or torque that a joint carries, and the strength that limits it.
struct CarriedLoad {
  int joint = 0;
  const char* what = "";                   // "a force", "a tensile force", ...
  double value = 0, strength = law::kInf;  // [N] or [N m]
  const char* unit = "N";
  double share() const { return value / strength; }
};

/// Calls f(load) for every joint with a strength that holds; `row_forces` has one number per
/// row, `reaction` returns the reaction of a joint.
void for_each_carried_load(const model::Kinematics& kin, const std::vector<unsigned char>& on,
                           const std::vector<double>& row_forces,
                           const std::function<model::Reaction(std::size_t joint)>& reaction,
                           const std::function<void(const CarriedLoad&)>& f);
/// The same of reactions at one instant: of the row forces at the pose `at`.
void for_each_carried_load(const model::Kinematics& kin, const model::KinematicsCache& at,
                           const std::vector<unsigned char>& on,
                           const std::vector<double>& row_forces,
                           const std::function<void(const CarriedLoad&)>& f);
/// Returns one sentence for the event of its breaking.
std::string why_broken(const CarriedLoad& b);
/// Takes a joint out of `on`, and with it the couplings of its coordinates, which have nothing left
/// to couple.
void release(const model::Model& model, int joint, std::vector<unsigned char>& on);

}  // namespace trammel::constraint
