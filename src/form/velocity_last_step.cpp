#include "form/velocity_last_step.h"

#include <algorithm>
#include <utility>

namespace trammel::form::velocity {

void LastStep::back_to(std::size_t parts) {
  n_ = parts;
  begun_ = parts == 0;
}

LastStep::Part& LastStep::add(std::size_t rows, double h) {
  if (begun_) back_to(0);
  begun_ = false;
  if (++n_ > parts_.size()) parts_.emplace_back();
  Part& part = parts_[n_ - 1];
  part.h = h;
  part.at_start.resize(rows);
  part.at_end.resize(rows);
  return part;
}

double LastStep::duration() const {
  double h = 0;
  for (std::size_t k = 0; k < n_; ++k) h += parts_[k].h;
  return h;
}

void LastStep::mean_forces(std::vector<double>& out) const {
  std::fill(out.begin(), out.end(), 0.0);
  for (std::size_t k = 0; k < n_; ++k)
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] += parts_[k].at_start[i] + parts_[k].at_end[i];
  const double h = duration();
  for (double& force : out) force /= h;
}

model::Reaction LastStep::reaction(const model::Kinematics& kinematics,
                                   const model::KinematicsCache& end, std::size_t joint) const {
  model::Reaction sum;
  const auto add = [&](const model::KinematicsCache& at, const std::vector<double>& impulses) {
    const model::Reaction r = model::reaction(kinematics, at, joint, impulses.data());
    sum.force += r.force;
    sum.torque += r.torque;
  };
  for (std::size_t k = 0; k < n_; ++k) {
    add(parts_[k].at, parts_[k].at_start);
    add(k + 1 < n_ ? parts_[k + 1].at : end, parts_[k].at_end);
  }
  const double h = n_ > 0 ? duration() : 1;
  return {sum.force / h, sum.torque / h};
}

void take_pose(model::KinematicsCache& start, LastStep::Part& part) {
  if (part.at.T_WO.size() == start.T_WO.size())
    part.at.T_WO.swap(start.T_WO);
  else
    part.at.T_WO = start.T_WO;  // the first time: what stands still is in all of them
  part.at.arc = start.arc;
}

}  // namespace trammel::form::velocity
