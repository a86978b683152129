#include "form/acceleration_slope.h"

#include <algorithm>
#include <cmath>

#include "constraint/account.h"
#include "constraint/cone.h"
#include "constraint/row_events.h"
#include "form/acceleration_contact.h"
#include "form/acceleration_rows.h"
#include "form/meter.h"
#include "solve/product.h"

namespace trammel::form::acceleration {

namespace {

using constraint::Status;

/// Computes the forces of bodies: gravity, loads, and those that their kind makes. Needs rates.
void body_forces(const Mechanism& mechanism, const double* y, const model::KinematicsCache& at,
                 std::vector<double>& f) {
  std::fill(f.begin(), f.end(), 0.0);
  mechanism.kin.add_gravity(at, f.data());
  mechanism.kin.add_loads(at, false, f.data());
  mechanism.kin.add_loads(at, true, f.data());
  for (const model::PoolSlot& s : mechanism.model.pools)
    s.pool->add_own_force(mechanism.kin.derived().data() + s.derived, y + s.q,
                          mechanism.velocities(y) + s.v, f.data() + s.v);
}

/// Returns the force of a row that laws give from its value and rate, or its bound [N, N m]; 0 for
/// friction that follows a load, which is found together with it.
double known_force(const Mechanism& mechanism, const Mode& mode, const Instant& now,
                   std::size_t i) {
  if (mode.status[i].status == Status::free)
    return row_force(mechanism.model, mechanism.params, static_cast<int>(i), now.at.g[i],
                     now.rate[i], now.at.moving())
        .f;
  return constraint::force_at_bound(mode.specs[i], mode.status[i]);
}

/// Computes the known forces of all rows and adds them to f.
void add_known_forces(const Mechanism& mechanism, const Mode& mode, const Instant& now,
                      std::vector<double>& known, std::vector<double>& f) {
  bool any = false;
  for (std::size_t i = 0; i < known.size(); ++i) {
    known[i] = known_force(mechanism, mode, now, i);
    any |= known[i] != 0;
  }
  if (any) solve::add_transpose(mechanism.kin.graph(), now.at.J.data(), known.data(), f.data());
}

/// Returns the acceleration of a row that holds while u' = 0, less what is asked of it, with
/// Baumgarte's terms where there are any [m/s^2, rad/s^2]: J u' is to take it away.
double excess(const Settings& settings, const Mode& mode, const Instant& now, std::size_t i,
              double bias) {
  const double damp = 2 * settings.baumgarte.alpha,
               pull = settings.baumgarte.beta * settings.baumgarte.beta;
  const law::ConstraintSpec& d = mode.specs[i];
  bias -= d.target.a + mode.status[i].recovery;
  if (mode.status[i].status == Status::recovering) return bias;
  if (damp != 0) bias += damp * (now.rate[i] - d.target.v);
  if (pull != 0 && mode.holds_position(i)) bias += pull * mode.off(i, now.at.g[i]);
  return bias;
}

/// Says which rows hold, and what is left of their accelerations while u' = 0.
void take_rows(const Mechanism& mechanism, const Mode& mode, const Instant& now, Work& work) {
  for (std::size_t i = 0; i < mode.status.size(); ++i) {
    work.active[i] = mode.status[i].holds();
    if (work.active[i]) work.bias[i] = excess(mechanism.settings, mode, now, i, work.bias[i]);
  }
}

/// Returns the power of a row's force that goes to its account [W]: what is not stored.
double row_power(const Mechanism& mechanism, const Mode& mode, const Instant& now, std::size_t i) {
  // the power of a stop at rest is zero
  const bool active = mode.status[i].status == Status::active;
  double power = now.force[i] * (active ? mode.specs[i].target.v : now.rate[i]);
  const model::RowInfo& row = mechanism.model.rows[i];
  const law::Law& law = mechanism.model.laws[static_cast<std::size_t>(row.law)].law;
  if (!law.type->energy) return power;
  // that of dampers and of functions of the user
  const double g = now.at.g[i];
  const law::Instant at_rest = now.at.still();
  power -= row_force(mechanism.model, mechanism.params, static_cast<int>(i), g, 0, at_rest).f *
           now.rate[i];
  if (law.function) power += row.sign * (*law.function)(row.sign * g, 0, at_rest).f * now.rate[i];
  return power;
}

/// Adds the powers of rows, and of prescribed bodies, which exchange energy through any row.
void add_row_powers(const Mechanism& mechanism, const Mode& mode, const Instant& now, double* out) {
  for (std::size_t i = 0; i < mode.status.size(); ++i) {
    out[mechanism.works.locks()] -= now.force[i] * now.at.g_t[i];
    const Status status = mode.status[i].status;
    if (mechanism.work_slot[i] >= 0 && status != Status::off && status != Status::open)
      out[mechanism.work_slot[i]] += row_power(mechanism, mode, now, i);
  }
}

/// Computes the powers of laws and loads, and force and moment from outside.
void powers(const Mechanism& mechanism, const Mode& mode, const Instant& now, double* out) {
  const Works& works = mechanism.works;
  std::fill_n(out, works.size(), 0.0);
  if (mechanism.settings.impulses)
    model::add_wrench_impulses(mechanism.kin, now.at, now.force, {}, 1,
                               out + works.wrench_impulses());
  add_row_powers(mechanism, mode, now, out);
  for (std::size_t i = 0; i < mechanism.model.loads.size(); ++i)
    out[works.slot(mechanism.model.first_load_slot) + static_cast<int>(i)] =
        mechanism.kin.load_power(now.at, i);
  Vec3 f = Vec3::Zero(), m = Vec3::Zero();
  mechanism.kin.add_outside_wrench(now.at, f, m);
  const auto anchored = constraint::anchored_wrench(mechanism.kin, now.at, now.force);
  vec3(out + works.impulse()) = f + anchored.force;
  vec3(out + works.moment()) = m + anchored.moment;
  if (!mode.touching) return;
  const constraint::ContactPowers touching = constraint::powers(*mode.touching, now.touches);
  vec3(out + works.impulse()) += touching.outside.force;
  vec3(out + works.moment()) += touching.outside.moment;
  out[works.contacts()] += touching.friction;
  out[works.locks()] += touching.drives;
  if (!mechanism.settings.impulses) return;
  std::vector<Vec3> forces;
  for (const constraint::Touch& t : now.touches.all) forces.push_back(t.p);
  constraint::add_wrenches(*mode.touching, now.touches, forces, now.at,
                           out + works.wrench_impulses());
}

}  // namespace

bool slope_at(const Mechanism& mechanism, Mode& mode, const double* y, Bounds& bounds, Instant& now,
              double* dy, Work& work) {
  ++work.counts.slopes;
  if (Meter* meter = mechanism.settings.meter) meter->add(meter->costs.slope);
  const double* u = mechanism.velocities(y);
  double* a = mechanism.velocities(dy);
  mechanism.kin.rates(y, u, now.at);
  mechanism.kin.row_rates(mode.flags, now.at, now.rate.data(), work.bias.data());
  mechanism.kin.follow(u, now.at);
  mode.specs.follow(now.at.g, now.rate, now.at.moving());
  body_forces(mechanism, y, now.at, work.f);
  add_known_forces(mechanism, mode, now, work.known, work.f);
  solve::apply_inverse_mass(mechanism.kin.graph(), now.at.inv_mass.data(), work.f.data(), a);
  take_rows(mechanism, mode, now, work);
  work.jammed_row = -1;
  if (!solve_rows(mechanism, now, bounds, a, work)) return false;
  if (!solve_frictions(mechanism, mode, now, bounds, a, work)) return false;
  if (mode.touching && !solve_contacts(mechanism, mode, u, bounds, now, a, work)) return false;
  for (std::size_t i = 0; i < now.force.size(); ++i) now.force[i] = work.known[i] + work.lambda[i];
  constraint::bound_by_loads(mechanism.frictions, now.force, mode.specs);
  for (const model::PoolSlot& s : mechanism.model.pools)
    s.pool->coordinate_rates(y + s.q, u + s.v, dy + s.q);
  powers(mechanism, mode, now, mechanism.work(dy));
  return true;
}

}  // namespace trammel::form::acceleration
