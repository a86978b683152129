#pragma once

#include <functional>
#include <string>
#include <vector>

#include "model/kinematics.h"

namespace trammel::constraint {

/// The force or torque that a joint bears, and the strength that limits it.
struct Bearing {
  int joint = 0;
  const char* what = "";                   // "a force", "a tensile force", ...
  double value = 0, strength = law::kInf;  // [N] or [N m]
  const char* unit = "N";
  double share() const { return value / strength; }
};

/// Calls f(bearing) for every joint with a strength that holds; `row_forces` has one number per
/// row.
void for_each_bearing(const model::Kinematics& kin, const model::Instant& at,
                      const std::vector<unsigned char>& on, const std::vector<double>& row_forces,
                      const std::function<void(const Bearing&)>& f);
/// Returns one sentence for the event of its breaking.
std::string why_broken(const Bearing& b);
/// Takes a joint out of `on`, and with it the couplings of its coordinates, which have nothing left
/// to couple.
void let_go(const model::Model& model, int joint, std::vector<unsigned char>& on);

}  // namespace trammel::constraint
