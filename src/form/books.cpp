// Energy and momentum: what laws, loads and the outside did in a step; jumps and their losses.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "form/derail.h"
#include "form/velocity.h"
#include "model/ledger.h"
#include "model/reactions.h"
#include "solve/product.h"

namespace trammel::form {

/// Work of a spring row that its energy does not hold: that of its damper and of a function of the
/// user's.
double Velocity::lost_in_spring(std::size_t i, double h) const {
  double work = h / 2 * (damper_[i] * ju0_[i] + damper_next_[i] * ju_[i]);
  if (dashpot_[i] != 0) {  // L on the mean rates, as it was made
    const double rate = (next_.g[i] - now_.g[i]) / h;
    const double spring = role_[i] == Role::compliant ? spring_impulse(i, h) : 0;
    work = (L_[i] - spring) * (ju0_[i] + rate) / 2 + m_[i] * (rate + ju_[i]) / 2;
  }
  const model::RowInfo& row = model_->rows[i];
  const law::Law& law = model_->laws[static_cast<std::size_t>(row.law)].law;
  if (!law.function) return work;
  const auto force = [&](const model::Instant& at) {
    return row.sign * (*law.function)(row.sign * at.g[i], 0, at.t).f;
  };
  if (role_[i] == Role::compliant ||
      fell_back_) {  // the function's part of what it has done on its way
    const double from = now_.g[i], to = next_.g[i], t = (now_.t + next_.t) / 2;
    const double all = row_mean_force(*model_, *params_, static_cast<int>(i), from, to, t).f;
    const law::Type& type = *law.type;
    const double* p = params_->values.data() + law.first_param;
    const double stored = type.energy(law, p, row.sign * to) - type.energy(law, p, row.sign * from);
    return work + all * (to - from) + stored;
  }
  return work + h / 2 * (force(now_) * ju0_[i] + force(next_) * ju_[i]);
}

/// Dampers as forces at the rates given, for steps that do not solve for them.
void Velocity::explicit_dampers(const std::vector<double>& rates_now) {
  take_springs(next_, rest_next_, stiffness_next_);
  for (const int row : force_rows_) {
    const auto i = static_cast<std::size_t>(row);
    dashpot_[i] = 0;
    damper_[i] = row_force(*model_, *params_, row, now_.g[i], rates_now[i], now_.t).f - rest_[i];
    damper_next_[i] =
        row_force(*model_, *params_, row, next_.g[i], ju_[i], next_.t).f - rest_next_[i];
  }
}

/// Of a law in the step just made that is not stored.
double Velocity::work(std::size_t i, double h) const {
  if (role_[i] == Role::off) return 0;
  const model::LawOnRow& law = model_->laws[static_cast<std::size_t>(model_->rows[i].law)];
  const double first = L_[i] + impulse_[i], second = m_[i] + impulse_V_[i];
  if (law.law.type->energy) return lost_in_spring(i, h);
  if (blow_[i] < law::kInf) return 0;  // closed in this step: an impact
  if (role_[i] == Role::floor || (role_[i] == Role::hold && !demands_[i].bounded())) {
    if (law.ledger < 0) return 0;  // driven: the force on the demanded rate
    return first * demands_[i].target.v + second * demands_next_[i].target.v;
  }
  if (role_[i] == Role::servo || role_[i] == Role::slip || role_[i] == Role::hold)
    return (first + second) * (ju0_[i] + ju_[i]) / 2;
  return first * ju0_[i] + second * ju_[i];
}

/// Works of the step just made, from now_ to next_ (v_, ju_: velocities and row rates at the end).
void Velocity::book(model::State& state, double h) {
  for_others([&](std::size_t i) { x_[i] = work(i, h); });  // x_: nobody's now
  for (const int row : others_) {
    const auto i = static_cast<std::size_t>(row);
    if (role_[i] == Role::floor && blow_[i] < law::kInf)
      state.ledger[model::kImpacts] += m_[i] * (blow_[i] + ju_[i]) / 2;
    state.ledger[static_cast<std::size_t>(work_slot_[i])] += x_[i];
  }
  if (!model_->prescribed.empty()) {  // they give and take through any row
    for (const int row : kin_->anchored_rows()) {
      const auto i = static_cast<std::size_t>(row);
      if (role_[i] == Role::off) continue;
      state.ledger[model::kLocks] -= (L_[i] + impulse_[i]) * now_.g_t[i];
      state.ledger[model::kLocks] -= (m_[i] + impulse_V_[i]) * next_.g_t[i];
    }
  }
  for (std::size_t i = 0; i < model_->loads.size(); ++i)
    state.ledger[static_cast<std::size_t>(model_->first_load_slot) + i] +=
        h / 2 * (kin_->load_power(now_, i) + kin_->load_power(next_, i));
  std::swap(u_, v_);
}

/// Impulse and moment about the world's origin from gravity and loads over `duration`, and from
/// anchored rows.
void Velocity::add_outside(const model::Instant& at, std::span<const double> impulses,
                           std::span<const double> more, double duration,
                           StepReport& report) const {
  Vec3 f = Vec3::Zero(), m = Vec3::Zero();
  if (settings_.impulses) {
    report.pushes.resize(model::pushes_size(*model_));
    model::add_pushes(*kin_, at, impulses, more, duration, report.pushes.data());
  }
  kin_->add_outside_wrench(at, f, m);
  report.impulse += duration * f;
  report.moment += duration * m;
  for (const int row : kin_->anchored_rows()) {
    const auto i = static_cast<std::size_t>(row);
    const double x = impulses[i] + (more.empty() ? 0 : more[i]);
    if (x == 0) continue;
    const double* anchor = kin_->anchor(at, row);
    report.impulse -= x * vec3(anchor);
    report.moment -= x * vec3(anchor + 3);
  }
}

double Velocity::total_energy(const model::State& state) const {
  return kin_->kinetic_energy(state.q.data(), state.P.data(), u_.data()) +
         kin_->gravity_energy(now_) + stored_energy(*model_, *params_, state, now_.g);
}

/// Moves a loaded state onto its rows, outside the step.
void Velocity::correct_positions(model::State& state, double gap, const std::string& subject,
                                 StepReport& report) {
  Vec3 p = Vec3::Zero(), before = p, after = p;
  const double energy = total_energy(state);
  kin_->momentum(state.q.data(), state.P.data(), p, before);
  projector().position(demands_, settings_.tolerance, state, now_);
  load(state);
  kin_->momentum(state.q.data(), state.P.data(), p, after);
  report.corrected += after - before;
  const double change = total_energy(state) - energy;
  state.ledger[model::kCorrections] += change;
  report.events.push_back({state.t, "correction", subject,
                           fmt::format("positions moved onto the rows by {:.3g}; angular momentum "
                                       "moved by {:.3g} N m s",
                                       gap, (after - before).norm()),
                           change, "J"});
}

/// What has landed has sunk in by its speed times part of a step: once it rests it is lifted out.
void Velocity::lift_out(model::State& state, StepReport& report) {
  constexpr double kStill = 1e-9;  // [m/s, rad/s]
  double depth = 0;
  std::size_t deepest = 0;
  for (const int row : others_) {
    const auto i = static_cast<std::size_t>(row);
    if (role_[i] != Role::floor || std::abs(ju0_[i]) >= kStill) continue;
    const double sunk = -law::to_stop(demands_[i], now_.g[i]).gap;
    if (sunk <= std::max(depth, model::kPenetrated)) continue;
    depth = sunk;
    deepest = i;
  }
  if (depth == 0) return;
  const auto joint = static_cast<std::size_t>(model_->rows[deepest].joint);
  correct_positions(state, depth, model_->joints[joint].name, report);
  const double before = total_energy(state);  // the rows have turned a little
  add_outside(now_, projector().velocity(demands_, state, now_).impulses, {}, 0, report);
  load(state);
  state.ledger[model::kCorrections] += total_energy(state) - before;
}

void Velocity::project(model::State& state, const std::string& why, const std::string& subject,
                       StepReport& report) {
  load(state);
  double gap = 0;
  for (std::size_t i = 0; i < role_.size(); ++i)
    if (holds(*model_, state, demands_, i) && !demands_[i].stops())
      gap = std::max(gap, std::abs(now_.g[i] - demands_[i].target.x));
  if (gap > settings_.tolerance * 10) correct_positions(state, gap, subject, report);
  const double level = total_energy(state);
  const auto blow = projector().velocity(demands_, state, now_);
  add_outside(now_, blow.impulses, {}, 0, report);
  load(state);
  // drives and moving ends work at the velocities after the blow; what is left is 1/2 |du|_M^2
  double work = 0;
  for (std::size_t i = 0; i < role_.size(); ++i) {
    const int slot = model_->laws[static_cast<std::size_t>(model_->rows[i].law)].ledger;
    const double x = blow.impulses[i], driven = slot >= 0 ? x * demands_[i].target.v : 0;
    if (slot >= 0) state.ledger[static_cast<std::size_t>(slot)] += driven;
    state.ledger[model::kLocks] -= x * now_.g_t[i];
    work += driven - x * now_.g_t[i];
  }
  const double loss = level + work - total_energy(state);
  state.ledger[model::kImpacts] -= loss;
  report.events.push_back({state.t, "impact", subject, why, loss, "J"});
  std::fill(state.multiplier.begin(), state.multiplier.end(), 0.0);
  std::fill(state.trend.begin(), state.trend.end(), 0.0);
}

void Velocity::guards(const model::State& state, std::vector<double>& out) const {
  out.assign(static_cast<std::size_t>(kGuards * model_->n_arcs), law::kInf);
  for (std::size_t k = 0; k < model_->joints.size(); ++k) {
    const model::Joint& j = model_->joints[k];
    if (j.arc < 0 || !state.on[k]) continue;
    const auto arc = static_cast<std::size_t>(j.arc);
    const track::Track& track = *model_->tracks[static_cast<std::size_t>(j.track)].track;
    const auto piece = static_cast<std::size_t>(state.piece[arc]);
    const double end = piece + 1 < track.pieces() ? track.piece_start(piece + 1) : track.length();
    out[kGuards * arc] = end - state.s[arc];
    out[kGuards * arc + 1] = state.s[arc] - track.piece_start(piece);
    out[kGuards * arc + 2] = derail_margin(*kin_, now_, k, {state.s[arc], state.piece[arc]});
  }
}

}  // namespace trammel::form
