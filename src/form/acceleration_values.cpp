#include "form/acceleration_values.h"

#include <algorithm>
#include <cmath>

#include "constraint/cone.h"
#include "constraint/row_events.h"
#include "constraint/row_kinds.h"
#include "form/solving.h"
#include "solve/product.h"

namespace trammel::form::acceleration {

namespace {

/// Collects the signals with knots; the method ends a step at every knot.
std::vector<Signal> with_knots(const model::Model& model) {
  std::vector<Signal> out;
  const auto add = [&](const Signal& s) {
    if (!s.is_constant() && !s.is_function() && !s.is_live()) out.push_back(s);
  };
  for (const model::LawOnRow& l : model.laws) add(l.law.drive.signal);
  for (const law::Load& load : model.loads)
    for (const Signal& s : load.value) add(s);
  for (const model::Moved& moved : model.prescribed) {
    for (const Drive& d : moved.motion.displacement) add(d.signal);
    for (const body::Prescribed::Turn& turn : moved.motion.turns) add(turn.angle.signal);
  }
  return out;
}

std::vector<unsigned char> speeds_of_lengths(const model::Model& model) {
  std::vector<double> kind(static_cast<std::size_t>(model.n_u));
  for (const model::PoolSlot& s : model.pools) s.pool->speed_tolerances(2, 1, kind.data() + s.v);
  std::vector<unsigned char> out;
  for (const double k : kind) out.push_back(k == 2);
  return out;
}

}  // namespace

Mechanism::Mechanism(const model::Model& of, const model::Params& with, const Settings& how)
    : model(of),
      params(with),
      settings(how),
      kin(of, with),
      works(of, how.impulses),
      projects(!how.baumgarte.acts()),
      signals(with_knots(of)),
      is_speed(speeds_of_lengths(of)) {
  const model::ConstraintSpecs specs(model, params);
  frictions = constraint::cones_of(model, specs);
  for (std::size_t i = 0; i < n_rows(); ++i) {
    const model::RowInfo& row = model.rows[i];
    const int slot = model.laws[static_cast<std::size_t>(row.law)].ledger;
    work_slot.push_back(slot >= 0                           ? works.slot(slot)
                        : constraint::may_do_work(specs[i]) ? works.locks()
                                                            : -1);
    is_angle.push_back(row.row.unit() != joint::Unit::metre);
    sizes.push_back(model.scales.value(row.row.unit()));
    paces.push_back(model.scales.rate(row.row.unit()));
    counts_turns |= row.angle >= 0;
    rows.push_back(static_cast<int>(i));
  }
  kinds = constraint::kinds_of(specs);
  per_size.resize(static_cast<std::size_t>(model.n_q));
  for (const model::PoolSlot& s : model.pools)
    s.pool->tolerances(1 / model.scales.length, 1, per_size.data() + s.q);
  for (const model::Source& source : model.sources) counts_turns |= source.angle >= 0;
  has_events = !kinds.changing.empty() || !model.strengths.empty() || can_touch(model);
  may_strike = has_events || !kinds.rates.empty();
}

double Mechanism::next_knot(double t) const {
  double next = law::kInf;
  for (const Signal& s : signals) next = std::min({next, s.next_jump(t, 0), s.next_jump(t, 1)});
  return next;
}

void Mechanism::momenta(const double* q, const double* u, double* P) const {
  for (const model::PoolSlot& s : model.pools)
    s.pool->momentum(kin.derived().data() + s.derived, q + s.q, u + s.v, P + s.v);
}

void set_tolerances(const Mechanism& mechanism, RungeKutta& method) {
  const Settings::Accuracy& a = mechanism.settings.accuracy;
  const model::Scales& of = mechanism.model.scales;
  const int n_q = mechanism.model.n_q, n_u = mechanism.model.n_u;
  std::vector<double> absolute(mechanism.size(), law::kInf), relative(mechanism.size(), 0);
  for (const model::PoolSlot& s : mechanism.model.pools) {
    s.pool->tolerances(of.length * a.length, a.angle, absolute.data() + s.q);
    s.pool->speed_tolerances(of.speed * a.speed, of.spin() * a.spin, absolute.data() + n_q + s.v);
  }
  // the place of the world's origin must not matter, but rounding does
  std::fill_n(relative.begin(), n_q, 1e-15);
  std::fill_n(relative.begin() + n_q, n_u, std::isfinite(a.relative) ? a.relative : 0);
  method.set_tolerance(std::move(absolute), std::move(relative));
}

Mode::Mode(const Mechanism& mechanism)
    : specs(mechanism.model, mechanism.params),
      status(mechanism.n_rows()),
      touching(mechanism.kin, contact_options(mechanism.settings, mechanism.model.scales),
               mechanism.settings.impacts) {}

Bounds::Bounds(std::size_t rows) : lo(rows, -law::kInf), hi(rows, law::kInf), set(rows, 0) {}

void Bounds::free() {
  std::fill(set.begin(), set.end(), static_cast<signed char>(0));
  std::fill(lo.begin(), lo.end(), -law::kInf);
  std::fill(hi.begin(), hi.end(), law::kInf);
  cones.clear();
}

void Bounds::add(const solve::Cone& friction, double coefficient) {
  cones.push_back(friction);
  cones.back().mu = coefficient;
  for (int k = 0; k < friction.n; ++k) {
    const auto row = static_cast<std::size_t>(friction.tangent[static_cast<std::size_t>(k)]);
    lo[row] = -law::kInf;
    hi[row] = law::kInf;
  }
}

Instant::Instant(const Mechanism& mechanism)
    : at(mechanism.kin.make_cache()),
      rate(mechanism.n_rows()),
      force(mechanism.n_rows()),
      P(static_cast<std::size_t>(mechanism.model.n_u)) {}

void swap(Instant& a, Instant& b) noexcept {
  swap(a.at, b.at);
  std::swap(a.touches, b.touches);
  for (const auto& v : {&Instant::rate, &Instant::force, &Instant::P}) (a.*v).swap(b.*v);
}

void take_rates(const Mechanism& mechanism, const double* u, Instant& now) {
  solve::multiply(mechanism.kin.graph(), now.at.J.data(), u, now.rate.data());
  for (std::size_t i = 0; i < now.rate.size(); ++i) now.rate[i] += now.at.g_t[i];
}

Work::Work(const Mechanism& mechanism)
    : solver(make_solver(mechanism.settings, mechanism.kin.graph())),
      none(mechanism.n_rows()),
      active(mechanism.n_rows()) {
  for (auto* v : {&zero, &bias, &r, &x, &lambda, &known}) v->assign(mechanism.n_rows(), 0);
  for (auto* v : {&f, &dq}) v->assign(static_cast<std::size_t>(mechanism.model.n_u), 0);
}

bool Work::solve(const Mechanism& mechanism, const model::KinematicsCache& at, Bounds& bounds) {
  return correct(*solver, at, rows(mechanism, bounds), r, lambda, bounds.set, x, spent);
}

void Work::take_forces(const Mechanism& mechanism, const model::KinematicsCache& at) {
  std::fill(f.begin(), f.end(), 0.0);
  solve::add_transpose(mechanism.kin.graph(), at.J.data(), x.data(), f.data());
}

void Work::take_motion(const Mechanism& mechanism, const model::KinematicsCache& at) {
  take_forces(mechanism, at);
  solve::apply_inverse_mass(mechanism.kin.graph(), at.inv_mass.data(), f.data(), dq.data());
}

}  // namespace trammel::form::acceleration
