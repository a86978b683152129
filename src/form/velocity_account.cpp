// Balance of energy and momentum: work of laws and loads in a step, impulses from outside, and
// jumps with their losses.
#include <algorithm>
#include <cmath>

#include "constraint/account.h"
#include "form/velocity.h"
#include "model/ledger.h"
#include "model/reactions.h"
#include "solve/product.h"

namespace trammel::form {

/// Returns the work of a spring row that is not part of its stored energy [J]: that of its damper
/// and of a function of the user. Needs both ends of the step and its impulses.
double Velocity::lost_in_spring(std::size_t i, double h) const {
  double work = h / 2 * (now_.damper[i] * now_.rate[i] + next_.damper[i] * next_.rate[i]);
  // the damper's part of L and m, on the mean rate of each half step
  if (springs_.dashpot[i] != 0) {
    const double rate = (next_.at.g[i] - now_.at.g[i]) / h;
    const double spring = springs_.kind[i] == Spring::compliant ? spring_impulse(i, h) : 0;
    work = (first_.rows[i] - spring) * (now_.rate[i] + rate) / 2 +
           second_.rows[i] * (rate + next_.rate[i]) / 2;
  }
  const model::RowInfo& row = model_->rows[i];
  const law::Law& law = model_->laws[static_cast<std::size_t>(row.law)].law;
  if (!law.function) return work;
  const auto force = [&](const model::KinematicsCache& at) {
    return row.sign * (*law.function)(row.sign * at.g[i], 0, at.t).f;
  };
  if (springs_.kind[i] == Spring::compliant ||
      fell_back_) {  // the function's part of the work along the way: the whole less what the law
                     // gave from store
    const double from = now_.at.g[i], to = next_.at.g[i], t = (now_.at.t + next_.at.t) / 2;
    const double all = row_mean_force(*model_, *params_, static_cast<int>(i), from, to, t).f;
    const law::Type& type = *law.type;
    const double* p = params_->values.data() + law.first_param;
    const double stored = type.energy(law, p, row.sign * to) - type.energy(law, p, row.sign * from);
    return work + all * (to - from) + stored;
  }
  return work + h / 2 * (force(now_.at) * now_.rate[i] + force(next_.at) * next_.rate[i]);
}

/// Evaluates the dampers as explicit forces at `rates_now` and at the rates of next_, for steps
/// that do not solve for them. Needs now_.rest.
void Velocity::explicit_dampers(const std::vector<double>& rates_now) {
  take_springs(next_.at, next_.rest, next_.stiffness);
  for (const int row : springs_.rows) {
    const auto i = static_cast<std::size_t>(row);
    springs_.dashpot[i] = 0;
    now_.damper[i] =
        row_force(*model_, *params_, row, now_.at.g[i], rates_now[i], now_.at.t).f - now_.rest[i];
    next_.damper[i] =
        row_force(*model_, *params_, row, next_.at.g[i], next_.rate[i], next_.at.t).f -
        next_.rest[i];
  }
}

/// Returns the work done by the law in the last step, without the part stored as potential energy
/// [J].
double Velocity::work(std::size_t i, double h) const {
  if (hold_[i] == Hold::nothing) return 0;
  const constraint::HalfSteps impulse{first_.rows[i] + first_.applied[i],
                                      second_.rows[i] + second_.applied[i]};
  const law::Law& law = model_->laws[static_cast<std::size_t>(model_->rows[i].law)].law;
  if (law.type->energy) return lost_in_spring(i, h);
  if (impact_rate_[i] < law::kInf) return 0;  // closed in this step: an impact
  return constraint::work(hold_[i], now_.specs[i], next_.specs[i], impulse,
                          {now_.rate[i], next_.rate[i]});
}

/// Adds the work of laws, prescribed bodies, impacts and loads in the last step, from now_ to
/// next_, to the ledger.
void Velocity::account(model::State& state, double h) {
  // x_ is free scratch at this point
  table_.for_others([&](std::size_t i) { x_[i] = work(i, h); });
  for (const int row : table_.others) {
    const auto i = static_cast<std::size_t>(row);
    if (impact_rate_[i] < law::kInf)  // a unilateral row that has closed, or friction at one
      state.ledger[model::kImpacts] += second_.rows[i] * (impact_rate_[i] + next_.rate[i]) / 2;
    state.ledger[static_cast<std::size_t>(table_.account[i])] += x_[i];
  }
  if (!model_->prescribed.empty()) {  // prescribed bodies exchange energy through any row
    for (const int row : kin_->anchored_rows()) {
      const auto i = static_cast<std::size_t>(row);
      if (hold_[i] == Hold::nothing) continue;
      state.ledger[model::kLocks] -= (first_.rows[i] + first_.applied[i]) * now_.at.g_t[i];
      state.ledger[model::kLocks] -= (second_.rows[i] + second_.applied[i]) * next_.at.g_t[i];
    }
  }
  for (std::size_t i = 0; i < model_->loads.size(); ++i)
    state.ledger[static_cast<std::size_t>(model_->first_load_slot) + i] +=
        h / 2 * (kin_->load_power(now_.at, i) + kin_->load_power(next_.at, i));
}

/// Adds to `report` the impulse from outside: of anchored rows, and of gravity and loads over
/// `duration` [s].
void Velocity::add_outside(End& end, std::span<const double> impulses, std::span<const double> more,
                           double duration, StepReport& report) const {
  if (settings_.impulses) {
    report.wrench_impulses.resize(model::wrench_impulses_size(*model_));
    model::add_wrench_impulses(*kin_, end.at, impulses, more, duration,
                               report.wrench_impulses.data());
  }
  constraint::Wrench w = constraint::anchored_wrench(*kin_, end.at, impulses, more);
  if (duration != 0) {
    if (!end.outside_known) {
      end.outside = {};
      kin_->add_outside_wrench(end.at, end.outside.force, end.outside.moment);
      end.outside_known = model_->loads.empty();  // a program may change them between steps
    }
    w.force += duration * end.outside.force;
    w.moment += duration * end.outside.moment;
  }
  report.impulse += w.force;
  report.moment += w.moment;
}

double Velocity::total_energy(const model::State& state) const {
  return constraint::total_energy(*kin_, state, now_.u.data(), now_.at);
}

constraint::Standing Velocity::standing(model::State& state) {
  return {*kin_, projector(), now_.specs, state, now_.at, [this, &state] {
            load(state);
            return total_energy(state);
          }};
}

void Velocity::take_jump(const constraint::Jump& jump, StepReport& report) {
  now_.outside_known = false;
  report.corrected += jump.corrected;
  report.events.insert(report.events.end(), jump.events.begin(), jump.events.end());
  if (!jump.impulses.empty()) add_outside(now_, jump.impulses, {}, 0, report);
}

/// Corrects the position of unilateral rows that rest beyond their stop: a row that closes during a
/// step penetrates by its speed times part of the step.
void Velocity::lift_out(model::State& state, StepReport& report) {
  constexpr double kStill = 1e-9;  // [m/s, rad/s]
  double depth = 0;
  std::size_t deepest = 0;
  for (const int row : table_.others) {
    const auto i = static_cast<std::size_t>(row);
    if (hold_[i] != Hold::unilateral || std::abs(now_.rate[i]) >= kStill) continue;
    const double sunk = constraint::displacement(hold_[i], now_.specs[i], now_.at.g[i]);
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
  std::fill(state.velocity.extrapolation.begin(), state.velocity.extrapolation.end(), 0.0);
}

}  // namespace trammel::form
