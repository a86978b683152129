// The right-hand side: accelerations and forces of the rows at given coordinates and velocities.
#include <algorithm>
#include <cmath>

#include "constraint/account.h"
#include "form/acceleration.h"
#include "form/acceleration_works.h"
#include "form/meter.h"
#include "form/solving.h"
#include "solve/product.h"

namespace trammel::form {

namespace {
// residual of row accelerations allowed, relative to the first
constexpr double kRowAcceleration = 1e-14;
constexpr int kMostRefinements = 10;
}  // namespace

bool Acceleration::slope(double t, const double* y, double* dy) {
  model::KinematicsCache& at = trial_;
  at.arc = now_.arc;
  kin_->transforms(y, std::min(t, until_), at);
  kin_->inverse_mass(y, at);
  kin_->jacobians(flags_, at);
  solver_->invalidate();
  specs_.at(at.t);
  return at.lost_joint < 0 && accelerate(at, y, dy);
}

/// Computes dy from y. Needs transforms, inverse masses and Jacobians of `at`, and the
/// specifications at its time.
bool Acceleration::accelerate(model::KinematicsCache& at, const double* y, double* dy) {
  ++counts_.slopes;
  if (settings_.meter) settings_.meter->add(settings_.meter->costs.slope);
  const double* u = velocities_of(y);
  double* a = velocities_of(dy);
  kin_->rates(y, u, at);
  kin_->row_rates(flags_, at, rate_.data(), bias_.data());
  std::fill(f_.begin(), f_.end(), 0.0);
  kin_->add_gravity(at, f_.data());
  kin_->add_loads(at, false, f_.data());
  kin_->add_loads(at, true, f_.data());
  own_forces(y, f_.data());
  known_forces(at);
  solve::apply_inverse_mass(kin_->graph(), at.inv_mass.data(), f_.data(), a);
  if (!solve_rows(at, a, a)) return false;
  coordinate_rates(y, dy);
  powers(at, works_of(dy));
  return true;
}

/// Computes the forces that laws give from the rows' values and rates, and those of rows at a
/// bound; into known_ and f_.
void Acceleration::known_forces(const model::KinematicsCache& at) {
  bool any = false;
  for (std::size_t i = 0; i < status_.size(); ++i) {
    known_[i] = 0;
    if (status_[i].status == constraint::Status::free)
      known_[i] = row_force(*model_, *params_, static_cast<int>(i), at.g[i], rate_[i], at.t).f;
    else if (status_[i].at_bound())
      known_[i] = constraint::bound_force(specs_[i], status_[i]);
    any |= known_[i] != 0;
  }
  if (any) solve::add_transpose(kin_->graph(), at.J.data(), known_.data(), f_.data());
}

/// Computes the forces of the rows that hold and the accelerations dy with them, from the
/// accelerations `a` without. A single pass leaves eps of the factor, which would drive positions
/// off the rows; projection would bring them back against the row forces, with work of first order
/// in the step. So passes are repeated.
bool Acceleration::solve_rows(const model::KinematicsCache& at, const double* a, double* dy) {
  const solve::Graph& graph = kin_->graph();
  std::fill(lambda_.begin(), lambda_.end(), 0.0);
  const double damp = 2 * settings_.baumgarte_alpha,
               pull = settings_.baumgarte_beta * settings_.baumgarte_beta;
  for (std::size_t i = 0; i < status_.size(); ++i) {
    active_[i] = status_[i].holds();
    if (!active_[i]) continue;
    const law::ConstraintSpec& d = specs_[i];
    bias_[i] -= d.target.a + status_[i].recovery;
    if (status_[i].status == constraint::Status::recovering) continue;
    if (damp != 0) bias_[i] += damp * (rate_[i] - d.target.v);
    if (pull != 0 && holds_position(i))
      bias_[i] += pull * (at.g[i] - constraint::place(d, status_[i]));
  }
  double first = 0, last = 0;
  for (int k = 0; k <= kMostRefinements; ++k) {
    solve::multiply(graph, at.J.data(), k ? dy : a, r_.data());
    double worst = 0;
    for (std::size_t i = 0; i < status_.size(); ++i) {
      r_[i] = active_[i] ? r_[i] + bias_[i] : 0;
      worst = std::max(worst, std::abs(r_[i]));
    }
    if (!std::isfinite(worst)) return false;
    if (k == 0) first = worst;
    if (k > 0 && (worst <= kRowAcceleration * first || worst >= last)) break;
    last = worst;
    if (!correct(*solver_, at, rows(), r_, lambda_, set_, x_, scratch_)) return false;
    for (std::size_t i = 0; i < x_.size(); ++i) lambda_[i] += x_[i];
    solve::add_transpose(graph, at.J.data(), x_.data(), f_.data());
    solve::apply_inverse_mass(graph, at.inv_mass.data(), f_.data(), dy);
    // a row at a bound has a residual: rounding would decide another pass
    if (!solver_->redundant() && std::any_of(set_.begin(), set_.end(), [](auto s) { return s; }))
      break;
  }
  for (std::size_t i = 0; i < status_.size(); ++i) force_next_[i] = known_[i] + lambda_[i];
  return true;
}

void Acceleration::own_forces(const double* y, double* f) const {
  for (const model::PoolSlot& s : model_->pools)
    s.pool->add_own_force(kin_->derived().data() + s.derived, y + s.q, velocities_of(y) + s.v,
                          f + s.v);
}

void Acceleration::coordinate_rates(const double* y, double* dy) const {
  for (const model::PoolSlot& s : model_->pools)
    s.pool->coordinate_rates(y + s.q, velocities_of(y) + s.v, dy + s.q);
}

void Acceleration::momenta(const double* q, const double* u, double* P) const {
  for (const model::PoolSlot& s : model_->pools)
    s.pool->momentum(kin_->derived().data() + s.derived, q + s.q, u + s.v, P + s.v);
}

/// Computes the powers of laws and loads, and force and moment from outside.
void Acceleration::powers(const model::KinematicsCache& at, double* out) const {
  const Works works(*model_, settings_.impulses);
  std::fill_n(out, works.size(), 0.0);
  if (settings_.impulses)
    model::add_wrench_impulses(*kin_, at, force_next_, {}, 1, out + works.wrench_impulses());
  for (std::size_t i = 0; i < status_.size(); ++i) {
    const double force = force_next_[i];
    out[works.locks()] -= force * at.g_t[i];  // prescribed ends exchange energy through any row
    const constraint::Status status = status_[i].status;
    if (work_slot_[i] < 0 || status == constraint::Status::off ||
        status == constraint::Status::open)
      continue;
    double power = force * rate_[i];
    // the power of a stop at rest is zero
    if (status == constraint::Status::active) power = force * specs_[i].target.v;
    const model::RowInfo& row = model_->rows[i];
    const law::Law& law = model_->laws[static_cast<std::size_t>(row.law)].law;
    if (law.type->energy) {  // the power that is not stored: that of dampers and of functions of
                             // the user
      power -= row_force(*model_, *params_, static_cast<int>(i), at.g[i], 0, at.t).f * rate_[i];
      if (law.function)
        power += row.sign * (*law.function)(row.sign * at.g[i], 0, at.t).f * rate_[i];
    }
    out[work_slot_[i]] += power;
  }
  for (std::size_t i = 0; i < model_->loads.size(); ++i)
    out[works.slot(model_->first_load_slot) + static_cast<int>(i)] = kin_->load_power(at, i);
  Vec3 f = Vec3::Zero(), m = Vec3::Zero();
  kin_->add_outside_wrench(at, f, m);
  const auto anchored = constraint::anchored_wrench(*kin_, at, force_next_);
  vec3(out + works.impulse()) = f + anchored.force;
  vec3(out + works.moment()) = m + anchored.moment;
}

}  // namespace trammel::form
