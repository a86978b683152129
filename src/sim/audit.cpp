// Balance of energy and momentum after each step of the grid.
#include <algorithm>
#include <cmath>

#include "math/index.h"
#include "model/ledger.h"
#include "sim/simulation.h"

namespace trammel::sim {

namespace {

constexpr double kMomentumSeen = 1e-12;  // share of the momentum whose loss is looked at closely

}  // namespace

/// Returns the mean of the places of all objects that move freely; reach_ grows to the greatest
/// distance from it that any has reached.
Vec3 Simulation::find_centre() {
  const model::Model& m = *built_.model;
  const auto& T_WO = form_.now().T_WO;
  Vec3 sum = Vec3::Zero();
  int n = 0;
  for (std::size_t i = 0; i < m.objects.size(); ++i)
    if (m.objects[i].block >= 0) sum += T_WO[i].p, ++n;
  if (n == 0) return sum;
  sum /= n;
  double farthest = 0;  // squared
  for (std::size_t i = 0; i < m.objects.size(); ++i)
    if (m.objects[i].block >= 0) farthest = std::max(farthest, (T_WO[i].p - sum).squaredNorm());
  reach_ = std::max(reach_, arm_ + std::sqrt(farthest));
  return sum;
}

/// Raises the scales of momentum residuals to the impulse from outside in a step: the momentum of a
/// mechanism at rest is nothing but rounding, also while loads grow on it, and where what laws
/// exert on it cancels. Moments count about its own centre, since the world's origin may be
/// anywhere.
void Simulation::scale_momentum(double h) {
  Vec3 force = Vec3::Zero(), moment = force;
  form_.kinematics().add_outside_wrench(form_.now(), force, moment);
  const Vec3 centre = find_centre();
  double forces = force.norm(), moments = (moment - centre.cross(force)).norm();
  const model::Kinematics& kin = form_.kinematics();
  const std::vector<double>& rows = form_.row_forces();
  for (const int row : kin.anchored_rows()) {
    const auto i = static_cast<std::size_t>(row);
    if (i >= rows.size()) break;
    const double* unit = kin.anchor(form_.now(), row);
    const double size = std::abs(rows[i]);
    forces += size * vec3(unit).norm();
    moments += size * (vec3(unit + 3) - centre.cross(Vec3(vec3(unit)))).norm();
  }
  momentum_scale_ = std::max(momentum_scale_, forces * h);
  angular_scale_ = std::max({angular_scale_, moments * h, forces * reach_ * h});
}

/// Checks the balance of energy and momentum after a step of the grid.
void Simulation::audit(double h) {
  const model::State& s = state_;
  energy_ = form_.total_energy(s);
  double works = 0, moved = 0;
  for (std::size_t i = 0; i < s.ledger.size(); ++i) {
    if (i == model::kInitial) continue;
    works += s.ledger[i];
    moved = std::max(moved, std::abs(s.ledger[i]));
  }
  imbalance_ = energy_ - s.ledger[model::kInitial] - works;
  const double kinetic = form_.kinematics().kinetic_energy(s.P.data(), form_.velocities().data());
  summary_.energy_scale = std::max({summary_.energy_scale, kinetic, moved});
  summary_.energy_residual = std::max(summary_.energy_residual, std::abs(imbalance_));
  if (const double taken = -s.ledger[model::kIntegrator];
      std::abs(taken) > std::abs(summary_.numerical_damping))
    summary_.numerical_damping = taken;
  watch_.see(form_, s, {h, kinetic, imbalance_, summary_.fallbacks, reach_, smooth_});
  balance(h, kinetic);
}

/// Finds the part of the change of momentum in a step that nothing from outside explains.
void Simulation::balance(double h, double kinetic) {
  const model::State& s = state_;
  Vec3 linear = Vec3::Zero(), angular = linear;
  form_.kinematics().momentum(s.q.data(), s.P.data(), linear, angular);
  // bodies may move against each other: sum |p_i| <= sqrt(2 M T)
  const double within = std::sqrt(2 * form_.kinematics().total_mass() * std::max(0.0, kinetic));
  const Vec3 centre = find_centre(), off = linear - linear_ - impulse_,
             off_moment = angular - angular_ - moment_;
  const auto about = [&](const Vec3& l, const Vec3& p) { return (l - centre.cross(p)).norm(); };
  momentum_scale_ = std::max({momentum_scale_, linear.norm(), impulse_.norm(), within});
  if (off.norm() > kMomentumSeen * momentum_scale_ ||
      about(off_moment, off) > kMomentumSeen * angular_scale_)
    scale_momentum(h);
  angular_scale_ = std::max(
      {angular_scale_, about(angular, linear), about(moment_, impulse_), momentum_scale_ * reach_});
  momentum_off_ = std::max(momentum_off_, off.norm());
  angular_off_ = std::max(angular_off_, about(off_moment, off));
  const auto share = [](double x, double scale) { return scale > 0 ? x / scale : 0; };
  summary_.momentum_residual_rel =
      std::max(share(momentum_off_, momentum_scale_), share(angular_off_, angular_scale_));
  lost_ += off;
  lost_moment_ += off_moment;
  // a moment that was lost earlier is about places that the centre has left since
  way_ = std::max(way_, (centre - centre_at_start_).norm());
  watch_.see_momentum(form_, s,
                      {h, lost_.norm(), about(lost_moment_, lost_), momentum_scale_,
                       std::max(angular_scale_, momentum_scale_ * way_), reach_ + centre.norm()});
  linear_ = linear;
  angular_ = angular;
  impulse_ = moment_ = Vec3::Zero();
}

}  // namespace trammel::sim
