// Energy and momentum: what laws, loads and the outside did in a step; jumps and their losses.
#include <algorithm>
#include <cmath>

#include "constraint/account.h"
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
    const double spring = spring_[i] == Spring::compliant ? spring_impulse(i, h) : 0;
    work = (L_[i] - spring) * (ju0_[i] + rate) / 2 + m_[i] * (rate + ju_[i]) / 2;
  }
  const model::RowInfo& row = model_->rows[i];
  const law::Law& law = model_->laws[static_cast<std::size_t>(row.law)].law;
  if (!law.function) return work;
  const auto force = [&](const model::Instant& at) {
    return row.sign * (*law.function)(row.sign * at.g[i], 0, at.t).f;
  };
  if (spring_[i] == Spring::compliant ||
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
  if (hold_[i] == Hold::nothing) return 0;
  const constraint::HalfSteps impulse{L_[i] + impulse_[i], m_[i] + impulse_V_[i]};
  const law::Law& law = model_->laws[static_cast<std::size_t>(model_->rows[i].law)].law;
  if (law.type->energy) return lost_in_spring(i, h);
  if (blow_[i] < law::kInf) return 0;  // closed in this step: an impact
  return constraint::work(hold_[i], demands_[i], demands_next_[i], impulse, {ju0_[i], ju_[i]});
}

/// Works of the step just made, from now_ to next_ (v_, ju_: velocities and row rates at the end).
void Velocity::book(model::State& state, double h) {
  for_others([&](std::size_t i) { x_[i] = work(i, h); });  // x_: nobody's now
  for (const int row : others_) {
    const auto i = static_cast<std::size_t>(row);
    if (hold_[i] == Hold::gap && blow_[i] < law::kInf)
      state.ledger[model::kImpacts] += m_[i] * (blow_[i] + ju_[i]) / 2;
    state.ledger[static_cast<std::size_t>(work_slot_[i])] += x_[i];
  }
  if (!model_->prescribed.empty()) {  // they give and take through any row
    for (const int row : kin_->anchored_rows()) {
      const auto i = static_cast<std::size_t>(row);
      if (hold_[i] == Hold::nothing) continue;
      state.ledger[model::kLocks] -= (L_[i] + impulse_[i]) * now_.g_t[i];
      state.ledger[model::kLocks] -= (m_[i] + impulse_V_[i]) * next_.g_t[i];
    }
  }
  for (std::size_t i = 0; i < model_->loads.size(); ++i)
    state.ledger[static_cast<std::size_t>(model_->first_load_slot) + i] +=
        h / 2 * (kin_->load_power(now_, i) + kin_->load_power(next_, i));
  std::swap(u_, v_);
}

/// Impulses of rows, and of gravity and loads over `duration`.
void Velocity::add_outside(const model::Instant& at, std::span<const double> impulses,
                           std::span<const double> more, double duration,
                           StepReport& report) const {
  if (settings_.impulses) {
    report.pushes.resize(model::pushes_size(*model_));
    model::add_pushes(*kin_, at, impulses, more, duration, report.pushes.data());
  }
  const auto outside = constraint::outside_impulse(*kin_, at, impulses, more, duration);
  report.impulse += outside.force;
  report.moment += outside.moment;
}

double Velocity::total_energy(const model::State& state) const {
  return constraint::total_energy(*kin_, state, u_.data(), now_);
}

constraint::Standing Velocity::standing(model::State& state) {
  return {*kin_, projector(), demands_, state, now_, [this, &state] {
            load(state);
            return total_energy(state);
          }};
}

void Velocity::take_jump(const constraint::Jump& jump, StepReport& report) const {
  report.corrected += jump.corrected;
  report.events.insert(report.events.end(), jump.events.begin(), jump.events.end());
  if (!jump.impulses.empty()) add_outside(now_, jump.impulses, {}, 0, report);
}

/// What has landed has sunk in by its speed times part of a step: once it rests it is lifted out.
void Velocity::lift_out(model::State& state, StepReport& report) {
  constexpr double kStill = 1e-9;  // [m/s, rad/s]
  double depth = 0;
  std::size_t deepest = 0;
  for (const int row : others_) {
    const auto i = static_cast<std::size_t>(row);
    if (hold_[i] != Hold::gap || std::abs(ju0_[i]) >= kStill) continue;
    const double sunk = constraint::displacement(hold_[i], demands_[i], now_.g[i]);
    if (sunk <= std::max(depth, model::kPenetrated)) continue;
    depth = sunk;
    deepest = i;
  }
  if (depth == 0) return;
  const auto joint = static_cast<std::size_t>(model_->rows[deepest].joint);
  constraint::Jump jump;
  constraint::correct_positions(standing(state), settings_.tolerance, depth,
                                model_->joints[joint].name, jump);
  constraint::correct_velocities(standing(state), jump);  // the rows have turned a little
  take_jump(jump, report);
}

void Velocity::project(model::State& state, const std::string& why, const std::string& subject,
                       StepReport& report) {
  load(state);
  take_jump(constraint::jump(standing(state), settings_.tolerance, why, subject), report);
  std::fill(state.rows.impulse.begin(), state.rows.impulse.end(), 0.0);
  std::fill(state.velocity.trend.begin(), state.velocity.trend.end(), 0.0);
}

}  // namespace trammel::form
