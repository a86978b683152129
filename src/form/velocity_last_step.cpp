#include "form/velocity_last_step.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>

#include "math/brief.h"
#include "math/fnv.h"

namespace trammel::form::velocity {

namespace {
/// What is the same point in all parts: both shapes, and the feature.
using Key = std::tuple<int, int, std::int64_t>;
struct Hash {
  std::size_t operator()(const Key& k) const {
    const auto [a, b, feature] = k;
    const std::int64_t all[] = {a, b, feature};
    Fnv sum;
    sum.add(all, sizeof all);
    return sum.h;
  }
};
}  // namespace

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

void LastStep::mean_contacts(std::vector<constraint::ContactForce>& out) const {
  brief::unordered_map<Key, std::size_t, Hash> found;
  std::size_t all = 0;
  for (std::size_t k = 0; k < n_; ++k) all += parts_[k].points.size();
  found.reserve(all);
  out.clear();
  const double h = duration();
  for (std::size_t k = n_; k-- > 0;)
    for (const constraint::PointImpulse& p : parts_[k].points) {
      const Key key(p.point.A, p.point.B, p.point.feature);
      const auto [it, is_new] = found.emplace(key, out.size());
      if (is_new)
        out.push_back({p.point, p.impulse / h});
      else
        out[it->second].force += p.impulse / h;
    }
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
