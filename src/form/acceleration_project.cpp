#include "form/acceleration_project.h"

#include <algorithm>
#include <cmath>

#include "constraint/account.h"
#include "constraint/row_events.h"
#include "solve/product.h"

namespace trammel::form::acceleration {

namespace {

constexpr double kRowSpeed = 1e-11;  // residual of row rates allowed, relative to the greatest of
                                     // them, at least 1, all in units of the rows' pace
constexpr int kRefinements = 10;
constexpr double kRounding = 1e-15;  // least tolerance, relative to the largest coordinate
constexpr double kFloor = 2e-16;     // relative gap below which nothing is left to be moved
// ratio to the gap before above which, below the tolerance, only rounding is left
constexpr double kStalls = 0.25;
constexpr int kTooFar = 5;  // iterations after which the factor was made too far away

/// Returns the largest coordinate, lengths as shares of the mechanism's.
double largest_coordinate(const Mechanism& mechanism, const double* y) {
  double largest = 0;
  for (std::size_t i = 0; i < mechanism.per_size.size(); ++i)
    largest = std::max(largest, mechanism.per_size[i] * std::abs(y[i]));
  return largest;
}

/// Computes how far the rows are off their places into `r`; returns the worst, lengths as shares of
/// the mechanism's.
double gaps(const Mechanism& mechanism, const Mode& mode, const model::KinematicsCache& at,
            std::vector<double>& r) {
  double worst = 0;
  for (std::size_t i = 0; i < r.size(); ++i) {
    r[i] = mode.off(i, at.g[i]);
    worst = std::max(worst, std::abs(r[i]) / mechanism.sizes[i]);
  }
  return worst;
}

/// Moves y by the least |dq|_M that takes the gaps work.r, by the factor that there is.
bool move_onto_rows(const Mechanism& mechanism, const Mode& mode, double* y, Bounds& bounds,
                    const model::KinematicsCache& at, Work& work) {
  ++work.spent.iterations;
  for (std::size_t i = 0; i < work.active.size(); ++i) work.active[i] = mode.holds_position(i);
  std::fill(work.lambda.begin(), work.lambda.end(), 0.0);
  if (!work.solve(mechanism, at, bounds)) return false;
  work.take_motion(mechanism, at);
  mechanism.kin.retract(work.dq.data(), y);
  return true;
}

/// Computes row rates, and into work.r what active rows are off theirs. Returns the worst in units
/// of its pace; `scale` gets the greatest rate, likewise, but at least 1.
double wrong_rates(const Mechanism& mechanism, const Mode& mode, const double* u, Instant& now,
                   Work& work, double& scale) {
  take_rates(mechanism, u, now);
  double worst = 0;
  scale = 1;
  for (std::size_t i = 0; i < work.r.size(); ++i) {
    work.r[i] = work.active[i] ? now.rate[i] - mode.specs[i].target.v : 0;
    worst = std::max(worst, std::abs(work.r[i]) / mechanism.paces[i]);
    if (work.active[i]) scale = std::max(scale, std::abs(now.rate[i]) / mechanism.paces[i]);
  }
  return worst;
}

}  // namespace

Vec3 angular_momentum(const Mechanism& mechanism, const double* y, std::vector<double>& P) {
  Vec3 linear = Vec3::Zero(), angular = linear;
  mechanism.momenta(y, mechanism.velocities(y), P.data());
  mechanism.kin.momentum(y, P.data(), linear, angular);
  return angular;
}

double add_impulses(const Mechanism& mechanism, const Mode& mode, const std::vector<double>& before,
                    const Instant& now, const std::vector<double>& impulses, double* out) {
  const Works& works = mechanism.works;
  double sum = 0;
  for (std::size_t i = 0; i < impulses.size(); ++i) {
    const int slot = mechanism.work_slot[i];
    const double rate = constraint::rate_of_impulse(mode.specs[i], before[i], now.rate[i]),
                 driven = slot >= 0 ? impulses[i] * rate : 0, moved = -impulses[i] * now.at.g_t[i];
    if (slot >= 0) out[slot] += driven;
    out[works.locks()] += moved;
    sum += driven + moved;
  }
  if (mechanism.settings.impulses)
    model::add_wrench_impulses(mechanism.kin, now.at, impulses, {}, 0,
                               out + works.wrench_impulses());
  const auto outside = constraint::anchored_wrench(mechanism.kin, now.at, impulses);
  vec3(out + works.impulse()) += outside.force;
  vec3(out + works.moment()) += outside.moment;
  return sum;
}

bool project_positions(const Mechanism& mechanism, const Mode& mode, double* y, Bounds& bounds,
                       Instant& now, Work& work) {
  const Settings& settings = mechanism.settings;
  const double largest = largest_coordinate(mechanism, y);
  const double tolerance =
      std::max(settings.tolerance.share(mechanism.model.scales), kRounding * largest);
  double last = law::kInf;
  Vec3 before = Vec3::Zero();
  bool moved = false;
  for (int k = 0; k < settings.iteration.most; ++k) {
    mechanism.kin.transforms(y, now.at.t, now.at);
    mechanism.kin.jacobians(mode.flags, now.at);
    if (now.at.lost_joint >= 0) return false;
    const double worst = gaps(mechanism, mode, now.at, work.r);
    if (!std::isfinite(worst)) return false;
    if (!mechanism.projects || worst <= kFloor * largest) break;
    if (worst <= tolerance && worst > kStalls * last) break;
    last = worst;
    if (k == settings.iteration.most - 1) return false;
    if (!moved) before = angular_momentum(mechanism, y, now.P);
    if (!moved || k == kTooFar) mechanism.kin.inverse_mass(y, now.at);
    if (k == kTooFar) work.solver->invalidate();
    moved = true;
    if (!move_onto_rows(mechanism, mode, y, bounds, now.at, work)) return false;
  }
  if (moved)
    vec3(mechanism.work(y) + mechanism.works.corrected()) +=
        angular_momentum(mechanism, y, now.P) - before;
  return true;
}

bool project_velocities(const Mechanism& mechanism, const Mode& mode, double* y, Bounds& bounds,
                        Instant& now, Work& work) {
  double* u = mechanism.velocities(y);
  std::fill(work.lambda.begin(), work.lambda.end(), 0.0);
  for (std::size_t i = 0; i < work.active.size(); ++i)
    work.active[i] = mode.status[i].status == constraint::Status::active;
  for (int k = 0; k <= kRefinements; ++k) {
    double scale = 1;
    const double worst = wrong_rates(mechanism, mode, u, now, work, scale);
    if (!std::isfinite(worst)) return false;
    if (k > 0 && worst <= kRowSpeed * scale) break;
    if (!work.solve(mechanism, now.at, bounds)) return false;
    work.take_motion(mechanism, now.at);
    for (std::size_t i = 0; i < work.dq.size(); ++i) u[i] += work.dq[i];
    add_impulses(mechanism, mode, now.rate, now, work.x, mechanism.work(y));
  }
  return true;
}

}  // namespace trammel::form::acceleration
