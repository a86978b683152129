#include "form/velocity_last_step.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "constraint/contact/mean.h"
#include "math/brief.h"

namespace trammel::form::velocity {

void LastStep::begin(double t, double since) {
  t_ = t;
  since_ = since;
  own_ = 0;
}

void LastStep::back_to(std::size_t parts) {
  n_ -= own_ - parts;
  own_ = parts;
}

void LastStep::forget_others() {
  std::size_t kept = 0;
  for (std::size_t k = 0; k < n_; ++k)
    if (parts_[k].t >= since_ && parts_[k].t < t_) std::swap(parts_[kept++], parts_[k]);
  n_ = kept;
}

LastStep::Part& LastStep::add(std::size_t rows, double t, double h) {
  if (own_++ == 0) forget_others();
  if (++n_ > parts_.size()) parts_.emplace_back();
  Part& part = parts_[n_ - 1];
  part.t = t;
  part.h = h;
  part.points.clear();
  part.at_start.resize(rows);
  part.at_end.resize(rows);
  return part;
}

bool LastStep::struck() const {
  return std::any_of(parts_.begin(), parts_.begin() + static_cast<std::ptrdiff_t>(n_),
                     [](const Part& part) { return part.struck; });
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

void LastStep::mean_point_forces(std::vector<constraint::ContactForce>& out) const {
  brief::vector<const std::vector<constraint::PointImpulse>*> latest_first;
  for (std::size_t k = n_; k-- > 0;) latest_first.push_back(&parts_[k].points);
  constraint::mean_forces(latest_first, duration(), out);
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
